"""The records that travel through Pincite; frozen, and free of behaviour that needs the world.

Every offset is half-open, counted in code points, into the text *as extracted*; for plain text
and Markdown that is the decoded file. Lines count from 1, in the same text, both ends included.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pincite.places import Mark, Place


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


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier turn of a conversation; role is `user`, or what the other side is called."""

    role: str
    text: str


@dataclass(frozen=True, slots=True)
class Quote:
    """The exact words, with up to 32 code points before and after them (W3C TextQuoteSelector)."""

    exact: str
    prefix: str
    suffix: str


class Role(StrEnum):
    """What a quote is to the answer."""

    ANSWER = "answer"
    """The words that answer. Of several, the first is the surest, and they are of other words."""
    PART = "part"
    """The words that answer a part of the question, which the citation names."""
    ALSO = "also"
    """The same words as the quote before it, in another place; no part of the answer's text."""


class WarningKind(StrEnum):
    """What should be known of a quote that it does not say."""

    QUALIFIED = "qualified"
    """Its sentence, or the one behind it, goes on with an exception or a condition."""
    GOVERNED = "governed"
    """What stands before or above it denies it or makes it conditional."""
    SUPERSEDED = "superseded"
    """It stands in a part, or a document, that is marked as replaced or out of date."""
    REPEALED = "repealed"
    DRAFT = "draft"
    EXAMPLE = "example"
    """It stands under a heading that says that this is an example."""
    QUOTATION = "quotation"
    """The document quotes these words itself."""


@dataclass(frozen=True, slots=True)
class CitationWarning:
    """Something that should be known of a quote."""

    kind: WarningKind
    words: str
    """The words of the document that say so; empty for a quotation."""


@dataclass(frozen=True, slots=True)
class Citation:
    """The exact words that answer, and where they stand: `text[position] == quote.exact`."""

    role: Role
    document: Source
    text: Extraction
    quote: Quote
    position: Span
    lines: Lines
    pages: tuple[int, ...]
    """Empty for formats without pages."""
    place: Place | None
    """In the file's own units; None where the text is the decoded file and lines say it."""
    heading_path: tuple[str, ...]
    score: float
    parts: tuple[str, ...] = ()
    """The parts of the question that it answers, as worded there; none where it is one question."""
    cells: str = ""
    """For a row of a table its cells under their headers, `Fee: 4.50; Days: 3`; else empty."""
    warnings: tuple[CitationWarning, ...] = ()
    """What should be known of the quote that it does not say; mostly nothing."""


class ConflictKind(StrEnum):
    """In what two answers differ."""

    AMOUNT = "amount"
    NEGATION = "negation"
    """One says that it is so, the other that it is not."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two documents that answer the same differently; the newer first, where their dates are known.

    Both are cited.
    """

    kind: ConflictKind
    newer: Citation
    older: Citation
    newer_date: str
    """As the document gives it, `2026` or `2026-05`; empty where it gives none."""
    older_date: str


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A passage that was looked at; `used` says whether a citation quotes it."""

    rank: int
    score: float
    used: bool
    document: Source
    position: Span
    lines: Lines
    place: Place | None
    """In the file's own units, pages without boxes."""
    heading_path: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class IndexState:
    """Which state of which documents an answer was given from."""

    generation: int
    """Counts the finished index runs that changed something, from 1."""
    fingerprint: str
    """SHA-256 over the sorted paths, file hashes and extractor versions."""


class RefusalReason(StrEnum):
    """Why no answer is given."""

    NOTHING_TO_LOOK_FOR = "nothing_to_look_for"
    """The question holds no word that could be searched for."""
    UNCLEAR = "unclear"
    """The question says "it" or the like, and nothing says what is meant."""
    NOT_FOR_DOCUMENTS = "not_for_documents"
    """It asks for what no document says: what is now, an opinion, a sum, what will be."""
    NOTHING_RELATED = "nothing_related"
    """No passage is about this."""
    NOT_STATED = "not_stated"
    """Passages come near, none says it."""
    STALE = "stale"
    """The words that would answer stand in files that changed or went since they were indexed."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a confidence means and from which on there is an answer, learnt from questions.

    The confidence told is `1 / (1 + exp(-(slope * x + intercept)))`, where x is the log-odds of the
    scorer's.
    """

    name: str
    """Of the file of questions, or `shipped`."""
    sha256: str
    """Of what it was learnt from or is kept in, in hexadecimal."""
    questions: int
    """How many it was learnt from."""
    risk: float
    """The share of wrong answers among those given that the threshold is meant to keep to."""
    holds: bool
    """Whether the questions vouch for that; if not, more is refused, and nothing is promised."""
    threshold: float
    """Below this confidence, as told, the documents are taken not to say."""
    slope: float = 1.0
    intercept: float = 0.0


@dataclass(frozen=True, slots=True)
class RiskLevel:
    """The threshold of one risk, and what was seen on the questions above it."""

    risk: float
    threshold: float
    answered: int
    wrong: int
    holds: bool


@dataclass(frozen=True, slots=True)
class FittedCalibration:
    """What `calibrate` learnt for one scorer: a map of its confidences, and a threshold a risk."""

    scorer: str
    name: str
    sha256: str
    questions: int
    slope: float
    intercept: float
    risk: float
    """Of `levels`, the one that `ask` goes by when it is not told another."""
    assurance: float
    """How sure the levels that hold are: 0.9 means nine such sets of questions in ten."""
    levels: tuple[RiskLevel, ...]
    """By risk, lowest first."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The words that answer, and where they stand. `text` is made of quotes and nothing else."""

    question: str
    text: str
    confidence: float
    """0 to 1; of several parts, of the one that is least sure."""
    citations: tuple[Citation, ...]
    retrieved: tuple[Retrieved, ...]
    index: IndexState
    stale: tuple[str, ...] = ()
    """Paths that changed or went since they were indexed; nothing in them is quoted."""
    scorer: str = ""
    """What chose the sentence: `words/2`, or `close/3`, which has the best read by a model where
    they are English and leaves others to `words/2`."""
    encoder: str = ""
    """Whose vectors helped to find passages; empty where words alone did."""
    unanswered_parts: tuple[str, ...] = ()
    """The parts of the question that the documents do not answer, as it words them."""
    calibration: Calibration | None = None
    """None where confidence and threshold are those of the package."""
    conflicts: tuple[Conflict, ...] = ()
    """Documents cited that contradict each other; mostly none."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """The documents do not say. There are no citations; `retrieved` is near, not an answer."""

    question: str
    text: str
    confidence: float
    """Of the best sentence, 0 to 1; below the threshold, or this would be an answer."""
    reason: RefusalReason
    retrieved: tuple[Retrieved, ...]
    index: IndexState
    missing: tuple[str, ...] = ()
    """Words of the question that the nearest passages do not have."""
    explanation: str = ""
    """The reason in a sentence."""
    advice: str = ""
    """What to do next, in a sentence."""
    stale: tuple[str, ...] = ()
    scorer: str = ""
    encoder: str = ""
    calibration: Calibration | None = None


@dataclass(frozen=True, slots=True)
class Basis:
    """What an answer hangs on besides how it was asked: while this is so, it is the answer."""

    index: IndexState
    encoder: str
    """Whose vectors there are of every passage; empty while some have none."""
    looked_at: tuple[str, ...]
    """Paths of the documents whose files were looked at, sorted."""
    changed: tuple[str, ...]
    """Of those, the ones that had changed or gone since they were indexed."""


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
