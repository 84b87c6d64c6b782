"""Reads a data set: a corpus, the questions about it, and questions about something else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

_T = TypeVar("_T")
_BYTE_ORDER_MARK = "\ufeff"
_ROLES = {"agent": "assistant", "assistant": "assistant", "user": "user"}


@dataclass(frozen=True, slots=True)
class SourceText:
    """A document of the corpus."""

    doc_id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Gold:
    """Where an answer stands: code points into the text of the document."""

    doc_id: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Question:
    """A question and, when the corpus answers it, where."""

    id: str
    text: str
    answerable: bool
    gold: tuple[Gold, ...] = ()
    scope: str | None = None
    """The document to ask inside, by its id; None for the whole corpus."""
    history: tuple[tuple[str, str], ...] = ()
    """Earlier turns as (role, text)."""
    language: str = ""
    about: str = ""
    """The document the question was written about, where the set says so."""
    relevant: frozenset[str] = frozenset()
    """Documents that bear on it, by their ids: as the set says, else those of `gold`."""


@dataclass(frozen=True, slots=True)
class DataSet:
    """A corpus with its questions; `off_topic` are questions it does not bear on."""

    name: str
    documents: tuple[SourceText, ...]
    questions: tuple[Question, ...]
    off_topic: tuple[Question, ...] = ()


def read(directory: Path) -> DataSet:
    """The data set in `directory` (corpus.jsonl, questions.jsonl, maybe ood_questions.jsonl).

    A byte order mark at the start of a text is taken off and the evidence moved along with it:
    a text file that begins with one does not count it as text.
    """
    documents, shifts = [], {}
    for row in _rows(directory / "corpus.jsonl"):
        text = row["text"].removeprefix(_BYTE_ORDER_MARK)
        shifts[row["doc_id"]] = len(row["text"]) - len(text)
        documents.append(SourceText(row["doc_id"], row.get("title") or "", text))
    off_topic = directory / "ood_questions.jsonl"
    return DataSet(
        name=directory.resolve().name,
        documents=tuple(documents),
        questions=tuple(_question(row, shifts) for row in _rows(directory / "questions.jsonl")),
        off_topic=tuple(
            replace(_question(row, shifts), answerable=False, gold=()) for row in _rows(off_topic)
        )
        if off_topic.exists()
        else (),
    )


def by_language(data: DataSet) -> list[DataSet]:
    """One data set per language of the questions, with the documents its questions are about.

    A set in one language, or one that does not say, comes back as it is.
    """
    languages = sorted({question.language for question in data.questions})
    if len(languages) < 2:
        return [data]
    parts = []
    for language in languages:
        questions = tuple(q for q in data.questions if q.language == language)
        wanted = {gold.doc_id for q in questions for gold in q.gold} | {q.about for q in questions}
        parts.append(
            DataSet(
                name=f"{data.name}-{language or 'und'}",
                documents=tuple(d for d in data.documents if d.doc_id in wanted),
                questions=questions,
                off_topic=data.off_topic,
            )
        )
    return parts


def limited(data: DataSet, limit: int | None) -> DataSet:
    """At most `limit` questions of each kind, taken at even distances; the corpus stays whole."""
    if limit is None:
        return data
    return replace(
        data,
        questions=_spread(data.questions, limit),
        off_topic=_spread(data.off_topic, limit),
    )


def _spread(items: Sequence[_T], limit: int) -> tuple[_T, ...]:
    if len(items) <= limit:
        return tuple(items)
    return tuple(items[index * len(items) // limit] for index in range(limit))


def _question(row: dict[str, Any], shifts: dict[str, int]) -> Question:
    return Question(
        id=str(row["id"]),
        text=row["question"],
        answerable=row["answerable"],
        gold=tuple(
            Gold(
                place["doc_id"],
                max(0, place["start"] - shifts[place["doc_id"]]),
                place["end"] - shifts[place["doc_id"]],
            )
            for place in row.get("evidence", ())
        ),
        scope=row.get("scope_doc_id"),
        history=tuple((_ROLES[turn["role"]], turn["text"]) for turn in row.get("history") or ()),
        language=row.get("lang") or "",
        about=row.get("doc_id") or "",
        relevant=frozenset(
            row.get("relevant_docs") or [place["doc_id"] for place in row.get("evidence", ())]
        ),
    )


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    # Lines end at \n only: U+2028 and its like stand inside the texts.
    with path.open(encoding="utf-8", newline="\n") as lines:
        for line in lines:
            if line.strip():
                yield json.loads(line)
