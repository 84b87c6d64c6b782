"""Reports as one HTML file each, that needs nothing beside it: no script, no font, no picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from pincite.evaluation.comparing import Change, Comparison
from pincite.evaluation.measuring import Counts, Evaluation, Outcome
from pincite.evaluation.statistics import Share
from pincite.explanations import Contribution, Explanation
from pincite.records import Refusal
from pincite.render.charts import BLUE, GREEN, GREY, RED, bars, dots_chart, lines_chart
from pincite.render.explained import readable, verdict
from pincite.render.terminal import one_line, visible
from pincite.render.text import where_text
from pincite.version import __version__

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1a202c; max-width: 60rem; margin: 2rem auto;
       padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
table { border-collapse: collapse; margin: .5rem 0; font-size: .92rem; }
th, td { padding: .2rem .7rem .2rem 0; text-align: left; vertical-align: top; }
th { border-bottom: 1px solid #a0aec0; font-weight: 600; }
td { border-bottom: 1px solid #edf2f7; }
td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.plots { display: flex; flex-wrap: wrap; gap: 1.5rem; } figure { margin: 0; }
figcaption { font-weight: 600; margin-bottom: .3rem; }
.right { color: #2f855a; } .wrong { color: #c0392b; } .refused, .note { color: #718096; }
td:first-child { white-space: nowrap; } .quote { white-space: pre-wrap; }
.question { min-width: 16rem; } td { overflow-wrap: anywhere; }
"""
_NAMES = (
    ("right", "right"),
    ("wrong", "wrong"),
    ("refused", "refused"),
    ("right_document", "from a right document"),
)


def page(title: str, parts: Iterable[str]) -> str:
    """A whole HTML document; `parts` are HTML already."""
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(parts)
        + f'\n<p class="note">pincite {escape(__version__)}</p>\n</body>\n</html>\n'
    )


def table(heads: Sequence[str], rows: Iterable[Sequence[str]], *, numbers: Iterable[int]) -> str:
    """A table of cells that are HTML already; the columns `numbers` are set to the right."""
    right = set(numbers)
    marks = [' class="n"' if column in right else "" for column in range(len(heads))]
    head = "".join(
        f"<th{mark}>{escape(name)}</th>" for mark, name in zip(marks, heads, strict=True)
    )
    lines = [f"<table><tr>{head}</tr>"]
    for row in rows:
        cells = "".join(f"<td{mark}>{cell}</td>" for mark, cell in zip(marks, row, strict=True))
        lines.append(f"<tr>{cells}</tr>")
    return "\n".join([*lines, "</table>"])


def figure(title: str, svg: str) -> str:
    """A plot with what it shows above it."""
    return f"<figure><figcaption>{escape(title)}</figcaption>{svg}</figure>"


def evaluation_page(found: Evaluation, comparison: Comparison | None = None) -> str:
    """The report of `pincite eval`: figures, plots, what changed, and every question."""
    counts = found.counts
    drafts = f" ({found.drafts} of them drafts that nobody corrected)" if found.drafts else ""
    parts = [
        f"<h1>{escape(one_line(found.name))}</h1>",
        f"<p>{len(found.outcomes)} questions{drafts}. Sentences chosen by {escape(found.scorer)}, "
        f"answered from a confidence of {counts.threshold:.2f} on.</p>",
        _figures(found),
        '<div class="plots">',
        figure("Wrong of the answers, by how many are answered", _risk_chart(found)),
        figure("Right, by confidence", _reliability_chart(found)),
        figure("Questions, by threshold", _threshold_chart(found.by_threshold, counts)),
        "</div>",
    ]
    if comparison is not None:
        parts += _changes(comparison)
    parts += ["<h2>By threshold</h2>", _thresholds(found.by_threshold)]
    parts += ["<h2>Questions</h2>", _outcomes(found.outcomes)]
    return page(f"{one_line(found.name)}: how good the answers are", parts)


def _figures(found: Evaluation) -> str:
    counts = found.counts
    rows = [_share_row(f"answerable, {name}", getattr(counts, key)) for key, name in _NAMES]
    rows.append(_share_row("unanswerable, refused", counts.rightly_refused))
    rows.append(_share_row("answers given, wrong", counts.risk))
    if found.calibration_error is not None:
        off = f"{100 * found.calibration_error:.1f} %"
        rows.append(("confidence off by (ECE)", "", off, ""))
    return table(("", "questions", "share", "95 %"), rows, numbers=(1, 2, 3))


def _share_row(name: str, found: Share) -> tuple[str, str, str, str]:
    if found.value is None:
        return (name, "0 of 0", "–", "")
    return (
        name,
        f"{found.count} of {found.total}",
        f"{100 * found.value:.1f} %",
        f"{100 * found.low:.1f} to {100 * found.high:.1f}",
    )


def _risk_chart(found: Evaluation) -> str:
    risk = found.counts.risk
    marked = None
    if risk.value is not None:
        marked = (risk.total / len(found.outcomes), risk.value)
    points = [(point.coverage, point.risk) for point in found.risk_curve]
    return lines_chart(
        [("wrong", RED, points)], x="questions answered", y="answers wrong", marked=marked
    )


def _reliability_chart(found: Evaluation) -> str:
    dots = [(one.confidence, one.right, one.count) for one in found.reliability]
    return dots_chart(dots, x="confidence", y="right", name="questions")


def _threshold_chart(by_threshold: Sequence[Counts], counts: Counts) -> str:
    series = [
        (
            name,
            colour,
            [(one.threshold, getattr(one, name).value or 0.0) for one in by_threshold],
        )
        for name, colour in (("right", GREEN), ("wrong", RED), ("refused", GREY))
    ]
    rightly = [(one.threshold, one.rightly_refused.value) for one in by_threshold]
    known = [(x, y) for x, y in rightly if y is not None]
    if known:
        series.append(("rightly refused", BLUE, known))
    return lines_chart(series, x="threshold", y="questions", marked_at=counts.threshold)


def _thresholds(by_threshold: Sequence[Counts]) -> str:
    heads = ("from", "right", "wrong", "refused", "rightly refused", "wrong of the answers")
    rows = [
        (
            f"{one.threshold:.2f}",
            *(
                "–" if found.value is None else f"{100 * found.value:.1f} %"
                for found in (one.right, one.wrong, one.refused, one.rightly_refused, one.risk)
            ),
        )
        for one in by_threshold
    ]
    return table(heads, rows, numbers=range(6))


def _changes(comparison: Comparison) -> list[str]:
    parts = [
        f"<h2>Since {escape(one_line(comparison.baseline))}</h2>",
        f"<p>{len(comparison.fixed)} fixed, {len(comparison.broken)} broken, "
        f"{len(comparison.changed)} changed otherwise, {comparison.unchanged} unchanged, "
        f"{comparison.added} new, {comparison.removed} gone. By chance alone, as many of those "
        f"that changed would be broken with a probability of {comparison.chance:.2f}.</p>",
    ]
    for name, changes in (
        ("Broken", comparison.broken),
        ("Fixed", comparison.fixed),
        ("Changed otherwise", comparison.changed),
    ):
        if changes:
            rows = [_change_row(change) for change in changes]
            heads = ("id", "question", "before", "now", "words before", "words now")
            parts += [f"<h3>{name}</h3>", table(heads, rows, numbers=())]
    return parts


def _change_row(change: Change) -> tuple[str, ...]:
    before, now = change.before, change.outcome
    return (
        escape(now.id),
        _question(now.question),
        _result(before.result.value),
        _result(now.result.value),
        escape(one_line(before.text)),
        escape(one_line(now.text)),
    )


def _question(words: str) -> str:
    return f'<div class="question">{escape(one_line(words))}</div>'


def _result(name: str) -> str:
    return f'<span class="{name}">{name}</span>'


def _outcomes(outcomes: Sequence[Outcome]) -> str:
    rows = []
    for one in outcomes:
        where = f"{one.document}#char={one.start},{one.end}" if one.document else ""
        best = "" if one.result.value != "refused" or not one.best_is_right else " (best was right)"
        rows.append(
            (
                escape(one.id),
                _question(one.question),
                "yes" if one.is_answerable else "no",
                _result(one.result.value) + best,
                f"{one.confidence:.2f}",
                f'{escape(one_line(one.text))}<br><span class="note">'
                f"{escape(one_line(where))}</span>",
            )
        )
    heads = ("id", "question", "answerable", "result", "confidence", "best sentence")
    return table(heads, rows, numbers=(4,))


def explanation_page(found: Explanation) -> str:
    """The report of `pincite explain`: what was looked for, found, weighed and chosen."""
    question = one_line(found.answer.question)
    parts = [f"<h1>{escape(question)}</h1>", f"<p>{escape(verdict(found))}</p>"]
    if not isinstance(found.answer, Refusal):
        parts.append(f'<p class="quote">{escape(visible(found.answer.text))}</p>')
    kinds = escape(", ".join(found.expects) or "any")
    parts += [
        "<h2>Looked for</h2>",
        bars([(one_line(term.term), term.weight) for term in found.terms]),
        f"<p>Kind of answer: {kinds}</p>",
    ]
    if found.confidence:
        parts += ["<h2>Confidence of the best sentence, in log-odds</h2>", _bars(found.confidence)]
    if found.lead:
        parts += ["<h2>What it has over the next</h2>", _bars(found.lead)]
    if found.sentences:
        parts.append("<h2>Sentences</h2>")
    for sentence in found.sentences:
        where = where_text(sentence.path, sentence.lines, sentence.place)
        parts += [
            f'<h3>{sentence.score:.2f} <span class="note">{escape(where)}</span></h3>',
            f'<p class="quote">{escape(visible(sentence.text))}</p>',
            _bars(sentence.reasons),
        ]
    if found.passages:
        names = sorted({name for passage in found.passages for name, _ in passage.ranks})
        heads = ("rank", *names, "score", "place", "text")
        rows = [
            (
                f"<b>{passage.rank}</b>" if passage.used else str(passage.rank),
                *(str(dict(passage.ranks).get(name, "–")) for name in names),
                f"{passage.score:.2f}",
                escape(where_text(passage.path, passage.lines, None)),
                escape(one_line(passage.text)),
            )
            for passage in found.passages
        ]
        numbers = range(len(names) + 2)
        parts += ["<h2>Passages</h2>", table(heads, rows, numbers=numbers)]
    return page(question, parts)


def _bars(reasons: Sequence[Contribution]) -> str:
    return bars([(readable(one.name), one.amount) for one in reasons])
