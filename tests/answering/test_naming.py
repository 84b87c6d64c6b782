"""A question that names a file is asked inside it, without the name."""

from __future__ import annotations

import pytest

from pincite.answering.naming import asked_inside

FILES = ["plans/Health_Plus_Details.pdf", "terms.md", "plus terms.md", "a/notes.txt", "b/notes.txt"]


def paths() -> list[str]:
    return FILES


@pytest.mark.parametrize(
    ("question", "path", "rest"),
    [
        (
            "What is the deductible according to the Health_Plus_Details.pdf?",
            "plans/Health_Plus_Details.pdf",
            "What is the deductible?",
        ),
        (
            "How does the Health Plus Details.pdf explain coinsurance?",
            "plans/Health_Plus_Details.pdf",
            "How does explain coinsurance?",
        ),
        ("In terms.md, who pays for postage?", "terms.md", "who pays for postage?"),
        ("Who pays according to plus terms.md?", "plus terms.md", "Who pays?"),
        ("Was kostet der Versand laut TERMS.md?", "terms.md", "Was kostet der Versand?"),
        ("What does plans/health-plus-details.PDF say about x-rays?", FILES[0], None),
    ],
)
def test_the_named_file_is_found_and_its_name_taken_out(
    question: str, path: str, rest: str | None
) -> None:
    found = asked_inside(question, paths)
    assert found is not None
    assert found[0] == path
    if rest is not None:
        assert found[1] == rest


@pytest.mark.parametrize(
    "question",
    [
        "Who pays for postage?",
        "Does it run on ASP.NET?",
        "What does notes.txt say?",  # two files are called so
        "What does handbook.pdf say?",
        "terms.md?",  # nothing is asked
        "Which terms are in force?",
        "",
    ],
)
def test_no_file_is_taken_to_be_named(question: str) -> None:
    assert asked_inside(question, paths) is None


def test_documents_are_not_listed_for_a_question_without_a_file_name() -> None:
    def never() -> list[str]:
        raise AssertionError

    assert asked_inside("Who pays for postage?", never) is None
