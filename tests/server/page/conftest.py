"""A real server over small folders, and a real browser in front of it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from pincite import Index
from pincite.server.app import create_app
from pincite.server.settings import NamedFolder, ServerSettings

LONGEST_WAIT = 15_000
"""Milliseconds for anything on the page to happen."""


@contextmanager
def served(
    state: Path, *, tokens: Path | None = None, under: str = "", **folders: Path
) -> Iterator[str]:
    """The address of a server over folders that are indexed already, maybe under a path."""
    named = tuple(NamedFolder(name, folder) for name, folder in folders.items())
    settings = ServerSettings(folders=named, state=state, lexical=True, tokens=tokens)
    app = behind_a_proxy(create_app(settings), under)
    config = uvicorn.Config(app, port=0, log_level="warning", access_log=False)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 30
    while not server.started:
        if not thread.is_alive() or time.monotonic() > deadline:
            raise RuntimeError("the server did not start")
        time.sleep(0.01)
    try:
        port = server.servers[0].sockets[0].getsockname()[1]
        yield f"http://127.0.0.1:{port}{under}/"
    finally:
        server.should_exit = True
        thread.join(30)


def behind_a_proxy(app: ASGIApp, under: str) -> ASGIApp:
    """The application as a proxy passes requests on to it: without the path that they are under."""

    async def passed_on(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            assert scope["path"].startswith(f"{under}/")
            scope = {**scope, "path": scope["path"].removeprefix(under), "raw_path": None}
        await app(scope, receive, send)

    return passed_on if under else app


def indexed(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """The folder with these files, indexed by words alone."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    Index.open_or_build(folder, lexical=True).close()
    return folder


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    """The page in a browser that nobody used before."""
    with browser.new_context() as context:
        yield Visit(context, address)


class Visit:
    """A browser of its own on the page, and what it asked the network for and complained of."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.address = address
        self.requests: list[Request] = []
        self.complaints: list[str] = []
        self.page: Page = context.new_page()
        self.page.set_default_timeout(LONGEST_WAIT)
        self.page.on("request", lambda request: self.requests.append(request))
        self.page.on("console", lambda said: self.complaints.append(f"{said.type}: {said.text}"))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def open(self, fragment: str = "") -> Page:
        """The page, with what stands behind # in its address."""
        self.page.goto(f"{self.address}{fragment}")
        self.page.wait_for_selector("main > *")
        return self.page

    def ask(self, question: str) -> None:
        """Ask, and wait for what is said."""
        self.page.fill("#question", question)
        self.page.press("#question", "Enter")
        self.page.wait_for_selector(f".reply:has(h2:text-is({question!r}))")

    @property
    def hosts(self) -> set[str]:
        """All that was asked for something."""
        return {request.url.split("/")[2] for request in self.requests if "//" in request.url}
