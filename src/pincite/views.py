"""Views: stores that hold of an index what somebody may see, and nothing that tells of the rest.

Ranking, refusals, spelling hints and counts hang on everything that an index holds. So what is
hidden is not filtered out of results: it is not in the store that is asked. A view is a store like
any other, made from the rows of the index without reading a file, with terms, statistics, lexical
index and generations of its own.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from pincite.errors import (
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreNotFound,
    StoreNotWritable,
    StoreOfAnotherFolder,
)
from pincite.records import IndexState
from pincite.store.catalogue import lexical_is_sound
from pincite.store.copying import NOTHING, Contents, Copying, Held, read_contents, read_mark
from pincite.store.forgetting import holds_nothing_else
from pincite.store.location import remove_directory, views_directory
from pincite.store.schema import FILE_NAME, connect_to_read, translated
from pincite.store.snapshot import read_totals
from pincite.store.view_notes import (
    mark_used,
    note_rule,
    note_seen,
    rule_of,
    rules_to_json,
    seen,
    used,
)
from pincite.store.writer import Writer, open_writer
from pincite.visible import Visible

_UNUSED_DAYS = 30
_SOON_WRITTEN = 30_000_000
"""Bytes of a catalogue that are written anew while somebody waits."""
_PATIENCE = 60
"""How often another process that brings the same view up to date is waited for, half a second."""


def view_directory(folder: Path, source: Path, visible: Visible) -> Path:
    """Where the view of the index in `source` is kept; nothing is made."""
    rule = json.dumps(rules_to_json(visible))
    return views_directory(folder, source) / hashlib.sha256(rule.encode()).hexdigest()[:16]


def refresh_view(folder: Path, source: Path, visible: Visible, *, wipe: bool | None = None) -> Path:
    """Make the view, or bring it up to date; its directory.

    It holds the last finished generation of the source at some time since the call. Of what went,
    nothing stays in its files with `wipe`; by default, where that takes no long time. Raises the
    `StoreError`s: `StoreBusy` where another process is at work on it for long.
    """
    view = view_directory(folder, source, visible)
    for patience in reversed(range(_PATIENCE)):
        try:
            _refresh(folder, source, view, visible, wipe)
            return view
        except StoreBusy:
            if not patience:
                raise
            time.sleep(0.2)
        except _UNUSABLE as error:
            # All of it is in the source.
            if error.path != view:
                raise
            remove_view(view)
    raise StoreBusy(view)


def refresh_views(folder: Path, source: Path, *, wipe: bool) -> None:
    """Bring every view of an index up to date, so that nothing stays that went from the index.

    What another process is at work on, or cannot be written, is left as it is: it is brought up to
    date before it is used. Views that nobody used for long are removed.
    """
    for view in _views(folder, source):
        if time.time() - used(view) > _UNUSED_DAYS * 86_400:
            remove_view(view)
    # To write stores anew takes long: nobody waits for it who asks, once all are up to date.
    for anew in (False, True) if wipe else (False,):
        for view in _views(folder, source):
            visible = rule_of(view)
            # Without a rule it is being made.
            if visible is not None:
                with suppress(StoreBusy, StoreNotWritable):
                    _refresh_or_remove(folder, source, view, visible, wipe=anew)


def _refresh_or_remove(
    folder: Path, source: Path, view: Path, visible: Visible, *, wipe: bool
) -> None:
    try:
        _refresh(folder, source, view, visible, wipe)
    except _UNUSABLE as error:
        if error.path != view:
            raise
        remove_view(view)


def views_hold_nothing_else(folder: Path, source: Path) -> bool:
    """Whether no view holds anything of documents that the index does not hold as well."""
    for view in _views(folder, source):
        visible = rule_of(view)
        try:
            if visible is None or not _is_clean(source, view, visible):
                return False
        except (StoreError, OSError):
            return False
    return True


def remove_view(view: Path) -> None:
    """Take a view away; whoever is reading it reads on."""
    # Half of a view must not be taken for one.
    doomed = view.with_name(f".{view.name}-{os.getpid()}")
    with suppress(OSError):
        os.replace(view, doomed)
    remove_directory(doomed)


class Views:
    """The views of one index, brought up to date as they are asked for; threads may share it."""

    def __init__(self, folder: Path, source: Path) -> None:
        self._folder = folder
        self._source = source
        self._lock = threading.Lock()
        self._locks: dict[Visible, threading.Lock] = {}
        self._fresh: dict[Visible, tuple[_Version, Path]] = {}
        self._watching: tuple[_File, sqlite3.Connection] | None = None

    def store_of(self, visible: Visible) -> Path:
        """The store of the view, as `refresh_view` has it; the next questions are quick."""
        with self._lock:
            own = self._locks.setdefault(visible, threading.Lock())
        with own:
            # Asked for first: what is committed meanwhile is looked for the next time.
            version = self._version()
            known, view = self._fresh.get(visible, (None, Path()))
            is_there = known is not None and (view / FILE_NAME).exists()
            if not is_there or (known != version and not _has_seen(view, self._source)):
                view = refresh_view(self._folder, self._source, visible)
                mark_used(view)
            self._fresh[visible] = (version, view)
            return view

    def has(self, visible: Visible) -> bool:
        """Whether the view was finished once."""
        if visible in self._fresh:
            return True
        return bool(seen(view_directory(self._folder, self._source, visible)))

    def close(self) -> None:
        """Let go of the files of the index."""
        with self._lock:
            if self._watching is not None:
                self._watching[1].close()
                self._watching = None

    def _version(self) -> _Version:
        """Changes with everything that any process writes to the source."""
        with self._lock, translated(self._source):
            try:
                found = os.stat(self._source / FILE_NAME)
            except OSError as error:
                raise StoreNotFound(self._folder) from error
            file = (found.st_dev, found.st_ino)
            if self._watching is None or self._watching[0] != file:
                connection = connect_to_read(self._source)
                if connection is None:
                    raise StoreNotFound(self._folder)
                self._watching = (file, connection)
            (data,) = self._watching[1].execute("PRAGMA data_version").fetchone()
            return (*file, int(data))


_UNUSABLE = (StoreDamaged, StoreOfAnotherFolder)
_File = tuple[int, int]
_Version = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class _Changes:
    """What has to be done to a view."""

    remove: list[str]
    """What is gone, and what is put anew."""
    put: list[Held]
    restamp: list[Held]
    give_vectors: list[Held]
    """Of documents that stay."""
    problems: bool
    forgotten: bool

    def __bool__(self) -> bool:
        lists = (self.remove, self.put, self.restamp, self.give_vectors)
        return any(lists) or self.problems or self.forgotten


def _refresh(folder: Path, source: Path, view: Path, visible: Visible, wipe: bool | None) -> None:
    if _is_current(source, view, visible, wipe):
        return
    note_rule(view, visible)
    with (
        open_writer(view) as writer,
        # Not sooner: whoever writes next must see no earlier state of the source than this.
        _reading(source) as connection,
    ):
        held = _contents(view, visible)
        wanted = _seen(connection, source, visible)
        changes = _compare(wanted, held)
        _write(writer, Copying(connection, source), wanted, changes)
        writer.note_folder(folder)
        writer.repair_lexical()
        writer.finish(wipe=_wipes(view) if wipe is None else wipe)
        note_seen(view, read_mark(connection))


def _write(writer: Writer, copying: Copying, wanted: Contents, changes: _Changes) -> None:
    writer.remove(changes.remove)
    for document in changes.put:
        writer.put_packed(
            document.source,
            document.extraction,
            document.language,
            copying.passages(document.key),
            document.stamp,
            notes=document.notes,
            needs=document.needs,
        )
    for document in changes.restamp:
        writer.restamp(document.source.path, document.stamp)
    for document in (*changes.give_vectors, *changes.put):
        if document.vectors:
            path = document.source.path
            writer.put_vectors(path, wanted.encoder, copying.vectors(document.key))
    if changes.problems:
        writer.note_problems(wanted.problems.values(), loaders=wanted.loaders)
    if changes.forgotten:
        writer.note_forgotten(wanted.forgotten)


def _compare(wanted: Contents, held: Contents) -> _Changes:
    put: list[Held] = []
    restamp: list[Held] = []
    give_vectors: list[Held] = []
    for path, document in wanted.documents.items():
        own = held.documents.get(path)
        if own is None or not own.holds_what(document):
            put.append(document)
            continue
        if own.stamp != document.stamp:
            restamp.append(document)
        is_other = wanted.encoder != held.encoder
        if document.vectors > (0 if is_other else own.vectors):
            give_vectors.append(document)
    stay = wanted.documents.keys() - {one.source.path for one in put}
    return _Changes(
        remove=sorted(held.documents.keys() - stay),
        put=put,
        restamp=restamp,
        give_vectors=give_vectors,
        problems=held is NOTHING or wanted.problems != held.problems,
        forgotten=held is NOTHING or wanted.forgotten != held.forgotten,
    )


def _is_current(source: Path, view: Path, visible: Visible, wipe: bool | None) -> bool:
    """Whether nothing has to be written."""
    held = _contents(view, visible)
    if held is NOTHING:
        return False
    state = _state(view)
    wipe = _wipes(view) if wipe is None else wipe
    with _reading(source) as connection:
        changes = _compare(_seen(connection, source, visible), held)
        mark = read_mark(connection)
    is_current = (
        not changes
        and (not wipe or holds_nothing_else(view, state))
        and (not state.generation or lexical_is_sound(view, state))
    )
    if is_current:
        note_seen(view, mark)
    return is_current


def _is_clean(source: Path, view: Path, visible: Visible) -> bool:
    with _reading(source) as connection:
        wanted = _seen(connection, source, visible)
    changes = _compare(wanted, _contents(view, visible))
    return not changes.remove and holds_nothing_else(view, _state(view))


def _contents(view: Path, visible: Visible) -> Contents:
    """What the view holds, whoever may see it; `NOTHING` where it was never finished."""
    with translated(view):
        connection = connect_to_read(view)
        if connection is None:
            return NOTHING
        try:
            return read_contents(connection, view, lambda _: True, lambda _: True)
        finally:
            connection.close()


def _state(view: Path) -> IndexState:
    with translated(view):
        connection = connect_to_read(view)
        if connection is None:
            return IndexState(0, "")
        try:
            return read_totals(connection, view).state
        finally:
            connection.close()


def _seen(connection: sqlite3.Connection, source: Path, visible: Visible) -> Contents:
    with translated(source):
        return read_contents(connection, source, visible.sees, visible.sees_about)


@contextmanager
def _reading(source: Path) -> Iterator[sqlite3.Connection]:
    """A connection that sees one generation of the source."""
    with translated(source):
        connection = connect_to_read(source)
        if connection is None:
            raise StoreNotFound(source)
    try:
        with translated(source):
            connection.execute("BEGIN")
        yield connection
    finally:
        connection.close()


def _wipes(view: Path) -> bool:
    """Whether to write the view anew where something went, though somebody waits."""
    try:
        return os.path.getsize(view / FILE_NAME) <= _SOON_WRITTEN
    except OSError:
        return True


def _views(folder: Path, source: Path) -> list[Path]:
    directory = views_directory(folder, source)
    try:
        return [directory / name for name in sorted(os.listdir(directory)) if name[0] != "."]
    except OSError:
        return []


def _has_seen(view: Path, source: Path) -> bool:
    """Whether the view was compared with the source as it is, by whichever process."""
    with _reading(source) as connection, translated(source):
        return seen(view) == read_mark(connection)
