"""A word of a question is met by its other forms: inflected, compounded, with a word before it."""

from __future__ import annotations

import pytest

from pincite.answering.meeting import PREFIX_DISCOUNT, Asked
from pincite.protocols import Query
from pincite.text.tokens import terms


def shares(language: str, question: str, sentence: str) -> list[float]:
    asked = tuple(terms(question, language))
    query = Query(question, {language: asked}, dict.fromkeys(asked, 1.0), frozenset())
    return Asked(query, language).shares(frozenset(terms(sentence, language)))


@pytest.mark.parametrize(
    ("language", "word", "form"),
    [
        ("de", "Ausbruch", "Der Pestausbruch kam."),
        ("de", "Schulgebühren", "Die Gebühren steigen."),
        ("nl", "verzekering", "De reisverzekering geldt."),
        ("no", "landslaget", "Kvinnelandslaget vant."),
        ("ar", "مدينة", "ولمدينة أخرى"),
        ("ar", "لمدينة", "المدينة كبيرة"),
        ("en", "commission", "The commissioner agreed."),
    ],
)
def test_a_form_of_a_word_counts_for_less_than_the_word(
    language: str, word: str, form: str
) -> None:
    assert shares(language, word, form) == [PREFIX_DISCOUNT]


def test_the_word_itself_counts_in_full() -> None:
    assert shares("de", "Ausbruch", "Ein Ausbruch und ein Pestausbruch.") == [1.0]


@pytest.mark.parametrize(
    ("language", "word", "other"),
    [
        ("de", "Gast", "Der Palast."),  # too short to be the end of a compound
        ("en", "meter", "The diameter."),  # in English no compounds are joined
        ("ar", "باب", "كتاب"),
    ],
)
def test_another_word_does_not_count(language: str, word: str, other: str) -> None:
    assert shares(language, word, other) == [0.0]
