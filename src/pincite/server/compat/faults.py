"""What went wrong, as each interface tells it."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.server.compat.said import Json

_OPENAI = {401: "invalid_request_error", 403: "permission_error", 429: "rate_limit_error"}
_ANTHROPIC = {
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    503: "overloaded_error",
    504: "timeout_error",
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a request got no answer."""

    status: int
    message: str
    param: str | None = None
    """Where in the request."""
    code: str | None = None


def openai_error(fault: Fault) -> Json:
    """As OpenAI's interfaces tell it."""
    usual = "server_error" if fault.status >= 500 else "invalid_request_error"
    code = "invalid_api_key" if fault.status == 401 else fault.code
    return {
        "error": {
            "message": fault.message,
            "type": _OPENAI.get(fault.status, usual),
            "param": fault.param,
            "code": code,
        }
    }


def anthropic_error(fault: Fault) -> Json:
    """As Anthropic's interface tells it, where in the request being part of the message."""
    usual = "api_error" if fault.status >= 500 else "invalid_request_error"
    message = f"{fault.param}: {fault.message}" if fault.param else fault.message
    return {
        "type": "error",
        "error": {"type": _ANTHROPIC.get(fault.status, usual), "message": message},
    }
