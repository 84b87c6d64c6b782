"""What every request passes first: whom it is for, where it is from, how much it sends."""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import re
import time
from collections.abc import Sequence
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite.errors import PinciteError
from pincite.server.access import Recognising
from pincite.server.metrics import Metrics
from pincite.server.problems import of_error, problem
from pincite.server.recognised import recognised
from pincite.server.settings import Limits
from pincite.server.translating import translated

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Of every reply that says nothing else: nothing of it acts, is framed, guessed at or kept."""

_QUESTIONS = frozenset({"/ask", "/search", "/notices"})
"""What is sent to these is words, and no documents."""
_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z._-]+)(?::[0-9]{1,5})?")

_log = logging.getLogger("pincite.server")


class Guard:
    """Lets a request through to the application, or says no as a problem.

    A page of another site reaches a server on the same machine through its visitor's browser: by a
    name of its own that leads there, which the Host tells, or by a post, which its Origin tells.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: Sequence[str],
        limits: Limits,
        recognising: Recognising,
        metrics: Metrics,
    ) -> None:
        self._app = app
        self._hosts = frozenset(host.casefold() for host in hosts)
        self._limits = limits
        self._recognising = recognising
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close"})
            return
        began = time.perf_counter()
        status = 0

        async def guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        self._metrics.begun()
        try:
            sent = self._refused(scope) or await self._body(receive, self._most(scope))
            if isinstance(sent, Response):
                await translated(scope, sent)(scope, receive, guarded)
            else:
                await self._app(scope, _replayed(sent, receive), guarded)
        except Exception:
            _log.exception("a request failed: %s", scope["method"])
            if status:
                raise
            failed = problem(500, "the server failed; whoever runs it finds why in its log")
            await translated(scope, failed)(scope, receive, guarded)
        finally:
            route = getattr(scope.get("route"), "path", "")
            self._metrics.ended(scope["method"], route, status, time.perf_counter() - began)

    def _refused(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if len(headers.getlist("host")) != 1 or not self._is_own(host):
            return problem(
                421,
                "the server is not called by this name: one that it is to be called by is given "
                "with --allow-host",
            )
        if scope["method"] not in SAFE_METHODS and not _is_same_site(headers, host):
            return problem(403, "another site may not send this here")
        if "transfer-encoding" in headers and "content-length" in headers:
            # Whatever passed it on may have taken another end of it: what follows is not read.
            closing = {"Connection": "close"}
            return problem(400, "the length of the request is said twice", headers=closing)
        length = headers.get("content-length", "0")
        if length != "0" or "transfer-encoding" in headers:
            # Of nobody known nothing is read: what is there for everybody takes no body.
            try:
                recognised(HTTPConnection(scope), self._recognising)
            except PinciteError as error:
                reply = of_error(error)
                reply.headers["Connection"] = "close"
                return reply
        most = self._most(scope)
        if not length.isdecimal() or int(length) > most:
            return _too_much(most)
        return None

    def _most(self, scope: Scope) -> int:
        """So many bytes the body may have."""
        limits = self._limits
        is_question = scope["path"] in _QUESTIONS
        return min(limits.question_bytes, limits.body_bytes) if is_question else limits.body_bytes

    def _is_own(self, host: str) -> bool:
        name = _name_of(host)
        if name is None:
            return False
        try:
            # A page of another site has a name; that it leads here is all that could be wrong.
            ipaddress.ip_address(name)
        except ValueError:
            return name in self._hosts
        return True

    async def _body(self, receive: Receive, most: int) -> bytes | Response:
        body = bytearray()
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        return problem(400, "the request was not sent whole")
                    body += message.get("body", b"")
                    if len(body) > most:
                        return _too_much(most)
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            return problem(
                408,
                f"the request took more than {self._limits.body_seconds:g} seconds to be sent",
                headers={"Connection": "close"},
            )


def _too_much(most: int) -> Response:
    detail = f"more than {most} bytes are not taken"
    return problem(413, detail, headers={"Connection": "close"})


def _replayed(body: bytes, receive: Receive) -> Receive:
    is_given = False

    async def replayed() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return replayed


def _is_same_site(headers: Headers, host: str) -> bool:
    origins = headers.getlist("origin")
    if origins:
        # `null` has no host: a sandboxed page, or one from a file.
        return len(origins) == 1 and _place_of(origins[0]) == host.casefold()
    # Browsers that do not tell the origin tell this; programs tell neither.
    return headers.get("sec-fetch-site", "none") in ("same-origin", "none")


def _place_of(origin: str) -> str:
    """The host and port of an origin; empty where it is none."""
    try:
        return urlsplit(origin).netloc.casefold()
    except ValueError:
        return ""


def _name_of(host: str) -> str | None:
    """The host without its port; None where it is none."""
    found = _HOST.fullmatch(host)
    return found[1].strip("[]").casefold().rstrip(".") if found else None
