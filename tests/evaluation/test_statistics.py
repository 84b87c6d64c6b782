"""Shares, calibration and risk, as plain numbers."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.evaluation.statistics import (
    binomial_tail,
    calibration_error,
    reliability,
    risk_curve,
    share,
    sign_test,
)

CONFIDENCES = st.lists(
    st.tuples(st.floats(0.0, 1.0).map(lambda x: round(x, 3)), st.booleans()), max_size=60
)


def test_the_interval_of_a_share_is_that_of_resampling() -> None:
    found = share(55, 82)
    chance = random.Random(7)
    means = sorted(sum(chance.random() < 55 / 82 for _ in range(82)) / 82 for _ in range(4000))
    assert found.low == pytest.approx(means[100], abs=0.02)
    assert found.high == pytest.approx(means[3900], abs=0.02)


def test_none_of_a_few_is_not_sure_to_be_none_of_all() -> None:
    assert share(0, 17).low == 0.0
    assert 0.15 < share(0, 17).high < 0.25
    assert share(17, 17).low == pytest.approx(1.0 - share(0, 17).high)
    assert share(0, 0).value is None


@given(st.integers(0, 200), st.integers(0, 200))
def test_a_share_lies_in_its_interval(count: int, more: int) -> None:
    found = share(count, count + more)
    if found.value is not None:
        assert 0.0 <= found.low <= found.value <= found.high <= 1.0


def test_confidence_that_says_what_is_right_is_off_by_nothing() -> None:
    bins = reliability([0.75] * 4 + [0.25] * 4, [True] * 3 + [False] + [True] + [False] * 3)
    assert calibration_error(bins) == pytest.approx(0.0)
    assert calibration_error(reliability([0.95] * 4, [False] * 4)) == pytest.approx(0.95)
    assert calibration_error(()) is None


@given(CONFIDENCES)
def test_a_lower_threshold_answers_more(judged: list[tuple[float, bool]]) -> None:
    curve = risk_curve([c for c, _ in judged], [wrong for _, wrong in judged])
    for higher, lower in itertools.pairwise(curve):
        assert higher.threshold > lower.threshold
        assert higher.answered < lower.answered
        assert higher.wrong <= lower.wrong
    assert all(point.threshold > 0.0 for point in curve)


def test_equal_confidences_are_answered_together() -> None:
    (point,) = risk_curve([0.5, 0.5, 0.5], [True, False, False])
    assert (point.answered, point.wrong) == (3, 1)


def test_tails_are_those_of_the_binomial() -> None:
    assert binomial_tail(0, 22, 0.1) == pytest.approx(0.9**22)
    assert binomial_tail(5, 5, 0.3) == pytest.approx(1.0)
    assert sign_test(0, 0) == 1.0
    assert sign_test(0, 5) == pytest.approx(1 / 32)
