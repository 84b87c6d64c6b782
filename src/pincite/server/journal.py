"""What the server writes down of what is asked, and what those who keep documents read in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from pincite.auditing.checking import AuditReport, check
from pincite.auditing.entries import ANSWER, NOTICE, REFUSAL, Line
from pincite.auditing.log import AuditLog
from pincite.index import Index
from pincite.recording import Asked, record_answer, record_notice
from pincite.records import Answer, Refusal

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


class Journal:
    """The log of a server. Each answer is on disk before it is given."""

    def __init__(self, log: AuditLog, *, keep_documents: bool, lexical: bool) -> None:
        self._log = log
        self._keep_documents = keep_documents
        self._lexical = lexical

    def answered(
        self, index: Index, answer: Answer | Refusal, asked: Asked, *, caller: str
    ) -> None:
        """Write down an answer or refusal."""
        record_answer(
            self._log,
            index,
            answer,
            replace(asked, lexical=self._lexical),
            caller=caller,
            keep_documents=self._keep_documents,
        )

    def notice(self, question: str, note: str, *, caller: str, collection: str) -> None:
        """Write down what somebody tells the owner of the documents."""
        record_notice(self._log, question, note, caller=caller, collection=collection)

    def entries(self, *, after: int, limit: int) -> list[Line]:
        """So many entries with a number above `after`."""
        found: list[Line] = []
        for line in self._log.lines():
            if line.entry.sequence > after:
                found.append(line)
                if len(found) == limit:
                    break
        return found

    def check(self) -> AuditReport:
        """Whether the log is as it was written."""
        return check(self._log)

    def unanswered(self, is_visible: Callable[[str], bool]) -> list[Unanswered]:
        """Refused questions of the collections that `is_visible` is true of, by count."""
        return _grouped(self._log.lines(), is_visible)


def normalised(question: str) -> str:
    """The same for questions that differ in case, spaces and the marks at their end only."""
    return _SPACE.sub(" ", question).strip().casefold().rstrip(" ?!.…？！。")


def _grouped(lines: Iterable[Line], is_visible: Callable[[str], bool]) -> list[Unanswered]:
    groups: dict[tuple[str, str], Unanswered] = {}
    for line in lines:
        content = line.record()
        if line.entry.kind not in (ANSWER, REFUSAL, NOTICE) or not content:
            continue
        notice, asked = content.get("notice"), content.get("asked", {})
        collection = (notice or asked).get("collection", "")
        question = (notice or content["record"])["question"]
        if not is_visible(collection):
            continue
        key = collection, normalised(question)
        if line.entry.kind == ANSWER:
            groups.pop(key, None)
            continue
        known = groups.get(key) or Unanswered(collection, question, 0, line.entry.time, "")
        if notice:
            notes = (*known.notes, notice["note"]) if notice["note"] else known.notes
            groups[key] = replace(known, told=known.told + 1, notes=notes)
            continue
        groups[key] = replace(
            known,
            question=question,
            count=known.count + 1,
            last_asked=line.entry.time,
            reason=content["record"]["reason"],
        )
    return sorted(groups.values(), key=lambda one: (-one.count, one.collection, one.question))
