"""Negation is heard in several languages, and not in words that only look like it."""

from __future__ import annotations

import pytest

from pincite.answering.negation import negates


@pytest.mark.parametrize(
    "words",
    [
        "Lamps cannot be returned.",
        "You don’t need a receipt.",
        "No refund without a receipt.",
        "Das ist nicht möglich.",
        "Ce n'est pas possible.",
        "Это не так.",
        "返品できません。",
        "不可退货。",
        "यह संभव नहीं है।",
    ],
)
def test_words_that_deny(words: str) -> None:
    assert negates(words)


@pytest.mark.parametrize("words", ["Note the number.", "Knots and nodes.", "Das Land ist schön."])
def test_words_that_do_not(words: str) -> None:
    assert not negates(words)
