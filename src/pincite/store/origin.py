"""Which folder an index was made for: one directory must not serve two folders in turn."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

from pincite.errors import StoreOfAnotherFolder
from pincite.store.location import BESIDE
from pincite.store.schema import checked, connect_to_read, decoded, decoding, encoded, translated


def check_origin(store: Path, folder: Path) -> bool:
    """Whether the index in `store`, if there is one, is noted as that of `folder`.

    Raises `StoreOfAnotherFolder` where it is that of another folder, which still is there. A folder
    that is gone was moved or renamed, and its index goes on as that of `folder`: what is in the
    files decides what has to be read again. So it is with an index in its place beside the
    documents, which moves along. Raises `StoreTooNew` and `StoreDamaged` as well.
    """
    if _lies_beside(store, folder):
        return True
    with translated(store):
        connection = connect_to_read(store)
        if connection is None:
            return True
        try:
            return check_origin_in(connection, store, folder)
        finally:
            connection.close()


def check_origin_in(connection: sqlite3.Connection, store: Path, folder: Path) -> bool:
    """The same, with a connection to the catalogue."""
    if _lies_beside(store, folder):
        return True
    origin = read_origin(connection, store)
    if _is_another(origin, folder):
        raise StoreOfAnotherFolder(store, folder=folder, made_for=Path(origin))
    return origin == os.path.realpath(folder)


def read_origin(connection: sqlite3.Connection, store: Path) -> str:
    """The folder that the index was made for, empty where that is not known; `StoreDamaged`."""
    row = connection.execute("SELECT folder FROM state").fetchone()
    with decoding(store):
        return decoded(checked(row, bytes)[0])


def note_origin(connection: sqlite3.Connection, folder: Path) -> None:
    """Write down that the index is that of `folder`."""
    connection.execute("UPDATE state SET folder = ?", (encoded(os.path.realpath(folder)),))


def _lies_beside(store: Path, folder: Path) -> bool:
    return os.path.realpath(store) == os.path.realpath(folder / BESIDE)


def _is_another(origin: str, folder: Path) -> bool:
    """Whether `origin` is a folder that is there, and not `folder` by another name."""
    if not origin:
        return False
    try:
        return os.path.isdir(origin) and not os.path.samefile(origin, folder)
    except (OSError, ValueError):
        # It went away meanwhile, or no file system has such a name.
        return False
