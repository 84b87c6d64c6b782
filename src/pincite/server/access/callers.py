"""Somebody who asks: a name, rights, and the documents that are there for them."""

from __future__ import annotations

import functools
import operator
from dataclasses import dataclass
from enum import StrEnum

from pincite.visible import EVERYTHING, Visible, check_pattern

EVERY_COLLECTION = "*"


class Right(StrEnum):
    """What somebody may do with the documents that they see."""

    ASK = "ask"
    """Ask, search, verify, and list documents: get words quoted."""
    READ = "read"
    """Get whole documents: their text, and the original files."""
    INDEX = "index"
    """Bring collections up to date, and see what could not be read."""
    ADMIN = "admin"
    """See what others asked, and the state of the server."""


@dataclass(frozen=True, slots=True)
class DocumentRule:
    """Documents that are there for somebody: those at `paths`, save those that `but` names.

    `collection` is a name, or `*` for every one; the rest are patterns as `pincite.visible` takes
    them.
    """

    collection: str = EVERY_COLLECTION
    paths: tuple[str, ...] = (EVERYTHING,)
    but: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.collection:
            raise ValueError("a rule names no collection: give a name, or * for every one")
        if not self.paths:
            raise ValueError("a rule names no paths: leave them out to mean all")
        for pattern in (*self.paths, *self.but):
            check_pattern(pattern)


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who was recognised. A document is there for them where one of the rules gives it.

    What a rule leaves out another may give, in whatever order they stand.
    """

    name: str
    rights: frozenset[Right] = frozenset()
    rules: tuple[DocumentRule, ...] = ()

    def may(self, right: Right) -> bool:
        """Whether they have this right; no right includes another."""
        return right in self.rights

    def visible(self, collection: str) -> Visible | None:
        """Which documents of a collection are there for them; None where the collection is not."""
        own = [
            Visible(rule.paths, rule.but)
            for rule in self.rules
            if rule.collection in (EVERY_COLLECTION, collection)
        ]
        return functools.reduce(operator.or_, own) if own else None


LOCAL = Caller("local", frozenset(Right), (DocumentRule(),))
"""Who asks from the same machine where no tokens are set up: everything is theirs."""
