"""Writing an index: everything of one run in one transaction, or nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType

import numpy as np

from pincite.errors import StoreNotWritable
from pincite.records import Document, Extraction, IndexState, Need, Passage, Source
from pincite.store.catalogue import fill_lexical, lexical_directory, open_lexical
from pincite.store.codec import SENTENCE_BYTES, fingerprint, pack_notes, pack_terms, term_numbers
from pincite.store.files import Stamp
from pincite.store.forgetting import WIPING_NAME, note_forgotten, tidy
from pincite.store.known import Known, KnownProblem, read_known
from pincite.store.lexical import LexicalIndexError, TantivyEngine
from pincite.store.location import prepare, remove_directory
from pincite.store.moving import move_document
from pincite.store.origin import check_origin_in, note_origin
from pincite.store.packing import PackedPassages, pack_passages
from pincite.store.schema import (
    checked,
    connect_to_write,
    decoded,
    decoding,
    encoded,
    translated,
)
from pincite.store.snapshot import read_totals
from pincite.store.vectors import put_vectors, remove_vectors
from pincite.store.vocabulary import TermChanges, TermNumbers

_MOST_TERMS_HELD = 1_000_000


class Writer:
    """The one writer of an index. Use it in `with`; without `finish` nothing has happened.

    Every method raises `StoreNotWritable` when the disk is full or failing, and `StoreDamaged`.
    """

    def __init__(self, store: Path, connection: sqlite3.Connection) -> None:
        self._store = store
        self._connection = connection
        self._totals = read_totals(connection, store)
        following = connection.execute("SELECT next_passage FROM state").fetchone()
        with decoding(store):
            (self._next_passage,) = checked(following, int)
            self._numbers = TermNumbers(connection)
        self._changes = TermChanges()
        self._has_removed = False
        self._sums = [self._totals.passage_count, self._totals.sentence_count]
        self._lengths = list(self._totals.lengths)
        self._engine: TantivyEngine | None = None
        self._finished = False

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if not self._finished and self._engine is not None:
            self._engine.abandon()
            remove_directory(self._next_lexical())
        # Closing rolls back what was not committed, also where the disk refuses everything.
        self._connection.close()

    def known(self) -> Known:
        """What the last generation knows of its files."""
        with translated(self._store):
            return read_known(self._connection, self._store)

    def put(self, document: Document, passages: Sequence[Passage], stamp: Stamp) -> None:
        """Add a document with its passages, in place of what was at its path, as by `remove`."""
        packed = pack_passages(document.source.title, passages, document.marks)
        self.put_packed(
            document.source,
            document.extraction,
            document.language,
            packed,
            stamp,
            notes=document.notes,
            needs=document.needs,
        )

    def put_packed(
        self,
        source: Source,
        extraction: Extraction,
        language: str,
        passages: Iterable[PackedPassages],
        stamp: Stamp,
        *,
        notes: Sequence[str] = (),
        needs: Sequence[Need] = (),
    ) -> int:
        """The same, with the passages packed already; how many bytes of text they have."""
        self.remove([source.path])
        engine = self._lexical()
        with translated(self._store):
            inserted = self._connection.execute(
                "INSERT INTO documents (path, title, media_type, sha256, modified, extractor,"
                " extractor_version, text_sha256, language, notes, needs, size, mtime_ns, ctime_ns,"
                " inode, settled) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    encoded(source.path),
                    encoded(source.title),
                    source.media_type,
                    source.sha256,
                    source.modified,
                    extraction.extractor,
                    extraction.extractor_version,
                    extraction.sha256,
                    language,
                    pack_notes(notes),
                    " ".join(needs),
                    *_numbers(stamp),
                ),
            )
        document_key = int(inserted.lastrowid or 0)
        # Outside: what fails where the passages come from is not the store's failure.
        text_bytes = 0
        for some in passages:
            with translated(self._store), _on_disk(self._store):
                self._put_passages(some, document_key, engine)
                if len(self._numbers) > _MOST_TERMS_HELD:
                    self._flush_terms()
            text_bytes += sum(len(row[-1]) for row in some.rows)
        return text_bytes

    def put_vectors(self, path: str, encoder: str, runs: Sequence[tuple[int, int, bytes]]) -> None:
        """Give passages of a document their vectors, as `pincite.store.vectors` takes them."""
        with translated(self._store):
            (key,) = self._connection.execute(
                "SELECT key FROM documents WHERE path = ?", (encoded(path),)
            ).fetchone()
            put_vectors(self._connection, key, encoder, runs)

    def remove(self, paths: Iterable[str]) -> None:
        """Remove documents with their passages; unknown paths are ignored.

        None of their words is in any file of the store once the run is finished.
        """
        for path in paths:
            with translated(self._store), _on_disk(self._store):
                found = self._connection.execute(
                    "SELECT key FROM documents WHERE path = ?", (encoded(path),)
                ).fetchone()
                if found is not None:
                    self._remove_document(found[0])

    def move(self, old: str, new: str) -> None:
        """Give a document another path: its file was moved, and is what it was."""
        self._lexical()
        with translated(self._store):
            move_document(self._connection, self._store, old, new)

    def restamp(self, path: str, stamp: Stamp) -> None:
        """Note that a file was looked at again and holds what it held; no new generation."""
        with translated(self._store):
            self._connection.execute(
                "UPDATE documents SET size = ?, mtime_ns = ?, ctime_ns = ?, inode = ?, settled = ?"
                " WHERE path = ?",
                (*_numbers(stamp), encoded(path)),
            )

    def note_problems(self, problems: Iterable[KnownProblem], *, loaders: str) -> None:
        """Replace the list of files that could not be read; no new generation."""
        with translated(self._store):
            self._connection.execute("DELETE FROM problems")
            self._connection.executemany(
                "INSERT INTO problems VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                [
                    (
                        encoded(known.problem.path),
                        encoded(known.problem.reason),
                        known.problem.need or "",
                        *(_numbers(known.stamp) if known.stamp else (None, None, None, None, 0)),
                    )
                    for known in problems
                ],
            )
            self._connection.execute("UPDATE state SET loaders = ?", (loaders,))

    def repair_lexical(self) -> None:
        """Build the lexical index of the last generation again where it is missing or damaged."""
        generation = self._totals.state.generation
        begun = self._engine is not None
        if generation and not begun and open_lexical(self._store, self._totals) is None:
            self._rebuild(generation)

    def note_forgotten(self, paths: Iterable[str]) -> None:
        """Replace the list of files and folders that are kept out; no new generation."""
        with translated(self._store):
            note_forgotten(self._connection, paths)

    def note_folder(self, folder: Path) -> None:
        """Write down that the index is that of `folder`; `StoreOfAnotherFolder` where it is not."""
        with translated(self._store):
            check_origin_in(self._connection, self._store, folder)
            note_origin(self._connection, folder)

    def finish(self, *, wipe: bool = True) -> IndexState:
        """Make it all the new generation, or keep the old one if no document changed.

        With `wipe`, no file of the store holds words of documents that were removed or replaced,
        now or before, unless another process is reading it meanwhile: see `holds_nothing_else`.
        Writing it all anew takes about 10 seconds for 100,000 passages.
        """
        mark = self._store / WIPING_NAME
        with translated(self._store), _on_disk(self._store):
            state = self._totals.state
            if self._has_removed:
                mark.touch()
            wipe = wipe and mark.exists()
            if self._engine is not None:
                state = self._next_state()
                # A lexical index only marks as deleted what is removed from it. Or the one it
                # was branched from was damaged where opening does not look.
                if wipe or not self._lexical_committed():
                    self._engine.abandon()
                    self._engine = self._rebuild(state.generation)
            elif wipe and state.generation:
                self._rebuild(state.generation)
            self._connection.execute("COMMIT")
            self._finished = True
        tidy(self._connection, self._store, state, wipe=wipe)
        return state

    def _lexical_committed(self) -> bool:
        engine = self._lexical()
        try:
            engine.commit()
        except LexicalIndexError:
            return False
        return engine.passage_count() == self._sums[0]

    def _next_state(self) -> IndexState:
        self._flush_terms()
        if self._has_removed:
            self._connection.execute("DELETE FROM terms WHERE passages = 0")
        rows = self._connection.execute(
            "SELECT path, sha256, extractor, extractor_version FROM documents"
        )
        with decoding(self._store):
            documents = [checked(row, bytes, str, str, str) for row in rows.fetchall()]
            digest = fingerprint((decoded(path), *rest) for path, *rest in documents)
        state = IndexState(self._totals.state.generation + 1, digest)
        self._connection.execute(
            "UPDATE state SET generation = ?, fingerprint = ?, passage_count = ?,"
            " sentence_count = ?, title_length = ?, headings_length = ?, body_length = ?,"
            " next_passage = ?",
            (
                state.generation,
                state.fingerprint,
                *self._sums,
                *self._lengths,
                self._next_passage,
            ),
        )
        return state

    def _put_passages(self, some: PackedPassages, document_key: int, engine: TantivyEngine) -> None:
        own = np.array([self._numbers[term] for term in some.vocabulary], dtype=np.int64)
        self._changes.add(own, np.bincount(some.places, minlength=len(own)))
        packed = pack_terms(own[some.places], some.counts, some.sizes)
        first = self._next_passage
        self._next_passage += len(some.rows)
        keys = range(first, self._next_passage)
        self._connection.executemany(
            "INSERT INTO passages VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(key, document_key, *row) for key, row in zip(keys, some.rows, strict=True)],
        )
        self._connection.executemany(
            "INSERT INTO passage_terms VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (key, document_key, ordinal, language, *lengths, terms)
                for key, (ordinal, _, _, _, language, *_), lengths, terms in zip(
                    keys, some.rows, some.lengths, packed, strict=True
                )
            ],
        )
        self._connection.executemany(
            "INSERT INTO passage_marks VALUES (?, ?)",
            [(key, marks) for key, marks in zip(keys, some.marks, strict=True) if marks],
        )
        engine.upsert_words(
            (key, document_key, words) for key, words in zip(keys, some.words, strict=True)
        )
        sums = [sum(lengths) for lengths in zip(*some.lengths, strict=True)]
        self._count(len(some.rows), some.sentence_count, sums)

    def _remove_document(self, document_key: int) -> None:
        engine = self._lexical()
        rows = self._connection.execute(
            "SELECT key, length(sentences), title_length, headings_length, body_length, terms"
            " FROM passages JOIN passage_terms USING (key) WHERE passages.document = ?",
            (document_key,),
        )
        keys = []
        for row in rows:
            with decoding(self._store):
                key, sentence_bytes, *lengths, packed = checked(row, int, int, int, int, int, bytes)
                numbers = term_numbers(packed)
                if numbers.max(initial=0) > self._numbers.last:
                    raise ValueError("a passage has a term that there is not")
            keys.append(key)
            self._changes.subtract(numbers)
            sentences = sentence_bytes // SENTENCE_BYTES
            self._count(-1, -sentences, [-length for length in lengths])
        self._has_removed = True
        engine.delete(keys)
        of_keys = [(key,) for key in keys]
        remove_vectors(self._connection, document_key)
        self._connection.executemany("DELETE FROM passage_terms WHERE key = ?", of_keys)
        self._connection.executemany("DELETE FROM passage_marks WHERE key = ?", of_keys)
        self._connection.executemany("DELETE FROM passages WHERE key = ?", of_keys)
        self._connection.execute("DELETE FROM documents WHERE key = ?", (document_key,))

    def _count(self, passages: int, sentences: int, lengths: Sequence[int]) -> None:
        self._sums[0] += passages
        self._sums[1] += sentences
        for field, length in enumerate(lengths):
            self._lengths[field] += length

    def _flush_terms(self) -> None:
        """Write down the terms held in memory and what changed in how many passages have them."""
        changes = self._changes.taken()
        new = self._numbers.new
        self._connection.executemany(
            "INSERT INTO terms VALUES (?, ?, ?)",
            ((number, term, changes.pop(number, 0)) for term, number in new.items()),
        )
        self._connection.executemany(
            "UPDATE terms SET passages = passages + ? WHERE id = ?",
            ((change, number) for number, change in changes.items()),
        )
        self._numbers = TermNumbers(self._connection)

    def _lexical(self) -> TantivyEngine:
        """The engine of the coming generation; made at the first change."""
        if self._engine is None:
            with translated(self._store), _on_disk(self._store):
                generation = self._totals.state.generation
                if not generation:
                    self._engine = TantivyEngine.create(self._next_lexical())
                elif open_lexical(self._store, self._totals) is None:
                    self._engine = self._rebuild(generation + 1)
                else:
                    self._engine = TantivyEngine.branch(
                        lexical_directory(self._store, generation), self._next_lexical()
                    )
        return self._engine

    def _rebuild(self, generation: int) -> TantivyEngine:
        with translated(self._store), _on_disk(self._store):
            engine = TantivyEngine.create(lexical_directory(self._store, generation))
            fill_lexical(engine, self._connection, self._store)
            return engine

    def _next_lexical(self) -> Path:
        return lexical_directory(self._store, self._totals.state.generation + 1)


@contextmanager
def _on_disk(store: Path) -> Iterator[None]:
    """Turn what the lexical index and the disk raise in the block into `StoreNotWritable`."""
    try:
        yield
    except (LexicalIndexError, OSError) as error:
        raise StoreNotWritable(store, reason=str(error)) from error


def open_writer(store: Path) -> Writer:
    """Begin to write the index in the directory `store`, which is made if it is missing.

    Raises `StoreBusy` at once if another process is writing, `StoreNotWritable`, `StoreTooNew`,
    and `StoreDamaged`.
    """
    with _on_disk(store):
        prepare(store)
    with translated(store):
        connection = connect_to_write(store)
        try:
            return Writer(store, connection)
        except BaseException:
            connection.close()
            raise


def _numbers(stamp: Stamp) -> tuple[int, int, int, int, int]:
    return stamp.size, stamp.mtime_ns, stamp.ctime_ns, stamp.inode, int(stamp.settled)
