"""`export`: saved answers in the formats of others."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import click

from pincite.cli.options import Named
from pincite.cli.output import ANSWERED, write_json, write_text
from pincite.errors import RecordUnusable, UnreadableDocument

NAMES = (
    "web-annotation",
    "anthropic",
    "openai",
    "links",
    "csl-json",
    "ris",
    "markdown",
    "html",
)
"""Of `pincite.exporting.FORMATS`, which takes a while to load."""
_WITH_UNITS = ("anthropic",)
"""Those whose offsets may count something else; the others have a unit of their own."""


@click.command("export")
@click.argument("record", type=click.File("rb"))
@click.option("--as", "form", type=click.Choice(NAMES), required=True, help="The format.")
@click.option(
    "--root",
    type=Named(path_type=Path),
    metavar="FOLDER",
    help="The folder that was asked: its texts are read, for offsets that need them.",
)
@click.option(
    "--unit",
    type=click.Choice(("codepoint", "utf16", "byte")),
    default="codepoint",
    help="What offsets into documents count; others than code points need --root.",
)
def export_command(record: BinaryIO, form: str, root: Path | None, unit: str) -> int:
    """Write RECORD, a saved answer (`ask --json`), as FORMAT; of a batch each record."""
    # To ask, nothing of these is needed.
    from pincite.exporting import FORMATS, Exported
    from pincite.rechecking import texts_in
    from pincite.render.saved import MAXIMUM_BYTES, read_records

    if unit != "codepoint" and form not in _WITH_UNITS:
        raise click.UsageError(f"{form} has its own unit: --unit is for {_WITH_UNITS[0]}")
    saved = read_records(record.read(MAXIMUM_BYTES + 1), name=record.name)
    if not saved:
        raise RecordUnusable(record.name, detail="it holds no record of an answer")
    for one in saved:
        if one.fault:
            raise RecordUnusable(record.name, detail=one.fault)
        texts = {} if root is None else texts_in(root, one.citations)
        exported = Exported(one.question, one.text, one.citations, texts, unit, one.conflicts)
        try:
            made = FORMATS[form](exported)
        except ValueError as error:
            if root is None:
                reason = f"{error}: give --root FOLDER with the documents as they were cited"
                raise UnreadableDocument(record.name, reason=reason) from error
            reason = f"{error}, which is not there as it was cited: `pincite verify` says more"
            raise UnreadableDocument(str(root), reason=reason) from error
        if isinstance(made, str):
            write_text(made)
        else:
            write_json(made, pretty=len(saved) == 1)
    return ANSWERED
