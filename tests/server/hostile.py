"""A server that is attacked, what lies about it, and whoever it must not call."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx
import pytest

from pincite import Index
from pincite.server.settings import Limits, NamedFolder, ServerSettings

from .served import serving

SECRET = "swordfish-8812"
LIMITS = Limits(
    body_bytes=20_000, header_seconds=2, body_seconds=2, write_seconds=2, seconds=20, waiting=16
)


class Site:
    """A server, what lies about it, and whoever it must not call."""

    def __init__(self, address: str, called: list[str], elsewhere: str, state: Path) -> None:
        self.address = address
        self.called = called
        self.elsewhere = elsewhere
        self.state = state
        self.host, _, port = address.removeprefix("http://").partition(":")
        self.port = int(port)
        self.client = httpx.Client(base_url=address, timeout=60)

    def raw(self, sent: bytes, *, seconds: float = 20.0) -> bytes:
        """What comes back for these bytes, until the server closes."""
        with socket.create_connection((self.host, self.port), timeout=seconds) as connection:
            connection.sendall(sent)
            return received(connection)

    def is_well(self) -> bool:
        said = self.client.post("/ask", json={"question": "How much does the lamp weigh?"})
        return said.status_code == 200 and said.json()["text"] == "The lamp weighs 4 kg."

    def log(self) -> bytes:
        return b"".join(path.read_bytes() for path in sorted(self.state.rglob("log")))


def received(connection: socket.socket) -> bytes:
    data = b""
    while True:
        try:
            piece = connection.recv(65536)
        except ConnectionResetError:
            return data
        if not piece:
            return data
        data += piece


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[tuple[str, list[str]]]:
    """An address that nobody may call, and who did."""
    called: list[str] = []

    class Caught(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            called.append(self.path)
            self.send_response(200)
            self.end_headers()

        do_POST = do_HEAD = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Caught)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", called
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory, elsewhere: tuple[str, list[str]]
) -> Iterator[Site]:
    top = tmp_path_factory.mktemp("hostile")
    folder = top / "shop"
    (folder / ".git").mkdir(parents=True)
    (folder / "lamp.md").write_text("# Lamp\n\nThe lamp weighs 4 kg.\n")
    (folder / "deep").mkdir()
    (folder / "deep" / "desk.md").write_text("The desk weighs 30 kg.\n")
    (folder / ".env").write_text(SECRET)
    (folder / ".git" / "config").write_text(SECRET)
    (top / "secret.md").write_text(SECRET)
    (folder / "link.md").symlink_to(top / "secret.md")
    Index.open_or_build(folder, lexical=True).close()
    settings = ServerSettings(
        folders=(NamedFolder("shop", folder),), state=top / "state", lexical=True, limits=LIMITS
    )
    with serving(settings) as address:
        site = Site(address, elsewhere[1], elsewhere[0], top / "state")
        yield site
        site.client.close()


def head(method: str, target: str, *headers: str, host: str | None = "localhost") -> bytes:
    lines = [f"{method} {target} HTTP/1.1", *([f"Host: {host}"] if host is not None else ())]
    return "\r\n".join([*lines, "Connection: close", *headers, "", ""]).encode("latin-1")


def status_of(reply: bytes) -> int:
    return int(reply.split(b" ", 2)[1]) if reply.startswith(b"HTTP/1.1 ") else 0
