"""`backup` and `restore`: indexes, logs and tokens copied while they are used, and put back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pincite.cli.options import Named
from pincite.cli.output import ANSWERED, write_text

if TYPE_CHECKING:
    from pincite.backups import IndexedFolder

_STATE_HELP = "The state of the server: its log, tokens and groups (default: that of `serve`)."

state_option = click.option(
    "--state", type=Named(file_okay=False, path_type=Path), metavar="DIR", help=_STATE_HELP
)
store_option = click.option(
    "--store",
    type=Named(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Where the index of the one FOLDER is kept, if not in the folder (.pincite).",
)


@click.command("backup")
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER...")
@click.option(
    "--out",
    type=Named(path_type=Path),
    required=True,
    metavar="DIR",
    help="The directory to make; it must not be there yet.",
)
@state_option
@store_option
def backup_command(
    folders: tuple[str, ...], out: Path, state: Path | None, store: Path | None
) -> int:
    """Copy the index of each FOLDER, or NAME=FOLDER, and the state of the server to DIR.

    Servers and runs of indexing may go on meanwhile. The documents themselves are not copied.
    """
    # To ask, nothing of these is needed.
    from pincite.backups import back_up
    from pincite.server.settings import state_directory

    try:
        report = back_up(_indexed(folders, store), out, state=state or state_directory())
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--out") from error
    what = ", ".join(report.collections) + (" and the state" if report.has_state else "")
    size = f"{report.byte_count / 1e6:.1f} MB in {report.file_count} files"
    write_text(f"{out}: {what}, {size}\n")
    return ANSWERED


@click.command("restore")
@click.argument("backup", type=Named(path_type=Path), metavar="DIR")
@click.argument("folders", nargs=-1, metavar="FOLDER...")
@click.option("--replace", is_flag=True, help="Put it in place of what is there.")
@click.option("--check", is_flag=True, help="Only check that the backup is as it was written.")
@click.option(
    "--state",
    type=Named(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Put the state of the server there; without, it is left in the backup.",
)
@store_option
def restore_command(
    backup: Path,
    folders: tuple[str, ...],
    replace: bool,
    check: bool,
    state: Path | None,
    store: Path | None,
) -> int:
    """Put the index of each FOLDER, or NAME=FOLDER, back from the backup in DIR.

    No server may run meanwhile. `pincite index FOLDER` then reads what has changed since.
    """
    from pincite.backups import read_backup, restore

    if not check and not folders and state is None:
        raise click.UsageError("nothing to restore: name a FOLDER, or --state DIR, or --check")
    try:
        indexed = _indexed(folders, store)
        report = (
            read_backup(backup) if check else restore(backup, indexed, state=state, replace=replace)
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    held = ", ".join(report.collections) + (" and the state" if report.has_state else "")
    if check:
        write_text(f"{backup}: {held}, as it was written\n")
    else:
        done = [*indexed, *(["the state"] if state is not None else [])]
        write_text(f"restored from {backup}: {', '.join(done)}\n")
    return ANSWERED


def _indexed(folders: Sequence[str], store: Path | None) -> dict[str, IndexedFolder]:
    from pincite.backups import IndexedFolder
    from pincite.server.settings import named_folders
    from pincite.store import store_directory

    if store is not None and len(folders) != 1:
        raise click.UsageError("--store is of one FOLDER: name one")
    return {
        one.name: IndexedFolder(one.folder, store_directory(one.folder, store or one.store))
        for one in named_folders(folders)
    }
