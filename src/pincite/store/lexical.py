"""The lexical index on disk: tantivy, one directory for each generation of the catalogue.

The index proposes candidates and nothing more. Its scores depend on how it was filled, so they
never leave this module.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import tantivy

from pincite.protocols import FieldTerms
from pincite.store.location import remove_directory

_WRITER_BYTES = 50_000_000
_BOOSTS = (("title", 2.0), ("headings", 1.5), ("body", 1.0))
_TIE = 1e-5
"""Scores this near, relatively, are one: they are sums of 32-bit numbers in any order."""
_MOST_TIED = 200_000
_DELETED_AT_ONCE = 1_000
_QUERY = tantivy.Query


class LexicalIndexError(Exception):
    """The directory holds no index that can be read, or it cannot be written."""


@contextmanager
def _failures() -> Iterator[None]:
    """Turn whatever tantivy and the disk raise inside the block into `LexicalIndexError`."""
    try:
        yield
    except (OSError, ValueError) as error:
        raise LexicalIndexError(str(error)) from error
    except BaseException as error:
        # A panic inside the library derives from BaseException and has no importable name.
        if type(error).__name__ != "PanicException":
            raise
        raise LexicalIndexError(str(error)) from error


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("key", indexed=True, fast=True)
    builder.add_unsigned_field("document", indexed=True)
    for name, _ in _BOOSTS:
        builder.add_text_field(name, tokenizer_name="whitespace", index_option="freq")
    return builder.build()


def _words(term: str) -> list[str]:
    # As the index cuts it. The only white space a term can hold comes from compatibility forms
    # of whole phrases, such as U+FDFA.
    return term.split()


class TantivyEngine:
    """A `LexicalEngine` in a directory, or in memory where `directory` is None."""

    def __init__(self, index: tantivy.Index, directory: Path | None) -> None:
        self._index = index
        self._directory = directory
        self._schema = index.schema
        self._writer: tantivy.IndexWriter | None = None
        index.config_reader("manual")
        self._searcher, self._highest = self._look()

    @classmethod
    def create(cls, directory: Path | None) -> TantivyEngine:
        """A new, empty index; `directory` is made, and emptied if it was there."""
        with _failures():
            if directory is None:
                return cls(tantivy.Index(_schema()), None)
            remove_directory(directory)
            directory.mkdir(parents=True)
            return cls(tantivy.Index(_schema(), path=str(directory), reuse=False), directory)

    @classmethod
    def open(cls, directory: Path) -> TantivyEngine:
        """The index in `directory`; raises `LexicalIndexError` if there is none to be read."""
        with _failures():
            if os.access(directory, os.W_OK):
                return cls(tantivy.Index.open(str(directory)), directory)
            # tantivy takes a lock to open an index, which needs a place to write. The files
            # themselves are mapped into memory on opening and not looked up again.
            from tempfile import TemporaryDirectory  # Seldom needed, and long to load.

            with TemporaryDirectory(prefix="pincite-", ignore_cleanup_errors=True) as staged:
                for name in _files(directory):
                    os.symlink(directory.absolute() / name, Path(staged) / name)
                return cls(tantivy.Index.open(staged), directory)

    @classmethod
    def branch(cls, previous: Path, directory: Path) -> TantivyEngine:
        """An index in `directory` that starts as `previous`, which stays as it is."""
        with _failures():
            remove_directory(directory)
            directory.mkdir(parents=True)
            for name in _files(previous):
                _link_or_copy(previous / name, directory / name)
        return cls.open(directory)

    def upsert(self, entries: Iterable[tuple[int, int, FieldTerms]]) -> None:
        """Add passages, given as (passage key, document key, terms); replaces equal keys."""
        self.upsert_words(
            (
                key,
                document_key,
                (" ".join(terms.title), " ".join(terms.headings), " ".join(terms.body)),
            )
            for key, document_key, terms in entries
        )

    def upsert_words(self, entries: Iterable[tuple[int, int, tuple[str, str, str]]]) -> None:
        """The same, the terms of title, headings and body already joined by spaces."""
        with _failures():
            writer = self._writing()
            for key, document_key, (title, headings, body) in entries:
                if key <= self._highest:
                    self._delete(writer, [key])
                self._highest = max(key, self._highest)
                document = tantivy.Document()
                document.add_unsigned("key", key)
                document.add_unsigned("document", document_key)
                document.add_text("title", title)
                document.add_text("headings", headings)
                document.add_text("body", body)
                writer.add_document(document)

    def delete(self, keys: Iterable[int]) -> None:
        """Remove passages; unknown keys are ignored."""
        with _failures():
            writer = self._writing()
            doomed = list(keys)
            for start in range(0, len(doomed), _DELETED_AT_ONCE):
                self._delete(writer, doomed[start : start + _DELETED_AT_ONCE])

    def commit(self) -> None:
        """Make everything written so far durable and visible; waits for merges to end."""
        with _failures():
            if self._writer is not None:
                writer, self._writer = self._writer, None
                writer.commit()
                writer.wait_merging_threads()
                self._share()
            self._index.reload()
            self._searcher, self._highest = self._look()

    def abandon(self) -> None:
        """Forget what was written since the last commit."""
        self._writer = None

    def candidates(
        self, terms: Sequence[str], *, limit: int, document_key: int | None = None
    ) -> tuple[list[int], list[int]]:
        """Keys of the `limit` passages that fit best: the certain ones, then the tied last."""
        if not terms or limit < 1:
            return [], []
        with _failures():
            query = self._query(terms, document_key)
            # Half as many again: ties with the last place are common and short, and to search a
            # second time takes longer than to fetch a few more at once.
            fetched = limit + limit // 2 + 1
            while True:
                hits = self._searcher.search(query, fetched, count=False).hits
                if len(hits) < fetched or not _tied(hits[-1][0], hits[limit - 1][0]):
                    break
                fetched *= 8
                if fetched > _MOST_TIED:
                    break
            if len(hits) <= limit:
                return self._keys([address for _, address in hits]), []
            # Hits come best first, so those that tie with the last place stand together.
            last = hits[limit - 1][0]
            first, end = limit - 1, limit
            while first > 0 and _tied(hits[first - 1][0], last):
                first -= 1
            while end < len(hits) and _tied(hits[end][0], last):
                end += 1
            keys = self._keys([address for _, address in hits[:end]])
            return keys[:first], keys[first:]

    def passage_count(self) -> int:
        """Number of passages held."""
        return int(self._searcher.num_docs)

    def _query(self, terms: Sequence[str], document_key: int | None) -> tantivy.Query:
        should = [
            (
                tantivy.Occur.Should,
                _QUERY.boost_query(_QUERY.term_query(self._schema, name, word, "freq"), boost),
            )
            for word in dict.fromkeys(word for term in terms for word in _words(term))
            for name, boost in _BOOSTS
        ]
        query = _QUERY.boolean_query(should)
        if document_key is None:
            return query
        inside = _QUERY.term_query(self._schema, "document", document_key, "basic")
        return _QUERY.boolean_query(
            [
                (tantivy.Occur.Must, query),
                (tantivy.Occur.Must, _QUERY.const_score_query(inside, 0.0)),
            ]
        )

    def _keys(self, addresses: list[tantivy.DocAddress]) -> list[int]:
        if not addresses:
            return []
        return [int(key or 0) for key in self._searcher.fast_field_values("key", addresses)]

    def _look(self) -> tuple[tantivy.Searcher, int]:
        """What was last committed, and the largest key in it."""
        searcher = self._index.searcher()
        newest = searcher.search(_QUERY.all_query(), 1, count=False, order_by_field="key").hits
        return searcher, newest[0][0] if newest else 0

    def _delete(self, writer: tantivy.IndexWriter, keys: list[int]) -> None:
        # Deleting by term takes a Python int for a signed number and finds nothing here.
        writer.delete_documents_by_query(_QUERY.term_set_query(self._schema, "key", keys))

    def _share(self) -> None:
        # tantivy makes its two JSON files readable to nobody else, whatever the user's umask.
        if self._directory is not None:
            mode = self._directory.stat().st_mode & 0o666
            for path in sorted(self._directory.glob("*.json")):
                path.chmod(mode)

    def _writing(self) -> tantivy.IndexWriter:
        if self._writer is None:
            self._writer = self._index.writer(_WRITER_BYTES, 1)
        return self._writer


def _tied(one: float, other: float) -> bool:
    return abs(one - other) <= _TIE * max(abs(one), abs(other))


def _files(directory: Path) -> list[str]:
    """The files of an index that another directory may share: all but its locks."""
    return sorted(name for name in os.listdir(directory) if not name.endswith(".lock"))


def _link_or_copy(source: Path, target: Path) -> None:
    # tantivy never changes a segment file once it is written; it replaces the two JSON files.
    if source.suffix == ".json":
        shutil.copyfile(source, target)
        return
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)
