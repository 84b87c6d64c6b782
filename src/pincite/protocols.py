"""The seams: what the engine needs of its parts, so that each can be replaced.

A part is chosen where the parts are put together (`index.py`); nothing else names one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from pincite.explanations import Contribution
from pincite.places import Place
from pincite.records import (
    CorpusStatistics,
    Extraction,
    IndexState,
    Lines,
    Passage,
    Progress,
    Source,
    Span,
    TermFrequencies,
)


@dataclass(frozen=True, slots=True)
class FieldTerms:
    """The search terms of one passage, by field, in order, repeats kept."""

    title: Sequence[str]
    headings: Sequence[str]
    body: Sequence[str]


class LexicalEngine(Protocol):
    """Proposes passages that share terms with a question; the catalogue ranks them exactly.

    Keys are the catalogue's passage keys. What is written is seen by `candidates` after
    `commit`. An engine is derived data: it may be thrown away and filled again at any time.
    """

    def upsert(self, entries: Iterable[tuple[int, int, FieldTerms]]) -> None:
        """Add passages, given as (passage key, document key, terms); replaces equal keys."""

    def delete(self, keys: Iterable[int]) -> None:
        """Remove passages; unknown keys are ignored."""

    def commit(self) -> None:
        """Make everything written so far durable and visible."""

    def candidates(
        self, terms: Sequence[str], *, limit: int, document_key: int | None = None
    ) -> tuple[list[int], list[int]]:
        """Keys of the `limit` passages that fit best, of those with any of `terms`.

        Given as those that certainly belong, and those that fit equally well and share the last
        places. The second list may be longer than there are places: who goes first among equals
        is for the catalogue to say, which knows the reading order. Order carries no meaning.
        """

    def passage_count(self) -> int:
        """Number of passages held, for checking against the catalogue."""


VECTOR_LENGTH = 384
"""Numbers in a vector."""
VECTOR_UNIT = 512
"""What 1 is in the whole numbers, from -127 to 127, that a vector is kept as.

A text's vector has length 1, so the inner product of two is their cosine times the square of this.
"""


class TextEncoder(Protocol):
    """A model that gives texts vectors: near each other where they say something alike."""

    name: str
    """Told in every answer that it helped to find; changes with whatever changes a vector."""

    def encode_packed(self, texts: Sequence[str]) -> list[bytes]:
        """For each text `VECTOR_LENGTH` signed bytes, which depend on that text only."""


class Corpus(Protocol):
    """One finished generation of an index, read-only: what retrieval and citing look into.

    A corpus is a snapshot: it does not change while it is held, whatever a writer does.
    """

    def state(self) -> IndexState:
        """The generation and fingerprint of this snapshot."""

    def statistics(self) -> CorpusStatistics:
        """Counts and mean lengths over all passages."""

    def document_frequencies(self, terms: Sequence[str]) -> dict[str, int]:
        """In how many passages each term occurs (any field); 0 for unknown terms."""

    def candidates(
        self, terms: Sequence[str], *, limit: int, document: str | None = None
    ) -> list[int]:
        """Keys of up to `limit` passages with any of the terms; `document` is a path."""

    def term_frequencies(self, keys: Sequence[int], terms: Sequence[str]) -> TermFrequencies:
        """Counts of `terms` in the passages `keys`, in the given orders."""

    def locations(self, keys: Sequence[int]) -> list[tuple[str, int, str]]:
        """(path, ordinal, language) of each passage: its place in reading order."""

    def encoder(self) -> str:
        """What gave every passage its vector; empty while some have none."""

    def nearness(
        self, vector: bytes, *, limit: int, keys: Sequence[int], document: str | None = None
    ) -> dict[int, int]:
        """Inner products of `vector` with those of the `limit` nearest passages and of `keys`.

        By passage key. Only passages nearer than 0 are among the nearest; of equally near ones
        those first in reading order are taken. Nothing where `encoder` is empty.
        """

    def passages(self, keys: Sequence[int]) -> list[Passage]:
        """The passages, in the order of `keys`."""

    def passages_of(
        self, path: str, *, span: Span | None = None, lines: Lines | None = None
    ) -> list[Passage]:
        """The passages of a document in reading order; those that may touch `span` or `lines`."""

    def place(self, path: str, span: Span) -> Place | None:
        """Where the file at `path` has these words, in its own units; None where lines say it."""

    def paths(self) -> Sequence[str]:
        """Of all documents, sorted."""

    def source(self, path: str) -> tuple[Source, Extraction] | None:
        """What is known of a document, `None` if the snapshot has none at this path."""

    def changed_since_indexed(self, paths: Iterable[str]) -> list[str]:
        """Those paths whose files are gone or no longer hold what was indexed, sorted."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may answer, in its context."""

    passage: Passage
    passage_rank: int
    """From 0, by retrieval score."""
    passage_score: float
    sentence_index: int
    """Into `passage.sentences`."""


@dataclass(frozen=True, slots=True)
class Query:
    """A question as the engine works on it."""

    text: str
    """As asked."""
    terms: Mapping[str, tuple[str, ...]]
    """By language of the corpus: the terms to look for in passages of that language."""
    weights: Mapping[str, float]
    """Of every term: inverse document frequency, lower for words taken from earlier turns."""
    expects: frozenset[str] = frozenset()
    """Answer types asked for (`answering.answer_types`), empty when the question names none."""


@dataclass(frozen=True, slots=True)
class ScoredCandidate:
    """A candidate, its score for ranking, and the probability that it answers."""

    candidate: Candidate
    score: float
    confidence: float
    threshold: float | None = None
    """Below which confidence it is refused, where a scorer left the judging to another one."""


class PairReader(Protocol):
    """A model that reads a question and a text together."""

    def read(self, question: str, texts: Sequence[str]) -> list[float]:
        """For each text the log-odds that it answers; a number depends on its own text only."""


class Scorer(Protocol):
    """Chooses among sentences; the part that will be replaced by better ones, behind one call."""

    name: str
    """Told in every answer; changes with whatever changes a score."""
    threshold: float
    """Below this confidence the documents are taken not to say."""

    def score(
        self, query: Query, candidates: Sequence[Candidate], corpus: Corpus
    ) -> list[ScoredCandidate]:
        """Score every candidate, in the given order; the same input gives the same bytes."""


@dataclass(frozen=True, slots=True)
class Reasons:
    """What a scorer weighed; the amounts add up to the score, or to the log-odds."""

    scores: Sequence[tuple[Contribution, ...]]
    """Of each candidate, in the given order."""
    confidence: tuple[Contribution, ...]
    """Of the confidence of the best."""


@runtime_checkable
class ExplainingScorer(Protocol):
    """A scorer that can say why."""

    def reasons(self, query: Query, candidates: Sequence[Candidate], corpus: Corpus) -> Reasons:
        """What `score` weighed for the same arguments."""


EncodingCallback = Callable[[int, int], None]
"""Called with how many passages have their vector, of how many."""
ProgressCallback = Callable[[Progress], None]
"""Called while indexing, before each file and after the last."""
