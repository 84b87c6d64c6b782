"""What the addresses of other interfaces share: replies and errors in their own words."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from typing import Any
from urllib.parse import urlencode

from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from pincite.errors import MissingExtra, PinciteError
from pincite.records import Citation
from pincite.render import dumps
from pincite.server.access import Caller
from pincite.server.compat.asked import Asked, Rejected, UnknownModel
from pincite.server.compat.counting import tokens
from pincite.server.compat.faults import Fault, anthropic_error, openai_error
from pincite.server.compat.said import Json, Said, said
from pincite.server.problems import RETRY_SECONDS, told
from pincite.server.service import Service

_ANTHROPIC = "anthropic-version"
"""The header that every client of Anthropic sends."""


class TranslatedRoute(APIRoute):
    """A route whose errors are told as the interface of the client does."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, with errors put into words."""
        handle = super().get_route_handler()

        async def handled(request: Request) -> Response:
            try:
                return await handle(request)
            except (Rejected, PinciteError, RequestValidationError, HTTPException) as error:
                return failed(request, fault_of(error))

        return handled


def fault_of(error: Exception) -> Fault:
    """What is said of an error; of a request that is not as described, its first fault."""
    match error:
        case UnknownModel():
            return Fault(404, error.message, error.param, error.code)
        case Rejected():
            return Fault(400, error.message, error.param, error.code)
        case RequestValidationError():
            # Of what may be one thing or another, the fault that lies deepest is of what it is.
            first = max(error.errors(), key=lambda one: len(one["loc"]))
            where = ".".join(str(part) for part in first["loc"] if not _is_kind(part))
            if first["type"] == "extra_forbidden":
                return Fault(400, f"Unknown parameter: {where!r}.", where, "unknown_parameter")
            return Fault(400, str(first["msg"]), where or None)
        case HTTPException():
            return Fault(error.status_code, str(error.detail))
        case MissingExtra():
            return Fault(501, f"{error.feature} is not installed on the server")
        case PinciteError():
            status, detail = told(error)
            return Fault(400 if status == 422 else status, detail)
    raise error


def _is_kind(part: object) -> bool:
    """Whether this part of a place names what was expected there, not a part of the request."""
    return isinstance(part, str) and (part in ("body", "str") or "[" in part)


def failed(request: Request, fault: Fault) -> Response:
    """The fault, as the interface of the client tells it."""
    is_anthropic = _ANTHROPIC in request.headers or request.url.path.startswith("/v1/messages")
    content = anthropic_error(fault) if is_anthropic else openai_error(fault)
    headers = {"Retry-After": str(RETRY_SECONDS)} if fault.status == 503 else {}
    return Response(dumps(content).encode(), fault.status, headers, "application/json")


def replied(content: Json) -> Response:
    """A reply that is there at once."""
    return Response(dumps(content).encode(), 200, media_type="application/json")


def streamed(
    events: Iterable[Json], *, named: bool = True, end: str | None = None
) -> StreamingResponse:
    """Events one after another; `named` ones are told by their type, `end` is the last line."""

    async def lines() -> AsyncIterator[str]:
        for event in events:
            yield f"event: {event['type']}\ndata: {dumps(event)}\n\n" if named else _line(event)
        if end is not None:
            yield f"data: {end}\n\n"

    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return StreamingResponse(lines(), headers=headers, media_type="text/event-stream")


def answered(service: Service, caller: Caller, asked: Asked) -> tuple[Said, int]:
    """What the collections say, and how many tokens were read of the request."""
    if asked.collection is not None and asked.collection not in service.names(caller):
        raise UnknownModel(f"pincite/{asked.collection}", known="'pincite' for all documents")
    reply = service.ask(
        caller,
        asked.question,
        collection=asked.collection,
        document=asked.document,
        history=asked.history,
        risk=asked.risk,
    )
    found = said(reply.result, collection=reply.collection, most=asked.most)
    return found, tokens(asked.words)


def links(request: Request, collection: str) -> Callable[[Citation], str]:
    """What makes a link to the place of a citation, which the web page of this server shows."""

    def link(citation: Citation) -> str:
        place = {
            "show": citation.document.path,
            "collection": collection,
            "at": f"{citation.position.start},{citation.position.end}",
        }
        return f"{request.base_url}#{urlencode(place, errors='replace')}"

    return link


def _line(event: Json) -> str:
    return f"data: {dumps(event)}\n\n"
