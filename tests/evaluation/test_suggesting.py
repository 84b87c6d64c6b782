"""Drafts of questions, made by rule from what the documents say."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite import Index
from pincite.evaluation.questions import read_questions
from pincite.evaluation.suggesting import suggest

from .conftest import jsonl


def questions_of(text: str, folder: Path) -> dict[str, str]:
    (folder / "text.md").write_text(text, encoding="utf-8")
    with Index.open_or_build(folder, lexical=True) as index:
        return {
            draft["question"]: draft["evidence"][0]["text"] if draft["answerable"] else ""
            for draft in suggest(index, count=40)
        }


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        (
            "You may return your lamp within 45 days of delivery.",
            "Within how many days may I return my lamp?",
        ),
        ("A gift card is valid for 5 years.", "For how many years is a gift card valid?"),
        ("The refund takes about 5 working days.", "How long does the refund take?"),
        ("Spare covers cost £119.00 in grey.", "How much do spare covers cost?"),
        ("The KLR-118 weighs 2.4 kg with its foot.", "How much does the KLR-118 weigh?"),
        ("The trailer has 4 wheels of rubber.", "How many wheels does the trailer have?"),
        ("Error E14 means that the arm is blocked.", "What does error E14 mean?"),
        ("A dongle is a small plug with a chip.", "What is a dongle?"),
        (
            "If you have no printer, show the code at the counter.",
            "What happens if I have no printer?",
        ),
        ("You cannot return gift cards.", "Can I return gift cards?"),
    ],
)
def test_a_sentence_of_a_known_form_gives_its_question(
    sentence: str, question: str, tmp_path: Path
) -> None:
    # The words in small letters are words, not names.
    found = questions_of(f"{sentence}\n\nBoth spare and error are words.\n", tmp_path)
    assert found[question] == sentence


def test_a_question_of_the_document_is_taken_with_the_paragraph_below(tmp_path: Path) -> None:
    text = "# How to sew\n\nTake a needle. Put the thread in.\n\n## ¿Qué color?\n\nEs rojo.\n"
    found = questions_of(text, tmp_path)
    assert found["How do I sew?"] == "Take a needle. Put the thread in."


@pytest.mark.parametrize(
    "sentence",
    [
        "It takes 5 days in all cases.",
        "After 5 wrong attempts the account is locked for 30 minutes.",
        "If it runs longer, it locks itself at once.",
        "There is a discount of 5 % for members.",
    ],
)
def test_what_says_nothing_by_itself_gives_no_question(sentence: str, tmp_path: Path) -> None:
    assert questions_of(f"{sentence}\n", tmp_path) == {}


def test_near_misses_name_what_no_document_mentions(tmp_path: Path) -> None:
    text = "".join(f"Error E{n} means that part {n} is loose.\n\n" for n in range(10, 30))
    (tmp_path / "errors.md").write_text(text, encoding="utf-8")
    with Index.open_or_build(tmp_path, lexical=True) as index:
        drafts = suggest(index, count=12)
    missed = [draft["question"] for draft in drafts if not draft["answerable"]]
    assert len(drafts) == 12
    assert missed[0] == "What does Error E30 mean?"
    assert all(draft["draft"] for draft in drafts)


def test_drafts_are_spread_over_documents_and_can_be_asked(index: Index) -> None:
    drafts = suggest(index, count=4)
    assert drafts == suggest(index, count=4)
    documents = {draft["evidence"][0]["document"] for draft in drafts if draft["answerable"]}
    assert documents == {"returns.md", "products/lamp.txt"}
    found = read_questions(jsonl(*drafts), name="drafts", index=index)
    assert all(question.is_draft for question in found.questions)
