"""Reads a set of questions with known answers, and finds the words that its evidence names.

One JSON object a line: `id`, `question`, `answerable`, and what is judged by: `evidence`, places or
words in documents of the folder, or `answers`, strings that a right quote holds. `document` asks
inside one document, and `history` gives earlier turns, as in a batch. Other fields are ignored.
docs/measuring.md describes it for the people who write it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pincite.errors import DocumentNotFound, QuestionsUnusable
from pincite.index import Index
from pincite.records import Span, Turn

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Words of a document that answer."""

    document: str
    span: Span


@dataclass(frozen=True, slots=True)
class Question:
    """A question and how what comes back is judged."""

    id: str
    text: str
    is_answerable: bool
    document: str | None = None
    """The document to ask inside; None for all."""
    history: tuple[Turn, ...] = ()
    answers: tuple[str, ...] = ()
    """What a right quote holds, where there is no evidence."""
    evidence: tuple[Evidence, ...] = ()
    is_draft: bool = False
    """It was drafted by a program, and nobody has looked at it."""


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """The questions of one file, in its order."""

    name: str
    sha256: str
    """Of the file."""
    questions: tuple[Question, ...]


class _Fault(Exception):
    """What is wrong with a line."""


def read_questions(data: bytes, *, name: str, index: Index, fewest: int = 1) -> QuestionSet:
    """The questions in a file called `name` with these bytes, about the documents of `index`.

    `QuestionsUnusable` tells of every line that cannot be used: that is not such an object, whose
    document is not in the index, or whose evidence is not in the document; or that there are
    fewer than `fewest` questions.
    """
    documents = _Documents(index)
    questions: list[Question] = []
    faults: list[str] = []
    seen: set[str] = set()
    # Lines end at \n only: U+2028 and its like stand inside strings.
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            question = _question(line, number, documents)
            if question.id in seen:
                raise _Fault(f"the id {question.id!r} was there before")
        except _Fault as fault:
            faults.append(f"line {number}: {fault}")
            continue
        seen.add(question.id)
        questions.append(question)
    if not questions and not faults:
        faults.append("there is no question in it: write one JSON object a line")
    elif not faults and len(questions) < fewest:
        faults.append(f"{len(questions)} questions are too few: give {fewest} or more")
    if faults:
        raise QuestionsUnusable(name, tuple(faults))
    return QuestionSet(name, hashlib.sha256(data).hexdigest(), tuple(questions))


class _Documents:
    """The texts of an index, each put together once."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._found: dict[str, tuple[str, str]] = {}

    def find(self, name: str) -> tuple[str, str]:
        """The path of a document as the index has it, and its text."""
        if name not in self._found:
            try:
                passages = self._index.passages(name)
            except DocumentNotFound as error:
                raise _Fault(f"{name!r} is no document of the index") from error
            path = passages[0].path if passages else name
            self._found[name] = path, "".join(passage.text for passage in passages)
        return self._found[name]


def _question(line: bytes, number: int, documents: _Documents) -> Question:
    try:
        entry = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise _Fault(f"not JSON in UTF-8: {error}") from error
    if not isinstance(entry, dict):
        raise _Fault('not a JSON object with "question"')
    text = _typed(entry, "question", str)
    if text is None or not text.strip():
        raise _Fault('"question" is missing or empty')
    line_id = entry.get("id", number)
    if isinstance(line_id, bool) or not isinstance(line_id, str | int):
        raise _Fault('"id" is neither a string nor a whole number')
    answerable = _typed(entry, "answerable", bool)
    answers = _strings(entry, "answers")
    evidence = _each(entry, "evidence", lambda found: _evidence(found, documents))
    is_answerable = bool(evidence or answers) if answerable is None else answerable
    if is_answerable and not evidence and not answers:
        raise _Fault('it is answerable, and has neither "evidence" nor "answers" to judge by')
    document = _typed(entry, "document", str)
    if document is not None:
        document, _ = documents.find(document)
    return Question(
        id=str(line_id),
        text=text,
        is_answerable=is_answerable,
        document=document,
        history=tuple(_each(entry, "history", _turn)),
        answers=answers,
        evidence=tuple(place for found in evidence for place in found),
        is_draft=bool(_typed(entry, "draft", bool)),
    )


def _evidence(found: Any, documents: _Documents) -> list[Evidence]:
    """The places that an entry names; several where its words stand several times."""
    match found:
        case {"document": str(name), "start": int(start), "end": int(end), **rest}:
            path, text = documents.find(name)
            if not 0 <= start < end <= len(text):
                raise _Fault(f"{path} has no characters {start} to {end}: it has {len(text)}")
            words = rest.get("text")
            if words is not None and words != text[start:end]:
                raise _Fault(
                    f"characters {start} to {end} of {path} are not its evidence but "
                    f"{text[start:end]!r}: leave out start and end to look for the words"
                )
            return [Evidence(path, Span(start, end))]
        case {"document": str(name), "text": str(words)} if words.strip():
            path, text = documents.find(name)
            # White space may differ: the words may have been copied from a page.
            pattern = r"\s+".join(re.escape(word) for word in words.split())
            places = [Evidence(path, Span(*match.span())) for match in re.finditer(pattern, text)]
            if not places:
                raise _Fault(f"{path} does not hold the words {words!r}")
            return places
    raise _Fault('"evidence" is not a list of {"document", "start", "end"} or {"document", "text"}')


def _turn(found: Any) -> Turn:
    match found:
        case {"role": ("user" | "assistant") as role, "text": str(text)}:
            return Turn(role, text)
    raise _Fault('"history" is not a list of {"role": "user" or "assistant", "text"}')


def _typed(entry: dict[str, Any], key: str, kind: type[T]) -> T | None:
    value = entry.get(key)
    if value is None or isinstance(value, kind):
        return value
    raise _Fault(f'"{key}" is not a {"string" if kind is str else "true or false"}')


def _each(entry: dict[str, Any], key: str, read: Callable[[Any], T]) -> list[T]:
    values = entry.get(key)
    if values is None:
        return []
    if not isinstance(values, list):
        raise _Fault(f'"{key}" is not a list')
    return [read(value) for value in values]


def _strings(entry: dict[str, Any], key: str) -> tuple[str, ...]:
    values = _each(entry, key, lambda value: value)
    if not all(isinstance(value, str) and value.strip() for value in values):
        raise _Fault(f'"{key}" is not a list of strings with something in them')
    return tuple(values)
