"""The ASGI application: the service behind addresses."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from pincite.auditing.log import AuditLog
from pincite.errors import PinciteError
from pincite.server import problems
from pincite.server.access import Recognising
from pincite.server.collections import Collections
from pincite.server.compat.remembering import Remembered
from pincite.server.routes import anthropic, asking, health, me, openai, page
from pincite.server.service import Service
from pincite.server.settings import ServerSettings
from pincite.server.working import Workers
from pincite.version import __version__

AUDIT = "audit"
"""The directory of the log in that of the server's state."""


def create_app(settings: ServerSettings) -> FastAPI:
    """The application that serves these folders.

    The indexes are opened when it starts; raises then what `Index.open` does. `AccessFileUnusable`
    where what says who may see what cannot be used.
    """
    limits = settings.limits
    recognising = Recognising(tokens=settings.tokens, groups=settings.groups, proxy=settings.proxy)
    recognising.check()
    collections = Collections(
        settings.folders,
        lexical=settings.lexical,
        reading=settings.reading,
        watch=settings.watch,
    )
    workers = Workers(at_once=limits.at_once, waiting=limits.waiting, seconds=limits.seconds)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        collections.open()
        try:
            yield
        finally:
            workers.close()
            collections.close()

    app = FastAPI(
        title="Pincite",
        version=__version__,
        summary="Answers from documents: the exact words, the exact place, or an honest refusal.",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.settings = settings
    app.state.collections = collections
    app.state.recognising = recognising
    app.state.workers = workers
    app.state.service = Service(
        collections,
        log=AuditLog(settings.state / AUDIT) if settings.audit else None,
        keep_documents=settings.keep_documents,
        limits=limits,
        lexical=settings.lexical,
    )
    app.state.remembered = Remembered()
    app.add_exception_handler(PinciteError, problems.on_pincite_error)
    app.add_exception_handler(HTTPException, problems.on_http_error)
    app.add_exception_handler(RequestValidationError, problems.on_invalid)
    for router in (
        asking.router,
        health.router,
        me.router,
        page.router,
        openai.router,
        anthropic.router,
    ):
        app.include_router(router)
    return app
