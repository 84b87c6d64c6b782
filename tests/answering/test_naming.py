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
            "What is there about coinsurance?",
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
    ("question", "path", "rest"),
    [
        (
            "What does the employee handbook say about dress?",
            "employee_handbook.docx",
            "What is there about dress?",
        ),
        (
            "Considering the Health Plus Details, what is covered in spring?",
            "plans/Health_Plus_Details.pdf",
            "what is covered in spring?",
        ),
        (
            "According to the Health Plus what is the deductible?",
            "plans/Health_Plus_Details.pdf",
            "what is the deductible?",
        ),
        (
            "Which limits are there under the Health Plus Details, and who sets them?",
            "plans/Health_Plus_Details.pdf",
            "Which limits are there and who sets them?",
        ),
        (
            "What fell in the Market Analysis Report 2023?",
            "Market Analysis Report 2023.pdf",
            "What fell?",
        ),
    ],
)
def test_a_name_without_its_ending_counts_where_it_is_cited(
    question: str, path: str, rest: str
) -> None:
    files = [*FILES, "employee_handbook.docx", "Market Analysis Report 2023.pdf"]
    assert asked_inside(question, lambda: files) == (path, rest)


@pytest.mark.parametrize(
    "question",
    [
        "What is the return policy?",  # the file's name, but asked about
        "Who fought in the American Civil War?",  # a topic, not a document
        "What is said in the return policy?",  # two words after "in" are a topic as well
        "What is in Health Plus Details?",  # nothing else is asked
        "Is it covered by the health plus details of the plan?",  # not written as a name
    ],
)
def test_a_topic_that_a_file_is_named_by_is_no_citation(question: str) -> None:
    files = [*FILES, "return-policy.md", "American Civil War.txt"]
    assert asked_inside(question, lambda: files) is None


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
