"""What questions with known answers teach: what a confidence means, and when to refuse.

Two things are learnt, from as few as `FEWEST` questions:

* A map from the scorer's confidence to the probability that the quote answers: a logistic
  regression on the log-odds (Platt, Probabilistic Outputs for Support Vector Machines, 1999), whose
  slope and intercept are held to those of the package, 1 and 0, the more the fewer questions there
  are. Isotonic regression, with as many parameters as it likes, was worse with so few:
  docs/decisions/0025-calibration.md.
* A threshold above which the share of wrong answers is at most a given risk, by Learn then Test
  (Angelopoulos, Bates, Candès, Jordan, Lei, Learn then Test: Calibrating Predictive Algorithms to
  Achieve Risk Control, 2021, arXiv 2110.01052), with exact binomial tests in fixed sequences. With
  an assurance of 0.9, at most one such set of questions in ten leads to a threshold that does not
  keep to the risk, on questions of the same kind about the same documents.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.answering.calibration import log_odds, mapped
from pincite.evaluation.statistics import RiskPoint, binomial_tail, risk_curve
from pincite.records import FittedCalibration, RiskLevel

FEWEST = 50
"""Questions; with fewer, what is seen is mostly chance."""
ASSURANCE = 0.9
RISKS = (0.05, 0.10, 0.20)
"""Learnt besides the one asked for, so that they can be asked for later."""
_SLOPE_SPREAD = 0.5
_INTERCEPT_SPREAD = 1.0
_LEAST_SLOPE = 0.05
_STEPS = 50


@dataclass(frozen=True, slots=True)
class Judged:
    """One question: how sure the scorer was of its best sentence, and whether that was right.

    For a question that the documents do not answer no sentence is right. Confidence 0 where there
    was no sentence.
    """

    confidence: float
    is_right: bool


def fit(
    judged: Sequence[Judged], *, scorer: str, least: float, name: str, sha256: str, risk: float
) -> FittedCalibration:
    """A calibration of `scorer`, whose own threshold is `least`.

    ValueError for fewer than `FEWEST` questions or a risk that is not between 0 and 1.
    """
    if len(judged) < FEWEST:
        raise ValueError(f"{len(judged)} questions: at least {FEWEST} are needed to learn from")
    if not 0.0 < risk < 1.0:
        raise ValueError(f"a risk of {risk:g}: give a share between 0 and 1, such as 0.10")
    slope, intercept = fit_map(judged)
    told = [
        Judged(mapped(one.confidence, slope, intercept) if one.confidence else 0.0, one.is_right)
        for one in judged
    ]
    risks = sorted({*RISKS, risk})
    return FittedCalibration(
        scorer=scorer,
        name=name,
        sha256=sha256,
        questions=len(judged),
        slope=slope,
        intercept=intercept,
        risk=risk,
        assurance=ASSURANCE,
        levels=tuple(risk_level(told, one, least=mapped(least, slope, intercept)) for one in risks),
    )


def fit_map(judged: Sequence[Judged]) -> tuple[float, float]:
    """Slope and intercept of the most likely map, which is never flat nor falling.

    Before any question is seen, the slope is taken to be 1, give or take 0.5, and the intercept 0,
    give or take 1. Found by Newton's method: the function is convex and has two unknowns.
    """
    points = [(log_odds(one.confidence), one.is_right) for one in judged if one.confidence > 0.0]
    slope, intercept = 1.0, 0.0
    for _ in range(_STEPS):
        down = [
            (slope - 1.0) / _SLOPE_SPREAD**2,
            intercept / _INTERCEPT_SPREAD**2,
        ]
        aa, ab, bb = 1.0 / _SLOPE_SPREAD**2, 0.0, 1.0 / _INTERCEPT_SPREAD**2
        for x, is_right in points:
            told = 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, slope * x + intercept))))
            missed, curve = told - is_right, told * (1.0 - told)
            down[0] += missed * x
            down[1] += missed
            aa += curve * x * x
            ab += curve * x
            bb += curve
        determinant = aa * bb - ab * ab
        step = (
            (bb * down[0] - ab * down[1]) / determinant,
            (aa * down[1] - ab * down[0]) / determinant,
        )
        # Far from the best the step of Newton's method may be too long.
        reach = max(1.0, abs(step[0]), abs(step[1]))
        slope = max(_LEAST_SLOPE, slope - step[0] / reach)
        intercept -= step[1] / reach
    return round(slope, 6), round(intercept, 6)


def risk_level(judged: Sequence[Judged], risk: float, *, least: float) -> RiskLevel:
    """The lowest threshold that the questions vouch for, or one that refuses more than before.

    Where they vouch for none, more is refused all the same: from the lowest threshold, not under
    `least`, above which wrong answers with one added are few enough; failing that, everything up
    to the surest wrong answer. Such a level does not hold.
    """
    curve = risk_curve([one.confidence for one in judged], [not one.is_right for one in judged])
    vouched = lowest_vouched(curve, risk)
    if vouched is not None:
        return RiskLevel(risk, vouched.threshold, vouched.answered, vouched.wrong, holds=True)
    careful = [point for point in curve if point.threshold >= least]
    few = [point for point in careful if (point.wrong + 1) / (point.answered + 1) <= risk]
    spotless = [point for point in careful if not point.wrong]
    if few or spotless:
        chosen = (few or spotless)[-1]
        return RiskLevel(risk, chosen.threshold, chosen.answered, chosen.wrong, holds=False)
    return RiskLevel(risk, 1.0, 0, 0, holds=False)


def lowest_vouched(
    curve: Sequence[RiskPoint], risk: float, *, assurance: float = ASSURANCE
) -> RiskPoint | None:
    """The lowest threshold whose risk is at most `risk`, with this assurance; None for none.

    Tested is, at one threshold after the other from a high one down, whether so few wrong answers
    would be seen if the risk were higher, until a test fails. Sequences start where 1, 2, 4, ...
    times as many questions are answered as could pass at all, each with its share of what may go
    wrong, as many as the questions suffice for.
    """
    if not curve:
        return None
    most = curve[-1].answered
    starts = _starts(most, risk, 1.0 - assurance)
    best: RiskPoint | None = None
    for start in starts:
        for point in curve:
            if point.answered < start:
                continue
            chance = binomial_tail(point.wrong, point.answered, risk)
            if chance > (1.0 - assurance) / len(starts):
                break
            if best is None or point.answered > best.answered:
                best = point
    return best


def answers_needed(risk: float, *, assurance: float = ASSURANCE) -> int:
    """How many answers, all right, it takes to vouch for a risk."""
    return math.ceil(math.log(1.0 - assurance) / math.log1p(-risk) - 1e-9)


def _starts(most: int, risk: float, failing: float) -> list[int]:
    starts = [math.ceil(math.log(failing) / math.log1p(-risk) - 1e-9)]
    count = 2
    while True:
        first = math.ceil(math.log(failing / count) / math.log1p(-risk) - 1e-9)
        more = [first << doubling for doubling in range(count)]
        if more[-1] > most:
            return starts
        starts, count = more, count + 1
