"""Exact search among the vectors of all passages: in whole numbers, so the same by any means."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from pincite.protocols import VECTOR_LENGTH
from pincite.store.schema import all_checked

try:
    import simsimd
except ImportError:  # There are systems that it is not built for.
    simsimd = None  # type: ignore[assignment]

_ROWS_AT_ONCE = 1_024
"""So many rows as 32-bit floats stay in the cache of a processor."""

Products = npt.NDArray[np.int32]


class PassageVectors:
    """The vectors of all passages of one generation, in reading order, in memory."""

    def __init__(
        self,
        matrix: npt.NDArray[np.int8],
        keys: npt.NDArray[np.int64],
        documents: dict[bytes, tuple[int, int]],
    ) -> None:
        self._matrix = matrix
        self._keys = keys
        self._documents = documents
        self._by_key = np.argsort(keys)

    @classmethod
    def load(cls, connection: sqlite3.Connection, passage_count: int) -> PassageVectors:
        """Those of the generation that the connection sees; ValueError where they are damaged."""
        rows = all_checked(
            connection.execute(
                "SELECT path, first, count, vectors FROM vectors"
                " JOIN documents ON documents.key = document ORDER BY path, first"
            ).fetchall(),
            bytes,
            int,
            int,
            bytes,
        )
        flat = np.frombuffer(b"".join(row[3] for row in rows), np.int8)
        if len(flat) != passage_count * VECTOR_LENGTH:
            raise ValueError("vectors of passages are missing")
        keys = np.empty(passage_count, np.int64)
        documents: dict[bytes, tuple[int, int]] = {}
        at = 0
        for path, first, count, vectors in rows:
            if len(vectors) != count * VECTOR_LENGTH:
                raise ValueError("vectors of passages are cut off")
            keys[at : at + count] = np.arange(first, first + count)
            start, _ = documents.get(path, (at, at))
            at += count
            documents[path] = start, at
        return cls(flat.reshape(passage_count, VECTOR_LENGTH), keys, documents)

    def nearness(
        self, vector: bytes, *, limit: int, keys: Sequence[int], document: bytes | None = None
    ) -> dict[int, int]:
        """Inner products with the `limit` nearest and with `keys`, as `Corpus.nearness` says.

        ValueError for a key that there is not.
        """
        first, end = 0, len(self._keys)
        if document is not None:
            first, end = self._documents.get(document, (0, 0))
        products = inner_products(self._matrix[first:end], vector)
        rows = [first + row for row in _nearest(products, limit)]
        if keys:
            asked = np.array(keys, np.int64)
            places = np.searchsorted(self._keys, asked, sorter=self._by_key)
            found = self._by_key[np.minimum(places, len(self._by_key) - 1)]
            if not np.array_equal(self._keys[found], asked):
                raise ValueError("a passage has no vector")
            # A passage of another document is not asked for.
            rows += [row for row in found.tolist() if first <= row < end]
        return {int(self._keys[row]): int(products[row - first]) for row in rows}


def inner_products(matrix: npt.NDArray[np.int8], vector: bytes) -> Products:
    """The inner product of each row with `vector`, exactly."""
    query = np.frombuffer(vector, np.int8)
    if not len(matrix):
        return np.zeros(0, np.int32)
    if simsimd is not None:
        found = simsimd.cdist(query.reshape(1, -1), matrix, metric="dot")
        return np.asarray(found).reshape(-1).astype(np.int32)
    return inner_products_by_numpy(matrix, query)


def inner_products_by_numpy(matrix: npt.NDArray[np.int8], query: npt.NDArray[np.int8]) -> Products:
    """The same without the library."""
    # 384 products of bytes add up to less than 2 ** 24: as 32-bit floats they are exact, in
    # whatever order they are added, and numpy multiplies those far quicker than whole numbers.
    wide = query.astype(np.float32)
    found = np.empty(len(matrix), np.int32)
    for start in range(0, len(matrix), _ROWS_AT_ONCE):
        some = slice(start, start + _ROWS_AT_ONCE)
        found[some] = matrix[some].astype(np.float32) @ wide
    return found


def _nearest(products: Products, limit: int) -> list[int]:
    """The rows of the largest products above 0, best first, equal ones in their order."""
    rows = np.flatnonzero(products > 0)
    if len(rows) > limit:
        above = products[rows]
        least = np.partition(above, len(above) - limit)[len(above) - limit]
        rows = rows[above >= least]
    order = np.lexsort((rows, -products[rows]))[:limit]
    found: list[int] = rows[order].tolist()
    return found
