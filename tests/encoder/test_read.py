"""The close reader gives one number a pair, the same in any company."""

from __future__ import annotations

import pytest

from pincite.encoder.read import CloseReader

pytest.importorskip("onnxruntime")

QUESTION = "How long until my refund reaches my card?"
TEXTS = [
    "The money goes back to the card you paid with within 5 working days. | Refunds",
    "The desk lamp has a cable of two metres. | Lamps",
    "",
    "word " * 400,
    "A lone surrogate \ud800 and a \x00. | x",
]


@pytest.fixture(scope="module")
def reader() -> CloseReader:
    return CloseReader(threads=2)


def test_the_sentence_that_answers_is_told_from_one_that_does_not(reader: CloseReader) -> None:
    answers, other = reader.read(QUESTION, TEXTS[:2])
    assert answers > 0 > other


def test_no_texts_give_no_numbers(reader: CloseReader) -> None:
    assert reader.read(QUESTION, []) == []


@pytest.mark.parametrize("threads", [1, 3])
def test_a_pair_has_the_same_number_in_any_company_and_on_any_number_of_threads(
    reader: CloseReader, threads: int
) -> None:
    alone = [CloseReader(threads=threads).read(QUESTION, [text])[0] for text in TEXTS]
    assert reader.read(QUESTION, TEXTS) == alone


def test_threads_below_one_are_refused() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        CloseReader(threads=0)
