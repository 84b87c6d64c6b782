"""What can be wrong with the files that say who may see what."""

from __future__ import annotations

from pathlib import Path

from pincite.errors import PinciteError


class AccessError(PinciteError):
    """Something about tokens or groups."""


class AccessFileUnusable(AccessError):
    """A file of tokens or groups that cannot be read or written, or that others could change.

    Nobody is let in by it until it is put right.
    """

    def __init__(self, path: Path, *, detail: str) -> None:
        self.path = path
        self.detail = detail
        super().__init__(f"{path} cannot be used: {detail}")


class TokenExists(AccessError):
    """A name that a token has already."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(
            f"{name!r} has a token already: revoke it first, or give this one another name"
        )


class TokenNotFound(AccessError):
    """A name that no token has, or only one that was revoked."""

    def __init__(self, name: str, *, known: tuple[str, ...]) -> None:
        self.name = name
        self.known = known
        there = (
            f"those that hold are of {', '.join(known)}" if known else "there is none that holds"
        )
        super().__init__(f"no token is called {name!r}: {there}")
