"""What the server says no to, without a word of what the caller may not see."""

from __future__ import annotations

from pincite.errors import PinciteError


class ServerError(PinciteError):
    """What is asked for is not given; `status` is that of the reply over HTTP."""

    status = 500
    title = "The server failed"


class NotThere(ServerError):
    """No such collection, document or place, or none that the caller may see."""

    status = 404
    title = "Not there"


class NotKnown(ServerError):
    """Whoever calls did not say who they are, or not so that it can be believed."""

    status = 401
    title = "Not known"


class NotAllowed(ServerError):
    """The caller lacks a right; the message names it."""

    status = 403
    title = "Not allowed"


class NotAsked(ServerError):
    """What was sent cannot be taken: too long, empty, not of this kind."""

    status = 422
    title = "Cannot be taken"


class Changed(ServerError):
    """The file is not the one that was indexed any more."""

    status = 409
    title = "The document has changed"


class NotReady(ServerError):
    """The collection is being indexed for the first time, or could not be."""

    status = 503
    title = "Not ready"


class TooBusy(ServerError):
    """As many are waiting as may wait."""

    status = 503
    title = "Too busy"


class TookTooLong(ServerError):
    """The time that a request may take is over."""

    status = 504
    title = "Took too long"


class NotKept(ServerError):
    """The server keeps no log."""

    status = 409
    title = "Not kept"
