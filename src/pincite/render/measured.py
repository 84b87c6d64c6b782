"""Evaluations and calibrations as records and as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pincite.evaluation.comparing import SCHEMA, Change, Comparison
from pincite.evaluation.fitting import answers_needed
from pincite.evaluation.measuring import Counts, Evaluation, Outcome
from pincite.evaluation.statistics import Share
from pincite.records import FittedCalibration
from pincite.render.record import (
    Json,
    calibration_to_json,
    fitted_to_json,
    pincite_to_json,
    rounded,
    state_to_json,
)
from pincite.render.terminal import clip, one_line, visible_path
from pincite.render.text import PLAIN_WIDTH, counted

_SHARES = ("right", "wrong", "refused", "right_document", "rightly_refused", "risk")
_LISTED = 20
_TABLE = tuple(step / 10 for step in range(1, 10))


def evaluation_to_json(found: Evaluation, comparison: Comparison | None = None) -> Json:
    """The published record of `pincite eval`."""
    return {
        "schema": SCHEMA,
        "questions": {
            "name": found.name,
            "sha256": found.sha256,
            "count": len(found.outcomes),
            "draft_count": found.drafts,
        },
        "index": state_to_json(found.index),
        "scorer": found.scorer,
        "calibration": calibration_to_json(found.calibration),
        "counts": _counts(found.counts),
        "by_threshold": [_counts(counts) for counts in found.by_threshold],
        "calibration_error": None
        if found.calibration_error is None
        else rounded(found.calibration_error),
        "reliability": [
            {
                "low": one.low,
                "high": one.high,
                "count": one.count,
                "confidence": rounded(one.confidence),
                "right": rounded(one.right),
            }
            for one in found.reliability
        ],
        "risk_curve": [
            {
                "threshold": rounded(point.threshold),
                "answered": point.answered,
                "wrong": point.wrong,
                "coverage": rounded(point.coverage),
                "risk": rounded(point.risk),
            }
            for point in found.risk_curve
        ],
        "outcomes": [_outcome(outcome) for outcome in found.outcomes],
        "comparison": None if comparison is None else _comparison(comparison),
        "pincite": pincite_to_json(),
    }


def calibrate_to_json(fitted: FittedCalibration | None) -> Json:
    """The published record of `pincite calibrate`; None where what was learnt was forgotten."""
    return {
        "schema": "pincite.calibrate/1",
        "calibration": None if fitted is None else fitted_to_json(fitted),
        "pincite": pincite_to_json(),
    }


def evaluation_text(found: Evaluation, comparison: Comparison | None = None) -> str:
    """The figures with their intervals, what other thresholds would give, and what changed."""
    counts = found.counts
    lines = [
        f"{counted(len(found.outcomes), 'question')} of {visible_path(found.name)}; "
        f"chosen by {found.scorer}, answered from a confidence of {counts.threshold:.2f} on",
        "",
        f"Answerable: {counts.right.total}",
        _share_line("right", counts.right),
        _share_line("wrong", counts.wrong),
        _share_line("refused", counts.refused),
        _share_line("right document", counts.right_document) + _of_those_with_evidence(counts),
        f"Unanswerable: {counts.rightly_refused.total}",
        _share_line("refused", counts.rightly_refused),
        f"Answers given: {counts.risk.total}",
        _share_line("wrong", counts.risk),
    ]
    if found.calibration_error is not None:
        lines.append(f"  {'off by':<15}{100 * found.calibration_error:>10.1f} %  in confidence")
    lines += ["", *_table(found.by_threshold)]
    if comparison is not None:
        lines += ["", *_comparison_lines(comparison)]
    return "\n".join(lines) + "\n"


def _of_those_with_evidence(counts: Counts) -> str:
    of = counts.right_document.total
    return "" if of == counts.right.total else f", of {of} with evidence"


def _share_line(name: str, found: Share) -> str:
    value = found.value
    if value is None:
        return f"  {name:<15}{'–':>5}"
    return (
        f"  {name:<15}{found.count:>5}{100 * value:>7.1f} %"
        f"  (95 %: {100 * found.low:.1f} to {100 * found.high:.1f})"
    )


def _table(by_threshold: Sequence[Counts]) -> list[str]:
    shown = [one for one in by_threshold if any(abs(one.threshold - t) < 1e-9 for t in _TABLE)]
    heads = ("confidence", "right", "wrong", "refused", "rightly refused", "wrong of answers")
    lines = ["  ".join(heads)]
    for counts in shown:
        values = (counts.right, counts.wrong, counts.refused, counts.rightly_refused, counts.risk)
        cells = [f"{counts.threshold:.2f}".rjust(len(heads[0]))]
        cells += [
            _percent(one).rjust(len(head)) for head, one in zip(heads[1:], values, strict=True)
        ]
        lines.append("  ".join(cells))
    return lines


def _percent(found: Share) -> str:
    return "–" if found.value is None else f"{100 * found.value:.0f} %"


def _comparison_lines(comparison: Comparison) -> Iterable[str]:
    yield (
        f"Since {visible_path(comparison.baseline)}: {len(comparison.fixed)} fixed, "
        f"{len(comparison.broken)} broken, {len(comparison.changed)} changed otherwise, "
        f"{comparison.unchanged} unchanged"
        + (f", {comparison.added} new" if comparison.added else "")
        + (f", {comparison.removed} gone" if comparison.removed else "")
    )
    for name, changes in (("broken", comparison.broken), ("fixed", comparison.fixed)):
        for change in changes[:_LISTED]:
            lead = f"  {name} {one_line(change.outcome.id)} ({_step(change)}): "
            yield lead + clip(change.outcome.question, max(20, PLAIN_WIDTH - len(lead)))
        if len(changes) > _LISTED:
            yield f"  and {len(changes) - _LISTED} more {name}"


def _step(change: Change) -> str:
    return f"{change.before.result}, now {change.outcome.result}"


def calibration_text(fitted: FittedCalibration) -> str:
    """What was learnt from how many questions, and for which risks they vouch."""
    lines = [
        f"learnt from {counted(fitted.questions, 'question')} of {visible_path(fitted.name)} "
        f"for {fitted.scorer}",
        f"the confidence shown is 1 / (1 + exp(-({fitted.slope:.3f} x {fitted.intercept:+.3f}))), "
        "where x is the log-odds of the confidence that comes with the package",
        "",
    ]
    for level in fitted.levels:
        mark = ">" if level.risk == fitted.risk else " "
        seen = f"{level.wrong} wrong of {counted(level.answered, 'answer')} seen"
        answered = f"answers from {level.threshold:.3f} on ({seen})"
        if level.holds:
            told = f"{answered}: holds, with an assurance of {100 * fitted.assurance:.0f} %"
        else:
            told = (
                f"{answered}: does not hold; {answers_needed(level.risk)} answers without a wrong "
                f"one would be the fewest to vouch for it"
            )
        lines.append(f"{mark} at most {100 * level.risk:g} % wrong: {told}")
    return "\n".join(lines) + "\n"


def _counts(counts: Counts) -> Json:
    return {
        "threshold": rounded(counts.threshold),
        **{name: _share(getattr(counts, name)) for name in _SHARES},
    }


def _share(found: Share) -> Json:
    return {
        "count": found.count,
        "total": found.total,
        "share": None if found.value is None else rounded(found.value),
        "low": rounded(found.low),
        "high": rounded(found.high),
    }


def _outcome(outcome: Outcome) -> Json:
    return {
        "id": outcome.id,
        "question": outcome.question,
        "answerable": outcome.is_answerable,
        "result": outcome.result.value,
        "confidence": rounded(outcome.confidence),
        "best_is_right": outcome.best_is_right,
        "right_document": outcome.is_right_document,
        "text": outcome.text,
        "document": outcome.document or None,
        "start": outcome.start,
        "end": outcome.end,
    }


def _comparison(comparison: Comparison) -> Json:
    return {
        "baseline": comparison.baseline,
        **{
            name: [
                {
                    "id": change.outcome.id,
                    "before": change.before.result.value,
                    "now": change.outcome.result.value,
                }
                for change in changes
            ]
            for name, changes in (
                ("fixed", comparison.fixed),
                ("broken", comparison.broken),
                ("changed", comparison.changed),
            )
        },
        "unchanged_count": comparison.unchanged,
        "added_count": comparison.added,
        "removed_count": comparison.removed,
        "chance": rounded(comparison.chance),
    }
