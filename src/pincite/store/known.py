"""What an index knows of the files of its folder, for telling what changed."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pincite.records import IndexState, Need, Problem
from pincite.store.codec import unpack_notes
from pincite.store.files import Stamp
from pincite.store.forgetting import read_forgotten
from pincite.store.schema import (
    all_checked,
    checked,
    connect_to_read,
    decoded,
    decoding,
    translated,
)
from pincite.store.snapshot import read_totals


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A document of the index, as its file was."""

    stamp: Stamp
    sha256: str
    extractor: str
    extractor_version: str
    notes: tuple[str, ...] = ()
    needs: tuple[Need, ...] = ()


@dataclass(frozen=True, slots=True)
class KnownProblem:
    """A file that could not be read; its stamp, if it need not be tried until it changes."""

    problem: Problem
    stamp: Stamp | None = None


@dataclass(frozen=True, slots=True)
class Known:
    """The files of one generation, by path."""

    state: IndexState
    files: dict[str, KnownFile]
    problems: dict[str, KnownProblem]
    loaders: str
    """What read them, as the writer named it; problems may be gone with other loaders."""
    forgotten: frozenset[str] = frozenset()
    """Files and folders that are kept out."""


NOTHING_KNOWN = Known(IndexState(0, ""), {}, {}, "")


def known_files(store: Path) -> Known:
    """What the last finished generation knows; `NOTHING_KNOWN` where there is none."""
    with translated(store):
        connection = connect_to_read(store)
        if connection is None:
            return NOTHING_KNOWN
        try:
            connection.execute("BEGIN")
            return read_known(connection, store)
        finally:
            connection.close()


def read_known(connection: sqlite3.Connection, store: Path) -> Known:
    """What the generation that this connection sees knows of its files; `StoreDamaged`."""
    documents = connection.execute(
        "SELECT path, sha256, extractor, extractor_version, notes, needs,"
        " size, mtime_ns, ctime_ns, inode, settled FROM documents"
    ).fetchall()
    problems = read_problems(connection, store)
    loaders = connection.execute("SELECT loaders FROM state").fetchone()
    forgotten = read_forgotten(connection, store)
    files = {}
    with decoding(store):
        for path, sha256, extractor, version, notes, needs, *stamp in all_checked(
            documents, *_FILE
        ):
            files[decoded(path)] = KnownFile(
                _stamp(stamp),
                sha256,
                extractor,
                version,
                unpack_notes(notes),
                tuple(map(Need, needs.split())),
            )
        (loaders,) = checked(loaders, str)
    return Known(
        read_totals(connection, store).state, files, problems, loaders, frozenset(forgotten)
    )


def read_problems(connection: sqlite3.Connection, store: Path) -> dict[str, KnownProblem]:
    """The files that could not be read, by path; `StoreDamaged`."""
    unread = connection.execute(
        "SELECT path, reason, need, size, mtime_ns, ctime_ns, inode, settled FROM problems"
    ).fetchall()
    problems = {}
    with decoding(store):
        for row in unread:
            path, reason, need, *stamp = row
            checked((path, reason, need), bytes, bytes, str)
            problem = Problem(decoded(path), decoded(reason), need=Need(need) if need else None)
            known = None if stamp[0] is None else _stamp(checked(stamp, *_STAMP))
            problems[problem.path] = KnownProblem(problem, known)
    return problems


_STAMP = (int,) * 5
_FILE = (bytes, str, str, str, bytes, str, *_STAMP)


def _stamp(numbers: Sequence[int]) -> Stamp:
    size, mtime, ctime, inode, settled = numbers
    return Stamp(size, mtime, ctime, inode, bool(settled))
