"""What commands that ask begin with: the question, and the index brought up to date."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from pincite.cli.output import complain, indexing_progress
from pincite.cli.settings import load_settings
from pincite.index import Index
from pincite.render.text import counted, report_text


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
    elif report.added or report.changed or report.removed:
        complain(report_text(report, str(folder)).strip())
    if not lexical and index.unencoded:
        complain(
            f"{counted(index.unencoded, 'passage')} without a vector: passages are found by their "
            f"words alone until `pincite index {folder}` has run"
        )
    return index


def one_question(words: Sequence[str]) -> str:
    """The question of a command line; a usage error where it is none, or not one argument."""
    if len(words) > 1:
        raise click.UsageError(
            f"the question came as {len(words)} arguments: put the question in quotes"
        )
    if not words or not words[0].strip():
        raise click.UsageError("no question: give QUESTION as one argument, in quotes")
    return words[0]
