"""Whether a log is as it was written, and where it is not."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pincite.auditing.entries import ANSWER, ERASURE, FIRST, KINDS, RECOVERY, REFUSAL, Line, parsed
from pincite.auditing.log import CHECKPOINTS, AuditLog


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a log that is not as it was written."""

    line: int
    """From 1; 0 for the log as a whole."""
    reason: str


@dataclass(frozen=True, slots=True)
class AuditReport:
    """What was found in a log."""

    entries: int
    erased: int
    """Entries whose content was removed, as another entry says."""
    head: str
    """The hash of the last entry; to be compared with one kept elsewhere."""
    faults: tuple[Fault, ...]
    torn: bool
    """The last write never ended; the next one clears it away."""


def check(log: AuditLog, checkpoints: Sequence[dict[str, Any]] = ()) -> AuditReport:
    """Read the whole log and find what was edited, dropped, inserted, reordered or cut off.

    `checkpoints` are heads of the log that were kept elsewhere. Whoever can write all files of the
    log can make another one that is whole in itself: only a checkpoint kept elsewhere shows that.
    """
    faults: list[Fault] = []
    hashes: dict[int, str] = {}
    empty: list[int] = []
    erased: dict[int, int] = {}
    held: set[int] = set()
    previous, expected = FIRST, 1
    number = 0
    torn = False
    for number, raw in enumerate(log.raw_lines(), start=1):
        if not raw.endswith(b"\n"):
            torn = True
            number -= 1
            break
        try:
            line = parsed(raw)
        except ValueError as error:
            faults.append(Fault(number, str(error)))
            previous, expected = "", expected + 1
            continue
        faults += _chain_faults(number, line, previous, expected)
        previous, expected = line.entry.sha256, line.entry.sequence + 1
        hashes[line.entry.sequence] = line.entry.sha256
        try:
            content = line.record()
        except ValueError as error:
            faults.append(Fault(number, str(error)))
            continue
        if not content:
            empty.append(line.entry.sequence)
        elif line.entry.kind in (ANSWER, REFUSAL) and not line.is_answered():
            faults.append(
                Fault(number, f"it holds no whole record of the kind {line.entry.kind!r}")
            )
        elif line.entry.kind == ERASURE:
            by = line.entry.sequence
            erased.update({sequence: by for sequence in content["erased"] if sequence < by})
            if any(sequence >= by for sequence in content["erased"]):
                faults.append(Fault(number, "it erases what was written after it"))
        if content:
            held.add(line.entry.sequence)
    faults += [
        Fault(
            0, f"entry {by} says that {sequence} was erased, and it is still there: erase it again"
        )
        for sequence, by in sorted(erased.items())
        if sequence in held
    ]
    faults += [
        Fault(0, f"the content of entry {sequence} is gone, and no entry says that it was erased")
        for sequence in empty
        if sequence not in erased
    ]
    faults += _checkpoint_faults(log, checkpoints, hashes)
    return AuditReport(number, len(set(empty) & set(erased)), previous, tuple(faults), torn)


def _chain_faults(number: int, line: Line, previous: str, expected: int) -> list[Fault]:
    entry = line.entry
    faults = []
    if entry.kind not in KINDS:
        faults.append(Fault(number, f"it is of the kind {entry.kind!r}, which there is not"))
    if entry.sequence != expected:
        faults.append(
            Fault(
                number,
                f"it is entry {entry.sequence} where {expected} should be: some were dropped, put "
                "in or moved",
            )
        )
    elif previous and entry.previous != previous:
        faults.append(Fault(number, "it does not follow from the entry before it"))
    if not line.content and entry.kind in (ERASURE, RECOVERY):
        faults.append(Fault(number, "its content is gone, which never is erased"))
    return faults


def _checkpoint_faults(
    log: AuditLog, given: Sequence[dict[str, Any]], hashes: dict[int, str]
) -> list[Fault]:
    faults: list[Fault] = []
    kept: list[tuple[str, Any]] = [("a checkpoint that was given", one) for one in given]
    try:
        head = log.head()
        if head is None and hashes:
            faults.append(Fault(0, "the head is gone"))
        kept.append(("the head", head))
        for path in sorted((log.directory / CHECKPOINTS).glob("*[0-9]")):
            kept.append((f"checkpoint {path.name}", json.loads(path.read_bytes())))
    except (ValueError, RecursionError, OSError) as error:
        faults.append(Fault(0, f"a head or checkpoint cannot be read: {error}"))
    last = max(hashes, default=0)
    for name, one in kept:
        match one:
            case None:
                continue
            case {"sequence": int(sequence), "sha256": str(sha256)} if sequence <= last:
                if hashes.get(sequence) != sha256:
                    faults.append(Fault(0, f"entry {sequence} is not the one that {name} names"))
            case {"sequence": int(sequence), "sha256": str()}:
                faults.append(
                    Fault(
                        0, f"{name} names entry {sequence}, and the log ends with {last}: cut off"
                    )
                )
            case _:
                faults.append(Fault(0, f"{name} is not written as it was"))
    return faults
