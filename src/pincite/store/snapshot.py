"""One finished generation of the catalogue, to be read: what retrieval and citing look into."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from pincite.errors import StoreDamaged
from pincite.places import Mark, Place, place_of
from pincite.protocols import LexicalEngine
from pincite.records import (
    Basis,
    CorpusStatistics,
    Extraction,
    IndexState,
    Lines,
    Need,
    Passage,
    Problem,
    Source,
    Span,
    TermFrequencies,
)
from pincite.store.codec import (
    counts_of,
    seal_of,
    term_key,
    unpack_headings,
    unpack_marks,
    unpack_notes,
    unpack_sentences,
)
from pincite.store.files import Stamp, sha256_of, stamp_of
from pincite.store.forgetting import read_forgotten
from pincite.store.lexical import LexicalIndexError
from pincite.store.schema import all_checked, checked, decoded, decoding, encoded, translated
from pincite.store.vectors import Unencoded, VectorCount, read_vector_count, unencoded

if TYPE_CHECKING:
    from pincite.store.nearest import PassageVectors

T = TypeVar("T")
Types = tuple[type, ...]

_AT_ONCE = 500
"""Keys or terms in one SQL statement; SQLite allows 999 and more."""


@dataclass(frozen=True, slots=True)
class Totals:
    """The counted sums of one generation."""

    state: IndexState
    passage_count: int
    sentence_count: int
    lengths: tuple[int, int, int]
    encoder: str
    """What gave every passage its vector; empty while some have none."""


def read_totals(connection: sqlite3.Connection, store: Path) -> Totals:
    """The sums of the generation this connection sees; `StoreDamaged`."""
    row = connection.execute(
        "SELECT generation, fingerprint, passage_count, sentence_count,"
        " title_length, headings_length, body_length, vector_count, encoder FROM state"
    ).fetchone()
    with decoding(store):
        generation, fingerprint, *sums, encoder = checked(row, int, str, *(int,) * 6, str)
        if min(generation, *sums) < 0:
            raise ValueError("a count is below 0")
    passages, sentences, *lengths, vectors = sums
    return Totals(
        IndexState(generation, fingerprint),
        passages,
        sentences,
        tuple(lengths),
        encoder if vectors == passages else "",
    )


@dataclass(frozen=True, slots=True)
class Generation:
    """What all snapshots of one generation share: found once, used by every question."""

    totals: Totals
    statistics: CorpusStatistics
    engine: LexicalEngine
    has_marks: bool
    """Whether any passage has marks: in folders of plain text none has."""
    paths: dict[int, str] = field(default_factory=dict)
    """Of documents, by key, as they are met."""
    vectors: list[PassageVectors] = field(default_factory=list)
    """Those of all passages, once a question needed them."""


class Snapshot:
    """A `Corpus` over the catalogue. Close it, or use it in `with`: open, it holds back the log.

    One thread at a time may use it.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        generation: Generation,
        *,
        store: Path,
        folder: Path,
        verified: dict[str, tuple[str, Stamp]],
        release: Callable[[sqlite3.Connection], None],
        mend: Callable[[sqlite3.Connection, Generation], Generation],
    ) -> None:
        self._connection = connection
        self._generation = generation
        self._store = store
        self._folder = folder
        self._verified = verified
        self._release = release
        self._mend = mend
        self._closed = False
        # One question looks up the same few documents, passages and terms again and again.
        self._looked_up: dict[str, _File | None] = {}
        self._changed: dict[str, bool] = {}
        self._held: dict[int, Any] = {}
        self._numbers: dict[str, tuple[int, int] | None] = {}

    def __enter__(self) -> Snapshot:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the snapshot up; it must not be used afterwards. Closing twice does nothing."""
        if not self._closed:
            self._closed = True
            self._release(self._connection)

    def state(self) -> IndexState:
        """The generation and fingerprint of this snapshot."""
        return self._generation.totals.state

    def statistics(self) -> CorpusStatistics:
        """Counts and mean lengths over all passages."""
        return self._generation.statistics

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """In how many passages each term occurs (any field); 0 for unknown terms."""
        known = {term: row[1] for term, row in self._terms(terms).items()}
        return {term: known.get(term_key(term), 0) for term in terms}

    def candidates(
        self, terms: Sequence[str], *, limit: int, document: str | None = None
    ) -> list[int]:
        """Keys of up to `limit` passages with any of the terms; `document` is a path.

        Among passages that fit equally well, those first in reading order are taken.
        """
        document_key = None
        if document is not None:
            found = self._rows(
                "SELECT key FROM documents WHERE path = ?", (encoded(document),), (int,)
            )
            if not found:
                return []
            ((document_key,),) = found
        keys = [term_key(term) for term in terms]
        try:
            better, equal = self._generation.engine.candidates(
                keys, limit=limit, document_key=document_key
            )
        except LexicalIndexError:
            # Damaged where opening does not look: the catalogue can make it again.
            self._generation = self._mend(self._connection, self._generation)
            better, equal = self._generation.engine.candidates(
                keys, limit=limit, document_key=document_key
            )
        wanted = limit - len(better)
        if len(equal) > wanted:
            places = zip(self.locations(equal), equal, strict=True)
            equal = [key for _, key in sorted(places)[:wanted]]
        return [*better, *equal]

    def term_frequencies(self, keys: Sequence[int], terms: Sequence[str]) -> TermFrequencies:
        """Counts of `terms` in the passages `keys`, in the given orders."""
        known = self._terms(terms)
        numbers = [known[key][0] if key in known else None for key in map(term_key, terms)]
        rows = self._entries(keys)
        lengths = [row[4:7] for row in rows]
        with decoding(self._store):
            if min(map(min, lengths), default=0) < 0:
                raise ValueError("a length is below 0")
            counts = counts_of([row[7] for row in rows], numbers)
        return TermFrequencies(counts=counts, lengths=lengths)

    def locations(self, keys: Sequence[int]) -> list[tuple[str, int, str]]:
        """(path, ordinal, language) of each passage: its place in reading order."""
        rows = self._entries(keys)
        paths = self._generation.paths
        unknown = {row[1] for row in rows}.difference(paths)
        for some in _portions(sorted(unknown)):
            marks = ",".join("?" * len(some))
            statement = f"SELECT key, path FROM documents WHERE key IN ({marks})"
            with decoding(self._store):
                for key, path in self._rows(statement, some, (int, bytes)):
                    paths[key] = decoded(path)
        with decoding(self._store):
            return [
                (paths[document], ordinal, language) for _, document, ordinal, language, *_ in rows
            ]

    def encoder(self) -> str:
        """What gave every passage its vector; empty while some have none."""
        return self._generation.totals.encoder

    def nearness(
        self, vector: bytes, *, limit: int, keys: Sequence[int], document: str | None = None
    ) -> dict[int, int]:
        """Inner products of `vector` with those of the `limit` nearest passages and of `keys`."""
        if not self.encoder():
            return {}
        # Numpy takes a while to load, and asking by words alone does without.
        from pincite.store.nearest import PassageVectors

        held = self._generation.vectors
        if not held:
            # Two threads may both do this; what they find is the same.
            with translated(self._store), decoding(self._store):
                count = self._generation.totals.passage_count
                held.append(PassageVectors.load(self._connection, count))
        return held[0].nearness(
            vector, limit=limit, keys=keys, document=None if document is None else encoded(document)
        )

    def passages(self, keys: Sequence[int]) -> list[Passage]:
        """The passages, in the order of `keys`."""
        rows = self._by_key(f"{_PASSAGE} WHERE passages.key IN", keys, _PASSAGE_TYPES)
        with decoding(self._store):
            return [_passage(rows[key]) for key in keys]

    def vector_count(self, encoder: str) -> VectorCount:
        """How many passages have a vector of this encoder."""
        with translated(self._store):
            return read_vector_count(self._connection, self._store, encoder)

    def unencoded(self, encoder: str, *, after: int, limit: int) -> list[Unencoded]:
        """The first `limit` passages, with a key above `after`, that have none."""
        with translated(self._store):
            return unencoded(self._connection, self._store, encoder, after=after, limit=limit)

    def passages_of(
        self, path: str, *, span: Span | None = None, lines: Lines | None = None
    ) -> list[Passage]:
        """The passages of a document in reading order; those that may touch `span` or `lines`.

        Empty if there is no such document. The first and last of those for `lines` may end just
        before, as only the line where a passage starts is known without its text.
        """
        condition = ""
        bounds: list[bytes | int] = [encoded(path)]
        if span is not None:
            condition += " AND start < ? AND passages.end > ?"
            bounds += [max(span.end, span.start + 1), span.start]
        if lines is not None:
            condition += (
                " AND first_line <= ? AND ordinal >= coalesce((SELECT max(ordinal) FROM passages"
                " WHERE document = documents.key AND first_line < ?), 0)"
            )
            bounds += [lines.end, lines.start]
        statement = f"{_PASSAGE} WHERE path = ?{condition} ORDER BY ordinal"
        rows = self._rows(statement, bounds, _PASSAGE_TYPES)
        with decoding(self._store):
            return [_passage(row) for row in rows]

    def place(self, path: str, span: Span) -> Place | None:
        """Where the file at `path` has these words, in its own units; None where lines say it."""
        return place_of(self.marks_of(path, span), span.start, span.end)

    def marks_of(self, path: str, span: Span) -> list[Mark]:
        """The marks of a document that may touch `span`; none where the text is the file itself."""
        if not self._generation.has_marks:
            return []
        rows = self._rows(
            "SELECT start, marks FROM passage_marks JOIN passages USING (key)"
            " WHERE document = (SELECT key FROM documents WHERE path = ?)"
            " AND start < ? AND end > ? ORDER BY ordinal",
            (encoded(path), max(span.end, span.start + 1), span.start),
            (int, bytes),
        )
        with decoding(self._store):
            # A mark that reaches over the end of a passage stands with both.
            marks: dict[int, Mark] = {}
            for start, packed in rows:
                marks.update((mark.start, mark) for mark in unpack_marks(packed, start))
            return [marks[start] for start in sorted(marks)]

    def length_of(self, path: str) -> int:
        """Code points of the text of a document; 0 where there is none."""
        rows = self._rows(
            "SELECT coalesce(max(end), 0) FROM passages"
            " WHERE document = (SELECT key FROM documents WHERE path = ?)",
            (encoded(path),),
            (int,),
        )
        return int(rows[0][0])

    def paths(self) -> Sequence[str]:
        """Of all documents, sorted."""
        rows = self._rows("SELECT path FROM documents ORDER BY path", (), (bytes,))
        with decoding(self._store):
            return [decoded(path) for (path,) in rows]

    def source(self, path: str) -> tuple[Source, Extraction] | None:
        """What is known of a document, `None` if the snapshot has none at this path."""
        file = self._files([path])[0]
        return None if file is None else (file.source, file.extraction)

    def changed_since_indexed(self, paths: Iterable[str]) -> list[str]:
        """Those paths whose files are gone or no longer hold what was indexed, sorted.

        A path that the snapshot does not know counts as changed.
        """
        asked = sorted(set(paths))
        files = zip(asked, self._files(asked), strict=True)
        changed = [path for path, file in files if file is None or not self._unchanged(file)]
        self._changed |= dict.fromkeys(asked, False) | dict.fromkeys(changed, True)
        return changed

    def basis(self) -> Basis:
        """What everything that was asked of this snapshot so far hangs on."""
        return Basis(
            index=self.state(),
            encoder=self.encoder(),
            looked_at=tuple(sorted(self._changed)),
            changed=tuple(sorted(path for path, changed in self._changed.items() if changed)),
        )

    def documents(self) -> tuple[Source, ...]:
        """All documents, sorted by path."""
        rows = self._rows(f"{_SOURCE} ORDER BY path", (), _SOURCE_TYPES)
        with decoding(self._store):
            return tuple(_source(row) for row in rows)

    def languages(self) -> tuple[tuple[str, int], ...]:
        """Number of documents by language, most first, then by code."""
        rows = self._rows(
            "SELECT language, count(*) FROM documents GROUP BY language"
            " ORDER BY count(*) DESC, language",
            (),
            (str, int),
        )
        return tuple((language, count) for language, count in rows)

    def problems(self) -> tuple[Problem, ...]:
        """The files that the last run could not read, or only in part, sorted by path."""
        unread = self._rows("SELECT path, reason, need FROM problems", (), (bytes, bytes, str))
        noted = self._rows(
            "SELECT path, notes FROM documents WHERE notes != x''", (), (bytes, bytes)
        )
        with decoding(self._store):
            problems = [
                Problem(decoded(path), decoded(reason), need=Need(need) if need else None)
                for path, reason, need in unread
            ]
            problems += [
                Problem(decoded(path), note, is_partial=True)
                for path, notes in noted
                for note in unpack_notes(notes)
            ]
        return tuple(sorted(problems, key=lambda problem: problem.path))

    def forgotten(self) -> tuple[str, ...]:
        """The files and folders that are kept out of the index, sorted by path."""
        with translated(self._store):
            return read_forgotten(self._connection, self._store)

    def sentence_count(self) -> int:
        """Number of sentences in all passages."""
        return self._generation.totals.sentence_count

    def _files(self, paths: Sequence[str]) -> list[_File | None]:
        looked_up = self._looked_up
        for some in _portions([path for path in paths if path not in looked_up]):
            looked_up.update(dict.fromkeys(some))
            marks = ",".join("?" * len(some))
            rows = self._rows(
                f"{_FILE} WHERE path IN ({marks})", [*map(encoded, some)], _FILE_TYPES
            )
            with decoding(self._store):
                for row in rows:
                    source = _source(row)
                    looked_up[source.path] = _File(source, Extraction(*row[5:8]), _stamp(row[8:]))
        return [looked_up[path] for path in paths]

    def _unchanged(self, file: _File) -> bool:
        path, sha256 = file.source.path, file.source.sha256
        place = os.path.join(self._folder, path)
        try:
            now = stamp_of(place)
            if file.stamp.proves(now):
                return True
            verified_sha256, verified = self._verified.get(path, ("", now))
            if verified_sha256 == sha256 and verified.proves(now):
                return True
            if now.size != file.stamp.size or sha256_of(place) != sha256:
                return False
        except (OSError, ValueError):
            # ValueError: a path with a NUL, which no file has.
            return False
        self._verified[path] = (sha256, now)
        return True

    def _terms(self, terms: Sequence[str]) -> dict[str, tuple[int, int]]:
        known = self._numbers
        asked = dict.fromkeys(map(term_key, terms))
        for some in _portions([term for term in asked if term not in known]):
            marks = ",".join("?" * len(some))
            statement = f"SELECT term, id, passages FROM terms WHERE term IN ({marks})"
            rows = self._rows(statement, some, (str, int, int))
            known.update(dict.fromkeys(some))
            known.update({term: (number, passages) for term, number, passages in rows})
        found = {term: row for term in asked if (row := known[term]) is not None}
        count = self._generation.totals.passage_count
        if any(not 0 < passages <= count for _, passages in found.values()):
            raise StoreDamaged(self._store, detail="a term stands in more passages than there are")
        return found

    def _entries(self, keys: Sequence[int]) -> list[Any]:
        """What search needs of each passage, as `_ENTRY` names it."""
        held = self._held
        held.update(self._by_key(_ENTRY, [key for key in keys if key not in held], _ENTRY_TYPES))
        return [held[key] for key in keys]

    def _by_key(self, select: str, keys: Sequence[int], types: Types) -> dict[int, Any]:
        found: dict[int, Any] = {}
        for some in _portions(keys):
            marks = ",".join("?" * len(some))
            for row in self._rows(f"{select} ({marks})", some, types):
                found[row[0]] = row
        for key in keys:
            if key not in found:
                raise StoreDamaged(self._store, detail=f"passage {key} is missing")
        return found

    def _rows(self, statement: str, values: Sequence[object], types: Types) -> list[Any]:
        with translated(self._store):
            rows = self._connection.execute(statement, values).fetchall()
        with decoding(self._store):
            return all_checked(rows, *types)


_PASSAGE = (
    "SELECT passages.key, path, ordinal, start, passages.end, text, first_line, heading_path,"
    " passages.language, sentences, seal FROM passages JOIN documents ON documents.key = document"
)
_ENTRY = (
    "SELECT key, document, ordinal, language, title_length, headings_length, body_length, terms"
    " FROM passage_terms WHERE key IN"
)
_ENTRY_TYPES = (int, int, int, str, int, int, int, bytes)
_SOURCE = (
    "SELECT path, title, media_type, sha256, modified, extractor, extractor_version, text_sha256"
    " FROM documents"
)
_FILE = (
    "SELECT path, title, media_type, sha256, modified, extractor, extractor_version, text_sha256,"
    " size, mtime_ns, ctime_ns, inode, settled FROM documents"
)
_PASSAGE_TYPES = (int, bytes, int, int, int, bytes, int, str, str, bytes, bytes)
_SOURCE_TYPES = (bytes, bytes, str, str, str, str, str, str)
_FILE_TYPES = (*_SOURCE_TYPES, int, int, int, int, int)


@dataclass(frozen=True, slots=True)
class _File:
    """What is known of one document."""

    source: Source
    extraction: Extraction
    stamp: Stamp


def _passage(row: Any) -> Passage:
    _, path, ordinal, start, end, text, first_line, headings, language, sentences, seal = row
    place = (ordinal, start, end, first_line)
    if seal != seal_of(path, place, language, headings, sentences, text):
        raise ValueError("a passage is not as it was written")
    return Passage(
        path=decoded(path),
        ordinal=ordinal,
        span=Span(start, end),
        text=decoded(text),
        first_line=first_line,
        heading_path=unpack_headings(headings),
        language=language,
        sentences=unpack_sentences(sentences, start),
    )


def _source(row: Any) -> Source:
    return Source(decoded(row[0]), decoded(row[1]), row[2], row[3], row[4])


def _stamp(numbers: Sequence[int]) -> Stamp:
    size, mtime, ctime, inode, settled = numbers
    return Stamp(size, mtime, ctime, inode, bool(settled))


def _portions(items: Sequence[T]) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), _AT_ONCE):
        yield items[start : start + _AT_ONCE]
