"""Answers of `ask` written to a log, where one is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from pincite.index import Index
from pincite.records import Answer, Refusal, Turn

Keep = Callable[[Answer | Refusal, str | None, Sequence[Turn]], None]
"""Takes an answer, the document that was asked and the earlier turns."""


def keeper(
    log: Path | None, index: Index, *, caller: str, risk: float | None, lexical: bool
) -> Keep:
    """What writes the answers of `index` to the log, and returns when they are on disk.

    Without a log it does nothing. A usage error where the log would be among the documents.
    """
    if log is None:
        return lambda answer, document, history: None
    # To ask without a log, nothing of these is needed.
    from pincite.auditing.log import AuditLog
    from pincite.recording import Asked, record_answer

    folder = index.folder.resolve()
    if log.resolve().is_relative_to(folder):
        raise click.BadParameter(
            f"{log} is among the documents and would be read as one: keep it elsewhere",
            param_hint="--audit",
        )
    opened = AuditLog(log)

    def keep(answer: Answer | Refusal, document: str | None, history: Sequence[Turn]) -> None:
        asked = Asked(document, history, risk, lexical)
        record_answer(opened, index, answer, asked, caller=caller)

    return keep
