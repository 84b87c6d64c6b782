"""That a server uses a directory: noted there, so that nothing else is put in its place."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from pincite.errors import DirectoryInUse

IN_USE = "in-use"
"""Whoever uses the directory holds a lock on this file in it; the system takes it back from a
process that ends, however it ends."""

if sys.platform == "win32":

    def _lock(file: int, *, alone: bool) -> None:
        """Nothing: a directory of files that are open cannot be replaced there."""

else:
    import fcntl

    def _lock(file: int, *, alone: bool) -> None:
        fcntl.flock(file, (fcntl.LOCK_EX if alone else fcntl.LOCK_SH) | fcntl.LOCK_NB)


def use(directory: Path) -> Callable[[], None]:
    """Note that the directory is used until what is returned is called, or this process ends.

    Where it cannot be written nothing can be put in its place either, and nothing is noted.
    """
    try:
        file = os.open(directory / IN_USE, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError:
        return lambda: None
    with suppress(OSError):
        _lock(file, alone=False)
    return lambda: os.close(file)


def check_unused(directory: Path) -> None:
    """Raise `DirectoryInUse` where somebody uses the directory."""
    try:
        file = os.open(directory / IN_USE, os.O_RDWR)
    except OSError:
        return
    try:
        # A file system without locks says something else.
        with suppress(OSError):
            try:
                _lock(file, alone=True)
            except BlockingIOError as error:
                raise DirectoryInUse(directory) from error
    finally:
        os.close(file)
