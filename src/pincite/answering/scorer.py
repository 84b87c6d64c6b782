"""Scores sentences as answers with a linear model whose parameters can be read.

`parameters.json` holds one weight a feature for ranking, and a logistic regression that turns
the evidence into a confidence from 0 to 1. Both are fitted by `training/fit_scorer.py`, and the
confidence is made the share of right answers by `training/fit_risk.py`; `training/README.md` and
docs/decisions/0025-calibration.md say on what.
"""

from __future__ import annotations

import functools
import json
import math
import operator
import pkgutil
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.answering.features import FEATURE_NAMES, QuestionReader
from pincite.explanations import Contribution
from pincite.protocols import Candidate, Corpus, Query, Reasons, ScoredCandidate

CONFIDENCE_FEATURE_NAMES = (
    "best_evidence",
    "best_passage_match",
    "type_missing",
    "name_missing",
    "number_mismatch",
    "name_mismatch",
    "code_missing",
    "asked_not",
    "heading",
    "asks",
    "label",
    "leads_in",
    "very_short",
    "corpus_size",
    "no_background",
    "unspaced",
)
"""The first two are the best of all candidates: what the documents have, whoever won; the last
three say in how large a corpus (by chance, more is met in more passages) and in what kind of
language. The rest are the winner's own."""

_EVIDENCE = {
    "covered": 1.0,
    "covered_by_neighbours": 0.4,
    "covered_by_headings": 0.6,
    "covered_by_passage": 0.2,
    "rarest_missing": -0.2,
}
_WITH_BACKGROUND = frozenset({"en"})
_UNSPACED = frozenset({"ja", "ko", "th", "zh"})
_COLUMNS = {name: column for column, name in enumerate(FEATURE_NAMES)}
SMALLEST_CORPUS = 100
"""Passages; no smaller corpus was fitted on, and what holds for larger ones is not drawn on."""
DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Parameters:
    """Weights in the order of `FEATURE_NAMES` and `CONFIDENCE_FEATURE_NAMES`."""

    ranking: tuple[float, ...]
    confidence: tuple[float, ...]
    intercept: float


@functools.cache
def shipped_parameters() -> Parameters:
    """The parameters in the package; ValueError where they do not fit the features."""
    # `importlib.resources` would take longer to load than all that is read here.
    raw = json.loads(pkgutil.get_data("pincite.answering", "parameters.json") or b"")
    fitted = (tuple(raw["ranking"]), tuple(raw["confidence"]))
    if fitted != (FEATURE_NAMES, CONFIDENCE_FEATURE_NAMES):
        raise ValueError(
            "parameters.json was fitted for other features: run training/fit_scorer.py"
        )
    return Parameters(
        tuple(raw["ranking"].values()), tuple(raw["confidence"].values()), raw["intercept"]
    )


def confidence_features(
    rows: Sequence[Sequence[float]], winner: int, language: str, passage_count: int
) -> list[float]:
    """The values of `CONFIDENCE_FEATURE_NAMES`, from the features of all candidates."""
    evidence = max(
        math.fsum(weight * row[_COLUMNS[name]] for name, weight in _EVIDENCE.items())
        for row in rows
    )
    match = max(row[_COLUMNS["passage_match"]] for row in rows)
    own = [rows[winner][_COLUMNS[name]] for name in CONFIDENCE_FEATURE_NAMES[2:-3]]
    return [
        evidence,
        match,
        *own,
        math.log10(max(SMALLEST_CORPUS, passage_count)),
        float(language not in _WITH_BACKGROUND),
        float(language in _UNSPACED),
    ]


def weighted_sum(row: Sequence[float], weights: Sequence[float]) -> float:
    """Summed in the order of the features, so that the bytes do not depend on the machine."""
    return math.fsum(map(operator.mul, row, weights))


def feature_rows(
    query: Query, candidates: Sequence[Candidate], corpus: Corpus
) -> list[list[float]]:
    """The features of every candidate, in the order of `FEATURE_NAMES`."""
    paths = sorted({candidate.passage.path for candidate in candidates})
    known = ((path, corpus.source(path)) for path in paths)
    titles = {path: found[0].title for path, found in known if found is not None}
    return QuestionReader(query, titles).features(candidates)


class LinearScorer:
    """Judges sentences by their words alone; holds its parameters."""

    name = "words/2"
    threshold = 0.3633

    def __init__(self, parameters: Parameters | None = None) -> None:
        self._parameters = parameters or shipped_parameters()

    def score(
        self, query: Query, candidates: Sequence[Candidate], corpus: Corpus
    ) -> list[ScoredCandidate]:
        """Score every candidate, in the given order; higher is better."""
        rows = feature_rows(query, candidates, corpus)
        scores = self.ranking(rows)
        best = max(scores, default=0.0)
        passage_count = corpus.statistics().passage_count
        return [
            ScoredCandidate(
                candidate,
                scores[i],
                # Only the winner can become an answer; a probability for the rest would mislead.
                self._confidence(rows, i, candidate.passage.language, passage_count)
                if scores[i] == best
                else 0.0,
            )
            for i, candidate in enumerate(candidates)
        ]

    def reasons(self, query: Query, candidates: Sequence[Candidate], corpus: Corpus) -> Reasons:
        """The features of each candidate with their weights, and those of the confidence."""
        rows = feature_rows(query, candidates, corpus)
        scores = self.ranking(rows)
        winner = scores.index(max(scores))
        language = candidates[winner].passage.language
        values = confidence_features(rows, winner, language, corpus.statistics().passage_count)
        return weighed(FEATURE_NAMES, rows, CONFIDENCE_FEATURE_NAMES, values, self._parameters)

    def ranking(self, rows: Sequence[Sequence[float]]) -> list[float]:
        """The score of each row of features."""
        return [round(weighted_sum(row, self._parameters.ranking), DECIMALS) for row in rows]

    def _confidence(
        self, rows: Sequence[Sequence[float]], winner: int, language: str, passage_count: int
    ) -> float:
        values = confidence_features(rows, winner, language, passage_count)
        return share_of(weighted_sum(values, self._parameters.confidence), self._parameters)


def share_of(evidence: float, parameters: Parameters) -> float:
    """The logistic function of the evidence and the intercept, rounded."""
    logit = evidence + parameters.intercept
    return round(1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, logit)))), DECIMALS)


def weighed(
    ranking_names: Sequence[str],
    rows: Sequence[Sequence[float]],
    confidence_names: Sequence[str],
    values: Sequence[float],
    parameters: Parameters,
) -> Reasons:
    """Names, values and weights, of every candidate's score and of the winner's confidence."""
    always = Contribution("always", 1.0, parameters.intercept)
    return Reasons(
        [tuple(map(Contribution, ranking_names, row, parameters.ranking)) for row in rows],
        (*map(Contribution, confidence_names, values, parameters.confidence), always),
    )
