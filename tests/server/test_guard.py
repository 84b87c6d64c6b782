"""What every request passes first, and what every reply says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from pincite.server.app import create_app
from pincite.server.guard import HEADERS
from pincite.server.service import Service
from pincite.server.settings import Limits
from tests.server.small import QUESTION, inside, settings

ASKED = {"question": QUESTION}


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:80", "127.0.0.1:8137", "[::1]:8137"])
def test_a_server_is_called_by_the_name_or_address_of_its_machine(
    http: TestClient, host: str
) -> None:
    assert http.get("/healthz", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil.example:8137",
        "evil@localhost",
        "localhost:evil",
        "localhost/evil",
        "",
    ],
)
def test_a_name_that_only_leads_here_is_turned_away(http: TestClient, host: str) -> None:
    assert http.get("/documents", headers={"Host": host}).status_code == 421


def test_a_name_that_is_allowed_is_let_in(tmp_path: Path, shop: Path) -> None:
    from dataclasses import replace

    named = replace(settings(tmp_path / "state", shop=shop), allowed_hosts=("docs.example",))
    with inside(create_app(named), base_url="http://docs.example") as http:
        assert http.get("/healthz").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9999"},
        {"Origin": "http://localhost.evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_page_of_another_site_sends_nothing(http: TestClient, headers: dict[str, str]) -> None:
    for path in ("/ask", "/index", "/notices"):
        assert http.post(path, json=ASKED, headers=headers).status_code == 403


def test_the_own_page_and_programs_send(http: TestClient) -> None:
    for headers in ({"Origin": "http://localhost"}, {"Sec-Fetch-Site": "same-origin"}, {}):
        assert http.post("/ask", json=ASKED, headers=headers).status_code == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", None])
def test_a_form_of_another_site_is_no_question(http: TestClient, kind: str | None) -> None:
    headers = {"Content-Type": kind} if kind else {}
    reply = http.post("/ask", content=b'{"question": "a"}', headers=headers)
    assert reply.status_code in (415, 422)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/nothing", 404),
        ("GET", "/ask", 405),
        ("POST", "/documents", 405),
        ("TRACE", "/ask", 405),
        ("GET", "/documents/other/returns.md", 404),
        ("POST", "/ask", 422),
        ("GET", "/audit?limit=0", 422),
    ],
)
def test_every_error_is_a_problem(http: TestClient, method: str, path: str, status: int) -> None:
    reply = http.request(method, path)
    assert reply.status_code == status
    assert reply.headers["content-type"] == "application/problem+json"
    assert reply.json()["status"] == status
    assert reply.json()["detail"]


def test_every_reply_says_that_nothing_of_it_acts(http: TestClient) -> None:
    for path in ("/healthz", "/nothing", "/documents", "/documents/shop/returns.md", "/ask"):
        reply = http.get(path)
        assert {name.lower() for name in HEADERS} <= set(reply.headers)


def test_a_body_that_is_too_large_is_not_taken(tmp_path: Path, shop: Path) -> None:
    app = create_app(settings(tmp_path / "state", limits=Limits(body_bytes=100), shop=shop))
    with inside(app) as http:
        assert http.post("/ask", json={"question": "x" * 100}).status_code == 413
        parts = iter([b'{"question": "', b"x" * 100, b'"}'])
        assert http.post("/ask", content=parts).status_code == 413
        assert http.post("/ask", json={"question": "How long?"}).status_code == 200


def test_a_failure_of_the_server_tells_nothing_of_it(
    tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(*_: Any, **__: Any) -> None:
        raise RuntimeError(f"secret {shop}")

    monkeypatch.setattr(Service, "ask", failing)
    app: FastAPI = create_app(settings(tmp_path / "state", shop=shop))
    with inside(app) as http:
        reply = http.post("/ask", json=ASKED)
    assert reply.status_code == 500
    assert reply.headers["content-type"] == "application/problem+json"
    assert "secret" not in reply.text
    assert "secret" in caplog.text
