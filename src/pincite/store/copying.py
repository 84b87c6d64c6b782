"""What a catalogue holds, document by document, taken out as another catalogue takes it in."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pincite.records import Extraction, Need, Source
from pincite.store.codec import (
    SENTENCE_BYTES,
    term_counts,
    term_numbers,
    unpack_fields,
    unpack_notes,
)
from pincite.store.files import Stamp
from pincite.store.forgetting import read_forgotten
from pincite.store.known import KnownProblem, read_problems
from pincite.store.packing import PackedPassages
from pincite.store.schema import all_checked, checked, decoded, decoding

_AT_ONCE = 1_000
"""Passages taken together: bounds the memory that a large document takes."""
_LOOKED_UP = 500
"""Terms in one SQL statement; SQLite allows 999 and more."""


@dataclass(frozen=True, slots=True)
class Held:
    """A document of a catalogue: what its text was made of, and what was noted since."""

    key: int
    source: Source
    extraction: Extraction
    language: str
    notes: tuple[str, ...]
    needs: tuple[Need, ...]
    stamp: Stamp
    vectors: int
    """How many of its passages have a vector."""

    def holds_what(self, other: Held) -> bool:
        """Whether the passages of both are the same."""
        return self._made_of() == other._made_of()

    def _made_of(self) -> tuple[object, ...]:
        return self.source, self.extraction, self.language, self.notes, self.needs


@dataclass(frozen=True, slots=True)
class Contents:
    """What one generation of a catalogue holds of some of its files."""

    documents: dict[str, Held]
    problems: dict[str, KnownProblem]
    forgotten: frozenset[str]
    loaders: str
    encoder: str
    """What gave the vectors."""


NOTHING = Contents({}, {}, frozenset(), "", "")


def read_contents(
    connection: sqlite3.Connection,
    store: Path,
    sees: Callable[[str], bool],
    sees_about: Callable[[str], bool],
) -> Contents:
    """What the generation that the connection sees holds of documents that `sees` is true of.

    Problems, and what is forgotten, may be of folders, and are told where `sees_about` is true.
    """
    rows = connection.execute(_DOCUMENTS).fetchall()
    vectors = connection.execute("SELECT document, sum(count) FROM vectors GROUP BY document")
    state = connection.execute("SELECT loaders, encoder FROM state").fetchone()
    problems = read_problems(connection, store)
    forgotten = read_forgotten(connection, store)
    with decoding(store):
        counts = dict(all_checked(vectors.fetchall(), int, int))
        loaders, encoder = checked(state, str, str)
        return Contents(
            documents={
                path: _held(row, counts.get(row[0], 0))
                for row in all_checked(rows, *_DOCUMENT)
                if sees(path := decoded(row[1]))
            },
            problems={path: one for path, one in problems.items() if sees_about(path)},
            forgotten=frozenset(path for path in forgotten if sees_about(path)),
            loaders=loaders,
            encoder=encoder,
        )


def read_mark(connection: sqlite3.Connection) -> str:
    """A hash that is another one after each run that put, removed or told of something.

    That files were merely looked at again does not count, nor vectors until every passage has one.
    """
    found = [
        connection.execute(statement).fetchall()
        for statement in (
            "SELECT generation, fingerprint, vector_count = passage_count, encoder FROM state",
            "SELECT * FROM problems ORDER BY path",
            "SELECT path FROM forgotten ORDER BY path",
        )
    ]
    return hashlib.sha256(repr(found).encode()).hexdigest()


class Copying:
    """Takes passages and vectors of documents out of a catalogue; `StoreDamaged` as they are."""

    def __init__(self, connection: sqlite3.Connection, store: Path) -> None:
        self._connection = connection
        self._store = store
        self._terms: dict[int, str] = {}

    def passages(self, document: int) -> Iterator[PackedPassages]:
        """The passages of a document, given by its key, packed as they were, some at a time."""
        rows = self._connection.execute(_PASSAGES, (document,))
        while some := rows.fetchmany(_AT_ONCE):
            with decoding(self._store):
                yield self._packed(all_checked(some, *_PASSAGE))

    def vectors(self, document: int) -> list[tuple[int, int, bytes]]:
        """Its runs of vectors: the place of the first passage, how many, and the vectors."""
        (first,) = self._connection.execute(
            "SELECT coalesce(min(key), 0) FROM passages WHERE document = ?", (document,)
        ).fetchone()
        rows = self._connection.execute(
            "SELECT first, count, vectors FROM vectors WHERE document = ? ORDER BY first",
            (document,),
        ).fetchall()
        with decoding(self._store):
            return [(key - first, *rest) for key, *rest in all_checked(rows, int, int, bytes)]

    def _packed(self, rows: Sequence[Any]) -> PackedPassages:
        blobs = [row[12] for row in rows]
        joined = b"".join(blobs)
        own, places = np.unique(term_numbers(joined), return_inverse=True)
        self._look_up(own.tolist())
        fields = [unpack_fields(blob, self._terms) for blob in blobs]
        return PackedPassages(
            rows=[row[:9] for row in rows],
            lengths=[row[9:12] for row in rows],
            sentence_count=sum(len(row[6]) // SENTENCE_BYTES for row in rows),
            words=[
                (" ".join(one.title), " ".join(one.headings), " ".join(one.body)) for one in fields
            ],
            vocabulary=[self._terms[number] for number in own.tolist()],
            places=places.astype(np.uint32),
            counts=term_counts(joined),
            sizes=[len(blob) // 8 for blob in blobs],
            marks=[row[13] for row in rows],
        )

    def _look_up(self, numbers: Sequence[int]) -> None:
        """Learn the terms that have these numbers."""
        unknown = [number for number in numbers if number not in self._terms]
        for start in range(0, len(unknown), _LOOKED_UP):
            some = unknown[start : start + _LOOKED_UP]
            marks = ",".join("?" * len(some))
            rows = self._connection.execute(
                f"SELECT id, term FROM terms WHERE id IN ({marks})", some
            ).fetchall()
            self._terms.update(all_checked(rows, int, str))


_DOCUMENTS = (
    "SELECT key, path, title, media_type, sha256, modified, extractor, extractor_version,"
    " text_sha256, language, notes, needs, size, mtime_ns, ctime_ns, inode, settled"
    " FROM documents ORDER BY path"
)
_DOCUMENT = (int, bytes, bytes, *(str,) * 7, bytes, str, *(int,) * 5)
_PASSAGES = (
    "SELECT passages.ordinal, start, passages.end, first_line, passages.language, heading_path,"
    " sentences, seal, text, title_length, headings_length, body_length, terms,"
    " coalesce(marks, x'') FROM passages JOIN passage_terms USING (key)"
    " LEFT JOIN passage_marks USING (key) WHERE passages.document = ? ORDER BY passages.ordinal"
)
_PASSAGE = (*(int,) * 4, str, str, bytes, bytes, bytes, int, int, int, bytes, bytes)


def _held(row: Any, vectors: int) -> Held:
    key, path, title, media_type, sha256, modified, *extracted, language, notes, needs = row[:12]
    size, mtime, ctime, inode, settled = row[12:]
    return Held(
        key,
        Source(decoded(path), decoded(title), media_type, sha256, modified),
        Extraction(*extracted),
        language,
        unpack_notes(notes),
        tuple(map(Need, needs.split())),
        Stamp(size, mtime, ctime, inode, bool(settled)),
        vectors,
    )
