"""In scripts without spaces, pairs in the middle of a word say more than those between words."""

from __future__ import annotations

import pytest

from pincite.answering.pairs import GRAMMAR, SEAM, pair_discounts


@pytest.mark.parametrize("pair", ["の写", "から", "演じ", "是谁", "在中", "학은"])
def test_a_pair_with_a_sign_of_grammar_says_less(pair: str) -> None:
    assert pair_discounts([pair], {pair: 1}) == {pair: GRAMMAR}


@pytest.mark.parametrize("pair", ["写真", "イタ", "北京", "서울"])
def test_a_pair_inside_a_word_says_all(pair: str) -> None:
    assert pair_discounts([pair], {}) == {}


def test_a_pair_unknown_between_two_known_ones_is_a_seam() -> None:
    question = ["北京", "京市", "市长"]
    assert pair_discounts(question, {"北京": 2, "市长": 1}) == {"京市": SEAM}
    assert pair_discounts(question, {"北京": 2}) == {}  # an unknown name has no known end


def test_words_with_spaces_between_them_are_left_alone() -> None:
    assert pair_discounts(["ab", "bc", "cd"], {"ab": 1, "cd": 1}) == {}
