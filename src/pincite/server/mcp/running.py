"""Serving agents: over the streams of this process, or over HTTP on this machine."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import anyio
import uvicorn
from mcp.server.stdio import stdio_server
from starlette.applications import Starlette

from pincite.auditing.log import AuditLog
from pincite.errors import PortTaken
from pincite.loaders.extracted import DEFAULT, LoadSettings
from pincite.server.access import LOCAL, Caller
from pincite.server.collections import Collections
from pincite.server.journal import Journal
from pincite.server.mcp.handlers import mcp_server
from pincite.server.service import Service
from pincite.server.settings import USUAL, NamedFolder
from pincite.server.working import Workers

HOST = "127.0.0.1"
PATH = "/mcp"


@contextmanager
def opened(
    folders: tuple[NamedFolder, ...],
    *,
    lexical: bool = False,
    reading: LoadSettings = DEFAULT,
    log: Path | None = None,
) -> Iterator[tuple[Service, Workers]]:
    """What answers from these folders, whose indexes are made meanwhile and kept up to date.

    With a `log`, every answer is written to it before it is given.
    """
    journal = None
    if log is not None:
        journal = Journal(AuditLog(log), keep_documents=False, lexical=lexical)
    workers = Workers(at_once=USUAL.at_once, waiting=USUAL.waiting, seconds=USUAL.seconds)
    with Collections(folders, lexical=lexical, reading=reading, watch=True) as collections:
        collections.open()
        try:
            yield Service(collections, journal=journal, reading=reading), workers
        finally:
            workers.close()


def serve_streams(service: Service, workers: Workers, caller: Caller = LOCAL) -> None:
    """Answer what comes on stdin on stdout, until stdin ends."""

    async def serve() -> None:
        server = mcp_server(service, workers, lambda _: caller)
        async with stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _leave)
    anyio.run(serve)


def _leave(signal_number: int, frame: FrameType | None) -> None:
    # Nothing ends the thread that reads stdin but the end of stdin. Indexing ends with this process
    # and loses nothing.
    os._exit(0)


def http_app(service: Service, workers: Workers, caller: Caller = LOCAL) -> Starlette:
    """The server over HTTP at `PATH`; Host and Origin have to be this machine's."""
    server = mcp_server(service, workers, lambda _: caller)
    return server.streamable_http_app(streamable_http_path=PATH, host=HOST)


def bound(port: int) -> socket.socket:
    """A socket on this machine; `PortTaken`. 0 takes any port that is free."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise PortTaken(port, reason=error.strerror or str(error)) from error
    return listening


def serve_http(
    service: Service, workers: Workers, listening: socket.socket, caller: Caller = LOCAL
) -> None:
    """Answer over HTTP on a socket until interrupted."""
    app = http_app(service, workers, caller)
    uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).run(
        sockets=[listening]
    )
