"""The tables of the catalogue, how a connection to it is opened, and what its errors mean."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pincite.errors import StoreBusy, StoreDamaged, StoreError, StoreNotWritable, StoreTooNew
from pincite.text import ANALYSIS

FILE_NAME = "catalogue.sqlite3"
LEXICAL_NAME = "lexical"
FORMAT = 10
"""Version of the tables; a store with a larger one is left alone, with a smaller one built anew."""
APPLICATION_ID = 0x50494E43
"""Marks the file as ours: `PINC`."""

# A writer waits this long: enough for a reader that recovers or checkpoints the log to finish,
# too short to notice when another writer is at work.
_WAIT_SECONDS = 0.3
_UNOPENED = frozenset({sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR})
_CACHE_READING = -64_000
"""In KiB, as SQLite counts it: negative. What questions look up lies all over the file."""
_CACHE_WRITING = -16_000

# Text is kept as UTF-8 with surrogates in BLOBs: SQLite's TEXT can hold neither lone surrogates
# nor, reliably, NUL, and files have both. What search needs of a passage (place, language,
# lengths, terms) stands apart from its text, even twice: to look up 200 passages is most of what a
# question waits for, and should take one page of the file each.
TABLES = """
CREATE TABLE state (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    generation INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    folder BLOB NOT NULL,
    loaders TEXT NOT NULL,
    analysis TEXT NOT NULL,
    passage_count INTEGER NOT NULL,
    sentence_count INTEGER NOT NULL,
    title_length INTEGER NOT NULL,
    headings_length INTEGER NOT NULL,
    body_length INTEGER NOT NULL,
    next_passage INTEGER NOT NULL,
    encoder TEXT NOT NULL,
    vector_count INTEGER NOT NULL
);
CREATE TABLE documents (
    key INTEGER PRIMARY KEY,
    path BLOB NOT NULL UNIQUE,
    title BLOB NOT NULL,
    media_type TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    modified TEXT NOT NULL,
    extractor TEXT NOT NULL,
    extractor_version TEXT NOT NULL,
    text_sha256 TEXT NOT NULL,
    language TEXT NOT NULL,
    notes BLOB NOT NULL,
    needs TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    settled INTEGER NOT NULL
);
CREATE TABLE passages (
    key INTEGER PRIMARY KEY,
    document INTEGER NOT NULL REFERENCES documents (key),
    ordinal INTEGER NOT NULL,
    start INTEGER NOT NULL,
    end INTEGER NOT NULL,
    first_line INTEGER NOT NULL,
    language TEXT NOT NULL,
    heading_path TEXT NOT NULL,
    sentences BLOB NOT NULL,
    seal BLOB NOT NULL,
    text BLOB NOT NULL
);
CREATE UNIQUE INDEX passages_in_reading_order ON passages (document, ordinal);
CREATE TABLE passage_terms (
    key INTEGER PRIMARY KEY REFERENCES passages (key),
    document INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    language TEXT NOT NULL,
    title_length INTEGER NOT NULL,
    headings_length INTEGER NOT NULL,
    body_length INTEGER NOT NULL,
    terms BLOB NOT NULL
);
CREATE TABLE passage_marks (
    key INTEGER PRIMARY KEY REFERENCES passages (key),
    marks BLOB NOT NULL
);
CREATE TABLE vectors (
    first INTEGER PRIMARY KEY REFERENCES passages (key),
    document INTEGER NOT NULL REFERENCES documents (key),
    count INTEGER NOT NULL,
    vectors BLOB NOT NULL
);
CREATE INDEX vectors_of_documents ON vectors (document);
CREATE TABLE terms (
    id INTEGER PRIMARY KEY,
    term TEXT NOT NULL UNIQUE,
    passages INTEGER NOT NULL
);
CREATE TABLE problems (
    path BLOB PRIMARY KEY,
    reason BLOB NOT NULL,
    need TEXT NOT NULL,
    size INTEGER,
    mtime_ns INTEGER,
    ctime_ns INTEGER,
    inode INTEGER,
    settled INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE forgotten (
    path BLOB PRIMARY KEY
) WITHOUT ROWID;
"""


_FIRST_STATE = "INSERT INTO state VALUES (1, 0, '', x'', '', ?, 0, 0, 0, 0, 0, 1, '', 0)"
# What decoding raises over values that no version ever wrote.
_UNDECODABLE = (ValueError, KeyError, IndexError, TypeError, OverflowError, RecursionError)


def encoded(text: str) -> bytes:
    """`text` as it is kept in the catalogue; equal texts and their order are preserved."""
    return text.encode("utf-8", "surrogatepass")


def decoded(stored: bytes) -> str:
    """The text that `encoded` gave."""
    return stored.decode("utf-8", "surrogatepass")


@contextmanager
def translated(store: Path) -> Iterator[None]:
    """Turn errors of SQLite inside the block into a `StoreError` about `store`."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translation(error, store) from error
    except UnicodeDecodeError as error:
        # Of a message of SQLite that quotes a damaged schema.
        raise StoreDamaged(store, detail="its tables are not those of Pincite") from error


@contextmanager
def decoding(store: Path) -> Iterator[None]:
    """Turn what goes wrong inside the block into `StoreDamaged`.

    Only for code that makes sense of rows already read: nothing of the caller's may fail there.
    """
    try:
        yield
    except _UNDECODABLE as error:
        raise StoreDamaged(store, detail=f"it holds what cannot be read: {error}") from error


def checked(row: Any, *types: type) -> Any:
    """`row`, whose values must be of these types: damage may turn a number into something else."""
    if row is None or tuple(map(type, row)) != types:
        raise ValueError("a row is not as it was written")
    return row


def all_checked(rows: list[Any], *types: type) -> list[Any]:
    """`rows`, each as `checked` would have it; by columns, which for many rows is far quicker."""
    if rows:
        for column, kind in zip(zip(*rows, strict=True), types, strict=True):
            if set(map(type, column)) != {kind}:
                raise ValueError("a row is not as it was written")
    return rows


def _translation(error: sqlite3.Error, store: Path) -> StoreError:
    code = _primary(error)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return StoreBusy(store)
    if code == sqlite3.SQLITE_FULL:
        return StoreNotWritable(store, reason="the disk is full")
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM):
        return StoreNotWritable(store, reason="no permission to write there")
    if code == sqlite3.SQLITE_IOERR:
        return StoreNotWritable(store, reason=f"the disk is full or failing ({error})")
    if code == sqlite3.SQLITE_CANTOPEN:
        return StoreNotWritable(store, reason=f"no permission to open {FILE_NAME} there")
    return StoreDamaged(store, detail=str(error))


def _primary(error: sqlite3.Error) -> int:
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF


def _connect(path: Path, parameters: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?{parameters}",
        uri=True,
        timeout=_WAIT_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )


def is_current(connection: sqlite3.Connection, store: Path) -> bool:
    """Whether the catalogue has its tables, of this format and with this analysis of texts.

    A first run that never finished leaves no tables; an earlier version other ones. Raises
    `StoreTooNew`, and `StoreDamaged` for a database that is not a catalogue.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if application == APPLICATION_ID:
        if version > FORMAT:
            raise StoreTooNew(store, found=version, supported=FORMAT)
        if version < FORMAT:
            return False
        with decoding(store):
            (analysis,) = checked(connection.execute("SELECT analysis FROM state").fetchone(), str)
        return bool(analysis == ANALYSIS)
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if tables or application:
        raise StoreDamaged(store, detail=f"{FILE_NAME} was not written by Pincite")
    return False


def connect_to_read(store: Path) -> sqlite3.Connection | None:
    """A connection that cannot write; None where no index that can be used was finished."""
    path = store / FILE_NAME
    if not path.exists():
        return None
    connection = _connect(path, "mode=ro")
    try:
        current = is_current(connection, store)
    except (StoreError, UnicodeDecodeError):
        connection.close()
        raise
    except sqlite3.Error as error:
        connection.close()
        log = path.with_name(FILE_NAME + "-wal")
        # To read through a write-ahead log SQLite needs a file of shared memory beside it, which
        # cannot be made without permission or on a full disk. With nothing in the log the
        # database stands complete by itself.
        if _primary(error) not in _UNOPENED or (log.exists() and log.stat().st_size):
            raise
        connection = _connect(path, "mode=ro&immutable=1")
        try:
            current = is_current(connection, store)
        except BaseException:
            connection.close()
            raise
    if not current:
        connection.close()
        return None
    connection.execute(f"PRAGMA cache_size = {_CACHE_READING}")
    return connection


def connect_to_write(store: Path) -> sqlite3.Connection:
    """A connection inside a write transaction, with the tables made where there were none.

    Those of an earlier version make room for empty ones: everything is in the documents.

    The transaction is the lock between writers: SQLite gives it to one process and the system
    takes it back when that process ends, however it ends.
    """
    connection = _connect(store / FILE_NAME, "mode=rwc")
    try:
        is_current(connection, store)
        connection.execute(f"PRAGMA cache_size = {_CACHE_WRITING}")
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA secure_delete = ON")
        connection.execute("BEGIN IMMEDIATE")
        if not is_current(connection, store):
            forgotten = _dropped(connection)
            for statement in TABLES.split(";\n"):
                connection.execute(statement)
            connection.execute(_FIRST_STATE, (ANALYSIS,))
            connection.executemany("INSERT INTO forgotten VALUES (?)", forgotten)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {FORMAT}")
    except BaseException:
        connection.close()
        raise
    return connection


def _dropped(connection: sqlite3.Connection) -> list[tuple[bytes]]:
    """Drop all tables; what was to be forgotten, which stands in no document, is given back."""
    # The last made first: no table refers to a later one.
    tables = connection.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        " ORDER BY rowid DESC"
    ).fetchall()
    forgotten = []
    if ("forgotten",) in tables:
        forgotten = connection.execute("SELECT path FROM forgotten").fetchall()
    for (name,) in tables:
        connection.execute('DROP TABLE "{}"'.format(name.replace('"', '""')))
    return forgotten
