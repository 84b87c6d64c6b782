"""The commands and their options; each returns its exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import click

from pincite.cli.agents import mcp_command
from pincite.cli.auditing import audit_commands
from pincite.cli.backing import backup_command, restore_command
from pincite.cli.batch import answer_lines
from pincite.cli.bundling import bundle_command
from pincite.cli.cited import BadRecordError, cited_in
from pincite.cli.explaining import explain_command
from pincite.cli.exporting import export_command
from pincite.cli.keeping import keeper
from pincite.cli.measuring import calibrate_command, eval_command
from pincite.cli.opening import check_store, hints_at, one_question, open_index
from pincite.cli.options import (
    Named,
    folder_argument,
    json_option,
    lexical_option,
    no_update_option,
    note_form,
    question_argument,
    risk_option,
    store_option,
    without_vectors_option,
)
from pincite.cli.output import (
    ANSWERED,
    ERROR,
    RECORD_LINES,
    REFUSED,
    complain,
    encoding_progress,
    indexing_progress,
    width,
    write_error,
    write_json,
    write_text,
)
from pincite.cli.serving import serve_command
from pincite.cli.settings import load_settings, reading_options
from pincite.cli.tokens import token_commands
from pincite.cli.verifying import verify_command
from pincite.encoder.encode import Encoder
from pincite.errors import DocumentNotFound
from pincite.index import Index
from pincite.indexing import update
from pincite.records import Excerpt, IndexReport, Problem, Refusal
from pincite.render import search_to_json, to_json
from pincite.render.text import (
    answer_text,
    changes_text,
    excerpt_text,
    info_text,
    not_read_text,
    problem_kind,
    problems_text,
    refusal_text,
    report_text,
    search_text,
)
from pincite.version import __version__

_MAX_PROBLEMS_SHOWN = 20


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="pincite %(version)s")
def commands() -> None:
    """Answers from a folder of documents: the exact words and the exact place, or a refusal.

    Exit codes: 0 answered, 3 the documents do not say, 2 usage, 1 error.
    """


@commands.command("index")
@folder_argument
@json_option
@store_option
@click.option(
    "--remember",
    multiple=True,
    metavar="PATH",
    help="Read PATH in FOLDER again, which was to be forgotten.",
)
@without_vectors_option
@reading_options
def index_command(
    folder: Path, as_json: bool, store: Path | None, remember: tuple[str, ...], lexical: bool
) -> int:
    """Read what is new or changed in FOLDER, and forget what is gone.

    Then passages that have no vector get one, which takes far longer than all before. The index
    answers meanwhile; what is done stays done when this is interrupted.
    """
    with indexing_progress() as progress:
        if remember:
            with Index.open(folder, store=store, lexical=True) as index:
                report = index.remember(*remember, progress=progress)
        else:
            check_store(folder, store)
            report = update(folder, store=store, settings=load_settings(folder), progress=progress)
    code = _report(report, folder, as_json)
    sys.stdout.flush()
    if not lexical:
        with Index.open(folder, store=store) as index, encoding_progress() as told:
            index.encode(progress=told)
    return code


@commands.command("forget")
@folder_argument
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@json_option
@store_option
def forget_command(folder: Path, paths: tuple[str, ...], as_json: bool, store: Path | None) -> int:
    """Take documents out of the index of FOLDER and keep them out; the files stay as they are.

    Nothing of what they say stays in the index. PATH is a document or a folder in FOLDER, as
    `pincite info` names it. `pincite index FOLDER --remember PATH` undoes it.
    """
    with Index.open(folder, store=store) as index, indexing_progress() as progress:
        report = index.forget(*paths, progress=progress)
        if not index.holds_nothing_else():
            complain(
                "another process is reading the index, and what was removed leaves its files when "
                f"that ends: run `pincite index {folder}` then"
            )
    # It reads no file: what could not be read was said when it was tried.
    return _report(report, folder, as_json, shown=0)


@commands.command("watch")
@folder_argument
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    callback=note_form(RECORD_LINES),
    help="Print a record of each run as a line of JSON.",
)
@store_option
@without_vectors_option
@reading_options
def watch_command(folder: Path, as_json: bool, store: Path | None, lexical: bool) -> int:
    """Keep the index of FOLDER up to date while its files change, until Ctrl-C.

    Passages get their vectors while nothing changes.
    """
    # Nothing else needs the library that it is built on.
    from pincite.watching import watch

    check_store(folder, store)
    known: frozenset[Problem] = frozenset()
    try:
        encoder = None if lexical else Encoder()
        settings = load_settings(folder)
        for outcome in watch(folder, store=store, settings=settings, encoder=encoder):
            if not isinstance(outcome, IndexReport):
                complain(f"error: {outcome}; it is tried again")
                write_error(str(outcome), RECORD_LINES if as_json else None)
            elif as_json:
                write_json(to_json(outcome), pretty=False)
            else:
                write_text(changes_text(outcome, known))
                known = frozenset(outcome.problems)
            sys.stdout.flush()
    except KeyboardInterrupt:
        # The way to end it, and no mishap.
        return ANSWERED
    return ANSWERED


def _report(
    report: IndexReport, folder: Path, as_json: bool, shown: int = _MAX_PROBLEMS_SHOWN
) -> int:
    if as_json:
        write_json(to_json(report), pretty=True)
    else:
        write_text(report_text(report, str(folder)))
    for problem in report.problems[:shown]:
        complain(f"{problem_kind(problem)}: {problem.path}: {problem.reason}")
    if len(report.problems) > shown > 0:
        complain(not_read_text(report.problems, str(folder)))
    return ANSWERED


@commands.command("ask")
@folder_argument
@question_argument
@click.option("--document", metavar="PATH", help="Ask inside one document, by its path in FOLDER.")
@click.option(
    "--batch",
    type=click.File("rb"),
    callback=note_form(RECORD_LINES),
    metavar="FILE",
    help="Answer every line of a JSON Lines file (- for stdin) with a line of JSON.",
)
@click.option(
    "--audit",
    type=Named(file_okay=False, path_type=Path),
    metavar="LOG",
    help="Write every answer to the log in the directory LOG, with the documents it is from.",
)
@click.option("--caller", default="", metavar="NAME", help="Who asks, to be told in the log.")
@risk_option
@lexical_option
@no_update_option
@json_option
@store_option
@reading_options
def ask_command(
    folder: Path,
    question: tuple[str, ...],
    document: str | None,
    batch: BinaryIO | None,
    audit: Path | None,
    caller: str,
    risk: float | None,
    lexical: bool,
    no_update: bool,
    as_json: bool,
    store: Path | None,
) -> int:
    """Answer QUESTION with the exact words in FOLDER that answer it, or say there are none."""
    if batch is not None:
        if question:
            raise click.UsageError("give a QUESTION or --batch, not both")
        with open_index(folder, store, no_update, lexical) as index:
            keep = keeper(audit, index, caller=caller, risk=risk, lexical=lexical)
            return answer_lines(index, batch, document=document, risk=risk, keep=keep)
    asked = one_question(question, folder)
    with open_index(folder, store, no_update, lexical) as index:
        keep = keeper(audit, index, caller=caller, risk=risk, lexical=lexical)
        answer = index.ask(asked, document=document, risk=risk)
        # Before it is shown: what is not in the log was not answered.
        keep(answer, document, ())
        hints = hints_at(index, answer, folder, risk)
    if as_json:
        write_json(to_json(answer), pretty=True)
    elif isinstance(answer, Refusal):
        write_text(refusal_text(answer, width=width()))
    else:
        write_text(answer_text(answer, width=width()))
    if answer.stale:
        _warn_of_stale(answer.stale, folder)
    for hint in hints:
        complain(hint)
    return REFUSED if isinstance(answer, Refusal) else ANSWERED


@commands.command("search")
@folder_argument
@question_argument
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True)
@click.option("--document", metavar="PATH", help="Search one document, by its path in FOLDER.")
@lexical_option
@no_update_option
@json_option
@store_option
@reading_options
def search_command(
    folder: Path,
    question: tuple[str, ...],
    limit: int,
    document: str | None,
    lexical: bool,
    no_update: bool,
    as_json: bool,
    store: Path | None,
) -> int:
    """List the passages of FOLDER that are nearest to QUESTION, best first."""
    asked = one_question(question, folder)
    with open_index(folder, store, no_update, lexical) as index:
        results = index.search(asked, limit=limit, document=document)
        state = index.state
        # To look again reads every file's entry. Right after an update nothing can be stale but
        # what was not to be read.
        stale = index.changed() if index.report is None or _has_unread(index.report) else ()
    if as_json:
        write_json(search_to_json(asked, results, state, stale=stale), pretty=True)
    else:
        write_text(search_text(results, width=width()))
    if stale:
        _warn_of_stale(stale, folder)
    return ANSWERED if results else REFUSED


@commands.command("show")
@folder_argument
@click.argument("locator", required=False)
@click.option(
    "--record",
    "saved",
    type=click.File("rb"),
    metavar="FILE",
    help="Show the places that a saved answer cites (- for stdin), in place of LOCATOR.",
)
@json_option
@store_option
def show_command(
    folder: Path, locator: str | None, saved: BinaryIO | None, as_json: bool, store: Path | None
) -> int:
    """Show the passage at LOCATOR in FOLDER with its line numbers.

    LOCATOR is PATH:LINE, PATH:FIRST-LAST or PATH#char=START,END, as `ask` prints them, or PATH
    alone for its beginning. With --record, a place is shown only where the document still has the
    text that was cited; otherwise it is said that it has not, and the exit code is 1.
    """
    if (locator is None) == (saved is None):
        raise click.UsageError("give a LOCATOR or --record FILE, one of them")
    with Index.open(folder, store=store) as index:
        if saved is not None:
            return _show_cited(index, saved, as_json)
        try:
            excerpt = index.show(locator or "")
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="LOCATOR") from error
    _show(excerpt, folder, as_json, pretty=True)
    return ANSWERED


def _show_cited(index: Index, saved: BinaryIO, as_json: bool) -> int:
    try:
        cited = cited_in(saved.read())
    except BadRecordError as error:
        raise click.BadParameter(str(error), param_hint="--record") from error
    code = ANSWERED
    for one in cited:
        try:
            excerpt = index.show(one.locator, text=one.text)
        except DocumentNotFound as error:
            complain(f"error: {error}")
            write_error(str(error), RECORD_LINES if as_json else None)
            code = ERROR
        else:
            _show(excerpt, index.folder, as_json, pretty=False)
    return code


def _show(excerpt: Excerpt, folder: Path, as_json: bool, *, pretty: bool) -> None:
    if as_json:
        write_json(to_json(excerpt), pretty=pretty)
    else:
        write_text(excerpt_text(excerpt))
    if excerpt.stale:
        _warn_of_stale([excerpt.document.path], folder)


@commands.command("info")
@folder_argument
@click.option("--problems", is_flag=True, help="List only the files that were not read, and why.")
@json_option
@store_option
def info_command(folder: Path, problems: bool, as_json: bool, store: Path | None) -> int:
    """Say what the index of FOLDER holds."""
    with Index.open(folder, store=store) as index:
        info = index.info()
    if as_json:
        write_json(to_json(info), pretty=True)
    elif problems:
        write_text(problems_text(info.problems))
    else:
        write_text(info_text(info))
    return ANSWERED


def _has_unread(report: IndexReport) -> bool:
    return not all(problem.is_partial for problem in report.problems)


def _warn_of_stale(paths: Sequence[str], folder: Path) -> None:
    complain(
        f"changed, removed or unreadable since indexed: {', '.join(paths)}; "
        f"`pincite index {folder}` brings the index up to date, or says what is in the way"
    )


for command in (
    eval_command,
    calibrate_command,
    explain_command,
    verify_command,
    export_command,
    bundle_command,
    audit_commands,
    serve_command,
    mcp_command,
    backup_command,
    restore_command,
    token_commands,
):
    commands.add_command(command)
