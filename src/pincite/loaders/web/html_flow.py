"""What an element of a web page makes of the words in it, and the blocks they become."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, NamedTuple

from pincite.loaders.raised import Lean
from pincite.records import BlockKind

if TYPE_CHECKING:
    from pincite.loaders.web.html_tables import Table
    from pincite.loaders.web.html_tree import Element

Words = tuple[str, int, int]
"""A stretch of text and where it stands in the source: each code point for one of the source, the
last for all that is left; -1 twice for what is put in between."""
BETWEEN = -1


class Shown(IntEnum):
    """Whether a reader sees the words of an element."""

    YES = 0
    NEVER = 1
    """No words of the page, such as a script."""
    HIDDEN = 2


@dataclass(slots=True)
class Run:
    """Words of one element, or, without one, what is put between others."""

    element: Element | None
    words: list[Words]
    repeats: bool = False

    def text(self) -> str:
        """Its words as they are shown."""
        return "".join(words for words, _, _ in self.words)


@dataclass(slots=True)
class PageBlock:
    """A block before it has its place in the text."""

    kind: BlockKind
    runs: list[Run]
    level: int = 0
    group: int = 0
    marker: str = ""


@dataclass(slots=True)
class Item:
    """A list item, a term or its description, and the marker that stands before its first words."""

    name: str
    marker: str = ""


class Flow(NamedTuple):
    """What holds for the words inside an element; elements that change nothing share one.

    A named tuple, as one is made for every item and cell, and a frozen dataclass takes three times
    as long to be made from another.
    """

    sink: list[PageBlock]
    """Where its blocks go."""
    kind: BlockKind = BlockKind.PARAGRAPH
    level: int = 0
    """Of a heading; else how deep in lists."""
    group: int = 0
    shown: Shown = Shown.YES
    is_preformatted: bool = False
    item: Item | None = None
    table: Table | None = None
    tables: int = 0
    """How many tables it is inside of."""
    lean: Lean = Lean.LEVEL
    faint: frozenset[str] = frozenset()
    """The properties that hide its words, where an element within may undo each of them."""
