"""Whether the server is there, and whether it can answer."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from pincite.server.errors import NotReady

router = APIRouter(tags=["server"])


@router.get("/healthz")
async def healthz() -> Response:
    """That the server is there."""
    return PlainTextResponse("ok\n")


@router.get("/readyz")
async def readyz(request: Request) -> Response:
    """That every collection can be asked; 503 until then."""
    if not request.app.state.collections.is_ready():
        raise NotReady("not every collection is indexed yet")
    return PlainTextResponse("ready\n")
