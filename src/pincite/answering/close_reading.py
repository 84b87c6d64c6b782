"""Reads the sentences that words put first once more, each together with the question.

Words choose among hundreds of sentences; a small model that was trained to tell which sentences
answer reads the best of them. What both say is weighed in `close_parameters.json`, fitted by
`training/fit_close.py` on questions that the model was not trained with.
"""

from __future__ import annotations

import functools
import json
import math
import pkgutil
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pincite.answering.features import FEATURE_NAMES
from pincite.answering.scorer import (
    CONFIDENCE_FEATURE_NAMES,
    DECIMALS,
    LinearScorer,
    Parameters,
    confidence_features,
    feature_rows,
    share_of,
    weighed,
    weighted_sum,
)
from pincite.protocols import Candidate, Corpus, PairReader, Query, Reasons, ScoredCandidate
from pincite.records import BlockKind, Passage, Sentence
from pincite.text.rows import with_headers

READ = 8
"""Sentences read of each question, at most."""
ALWAYS_READ = 3
HOPELESS = 4.5
"""How far by words a sentence may be behind the best and still be read, after the first few: none
of 1,200 held-out questions is answered worse for it, and a fifth of the reading is saved. At 3.5 a
third is saved, and clapnq loses a right answer in a hundred to refusals."""
READABLE = frozenset({"en", "und"})
"""Languages the model was trained on; sentences in others are judged by their words."""
RANKING_NAMES = (*FEATURE_NAMES, "reading")
CLOSE_CONFIDENCE_NAMES = (
    *CONFIDENCE_FEATURE_NAMES,
    "best_reading",
    "own_reading",
    "lead",
    "read_well",
)
"""The last say how well the best and the winner read, how far the winner is ahead, and how many
read well: many do where the question is about what the documents are about."""
UNREAD = -2.0
"""Added to the worst reading for a sentence that is not read."""

WORDS_LENGTH = 600
"""Code points of a sentence that are read; a longer one is read from its beginning."""
BEFORE_LENGTH = 100
"""Code points of what stands before it."""
_HEADINGS = 2

_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_MARKUP = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}|\\(?=[!-/:-@\[-`{-~])")


def words_of(candidate: Candidate) -> str:
    """The words of the sentence on one line, without markup; a table row with its headers."""
    passage = candidate.passage
    sentence = passage.sentences[candidate.sentence_index]
    words = _text(passage, sentence)
    if sentence.kind is BlockKind.TABLE_ROW:
        words = with_headers(passage, candidate.sentence_index, words)
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


def _text(passage: Passage, sentence: Sentence) -> str:
    start = passage.span.start
    return passage.text[sentence.quote.start - start : sentence.quote.end - start]


def _plain(words: str) -> str:
    words = _LINK.sub(r"\1", _TAG.sub(" ", words))
    return " ".join(_MARKUP.sub("", words).split())


@functools.cache
def shipped_close_parameters() -> Parameters:
    """The parameters in the package; ValueError where they do not fit the features."""
    raw = json.loads(pkgutil.get_data("pincite.answering", "close_parameters.json") or b"")
    fitted = (tuple(raw["ranking"]), tuple(raw["confidence"]))
    if fitted != (RANKING_NAMES, CLOSE_CONFIDENCE_NAMES):
        raise ValueError(
            "close_parameters.json was fitted for other features: run training/fit_close.py"
        )
    return Parameters(
        tuple(raw["ranking"].values()), tuple(raw["confidence"].values()), raw["intercept"]
    )


class CloseScorer:
    """A `Scorer` that has the best sentences read by a model; holds both.

    With `every_one`, all sentences are read and not only those that are best by their words.
    """

    name = "close/4"
    threshold = 0.32

    def __init__(
        self,
        reader: PairReader,
        *,
        linear: LinearScorer | None = None,
        parameters: Parameters | None = None,
        every_one: bool = False,
    ) -> None:
        self._reader = reader
        self._every_one = every_one
        self._linear = linear or LinearScorer()
        self._parameters = parameters or shipped_close_parameters()

    def score(
        self, query: Query, candidates: Sequence[Candidate], corpus: Corpus
    ) -> list[ScoredCandidate]:
        """Score every candidate, in the given order."""
        rows = feature_rows(query, candidates, corpus)
        readings = self._readings(query, candidates, corpus, rows)
        if not readings:
            # How sure words have to be is another matter than how sure a reading has to be.
            judged = self._linear.score(query, candidates, corpus)
            return [replace(one, threshold=self._linear.threshold) for one in judged]
        scores = close_scores(rows, readings, self._parameters.ranking)
        best = max(scores)
        passage_count = corpus.statistics().passage_count
        scored = []
        for number, candidate in enumerate(candidates):
            confidence = 0.0
            # Only the winner can become an answer; a probability for the rest would mislead.
            if scores[number] == best:
                language = candidate.passage.language
                values = confidence_features(rows, number, language, passage_count)
                values += reading_features(readings, number, scores)
                evidence = weighted_sum(values, self._parameters.confidence)
                confidence = share_of(evidence, self._parameters)
            scored.append(ScoredCandidate(candidate, scores[number], confidence))
        return scored

    def reasons(self, query: Query, candidates: Sequence[Candidate], corpus: Corpus) -> Reasons:
        """The features of each candidate and its reading, and those of the confidence."""
        rows = feature_rows(query, candidates, corpus)
        readings = self._readings(query, candidates, corpus, rows)
        if not readings:
            return self._linear.reasons(query, candidates, corpus)
        scores = close_scores(rows, readings, self._parameters.ranking)
        winner = scores.index(max(scores))
        language = candidates[winner].passage.language
        values = confidence_features(rows, winner, language, corpus.statistics().passage_count)
        return weighed(
            RANKING_NAMES,
            with_readings(rows, readings),
            CLOSE_CONFIDENCE_NAMES,
            [*values, *reading_features(readings, winner, scores)],
            self._parameters,
        )

    def _readings(
        self,
        query: Query,
        candidates: Sequence[Candidate],
        corpus: Corpus,
        rows: Sequence[Sequence[float]],
    ) -> dict[int, float]:
        """What the candidates that are read are read as, by their numbers; often none."""
        chosen = chosen_to_read(candidates, self._linear.ranking(rows), every_one=self._every_one)
        if not chosen:
            return {}
        titles = titles_of(candidates, corpus)
        read = self._reader.read(query.text, [pair_text(candidates[i], titles) for i in chosen])
        return dict(zip(chosen, read, strict=True))


def titles_of(candidates: Sequence[Candidate], corpus: Corpus) -> dict[str, str]:
    """The title of each document that a candidate is from."""
    paths = sorted({candidate.passage.path for candidate in candidates})
    known = ((path, corpus.source(path)) for path in paths)
    return {path: found[0].title for path, found in known if found is not None}


def chosen_to_read(
    candidates: Sequence[Candidate], by_words: Sequence[float], *, every_one: bool = False
) -> list[int]:
    """Which candidates are read: the best by their words, none where one of them cannot be."""

    def order(number: int) -> tuple[float, str, int]:
        candidate = candidates[number]
        sentence = candidate.passage.sentences[candidate.sentence_index]
        return -by_words[number], candidate.passage.path, sentence.start

    chosen = sorted(range(len(candidates)), key=order)
    if not every_one:
        chosen = [
            number
            for place, number in enumerate(chosen[:READ])
            if place < ALWAYS_READ or by_words[chosen[0]] - by_words[number] <= HOPELESS
        ]
    if any(candidates[i].passage.language not in READABLE for i in chosen):
        return []
    return sorted(chosen)


def pair_text(candidate: Candidate, titles: dict[str, str]) -> str:
    """What is read of a candidate: its words, then where they stand."""
    title = titles.get(candidate.passage.path, "")
    return f"{words_of(candidate)} | {context_of(candidate, title)}"


def with_readings(
    rows: Sequence[Sequence[float]], readings: Mapping[int, float]
) -> list[list[float]]:
    """The values of `RANKING_NAMES`: the features, and the reading last."""
    unread = min(readings.values()) + UNREAD
    return [[*row, readings.get(number, unread)] for number, row in enumerate(rows)]


def close_scores(
    rows: Sequence[Sequence[float]], readings: Mapping[int, float], weights: Sequence[float]
) -> list[float]:
    """The score of each candidate by its features and its reading."""
    return [round(weighted_sum(row, weights), DECIMALS) for row in with_readings(rows, readings)]


def reading_features(
    readings: Mapping[int, float], winner: int, scores: Sequence[float]
) -> list[float]:
    """What `CLOSE_CONFIDENCE_NAMES` adds to the features of the words."""
    others = [score for number, score in enumerate(scores) if number != winner]
    lead = min(5.0, scores[winner] - max(others)) if others else 5.0
    well = math.fsum(1.0 / (1.0 + math.exp(-value)) for value in readings.values())
    return [
        max(readings.values()),
        readings.get(winner, min(readings.values()) + UNREAD),
        lead,
        math.log1p(well),
    ]
