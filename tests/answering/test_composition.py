"""The quote around the chosen sentence: contiguous, and readable by itself."""

from __future__ import annotations

from pincite.answering.answer_types import expected_types
from pincite.answering.composition import compose
from pincite.loaders import document_of_text
from pincite.protocols import Candidate, Query, ScoredCandidate
from pincite.records import Span
from pincite.text.passages import split_passages
from pincite.text.rows import cells_of


def quote(text: str, chosen: str, question: str, name: str = "x.md") -> str:
    """What is quoted when the sentence that starts with `chosen` was picked for the question."""
    for passage in split_passages(document_of_text(text, name=name)):
        for index, sentence in enumerate(passage.sentences):
            if sentence.quote.of(text).startswith(chosen):
                query = Query(question, {}, {}, expected_types(question))
                best = ScoredCandidate(Candidate(passage, 0, 1.0, index), 0.0, 1.0)
                return compose(query, best, [best]).of(text)
    raise AssertionError(f"no sentence starts with {chosen!r}")


def test_a_sentence_that_stands_alone_is_quoted_alone() -> None:
    text = "Fees rise in May. Parcels take 3 days. Bye."
    assert quote(text, "Parcels", "How long do parcels take?") == "Parcels take 3 days."


def test_a_sentence_that_points_back_takes_along_the_one_before() -> None:
    text = "The LMP-310 is a floor lamp. It needs an E27 bulb. Bye."
    wanted = "The LMP-310 is a floor lamp. It needs an E27 bulb."
    assert quote(text, "It needs", "Which bulb does it need?") == wanted


def test_steps_are_quoted_whole_with_their_lead_in() -> None:
    text = "# Returns\n\nTo return a lamp:\n\n1. Open your account.\n2. Print the label.\n\nBye.\n"
    wanted = "To return a lamp:\n\n1. Open your account.\n2. Print the label."
    assert quote(text, "Open your", "How do I return a lamp?") == wanted


def test_one_item_is_enough_when_no_steps_were_asked_for() -> None:
    text = "Prices:\n\n- Desk lamp: 40 euros\n- Floor lamp: 90 euros\n"
    assert quote(text, "Floor", "What does the floor lamp cost?") == "Floor lamp: 90 euros"


def test_a_lead_in_line_brings_its_list() -> None:
    text = "You need two things:\n\n- the receipt\n- the lamp\n\nBye.\n"
    wanted = "You need two things:\n\n- the receipt\n- the lamp"
    assert quote(text, "You need", "What do I need?") == wanted


def test_a_question_in_the_document_brings_its_answer_and_is_not_quoted_itself() -> None:
    text = "**Can I change my order?** Yes, within an hour. Later it is packed.\n"
    assert quote(text, "**Can I", "Can I change my order?") == "Yes, within an hour."


def test_a_heading_brings_the_sentence_below_it() -> None:
    text = "# Islands\n\nTwo extra days. Bye.\n"
    assert quote(text, "Islands", "islands?") == "Two extra days."


def test_a_line_that_is_a_title_in_all_but_markup_brings_the_sentence_below_it() -> None:
    text = "Prices differ.\n\nEmergency Services\n\nThe plan covers them. Bye.\n"
    wanted = "Emergency Services\n\nThe plan covers them."
    assert quote(text, "Emergency", "emergency services?") == wanted
    last = "Prices differ.\n\nEmergency Services\n"
    assert quote(last, "Emergency", "emergency services?") == "Emergency Services"


def test_a_list_too_long_to_quote_leaves_the_chosen_item() -> None:
    items = "".join(f"- step {n} {'word ' * 20}\n" for n in range(20))
    chosen = quote("To do it:\n\n" + items, "step 7", "How do I do it?")
    assert chosen.startswith("step 7")
    assert "step 8" not in chosen


def test_a_neighbour_that_came_close_is_quoted_too_and_one_that_did_not_is_not() -> None:
    text = "The fee is 5 euros. The fee for islands is 7 euros. Bye."
    (passage,) = split_passages(document_of_text(text, name="x.txt"))
    best, near, far = (
        ScoredCandidate(Candidate(passage, 0, 1.0, index), score, 0.9)
        for index, score in ((0, 4.0), (1, 3.0), (1, 1.0))
    )
    query = Query("fee", {}, {})
    assert compose(query, best, [best, near]).of(text) == text.removesuffix(" Bye.")
    assert compose(query, best, [best, far]).of(text) == "The fee is 5 euros."


def test_a_list_that_starts_with_an_item_keeps_the_number_of_the_item() -> None:
    text = "# Cancel\n\n1. Open your orders.\n2. Choose Cancel.\n"
    wanted = "1. Open your orders.\n2. Choose Cancel."
    assert quote(text, "Choose", "How do I cancel an order?") == wanted


def test_a_list_of_what_was_asked_for_is_quoted_whole() -> None:
    text = "You need:\n\n- the receipt\n- the lamp\n\nBye.\n"
    wanted = "You need:\n\n- the receipt\n- the lamp"
    assert quote(text, "the receipt", "Which documents do I need?") == wanted
    assert quote(text, "the receipt", "Which document is it?") == "the receipt"


def test_for_yes_or_no_an_item_is_quoted_with_the_line_that_decides() -> None:
    text = "These cannot be returned:\n\n- earphones\n- engraved items\n- lamps\n"
    wanted = "These cannot be returned:\n\n- earphones\n- engraved items"
    assert quote(text, "engraved", "Can I return an engraved item?") == wanted


def test_for_yes_or_no_an_exception_after_it_is_part_of_the_answer() -> None:
    text = "You may return lamps. Except those on sale. Bye.\n"
    wanted = "You may return lamps. Except those on sale."
    assert quote(text, "You may", "Can I return a lamp?") == wanted
    assert quote(text, "You may", "What may I return?") == "You may return lamps."
    assert quote("Lamps may go back.\n\nUnless on sale.\n", "Lamps", "May lamps go back?") == (
        "Lamps may go back."
    )


def test_a_row_is_read_under_its_headers_and_quoted_as_it_stands() -> None:
    text = "| Parcel | Fee |\n| --- | --- |\n| small | 4.50 |\n"
    (passage,) = split_passages(document_of_text(text, name="x.md"))
    row = passage.sentences[-1].quote
    assert cells_of(passage, row) == "Parcel: small; Fee: 4.50"
    assert cells_of(passage, Span(row.start, row.end - 1)) == ""


def test_a_bare_no_takes_along_what_is_said_after_it() -> None:
    text = "# Cheques\n\nNo. We accept cards and bank transfer. Bye.\n"
    assert quote(text, "No.", "Can I pay by cheque?") == "No. We accept cards and bank transfer."
