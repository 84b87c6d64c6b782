"""What a question leaves to be understood from the turns before it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite import standalone_question
from pincite.records import Turn


def alone(question: str, *before: str) -> str:
    """The question as it stands alone after the user asked `before`."""
    return standalone_question(question, [Turn("user", text) for text in before])


@pytest.mark.parametrize(
    ("before", "question", "wanted"),
    [
        (
            "How much is express delivery?",
            "and for islands?",
            "How much is express delivery for islands?",
        ),
        (
            "How much is express delivery?",
            "What about Plus members?",
            "How much is express delivery – Plus members?",
        ),
        ("How much is the chair Atlas?", "What about the board?", "How much is the board?"),
        (
            "How long is the warranty on the lamp?",
            "and the desk?",
            "How long is the warranty on the desk?",
        ),
        ("What is the limit in Zurich?", "What about Geneva?", "What is the limit in Geneva?"),
        (
            "How much is delivery to the mainland?",
            "And for islands?",
            "How much is delivery for islands?",
        ),
        ("What is the gift card?", "how much is it?", "how much is the gift card?"),
        ("Do you have gift cards?", "How long are they valid?", "How long are gift cards valid?"),
        ("When does the shop in Leeds open?", "and in York?", "When does the shop in York open?"),
        ("Can I return earphones?", "Why not?", "Why not: return earphones?"),
        (
            "Can I cancel an order?",
            "How long does it take?",
            "How long does it take (cancel order)?",
        ),
        ("Was kostet der Versand?", "und nach Wien?", "Was kostet der Versand nach Wien?"),
    ],
)
def test_what_leans_on_the_turn_before_is_said_with_it(
    before: str, question: str, wanted: str
) -> None:
    assert alone(question, before) == wanted


@pytest.mark.parametrize(
    "question",
    [
        "Who painted the ceiling of the chapel?",
        "If I cancel an order, when is it refunded?",
        "Is it possible to return a lamp?",
        "Does the Prince of Wales have his own income?",
        "How much does the IT department cost?",
        "Jumbo Frames",
    ],
)
def test_a_question_that_stands_alone_carries_nothing(question: str) -> None:
    assert alone(question, "How much is express delivery?") == question


def test_a_chain_of_questions_keeps_its_topic() -> None:
    found = alone("and for islands?", "What is express delivery?", "how much is it?")
    assert found == "how much is express delivery for islands?"


def test_she_is_the_person_the_answer_named() -> None:
    history = [
        Turn("user", "Who looks after complaints?"),
        Turn("assistant", "Complaints go to Dr. Imogen Vasey."),
    ]
    assert "Imogen Vasey" in standalone_question("What is her number?", history)


def test_without_an_earlier_question_nothing_is_carried() -> None:
    assert standalone_question("how much is it?", []) == "how much is it?"
    assert (
        standalone_question("how much is it?", [Turn("assistant", "Hello.")]) == "how much is it?"
    )


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=3))
def test_whatever_was_said_there_is_a_question(question: str, before: list[str]) -> None:
    assert bool(alone(question, *before).strip()) >= bool(question.strip())


@pytest.mark.parametrize("run", ["? ", "\n", " ", "! ", " (", "the ", "A. "])
def test_long_turns_are_understood_as_far_as_their_beginning(run: str) -> None:
    history = [Turn("user", run * 100_000 + "x"), Turn("assistant", run * 100_000)]
    assert len(standalone_question("How much does it cost?", history)) < 10_000
