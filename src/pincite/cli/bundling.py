"""`bundle`: a saved answer with its evidence in one HTML file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import click

from pincite.cli.options import Named, new_file
from pincite.cli.output import ANSWERED, complain, write_text
from pincite.cli.settings import load_settings, reading_options
from pincite.errors import RecordUnusable

if TYPE_CHECKING:
    from pincite.auditing.entries import Line
    from pincite.render.saved import SavedAnswer

DOES_NOT_HOLD = 3


@click.command("bundle")
@click.argument("record", type=click.File("rb"))
@click.option("--out", type=new_file, required=True, metavar="FILE", help="The HTML file to write.")
@click.option(
    "--root",
    type=Named(path_type=Path),
    metavar="FOLDER",
    help="The folder that was asked; without it only what RECORD says is shown.",
)
@click.option(
    "--text-limit",
    type=click.IntRange(min=0),
    metavar="N",
    help="Put in whole texts of up to N characters, of longer ones the passages quoted "
    "(default 1000000; 0 for passages only).",
)
@click.option(
    "--audit",
    "log",
    type=Named(file_okay=False, path_type=Path),
    metavar="LOG",
    help="The log that the answer is in.",
)
@click.option("--entry", type=click.IntRange(min=1), metavar="N", help="Its number in LOG.")
@reading_options
def bundle_command(
    record: BinaryIO,
    out: Path,
    root: Path | None,
    text_limit: int | None,
    log: Path | None,
    entry: int | None,
) -> int:
    """Write RECORD, a saved answer (`ask --json`), with its evidence as one HTML file.

    The file needs no network and no Pincite: it shows each quote in its text or page, and checks
    itself when asked to. Exit codes: 0, 3 a citation does not hold any more (the file is written
    and says so), 1 RECORD is none.
    """
    # To ask, nothing of these is needed.
    from pincite.bundling import bundle_page, gathered
    from pincite.bundling.evidence import TEXT_LIMIT, warnings_of
    from pincite.bundling.page import record_sha256
    from pincite.render.saved import MAXIMUM_BYTES, read_records
    from pincite.render.terminal import visible_path
    from pincite.render.text import counted
    from pincite.verifications import Status

    if (log is None) != (entry is None):
        raise click.UsageError("--audit and --entry go together: the log, and the number in it")
    saved = read_records(record.read(MAXIMUM_BYTES + 1), name=record.name)
    if len(saved) != 1:
        detail = f"it holds {len(saved)} records of answers: a bundle is of one"
        raise RecordUnusable(record.name, detail=detail)
    answer = saved[0]
    if answer.fault:
        raise RecordUnusable(record.name, detail=answer.fault)
    line = None if log is None or entry is None else _entry(log, entry, answer)
    evidence = gathered(
        answer,
        root,
        load_settings(root or Path(".")),
        text_limit=TEXT_LIMIT if text_limit is None else text_limit,
    )
    page = bundle_page(answer, evidence, line)
    try:
        out.write_text(page, encoding="utf-8", newline="\n")
    except OSError as error:
        raise click.FileError(str(out), error.strerror) from error
    warnings = warnings_of(evidence)
    for warning in warnings:
        complain(warning)
    if root is None and evidence:
        complain("no document was looked at: give --root FOLDER to put in what they say")
    quotes = counted(len(evidence), "quote")
    write_text(f"{visible_path(str(out))}: {quotes}, record {record_sha256(answer)}\n")
    statuses = [one.verification.status for one in evidence if one.verification is not None]
    holds = all(status is Status.VALID for status in statuses)
    return ANSWERED if holds else DOES_NOT_HOLD


def _entry(log: Path, number: int, answer: SavedAnswer) -> Line:
    """The entry of the log; a usage error where there is none, or it is about something else."""
    from pincite.auditing.log import LOG, AuditLog

    if not (log / LOG).exists():
        raise click.BadParameter(f"{log} holds no audit log", param_hint="--audit")
    for line in AuditLog(log).lines():
        if line.entry.sequence == number:
            logged = line.record().get("record")
            record = {key: value for key, value in answer.record.items() if key != "id"}
            if logged is not None and logged != record:
                raise click.BadParameter(
                    f"entry {number} is of another record", param_hint="--entry"
                )
            return line
    raise click.BadParameter(f"there is no entry {number} in {log}", param_hint="--entry")
