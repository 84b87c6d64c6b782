"""A copy of a log that is whole, made while others write to it."""

from __future__ import annotations

import shutil
from pathlib import Path

from pincite.auditing.archive import DOCUMENTS, GENERATIONS
from pincite.auditing.locking import locked
from pincite.auditing.log import CHECKPOINTS, HEAD, LOCK, LOG
from pincite.auditing.private import make_private


def is_log(directory: Path) -> bool:
    """Whether a log is kept in this directory."""
    return (directory / LOG).is_file() and (directory / LOCK).is_file()


def copy_log(directory: Path, target: Path) -> None:
    """Copy a log, with the documents kept in it, to a directory that is made; raises OSError.

    Writers wait while the lines are copied.
    """
    make_private(target)
    with locked(directory / LOCK):
        for name in (LOG, HEAD, CHECKPOINTS):
            _copy(directory / name, target / name)
    # What the lines name was kept before them, and is not changed.
    for name in (DOCUMENTS, GENERATIONS):
        _copy(directory / name, target / name)


def _copy(source: Path, target: Path) -> None:
    if source.is_file():
        shutil.copy2(source, target)
    elif source.is_dir():
        make_private(target)
        for file in sorted(source.iterdir()):
            # A name that ends so is of a file that is being written.
            if file.suffix != ".new":
                shutil.copy2(file, target / file.name)
