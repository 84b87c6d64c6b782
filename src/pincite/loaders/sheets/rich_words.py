"""Words of one cell of a workbook, which may be printed in several ways."""

from __future__ import annotations

from dataclasses import dataclass, field

from pincite.loaders.raised import Lean, beside
from pincite.loaders.xml_events import Attributes

_LEANS = {"superscript": Lean.RAISED, "subscript": Lean.LOWERED}


@dataclass(slots=True)
class RichWords:
    """The pieces read so far; raised and lowered digits are none of a number beside them."""

    _pieces: list[str] = field(default_factory=list)
    _last: Lean = Lean.LEVEL
    _lean: Lean = Lean.LEVEL
    _is_struck: bool = False
    struck: int = 0
    """Pieces that are struck through, of all cells."""

    def start(self, name: str, attributes: Attributes) -> None:
        """Take in an element of a string."""
        if name == "r":
            self._lean, self._is_struck = Lean.LEVEL, False
        elif name == "strike":
            self._is_struck = attributes.get("val", "1").lower() in ("1", "true", "on")
        elif name == "vertAlign":
            self._lean = _LEANS.get(attributes.get("val", ""), Lean.LEVEL)

    def add(self, words: str) -> None:
        """Take more words."""
        if self._is_struck:
            self.struck += 1
            return
        if self._pieces and (self._lean or self._last):
            self._pieces[-1], words = beside(self._pieces, self._last, words, self._lean)
        self._last = self._lean
        self._pieces.append(words)

    def taken(self) -> str:
        """All words; what comes next is another cell's."""
        words = "".join(self._pieces)
        self._pieces = []
        self._last = self._lean = Lean.LEVEL
        self._is_struck = False
        return words
