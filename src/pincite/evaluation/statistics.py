"""Shares with their intervals, calibration, and what a threshold trades: plain numbers in and out.

Everything is worked out exactly or in a fixed order: there is no random number in it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

BINS = 10
_TAIL = 0.025


@dataclass(frozen=True, slots=True)
class Share:
    """`count` of `total`, with a 95 % interval for the share that it is a sample of."""

    count: int
    total: int
    low: float
    high: float

    @property
    def value(self) -> float | None:
        """`count / total`; None where there is nothing to have a share of."""
        return self.count / self.total if self.total else None


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """The answers whose confidence lies in `[low, high)`; the last bin holds 1 as well."""

    low: float
    high: float
    count: int
    confidence: float
    """Their mean confidence."""
    right: float
    """The share of them that is right."""


@dataclass(frozen=True, slots=True)
class RiskPoint:
    """What answering from `threshold` on gives."""

    threshold: float
    answered: int
    wrong: int
    coverage: float
    """The share of all questions that is answered."""
    risk: float
    """The share of the answers that is wrong."""


def share(count: int, total: int) -> Share:
    """A share with its 95 % bootstrap interval.

    The mean of a resample of zeros and ones is binomial, so the percentiles of endlessly many
    resamples are known and none has to be drawn. Where none or all were counted, every resample is
    alike; there the bound is that of the exact binomial test.
    """
    if not total:
        return Share(count, total, 0.0, 1.0)
    if count in (0, total):
        edge = 1.0 - _TAIL ** (1.0 / total)
        return Share(count, total, 0.0, edge) if not count else Share(count, total, 1.0 - edge, 1.0)
    return Share(
        count,
        total,
        _binomial_quantile(_TAIL, total, count / total) / total,
        _binomial_quantile(1.0 - _TAIL, total, count / total) / total,
    )


def binomial_tail(count: int, total: int, probability: float) -> float:
    """The probability of at most `count` successes in `total` tries."""
    return min(1.0, math.fsum(_binomial(k, total, probability) for k in range(count + 1)))


def reliability(confidences: Sequence[float], right: Sequence[bool]) -> tuple[ReliabilityBin, ...]:
    """Equally wide bins of confidence, those that hold something, in order."""
    members: dict[int, list[int]] = {}
    for number, confidence in enumerate(confidences):
        members.setdefault(min(int(confidence * BINS), BINS - 1), []).append(number)
    return tuple(
        ReliabilityBin(
            low=place / BINS,
            high=(place + 1) / BINS,
            count=len(chosen),
            confidence=math.fsum(confidences[i] for i in chosen) / len(chosen),
            right=sum(right[i] for i in chosen) / len(chosen),
        )
        for place, chosen in sorted(members.items())
    )


def calibration_error(bins: Sequence[ReliabilityBin]) -> float | None:
    """Expected calibration error, 0 to 1: by how much confidence misses the share of right ones."""
    total = sum(found.count for found in bins)
    if not total:
        return None
    return math.fsum(found.count * abs(found.right - found.confidence) for found in bins) / total


def risk_curve(confidences: Sequence[float], wrong: Sequence[bool]) -> tuple[RiskPoint, ...]:
    """What each confidence gives as a threshold, from the highest to the lowest.

    Questions with nothing to quote have confidence 0, and are never answered.
    """
    order = sorted(range(len(confidences)), key=lambda i: -confidences[i])
    points: list[RiskPoint] = []
    wrongly = 0
    for answered, number in enumerate(order, start=1):
        confidence = confidences[number]
        if confidence <= 0.0:
            break
        wrongly += wrong[number]
        is_last_of_equals = answered == len(order) or confidences[order[answered]] < confidence
        if is_last_of_equals:
            points.append(
                RiskPoint(confidence, answered, wrongly, answered / len(order), wrongly / answered)
            )
    return tuple(points)


def sign_test(better: int, worse: int) -> float:
    """How likely it is by chance that at least `worse` of the questions that changed got worse."""
    return 1.0 - binomial_tail(worse - 1, better + worse, 0.5) if worse else 1.0


def _binomial(count: int, total: int, probability: float) -> float:
    if probability in (0.0, 1.0):
        return float(count == (total if probability else 0))
    return math.exp(
        math.lgamma(total + 1)
        - math.lgamma(count + 1)
        - math.lgamma(total - count + 1)
        + count * math.log(probability)
        + (total - count) * math.log1p(-probability)
    )


def _binomial_quantile(level: float, total: int, probability: float) -> int:
    reached = 0.0
    for count in range(total + 1):
        reached += _binomial(count, total, probability)
        if reached >= level:
            return count
    return total
