"""Where the index of a folder is kept."""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from pathlib import Path

from pincite.store.schema import FILE_NAME

BESIDE = ".pincite"
_IGNORE = ".gitignore"
_VIEWS = "views"
_WAITS = (0.0, 0.01, 0.05, 0.2)
"""Seconds until a directory that is still there is removed again."""
VIEW_RULE = "view.json"
"""In the directory of a store, a file that says which documents of another store it holds."""


def store_directory(folder: Path, store: Path | None = None) -> Path:
    """The directory of the index of `folder`: `store` if given, else the place in use.

    That is `.pincite` in the folder, so that moving the folder moves its index along; or, where
    the folder cannot be written, a directory of its own in the user's cache. Of two that hold an
    index the writable one is taken. Nothing is created.
    """
    if store is not None:
        return store
    beside = folder / BESIDE
    writable = _can_write(beside if beside.exists() else folder)
    if (beside / FILE_NAME).exists() and writable:
        return beside
    cached = cache_directory(folder)
    for directory in (cached, beside):
        if (directory / FILE_NAME).exists():
            return directory
    return beside if writable else cached


def cache_directory(folder: Path) -> Path:
    """The place for the index of a folder that cannot be written, in the user's cache."""
    import platformdirs  # Most folders can be written.

    resolved = os.path.realpath(folder)
    digest = hashlib.sha256(os.fsencode(resolved)).hexdigest()[:16]
    return Path(platformdirs.user_cache_dir("pincite", appauthor=False)) / "stores" / digest


def views_directory(folder: Path, store: Path) -> Path:
    """Where the views of the index in `store` are kept: in it or, where it cannot be written, in
    the user's cache. Nothing is made.
    """
    return (store if _can_write(store) else cache_directory(folder)) / _VIEWS


def is_view(store: Path) -> bool:
    """Whether what the store holds follows another store, and not a folder."""
    return (store / VIEW_RULE).exists()


def writable_directory(folder: Path, directory: Path) -> Path:
    """Where to write the index that is kept in `directory`: there, or in the user's cache."""
    if directory == folder / BESIDE and directory.exists() and not _can_write(directory):
        return cache_directory(folder)
    return directory


def prepare(store: Path) -> None:
    """Make the directory, and keep it out of version control; raises OSError."""
    if not store.exists():
        store.mkdir(parents=True)
        (store / _IGNORE).write_bytes(b"*\n")


def discard(store: Path) -> None:
    """Take away an index that was begun and holds nothing; other files there are left alone."""
    for name in (FILE_NAME, f"{FILE_NAME}-wal", f"{FILE_NAME}-shm"):
        (store / name).unlink(missing_ok=True)
    if os.listdir(store) == [_IGNORE]:
        (store / _IGNORE).unlink()
        store.rmdir()


def remove_directory(directory: Path) -> None:
    """Take a directory away with all that is in it, if that can be done.

    Also where a file is made in it meanwhile: whoever opens a lexical index starts a thread that
    may make its lock there a moment later.
    """
    for wait in _WAITS:
        shutil.rmtree(directory, ignore_errors=True)
        if not directory.exists():
            return
        time.sleep(wait)


def _can_write(directory: Path) -> bool:
    return os.access(directory, os.W_OK | os.X_OK)
