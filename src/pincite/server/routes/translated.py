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

from pincite.errors import PinciteError
from pincite.records import Citation
from pincite.render import dumps
from pincite.server.access import Caller
from pincite.server.compat.asked import Asked, Rejected, UnknownModel
from pincite.server.compat.counting import tokens
from pincite.server.compat.faults import Fault
from pincite.server.compat.said import Json, Said, said
from pincite.server.described import Responses, events_of, json_of
from pincite.server.problems import OF_ANOTHER_TYPE, is_of_another_type
from pincite.server.service import Service
from pincite.server.translating import fault_of, fault_reply

_ERROR: Json = {
    "type": "object",
    "description": "What went wrong, as the interface tells it.",
    "required": ["error"],
    "properties": {
        "type": {"const": "error"},
        "error": {
            "type": "object",
            "required": ["type", "message"],
            "properties": {"type": {"type": "string"}, "message": {"type": "string"}},
        },
    },
}


class TranslatedRoute(APIRoute):
    """A route whose errors are told as the interface of the client does."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, with errors put into words."""
        handle = super().get_route_handler()

        async def handled(request: Request) -> Response:
            try:
                return await handle(request)
            except RequestValidationError as error:
                if is_of_another_type(request, error):
                    return fault_reply(request.scope, Fault(400, OF_ANOTHER_TYPE))
                return fault_reply(request.scope, fault_of(error))
            except (Rejected, PinciteError, HTTPException) as error:
                return fault_reply(request.scope, fault_of(error))

        return handled


def described(description: str, kind: str, *fields: str, streams: bool = False) -> Responses:
    """What the OpenAPI document says of an address: its reply has these fields at least."""
    schema: Json = {"type": "object", "title": kind, "required": [*fields]}
    reply = json_of(description, schema)
    if streams:
        reply["content"]["text/event-stream"] = events_of("As the interface has them.")
    return {200: reply, "4XX": json_of("Not so.", _ERROR), "5XX": json_of("Not now.", _ERROR)}


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
