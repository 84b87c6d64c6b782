"""Scores sentences as answers with a linear model whose parameters can be read.

`parameters.json` holds one weight a feature for ranking, and a logistic regression that turns
the winner's features into the probability that it answers. Both are fitted by
`training/fit_scorer.py`; the model card beside the file says on what.
"""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from pincite.answering.features import FEATURE_NAMES, QuestionReader
from pincite.protocols import Candidate, Corpus, Query, ScoredCandidate

LIST_FEATURE_NAMES = ("score", "margin", "term_count", "question_weight", "mean_weight")
DECIMALS = 6


@dataclass(frozen=True, slots=True)
class Parameters:
    """Weights in the order of `FEATURE_NAMES`, then (confidence only) `LIST_FEATURE_NAMES`."""

    ranking: tuple[float, ...]
    confidence: tuple[float, ...]
    intercept: float


@functools.cache
def shipped_parameters() -> Parameters:
    """The parameters in the package; ValueError where they do not fit the features."""
    raw = json.loads(
        resources.files("pincite.answering").joinpath("parameters.json").read_text("utf-8")
    )
    wanted = [*FEATURE_NAMES, *LIST_FEATURE_NAMES]
    if list(raw["ranking"]) != list(FEATURE_NAMES) or list(raw["confidence"]) != wanted:
        raise ValueError(
            "parameters.json was fitted for other features: run training/fit_scorer.py"
        )
    return Parameters(
        tuple(raw["ranking"].values()), tuple(raw["confidence"].values()), raw["intercept"]
    )


def feature_matrix(
    query: Query, candidates: Sequence[Candidate], titles: dict[str, str]
) -> NDArray[np.float64]:
    """One row a candidate, one column a feature of `FEATURE_NAMES`."""
    rows = QuestionReader(query, titles).features(candidates)
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(FEATURE_NAMES))


def list_features(query: Query, scores: Sequence[float], index: int) -> list[float]:
    """The values of `LIST_FEATURE_NAMES` for the candidate at `index`."""
    others = [score for i, score in enumerate(scores) if i != index]
    margin = scores[index] - max(others) if others else 1.0
    weights = list(query.weights.values())
    total = sum(weights)
    return [
        scores[index],
        min(margin, 3.0),
        math.log1p(len(weights)),
        math.log1p(total),
        total / len(weights) if weights else 0.0,
    ]


def weighted_sum(row: Sequence[float], weights: Sequence[float]) -> float:
    """Summed in the order of the features, so that the bytes do not depend on the machine."""
    return math.fsum(value * weight for value, weight in zip(row, weights, strict=True))


class LinearScorer:
    """The shipped scorer; holds its parameters."""

    def __init__(self, parameters: Parameters | None = None) -> None:
        self._parameters = parameters or shipped_parameters()

    def score(
        self, query: Query, candidates: Sequence[Candidate], corpus: Corpus
    ) -> list[ScoredCandidate]:
        """Score every candidate, in the given order; higher is better."""
        paths = sorted({candidate.passage.path for candidate in candidates})
        known = ((path, corpus.source(path)) for path in paths)
        titles = {path: found[0].title for path, found in known if found is not None}
        rows = feature_matrix(query, candidates, titles).tolist()
        scores = [round(weighted_sum(row, self._parameters.ranking), DECIMALS) for row in rows]
        best = max(scores, default=0.0)
        return [
            ScoredCandidate(
                candidate,
                scores[i],
                # Only the winner can become an answer; a probability for the rest would mislead.
                self._confidence(query, row, scores, i) if scores[i] == best else 0.0,
            )
            for i, (candidate, row) in enumerate(zip(candidates, rows, strict=True))
        ]

    def _confidence(
        self, query: Query, row: Sequence[float], scores: Sequence[float], index: int
    ) -> float:
        values = [*row, *list_features(query, scores, index)]
        logit = weighted_sum(values, self._parameters.confidence) + self._parameters.intercept
        return round(1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, logit)))), DECIMALS)
