"""Agents, at one address of the server: the tools of `pincite mcp`, each for who calls."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from pincite.server.access import Caller
from pincite.server.routes.context import TheCaller
from pincite.server.service import Service
from pincite.server.working import Workers

# Half as long as all else of the server takes to load: the first agent waits for it, not the start.
if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

router = APIRouter()


class Agents:
    """What speaks the protocol, from the first request on until it is closed.

    It remembers nothing between requests: each is of the caller whose token it brings.
    """

    def __init__(
        self, service: Service, workers: Workers, apart: Workers, *, body_bytes: int
    ) -> None:
        self._service = service
        self._workers = workers
        self._apart = apart
        self._body_bytes = body_bytes
        self._speaking: asyncio.Future[StreamableHTTPSessionManager] | None = None
        self._task: asyncio.Task[None] | None = None

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whose caller is known."""
        if self._speaking is None:
            self._speaking = asyncio.get_running_loop().create_future()
            self._task = asyncio.create_task(self._speak(self._speaking))
        manager = await asyncio.shield(self._speaking)
        await manager.handle_request(scope, receive, send)

    async def close(self) -> None:
        """End what is in flight."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    async def _speak(self, speaking: asyncio.Future[StreamableHTTPSessionManager]) -> None:
        try:
            manager = await asyncio.to_thread(self._manager)
            async with manager.run():
                speaking.set_result(manager)
                await asyncio.Event().wait()
        except Exception as error:
            if not speaking.done():
                speaking.set_exception(error)
            raise
        finally:
            speaking.cancel()

    def _manager(self) -> StreamableHTTPSessionManager:
        from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

        from pincite.server.mcp.handlers import mcp_server

        return StreamableHTTPSessionManager(
            mcp_server(self._service, self._workers, _caller_of, apart=self._apart),
            stateless=True,
            # Host and Origin are checked before any request gets here.
            security_settings=None,
            max_request_body_size=self._body_bytes,
        )


@router.post("/mcp", include_in_schema=False)
async def mcp(request: Request, caller: TheCaller) -> Response:
    """The Model Context Protocol over streamable HTTP."""
    request.state.caller = caller
    return _Handed(request.app.state.agents)


class _Handed(Response):
    """A reply that the SDK writes."""

    def __init__(self, agents: Agents) -> None:
        super().__init__()
        self._agents = agents

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._agents.answer(scope, receive, send)


def _caller_of(context: ServerRequestContext[Any, Any]) -> Caller:
    assert isinstance(context.request, Request)
    caller: Caller = context.request.state.caller
    return caller
