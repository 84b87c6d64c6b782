"""Answers in pieces."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pincite.records import (
    Answer,
    Citation,
    CitationWarning,
    Conflict,
    ConflictKind,
    IndexState,
    Role,
    WarningKind,
)
from pincite.server.compat import chat, messages, responses
from pincite.server.compat.responses import ResponseRequest
from pincite.server.compat.said import said

from ...verifying.vectors import citation_of

TEXT = "# Fees 😀\r\n\r\nYou pay 5 € & more. It is <b>due</b> at once.\r\n"
FEE, DUE = "You pay 5 € & more.", "It is <b>due</b> at once."
ENVELOPE: dict[str, Any] = {"id": "1", "created_at": 0}


def answer(*citations: Citation, conflicts: tuple[Conflict, ...] = ()) -> Answer:
    quotes = [one.quote.exact for one in citations if one.role is not Role.ALSO]
    return Answer(
        question="What is the fee?",
        text="\n\n".join(quotes),
        confidence=0.9,
        citations=citations,
        retrieved=(),
        index=IndexState(1, ""),
        conflicts=conflicts,
    )


def elsewhere(citation: Citation) -> Citation:
    document = replace(citation.document, path="other.md", title="Other")
    return replace(citation, role=Role.ALSO, document=document)


def link(citation: Citation) -> str:
    return f"here/{citation.document.path}"


FEE_CITED, DUE_CITED = citation_of(FEE, TEXT), citation_of(DUE, TEXT)
DIFFERENT = Conflict(
    ConflictKind.AMOUNT, elsewhere(FEE_CITED), FEE_CITED, newer_date="2026", older_date=""
)
THREE = answer(FEE_CITED, elsewhere(FEE_CITED), DUE_CITED)


def test_the_same_words_in_another_place_are_cited_where_they_are_quoted() -> None:
    found = said(THREE)
    assert [(one.text, len(one.citations)) for one in found.pieces] == [(FEE, 2), (DUE, 1)]
    assert found.text == THREE.text
    assert [one.span.of(found.text) for one in found.pieces] == [FEE, DUE]


def test_citations_stand_in_the_order_of_the_record() -> None:
    found = said(THREE)
    paths = [one["document"]["path"] for one in found.record["citations"]]
    cited = [one["url_citation"] for one in chat.url_citations(found, link)]
    assert [one["url"] for one in cited] == [f"here/{path}" for path in paths]
    assert [found.text[one["start_index"] : one["end_index"]] for one in cited] == [FEE, FEE, DUE]
    made = responses.response(
        found,
        ResponseRequest(model="pincite", input="?"),
        prompt_tokens=1,
        envelope=ENVELOPE,
        message_id="m",
        link=link,
    )
    indices = [one["index"] for one in made["output"][0]["content"][0]["annotations"]]
    assert indices == [len(FEE), len(FEE), len(THREE.text)]


def test_documents_are_numbered_as_they_are_cited() -> None:
    made = messages.message(said(THREE), (), input_tokens=1, envelope={"id": "1", "model": "m"})
    assert [
        [(one["document_index"], one["document_title"]) for one in block["citations"]]
        for block in made["content"]
    ] == [[(0, "Fees 😀 (terms.md)"), (1, "Other (other.md)")], [(0, "Fees 😀 (terms.md)")]]


def test_an_answer_without_room_is_said_to_be_cut_and_its_record_is_whole() -> None:
    found = said(THREE, most=0)
    assert (found.pieces, found.is_cut, found.token_count) == ((), True, 0)
    assert found.record["text"] == THREE.text


def test_what_has_to_be_read_with_a_quote_stands_behind_it_and_is_not_cited() -> None:
    words = "unless it came broken."
    fee = replace(FEE_CITED, warnings=(CitationWarning(WarningKind.QUALIFIED, words),))
    made = said(answer(fee, DUE_CITED, conflicts=(DIFFERENT,)))
    differ = "The documents differ: other.md (2026) says otherwise than terms.md."
    assert made.text == f"{FEE}\n\nbut: {words}\n\n{DUE}\n\n{differ}"
    cited = [one["url_citation"] for one in chat.url_citations(made, link)]
    assert [made.text[one["start_index"] : one["end_index"]] for one in cited] == [FEE, DUE]
    blocks = messages.message(made, (), input_tokens=1, envelope={"id": "1", "model": "m"})
    assert "".join(block["text"] for block in blocks["content"]) == made.text
    assert [bool(block["citations"]) for block in blocks["content"]] == [True, False, True, False]


def test_a_stream_has_what_has_to_be_read_with_a_quote() -> None:
    fee = replace(FEE_CITED, warnings=(CitationWarning(WarningKind.DRAFT, "Draft"),))
    made = said(answer(fee, conflicts=(DIFFERENT,)))
    deltas = [
        chunk["choices"][0]["delta"].get("content", "")
        for chunk in chat.chunks(made, prompt_tokens=1, envelope=ENVELOPE, link=link)
    ]
    assert "".join(deltas) == made.text
    texts = [
        event["delta"].get("text", "")
        for event in messages.events(made, (), input_tokens=1, envelope=ENVELOPE)
        if event["type"] == "content_block_delta"
    ]
    assert "".join(texts) == made.text


def test_a_quote_without_room_for_what_has_to_be_read_with_it_is_left_out() -> None:
    fee = replace(FEE_CITED, warnings=(CitationWarning(WarningKind.DRAFT, "Draft"),))
    whole = said(answer(fee, conflicts=(DIFFERENT,)))
    cut = said(answer(fee, conflicts=(DIFFERENT,)), most=whole.token_count - 1)
    assert (cut.pieces, cut.is_cut, cut.token_count) == ((), True, 0)
    assert not said(answer(fee, conflicts=(DIFFERENT,)), most=whole.token_count).is_cut
