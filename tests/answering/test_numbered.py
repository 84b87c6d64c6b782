"""What a number tells apart is told apart."""

from __future__ import annotations

import pytest

from pincite.answering.numbered import is_of_another, numbered


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("tier 2 systems", {"tier": {"2"}}),
        ("Severity 1 and 2 alerts", {"severity": {"1", "2"}}),
        ("levels 1 to 4", {"level": {"1", "2", "3", "4"}}),
        ("Levels 2, 3 and 5; room 12", {"level": {"2", "3", "5"}, "room": {"12"}}),
        ("error #15", {"error": {"15"}}),
        ("Stufe 3 und Stufe 4", {"stufe": {"3", "4"}}),
        ("a class of 30 and 2 tiers", {}),
    ],
)
def test_the_numbers_of_things_are_gathered_by_kind(text: str, named: dict[str, set[str]]) -> None:
    assert numbered(text) == named


@pytest.mark.parametrize(
    ("words", "above", "expected"),
    [
        ("For tier 1 systems it is 4 hours.", "", True),
        ("For tier 2 systems it is 24 hours.", "", False),
        ("For tiers 1 to 3 it is 4 hours.", "", False),
        ("It is 4 hours.", "", False),
        ("Longer than for tier 1: 24 hours.", "Tier 2", False),
        ("Level 1 staff answer.", "", False),
    ],
)
def test_a_sentence_about_another_number_is_no_answer(
    words: str, above: str, expected: bool
) -> None:
    assert is_of_another(numbered("How long for tier 2?"), words, above) is expected
