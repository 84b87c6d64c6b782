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
    shop = indexed(place / "shop", {"returns.md": RETURNS})
    with small.listening(create_app(small.settings(place / "state", shop=shop))) as server:
        address = f"http://127.0.0.1:{small.port(server)}/openapi.json"
        for found in schemathesis.openapi.from_url(address).get_all_operations():
            check_operation(found.ok())


def check_operation(operation: APIOperation[Any, Any, Any]) -> None:
    checks = [not_a_server_error]
    # Other interfaces describe their replies themselves, elsewhere.
    if not operation.path.startswith("/v1/"):
        checks += [status_code_conformance, content_type_conformance, response_schema_conformance]

    @given(case=operation.as_strategy())
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def check(case: Case) -> None:
        # A proxy of the surroundings is not for a server of this machine.
        with Session() as session:
            session.trust_env = False
            case.call_and_validate(session=session, checks=checks)

    check()
