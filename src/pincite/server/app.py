"""The ASGI application: the service behind addresses."""

from __future__ import annotations

import importlib.util
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException

from pincite.auditing.log import AuditLog
from pincite.auditing.private import make_private
from pincite.errors import PinciteError
from pincite.server import problems, translating
from pincite.server.access import Recognising
from pincite.server.collections import Collections
from pincite.server.compat.remembering import Remembered
from pincite.server.described import components
from pincite.server.guard import Guard
from pincite.server.journal import Journal
from pincite.server.metrics import Metrics
from pincite.server.routes import (
    agents,
    anthropic,
    asking,
    documents,
    health,
    keeping,
    me,
    openai,
    page,
)
from pincite.server.service import Service
from pincite.server.settings import ServerSettings
from pincite.server.working import Workers
from pincite.store.using import use
from pincite.version import __version__

_HAS_MCP = importlib.util.find_spec("mcp") is not None
"""Whether the extra `mcp` is installed."""

AUDIT = "audit"
"""The directory of the log in that of the server's state."""
_READERS = 4
"""Threads for what takes no long time: it does not wait behind questions."""


def create_app(settings: ServerSettings) -> FastAPI:
    """The application that serves these folders.

    The indexes are opened when it starts, if they are not yet. Raises `AccessFileUnusable` where
    what says who may see what cannot be used.
    """
    limits = settings.limits
    recognising = Recognising(tokens=settings.tokens, groups=settings.groups, proxy=settings.proxy)
    recognising.check()
    collections = Collections(
        settings.folders,
        lexical=settings.lexical,
        reading=settings.reading,
        watch=settings.watch,
        first_seconds=limits.first_seconds,
    )
    journal = None
    if settings.audit:
        journal = Journal(
            AuditLog(settings.state / AUDIT, sync_seconds=settings.audit_sync_seconds),
            keep_documents=settings.keep_documents,
            lexical=settings.lexical,
        )
    workers = Workers(at_once=limits.at_once, waiting=limits.waiting, seconds=limits.seconds)
    readers = Workers(at_once=_READERS, waiting=limits.waiting, seconds=limits.seconds)
    # Hundreds of texts take a processor for seconds: questions do not wait behind them.
    encoding = Workers(at_once=1, waiting=limits.waiting, seconds=limits.seconds)
    apart = Workers(at_once=limits.at_once, waiting=limits.waiting, seconds=limits.seconds)
    # Each reads in several processes: half of the machine is left to everybody else.
    sent = Workers(
        at_once=max(1, limits.at_once // 2), waiting=limits.waiting, seconds=limits.seconds
    )
    # What is slow of one kind holds up nothing of another.
    pools = {"ask": workers, "read": readers, "encode": encoding, "apart": apart, "sent": sent}
    metrics = _metrics(pools)

    service = Service(collections, journal=journal, limits=limits, reading=settings.reading)
    speaking = agents.Agents(service, workers, apart, body_bytes=limits.body_bytes)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        collections.open()
        collections.make_ahead(recognising.known())
        let_go = _used(settings)
        try:
            yield
        finally:
            await speaking.close()
            for pool in pools.values():
                pool.close()
            collections.close()
            if journal is not None:
                journal.close()
            let_go()

    app = FastAPI(
        title="Pincite",
        version=__version__,
        summary="Answers from documents: the exact words, the exact place, or an honest refusal.",
        # Their pages load programs from other hosts.
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.settings = settings
    app.state.collections = collections
    app.state.recognising = recognising
    app.state.workers = workers
    app.state.readers = readers
    app.state.encoding = encoding
    app.state.apart = apart
    app.state.sent = sent
    app.state.pools = pools
    app.state.metrics = metrics
    app.state.service = service
    app.state.agents = speaking
    app.state.remembered = Remembered()
    app.add_exception_handler(PinciteError, problems.on_pincite_error)
    app.add_exception_handler(HTTPException, translating.on_http_error)
    app.add_exception_handler(RequestValidationError, problems.on_invalid)
    for router in (
        asking.router,
        documents.router,
        keeping.router,
        health.router,
        me.router,
        page.router,
        openai.router,
        anthropic.router,
    ):
        app.include_router(router)
    if _HAS_MCP:
        app.include_router(agents.router)
    hosts = ("localhost", settings.host, *settings.allowed_hosts)
    app.add_middleware(Guard, hosts=hosts, limits=limits, recognising=recognising, metrics=metrics)
    app.openapi = lambda: _openapi(app)  # type: ignore[method-assign]
    return app


def _used(settings: ServerSettings) -> Callable[[], None]:
    """Note that the state is used until what is returned is called."""
    if not settings.audit:
        return lambda: None
    # Where it cannot be made, the first answer that is to be written down says so.
    with suppress(OSError):
        make_private(settings.state)
    return use(settings.state)


def _metrics(pools: dict[str, Workers]) -> Metrics:
    metrics = Metrics()
    for name, pool in pools.items():
        metrics.watch(
            f"pincite_{name}_work_held",
            "Requests that are worked on or wait",
            lambda pool=pool: pool.held,  # type: ignore[misc]
        )
        metrics.watch(
            f"pincite_{name}_work_abandoned",
            "Threads at work on what nobody waits for any more",
            lambda pool=pool: pool.abandoned,  # type: ignore[misc]
        )
    return metrics


def _openapi(app: FastAPI) -> dict[str, Any]:
    if app.openapi_schema is None:
        described = get_openapi(
            title=app.title,
            version=app.version,
            openapi_version=app.openapi_version,
            summary=app.summary,
            routes=app.routes,
        )
        described["components"]["schemas"] |= components()
        bearer = {
            "type": "http",
            "scheme": "bearer",
            "description": "As `pincite token add` tells.",
        }
        described["components"]["securitySchemes"] = {"token": bearer}
        # None is needed where a server has no tokens.
        described["security"] = [{"token": []}, {}]
        app.openapi_schema = described
    return app.openapi_schema
