"""Questions without an answer, as a log tells them: grouped, and read on from where one was."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from pincite.auditing.entries import ANSWER, NOTICE, REFUSAL, Line, parsed
from pincite.auditing.log import LOG, AuditLog
from pincite.errors import AuditDamaged

_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question that was refused, however often, since it was last answered."""

    collection: str
    question: str
    """As it was asked last."""
    count: int
    last_asked: str
    """ISO 8601, UTC."""
    reason: str
    """Of the last refusal."""
    told: int = 0
    """How often those who keep the documents were told of it."""
    notes: tuple[str, ...] = ()
    """The words they were told, oldest first."""


class Digest:
    """The questions of a log that are without an answer; what was read once is not read again.

    Threads may share it.
    """

    def __init__(self, log: AuditLog) -> None:
        self._log = log
        self._lock = threading.Lock()
        self._begin()

    def unanswered(self, is_visible: Callable[[str], bool]) -> list[Unanswered]:
        """Refused questions of the collections that `is_visible` is true of, by count."""
        with self._lock:
            self._read_on()
            found = [one for one in self._groups.values() if is_visible(one.collection)]
        return sorted(found, key=lambda one: (-one.count, one.collection, one.question))

    def _begin(self) -> None:
        self._groups: dict[tuple[str, str], Unanswered] = {}
        self._read = 0
        self._file = 0

    def _read_on(self) -> None:
        try:
            now = os.stat(self._log.directory / LOG)
        except FileNotFoundError:
            self._begin()
            return
        if now.st_ino != self._file or now.st_size < self._read:
            # Entries were erased: the file is another one.
            self._begin()
            self._file = now.st_ino
        for raw in self._log.raw_lines(self._read):
            if not raw.endswith(b"\n"):
                return
            try:
                self._take(parsed(raw))
            except ValueError as error:
                raise AuditDamaged(self._log.directory, detail=str(error)) from error
            self._read += len(raw)

    def _take(self, line: Line) -> None:
        content = line.record()
        if line.entry.kind not in (ANSWER, REFUSAL, NOTICE) or not content:
            return
        notice, asked = content.get("notice"), content.get("asked", {})
        collection = (notice or asked).get("collection", "")
        question = (notice or content["record"])["question"]
        key = collection, normalised(question)
        if line.entry.kind == ANSWER:
            self._groups.pop(key, None)
            return
        known = self._groups.get(key) or Unanswered(collection, question, 0, line.entry.time, "")
        if notice:
            notes = (*known.notes, notice["note"]) if notice["note"] else known.notes
            self._groups[key] = replace(known, told=known.told + 1, notes=notes)
            return
        self._groups[key] = replace(
            known,
            question=question,
            count=known.count + 1,
            last_asked=line.entry.time,
            reason=content["record"]["reason"],
        )


def normalised(question: str) -> str:
    """The same for questions that differ in case, spaces and the marks at their end only."""
    return _SPACE.sub(" ", question).strip().casefold().rstrip(" ?!.…？！。")
