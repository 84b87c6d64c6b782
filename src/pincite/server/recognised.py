"""Who sent a request, or that nobody known did."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from pincite.server.access import Caller, Recognising
from pincite.server.errors import NotKnown


def recognised(connection: HTTPConnection, recognising: Recognising) -> Caller:
    """Who calls; `NotKnown`, and `AccessFileUnusable` where that cannot be told."""
    peer = connection.client.host if connection.client is not None else ""
    caller = recognising.caller(connection.headers.items(), peer)
    if caller is None:
        raise NotKnown("this needs a token: send it as `Authorization: Bearer TOKEN`")
    return caller
