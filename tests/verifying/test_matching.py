"""What counts as the same words: layout may differ, content may not."""

from __future__ import annotations

import itertools
import unicodedata

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pincite.records import Span
from pincite.verifying.content import content_of, words_of
from pincite.verifying.governing import left_out
from pincite.verifying.matching import occurrences, says_the_same

WORDS = st.lists(
    st.one_of(
        st.sampled_from(
            "may must not cannot lamp Anna well-known 5 45 1,000 $500 -3 50% E14".split()
        ),
        st.text("abcdefß\u00e9Д東京1", min_size=1, max_size=6),
    ),
    min_size=1,
    max_size=8,
)
GAPS = st.sampled_from([" ", "\n", "\r\n", "\u00a0", "  ", " \u200b", "\u2003", "\t", "\n    "])


@given(WORDS, st.data())
def test_words_are_found_whatever_white_space_lies_between_them(
    words: list[str], data: st.DataObject
) -> None:
    text = words[0] + "".join(data.draw(GAPS) + word for word in words[1:])
    quote = " ".join(words)
    found = occurrences(quote, text)
    assert [span.of(text) for span in found] == [text] or not any(map(str.isalnum, quote))


@given(WORDS, WORDS)
def test_other_words_are_not_the_same(one: list[str], other: list[str]) -> None:
    # White space between scripts that do without it is layout.
    assume("".join(one) != "".join(other))
    assert not says_the_same(" ".join(one), " ".join(other))


@given(st.text(max_size=60), st.text(max_size=20), st.text(max_size=20))
def test_what_is_found_says_the_quote_and_lies_in_the_text(
    quote: str, before: str, after: str
) -> None:
    text = before + quote + after
    for span in occurrences(quote, text):
        assert 0 <= span.start < span.end <= len(text)
        assert says_the_same(span.of(text), quote)


@given(st.text(max_size=80))
def test_composed_and_decomposed_letters_have_the_same_content(text: str) -> None:
    composed = words_of(unicodedata.normalize("NFC", text))
    assert words_of(unicodedata.normalize("NFD", text)) == composed


@given(st.text(max_size=80))
def test_the_stretches_of_a_content_are_those_of_its_text(text: str) -> None:
    content = content_of(text)
    assert len(content.starts) == len(content.sources)
    assert list(content.starts) == sorted(set(content.starts))
    assert all(one.end <= two.start for one, two in itertools.pairwise(content.sources))
    if content.characters:
        whole = content.source_of(0, len(content.characters))
        assert 0 <= whole.start <= whole.end <= len(text)


@given(st.integers(0, 10**7), st.integers(0, 10**7))
def test_a_number_is_not_found_in_another(one: int, other: int) -> None:
    found = occurrences(f"costs {one}", f"It costs {other}.")
    assert bool(found) == (one == other)


def test_equal_sentences_are_all_found() -> None:
    text = "A fee. A lamp.\nA fee."
    assert occurrences("A fee.", text) == [Span(0, 6), Span(15, 21)]


@pytest.mark.parametrize(
    ("quote", "text", "rest"),
    [
        ("You may return it", "You may return it unless it was used.", " unless it was used"),
        ("You may return it", "You may return it\nunless it was used.", "\nunless it was used"),
        ("the fee is 50 EUR", "It is not true that the fee is 50 EUR.", "It is not true that "),
        ("You may return it.", "You may return it. Unless it was used.", ""),
        ("You may return it.", "We never lend. You may return it.", ""),
        ("Sofas are new", "Sofas are new\n- except those on sale", ""),
        ("Fees are 5 EUR.", "What is not covered\n\nFees are 5 EUR.", ""),
        ("a sofa | 5 EUR", "| a sofa | 5 EUR | if new |", ""),
        ("It weighs 2 kg", "It weighs 2 kg and is red.", ""),
        ("支付", "不支付", "不"),
    ],
)
def test_what_limits_or_denies_a_quote_in_its_own_sentence_is_told(
    quote: str, text: str, rest: str
) -> None:
    start = text.index(quote)
    found = left_out(text, Span(start, start + len(quote)))
    assert (found.of(text) if found else "") == rest
