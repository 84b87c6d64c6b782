"""`eval` and `calibrate`: what questions with known answers say about the answers given.

What measures is loaded by the commands themselves: to ask, nothing of it is needed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pincite.cli.opening import open_index
from pincite.cli.options import (
    a_number,
    folder_argument,
    json_option,
    lexical_option,
    new_file,
    no_update_option,
    risk_option,
    store_option,
)
from pincite.cli.output import ANSWERED, REFUSED, complain, write_json, write_text
from pincite.cli.settings import reading_options
from pincite.index import Index

if TYPE_CHECKING:
    from pincite.evaluation.questions import QuestionSet

_file = click.Path(exists=True, dir_okay=False, path_type=Path)
_percent = click.FloatRange(0, 100)


@click.command("eval")
@folder_argument
@click.argument("questions", type=_file, required=False, metavar="QUESTIONS.jsonl")
@click.option(
    "--suggest",
    is_flag=True,
    help="Draft questions from the documents, for a person to correct, and print them.",
)
@click.option(
    "--count",
    type=click.IntRange(min=1),
    default=50,
    show_default=True,
    help="How many questions to draft.",
)
@click.option(
    "--baseline",
    type=_file,
    metavar="OLD.json",
    help="Compare with an earlier report; exit code 3 when more questions broke than were fixed.",
)
@click.option(
    "--allow",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="N",
    help="With --baseline: up to N more broken than fixed are no reason for 3.",
)
@click.option(
    "--min-right",
    type=_percent,
    metavar="PERCENT",
    help="Exit code 3 when less of the answerable questions is answered rightly.",
)
@click.option(
    "--max-wrong",
    type=_percent,
    metavar="PERCENT",
    help="Exit code 3 when more of the answers given is wrong.",
)
@click.option("--out", type=new_file, metavar="REPORT.json", help="Write the report to a file.")
@click.option(
    "--html", type=new_file, metavar="REPORT.html", help="Write the report as a page with plots."
)
@risk_option
@lexical_option
@no_update_option
@json_option
@store_option
@reading_options
def eval_command(
    folder: Path,
    questions: Path | None,
    suggest: bool,
    count: int,
    baseline: Path | None,
    allow: int,
    min_right: float | None,
    max_wrong: float | None,
    out: Path | None,
    html: Path | None,
    risk: float | None,
    lexical: bool,
    no_update: bool,
    as_json: bool,
    store: Path | None,
) -> int:
    """Ask FOLDER the QUESTIONS, whose answers are known, and count what is right.

    QUESTIONS.jsonl holds a JSON object a line: id, question, answerable, and evidence (document
    with start and end, or with text) or answers. Exit codes: 0 as good as demanded, 3 not, 1 error.
    """
    if suggest == (questions is not None):
        raise click.UsageError("give QUESTIONS.jsonl or --suggest, one of them")
    with open_index(folder, store, no_update, lexical) as index:
        if questions is None:
            return _suggest(index, count)

        from pincite.evaluation.comparing import compare, read_report
        from pincite.evaluation.measuring import evaluate
        from pincite.render.measured import evaluation_text, evaluation_to_json

        before = read_report(baseline.read_bytes(), name=baseline.name) if baseline else None
        asked = _questions(index, questions)
        with _progress("Asking", len(asked.questions)) as progress:
            found = evaluate(index, asked, risk=risk, asked=progress)
    comparison = None
    if before is not None and baseline is not None:
        comparison = compare(found, before, baseline=baseline.name)
    record = evaluation_to_json(found, comparison)
    if out is not None:
        from pincite.render import dumps

        out.write_text(dumps(record, pretty=True) + "\n", "utf-8")
    if html is not None:
        from pincite.render.pages import evaluation_page

        html.write_text(evaluation_page(found, comparison), "utf-8")
    if as_json:
        write_json(record, pretty=True)
    else:
        write_text(evaluation_text(found, comparison))
    right, wrong = found.counts.right.value, found.counts.risk.value
    failures = []
    if comparison is not None and comparison.is_worse(allow):
        failures.append(f"{len(comparison.broken)} broken, {len(comparison.fixed)} fixed")
    if min_right is not None and (right is None or 100 * right < min_right):
        failures.append(f"fewer than {min_right:g} % of the answerable questions are right")
    if max_wrong is not None and wrong is not None and 100 * wrong > max_wrong:
        failures.append(f"more than {max_wrong:g} % of the answers given are wrong")
    if failures:
        complain(f"not as good as demanded: {'; '.join(failures)}")
    return REFUSED if failures else ANSWERED


def _suggest(index: Index, count: int) -> int:
    from pincite.evaluation.suggesting import suggest

    drafts = suggest(index, count=count)
    for draft in drafts:
        write_json(draft, pretty=False)
    if len(drafts) < count:
        complain(f"the documents gave {len(drafts)} questions, not {count}")
    complain('these are drafts: read each, correct it or strike it, and take "draft" away')
    return ANSWERED if drafts else REFUSED


@click.command("calibrate")
@folder_argument
@click.argument("questions", type=_file, required=False, metavar="QUESTIONS.jsonl")
@click.option(
    "--risk",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    callback=a_number,
    default=0.10,
    show_default=True,
    help="The share of wrong answers among those given to keep to.",
)
@click.option("--reset", is_flag=True, help="Go by what comes with the package again.")
@lexical_option
@no_update_option
@json_option
@store_option
@reading_options
def calibrate_command(
    folder: Path,
    questions: Path | None,
    risk: float,
    reset: bool,
    lexical: bool,
    no_update: bool,
    as_json: bool,
    store: Path | None,
) -> int:
    """Learn from QUESTIONS what a confidence means in FOLDER, and when to refuse.

    Wants 50 questions or more, like those that will be asked, some of which the documents do not
    answer; their format is that of `pincite eval`. It is kept beside the index, and `ask` goes by
    it from then on. Exit codes: 0 learnt, 3 learnt but the risk is not vouched for, 1 error.
    """
    if reset == (questions is not None):
        raise click.UsageError("give QUESTIONS.jsonl or --reset, one of them")
    from pincite.evaluation.fitting import FEWEST
    from pincite.evaluation.measuring import calibrate
    from pincite.render.measured import calibrate_to_json, calibration_text

    if questions is None:
        with Index.open(folder, store=store) as index:
            was_there = index.reset_calibration()
        if as_json:
            write_json(calibrate_to_json(None), pretty=True)
        else:
            write_text("forgotten\n" if was_there else "nothing had been learnt\n")
        return ANSWERED
    with open_index(folder, store, no_update, lexical) as index:
        asked = _questions(index, questions, fewest=FEWEST)
        with _progress("Asking", len(asked.questions)) as progress:
            fitted = calibrate(index, asked, risk=risk, asked=progress)
        index.calibrate(fitted)
    if as_json:
        write_json(calibrate_to_json(fitted), pretty=True)
    else:
        write_text(calibration_text(fitted))
    if all(level.holds for level in fitted.levels if level.risk == fitted.risk):
        return ANSWERED
    complain(
        f"these questions do not show that at most {risk:.0%} of the answers are wrong: more is "
        f"refused than before, and nothing is promised. Give more questions, allow a larger "
        f"--risk, or go back with `pincite calibrate FOLDER --reset`"
    )
    return REFUSED


def _questions(index: Index, path: Path, *, fewest: int = 0) -> QuestionSet:
    from pincite.evaluation.questions import read_questions

    asked = read_questions(path.read_bytes(), name=path.name, index=index, fewest=fewest)
    drafts = sum(question.is_draft for question in asked.questions)
    if drafts:
        complain(f"{drafts} of {len(asked.questions)} questions are drafts that nobody corrected")
    return asked


@contextmanager
def _progress(label: str, length: int) -> Iterator[Callable[[int], None] | None]:
    """A callback that draws a bar on stderr; None off a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    bar: Any
    with click.progressbar(length=length, label=label, file=sys.stderr) as bar:
        yield lambda done: bar.update(done - bar.pos)
