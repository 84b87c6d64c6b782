"""Lines are counted as an editor counts them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.records import Lines, Passage, Span
from pincite.text.lines import count_lines_before, line_starts, lines_in

TEXT = "one\r\ntwo\rthree\n\nfive\u2028same\x0csame"


def passage(text: str, start: int, end: int) -> Passage:
    return Passage(
        "a.txt", 0, Span(start, end), text[start:end], count_lines_before(text, start) + 1, (),
        "en", (),
    )  # fmt: skip


def test_lines_begin_after_each_of_the_three_line_ends_and_nothing_else() -> None:
    assert [TEXT[start : start + 3] for start in line_starts(TEXT)] == [
        "one", "two", "thr", "\nfi", "fiv",
    ]  # fmt: skip
    assert line_starts("") == [0]
    assert line_starts("a\n") == [0, 2]


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("one", Lines(1, 1)),
        ("one\r\n", Lines(1, 1)),
        ("two\rthree", Lines(2, 3)),
        ("\n\nfive", Lines(3, 5)),
        ("same", Lines(5, 5)),
    ],
)
def test_a_span_stands_on_the_lines_of_its_first_and_last_character(
    words: str, lines: Lines
) -> None:
    start = TEXT.index(words)
    for whole in (passage(TEXT, 0, len(TEXT)), passage(TEXT, min(start, 5), len(TEXT))):
        assert lines_in(whole, Span(start, start + len(words))) == lines


def test_an_empty_span_is_on_one_line() -> None:
    assert lines_in(passage(TEXT, 0, len(TEXT)), Span(5, 5)) == Lines(2, 2)


@given(st.text(alphabet="a\r\n", max_size=30))
def test_counting_agrees_with_splitting(text: str) -> None:
    for offset in range(len(text) + 1):
        ends = [match.end() for match in re.finditer(r"\r\n|\r|\n", text)]
        assert count_lines_before(text, offset) == sum(end <= offset for end in ends)
