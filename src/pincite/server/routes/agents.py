"""Agents, at one address of the server: the tools of `pincite mcp`, each for who calls."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from fastapi import APIRouter, Request
from mcp.server.context import ServerRequestContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pincite.server.access import Caller
from pincite.server.mcp.handlers import mcp_server
from pincite.server.routes.context import TheCaller
from pincite.server.service import Service
from pincite.server.working import Workers

router = APIRouter()


@asynccontextmanager
async def agents(
    service: Service, workers: Workers, *, body_bytes: int
) -> AsyncIterator[StreamableHTTPSessionManager]:
    """What speaks the protocol while the server runs.

    It remembers nothing between requests: each is of the caller whose token it brings.
    """
    manager = StreamableHTTPSessionManager(
        mcp_server(service, workers, _caller_of),
        stateless=True,
        # Host and Origin are checked before any request gets here.
        security_settings=None,
        max_request_body_size=body_bytes,
    )
    async with manager.run():
        yield manager


@router.post("/mcp", include_in_schema=False)
async def mcp(request: Request, caller: TheCaller) -> Response:
    """The Model Context Protocol over streamable HTTP."""
    request.state.caller = caller
    return _Handed(request.app.state.agents)


class _Handed(Response):
    """A reply that the SDK writes."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        super().__init__()
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._manager.handle_request(scope, receive, send)


def _caller_of(context: ServerRequestContext[Any, Any]) -> Caller:
    assert isinstance(context.request, Request)
    caller: Caller = context.request.state.caller
    return caller
