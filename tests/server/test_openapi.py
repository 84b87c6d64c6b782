"""The OpenAPI document, and an application that keeps to it whatever it is sent."""

from __future__ import annotations

import json
from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, settings
from jsonschema import Draft202012Validator
from requests import Session
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import APIOperation
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from pincite.server.app import create_app
from tests.server import small
from tests.server.small import RETURNS, indexed

EXAMPLES = 8
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
JSON, EVENTS = "application/json", "text/event-stream"
EXAMPLES_GIVE = {
    "/v1/models": [JSON],
    "/v1/chat/completions": [JSON, EVENTS],
    "/v1/responses": [JSON, EVENTS],
    "/v1/messages": [JSON, EVENTS],
    "/v1/messages/count_tokens": [JSON],
    "/v1/embeddings": [JSON],
}
GIFT_CARD = "A gift card is valid for 5 years.\n"


def test_the_document_is_whole_and_holds_the_published_schemas(http: TestClient) -> None:
    described = http.get("/openapi.json").json()
    assert described["openapi"].startswith("3.1")
    schemas = described["components"]["schemas"]
    answer = {"$ref": "#/components/schemas/answer-1", "components": {"schemas": schemas}}
    record = http.post("/ask", json={"question": small.QUESTION}).json()
    Draft202012Validator(answer).validate(record)
    for reference in set(find_references(described)):
        place: object = described
        for step in reference.removeprefix("#/").split("/"):
            assert isinstance(place, dict)
            place = place[step.replace("~1", "/").replace("~0", "~")]


def test_every_address_says_what_it_does_and_what_goes_wrong(http: TestClient) -> None:
    own = {
        path: operations
        for path, operations in http.get("/openapi.json").json()["paths"].items()
        if not path.startswith("/v1/")
    }
    for path, operations in own.items():
        for operation in operations.values():
            assert operation["description"], path
            assert path in ("/healthz", "/me") or "422" in operation["responses"], path


def find_references(described: object) -> list[str]:
    text = json.dumps(described)
    return [part.split('"')[0] for part in text.split('"$ref": "')[1:]]


def test_no_request_makes_it_fail_or_reply_what_it_does_not_describe(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    place = tmp_path_factory.mktemp("described")
    shop = indexed(place / "shop", {"returns.md": RETURNS, "cards.md": GIFT_CARD})
    replied = {}
    with small.listening(create_app(small.settings(place / "state", shop=shop))) as server:
        address = f"http://127.0.0.1:{small.port(server)}/openapi.json"
        for found in schemathesis.openapi.from_url(address).get_all_operations():
            replied[found.ok().path] = check_operation(found.ok())
    # What the examples ask for is given, also where the description is another's.
    for path, kinds in EXAMPLES_GIVE.items():
        assert {(200, kind) for kind in kinds} <= replied[path], path


def check_operation(operation: APIOperation[Any, Any, Any]) -> set[tuple[int, str]]:
    """Send what the document describes; the kinds of replies that came."""
    replied = set()

    def send(case: Case) -> None:
        # A proxy of the surroundings is not for a server of this machine.
        with Session() as session:
            session.trust_env = False
            response = case.call_and_validate(session=session, checks=CHECKS)
        kind = response.headers.get("content-type", [""])[0].partition(";")[0]
        replied.add((response.status_code, kind))

    @given(case=operation.as_strategy())
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def send_some(case: Case) -> None:
        send(case)

    send_some()
    for example in examples_of(operation):
        send(operation.Case(body=example, media_type=JSON))
    return replied


def examples_of(operation: APIOperation[Any, Any, Any]) -> list[Any]:
    """The examples of its body."""
    described = operation.definition.raw.get("requestBody", {}).get("content", {})
    place = described.get(JSON, {}).get("schema", {}).get("$ref", "/").rpartition("/")[2]
    schemas = operation.schema.raw_schema["components"]["schemas"]
    return list(schemas.get(place, {}).get("examples", []))
