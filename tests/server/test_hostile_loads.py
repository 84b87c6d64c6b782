"""Requests that are too large, and clients that take their time: they hold up nobody."""

from __future__ import annotations

import json
import socket
import threading
from contextlib import suppress
from typing import Any

import pytest

from .hostile import Site, elsewhere, head, received, site, status_of

__all__ = ["elsewhere", "site"]

CHUNKED = "Transfer-Encoding: chunked"


# Too much of something.

LAMP = "How much does the lamp weigh?"
LARGE: dict[str, Any] = {
    "a question": {"question": "lamp " * 1_000},
    "a question of marks": {"question": "?" * 1_999},
    "a question of one word": {"question": "l" * 1_999},
    "a question of combining marks": {"question": "a" + "\u0301" * 1_990},
    "a question of spaces": {"question": " " * 1_999},
    "a question of parts": {"question": "and how much, " * 140},
    "a question of brackets": {"question": "(" * 1_999},
    "a question in NUL": {"question": "\0" * 1_000},
    "a question of surrogates": "surrogates",
    "a body": {"question": "lamp " * 10_000},
    "turns": {"question": LAMP, "history": [{"role": "user", "text": "x"}] * 400},
    "a turn": {"question": LAMP, "history": [{"role": "user", "text": "x" * 19_000}]},
    "a limit": {"question": LAMP, "limit": 10**9},
    "a number": {"question": LAMP, "risk": 10**300},
    "a number without end": "infinity",
    "a number of digits": "digits",
    "nested lists": "lists",
    "nested objects": "objects",
    "keys": {"question": LAMP, **{f"key{number}": number for number in range(1_000)}},
    "a document": {"question": LAMP, "document": "a/" * 5_000},
    "a collection": {"question": LAMP, "collection": "x" * 9_000},
    "half a record": "half",
    "no text": "bytes",
    "a list": [LAMP],
    "nothing": "nothing",
}
RAW = {
    "surrogates": b'{"question": "\\ud800\\udfff\\udc00 lamp"}',
    "infinity": b'{"question": "lamp", "risk": Infinity}',
    "digits": b'{"question": "lamp", "risk": ' + b"9" * 15_000 + b"}",
    "lists": b'{"question": ' + b"[" * 9_000 + b"]" * 9_000 + b"}",
    "objects": b'{"a":' * 3_000 + b"1" + b"}" * 3_000,
    "half": b'{"question": "lamp',
    "bytes": b'{"question": "\xff\xfe\x00"}',
    "nothing": b"",
}


@pytest.mark.parametrize("what", LARGE)
@pytest.mark.parametrize("address", ["/ask", "/search", "/v1/chat/completions"])
def test_too_much_is_told_and_holds_up_nobody(site: Site, what: str, address: str) -> None:
    body = LARGE[what]
    content = RAW[body] if isinstance(body, str) else json.dumps(body).encode()
    if address.startswith("/v1") and isinstance(body, dict):
        messages = [{"role": "user", "content": body["question"]}]
        content = json.dumps({**body, "model": "pincite", "messages": messages}).encode()
    said = site.client.post(address, content=content, headers={"Content-Type": "application/json"})
    assert said.status_code in (200, 400, 404, 413, 422)
    assert len(said.content) < 200_000
    assert "Traceback" not in said.text
    assert site.is_well()


@pytest.mark.parametrize(
    "sent",
    [
        head("POST", "/ask", "Content-Length: 99999999999999999999") + b"{",
        head("POST", "/ask", "Content-Length: 30000") + b"x" * 30_000,
        head("POST", "/ask", CHUNKED) + (b"4000\r\n" + b"x" * 0x4000 + b"\r\n") * 2,
        head("GET", "/" + "a" * 70_000),
        head("GET", "/documents?under=" + "a" * 70_000),
        head("GET", "/documents", "X-A: " + "a" * 70_000),
        head("GET", "/documents", *(f"X-{number}: a" for number in range(20_000))),
        head("GET", "/documents", "Authorization: Bearer " + "a" * 70_000),
        head("GET", "/documents", "Range: bytes=" + ",".join(["0-1"] * 5_000)),
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 500,
        b"GET / HTTP/9.9\r\nHost: localhost\r\n\r\n",
        b"\r\n" * 5_000,
        b"\0" * 5_000,
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET\r\n\r\n",
        head("A" * 5_000, "/documents"),
        head("CONNECT", "evil.example:443"),
        head("TRACE", "/documents", "X-Secret: 1"),
        head("GET", "/documents", "Upgrade: websocket", "Connection: Upgrade",
             "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="),
        head("POST", "/ask", "Content-Encoding: gzip", "Content-Length: 4") + b"\x1f\x8b\0\0",
        head("POST", "/ask", "Content-Type: multipart/form-data; boundary=x", "Content-Length: 9")
        + b"--x--\r\n\r\n",
        head("POST", "/ask", "Expect: 100-continue", "Content-Length: 30000"),
    ],
    ids=range(22),
)  # fmt: skip
def test_what_is_no_request_is_told_or_closed(site: Site, sent: bytes) -> None:
    try:
        reply = site.raw(sent)
    except (BrokenPipeError, ConnectionResetError):
        reply = b""
    assert status_of(reply) in (0, 100, 200, 400, 404, 405, 408, 413, 414, 421, 422, 426, 431)
    assert b"X-Secret" not in reply
    assert b"Traceback" not in reply
    assert site.is_well()


# Clients that take their time.


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"G",
        b"GET /documents HTTP/1.1\r\nHost: localhost\r\nX-A: ",
        head("POST", "/ask", "Content-Length: 100"),
        head("POST", "/ask", "Content-Length: 100") + b'{"question": ',
        head("POST", "/ask", CHUNKED) + b"5\r\n{",
    ],
)
def test_a_client_that_takes_its_time_holds_up_nobody(site: Site, begun: bytes) -> None:
    connections = [socket.create_connection((site.host, site.port), 60) for _ in range(20)]
    try:
        for connection in connections:
            connection.sendall(begun)
        assert site.is_well()
        for connection in connections:
            # A byte now and then changes nothing: the server ends it.
            with_byte = threading.Timer(0.5, _send_byte, [connection])
            with_byte.start()
            reply = received(connection)
            with_byte.join()
            assert status_of(reply) in (0, 400, 408)
    finally:
        for connection in connections:
            connection.close()
    assert site.is_well()


def _send_byte(connection: socket.socket) -> None:
    with suppress(OSError):
        connection.sendall(b"a")


def test_a_client_that_does_not_read_is_let_go(site: Site) -> None:
    connection = socket.create_connection((site.host, site.port), 60)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    request = head("GET", "/openapi.json").replace(b"Connection: close\r\n", b"")
    with connection:
        try:
            for _ in range(200):
                connection.sendall(request)
            assert site.is_well()
        except (BrokenPipeError, ConnectionResetError):
            pass
    assert site.is_well()
