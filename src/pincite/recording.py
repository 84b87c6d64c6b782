"""What is kept of an answer in a log, and the documents it was given from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pincite.auditing import archive
from pincite.auditing.entries import ANSWER, NOTICE, REFUSAL, Entry
from pincite.auditing.log import AuditLog
from pincite.errors import AuditNotWritable
from pincite.index import Index
from pincite.records import Answer, Refusal, Turn
from pincite.render import to_json


@dataclass(frozen=True, slots=True)
class Asked:
    """How a question was asked, besides its words."""

    document: str | None = None
    history: Sequence[Turn] = ()
    risk: float | None = None
    lexical: bool = False
    collection: str = ""
    """Its name, where there are several."""


def record_answer(
    log: AuditLog,
    index: Index,
    answer: Answer | Refusal,
    asked: Asked,
    *,
    caller: str = "",
    keep_documents: bool = True,
) -> Entry:
    """Write an answer or refusal to a log; it is on disk when this returns.

    The documents of the index are kept beside the log, once for each state of them, so that the
    question can be asked again. `caller` is whoever asked, as the program that calls this knows it.
    """
    fingerprint = answer.index.fingerprint
    if keep_documents and not archive.is_kept(log.directory, fingerprint):
        try:
            archive.keep(log.directory, fingerprint, index.folder, index.info().documents)
        except OSError as error:
            raise AuditNotWritable(log.directory, reason=str(error)) from error
    how: dict[str, Any] = {
        "document": asked.document,
        "history": [{"role": turn.role, "text": turn.text} for turn in asked.history],
        "risk": asked.risk,
        "lexical": asked.lexical,
    }
    if asked.collection:
        how["collection"] = asked.collection
    content = {"caller": caller, "asked": how, "record": to_json(answer)}
    return log.append(REFUSAL if isinstance(answer, Refusal) else ANSWER, content)


def record_notice(
    log: AuditLog, question: str, note: str, *, caller: str = "", collection: str = ""
) -> Entry:
    """Write to a log what somebody says of a question that was not answered."""
    notice = {"collection": collection, "question": question, "note": note}
    return log.append(NOTICE, {"caller": caller, "notice": notice})
