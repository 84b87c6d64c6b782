"""The catalogue of an index, opened for reading; shared by all questions asked of a folder."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from pincite.errors import StoreDamaged, StoreNotFound
from pincite.protocols import FieldTerms
from pincite.records import CorpusStatistics, IndexState
from pincite.store.codec import unpack_fields
from pincite.store.files import Stamp
from pincite.store.lexical import LexicalIndexError, TantivyEngine
from pincite.store.origin import check_origin_in
from pincite.store.schema import (
    FILE_NAME,
    LEXICAL_NAME,
    checked,
    connect_to_read,
    decoding,
    translated,
)
from pincite.store.snapshot import Generation, Snapshot, Totals, read_totals


def lexical_directory(store: Path, generation: int) -> Path:
    """Where the lexical index of a generation is kept."""
    return store / LEXICAL_NAME / str(generation)


class Catalogue:
    """An index opened for reading. It never writes; `open_writer` does.

    Any number of threads may take snapshots.
    """

    def __init__(self, store: Path, folder: Path, connection: sqlite3.Connection) -> None:
        self._store = store
        self._folder = folder
        self._idle = [connection]
        self._verified: dict[str, tuple[str, Stamp]] = {}
        self._generation: Generation | None = None
        self._closed = False
        self._file = _file_of(store)

    @classmethod
    def open(cls, store: Path, *, folder: Path) -> Catalogue:
        """The index of `folder` in the directory `store`.

        Raises `StoreNotFound` where no run of indexing ever finished, or only one of an earlier
        version that kept other things; `StoreOfAnotherFolder`, `StoreTooNew`, and `StoreDamaged`.
        """
        with translated(store):
            connection = connect_to_read(store)
        if connection is None:
            raise StoreNotFound(folder)
        catalogue = cls(store, folder, connection)
        try:
            with translated(store):
                check_origin_in(connection, store, folder)
            catalogue.snapshot().close()
        except BaseException:
            catalogue.close()
            raise
        return catalogue

    def __enter__(self) -> Catalogue:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def store(self) -> Path:
        """The directory of the index."""
        return self._store

    def is_of(self, store: Path) -> bool:
        """Whether it reads the catalogue that now is in the directory `store`."""
        return store == self._store and self._file is not None and self._file == _file_of(store)

    @property
    def folder(self) -> Path:
        """The folder of documents."""
        return self._folder

    def snapshot(self) -> Snapshot:
        """The last finished generation, to be closed soon: take one for each question.

        ValueError once the catalogue is closed.
        """
        if self._closed:
            raise ValueError("the index is closed: open it again to ask")
        connection = self._take()
        try:
            with translated(self._store):
                connection.execute("BEGIN")
                totals = read_totals(connection, self._store)
            generation = self._generation
            if generation is None or generation.totals != totals:
                generation = self._load(connection, totals)
                self._generation = generation
        except BaseException:
            connection.close()
            raise
        return Snapshot(
            connection,
            generation,
            store=self._store,
            folder=self._folder,
            verified=self._verified,
            release=self._give_back,
            mend=self._in_memory,
        )

    def store_bytes(self) -> int:
        """What the index takes on disk, files that generations share counted once."""
        sizes = {}
        for path in self._store.rglob("*"):
            if path.is_file():
                found = path.stat()
                sizes[(found.st_dev, found.st_ino) if found.st_ino else path] = found.st_size
        return sum(sizes.values())

    def close(self) -> None:
        """Close every connection; snapshots still open end when they are closed."""
        self._closed = True
        while self._idle:
            self._idle.pop().close()

    def _take(self) -> sqlite3.Connection:
        try:
            return self._idle.pop()
        except IndexError:
            pass
        with translated(self._store):
            connection = connect_to_read(self._store)
        if connection is None:
            raise StoreNotFound(self._folder)
        return connection

    def _give_back(self, connection: sqlite3.Connection) -> None:
        if self._closed:
            connection.close()
            return
        with translated(self._store):
            connection.execute("ROLLBACK")
        self._idle.append(connection)

    def _load(self, connection: sqlite3.Connection, totals: Totals) -> Generation:
        count = totals.passage_count
        with translated(self._store):
            rows = connection.execute(
                "SELECT DISTINCT language FROM documents ORDER BY language"
            ).fetchall()
            (has_marks,) = connection.execute(
                "SELECT EXISTS (SELECT 1 FROM passage_marks)"
            ).fetchone()
        with decoding(self._store):
            languages = tuple(checked(row, str)[0] for row in rows)
        statistics = CorpusStatistics(
            passage_count=count,
            mean_lengths=_means(totals.lengths, count),
            languages=languages,
        )
        engine = open_lexical(self._store, totals)
        if engine is None:
            engine = self._filled(connection, totals)
        return Generation(totals, statistics, engine, has_marks=bool(has_marks))

    def _in_memory(self, connection: sqlite3.Connection, generation: Generation) -> Generation:
        """The same generation with a lexical index that is made anew."""
        mended = replace(generation, engine=self._filled(connection, generation.totals))
        if self._generation is generation:
            self._generation = mended
        return mended

    def _filled(self, connection: sqlite3.Connection, totals: Totals) -> TantivyEngine:
        # In memory: the reader may not be allowed to write, and a writer may be at work.
        engine = TantivyEngine.create(None)
        with translated(self._store):
            fill_lexical(engine, connection, self._store)
        if engine.passage_count() != totals.passage_count:
            raise StoreDamaged(self._store, detail="passages are missing")
        return engine


def _file_of(store: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(store / FILE_NAME)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def open_lexical(store: Path, totals: Totals) -> TantivyEngine | None:
    """The lexical index of this generation, None if it is missing, damaged or another's."""
    try:
        engine = TantivyEngine.open(lexical_directory(store, totals.state.generation))
    except LexicalIndexError:
        return None
    return engine if engine.passage_count() == totals.passage_count else None


def lexical_is_sound(store: Path, state: IndexState) -> bool:
    """Whether the lexical index of this generation can be used."""
    with translated(store):
        connection = connect_to_read(store)
        if connection is None:
            return False
        try:
            totals = read_totals(connection, store)
        finally:
            connection.close()
    return totals.state == state and open_lexical(store, totals) is not None


def fill_lexical(engine: TantivyEngine, connection: sqlite3.Connection, store: Path) -> None:
    """Put every passage of the catalogue into an empty engine, and commit; `StoreDamaged`."""
    engine.upsert(_entries(connection, store))
    engine.commit()


def _entries(connection: sqlite3.Connection, store: Path) -> Iterator[tuple[int, int, FieldTerms]]:
    vocabulary = dict(connection.execute("SELECT id, term FROM terms"))
    rows = connection.execute(
        "SELECT key, passages.document, terms FROM passages JOIN passage_terms USING (key)"
        " ORDER BY key"
    )
    for row in rows:
        with decoding(store):
            key, document, blob = checked(row, int, int, bytes)
            fields = unpack_fields(blob, vocabulary)
        yield key, document, fields


def _means(sums: tuple[int, int, int], count: int) -> tuple[float, float, float]:
    title, headings, body = (total / count if count else 0.0 for total in sums)
    return title, headings, body
