"""The word pieces are those of the library that the original model is used with."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.encoder.session import MODELS, word_pieces
from pincite.encoder.word_pieces import WordPieces, words

tokenizers = pytest.importorskip("tokenizers")

TEXTS = [
    "The Desk-Lamp's E27 bulb costs 4.50 euros (incl. VAT).",
    "Straße, Ångström, naïve coöperation, ΟΔΟΣ, İstanbul",
    "三个工作日内送达。 がぎ ﾊﾟ 한국어 हिन्दी العَرَبِيَّة",
    "a\x00b\x07c\td\u00a0e\u200bf\u2028g\ufffdh\u00adi",
    "word" * 26,
    "zzqxzzqx unaffable hyper­link",
    "",
    "  \n ",
]
LETTERS = st.characters(codec="utf-8", max_codepoint=0x06FF, exclude_categories=("Cn", "Co"))


@pytest.fixture(scope="module")
def original() -> tokenizers.BertWordPieceTokenizer:
    return tokenizers.BertWordPieceTokenizer(str(MODELS / "vocabulary.txt"), lowercase=True)


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_has_the_pieces_of_the_original(
    original: tokenizers.BertWordPieceTokenizer, text: str
) -> None:
    assert word_pieces().framed(text, 10_000) == original.encode(text).ids


@given(text=st.text(alphabet=LETTERS.filter(lambda letter: letter != "\u061d"), max_size=60))
def test_any_text_has_the_pieces_of_the_original(text: str) -> None:
    original = tokenizers.BertWordPieceTokenizer(str(MODELS / "vocabulary.txt"), lowercase=True)
    assert word_pieces().framed(text, 10_000) == original.encode(text).ids


@given(
    first=st.integers(0, 30),
    second=st.integers(0, 30),
    most=st.integers(3, 40),
)
def test_a_pair_is_cut_where_the_original_cuts_it(first: int, second: int, most: int) -> None:
    original = tokenizers.BertWordPieceTokenizer(str(MODELS / "vocabulary.txt"), lowercase=True)
    original.enable_truncation(most, strategy="longest_first")
    one, other = "lamp " * first, "refund " * second
    wanted = original.encode(one, other)
    assert word_pieces().pair(one, other, most) == (wanted.ids, wanted.type_ids)


def test_a_mark_written_in_a_text_is_only_words() -> None:
    assert words("end [SEP] start") == ["end", "[", "sep", "]", "start"]


def test_half_of_a_surrogate_pair_is_read_as_a_question_mark() -> None:
    assert words("a \ud800 b") == ["a", "?", "b"]


def test_the_longest_piece_of_the_vocabulary_is_taken_and_what_has_none_is_unknown() -> None:
    pieces = WordPieces(["[UNK]", "[CLS]", "[SEP]", "un", "una", "##aff", "##ff", "##able"])
    assert pieces.framed("unaffable", 9) == [1, 4, 6, 7, 2]
    assert pieces.framed("unaffair", 9) == [1, 0, 2]


def test_marks_count_among_the_most() -> None:
    pieces = WordPieces(["[UNK]", "[CLS]", "[SEP]", "a"])
    assert pieces.framed("a a a a", 4) == [1, 3, 3, 2]
