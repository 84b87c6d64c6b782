"""Which questions are several, and which only look like it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.answering.parts import MOST_PARTS, question_parts


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "How long is the warranty, and who pays for return postage?",
            ("How long is the warranty", "who pays for return postage?"),
        ),
        ("What is the X-12? And how do I clean it?", ("What is the X-12?", "how do I clean it?")),
        ("Who found the atom and in what year?", ("Who found the atom", "in what year?")),
        (
            "Tell me what the warranty covers and how long it is valid",
            ("Tell me what the warranty covers", "how long it is valid"),
        ),
        (
            "Is express available on Sunday and what does it cost?",
            ("Is express available on Sunday", "what does it cost?"),
        ),
        ("Do you sell lamps and do you mend them?", ("Do you sell lamps", "do you mend them?")),
        ("Was kostet der Versand und wie lange dauert er?", None),
        ("Combien coûte la livraison et quand arrive le colis ?", None),
        ("¿Cuánto cuesta el envío y cuándo llega?", None),
    ],
)
def test_a_question_of_two_parts_is_two(question: str, parts: tuple[str, ...] | None) -> None:
    found = question_parts(question)
    assert found == parts if parts else len(found) == 2


@pytest.mark.parametrize(
    "question",
    [
        "Where are the terms and conditions?",
        "When and where does the shop open?",
        "What countries and what cities do you ship to?",
        "Who is the man who wrote it and who sang it?",
        "What happens at night and when it rains?",
        "What did the ECDC and WHO ask for?",
        "I have no printer. What can I show instead of the label?",
        "My display says HOT, how long must I wait?",
        "refund time card",
    ],
)
def test_what_asks_one_thing_stays_one(question: str) -> None:
    assert question_parts(question) == (question,)


@given(st.lists(st.sampled_from("What who is the lamp and ? , und how do I , it".split())))
def test_parts_are_words_of_the_question_in_its_order(words: list[str]) -> None:
    question = " ".join(words)
    parts = question_parts(question)
    place = 0
    for part in parts:
        place = question.index(part, place) + len(part)
    assert 1 <= len(parts) <= MOST_PARTS


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "What does the card cover, and how much per year?",
            ("What does the card cover", "how much per year?"),
        ),
        ("Is parking allowed, and how long?", ("Is parking allowed", "how long?")),
    ],
)
def test_a_piece_that_asks_how_much_is_a_part(question: str, parts: tuple[str, ...]) -> None:
    assert question_parts(question) == parts
