"""Bodies that are wrong in many places at once: few of them are told, and none is looked for."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from pincite.server.bodies import MOST_FAULTS

KEYS = {f"key{number}": 0 for number in range(20_000)}
ASKED = {"question": "Within how many days may I return a lamp?"}
CHAT = {"model": "pincite", "messages": [{"role": "user", "content": "Returns?"}]}
MESSAGE = {**CHAT, "max_tokens": 100}
JSON = {"Content-Type": "application/json"}


def said_of(content: list[Any]) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": content}]}


@pytest.mark.parametrize(
    ("address", "body"),
    [
        ("/ask", {**ASKED, "history": [{}] * 50_000}),
        ("/ask", {**ASKED, "history": [KEYS]}),
        ("/ask", {**ASKED, **KEYS}),
        ("/search", {**ASKED, **KEYS}),
        ("/notices", KEYS),
        ("/index", KEYS),
        ("/v1/chat/completions", {**CHAT, **said_of([0] * 500_000)}),
        ("/v1/chat/completions", {**CHAT, "messages": [{}] * 340_000}),
        ("/v1/chat/completions", {**CHAT, "metadata": KEYS}),
        ("/v1/chat/completions", {**CHAT, "stop": [0] * 500_000}),
        ("/v1/messages", {**MESSAGE, **said_of([[]] * 340_000)}),
        ("/v1/messages", {**MESSAGE, "stop_sequences": [0] * 500_000}),
        ("/v1/messages/count_tokens", {**CHAT, **KEYS}),
        ("/v1/responses", {"model": "pincite", "input": [0] * 500_000}),
        ("/v1/responses", {"model": "pincite", "input": "Returns?", "include": [0] * 500_000}),
        ("/v1/embeddings", {"model": "pincite-embedding", "input": "Returns?", **KEYS}),
    ],
    ids=lambda given: given if isinstance(given, str) else "",
)
def test_a_body_that_is_wrong_in_many_places_has_a_short_reply(
    http: TestClient, address: str, body: dict[str, Any]
) -> None:
    said = http.post(address, content=json.dumps(body, separators=(",", ":")), headers=JSON)
    assert said.status_code in (400, 422)
    assert len(said.content) < 1_000


def test_as_many_faults_as_are_told_are_told_with_their_places(http: TestClient) -> None:
    few = {f"key{number}": 0 for number in range(MOST_FAULTS)}
    told = http.post("/ask", json={**ASKED, **few}).json()["faults"]
    assert [fault["where"] for fault in told] == [f"body.key{number}" for number in range(20)]
    one_more = http.post("/ask", json={**ASKED, **few, "more": 0}).json()["faults"]
    assert one_more == [{"where": "body", "what": "It is not as described in 21 places"}]


def test_a_list_has_as_many_entries_as_are_taken(http: TestClient) -> None:
    items = [{"role": "user", "content": "Returns?"}] * 10_001
    fault = http.post("/v1/responses", json={"model": "pincite", "input": items}).json()["error"]
    assert (fault["param"], fault["message"].partition(" after")[0]) == (
        "input",
        "List should have at most 10000 items",
    )


def test_the_body_of_a_question_is_smaller_than_one_that_brings_documents(http: TestClient) -> None:
    large = json.dumps({**ASKED, "document": "x" * 300_000})
    for address in ("/ask", "/search", "/notices"):
        said = http.post(address, content=large, headers=JSON)
        assert (said.status_code, said.json()["detail"]) == (
            413,
            "more than 300000 bytes are not taken",
        )
    assert http.post("/verify", content=large, headers=JSON).status_code == 422


def test_a_question_with_all_that_may_come_before_it_is_taken(http: TestClient) -> None:
    # Every one of them is twelve bytes of JSON.
    history = [{"role": "user", "text": "😀" * 500}] * 40
    asked = json.dumps({"question": "😀" * 2_000, "history": history})
    assert len(asked) > 260_000
    assert http.post("/ask", content=asked, headers=JSON).status_code == 200


@pytest.mark.parametrize("number", ["NaN", "1e999", "-Infinity"])
def test_a_number_that_json_does_not_have_is_told(http: TestClient, number: str) -> None:
    body = f'{{"model": "pincite", "input": "Returns?", "temperature": {number}}}'
    said = http.post("/v1/responses", content=body, headers=JSON)
    assert (said.status_code, said.json()["error"]["param"]) == (400, "temperature")


@pytest.mark.parametrize("type_said", [None, "application/x-www-form-urlencoded", "text/plain"])
def test_a_body_that_is_not_said_to_be_json_is_told_so(
    http: TestClient, type_said: str | None
) -> None:
    headers = {"Content-Type": type_said} if type_said else {}
    told = "the body is not sent as JSON: send it with the header `Content-Type: application/json`"
    asked = http.post("/ask", content=json.dumps(ASKED), headers=headers)
    assert (asked.status_code, asked.json()["detail"]) == (422, told)
    chat = http.post("/v1/chat/completions", content=json.dumps(CHAT), headers=headers)
    assert (chat.status_code, chat.json()["error"]["message"]) == (400, told)


def test_an_agent_that_sends_many_turns_is_told_how_many_are_taken(http: TestClient) -> None:
    pytest.importorskip("mcp")
    call = {"name": "ask", "arguments": {**ASKED, "history": [{}] * 100_000}}
    said = http.post(
        "/mcp",
        json={"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call},
        headers={"Accept": "application/json, text/event-stream"},
    )
    assert "ask: history: it has 100000 entries, and 40 are taken" in said.text
