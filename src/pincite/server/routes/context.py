"""What every address needs: who calls, what serves them, and threads to do it in."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from pincite.server.access import Caller
from pincite.server.compat.remembering import Remembered
from pincite.server.recognised import recognised
from pincite.server.service import Service
from pincite.server.settings import Limits
from pincite.server.working import Workers


async def service_of(request: Request) -> Service:
    """The service of the application."""
    service: Service = request.app.state.service
    return service


async def workers_of(request: Request) -> Workers:
    """The threads of the application."""
    workers: Workers = request.app.state.workers
    return workers


async def encoding_of(request: Request) -> Workers:
    """The thread of the application that makes vectors of texts."""
    encoding: Workers = request.app.state.encoding
    return encoding


def remembered_of(request: Request) -> Remembered:
    """What was said in earlier responses."""
    remembered: Remembered = request.app.state.remembered
    return remembered


async def readers_of(request: Request) -> Workers:
    """The threads for what takes no long time."""
    readers: Workers = request.app.state.readers
    return readers


async def apart_of(request: Request) -> Workers:
    """The threads that wait for processes which look at files."""
    apart: Workers = request.app.state.apart
    return apart


async def sent_of(request: Request) -> Workers:
    """The threads for documents that come with a question."""
    sent: Workers = request.app.state.sent
    return sent


async def limits_of(request: Request) -> Limits:
    """How much a request may send and take."""
    limits: Limits = request.app.state.settings.limits
    return limits


async def caller_of(request: Request) -> Caller:
    """Who calls; `NotKnown`."""
    return recognised(request, request.app.state.recognising)


TheService = Annotated[Service, Depends(service_of)]
TheWorkers = Annotated[Workers, Depends(workers_of)]
TheReaders = Annotated[Workers, Depends(readers_of)]
TheCaller = Annotated[Caller, Depends(caller_of)]
TheRemembered = Annotated[Remembered, Depends(remembered_of)]
TheApart = Annotated[Workers, Depends(apart_of)]
TheSent = Annotated[Workers, Depends(sent_of)]
TheLimits = Annotated[Limits, Depends(limits_of)]
TheEncoding = Annotated[Workers, Depends(encoding_of)]
