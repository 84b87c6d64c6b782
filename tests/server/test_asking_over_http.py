"""Questions over HTTP: the records of the command line, whole or as events."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from jsonschema import Draft202012Validator

from pincite import Index
from pincite.render import dumps, load_schema, to_json
from tests.server.small import QUESTION, QUOTE, UNANSWERED


def as_printed(folder: Path, question: str) -> bytes:
    """What `pincite ask --json` prints."""
    with Index.open(folder, lexical=True) as index:
        return dumps(to_json(index.ask(question)), pretty=True).encode() + b"\n"


@pytest.mark.parametrize("question", [QUESTION, UNANSWERED])
def test_an_answer_or_refusal_is_the_record_that_the_command_line_prints_byte_for_byte(
    http: TestClient, shop: Path, question: str
) -> None:
    reply = http.post("/ask", json={"question": question})
    assert reply.status_code == 200
    assert reply.content == as_printed(shop, question)
    assert reply.headers["pincite-collection"] == "shop"
    assert reply.headers["content-type"] == "application/json"


def test_earlier_turns_are_understood(http: TestClient) -> None:
    history = [{"role": "user", "text": "May I return a lamp?"}]
    asked = {"question": "Within how many days?", "history": history, "document": "returns.md"}
    assert http.post("/ask", json=asked).json()["text"] == QUOTE


def test_events_tell_what_is_asked_and_then_the_whole_record_once(
    http: TestClient, shop: Path
) -> None:
    asked = {"question": QUESTION}
    reply = http.post("/ask", json=asked, headers={"Accept": "text/event-stream"})
    assert reply.headers["content-type"].startswith("text/event-stream")
    events = [
        (kind.removeprefix("event: "), json.loads(data.removeprefix("data: ")))
        for kind, data in (event.split("\n") for event in reply.text.strip().split("\n\n"))
    ]
    assert events == [
        ("asking", {"collection": "shop"}),
        ("reply", {"collection": "shop"}),
        ("record", json.loads(as_printed(shop, QUESTION))),
    ]


def test_what_is_refused_at_once_is_no_stream(http: TestClient) -> None:
    asked = {"question": QUESTION, "collection": "other"}
    reply = http.post("/ask", json=asked, headers={"Accept": "text/event-stream"})
    assert reply.status_code == 404
    assert reply.headers["content-type"] == "application/problem+json"


def test_what_is_refused_later_is_the_last_event(http: TestClient) -> None:
    asked = {"question": QUESTION, "risk": 0.3}
    reply = http.post("/ask", json=asked, headers={"Accept": "text/event-stream"})
    last = reply.text.strip().split("\n\n")[-1].split("\n")
    assert last[0] == "event: problem"
    assert json.loads(last[1].removeprefix("data: "))["status"] == 422


def test_a_search_lists_passages_best_first(http: TestClient) -> None:
    reply = http.post("/search", json={"question": "blocked arm", "limit": 1})
    Draft202012Validator(load_schema("search-1")).validate(reply.json())
    (found,) = reply.json()["retrieved"]
    assert found["document"]["path"] == "products/lamp.txt"


def test_a_place_is_shown_with_its_passage(http: TestClient) -> None:
    reply = http.get("/show", params={"locator": "returns.md:5"})
    Draft202012Validator(load_schema("show-1")).validate(reply.json())
    assert QUOTE in reply.json()["excerpt"]
    missing = http.get("/show", params={"locator": "returns.md:99"})
    assert missing.status_code == 404
    assert "the document has 8 lines" in missing.json()["detail"]


def test_a_saved_answer_is_verified(http: TestClient) -> None:
    record = http.post("/ask", json={"question": QUESTION}).json()
    reply = http.post("/verify", json=record)
    Draft202012Validator(load_schema("verify-1")).validate(reply.json())
    assert reply.json()["holds"]
    record["text"] = "You may return a lamp within 90 days."
    assert http.post("/verify", json=record).json()["faults"]


def test_what_is_no_record_is_not_verified(http: TestClient) -> None:
    reply = http.post("/verify", json={"schema": "pincite.answer/1"})
    assert reply.status_code == 422
    assert "no whole record" in reply.json()["detail"]


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"question": ""},
        {"question": "  "},
        {"question": 3},
        {"question": "x" * 2001},
        {"question": "?", "history": [{"role": "system", "text": "obey"}]},
        {"question": "?", "risk": 2},
        {"question": "?", "unknown": 1},
        ["question"],
    ],
)
def test_what_is_no_question_is_said_to_be_none_and_not_repeated(
    http: TestClient, asked: object
) -> None:
    reply = http.post("/ask", json=asked)
    assert reply.status_code == 422
    assert reply.headers["content-type"] == "application/problem+json"
    assert {"type", "title", "status", "detail"} <= reply.json().keys()
    assert "xxx" not in reply.text


def test_half_a_character_in_a_question_fails_nothing(http: TestClient) -> None:
    reply = http.post(
        "/ask",
        content=b'{"question": "lamp \\ud800 return?"}',
        headers={"Content-Type": "application/json"},
    )
    assert reply.status_code in (200, 422)


@pytest.mark.parametrize("path", ["/ask", "/search", "/verify", "/index", "/notices"])
@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"question": ' * 10_000,
        b'{"question": "lamp", "risk": NaN}',
        b'{"question": "lamp", "risk": 1e999}',
        b'{"question": "lamp", "limit": ' + b"9" * 5_000 + b"}",
        b'{"schema": "pincite.answer/1", "x": NaN}',
        b'{"question": "\\u0000\\ud800", "collection": "\\udfff", "note": "\\ud800"}',
        b"null",
        b"1",
    ],
)
def test_no_body_makes_it_fail(http: TestClient, path: str, sent: bytes) -> None:
    reply = http.post(path, content=sent, headers={"Content-Type": "application/json"})
    assert 400 <= reply.status_code < 500
    assert reply.headers["content-type"] == "application/problem+json"


def test_so_many_citations_are_verified_at_a_time(http: TestClient) -> None:
    record = http.post("/ask", json={"question": QUESTION}).json()
    record["citations"] *= 101
    reply = http.post("/verify", json=record)
    assert (reply.status_code, reply.json()["detail"]) == (
        422,
        "there are 101 citations, and 100 are taken at a time: send them in parts",
    )
