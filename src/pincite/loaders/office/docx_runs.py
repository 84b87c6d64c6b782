"""Runs of a Word document: words that are printed alike, and whether they are to be seen."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.loaders.office.docx_styles import LEANS, Style, Styles, is_on, is_shade, number_of
from pincite.loaders.raised import Lean
from pincite.loaders.xml_events import Attributes

_SMALLEST_SIZE = 2
"""Half points; what is printed no larger is not to be seen."""


@dataclass(slots=True)
class Run:
    """What the file says of a run itself; None leaves it to the styles."""

    style: str = ""
    hides: bool | None = None
    is_bold: bool | None = None
    is_white: bool = False
    is_shaded: bool = False
    lean: Lean | None = None
    is_struck: bool | None = None

    def set_property(self, name: str, attributes: Attributes) -> None:
        """Take in an element of the run's properties."""
        value = attributes.get("w:val", "")
        match name:
            case "w:vanish":
                self.hides = is_on(attributes)
            case "w:strike" | "w:dstrike":
                self.is_struck = bool(self.is_struck) or is_on(attributes)
            case "w:b":
                self.is_bold = is_on(attributes)
            case "w:rStyle":
                self.style = value
            case "w:vertAlign":
                self.lean = LEANS.get(value, Lean.LEVEL)
            case "w:position":
                rise = number_of(value.removeprefix("-"))
                if rise:
                    self.lean = Lean.LOWERED if value.startswith("-") else Lean.RAISED
            case "w:color":
                self.is_white = value.lower() == "ffffff"
            case "w:highlight":
                self.is_shaded = value not in ("none", "white")
            case "w:shd":
                self.is_shaded |= is_shade(attributes)
            case "w:sz":
                if 0 < number_of(value) <= _SMALLEST_SIZE:
                    self.hides = True

    def strikes(self, styles: Styles, paragraph: Style) -> bool:
        """Whether the words are struck through in a paragraph of that style."""
        own = self.is_struck
        if own is None and self.style:
            own = styles.of(self.style).is_struck
        return bool(paragraph.is_struck if own is None else own)

    def leans(self, styles: Styles, paragraph: Style) -> Lean:
        """How high the words stand in a paragraph of that style."""
        own = self.lean
        if own is None and self.style:
            own = styles.of(self.style).lean
        return (paragraph.lean if own is None else own) or Lean.LEVEL

    def prints_bold(self, styles: Styles, paragraph: Style) -> bool:
        """Whether the words are printed bold in a paragraph of that style."""
        own = self.is_bold
        if own is None and self.style:
            own = styles.of(self.style).is_bold
        return bool(paragraph.is_bold if own is None else own)

    def is_unseen(self, styles: Styles, paragraph: Style, is_plain_ground: bool) -> bool:
        """Whether the words are hidden, or white on the white of the page."""
        hides = self.hides
        if hides is None and self.style:
            hides = styles.of(self.style).is_hidden
        if hides is None:
            hides = paragraph.is_hidden
        if hides:
            return True
        is_shaded = self.is_shaded or bool(paragraph.is_shaded)
        is_shaded |= bool(self.style) and bool(styles.of(self.style).is_shaded)
        return self.is_white and is_plain_ground and not is_shaded
