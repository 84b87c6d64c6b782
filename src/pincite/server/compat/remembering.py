"""What was said in responses that a later one may go on from."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

from pincite.answering.follow_up import TURNS_BACK
from pincite.records import Turn
from pincite.server.access import Caller

MOST = 1_000
"""Responses; the one that was used longest ago is forgotten first."""


class Remembered:
    """The turns up to each response, in memory only; safe to share among threads.

    What one caller was answered is there for them alone, and as long as they may see the same.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._turns: OrderedDict[tuple[Caller, str], tuple[Turn, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, caller: Caller, response_id: str, turns: Sequence[Turn]) -> None:
        """Remember the turns up to this response, as many as a question goes back."""
        with self._lock:
            self._turns[caller, response_id] = tuple(turns[-2 * TURNS_BACK :])
            while len(self._turns) > self._most:
                self._turns.popitem(last=False)

    def turns(self, caller: Caller, response_id: str) -> tuple[Turn, ...] | None:
        """The turns up to this response; None where it is not known, or was another caller's."""
        with self._lock:
            found = self._turns.get((caller, response_id))
            if found is not None:
                self._turns.move_to_end((caller, response_id))
            return found
