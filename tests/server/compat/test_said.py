"""Answers in pieces."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pincite.records import Answer, Citation, Conflict, IndexState, Role
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
    ] == [[(0, FEE_CITED.document.title), (1, "Other")], [(0, FEE_CITED.document.title)]]


def test_an_answer_without_room_is_said_to_be_cut_and_its_record_is_whole() -> None:
    found = said(THREE, most=0)
    assert (found.pieces, found.is_cut, found.token_count) == ((), True, 0)
    assert found.record["text"] == THREE.text
