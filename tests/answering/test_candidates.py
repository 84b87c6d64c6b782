"""Which lines of a passage cannot be an answer, whatever words they have."""

from __future__ import annotations

import pytest

from pincite.answering.candidates import may_answer
from pincite.loaders import document_of_text
from pincite.protocols import Query
from pincite.records import ScoredPassage
from pincite.text.passages import split_passages
from pincite.text.tokens import terms


def answering(question: str, text: str) -> list[str]:
    """The sentences of a Markdown text that may answer."""
    passages = split_passages(document_of_text(text, name="handbook.md"))
    found = [ScoredPassage(passage, 1.0, words=1.0) for passage in passages]
    query = Query(question, {"en": tuple(terms(question, "en"))}, {})
    return [
        passage.text[sentence.quote.start - passage.span.start :][
            : sentence.quote.end - sentence.quote.start
        ]
        for candidate in may_answer(query, found)
        for passage in [candidate.passage]
        for sentence in [passage.sentences[candidate.sentence_index]]
    ]


def test_a_heading_written_once_more_above_its_text_is_no_answer() -> None:
    text = (
        "# Plan\n\n## Balance Billing\n\nPLAN: Balance Billing\n\nBalance billing is not allowed.\n"
    )
    assert answering("What is balance billing?", text) == [
        "Plan",
        "Balance Billing",
        "Balance billing is not allowed.",
    ]


def test_a_sentence_of_the_words_of_its_heading_is_one() -> None:
    assert "Billing is balanced." in answering("x", "# Balanced billing\n\nBilling is balanced.\n")


@pytest.mark.parametrize(
    "line", ["Working hours ........ 2", "Paid leave .......... xii", "Travel …… 14"]
)
def test_a_line_of_a_table_of_contents_is_no_answer(line: str) -> None:
    assert answering("When is paid travel?", f"{line}\n\nTravel is paid.\n") == ["Travel is paid."]


def test_a_field_of_what_was_asked_about_is_no_answer_and_the_others_are() -> None:
    text = (
        "# Director of Sales\n\nPosition: Director of Sales\n\nReports to: Chief Executive\n\n"
        "Department: Sales and Marketing\n"
    )
    found = answering("Who does the Director of Sales report to?", text)
    assert found == [
        "Director of Sales",
        "Reports to: Chief Executive",
        "Department: Sales and Marketing",
    ]


def test_what_is_said_of_another_number_is_no_answer() -> None:
    text = "Tier 1 systems are back in 4 hours. Tier 2 systems are back in 24 hours. We test it.\n"
    assert answering("When are tier 2 systems back?", text) == [
        "Tier 2 systems are back in 24 hours.",
        "We test it.",
    ]


def test_passages_about_other_numbers_say_nothing_where_none_has_the_one_asked_about() -> None:
    text = "Tier 1 systems are back in 4 hours. We test it.\n"
    assert answering("When are tier 3 systems back?", text) == []


def test_the_hopes_and_thanks_that_close_a_text_are_no_answer() -> None:
    text = (
        "# Plans\n\nPlus covers dental care. We hope that this information helps in "
        "telling the plans apart. Thank you for your interest in the plans. "
        "We hope to open in May.\n"
    )
    assert answering("How do the plans differ?", text) == [
        "Plans",
        "Plus covers dental care.",
        "We hope to open in May.",
    ]
