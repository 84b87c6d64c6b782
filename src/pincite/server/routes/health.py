"""Whether the server is there, whether it can answer, and what it counts."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, Response

from pincite.server.access import Right
from pincite.server.described import problems_of
from pincite.server.errors import NotAllowed, NotReady
from pincite.server.routes.context import TheCaller, TheReaders

router = APIRouter(tags=["server"])

_TEXT = {"content": {"text/plain": {"schema": {"type": "string"}}}}


@router.get("/healthz", responses={200: {"description": "It is.", **_TEXT}})
async def healthz() -> Response:
    """Whether the server is there."""
    return PlainTextResponse("ok\n")


@router.get("/readyz", responses={200: {"description": "They can.", **_TEXT}, **problems_of()})
async def readyz(request: Request, readers: TheReaders) -> Response:
    """Whether every collection can be asked; 503 until then."""
    if not await readers.run(request.app.state.collections.is_ready):
        raise NotReady("not every collection can be asked")
    return PlainTextResponse("ready\n")


@router.get(
    "/metrics", responses={200: {"description": "For Prometheus.", **_TEXT}, **problems_of()}
)
async def metrics(request: Request, caller: TheCaller) -> Response:
    """What the server counts of itself."""
    if not caller.may(Right.ADMIN):
        raise NotAllowed(f"this needs the right {Right.ADMIN.value!r}")
    return PlainTextResponse(request.app.state.metrics.text())
