"""Given sentences in order of how well they answer."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pincite

pytest.importorskip("onnxruntime")
pytest.importorskip("tokenizers")

LAMP = [
    "The KLR-118 is a desk lamp with a blue shade.",
    "It was drawn in 1974.",
    "A new one costs forty euros.",
    "Its cable is two metres long.",
]


def best(question: str, sentences: list[str], title: str = "KLR-118") -> str:
    scores = pincite.rank_sentences(question, sentences, title=title)
    return sentences[scores.index(max(scores))]


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("How much does a new lamp cost?", 2),
        ("how long is the cable", 3),
        ("when was the KLR-118 designed", 1),
        ("What is the KLR-118?", 0),
    ],
)
def test_the_sentence_that_answers_has_the_highest_score(question: str, number: int) -> None:
    assert best(question, LAMP) == LAMP[number]


def test_every_sentence_is_read_and_not_only_those_that_share_words() -> None:
    others = [f"The cable of lamp number {number} is short." for number in range(20)]
    assert best("How much does the lamp cost?", [*others, LAMP[2]], "Lamp") == LAMP[2]


def test_other_languages_are_judged_by_their_words() -> None:
    german = [
        "Die Lampe ist blau und steht auf dem Tisch.",
        "Eine neue Lampe kostet vierzig Euro und kommt mit der Post.",
    ]
    assert best("Was kostet eine neue Lampe?", german, "Lampe") == german[1]


def test_no_sentences_have_no_scores() -> None:
    assert pincite.rank_sentences("How much is it?", []) == []


def test_sentences_without_words_come_last() -> None:
    scores = pincite.rank_sentences("How much is it?", ["", "Nobody knows.", " \n"])
    assert scores[0] == scores[2] < scores[1]


@pytest.mark.parametrize(
    ("question", "sentences", "message"),
    [
        (" ", LAMP, "the question is empty"),
        (None, LAMP, "the question must be a string, not NoneType"),
        ("How much?", "It costs forty euros.", "not one str"),
        ("How much?", None, "not one NoneType"),
        ("How much?", ["It costs forty euros.", None], "sentence 1 is not a string but NoneType"),
    ],
)
def test_what_cannot_be_ranked_is_said(question: object, sentences: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pincite.rank_sentences(question, sentences)  # type: ignore[arg-type]


@settings(max_examples=10, deadline=None)
@given(st.lists(st.text(max_size=40), max_size=4), st.text(max_size=20))
def test_any_text_gets_one_finite_score_a_sentence_and_the_same_again(
    sentences: list[str], title: str
) -> None:
    scores = pincite.rank_sentences("How much is it?", sentences, title=title)
    assert len(scores) == len(sentences)
    assert all(abs(score) <= 1000.0 for score in scores)
    assert scores == pincite.rank_sentences("How much is it?", sentences, title=title)
