"""Vectors of passages in the catalogue: written after the rest, some at a time.

They are kept in runs of passages of one document that follow each other, so that they are read
quickly and go with their document. A run is written once and never changed.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pincite.protocols import VECTOR_LENGTH
from pincite.store.schema import all_checked, checked, connect_to_write, decoding, translated


@dataclass(frozen=True, slots=True)
class Unencoded:
    """A passage that has no vector yet."""

    key: int
    document: int


@dataclass(frozen=True, slots=True)
class VectorCount:
    """How many passages of a generation have a vector of one encoder."""

    generation: int
    vectors: int
    passages: int


def read_vector_count(connection: sqlite3.Connection, store: Path, encoder: str) -> VectorCount:
    """The count for the generation that the connection sees; `StoreDamaged`."""
    row = connection.execute(
        "SELECT generation, vector_count, passage_count, encoder FROM state"
    ).fetchone()
    with decoding(store):
        generation, vectors, passages, name = checked(row, int, int, int, str)
        if not 0 <= vectors <= passages:
            raise ValueError("there are more vectors than passages")
    return VectorCount(generation, vectors if name == encoder else 0, passages)


def unencoded(
    connection: sqlite3.Connection, store: Path, encoder: str, *, after: int, limit: int
) -> list[Unencoded]:
    """The first of the passages with a key above `after` that have no vector of this encoder."""
    # The passages of a document have keys one after the other, and get their vectors in this
    # order.
    rows = connection.execute(
        "SELECT key, document FROM passage_terms AS passage WHERE key > ? AND ("
        " (SELECT encoder FROM state) != ? OR key >= coalesce((SELECT max(first + count)"
        " FROM vectors WHERE vectors.document = passage.document), 0)) ORDER BY key LIMIT ?",
        (after, encoder, limit),
    ).fetchall()
    with decoding(store):
        return [Unencoded(*row) for row in all_checked(rows, int, int)]


def write_vectors(
    store: Path,
    encoder: str,
    seen: VectorCount,
    passages: Sequence[Unencoded],
    vectors: Sequence[bytes],
) -> VectorCount:
    """Keep the vectors of these passages, and what the count is then; others' are removed.

    Nothing is written where the count is not what was `seen` when the passages were chosen: some
    of them may be gone, or have their vectors. Raises `StoreBusy` while another process writes,
    `StoreNotWritable` and `StoreDamaged`.
    """
    with translated(store):
        connection = connect_to_write(store)
        try:
            current = read_vector_count(connection, store, encoder)
            if current != seen:
                return current
            if not current.vectors:
                connection.execute("DELETE FROM vectors")
                connection.execute("UPDATE state SET encoder = ?, vector_count = 0", (encoder,))
            connection.executemany(
                "INSERT INTO vectors VALUES (?, ?, ?, ?)", _runs(passages, vectors)
            )
            connection.execute("UPDATE state SET vector_count = vector_count + ?", (len(passages),))
            connection.execute("COMMIT")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        finally:
            connection.close()
    return replace(seen, vectors=seen.vectors + len(passages))


def put_vectors(
    connection: sqlite3.Connection,
    document: int,
    encoder: str,
    runs: Sequence[tuple[int, int, bytes]],
) -> None:
    """Keep vectors for the passages of a document, in place of those it has; others' are removed.

    Each run is the place of its first passage in the document, their number, and their vectors.
    """
    (current,) = connection.execute("SELECT encoder FROM state").fetchone()
    if current != encoder:
        connection.execute("DELETE FROM vectors")
        connection.execute("UPDATE state SET encoder = ?, vector_count = 0", (encoder,))
    remove_vectors(connection, document)
    (first,) = connection.execute(
        "SELECT min(key) FROM passages WHERE document = ?", (document,)
    ).fetchone()
    connection.executemany(
        "INSERT INTO vectors VALUES (?, ?, ?, ?)",
        [(first + place, document, count, vectors) for place, count, vectors in runs],
    )
    connection.execute(
        "UPDATE state SET vector_count = vector_count + ?", (sum(count for _, count, _ in runs),)
    )


def remove_vectors(connection: sqlite3.Connection, document: int) -> None:
    """Remove the vectors of the passages of a document, given by its key."""
    connection.execute(
        "UPDATE state SET vector_count = vector_count - (SELECT coalesce(sum(count), 0)"
        " FROM vectors WHERE document = ?)",
        (document,),
    )
    connection.execute("DELETE FROM vectors WHERE document = ?", (document,))


def _runs(
    passages: Sequence[Unencoded], vectors: Sequence[bytes]
) -> Iterable[tuple[int, int, int, bytes]]:
    start = 0
    for end in range(1, len(passages) + 1):
        if end == len(passages) or passages[end].document != passages[start].document:
            blob = b"".join(vectors[start:end])
            if len(blob) != (end - start) * VECTOR_LENGTH:
                raise ValueError(f"a vector has not {VECTOR_LENGTH} numbers")
            yield passages[start].key, passages[start].document, end - start, blob
            start = end
