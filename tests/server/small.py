"""A server over small folders: in this process, or on a port of this machine."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx
import uvicorn
from fastapi import FastAPI
from fastapi.testclient import TestClient

from pincite import Index
from pincite.server.app import create_app
from pincite.server.patience import patient
from pincite.server.settings import USUAL, Limits, NamedFolder, ServerSettings

RETURNS = """\
# Returns

## How long you have

You may return a lamp within 45 days of delivery.

After that we repair it.
"""
QUESTION = "Within how many days may I return a lamp?"
QUOTE = "You may return a lamp within 45 days of delivery."
UNANSWERED = "Who composed the opera Fidelio?"


def indexed(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    """The folder with these files, indexed by words alone."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    Index.open_or_build(folder, lexical=True).close()
    return folder


def settings(state: Path, *, limits: Limits = USUAL, **folders: Path) -> ServerSettings:
    """A server of these folders, by words alone."""
    named = tuple(NamedFolder(name, folder) for name, folder in sorted(folders.items()))
    return ServerSettings(folders=named, state=state, lexical=True, limits=limits)


@contextmanager
def listening(app: FastAPI) -> Iterator[uvicorn.Server]:
    """The application on a free port, which `address` tells, until the block is left."""
    config = uvicorn.Config(
        app,
        port=0,
        log_level="critical",
        ws="none",
        http=patient(app.state.settings.limits),
        timeout_graceful_shutdown=app.state.settings.limits.shutdown_seconds,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    deadline = time.monotonic() + 60
    while not server.started:
        if not thread.is_alive() or time.monotonic() > deadline:
            raise RuntimeError("the server did not start")
        time.sleep(0.01)
    try:
        yield server
    finally:
        server.should_exit = True
        thread.join(60)


def port(server: uvicorn.Server) -> int:
    """Where it listens."""
    found: int = server.servers[0].sockets[0].getsockname()[1]
    return found


@contextmanager
def client(one: ServerSettings) -> Iterator[httpx.Client]:
    """A client of a server of its own on a free port."""
    with (
        listening(create_app(one)) as server,
        httpx.Client(base_url=f"http://127.0.0.1:{port(server)}", timeout=60) as found,
    ):
        yield found


def inside(app: FastAPI, *, base_url: str = "http://localhost") -> TestClient:
    """A client in this process, which the application takes for one of the same machine."""
    return TestClient(
        app, base_url=base_url, client=("127.0.0.1", 50000), raise_server_exceptions=False
    )


def until_indexed(http: TestClient) -> dict[str, object]:
    """How the collection is once no run of indexing goes on."""
    deadline = time.monotonic() + 60
    while True:
        (found,) = http.get("/index").json()["collections"]
        if not found["running"] or time.monotonic() > deadline:
            return dict(found)
        time.sleep(0.05)
