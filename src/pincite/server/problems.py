"""What went wrong, as problem details (RFC 9457), without a word of the server's own files."""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from pincite.errors import AuditError, PinciteError, RecordUnusable, RiskNotKept, StoreError
from pincite.render import dumps
from pincite.server.access.errors import AccessError
from pincite.server.bodies import MOST_FAULTS
from pincite.server.errors import ServerError

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = 2
OF_ANOTHER_TYPE = (
    "the body is not sent as JSON: send it with the header `Content-Type: application/json`"
)

_log = logging.getLogger("pincite.server")

SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "What went wrong (RFC 9457).",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"const": "about:blank"},
        "title": {"type": "string"},
        "status": {"type": "integer", "minimum": 400, "maximum": 599},
        "detail": {"type": "string", "description": "What was found, and what to do."},
        "faults": {
            "type": "array",
            "description": "Of a request that is not as described: where, and what is wrong.",
            "items": {
                "type": "object",
                "required": ["where", "what"],
                "properties": {"where": {"type": "string"}, "what": {"type": "string"}},
            },
        },
    },
}


def problem(
    status: int,
    detail: str,
    *,
    title: str = "",
    faults: list[dict[str, str]] | None = None,
    headers: dict[str, str] | None = None,
) -> Response:
    """A reply that says what went wrong."""
    content: dict[str, Any] = {
        "type": "about:blank",
        "title": title or HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
    }
    if faults:
        content["faults"] = faults
    own = dict(headers or {})
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        own.setdefault("Retry-After", str(RETRY_SECONDS))
    if status == HTTPStatus.UNAUTHORIZED:
        own.setdefault("WWW-Authenticate", "Bearer")
    return Response(dumps(content).encode(), status, own, MEDIA_TYPE)


def of_error(error: PinciteError) -> Response:
    """What is said of an error of Pincite."""
    status, detail = told(error)
    return problem(status, detail, title=error.title if isinstance(error, ServerError) else "")


def told(error: PinciteError) -> tuple[int, str]:
    """Status and words for an error; its own message may tell places on the machine."""
    match error:
        case ServerError():
            return error.status, str(error)
        case RecordUnusable():
            return 422, str(error)
        case RiskNotKept():
            return 422, f"no threshold is known that keeps to a risk of {error.risk:g}"
        case AuditError():
            found = 503, "the log cannot be used: nothing is answered without it"
        case AccessError():
            found = 503, "who may see what cannot be told: its files have to be put right"
        case StoreError():
            found = 503, "the index cannot be used at the moment: come again later"
        case _:
            # What it says may be of a question, or of a document.
            _log.error("a request failed: %s", type(error).__name__)
            return 500, "the server cannot do this; whoever runs it finds why in its log"
    _log.warning("a request was refused: %s", error)
    return found


async def on_pincite_error(_: Request, error: Exception) -> Response:
    """For what the service raises."""
    assert isinstance(error, PinciteError)
    return of_error(error)


async def on_http_error(_: Request, error: Exception) -> Response:
    """For what the framework raises: no such address, no such method."""
    assert isinstance(error, HTTPException)
    return problem(error.status_code, str(error.detail), headers=dict(error.headers or {}))


async def on_invalid(request: Request, error: Exception) -> Response:
    """For a request that is not as described; what was sent is not repeated."""
    assert isinstance(error, RequestValidationError)
    if is_of_another_type(request, error):
        return problem(422, OF_ANOTHER_TYPE)
    faults = [
        {"where": ".".join(map(str, fault["loc"])), "what": str(fault["msg"])}
        for fault in error.errors()[:MOST_FAULTS]
    ]
    return problem(422, "the request is not as described in /openapi.json", faults=faults)


def is_of_another_type(request: Request, error: RequestValidationError) -> bool:
    """Whether the body was not read at all, as its type is not said to be JSON."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().casefold()
    is_json = media_type == "application/json" or media_type.endswith("+json")
    return not is_json and any(
        tuple(fault["loc"]) == ("body",) and fault["type"] != "missing" for fault in error.errors()
    )
