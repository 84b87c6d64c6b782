"""What went wrong, told as the interface does that a request is made to."""

from __future__ import annotations

import json

from fastapi.exceptions import RequestValidationError
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from pincite.errors import MissingExtra, PinciteError
from pincite.render import dumps
from pincite.server import problems
from pincite.server.compat.asked import Rejected, UnknownModel
from pincite.server.compat.faults import Fault, anthropic_error, openai_error
from pincite.server.problems import RETRY_SECONDS, told

PREFIX = "/v1"
"""Of all addresses of the interfaces of others."""
_ANTHROPIC = "anthropic-version"
"""The header that every client of Anthropic sends."""


def fault_of(error: Exception) -> Fault:
    """What is said of an error; of a request that is not as described, its first fault."""
    match error:
        case UnknownModel():
            return Fault(404, error.message, error.param, error.code)
        case Rejected():
            return Fault(400, error.message, error.param, error.code)
        case RequestValidationError():
            # Of what may be one thing or another, the fault that lies deepest is of what it is.
            first = max(
                error.errors(), key=lambda one: (len(one["loc"]), one["type"] == "too_long")
            )
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


def fault_reply(scope: Scope, fault: Fault) -> Response:
    """The fault, as the interface of the client tells it."""
    path: str = scope["path"]
    is_anthropic = _ANTHROPIC in Headers(scope=scope) or path.startswith(f"{PREFIX}/messages")
    content = anthropic_error(fault) if is_anthropic else openai_error(fault)
    headers = {}
    if fault.status == 503:
        headers["Retry-After"] = str(RETRY_SECONDS)
    if fault.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(dumps(content).encode(), fault.status, headers, "application/json")


def translated(scope: Scope, problem: Response) -> Response:
    """A problem as it is, or in the words of the interface that the request is made to."""
    path: str = scope["path"]
    if not path.startswith(f"{PREFIX}/"):
        return problem
    detail: str = json.loads(bytes(problem.body))["detail"]
    reply = fault_reply(scope, Fault(problem.status_code, detail))
    if "connection" in problem.headers:
        reply.headers["connection"] = problem.headers["connection"]
    return reply


async def on_http_error(request: Request, error: Exception) -> Response:
    """For what the framework raises: no such address, no such method."""
    return translated(request.scope, await problems.on_http_error(request, error))


def _is_kind(part: object) -> bool:
    """Whether this part of a place names what was expected there, not a part of the request."""
    return isinstance(part, str) and (part in ("body", "str") or "[" in part)
