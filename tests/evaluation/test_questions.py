"""Sets of questions: what is taken, and what is said of what cannot be."""

from __future__ import annotations

import pytest

from pincite import Index, QuestionsUnusable, Turn
from pincite.evaluation.questions import read_questions

from .conftest import ASKED, LAMP, REFUND, RETURNS, jsonl


def faults(data: bytes, index: Index, fewest: int = 1) -> tuple[str, ...]:
    with pytest.raises(QuestionsUnusable) as raised:
        read_questions(data, name="q.jsonl", index=index, fewest=fewest)
    return raised.value.faults


def test_questions_are_read_with_their_evidence(index: Index) -> None:
    found = read_questions(b"\xef\xbb\xbf" + jsonl(*ASKED) + b"\n", name="q.jsonl", index=index)
    assert [question.id for question in found.questions] == [str(one["id"]) for one in ASKED]
    refund, weight, off, *_ = found.questions
    (place,) = refund.evidence
    assert RETURNS[place.span.start : place.span.end] == REFUND["text"]
    assert (refund.is_answerable, weight.is_answerable, off.is_answerable) == (True, True, False)


def test_words_that_stand_twice_are_evidence_in_both_places(index: Index) -> None:
    line = {"question": "x", "evidence": [{"document": "./returns.md", "text": "gift\n  card"}]}
    (question,) = read_questions(jsonl(line), name="q", index=index).questions
    assert [RETURNS[e.span.start : e.span.end] for e in question.evidence] == ["gift card"] * 2
    assert {e.document for e in question.evidence} == {"returns.md"}


def test_a_question_may_have_a_document_and_earlier_turns(index: Index) -> None:
    line = {
        "question": "And how heavy is it?",
        "answerable": True,
        "answers": ["2.4 kg"],
        "document": "products/lamp.txt",
        "history": [{"role": "user", "text": "What is the KLR-118?"}],
        "kind": "ignored",
        "draft": True,
    }
    (question,) = read_questions(jsonl(line), name="q", index=index).questions
    assert (question.id, question.document) == ("1", "products/lamp.txt")
    assert question.history == (Turn("user", "What is the KLR-118?"),)
    assert question.is_draft


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"what?", "not JSON in UTF-8"),
        (b"\xff\n", "not JSON in UTF-8"),
        (b"[1]", "not a JSON object"),
        (jsonl({"question": " "}), '"question" is missing or empty'),
        (jsonl({"question": "x", "id": 1.5}), '"id" is neither'),
        (jsonl({"question": "x", "answerable": "yes"}), '"answerable" is not a true or false'),
        (jsonl({"question": "x", "answerable": True}), 'neither "evidence" nor "answers"'),
        (jsonl({"question": "x", "answers": [""]}), '"answers" is not a list of strings'),
        (jsonl({"question": "x", "evidence": {}}), '"evidence" is not a list'),
        (jsonl({"question": "x", "evidence": ["y"]}), '"evidence" is not a list of {"document"'),
        (jsonl({"question": "x", "history": ["y"]}), '"history" is not a list of {"role"'),
        (
            jsonl({"question": "x", "evidence": [{"document": "no.md", "text": "y"}]}),
            "'no.md' is no document of the index",
        ),
        (
            jsonl({"question": "x", "answerable": False, "document": "no.md"}),
            "'no.md' is no document of the index",
        ),
        (
            jsonl({"question": "x", "evidence": [{"document": "returns.md", "text": "zebra"}]}),
            "returns.md does not hold the words 'zebra'",
        ),
        (
            jsonl(
                {"question": "x", "evidence": [{"document": "returns.md", "start": 0, "end": 9999}]}
            ),
            "has no characters 0 to 9999",
        ),
        (
            jsonl(
                {
                    "question": "x",
                    "evidence": [
                        {"document": "products/lamp.txt", "start": 0, "end": 3, "text": "Tho"}
                    ],
                }
            ),
            f"are not its evidence but {LAMP[:3]!r}",
        ),
    ],
)
def test_a_line_that_cannot_be_used_is_told(line: bytes, fault: str, index: Index) -> None:
    (told,) = faults(line, index)
    assert told.startswith("line 1: ")
    assert fault in told


def test_every_faulty_line_is_told_at_once(index: Index) -> None:
    data = jsonl(ASKED[0]) + b"\nwhat?\n" + jsonl(ASKED[0])
    first, second = faults(data, index)
    assert first.startswith("line 3: not JSON")
    assert second == "line 4: the id 'refund' was there before"


def test_an_empty_file_and_too_few_questions_are_told(index: Index) -> None:
    assert "there is no question in it" in faults(b" \n\n", index)[0]
    assert "5 questions are too few: give 50 or more" in faults(jsonl(*ASKED), index, 50)[0]
