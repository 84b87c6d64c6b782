"""The figures of what is found, on lists short enough to check by hand."""

from __future__ import annotations

import math

import pytest
from bench.data import DataSet, Gold, Question, SourceText
from bench.retrieval import gain, measure


def test_the_relevant_document_in_front_is_all_there_is_to_gain() -> None:
    assert gain(["a", "b"], frozenset({"a"})) == 1.0
    assert gain(["b", "c"], frozenset({"a"})) == 0.0
    assert gain([], frozenset({"a"})) == 0.0


def test_further_back_it_gains_less() -> None:
    assert gain(["b", "a"], frozenset({"a"})) == pytest.approx(1 / math.log2(3))


def test_more_relevant_documents_than_places_can_be_gained_in_full() -> None:
    order = [str(number) for number in range(10)]
    assert gain(order, frozenset(map(str, range(30)))) == pytest.approx(1.0)


def test_a_small_set_is_measured_both_ways() -> None:
    fees = "The fee for a lamp is 4 euros."
    data = DataSet(
        "tiny",
        (SourceText("d1", "Fees", fees), SourceText("d2", "Hours", "We open at nine.")),
        (
            Question(
                "q1",
                "What is the fee for a lamp?",
                True,
                (Gold("d1", 0, len(fees)),),
                relevant=frozenset({"d1"}),
            ),
            Question("q2", "Who painted it?", False),
        ),
    )
    found = measure(data)["ways"]
    wanted = {"questions": 1, "ndcg_10": 1.0, "passage_1": 100.0, "passage_5": 100.0}
    assert found == {"words": wanted, "words and vectors": wanted}
