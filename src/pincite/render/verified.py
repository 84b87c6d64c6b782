"""What has become of citations: as the published record and as text."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.render.noted import warning_text
from pincite.render.record import (
    Json,
    lines_to_json,
    pincite_to_json,
    place_or_none,
    position_to_json,
)
from pincite.render.terminal import clip, one_line, visible_path
from pincite.render.text import PLAIN_WIDTH, counted, where_text
from pincite.verifications import Change, Status, Verification

_SHOWN = {status: status.value.replace("_", " ") for status in Status}
_COLUMN = max(map(len, _SHOWN.values()))


def verified_to_json(
    records: Sequence[Sequence[Verification]],
    faults: Sequence[str] = (),
    not_compared: Sequence[str] = (),
) -> Json:
    """The published form: for each record that was given, each of its citations, in order.

    `faults` say why records do not hold whatever their citations do; `not_compared` names what
    they say besides, and no document was compared with.
    """
    every = [one for record in records for one in record]
    return {
        "schema": "pincite.verify/1",
        "holds": not faults and all(one.status is Status.VALID for one in every),
        "faults": list(faults),
        "not_compared": list(not_compared),
        "counts": {status.value: sum(one.status is status for one in every) for status in Status},
        "citations": [
            {"record": number, "citation": place, **verification_to_json(one)}
            for number, record in enumerate(records, start=1)
            for place, one in enumerate(record, start=1)
        ],
        "pincite": pincite_to_json(),
    }


def verification_to_json(verification: Verification) -> Json:
    """What has become of one citation."""
    position, lines = verification.position, verification.lines
    return {
        "status": verification.status.value,
        "reason": verification.reason,
        "path": verification.path,
        "quote": verification.quote,
        "checks": [
            {"name": check.name, "passed": check.passed, "found": check.found}
            for check in verification.checks
        ],
        "position": None if position is None else position_to_json(position),
        "lines": None if lines is None else lines_to_json(lines),
        "place": place_or_none(verification.place),
        "now": verification.now,
        "changes": [
            {"kind": change.kind, "words": change.words} for change in verification.changes
        ],
        "warnings": [{"kind": one.kind.value, "words": one.words} for one in verification.warnings],
        "not_compared": list(verification.not_compared),
    }


def verified_text(
    records: Sequence[Sequence[Verification]],
    faults: Sequence[str] = (),
    not_compared: Sequence[str] = (),
    *,
    width: int = PLAIN_WIDTH,
) -> str:
    """A line a citation, and below it what has to be read with the words; below those that do not
    hold why, and what is said instead.
    """
    lines: list[str] = []
    for verification in (one for record in records for one in record):
        indent = " " * (_COLUMN + 2)
        path, status = verification.path, verification.status
        where = visible_path(path)
        if verification.lines is not None:
            where = where_text(path, verification.lines, verification.place)
        lines.append(f"{_SHOWN[status]:<{_COLUMN}}  {where}")
        lines.append(indent + clip(verification.quote, width - len(indent)))
        lines += [f"{indent}{warning_text(one)}" for one in verification.warnings]
        if status is Status.VALID:
            continue
        lines.append(f"{indent}{one_line(verification.reason)}")
        if verification.changes:
            lines.append(f"{indent}now: {one_line(''.join(map(_change, verification.changes)))}")
    lines += [f"{'not valid':<{_COLUMN}}  {fault}" for fault in faults]
    count = sum(map(len, records))
    valid = sum(one.status is Status.VALID for record in records for one in record)
    if count:
        lines.append(f"{valid} of {counted(count, 'citation')} valid")
    else:
        lines.append("nothing is quoted, so there is nothing to check")
    unlike = {name for record in records for one in record for name in one.not_compared}
    names = sorted(name.replace("_", " ") for name in {*not_compared, *unlike})
    if names:
        lines.append(f"Not compared: {', '.join(names)}")
    return "\n".join(lines) + "\n"


def _change(change: Change) -> str:
    if change.kind == "same":
        return change.words
    return f"[-{change.words}-]" if change.kind == "removed" else f"{{+{change.words}+}}"
