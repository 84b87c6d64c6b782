"""Questions of a log asked again over the documents that were kept with it."""

from __future__ import annotations

import tempfile
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite.auditing import archive
from pincite.auditing.entries import Line
from pincite.auditing.log import AuditLog
from pincite.errors import PinciteError
from pincite.index import Index
from pincite.records import Turn
from pincite.render import dumps, to_json


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of asking again what an entry says was asked."""

    sequence: int
    question: str
    identical: bool
    differs: tuple[str, ...] = ()
    """The fields of the record that are not the same now."""
    problem: str = ""
    """Why it could not be asked again; empty where it could."""


def replay(log: AuditLog, sequences: Collection[int] = ()) -> Iterator[Replay]:
    """Ask again the questions of these entries, or of all that were not erased, state by state.

    The number of the generation counts runs of indexing, and is that of the record here.
    """
    by_state: dict[tuple[str, bool], list[Line]] = {}
    for line in log.answers():
        if not sequences or line.entry.sequence in sequences:
            content = line.record()
            if not content:
                if sequences:
                    yield Replay(line.entry.sequence, "", False, problem="its content was erased")
                continue
            key = (content["record"]["index"]["fingerprint"], content["asked"]["lexical"])
            by_state.setdefault(key, []).append(line)
    for (fingerprint, lexical), lines in by_state.items():
        with tempfile.TemporaryDirectory(prefix="pincite-replay-") as temporary:
            folder, store = Path(temporary, "documents"), Path(temporary, "store")
            folder.mkdir()
            try:
                archive.restore(log.directory, fingerprint, folder)
                with Index.open_or_build(folder, store=store, lexical=lexical) as index:
                    if any(line.record()["record"]["encoder"] for line in lines):
                        index.encode()
                    for line in lines:
                        yield _asked_again(line, index)
            except PinciteError as error:
                for line in lines:
                    question = line.record()["record"]["question"]
                    yield Replay(line.entry.sequence, question, False, problem=str(error))


def _asked_again(line: Line, index: Index) -> Replay:
    content = line.record()
    was, asked = content["record"], content["asked"]
    sequence, question = line.entry.sequence, was["question"]
    history = [Turn(turn["role"], turn["text"]) for turn in asked["history"]]
    try:
        answer = index.ask(
            question, document=asked["document"], history=history, risk=asked["risk"]
        )
    except PinciteError as error:
        return Replay(sequence, question, False, problem=str(error))
    now: dict[str, Any] = to_json(answer)
    now["index"]["generation"] = was["index"]["generation"]
    if dumps(now) == dumps(was):
        return Replay(sequence, question, True)
    names = [*was, *(name for name in now if name not in was)]
    differs = tuple(name for name in names if was.get(name) != now.get(name))
    return Replay(sequence, question, False, differs)
