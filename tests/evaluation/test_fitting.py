"""What questions teach: a map of confidence, and a threshold for a risk."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.answering.calibration import at_risk, calibrated, mapped
from pincite.errors import RiskNotKept
from pincite.evaluation.fitting import (
    Judged,
    answers_needed,
    fit,
    fit_map,
    lowest_vouched,
    risk_level,
)
from pincite.evaluation.statistics import risk_curve
from pincite.records import FittedCalibration


def fitted(judged: list[Judged], risk: float = 0.1) -> FittedCalibration:
    return fit(judged, scorer="words/1", least=0.35, name="q.jsonl", sha256="0" * 64, risk=risk)


def sample(seed: int, count: int) -> list[Judged]:
    """Questions whose confidence is the probability of being right."""
    chance = random.Random(seed)
    confidences = [round(chance.betavariate(4, 1), 6) for _ in range(count)]
    return [Judged(one, chance.random() < one) for one in confidences]


def noise(seed: int) -> list[Judged]:
    """Questions whose confidence says nothing, some without a sentence."""
    chance = random.Random(seed)
    count, right = chance.randrange(50, 120), chance.random()
    confidences = [max(0.0, round(chance.uniform(-0.1, 1.0), 2)) for _ in range(count)]
    return [Judged(one, chance.random() < right) for one in confidences]


SEEDS = st.integers(0, 1 << 32)


@settings(deadline=None, max_examples=30)
@given(SEEDS)
def test_the_map_always_rises(seed: int) -> None:
    slope, intercept = fit_map(noise(seed))
    told = [mapped(step / 50, slope, intercept) for step in range(51)]
    assert slope > 0.0
    assert told == sorted(told)


def test_without_questions_confidence_stays_what_it_is() -> None:
    assert fit_map([]) == (1.0, 0.0)


def test_many_questions_move_the_map_and_few_hardly() -> None:
    too_sure = [Judged(0.9, number % 2 == 0) for number in range(400)]
    assert mapped(0.9, *fit_map(too_sure)) == pytest.approx(0.5, abs=0.03)
    assert mapped(0.9, *fit_map(too_sure[:2])) > 0.7


def test_a_confidence_that_holds_is_hardly_moved() -> None:
    slope, intercept = fit_map(sample(3, 3000))
    assert slope == pytest.approx(1.0, abs=0.1)
    assert intercept == pytest.approx(0.0, abs=0.15)


def test_the_threshold_keeps_to_the_risk_in_nine_samples_of_ten() -> None:
    broken = vouched = 0
    for seed in range(120):
        judged = sample(seed, 150)
        curve = risk_curve([one.confidence for one in judged], [not one.is_right for one in judged])
        found = lowest_vouched(curve, 0.15)
        if found is not None:
            vouched += 1
            # Of betavariate(4, 1) above t, the mean is 4/5 (1 - t^5) / (1 - t^4).
            least = found.threshold
            broken += 1.0 - 0.8 * (1.0 - least**5) / (1.0 - least**4) > 0.15
    assert vouched > 40
    assert broken <= 0.1 * 120


def test_what_is_not_vouched_for_refuses_more_and_says_so() -> None:
    judged = [Judged(0.3 + number / 100, number % 3 > 0) for number in range(60)]
    level = risk_level(judged, 0.05, least=0.4)
    assert not level.holds
    assert level.threshold > 0.4
    hopeless = risk_level([Judged(0.9, False)] * 60, 0.1, least=0.3)
    assert (hopeless.holds, hopeless.threshold, hopeless.answered) == (False, 1.0, 0)


def test_enough_right_answers_vouch_for_a_risk() -> None:
    assert answers_needed(0.1) == 22
    assert risk_level([Judged(0.8, True)] * 22, 0.1, least=0.3).holds
    assert not risk_level([Judged(0.8, True)] * 21, 0.1, least=0.3).holds


def test_fewer_than_fifty_questions_are_a_mistake_of_the_caller() -> None:
    with pytest.raises(ValueError, match="49 questions"):
        fitted(sample(1, 49))
    with pytest.raises(ValueError, match="between 0 and 1"):
        fitted(sample(1, 50), risk=1.0)


@settings(deadline=None, max_examples=30)
@given(SEEDS)
def test_what_is_counted_above_a_threshold_is_what_would_be_answered(seed: int) -> None:
    judged = noise(seed)
    found = fitted(judged)
    for level in found.levels:
        used = at_risk(found, level.risk)
        above = [
            one
            for one in judged
            if one.confidence > 0.0 and calibrated(one.confidence, used) >= used.threshold
        ]
        assert len(above) == level.answered
        assert sum(not one.is_right for one in above) == level.wrong


def test_a_risk_that_was_not_learnt_is_told() -> None:
    found = fitted(sample(1, 60), risk=0.15)
    assert [level.risk for level in found.levels] == [0.05, 0.1, 0.15, 0.2]
    assert at_risk(found).risk == 0.15
    with pytest.raises(RiskNotKept, match=r"0\.05, 0\.10, 0\.15, 0\.20"):
        at_risk(found, 0.3)
