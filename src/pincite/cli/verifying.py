"""`verify`: what has become of the citations of saved answers."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO

import click

from pincite.cli.options import Named, json_option
from pincite.cli.output import ANSWERED, complain, width, write_json, write_text
from pincite.cli.settings import load_settings, reading_options

DOES_NOT_HOLD = 3


@click.command("verify")
@click.argument("record", type=click.File("rb"))
@click.option(
    "--root",
    type=Named(path_type=Path),
    default=Path("."),
    metavar="FOLDER",
    help="The folder of documents that was asked (default: the current one).",
)
@click.option("--allow-moved", is_flag=True, help="Accept words that stand in another place now.")
@json_option
@reading_options
def verify_command(record: BinaryIO, root: Path, allow_moved: bool, as_json: bool) -> int:
    """Check the citations in RECORD, a saved answer (`ask --json`) or batch, against the files.

    No index is needed. Exit codes: 0 every citation holds, 3 one does not, 1 RECORD is none.
    """
    # To ask, nothing of these is needed.
    from pincite.rechecking import holds_none, verify_in
    from pincite.render.saved import MAXIMUM_BYTES, not_compared, read_records
    from pincite.render.verified import verified_text, verified_to_json
    from pincite.verifications import Status

    saved = read_records(record.read(MAXIMUM_BYTES + 1), name=record.name)
    every = [citation for one in saved for citation in one.citations]
    faults = [f"record {n}: {one.fault}" for n, one in enumerate(saved, start=1) if one.fault]
    if not saved:
        faults.append("nothing was checked: there are only records of errors")
    versions = [one.version for one in saved for _ in one.citations]
    found = iter(verify_in(root, every, load_settings(root), versions))
    verified = [[next(found) for _ in one.citations] for one in saved]
    if as_json:
        write_json(verified_to_json(verified, faults, not_compared(saved)), pretty=True)
    else:
        write_text(verified_text(verified, faults, not_compared(saved), width=width()))
    if holds_none(root, every):
        complain(
            f"none of the files that are cited is in {root.resolve()}: is it the folder that was "
            "asked? If not, name that with --root FOLDER"
        )
    accepted = {Status.VALID, *([Status.MOVED] if allow_moved else [])}
    holds = not faults and all(
        one.status in accepted for of_record in verified for one in of_record
    )
    return ANSWERED if holds else DOES_NOT_HOLD
