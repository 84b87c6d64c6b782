"""Keeping an index up to date while its folder changes, by the file system's own events."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from pincite.embedding import give_vectors
from pincite.errors import FolderNotFound, MissingExtra, PinciteError
from pincite.indexing import update
from pincite.loaders.extracted import DEFAULT, LoadSettings
from pincite.protocols import TextEncoder
from pincite.records import IndexReport
from pincite.store.ignoring import NAMES
from pincite.store.location import store_directory

_TOGETHER_MS = 400
"""Changes that follow each other so closely are one: a program that saves writes several times."""
_LOOK_MS = 500
"""How often to look whether the folder is still there, and whether to try again."""
_QUIET_LOOKS = 60
"""After so many looks without a change what earlier states left in a large index is wiped."""


def watch(
    folder: Path,
    *,
    store: Path | None = None,
    settings: LoadSettings = DEFAULT,
    encoder: TextEncoder | None = None,
    stop: threading.Event | None = None,
) -> Iterator[IndexReport | PinciteError]:
    """Bring the index of `folder` up to date, and again whenever something in it changes.

    With an `encoder`, passages get their vectors while nothing changes, some hundreds at a time.

    Gives the report of the first run, then those of runs that found something to do. What goes
    wrong in a run (another process is writing, the disk is full) is given too, once, and the run
    tried again. From a large index, the words that went are wiped once the folder has been quiet
    for a while. Ends when `stop` is set. Raises `FolderNotFound` when the folder is not
    there, also later, and `MissingExtra` without the library that listens to the file system.
    """
    if not folder.is_dir():
        raise FolderNotFound(folder)
    is_of_interest = _filter(folder, store_directory(folder, store))
    last: IndexReport | None = None
    failure = ""
    is_due = True
    quiet = 0
    encoding: Iterator[object] = iter(())
    # It listens from before the first run on, so that no change is missed.
    for has_changed in _changes(folder, is_of_interest, stop):
        quiet = 0 if has_changed or is_due else quiet + 1
        if quiet and quiet != _QUIET_LOOKS:
            if not folder.is_dir():
                raise FolderNotFound(folder)
            try:
                next(encoding, None)
            except PinciteError as error:
                # The next change begins it anew.
                encoding = iter(())
                yield error
            continue
        try:
            report = update(folder, store=store, settings=settings, hurry=has_changed)
        except FolderNotFound:
            raise
        except PinciteError as error:
            is_due = True
            if str(error) != failure:
                failure = str(error)
                yield error
            continue
        is_due, failure = False, ""
        if encoder is not None:
            encoding = give_vectors(folder, store_directory(folder, store), encoder)
        is_news = report.added or report.changed or report.removed
        if last is None or is_news or report.problems != last.problems:
            yield report
        last = report


def _changes(
    folder: Path, is_of_interest: Callable[[str], bool], stop: threading.Event | None
) -> Iterator[bool]:
    """Again and again, whether something has changed since the last time."""
    try:
        from watchfiles import watch as changes_of
        from watchfiles._rust_notify import WatchfilesRustInternalError
    except ImportError as error:
        raise MissingExtra("watching a folder", install="pip install 'pincite[watch]'") from error

    has_missed = False
    while True:
        try:
            for changes in changes_of(
                folder,
                # A filter would hold back the looks while others use the index, which lies here.
                watch_filter=None,
                debounce=_TOGETHER_MS,
                rust_timeout=_LOOK_MS,
                yield_on_timeout=True,
                stop_event=stop,
                raise_interrupt=True,
                ignore_permission_denied=True,
            ):
                yield has_missed or any(is_of_interest(path) for _, path in changes)
                has_missed = False
            return
        except WatchfilesRustInternalError:
            # A name that is not UTF-8: the library gives up over it, and has to begin anew.
            has_missed = True


def _filter(folder: Path, store: Path) -> Callable[[str], bool]:
    """Whether a change at a path can change the index: not one in the index itself, say."""
    top = os.path.realpath(folder)
    own = os.path.realpath(store)

    def is_of_interest(path: str) -> bool:
        inside = os.path.relpath(path, top)
        if path == own or path.startswith(own + os.sep):
            return False
        *folders, name = inside.split(os.sep)
        if any(part.startswith(".") and part not in (".", "..") for part in folders):
            return False
        return not name.startswith(".") or name == "." or name in NAMES

    return is_of_interest
