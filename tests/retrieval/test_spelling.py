"""A word that no document has is met by one that is spelt nearly so."""

from __future__ import annotations

import pytest

from pincite.retrieval.spelling import nearly_spelt
from tests.corpora import corpus_of

TEXTS = (
    "The warranty lasts two years. A Warranty card is in the box.",
    "Reimbursement of the delivery takes a week.",
    "Die Gewährleistung beträgt zwei Jahre, und die Lieferung ist in dieser Zeit kostenlos.",
)
CORPUS = corpus_of({f"{number}.txt": text for number, text in enumerate(TEXTS)})


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("waranty", "warranty"),  # left out
        ("warrrranty", None),  # two letters too many
        ("warrenty", "warranty"),  # changed
        ("warratny", "warranty"),  # changed places
        ("delivvery", "delivery"),  # added
        ("Lieferng", "Lieferung"),
        ("Reimbursment", None),  # its stem is that of the word
    ],
)
def test_a_word_a_letter_away_is_found_as_a_document_writes_it(word: str, near: str | None) -> None:
    assert nearly_spelt([word], CORPUS) == ({word: near} if near else {})


@pytest.mark.parametrize(
    "word",
    [
        "warranty",  # stands there
        "bux",  # too short: "box" is no slip of it, nor of much else
        "KLR118",  # a code is what it is
        "KLRXY",
        "brand",  # a word of its own
        "mongolia",
    ],
)
def test_other_words_are_taken_as_they_are(word: str) -> None:
    assert nearly_spelt([word], CORPUS) == {}


def test_every_word_is_looked_at_by_itself() -> None:
    assert nearly_spelt(["waranty", "warranty", "delivvery"], CORPUS) == {
        "waranty": "warranty",
        "delivvery": "delivery",
    }
