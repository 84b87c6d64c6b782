"""The one place where scores become an order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

SCORE_DECIMALS = 6
"""Scores are rounded before they are compared, so that the last bits of a sum decide nothing."""


def top_k(
    items: Sequence[T], scores: Sequence[float], places: Sequence[tuple[str, int]], k: int
) -> list[tuple[T, float]]:
    """The `k` best items with their rounded scores; ties go to the earlier place.

    A place is (path, ordinal): reading order, with documents in the order of their paths.
    """
    rounded = [round(float(score), SCORE_DECIMALS) for score in scores]
    order = sorted(range(len(items)), key=lambda i: (-rounded[i], places[i]))
    return [(items[i], rounded[i]) for i in order[:k]]
