"""What a loader of one format gives back, and what it raises."""

from __future__ import annotations

from dataclasses import dataclass, field

from pincite.places import Mark
from pincite.records import Block


@dataclass(frozen=True, slots=True)
class Extracted:
    """The text of a file, its structure, and where each part of it stands in the file."""

    text: str
    blocks: tuple[Block, ...]
    """In reading order, without overlaps; between two of them is only white space."""
    title: str = ""
    """As the file names itself; empty where it does not."""
    marks: tuple[Mark, ...] = ()
    notes: tuple[str, ...] = ()
    """What a person should know was left out or may be wrong, each with what to do about it."""


@dataclass(frozen=True, slots=True)
class LoadSettings:
    """What reading files may depend on besides the files."""

    passwords: tuple[str, ...] = field(default=(), repr=False)
    """Tried in this order on files that ask for one."""
    recognise: bool = False
    """Read pages that are pictures by character recognition."""
    depth: int = 0
    """How many archives or messages the file at hand is inside of."""


DEFAULT = LoadSettings()


class UnreadableContent(Exception):
    """The content of a file that a loader cannot read; the message says why and what to do."""
