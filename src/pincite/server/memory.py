"""Answers kept for when they are asked for again, as long as they hold."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.index import Index
from pincite.records import Answer, Basis, Refusal, Turn


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asks which collection what, and how; equal ones are answered alike by one index."""

    caller: str
    """What others asked is not to be told from how soon it is answered."""
    collection: str
    question: str
    document: str | None
    history: tuple[Turn, ...]
    risk: float | None


class Memory:
    """Asks an index, unless it was asked the same and would say the same; threads may share it.

    It keeps the last `most` answers, and none of an index that has changed.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[Asking, tuple[Answer | Refusal, Basis]] = OrderedDict()

    def ask(
        self,
        index: Index,
        question: str,
        *,
        caller: str,
        collection: str,
        document: str | None = None,
        history: Sequence[Turn] = (),
        risk: float | None = None,
    ) -> Answer | Refusal:
        """What `Index.ask` gives with these arguments; raises like it."""
        asking = Asking(caller, collection, question, document, tuple(history), risk)
        with self._lock:
            known = self._kept.get(asking)
            if known is not None:
                self._kept.move_to_end(asking)
        if known is not None and index.holds(known[1]):
            return known[0]
        answer, basis = index.ask_with_basis(
            question, document=document, history=history, risk=risk
        )
        with self._lock:
            if known is not None and known[1].index != basis.index:
                self._forget(collection, known[1])
            self._kept[asking] = answer, basis
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return answer

    def has(
        self,
        index: Index,
        question: str,
        *,
        caller: str,
        collection: str,
        document: str | None = None,
        history: Sequence[Turn] = (),
        risk: float | None = None,
    ) -> bool:
        """Whether `ask` has nothing to do."""
        asking = Asking(caller, collection, question, document, tuple(history), risk)
        with self._lock:
            known = self._kept.get(asking)
        return known is not None and index.holds(known[1])

    def _forget(self, collection: str, basis: Basis) -> None:
        """Keep nothing of an earlier state of the documents."""
        old = [
            asking
            for asking, (_, kept) in self._kept.items()
            if asking.collection == collection and kept.index == basis.index
        ]
        for asking in old:
            del self._kept[asking]
