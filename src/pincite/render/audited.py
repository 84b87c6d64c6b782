"""A log of answers as records: its entries, and what was found when it was checked."""

from __future__ import annotations

from pincite.auditing.checking import AuditReport
from pincite.auditing.entries import Line
from pincite.render.record import Json, pincite_to_json


def audit_to_json(report: AuditReport) -> Json:
    """The published form of a check."""
    return {
        "schema": "pincite.audit/1",
        "whole": not report.faults,
        "entries": report.entries,
        "erased": report.erased,
        "head": report.head,
        "torn": report.torn,
        "faults": [{"line": one.line, "reason": one.reason} for one in report.faults],
        "pincite": pincite_to_json(),
    }


def entry_to_json(line: Line) -> Json:
    """An entry without its content."""
    entry = line.entry
    return {
        "sequence": entry.sequence,
        "kind": entry.kind,
        "time": entry.time,
        "sha256": entry.sha256,
        "previous": entry.previous,
        "content_sha256": entry.content_sha256,
        "erased": not line.content,
    }
