"""What is asked, and what comes of it: answers and refusals with all they rest on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pincite.places import Place
from pincite.records.documents import Extraction, Lines, Source, Span


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
    """What chose the sentence: `words/2`, or `close/4`, which has the best read by a model where
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
