"""The thresholds that come with the package."""

from __future__ import annotations

import pytest

from pincite.answering.calibration import shipped
from pincite.answering.close_reading import CloseScorer
from pincite.answering.scorer import LinearScorer
from pincite.errors import RiskNotKept


def test_a_smaller_risk_has_a_higher_threshold_than_a_larger_one_and_than_none() -> None:
    levels = [shipped(CloseScorer.name, risk) for risk in (0.2, 0.1, 0.05)]
    thresholds = [CloseScorer.threshold, *(level.threshold for level in levels)]
    assert thresholds == sorted(thresholds)
    assert [level.risk for level in levels] == [0.2, 0.1, 0.05]


def test_only_what_is_vouched_for_holds() -> None:
    assert shipped(CloseScorer.name, 0.2).holds
    assert not shipped(CloseScorer.name, 0.05).holds


@pytest.mark.parametrize(("scorer", "risk"), [(LinearScorer.name, 0.2), (CloseScorer.name, 0.15)])
def test_a_risk_without_a_threshold_is_told(scorer: str, risk: float) -> None:
    with pytest.raises(RiskNotKept) as raised:
        shipped(scorer, risk)
    assert raised.value.known == (() if scorer == LinearScorer.name else (0.05, 0.1, 0.2))
