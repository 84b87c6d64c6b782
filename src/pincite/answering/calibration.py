"""What a confidence means: the scorer's own, or one that questions with known answers gave it.

Also the thresholds that come with the package, a risk each, with what was seen above them:
`risk.json`, which `training/fit_risk.py` writes. `pincite.evaluation.fitting` learns a calibration.
"""

from __future__ import annotations

import functools
import hashlib
import json
import math
import pkgutil
from typing import Any

from pincite.errors import RiskNotKept
from pincite.records import Calibration, FittedCalibration

SHIPPED = "shipped"
"""The name of the calibration that comes with the package."""
DECIMALS = 6
_LEAST = 1e-6


def log_odds(share: float) -> float:
    """ln(p / (1 - p)), kept finite at 0 and 1."""
    kept = min(max(share, _LEAST), 1.0 - _LEAST)
    return math.log(kept / (1.0 - kept))


def mapped(confidence: float, slope: float, intercept: float) -> float:
    """The confidence to tell for the scorer's; rises with it where `slope` is above 0."""
    told = slope * log_odds(confidence) + intercept
    return round(1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, told)))), DECIMALS)


def calibrated(confidence: float, calibration: Calibration | None) -> float:
    """The confidence to tell; the scorer's own without a calibration, or with one that keeps it."""
    if calibration is None or (calibration.slope, calibration.intercept) == (1.0, 0.0):
        return confidence
    return mapped(confidence, calibration.slope, calibration.intercept)


def at_risk(fitted: FittedCalibration, risk: float | None = None) -> Calibration:
    """What was learnt, with the threshold of `risk`, or of the risk it was learnt for.

    `RiskNotKept` where no threshold was learnt for that risk.
    """
    wanted = fitted.risk if risk is None else risk
    for level in fitted.levels:
        if math.isclose(level.risk, wanted):
            return Calibration(
                name=fitted.name,
                sha256=fitted.sha256,
                questions=fitted.questions,
                risk=level.risk,
                holds=level.holds,
                threshold=level.threshold,
                slope=fitted.slope,
                intercept=fitted.intercept,
            )
    known = tuple(level.risk for level in fitted.levels)
    raise RiskNotKept(wanted, scorer=fitted.scorer, known=known)


def shipped(scorer: str, risk: float) -> Calibration:
    """The threshold that comes with the package for `risk`, and whether it is vouched for.

    `RiskNotKept` where there is none.
    """
    data, scorers = _shipped()
    fitted = scorers.get(scorer, {"levels": {}})
    levels = {float(name): level for name, level in fitted["levels"].items() if level is not None}
    for known_risk, level in levels.items():
        if math.isclose(known_risk, risk):
            return Calibration(
                name=SHIPPED,
                sha256=hashlib.sha256(data).hexdigest(),
                questions=fitted["questions"],
                risk=known_risk,
                holds=level["holds"],
                threshold=level["threshold"],
            )
    raise RiskNotKept(risk, scorer=scorer, known=tuple(sorted(levels)))


@functools.cache
def _shipped() -> tuple[bytes, dict[str, Any]]:
    # `importlib.resources` would take longer to load than all that is read here.
    data = pkgutil.get_data("pincite.answering", "risk.json") or b"{}"
    return data, json.loads(data)
