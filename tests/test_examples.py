"""The example folder is what its README says: real places, real words, one id each."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

HELPCENTRE = Path(__file__).parent.parent / "examples" / "helpcentre"
DOCUMENTS = HELPCENTRE / "documents"
QUESTIONS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (HELPCENTRE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]
EVIDENCE = [
    pytest.param(span, id=f"{question['id']}-{number}")
    for question in QUESTIONS
    for number, span in enumerate(question["evidence"], 1)
]


def decoded(path: str) -> str:
    """The file with its line ends as they are, so that offsets mean what they say."""
    return (DOCUMENTS / path).read_bytes().decode("utf-8")


@pytest.mark.parametrize("span", EVIDENCE)
def test_evidence_is_what_stands_at_its_place(span: dict[str, Any]) -> None:
    text = decoded(span["document"])
    assert text[span["start"] : span["end"]] == span["text"]


@pytest.mark.parametrize("span", EVIDENCE)
def test_evidence_stands_only_once_in_its_document(span: dict[str, Any]) -> None:
    assert decoded(span["document"]).count(span["text"]) == 1


@pytest.mark.parametrize("field", ["id", "question"])
def test_no_two_questions_share(field: str) -> None:
    counts = Counter(question[field] for question in QUESTIONS)
    assert [value for value, count in counts.items() if count > 1] == []


def test_answerable_questions_have_answers_and_evidence_and_the_others_have_neither() -> None:
    for question in QUESTIONS:
        assert bool(question["evidence"]) is question["answerable"], question["id"]
        assert bool(question["answers"]) is question["answerable"], question["id"]


def test_there_are_enough_questions_of_both_sorts() -> None:
    kinds = Counter(question["kind"] for question in QUESTIONS)
    assert sum(question["answerable"] for question in QUESTIONS) >= 60
    assert kinds["off_topic"] >= 15
    assert kinds["near_miss"] >= 15


def test_every_document_is_asked_about() -> None:
    asked = {span["document"] for question in QUESTIONS for span in question["evidence"]}
    held = {
        path.relative_to(DOCUMENTS).as_posix()
        for suffix in ("md", "txt")
        for path in DOCUMENTS.rglob(f"*.{suffix}")
    }
    assert asked == held
