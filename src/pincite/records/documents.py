"""Documents, what they are made of, and passages found."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pincite.places import Mark


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of code points, `text[start:end]`."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"a span needs 0 <= start <= end, not {self.start}, {self.end}")

    def of(self, text: str) -> str:
        """The words this span covers in `text`."""
        return text[self.start : self.end]


@dataclass(frozen=True, slots=True, order=True)
class Lines:
    """First and last line, counted from 1, both included, as an editor shows them."""

    start: int
    end: int


class BlockKind(StrEnum):
    """What a stretch of a document is, structurally."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE_HEADER = "table_header"
    TABLE_ROW = "table_row"
    CODE = "code"
    QUOTATION = "quotation"
    MARKUP = "markup"
    """Layout only (rules, fences, table delimiters, comments, front matter): never quoted."""


@dataclass(frozen=True, slots=True)
class Block:
    """One structural unit of a document, as its loader found it.

    Blocks are in reading order and do not overlap; what lies between two blocks is white space.
    `content` is the part to be read as language: inside `span`, without list markers, heading
    hashes or the quotation mark of the first line.
    """

    kind: BlockKind
    span: Span
    content: Span
    heading_path: tuple[str, ...] = ()
    level: int = 0
    """Heading level 1-6; nesting depth of a list item from 1; 0 otherwise."""
    group: int = 0
    """Blocks of one list or one table share a number > 0, counted up through the document."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, or one line of a structure that has none (heading, table row, code line).

    The spans `[start, end)` of a passage's sentences partition the passage, white space and
    markers included. `quote` is the part a person would quote; it is empty where there is
    nothing to quote (blank lines, rules, fences).
    """

    start: int
    end: int
    quote: Span
    kind: BlockKind


@dataclass(frozen=True, slots=True)
class Source:
    """The file a text came from, as it was when it was read."""

    path: str
    """Relative to the indexed folder, separated by `/`."""
    title: str
    media_type: str
    sha256: str
    """Of the file's bytes, in hexadecimal."""
    modified: str
    """The file's modification time, ISO 8601, UTC, to the second."""


@dataclass(frozen=True, slots=True)
class Extraction:
    """How the text was made from the file, so that offsets can be checked later."""

    extractor: str
    extractor_version: str
    sha256: str
    """Of the extracted text in UTF-8 (surrogates kept), in hexadecimal."""


class Need(StrEnum):
    """What a file, or more of it, could be read with."""

    PASSWORD = "password"
    RECOGNITION = "recognition"
    """Recognition of the characters in pictures."""
    TIME = "time"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Document:
    """One file, read: its text and the structure of that text."""

    source: Source
    extraction: Extraction
    text: str
    blocks: tuple[Block, ...]
    language: str
    """ISO 639-1 code, `und` where it could not be told."""
    marks: tuple[Mark, ...] = ()
    """Where the text stands in the file; none where the text is the decoded file."""
    notes: tuple[str, ...] = ()
    """What was left out of the text or may be wrong with it, for a person."""
    needs: tuple[Need, ...] = ()
    """What more of it could be read with, sorted."""


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of one document that is searched as a unit; a document's passages partition it."""

    path: str
    ordinal: int
    """Place in reading order inside the document, from 0."""
    span: Span
    text: str
    first_line: int
    heading_path: tuple[str, ...]
    language: str
    sentences: tuple[Sentence, ...]
    """In reading order; offsets are into the document, like `span`."""


@dataclass(frozen=True, slots=True)
class ScoredPassage:
    """A passage and how well it fits the question; higher is better."""

    passage: Passage
    score: float
    """What it is ranked by."""
    words: float
    """By the words it shares with the question alone: its BM25."""
    nearness: float = 0.0
    """The cosine of its vector and the question's; 0 where vectors are not used."""
