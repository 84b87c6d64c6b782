"""Slides of an OpenDocument presentation, and where their shapes stand."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pincite.loaders.office.reading_order import Rectangle
from pincite.loaders.office.running_text import Item
from pincite.loaders.xml_events import Attributes

_LENGTH = re.compile(r"(-?[0-9.]+)(cm|mm|in|pt|pc|px)?")
_UNITS = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 2.54 / 72, "pc": 2.54 / 6, "px": 2.54 / 96}


@dataclass(slots=True)
class SlideShape:
    """A shape on a slide; `kind` is what the presentation calls it (`title`, `outline`)."""

    kind: str
    box: Rectangle | None
    items: list[Item] = field(default_factory=list)


@dataclass(slots=True)
class OpenSlide:
    """A slide, as it is read."""

    is_hidden: bool = False
    shapes: list[SlideShape] = field(default_factory=list)
    notes: list[Item] = field(default_factory=list)


def box_of(attributes: Attributes) -> Rectangle | None:
    """Where a shape stands on its slide, in centimetres; None where the file does not say."""
    values = [_length(attributes.get(f"svg:{key}")) for key in ("x", "y", "width", "height")]
    left, top, width, height = values
    if left is None or top is None or width is None or height is None:
        return None
    return Rectangle(left, top, left + width, top + height)


def _length(value: str | None) -> float | None:
    """In centimetres."""
    found = _LENGTH.fullmatch(value or "")
    if found is None:
        return None
    try:
        return float(found.group(1)) * _UNITS.get(found.group(2) or "cm", 1.0)
    except ValueError:
        return None
