"""What the server writes down of what is asked, and what those who keep documents read in it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

from pincite.auditing.checking import AuditReport, check
from pincite.auditing.entries import Line, parsed
from pincite.auditing.log import AuditLog
from pincite.errors import AuditDamaged
from pincite.index import Index
from pincite.recording import Asked, record_answer, record_notice
from pincite.records import Answer, Refusal
from pincite.server.unanswered import Digest, Unanswered


class Journal:
    """The log of a server. Each answer is written down before it is given."""

    def __init__(self, log: AuditLog, *, keep_documents: bool, lexical: bool) -> None:
        self._log = log
        self._keep_documents = keep_documents
        self._lexical = lexical
        self._digest = Digest(log)

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

    def close(self) -> None:
        """Bring to disk what is not there yet."""
        self._log.sync()

    def notice(self, question: str, note: str, *, caller: str, collection: str) -> None:
        """Write down what somebody tells the owner of the documents."""
        record_notice(self._log, question, note, caller=caller, collection=collection)

    def entries(self, *, after: int, limit: int) -> list[Line]:
        """So many entries with a number above `after`."""
        found: list[Line] = []
        for number, line in enumerate(self._log.raw_lines(), start=1):
            if len(found) == limit or not line.endswith(b"\n"):
                break
            try:
                # Their contents are long, and those before are passed over.
                if json.loads(line.partition(b"\t")[0])["sequence"] > after:
                    found.append(parsed(line))
            except (ValueError, LookupError, TypeError) as error:
                detail = f"line {number}: {error}"
                raise AuditDamaged(self._log.directory, detail=detail) from error
        return found

    def check(self) -> AuditReport:
        """Whether the log is as it was written."""
        return check(self._log)

    def unanswered(self, is_visible: Callable[[str], bool]) -> list[Unanswered]:
        """Refused questions of the collections that `is_visible` is true of, by count."""
        return self._digest.unanswered(is_visible)
