"""HTTP for clients that may be slow: so long to send the head of a request, or to read a reply."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from pincite.server.problems import problem
from pincite.server.settings import USUAL, Limits

CONNECTIONS = 1000
"""More are closed at once."""


class Patience:
    """Does something unless it is stopped in time."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        self._loop = loop
        self._seconds = seconds
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, end: Callable[[], None]) -> None:
        """Do it in so many seconds, if that has not begun yet."""
        if self._timer is None:
            self._timer = self._loop.call_later(self._seconds, end)

    def stop(self) -> None:
        """Do not do it."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class PatientProtocol(H11Protocol):
    """Closes a connection whose client takes too long to send a head or to read a reply."""

    limits: Limits = USUAL

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._head = Patience(self.loop, self.limits.header_seconds)
        self._write = Patience(self.loop, self.limits.write_seconds)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > CONNECTIONS:
            transport.abort()
        else:
            self._head.begin(transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        self._head.stop()
        self._write.stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.their_state is h11.IDLE and not self.transport.is_closing():
            self._head.begin(self.transport.abort)
        else:
            self._head.stop()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.conn.their_state is not h11.IDLE:
            self._head.stop()

    def _should_upgrade(self) -> bool:
        # Nothing is upgraded, and whoever tries is not worth a line in the log each time.
        return False

    def pause_writing(self) -> None:
        super().pause_writing()
        self._write.begin(self.transport.abort)

    def resume_writing(self) -> None:
        self._write.stop()
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        reply = problem(400, "this is no request of HTTP/1.1 that can be read")
        for event in (
            h11.Response(
                status_code=400,
                headers=[*reply.raw_headers, (b"connection", b"close")],
                reason=b"Bad Request",
            ),
            h11.Data(data=bytes(reply.body)),
            h11.EndOfMessage(),
        ):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


def patient(limits: Limits) -> type[PatientProtocol]:
    """The protocol with these limits."""
    return type("PatientProtocol", (PatientProtocol,), {"limits": limits})
