"""A corpus that lives in memory: for texts that come without a folder, and for tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pincite.places import Place, place_of
from pincite.records import (
    CorpusStatistics,
    Document,
    Extraction,
    IndexState,
    Lines,
    Passage,
    Source,
    Span,
    TermFrequencies,
)
from pincite.store.codec import (
    Counts,
    count_terms,
    field_terms,
    fingerprint,
    split_counts,
    term_key,
)
from pincite.store.postings import PostingsEngine


class MemoryCorpus:
    """A `Corpus` over documents and their passages, given in any order.

    A passage belongs to the document with its path; one that belongs to none is a ValueError.
    """

    def __init__(self, documents: Iterable[Document], passages: Iterable[Passage]) -> None:
        self._documents = {document.source.path: document for document in documents}
        self._passages = sorted(passages, key=lambda passage: (passage.path, passage.ordinal))
        self._numbers = {path: number for number, path in enumerate(sorted(self._documents))}
        self._engine = PostingsEngine()
        self._counts: list[dict[str, int]] = []
        self._lengths: list[Counts] = []
        self._frequencies: dict[str, int] = {}
        for key, passage in enumerate(self._passages):
            document = self._documents.get(passage.path)
            if document is None:
                raise ValueError(f"a passage of {passage.path!r}, but no such document")
            fields = field_terms(document.source.title, passage)
            self._engine.upsert([(key, self._numbers[passage.path], fields)])
            self._counts.append(count_terms(fields))
            self._lengths.append((len(fields.title), len(fields.headings), len(fields.body)))
            for term in self._counts[-1]:
                self._frequencies[term] = self._frequencies.get(term, 0) + 1
        self._engine.commit()
        self._state = IndexState(
            generation=1,
            fingerprint=fingerprint(
                (
                    document.source.path,
                    document.source.sha256,
                    document.extraction.extractor,
                    document.extraction.extractor_version,
                )
                for document in self._documents.values()
            ),
        )

    def state(self) -> IndexState:
        """Generation 1, and the fingerprint an index of the same documents would have."""
        return self._state

    def statistics(self) -> CorpusStatistics:
        """Counts and mean lengths over all passages."""
        count = len(self._passages)
        title, headings, body = (
            sum(lengths[field] for lengths in self._lengths) / count if count else 0.0
            for field in range(3)
        )
        return CorpusStatistics(
            passage_count=count,
            mean_lengths=(title, headings, body),
            languages=tuple(sorted({document.language for document in self._documents.values()})),
        )

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """In how many passages each term occurs (any field); 0 for unknown terms."""
        return {term: self._frequencies.get(term_key(term), 0) for term in terms}

    def candidates(
        self, terms: Sequence[str], *, limit: int, document: str | None = None
    ) -> list[int]:
        """Keys of up to `limit` passages with any of the terms; `document` is a path."""
        document_key = None
        if document is not None:
            if document not in self._numbers:
                return []
            document_key = self._numbers[document]
        better, equal = self._engine.candidates(
            [term_key(term) for term in terms], limit=limit, document_key=document_key
        )
        # Keys are places in reading order here.
        return [*better, *sorted(equal)][:limit]

    def term_frequencies(self, keys: Sequence[int], terms: Sequence[str]) -> TermFrequencies:
        """Counts of `terms` in the passages `keys`, in the given orders."""
        names = [term_key(term) for term in terms]
        packed = [self._counts[key] for key in keys]
        return TermFrequencies(
            counts=[[split_counts(counts.get(name, 0)) for name in names] for counts in packed],
            lengths=[self._lengths[key] for key in keys],
        )

    def locations(self, keys: Sequence[int]) -> list[tuple[str, int, str]]:
        """(path, ordinal, language) of each passage: its place in reading order."""
        found = self.passages(keys)
        return [(passage.path, passage.ordinal, passage.language) for passage in found]

    def encoder(self) -> str:
        """Empty: passages in memory have no vectors."""
        return ""

    def nearness(
        self, vector: bytes, *, limit: int, keys: Sequence[int], document: str | None = None
    ) -> dict[int, int]:
        """Nothing: passages in memory have no vectors."""
        return {}

    def passages(self, keys: Sequence[int]) -> list[Passage]:
        """The passages, in the order of `keys`."""
        return [self._passages[key] for key in keys]

    def passages_of(
        self, path: str, *, span: Span | None = None, lines: Lines | None = None
    ) -> list[Passage]:
        """The passages of a document in reading order; those that may touch `span` or `lines`."""
        found = [passage for passage in self._passages if passage.path == path]
        if lines is not None:
            before = [passage.ordinal for passage in found if passage.first_line < lines.start]
            first = max(before, default=0)
            found = [p for p in found if p.ordinal >= first and p.first_line <= lines.end]
        if span is not None:
            end = max(span.end, span.start + 1)
            found = [p for p in found if p.span.start < end and p.span.end > span.start]
        return found

    def place(self, path: str, span: Span) -> Place | None:
        """Where the file at `path` has these words, in its own units; None where lines say it."""
        document = self._documents.get(path)
        return place_of(document.marks, span.start, span.end) if document else None

    def paths(self) -> Sequence[str]:
        """Of all documents, sorted."""
        return sorted(self._documents)

    def source(self, path: str) -> tuple[Source, Extraction] | None:
        """What is known of a document, `None` if there is none at this path."""
        document = self._documents.get(path)
        return None if document is None else (document.source, document.extraction)

    def changed_since_indexed(self, paths: Iterable[str]) -> list[str]:
        """Those paths that are not in the corpus, sorted: what is in memory does not change."""
        return sorted({path for path in paths if path not in self._documents})
