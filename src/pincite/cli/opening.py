"""What commands that ask begin with: the question, and the index brought up to date."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from pincite.cli.output import complain, indexing_progress
from pincite.cli.settings import load_settings
from pincite.index import Index
from pincite.records import Answer, IndexReport, Refusal, RefusalReason
from pincite.render.text import counted, not_read_text, report_text

_LOOKED_FOR = (RefusalReason.NOTHING_RELATED, RefusalReason.NOT_STATED)
"""Why the documents do not say it, as far as they were read."""


def check_store(folder: Path, store: Path | None) -> None:
    """Complain where the index would be kept among the documents themselves."""
    if store is not None and store.exists() and folder.exists() and store.samefile(folder):
        raise click.BadParameter(
            f"{store} is the folder of documents itself: keep the index elsewhere",
            param_hint="--store",
        )


def open_index(folder: Path, store: Path | None, no_update: bool, lexical: bool = False) -> Index:
    """The index of `folder`, brought up to date unless `no_update`."""
    if no_update:
        return Index.open(folder, store=store, lexical=lexical)
    check_store(folder, store)
    with indexing_progress() as progress:
        settings = load_settings(folder)
        index = Index.open_or_build(
            folder,
            store=store,
            passwords=settings.passwords,
            recognise=settings.recognise,
            time_limit=settings.seconds,
            memory_limit=settings.memory,
            lexical=lexical,
            progress=progress,
        )
    report = index.report
    if report is None:
        complain("another process is indexing: using the last finished index")
    elif _did_something(report):
        complain(report_text(report, str(folder)).strip())
    if not lexical and index.unencoded:
        complain(
            f"{counted(index.unencoded, 'passage')} without a vector: passages are found by their "
            f"words alone until `pincite index {folder}` has run"
        )
    return index


def hints_at(
    index: Index, answer: Answer | Refusal, folder: Path, risk: float | None
) -> tuple[str, ...]:
    """What has to be known of an answer besides: what a risk did, and that files were not read."""
    learnt = None if risk is None else answer.calibration
    hints = []
    if learnt is not None and not learnt.holds:
        hints.append(
            f"no questions vouch for it that at most {risk:.0%} of the answers are wrong; more is "
            f"refused than without --risk, and nothing is promised"
        )
    if not isinstance(answer, Refusal) or answer.reason not in _LOOKED_FOR:
        return tuple(hints)
    if learnt is not None and index.threshold() <= answer.confidence < learnt.threshold:
        hints.append(
            f"without --risk it is answered: its confidence is {answer.confidence:.3f}, and "
            f"--risk {risk:g} asks for {learnt.threshold:.3f}"
        )
    report = index.report
    # A run that did something was told of, with these files.
    if report is not None and report.problems and not _did_something(report):
        unread = not_read_text(report.problems, str(folder))
        hints.append(f"what could not be read may say it: {unread}")
    return tuple(hints)


def _did_something(report: IndexReport) -> bool:
    return bool(report.added or report.changed or report.removed)


def one_question(words: Sequence[str], folder: Path) -> str:
    """The question of a command line; a usage error where it is none, or not one argument."""
    if len(words) == 1 and not folder.exists() and Path(words[0]).is_dir():
        raise click.UsageError(
            f"{words[0]} is a folder and {folder} is none: give FOLDER first, then QUESTION"
        )
    if len(words) > 1:
        raise click.UsageError(
            f"the question came as {len(words)} arguments: put the question in quotes"
        )
    if not words or not words[0].strip():
        taken = "" if folder.exists() else f"; {folder} was taken for the FOLDER, which comes first"
        raise click.UsageError(f"no question: give QUESTION as one argument, in quotes{taken}")
    return words[0]
