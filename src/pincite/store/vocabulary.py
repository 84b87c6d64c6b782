"""Terms while an index is written: their numbers, and in how many passages each stands."""

from __future__ import annotations

import sqlite3

import numpy as np
import numpy.typing as npt

_MOST = 1 << 31
"""More terms than any folder has; their numbers are packed in 32 bits."""


class TermNumbers(dict[str, int]):
    """The numbers of terms, looked up as they are met; `new` are those not yet written down.

    ValueError where the numbers stored cannot be.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        super().__init__()
        self.new: dict[str, int] = {}
        self._connection = connection
        (last,) = connection.execute("SELECT max(id) FROM terms").fetchone()
        if last is not None and not 0 < last < _MOST:
            raise ValueError(f"no term has the number {last}")
        self._last: int = last or 0
        self._none_stored = last is None

    @property
    def last(self) -> int:
        """The largest number given to a term."""
        return self._last

    def __missing__(self, term: str) -> int:
        found = None
        if not self._none_stored:
            found = self._connection.execute(
                "SELECT id FROM terms WHERE term = ?", (term,)
            ).fetchone()
        if found is None:
            self._last += 1
            number = self.new[term] = self._last
        else:
            number = int(found[0])
        self[term] = number
        return number


class TermChanges:
    """In how many more passages each term stands than is written down, by the term's number."""

    def __init__(self) -> None:
        self._changes = np.zeros(1024, dtype=np.int64)

    def add(self, numbers: npt.NDArray[np.int64], passages: npt.NDArray[np.int64]) -> None:
        """So many more passages for each number; each number is given once."""
        self._reach(numbers)
        self._changes[numbers] += passages

    def subtract(self, numbers: npt.NDArray[np.int64]) -> None:
        """One passage fewer for each number, as often as it is given."""
        self._reach(numbers)
        np.subtract.at(self._changes, numbers, 1)

    def taken(self) -> dict[int, int]:
        """The changes that are not 0, by number; counting starts afresh."""
        changed = np.flatnonzero(self._changes)
        taken = dict(zip(changed.tolist(), self._changes[changed].tolist(), strict=True))
        self._changes[:] = 0
        return taken

    def _reach(self, numbers: npt.NDArray[np.int64]) -> None:
        last = int(numbers.max(initial=0))
        if last >= len(self._changes):
            larger = np.zeros(2 * last, dtype=np.int64)
            larger[: len(self._changes)] = self._changes
            self._changes = larger
