"""What was learnt from questions about the documents, kept in a file beside the index.

Indexing does not touch it. There is one calibration a scorer; of the questions it keeps their
number, and the name and hash of the file, nothing that they say.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from pincite.errors import CalibrationDamaged, StoreNotWritable
from pincite.records import FittedCalibration, RiskLevel

FILE_NAME = "calibration.json"
FORMAT = 1


def read_calibrations(store: Path) -> tuple[FittedCalibration, ...]:
    """What was learnt, by the name of the scorer; empty where nothing was; `CalibrationDamaged`."""
    path = store / FILE_NAME
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return ()
    try:
        kept = json.loads(data.decode("utf-8"))
        if kept["format"] != FORMAT:
            raise ValueError(f"format {kept['format']!r}, this Pincite reads {FORMAT}")
        return tuple(_calibration(entry) for entry in kept["calibrations"])
    except (ValueError, KeyError, TypeError) as error:
        raise CalibrationDamaged(path, detail=f"{type(error).__name__}: {error}") from error


def write_calibration(store: Path, fitted: FittedCalibration) -> None:
    """Keep this in place of what was learnt for the same scorer; `StoreNotWritable`."""
    try:
        known = read_calibrations(store)
    except CalibrationDamaged:
        known = ()
    others = [one for one in known if one.scorer != fitted.scorer]
    kept = sorted([*others, fitted], key=lambda one: one.scorer)
    record = {"format": FORMAT, "calibrations": [_record(one) for one in kept]}
    path = store / FILE_NAME
    beside = path.with_suffix(".new")
    try:
        beside.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")
        os.replace(beside, path)
    except OSError as error:
        raise StoreNotWritable(store, reason=error.strerror or str(error)) from error


def remove_calibrations(store: Path) -> bool:
    """Forget all that was learnt; whether there was anything. `StoreNotWritable`."""
    try:
        (store / FILE_NAME).unlink()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise StoreNotWritable(store, reason=error.strerror or str(error)) from error
    return True


def _record(fitted: FittedCalibration) -> dict[str, Any]:
    return {
        "scorer": fitted.scorer,
        "name": fitted.name,
        "sha256": fitted.sha256,
        "questions": fitted.questions,
        "slope": fitted.slope,
        "intercept": fitted.intercept,
        "risk": fitted.risk,
        "assurance": fitted.assurance,
        "levels": [
            {
                "risk": level.risk,
                "threshold": level.threshold,
                "answered": level.answered,
                "wrong": level.wrong,
                "holds": level.holds,
            }
            for level in fitted.levels
        ],
    }


def _calibration(entry: dict[str, Any]) -> FittedCalibration:
    return FittedCalibration(
        scorer=str(entry["scorer"]),
        name=str(entry["name"]),
        sha256=str(entry["sha256"]),
        questions=int(entry["questions"]),
        slope=float(entry["slope"]),
        intercept=float(entry["intercept"]),
        risk=float(entry["risk"]),
        assurance=float(entry["assurance"]),
        levels=tuple(
            RiskLevel(
                risk=float(level["risk"]),
                threshold=float(level["threshold"]),
                answered=int(level["answered"]),
                wrong=int(level["wrong"]),
                holds=bool(level["holds"]),
            )
            for level in entry["levels"]
        ),
    )
