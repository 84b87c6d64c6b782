"""Many questions in one process: a line of JSON in, a line of JSON out, in order."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

from pincite.cli.keeping import Keep
from pincite.cli.output import ANSWERED, ERROR, complain, write_json
from pincite.errors import PinciteError
from pincite.index import Index
from pincite.records import Turn
from pincite.render import error_to_json, to_json
from pincite.render.text import counted


class BadLineError(Exception):
    """A line that is no question; the message says what is wrong with it."""

    def __init__(self, message: str, *, line_id: str | int | None = None) -> None:
        super().__init__(message)
        self.line_id = line_id


@dataclass(frozen=True, slots=True)
class BatchQuestion:
    """One line of a batch, checked."""

    id: str | int | None
    question: str
    document: str | None
    history: tuple[Turn, ...]


def answer_lines(
    index: Index,
    lines: Iterable[bytes],
    *,
    document: str | None,
    risk: float | None = None,
    keep: Keep | None = None,
) -> int:
    """Write one answer or error a line, in order; blank lines are skipped.

    `document` is for lines that name none; `risk` as in `Index.ask`. `keep` writes an answer to a
    log before it is printed. The exit code: 1 where any line could not be processed, and stderr
    says how many; 0 otherwise, whether answered or refused.
    """
    line_count = error_count = 0
    for line in lines:
        if not line.strip():
            continue
        line_count += 1
        try:
            asked = parse_line(line)
        except BadLineError as error:
            write_json(error_to_json(error.line_id, str(error)), pretty=False)
            error_count += 1
            continue
        try:
            answer = index.ask(
                asked.question,
                document=asked.document or document,
                history=asked.history,
                risk=risk,
            )
            if keep is not None:
                keep(answer, asked.document or document, asked.history)
        except PinciteError as error:
            write_json(error_to_json(asked.id, str(error)), pretty=False)
            error_count += 1
            continue
        write_json({"id": asked.id, **to_json(answer)}, pretty=False)
    if not error_count:
        return ANSWERED
    complain(
        f"{error_count} of {counted(line_count, 'line')} could not be answered: "
        f"their records say why"
    )
    return ERROR


def parse_line(line: bytes) -> BatchQuestion:
    """Check one line: {"id", "question", "document"?, "history"?}; other keys are ignored.

    BadLineError where it is not that.
    """
    try:
        entry = json.loads(line.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise BadLineError(f"not a line of JSON in UTF-8: {error}") from error
    if not isinstance(entry, dict):
        raise BadLineError('not a JSON object with "question"')
    line_id = entry.get("id")
    if line_id is not None and (isinstance(line_id, bool) or not isinstance(line_id, str | int)):
        raise BadLineError('"id" is neither a string nor a whole number')
    question = entry.get("question")
    if not isinstance(question, str) or not question.strip():
        fault = '"question" is missing, empty or not a string'
        raise BadLineError(fault, line_id=line_id)
    document = entry.get("document")
    if document is not None and not isinstance(document, str):
        raise BadLineError('"document" is not a string', line_id=line_id)
    return BatchQuestion(line_id, question, document, _history(entry.get("history"), line_id))


def _history(turns: Any, line_id: str | int | None) -> tuple[Turn, ...]:
    if turns is None:
        return ()
    fault = '"history" is not a list of {"role": "user" or "assistant", "text"}'
    if not isinstance(turns, list):
        raise BadLineError(fault, line_id=line_id)
    history = []
    for turn in turns:
        match turn:
            case {"role": ("user" | "assistant") as role, "text": str(text)}:
                history.append(Turn(role, text))
            case _:
                raise BadLineError(fault, line_id=line_id)
    return tuple(history)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
