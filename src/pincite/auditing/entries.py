"""The lines of a log: an entry, chained to the one before by its hash, and its content.

A line is the entry as canonical JSON (RFC 8785), a tab, and the content, JSON as well. The entry
holds the hash of the content and not the content itself, so that this can be erased and the chain
stays whole.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

ANSWER, REFUSAL, NOTICE = "answer", "refusal", "notice"
ERASURE, RECOVERY = "erasure", "recovery"
KINDS = (ANSWER, REFUSAL, NOTICE, ERASURE, RECOVERY)
FIRST = "0" * 64
"""What the first entry has in the place of the hash of the one before."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the chain."""

    sequence: int
    """From 1."""
    kind: str
    time: str
    """ISO 8601, UTC."""
    content_sha256: str
    previous: str
    """The hash of the entry before."""

    @property
    def sha256(self) -> str:
        """The hash of the entry, which the next one holds."""
        return hashlib.sha256(self.hashed).hexdigest()

    @property
    def hashed(self) -> bytes:
        """What its hash is the hash of."""
        return canonical(self._fields())

    def _fields(self) -> dict[str, Any]:
        return {
            "content_sha256": self.content_sha256,
            "kind": self.kind,
            "previous": self.previous,
            "sequence": self.sequence,
            "time": self.time,
        }

    def line(self, content: bytes) -> bytes:
        """The entry and its content as they are written."""
        fields = {**self._fields(), "sha256": self.sha256}
        return canonical(fields) + b"\t" + content + b"\n"


@dataclass(frozen=True, slots=True)
class Line:
    """An entry with its content, which is empty where it was erased."""

    entry: Entry
    content: bytes

    def record(self) -> dict[str, Any]:
        """The content; empty where it was erased, ValueError where it is none that is written."""
        if not self.content:
            return {}
        try:
            content: dict[str, Any] = json.loads(self.content)
        except (ValueError, RecursionError) as error:
            raise ValueError("its content is not JSON") from error
        match self.entry.kind, content:
            case "erasure", {"erased": [*sequences]} if all(type(one) is int for one in sequences):
                return content
            case (("answer" | "refusal"), {"record": dict()}):
                return content
            case "notice", {"caller": str(), "notice": {"question": str(), "note": str()}}:
                return content
            case "recovery", dict():
                return content
        raise ValueError(f"its content is none of the kind {self.entry.kind!r}")

    def is_answered(self) -> bool:
        """Whether it holds all of an answer or refusal, as its kind says, to ask it again."""
        match self.record():
            case {
                "caller": str(),
                "asked": {
                    "document": None | str(),
                    "history": [*turns],
                    "risk": None | float() | int(),
                    "lexical": bool(),
                },
                "record": {
                    "question": str(),
                    "status": ("answered" | "refused") as status,
                    "encoder": _,
                    "index": {"fingerprint": str(), "generation": _},
                    "citations": [*cited],
                    "retrieved": [*retrieved],
                },
            }:
                is_of_kind = (self.entry.kind == ANSWER) == (status == "answered")
                parts = all(map(_is_turn, turns)) and all(map(_has_path, cited + retrieved))
                return is_of_kind and parts
        return False


def _is_turn(turn: object) -> bool:
    match turn:
        case {"role": str(), "text": str()}:
            return True
    return False


def _has_path(quoted: object) -> bool:
    match quoted:
        case {"document": {"path": str()}}:
            return True
    return False


def canonical(fields: dict[str, Any]) -> bytes:
    """Canonical JSON (RFC 8785) of ASCII strings and whole numbers below 2 to the 53rd.

    For these Python's own writer, with its keys sorted and no spaces, gives just that.
    """
    return json.dumps(fields, sort_keys=True, separators=(",", ":")).encode("ascii")


def parsed(line: bytes) -> Line:
    """The line that was written so, byte by byte; ValueError, saying why, for any other."""
    head, tab, content = line.removesuffix(b"\n").partition(b"\t")
    if not tab or not line.endswith(b"\n"):
        raise ValueError("it is not a whole line")
    try:
        fields = json.loads(head)
    except (ValueError, RecursionError) as error:
        raise ValueError("its entry is not JSON") from error
    match fields:
        case {
            "content_sha256": str(content_sha256),
            "kind": str(kind),
            "previous": str(previous),
            "sequence": int(sequence),
            "sha256": str(sha256),
            "time": str(time),
        }:
            entry = Entry(sequence, kind, time, content_sha256, previous)
        case _:
            raise ValueError("its entry lacks fields")
    if entry.sha256 != sha256:
        raise ValueError("its entry was altered: it does not have the hash that it states")
    try:
        datetime.fromisoformat(time)
    except ValueError as error:
        raise ValueError("its entry has no time") from error
    if entry.line(content) != line:
        raise ValueError("its entry is not written as it was")
    if content and hashlib.sha256(content).hexdigest() != content_sha256:
        raise ValueError("its content was altered: it does not have the hash that is stated")
    return Line(entry, content)
