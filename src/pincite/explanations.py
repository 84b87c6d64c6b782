"""How an answer came about, as records; `pincite.explaining` makes them."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.places import Place
from pincite.records import Answer, Lines, Refusal, Span


@dataclass(frozen=True, slots=True)
class Contribution:
    """Something that was weighed: a named value, and what one of it counts."""

    name: str
    value: float
    weight: float

    @property
    def amount(self) -> float:
        """What it adds: the value times its weight."""
        return self.value * self.weight


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A term that was looked for."""

    term: str
    weight: float
    passages: int
    """How many have it."""
    languages: tuple[str, ...]
    """Of the documents in whose language it is a term."""


@dataclass(frozen=True, slots=True)
class ExplainedPassage:
    """A passage that was read, and how it came to its rank."""

    rank: int
    score: float
    ranks: tuple[tuple[str, int], ...]
    """By each way of finding passages that speaks for it: its rank there among those read."""
    used: bool
    """Whether it is quoted."""
    path: str
    position: Span
    lines: Lines
    heading_path: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class ExplainedSentence:
    """One of the best sentences, and what spoke for and against it."""

    path: str
    position: Span
    lines: Lines
    place: Place | None
    text: str
    passage_rank: int
    score: float
    reasons: tuple[Contribution, ...]
    """The weightiest, for or against; none where the scorer does not say why."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """How an answer, or a refusal, came about."""

    answer: Answer | Refusal
    terms: tuple[QueryTerm, ...]
    """The weightiest first."""
    expects: tuple[str, ...]
    """Kinds of answer that the question asks for (`number`, `date`, ...); often none."""
    passages: tuple[ExplainedPassage, ...]
    sentences: tuple[ExplainedSentence, ...]
    """The best first."""
    lead: tuple[Contribution, ...]
    """What the best has over the next: differences of values, the weightiest first."""
    confidence: tuple[Contribution, ...]
    """What made the confidence of the best, in log-odds, before any calibration."""
    best_confidence: float
    """As told."""
    threshold: float
    """Below this confidence there is no answer."""
