"""Server-sent events: what is being done, then the reply, all of it at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from pincite.errors import PinciteError
from pincite.render import dumps
from pincite.server.problems import of_error
from pincite.server.working import Workers

MEDIA_TYPE = "text/event-stream"
_QUIET_SECONDS = 5.0
"""After so long without an event a comment says that the connection is there."""

Send = Callable[[str, Mapping[str, Any]], None]
"""Sends an event of a kind with a record; from any thread."""


def wants_events(request: Request) -> bool:
    """Whether whoever asks takes events rather than a record."""
    kinds = [
        kind.partition(";")[0].strip() for kind in request.headers.get("accept", "").split(",")
    ]
    return MEDIA_TYPE in kinds and "application/json" not in kinds[: kinds.index(MEDIA_TYPE)]


async def events(workers: Workers, work: Callable[[Send], None]) -> Response:
    """A reply of the events that `work` sends; where it fails, the last is a `problem`.

    What is refused before it begins is a reply of its own.
    """
    loop = asyncio.get_running_loop()
    sent: asyncio.Queue[bytes | None] = asyncio.Queue()

    def send(kind: str, content: Mapping[str, Any]) -> None:
        loop.call_soon_threadsafe(sent.put_nowait, event(kind, content))

    task = asyncio.create_task(workers.run(lambda: work(send)))
    task.add_done_callback(lambda _: sent.put_nowait(None))
    first = await sent.get()
    if first is None:
        task.result()

    async def stream() -> AsyncIterator[bytes]:
        one: bytes | None = first
        try:
            while one is not None:
                yield one
                one = await _next(sent)
            # Sent from another thread, some may come behind the end of the task.
            while not sent.empty():
                if rest := sent.get_nowait():
                    yield rest
            if error := task.exception():
                yield _problem(error)
        finally:
            task.cancel()

    return StreamingResponse(stream(), media_type=MEDIA_TYPE)


def event(kind: str, content: Mapping[str, Any]) -> bytes:
    """One event; JSON has no line ends but as escapes."""
    return f"event: {kind}\ndata: {dumps(content)}\n\n".encode()


async def _next(sent: asyncio.Queue[bytes | None]) -> bytes | None:
    with suppress(TimeoutError):
        return await asyncio.wait_for(sent.get(), _QUIET_SECONDS)
    return b": still at work\n\n"


def _problem(error: BaseException) -> bytes:
    if not isinstance(error, PinciteError):
        raise error
    return b"event: problem\ndata: " + bytes(of_error(error).body) + b"\n\n"
