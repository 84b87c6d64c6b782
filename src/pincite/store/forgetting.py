"""What is to be kept out of an index though it is in the folder, and what a store still holds."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable
from contextlib import suppress
from pathlib import Path

from pincite.records import IndexState
from pincite.store.location import remove_directory
from pincite.store.schema import (
    FILE_NAME,
    LEXICAL_NAME,
    all_checked,
    decoded,
    decoding,
    encoded,
)

WIPING_NAME = "wiping"
"""A file that is there while words of documents that are gone may be in the store."""


def read_forgotten(connection: sqlite3.Connection, store: Path) -> tuple[str, ...]:
    """The paths of files and folders that are kept out of the index, sorted; `StoreDamaged`."""
    rows = connection.execute("SELECT path FROM forgotten").fetchall()
    with decoding(store):
        return tuple(sorted(decoded(path) for (path,) in all_checked(rows, bytes)))


def note_forgotten(connection: sqlite3.Connection, paths: Iterable[str]) -> None:
    """Keep these out of the index from now on, and nothing else."""
    connection.execute("DELETE FROM forgotten")
    connection.executemany(
        "INSERT INTO forgotten VALUES (?)", [(encoded(path),) for path in sorted(set(paths))]
    )


def is_forgotten(path: str, forgotten: Collection[str]) -> bool:
    """Whether the file at `path`, or a folder it is in, is one of `forgotten`."""
    if not forgotten:
        return False
    parts = path.split("/")
    return any("/".join(parts[:count]) in forgotten for count in range(1, len(parts) + 1))


def holds_nothing_else(store: Path, state: IndexState) -> bool:
    """Whether the files of the store hold the generation `state` and nothing of earlier ones.

    A run that was killed, or one that ended while another process was reading, may leave words
    of documents that are gone behind; the next run that writes takes them away.
    """
    log = store / f"{FILE_NAME}-wal"
    try:
        if (store / WIPING_NAME).exists():
            return False
        if log.exists() and log.stat().st_size:
            return False
        return all(
            found.name == str(state.generation)
            for found in (store / LEXICAL_NAME).iterdir()
            if found.name.isdecimal()
        )
    except OSError:
        return True


def tidy(connection: sqlite3.Connection, store: Path, state: IndexState, *, wipe: bool) -> None:
    """Remove what is of other generations than `state`, and fold the log into the database.

    Readers of an older generation keep the files they hold; whoever comes later rebuilds. With
    `wipe` the database is written anew. A failure changes nothing but the space used, and what
    `holds_nothing_else` says.
    """
    lexical = store / LEXICAL_NAME
    if lexical.is_dir():
        for directory in sorted(lexical.iterdir()):
            if directory.name.isdecimal() and directory.name != str(state.generation):
                remove_directory(directory)
    with suppress(sqlite3.OperationalError, OSError):
        if wipe:
            # SQLite overwrites what it deletes, but not where it moved it away from: pages that
            # were split or joined may hold parts of it until all are written anew.
            connection.execute("VACUUM")
        busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if wipe and not busy:
            (store / WIPING_NAME).unlink(missing_ok=True)
