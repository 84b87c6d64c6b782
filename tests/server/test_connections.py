"""Over real connections: slow clients, many of them, and the end of the server."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from pincite import Index
from pincite.given import Given
from pincite.server import service
from pincite.server.app import create_app
from pincite.server.errors import NotThere
from pincite.server.routes import anthropic
from pincite.server.service import Service
from pincite.server.settings import Limits
from pincite.server.working import Workers
from tests.loaders.pdf_files import make_pdf, print_at
from tests.server.small import QUESTION, QUOTE, listening, port, settings

LONG = 60
ASKED = {"question": QUESTION}


class Held:
    """Holds every question until it is let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun = threading.Semaphore(0)
        self.may_end = threading.Event()
        ask = Service.ask

        def held(*arguments: Any, **named: Any) -> Any:
            self.begun.release()
            assert self.may_end.wait(LONG)
            return ask(*arguments, **named)

        monkeypatch.setattr(Service, "ask", held)


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[Held]:
    holding = Held(monkeypatch)
    yield holding
    holding.may_end.set()


@contextmanager
def served(tmp_path: Path, shop: Path, limits: Limits) -> Iterator[tuple[uvicorn.Server, str]]:
    app = create_app(settings(tmp_path / "state", limits=limits, shop=shop))
    with listening(app) as server:
        yield server, f"http://127.0.0.1:{port(server)}"


def all_of(connection: socket.socket) -> bytes:
    """What comes until the other side closes."""
    parts = []
    while part := connection.recv(1 << 16):
        parts.append(part)
    return b"".join(parts)


def test_a_question_that_takes_long_holds_up_nothing_else(
    tmp_path: Path, shop: Path, held: Held
) -> None:
    with (
        served(tmp_path, shop, Limits(at_once=1)) as (_, address),
        ThreadPoolExecutor() as clients,
        httpx.Client(base_url=address, timeout=LONG) as http,
    ):
        slow = clients.submit(httpx.post, f"{address}/ask", json=ASKED, timeout=LONG)
        assert held.begun.acquire(timeout=LONG)
        assert http.get("/healthz").text == "ok\n"
        assert http.get("/documents").status_code == 200
        assert not slow.done()
        held.may_end.set()
        assert slow.result().json()["text"] == QUOTE


def test_a_question_that_was_answered_before_does_not_wait_behind_new_ones(
    tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end = threading.Event(), threading.Event()
    asking = Index.ask_with_basis

    def held(index: Index, question: str, **named: Any) -> Any:
        if question != QUESTION:
            begun.set()
            assert may_end.wait(LONG)
        return asking(index, question, **named)

    monkeypatch.setattr(Index, "ask_with_basis", held)
    with (
        served(tmp_path, shop, Limits(at_once=1)) as (_, address),
        ThreadPoolExecutor() as clients,
    ):
        first = httpx.post(f"{address}/ask", json=ASKED, timeout=LONG)
        new = {"question": "What does error E14 mean?"}
        slow = clients.submit(httpx.post, f"{address}/ask", json=new, timeout=LONG)
        assert begun.wait(LONG)
        again = httpx.post(f"{address}/ask", json=ASKED, timeout=LONG)
        assert not slow.done()
        may_end.set()
        assert slow.result().status_code == 200
    assert again.content == first.content


def test_more_than_may_wait_are_told_to_come_again(tmp_path: Path, shop: Path, held: Held) -> None:
    with (
        served(tmp_path, shop, Limits(at_once=1, waiting=1)) as (_, address),
        ThreadPoolExecutor() as clients,
    ):
        asked = [clients.submit(httpx.post, f"{address}/ask", json=ASKED, timeout=LONG)]
        assert held.begun.acquire(timeout=LONG)
        while httpx.get(f"{address}/metrics").text.find("ask_work_held 2.0") < 0:
            if len(asked) == 1:
                asked.append(clients.submit(httpx.post, f"{address}/ask", json=ASKED, timeout=LONG))
        refused = httpx.post(f"{address}/ask", json=ASKED, timeout=LONG)
        held.may_end.set()
        assert [one.result().status_code for one in asked] == [200, 200]
    assert refused.status_code == 503
    assert refused.headers["retry-after"]
    assert refused.headers["content-type"] == "application/problem+json"


def test_what_takes_too_long_is_given_up_and_counted(
    tmp_path: Path, shop: Path, held: Held
) -> None:
    with served(tmp_path, shop, Limits(at_once=1, seconds=0.2)) as (_, address):
        reply = httpx.post(f"{address}/ask", json=ASKED, timeout=LONG)
        # Its thread is still at work: another one gets no turn.
        behind = httpx.post(f"{address}/ask", json=ASKED, timeout=LONG)
        figures = httpx.get(f"{address}/metrics").text
        held.may_end.set()
    assert (reply.status_code, behind.status_code) == (504, 503)
    assert "pincite_ask_work_abandoned 1.0" in figures


def test_what_is_in_flight_is_finished_when_the_server_ends(
    tmp_path: Path, shop: Path, held: Held
) -> None:
    with (
        served(tmp_path, shop, Limits()) as (server, address),
        ThreadPoolExecutor() as clients,
    ):
        asked = clients.submit(httpx.post, f"{address}/ask", json=ASKED, timeout=LONG)
        assert held.begun.acquire(timeout=LONG)
        server.should_exit = True
        while True:
            try:
                socket.create_connection(("127.0.0.1", httpx.URL(address).port), timeout=1).close()
            except OSError:
                break
            time.sleep(0.05)
        held.may_end.set()
        assert asked.result().json()["text"] == QUOTE


@pytest.mark.parametrize(
    "sent",
    [b"", b"GET /healthz HT", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: "],
)
def test_a_head_that_does_not_come_ends_the_connection(
    tmp_path: Path, shop: Path, sent: bytes
) -> None:
    with (
        served(tmp_path, shop, Limits(header_seconds=0.3)) as (server, _),
        socket.create_connection(("127.0.0.1", port(server)), timeout=LONG) as connection,
    ):
        connection.sendall(sent)
        with suppress(ConnectionResetError):
            assert all_of(connection) == b""


def test_a_second_head_that_does_not_come_ends_the_connection_too(
    tmp_path: Path, shop: Path
) -> None:
    with (
        served(tmp_path, shop, Limits(header_seconds=0.3)) as (server, _),
        socket.create_connection(("127.0.0.1", port(server)), timeout=LONG) as connection,
    ):
        connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /hea")
        with suppress(ConnectionResetError):
            assert all_of(connection).startswith(b"HTTP/1.1 200 OK")


def test_a_body_that_does_not_come_is_waited_for_only_so_long(tmp_path: Path, shop: Path) -> None:
    head = (
        b"POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        b'Content-Length: 100\r\n\r\n{"question'
    )
    with (
        served(tmp_path, shop, Limits(body_seconds=0.3)) as (server, _),
        socket.create_connection(("127.0.0.1", port(server)), timeout=LONG) as connection,
    ):
        connection.sendall(head)
        reply = all_of(connection)
    assert reply.startswith(b"HTTP/1.1 408 ")
    assert b"application/problem+json" in reply


def test_a_client_that_reads_nothing_is_left(tmp_path: Path, shop: Path) -> None:
    from tests.server.small import indexed

    indexed(shop, {"long.txt": "A line of a long file.\n" * 800_000})
    request = b"GET /documents/shop/long.txt HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with (
        served(tmp_path, shop, Limits(write_seconds=0.3)) as (server, _),
        socket.create_connection(("127.0.0.1", port(server)), timeout=LONG) as connection,
    ):
        connection.sendall(request)
        while not server.server_state.connections:
            time.sleep(0.01)
        deadline = time.monotonic() + LONG
        while server.server_state.connections and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not server.server_state.connections


@pytest.mark.parametrize(
    "sent",
    [
        b"nonsense\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nBad Name: 1\r\n\r\n",
        b"POST /ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    ],
)
def test_what_is_no_request_is_told_so_as_a_problem(
    tmp_path: Path, shop: Path, sent: bytes
) -> None:
    with (
        served(tmp_path, shop, Limits()) as (server, _),
        socket.create_connection(("127.0.0.1", port(server)), timeout=LONG) as connection,
    ):
        connection.sendall(sent)
        reply = all_of(connection)
    assert reply.startswith(b"HTTP/1.1 400 ")
    assert b"application/problem+json" in reply


def test_a_header_that_is_sent_puts_none_into_the_reply(tmp_path: Path, shop: Path) -> None:
    with served(tmp_path, shop, Limits()) as (_, address):
        reply = httpx.get(f"{address}/documents/shop/a%0d%0aX-Injected:%201")
    assert reply.status_code == 404
    assert "x-injected" not in reply.headers


@pytest.mark.parametrize("what", ["/verify", "/pages", "/mcp"])
def test_what_waits_for_other_processes_holds_up_no_question(
    tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    begun, may_end = threading.Semaphore(0), threading.Event()

    def held(*_: Any, **__: Any) -> None:
        begun.release()
        assert may_end.wait(LONG)
        raise NotThere("it was only to wait")

    monkeypatch.setattr(service, "apart", held)
    (shop / "plan.pdf").write_bytes(make_pdf([print_at(50, 700, "A plan.")]))
    Index.open_or_build(shop, lexical=True).close()
    with (
        served(tmp_path, shop, Limits(at_once=1)) as (_, address),
        ThreadPoolExecutor() as clients,
        httpx.Client(base_url=address, timeout=LONG) as http,
    ):
        record = http.post("/ask", json=ASKED).json()
        call = {"name": "verify", "arguments": {"record": record}}
        agent = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        sent: dict[str, dict[str, Any]] = {
            "/verify": {"method": "POST", "url": f"{address}/verify", "json": record},
            "/pages": {"method": "GET", "url": f"{address}/pages/shop/1/plan.pdf"},
            "/mcp": {
                "method": "POST",
                "url": f"{address}/mcp",
                "json": agent,
                "headers": {"Accept": "application/json, text/event-stream"},
            },
        }
        slow = [clients.submit(httpx.request, **sent[what], timeout=LONG) for _ in range(5)]
        assert begun.acquire(timeout=LONG)
        assert http.post("/ask", json={"question": "What does error E14 mean?"}).is_success
        assert http.post("/search", json=ASKED).is_success
        assert http.get("/documents/shop/returns.md").is_success
        may_end.set()
        assert {one.result().status_code for one in slow} == {200 if what == "/mcp" else 404}


def test_documents_that_come_with_a_question_hold_up_no_other_question(
    tmp_path: Path, shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end = threading.Semaphore(0), threading.Event()

    def held(*_: Any, **__: Any) -> list[Given]:
        begun.release()
        assert may_end.wait(LONG)
        return []

    monkeypatch.setattr(anthropic, "read", held)
    source = {"type": "text", "media_type": "text/plain", "data": "The desk weighs 30 kg."}
    parts = [{"type": "document", "source": source}, {"type": "text", "text": QUESTION}]
    body = {"model": "pincite", "messages": [{"role": "user", "content": parts}]}
    with (
        served(tmp_path, shop, Limits(at_once=1)) as (_, address),
        ThreadPoolExecutor() as clients,
        httpx.Client(base_url=address, timeout=LONG) as http,
    ):
        url = f"{address}/v1/messages/count_tokens"
        slow = [clients.submit(httpx.post, url, json=body, timeout=LONG) for _ in range(3)]
        assert begun.acquire(timeout=LONG)
        assert http.post("/ask", json=ASKED).json()["text"] == QUOTE
        may_end.set()
        assert {one.result().status_code for one in slow} == {200}


def test_the_server_that_ends_waits_for_none_of_its_threads(tmp_path: Path, shop: Path) -> None:
    state = create_app(settings(tmp_path / "state", shop=shop)).state
    pools = [one for one in vars(state)["_state"].values() if isinstance(one, Workers)]
    assert len(pools) == 5
    assert list(state.pools.values()) == pools
