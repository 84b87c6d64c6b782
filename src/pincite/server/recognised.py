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
        raise NotKnown(
            # The same words for none and for a wrong one: who guesses learns nothing.
            "this needs a token that is known, not revoked and not expired: send it as "
            "`Authorization: Bearer TOKEN`"
        )
    return caller
