"""`backup` and `restore`: indexes, logs and tokens copied while they are used, and put back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pincite.cli.options import Named
from pincite.cli.output import ANSWERED, write_text
from pincite.cli.tokens import tokens_file
from pincite.render.text import counted

if TYPE_CHECKING:
    from pincite.backups import BackupReport, IndexedFolder

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
@click.option(
    "--state",
    type=Named(file_okay=False, path_type=Path),
    metavar="DIR",
    help="What the server keeps, above all its log (default: where `serve` keeps it).",
)
@click.option(
    "--tokens",
    type=Named(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The tokens (default: where `token add` keeps them).",
)
@click.option(
    "--groups",
    type=Named(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The file of groups that the server reads.",
)
@store_option
def backup_command(
    folders: tuple[str, ...],
    out: Path,
    state: Path | None,
    tokens: Path | None,
    groups: Path | None,
    store: Path | None,
) -> int:
    """Copy the index of each FOLDER, or NAME=FOLDER, and what the server keeps to DIR.

    Servers and runs of indexing may go on meanwhile. The documents themselves are not copied.
    """
    # To ask, nothing of these is needed.
    from pincite.backups import back_up
    from pincite.server.settings import state_directory

    usual = tokens_file()
    files = _named_files(tokens or (usual if usual.is_file() else None), groups)
    try:
        report = back_up(
            _indexed(folders, store), out, state=state or state_directory(), files=files
        )
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--out") from error
    size = f"{report.byte_count / 1e6:.1f} MB in {counted(report.file_count, 'file')}"
    write_text(f"{out}: {_held(report)}; {size}\n")
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
    help="Put what the server kept there; without, it is left in the backup.",
)
@click.option(
    "--tokens",
    type=Named(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Put the tokens there; without, they are left in the backup.",
)
@click.option(
    "--groups",
    type=Named(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Put the groups there; without, they are left in the backup.",
)
@store_option
def restore_command(
    backup: Path,
    folders: tuple[str, ...],
    replace: bool,
    check: bool,
    state: Path | None,
    tokens: Path | None,
    groups: Path | None,
    store: Path | None,
) -> int:
    """Put the index of each FOLDER, or NAME=FOLDER, back from the backup in DIR.

    Not while a server uses them. `pincite index FOLDER` then reads what has changed since.
    """
    from pincite.backups import read_backup, restore

    if check:
        write_text(f"{backup}: {_held(read_backup(backup))}; as it was written\n")
        return ANSWERED
    files = _named_files(tokens, groups)
    if not folders and state is None and not files:
        raise click.UsageError(
            "nothing to restore: name a FOLDER, or --state, --tokens or --groups, or give --check"
        )
    indexed = _indexed(folders, store)
    try:
        restore(backup, indexed, state=state, files=files, replace=replace)
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    done = [*indexed, *(["the state"] if state is not None else []), *files]
    write_text(f"restored from {backup}: {', '.join(done)}\n")
    return ANSWERED


def _held(report: BackupReport) -> str:
    return ", ".join(
        [*report.collections, *(["the state"] if report.has_state else []), *report.files]
    )


def _named_files(tokens: Path | None, groups: Path | None) -> dict[str, Path]:
    from pincite.backups import GROUPS, TOKENS

    files = {TOKENS: tokens, GROUPS: groups}
    return {name: file for name, file in files.items() if file is not None}


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
