"""Reads the sentences that words put first once more, each together with the question.

Words choose among hundreds of sentences; a small model that was trained to tell which sentences
answer reads the best of them. What both say is weighed in `close_parameters.json`, fitted by
`training/fit_close.py` on questions that the model was not trained with.
"""

from __future__ import annotations

import functools
import json
import math
import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import resources

from pincite.answering.scorer import LinearScorer
from pincite.protocols import Candidate, Corpus, PairReader, Query, ScoredCandidate
from pincite.records import BlockKind, Passage, Sentence

READ = 12
"""Sentences read of each question."""
READABLE = frozenset({"en", "und"})
"""Languages the model was trained on; sentences in others are judged by their words."""
CONFIDENCE_NAMES = ("words", "best_reading", "own_reading", "lead", "read_share")
DECIMALS = 6

WORDS_LENGTH = 600
"""Code points of a sentence that are read; a longer one is read from its beginning."""
BEFORE_LENGTH = 100
"""Code points of what stands before it."""
_HEADINGS = 2

_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_MARKUP = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}|\\(?=[!-/:-@\[-`{-~])")
_CELL = re.compile(r"(?<!\\)\|")


def words_of(candidate: Candidate) -> str:
    """The words of the sentence on one line, without markup; a table row with its headers."""
    passage = candidate.passage
    sentence = passage.sentences[candidate.sentence_index]
    words = _text(passage, sentence)
    if sentence.kind is BlockKind.TABLE_ROW:
        words = _with_headers(passage, candidate.sentence_index, words)
    return _plain(words)[:WORDS_LENGTH]


def context_of(candidate: Candidate, title: str) -> str:
    """Where it stands: title, the last headings, and the end of the sentence before it."""
    passage = candidate.passage
    names = [title, *passage.heading_path[-_HEADINGS:]]
    kept = [name for place, name in enumerate(names) if name and name not in names[:place]]
    before = _before(passage, candidate.sentence_index)
    where = " > ".join(kept)
    return f"{where} | {before}" if before else where


def _before(passage: Passage, index: int) -> str:
    """The end of the sentence before, or of the line that leads in the list or table."""
    kind = passage.sentences[index].kind
    step = index - 1
    if kind in (BlockKind.LIST_ITEM, BlockKind.TABLE_ROW):
        while step >= 0 and passage.sentences[step].kind in (
            kind,
            BlockKind.TABLE_HEADER,
            BlockKind.MARKUP,
        ):
            step -= 1
    while step >= 0 and passage.sentences[step].kind is BlockKind.MARKUP:
        step -= 1
    if step < 0 or passage.sentences[step].kind is BlockKind.HEADING:
        return ""
    words = _plain(_text(passage, passage.sentences[step]))
    return words if len(words) <= BEFORE_LENGTH else words[-BEFORE_LENGTH:].partition(" ")[2]


def _with_headers(passage: Passage, index: int, row: str) -> str:
    """`Fee: 4.50; Days: 3` for a row of cells under a header row, else the row as it stands."""
    header = next(
        (
            passage.sentences[i]
            for i in range(index - 1, -1, -1)
            if passage.sentences[i].kind is BlockKind.TABLE_HEADER
        ),
        None,
    )
    if header is None or "|" not in row:
        return row
    names = [name.strip() for name in _CELL.split(_text(passage, header).strip().strip("|"))]
    cells = [cell.strip() for cell in _CELL.split(row.strip().strip("|"))]
    if len(names) != len(cells):
        return row
    pairs = zip(names, cells, strict=True)
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)


def _text(passage: Passage, sentence: Sentence) -> str:
    start = passage.span.start
    return passage.text[sentence.quote.start - start : sentence.quote.end - start]


def _plain(words: str) -> str:
    words = _LINK.sub(r"\1", _TAG.sub(" ", words))
    return " ".join(_MARKUP.sub("", words).split())


@dataclass(frozen=True, slots=True)
class CloseParameters:
    """How what the words say and what the model says are weighed."""

    words: float
    reading: float
    confidence: tuple[float, ...]
    """In the order of `CONFIDENCE_NAMES`."""
    intercept: float


@functools.cache
def shipped_close_parameters() -> CloseParameters:
    """The parameters in the package."""
    raw = json.loads(
        resources.files("pincite.answering").joinpath("close_parameters.json").read_text("utf-8")
    )
    return CloseParameters(
        raw["words"],
        raw["reading"],
        tuple(raw["confidence"][name] for name in CONFIDENCE_NAMES),
        raw["intercept"],
    )


class CloseScorer:
    """A `Scorer` that has the best sentences read by a model; holds both."""

    name = "close/1"
    threshold = 0.28

    def __init__(
        self,
        reader: PairReader,
        *,
        linear: LinearScorer | None = None,
        parameters: CloseParameters | None = None,
    ) -> None:
        self._reader = reader
        self._linear = linear or LinearScorer()
        self._parameters = parameters or shipped_close_parameters()

    def score(
        self, query: Query, candidates: Sequence[Candidate], corpus: Corpus
    ) -> list[ScoredCandidate]:
        """Score every candidate, in the given order; those not read come after those read."""
        by_words = self._linear.score(query, candidates, corpus)
        chosen = chosen_to_read(by_words)
        if not chosen:
            return by_words
        titles = titles_of(candidates, corpus)
        readings = self._reader.read(query.text, [pair_text(candidates[i], titles) for i in chosen])
        return combined(by_words, dict(zip(chosen, readings, strict=True)), self._parameters)


def titles_of(candidates: Sequence[Candidate], corpus: Corpus) -> dict[str, str]:
    """The title of each document that a candidate is from."""
    paths = sorted({candidate.passage.path for candidate in candidates})
    known = ((path, corpus.source(path)) for path in paths)
    return {path: found[0].title for path, found in known if found is not None}


def chosen_to_read(by_words: Sequence[ScoredCandidate]) -> list[int]:
    """Which candidates are read: the best by their words, none where those cannot be read."""

    def order(number: int) -> tuple[float, str, int]:
        candidate = by_words[number].candidate
        sentence = candidate.passage.sentences[candidate.sentence_index]
        return -by_words[number].score, candidate.passage.path, sentence.start

    chosen = sorted(range(len(by_words)), key=order)[:READ]
    if any(by_words[i].candidate.passage.language not in READABLE for i in chosen):
        return []
    return sorted(chosen)


def pair_text(candidate: Candidate, titles: dict[str, str]) -> str:
    """What is read of a candidate: its words, then where they stand."""
    title = titles.get(candidate.passage.path, "")
    return f"{words_of(candidate)} | {context_of(candidate, title)}"


def combined(
    by_words: Sequence[ScoredCandidate], readings: dict[int, float], parameters: CloseParameters
) -> list[ScoredCandidate]:
    """The scores from words and readings; only the winner has a confidence."""
    floor = min(readings.values()) - 2.0
    scores = [
        round(
            parameters.words * one.score + parameters.reading * readings.get(number, floor),
            DECIMALS,
        )
        for number, one in enumerate(by_words)
    ]
    best = max(scores)
    words = max(one.confidence for one in by_words)
    found = []
    for number, one in enumerate(by_words):
        confidence = 0.0
        if scores[number] == best:
            values = close_confidence_values(words, readings, number, scores)
            logit = math.fsum(map(operator.mul, values, parameters.confidence))
            logit = max(-30.0, min(30.0, logit + parameters.intercept))
            confidence = round(1.0 / (1.0 + math.exp(-logit)), DECIMALS)
        found.append(replace(one, score=scores[number], confidence=confidence))
    return found


def close_confidence_values(
    words: float, readings: dict[int, float], winner: int, scores: Sequence[float]
) -> list[float]:
    """The values of `CONFIDENCE_NAMES`: `words` is the confidence that words alone give."""
    others = [score for number, score in enumerate(scores) if number != winner]
    lead = min(5.0, scores[winner] - max(others)) if others else 5.0
    clear = sum(1.0 / (1.0 + math.exp(-value)) for value in readings.values())
    return [
        _log_odds(words),
        max(readings.values()),
        readings.get(winner, min(readings.values()) - 2.0),
        lead,
        math.log1p(clear),
    ]


def _log_odds(share: float) -> float:
    kept = min(max(share, 1e-4), 1 - 1e-4)
    return math.log(kept / (1 - kept))
