"""What comes of verifying a citation, as records; `pincite.verifying` makes them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from pincite.places import Place
from pincite.records import CitationWarning, Lines, Span


class Status(StrEnum):
    """What has become of a citation."""

    VALID = "valid"
    """The same words, whole, in the place that is cited."""
    MOVED = "moved"
    """The same words, whole, in another place of the document, which is given."""
    CHANGED = "changed"
    """The document says something else there now, which is given; or the quote leaves out words of
    its sentence that limit or deny it."""
    GONE = "gone"
    """The document is not there any more, or neither the words nor their like are in it."""
    UNREADABLE = "unreadable"
    """The document is there and cannot be read."""
    NOT_CHECKABLE = "not_checkable"
    """The record does not say enough, or its document may not be looked at."""


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at."""

    name: str
    """`file`, `extractor`, `text`, `position`, `quote`, `context`, `complete`, `place`, `stated`,
    `warnings`;
    `docs/citation-format.md` says when each passes."""
    passed: bool | None
    """None where it could not be looked at."""
    found: str = ""
    """What was found instead; empty where it passed."""


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of the words that is the same, taken out, or put in."""

    kind: str
    """`same`, `removed` or `added`."""
    words: str


@dataclass(frozen=True, slots=True)
class Verification:
    """Whether a citation holds, and why."""

    status: Status
    checks: tuple[Check, ...]
    path: str
    """Of the document, as cited."""
    quote: str
    reason: str
    """In a sentence."""
    position: Span | None = None
    """Where the words stand now, or what is said in their place."""
    lines: Lines | None = None
    place: Place | None = None
    """The same in the file's own units."""
    now: str = ""
    """What the document says in their place; only of a citation that changed."""
    changes: tuple[Change, ...] = ()
    """From the quote to `now`."""
    warnings: tuple[CitationWarning, ...] = ()
    """What should be known of the words, as the document is now; only of words that it has."""
    not_compared: tuple[str, ...] = ()
    """What the citation states, and nothing was compared with; only of words that it has."""
