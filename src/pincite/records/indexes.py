"""What an index holds, what a run of indexing did, and what is shown of a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.places import Mark, Place
from pincite.records.answers import FittedCalibration, IndexState
from pincite.records.documents import Extraction, Lines, Need, Passage, Source, Span


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A place in a document with what stands around it, for `show`."""

    document: Source
    text: Extraction
    heading_path: tuple[str, ...]
    excerpt: str
    """Whole passages: the one or ones that hold the place."""
    position: Span
    """Of `excerpt` in the document."""
    lines: Lines
    """Of `excerpt` in the document."""
    marked: Span
    """The place asked for: code points into the document."""
    marked_lines: Lines
    place: Place | None
    """Of the place asked for, in the file's own units."""
    stale: bool
    """The file has changed or gone since it was indexed."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """A document, or whole passages of it, with all that is known of its structure."""

    document: Source
    text: Extraction
    passages: tuple[Passage, ...]
    """In reading order, one after another; none of an empty document."""
    marks: tuple[Mark, ...]
    """Those that may touch the passages."""
    length: int
    """Code points of the whole document."""
    stale: bool = False
    """The file has changed or gone since it was indexed."""

    @property
    def span(self) -> Span:
        """What the passages cover."""
        if not self.passages:
            return Span(0, 0)
        return Span(self.passages[0].span.start, self.passages[-1].span.end)


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that was not read, or only in part, and why."""

    path: str
    reason: str
    is_partial: bool = False
    """The file was read and can answer, but something in it could not be, or may be wrong."""
    need: Need | None = None
    """What it could be read with."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run of indexing has come with the files that have to be looked at."""

    path: str
    """Of the file at hand."""
    file_count: int
    """Files done."""
    files_in_all: int
    byte_count: int
    """Bytes of the files done."""
    bytes_in_all: int
    unread: int
    """Files found so far that cannot be read, or are no documents."""


@dataclass(frozen=True, slots=True)
class IndexReport:
    """What one run of indexing found and did; every tuple is sorted by path."""

    state: IndexState
    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    unchanged: int
    problems: tuple[Problem, ...]
    text_bytes: int
    """UTF-8 bytes of the text read in this run."""
    ignored: int = 0
    """Number of files and folders that `.gitignore` and `.pinciteignore` files leave out."""


@dataclass(frozen=True, slots=True)
class IndexInfo:
    """What an index holds."""

    folder: str
    store: str
    state: IndexState
    document_count: int
    passage_count: int
    sentence_count: int
    unencoded_count: int
    """Passages that have no vector yet."""
    languages: tuple[tuple[str, int], ...]
    """Documents by language, most first, then by code."""
    documents: tuple[Source, ...]
    problems: tuple[Problem, ...]
    forgotten: tuple[str, ...]
    """Paths of the files and folders that are kept out, sorted."""
    store_bytes: int
    calibrations: tuple[FittedCalibration, ...] = ()
    """Learnt from questions about these documents, by the name of the scorer."""


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """What ranking needs to know of the whole corpus."""

    passage_count: int
    mean_lengths: tuple[float, float, float]
    """Mean number of terms a passage has in title, headings, body."""
    languages: tuple[str, ...]
    """Of the documents in the index, sorted."""


@dataclass(frozen=True, slots=True)
class TermFrequencies:
    """How often terms occur in some passages, by field (title, headings, body)."""

    counts: Sequence[Sequence[tuple[int, int, int]]]
    """counts[passage][term] for the passages and terms asked for, in their order."""
    lengths: Sequence[tuple[int, int, int]]
    """Number of terms in each field of each passage."""
