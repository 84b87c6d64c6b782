"""What is written on a page and not seen by a reader."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from pincite.loaders.pdf.pdf_covers import Cover, covers_of
from pincite.loaders.pdf.pdf_drawing import Pixels, drawn
from pincite.loaders.pdf.pdf_ink import Bools, Floats, Frame, Ink
from pincite.loaders.pdf.pdf_pictures import picture_share

_SEEN = 16
"""Of 255: what differs less from its ground is not seen."""
_SMALLEST = 0.9
"""Points; print lower than this is not seen."""
_MARGIN = 16
"""Pixels drawn above and below what is looked at."""
_DARK = 100
"""Of 255 in each colour: what is opaque and no lighter was put over words to hide them."""


def seen_of(page: Any, frame: Frame, ink: Ink) -> tuple[Ink, Counter[str], bool]:
    """What of `ink` a reader sees; how much is left out, by reason; whether it lies under a scan.

    What lies under a scan is invisible, and kept: the reader sees the same words on the picture.
    """
    hidden: Counter[str] = Counter()
    left, top, right, bottom = ink.boxes.T
    outside = (right < 0) | (left > frame.width) | (bottom < 0) | (top > frame.height)
    ink = _without(ink, outside, "outside the page", hidden)
    left, top, right, bottom = ink.boxes.T
    tiny = np.maximum(right - left, bottom - top) < _SMALLEST
    ink = _without(ink, tiny, "too small to be seen", hidden)
    count = int(ink.styles.is_invisible.sum())
    is_under_a_scan = (
        bool(count) and 2 * count > len(ink.places) and (picture_share(page, frame) > 0.5)
    )
    if not is_under_a_scan:
        ink = _without(ink, ink.styles.is_invisible, "invisible", hidden)
    covers = covers_of(page, frame, ink)
    if not covers and not ink.styles.is_pale.any():
        return ink, hidden, is_under_a_scan
    looked_at = ink.styles.is_pale.copy()
    for cover in covers:
        looked_at[cover.below] = True
    picture = _picture_of(page, frame, ink.boxes[looked_at])
    if picture is not None:
        is_covered = np.zeros(len(ink.places), dtype=np.bool_)
        for cover in covers:
            is_covered |= _is_covered(picture, ink.boxes, cover)
        blank = _is_blank(picture, ink.boxes, ink.styles.is_pale & ~is_covered)
        both = ink.chosen(~is_covered)
        hidden["covered by something drawn over it"] += int(is_covered.sum())
        ink = _without(both, blank[~is_covered], "white on white", hidden)
    return ink, +hidden, is_under_a_scan


def _without(ink: Ink, hidden: Bools, reason: str, counts: Counter[str]) -> Ink:
    count = int(hidden.sum())
    if not count:
        return ink
    counts[reason] += count
    return ink.chosen(~hidden)


@dataclass(frozen=True, slots=True)
class _Picture:
    """A strip of a page as it is drawn."""

    pixels: Pixels
    top: int
    """The first row of pixels of it, counted through the page."""
    scale: float
    """Pixels to a point."""

    def part(self, x0: int, y0: int, x1: int, y1: int) -> Any:
        """What is between these edges, in pixels of the page; one pixel at least."""
        x1, y1 = max(x1, x0 + 1), max(y1, y0 + 1)
        rows = slice(max(y0 - self.top, 0), max(y1 - self.top, 0))
        return self.pixels[rows, max(x0, 0) : max(x1, 0)].astype(np.int16)


def _picture_of(page: Any, frame: Frame, boxes: Floats) -> _Picture | None:
    """The strip of the page that `boxes` are in: a line or two, mostly, where any is looked at."""
    # Twice as fine as points: letters of seven are told from their ground.
    scale = min(2.0, 1_600 / max(frame.width, frame.height))
    width, height = round(frame.width * scale), round(frame.height * scale)
    top = max(0, int(boxes[:, 1].min() * scale) - _MARGIN)
    bottom = min(height, int(boxes[:, 3].max() * scale) + _MARGIN)
    pixels = drawn(page, width, height, (top, bottom))
    return None if pixels is None else _Picture(pixels, top, scale)


def _is_blank(picture: _Picture, boxes: Floats, chosen: Bools) -> Bools:
    """Which of the chosen characters leave nothing to be seen when the page is drawn."""
    blank = np.zeros(len(boxes), dtype=np.bool_)
    scaled = np.rint(boxes * picture.scale).astype(np.int64)
    for index in np.flatnonzero(chosen).tolist():
        part = picture.part(*scaled[index].tolist())
        blank[index] = part.size == 0 or int((part.max((0, 1)) - part.min((0, 1))).max()) < _SEEN
    return blank


def _is_covered(picture: _Picture, boxes: Floats, cover: Cover) -> Bools:
    """Which of the characters below `cover` it hides, as the page is drawn.

    Nothing but it is seen where they are. Something dark and opaque may have a caption.
    """
    found = np.zeros(len(boxes), dtype=np.bool_)
    # Its edges are blurred.
    left, top, right, bottom = cover.box
    inner = np.array([left, top, right, bottom]) * picture.scale + (1, 1, -1, -1)
    for index in cover.below.tolist():
        box = boxes[index] * picture.scale
        x0, y0 = np.rint(np.maximum(box[:2], inner[:2])).astype(np.int64).tolist()
        x1, y1 = np.rint(np.minimum(box[2:], inner[2:])).astype(np.int64).tolist()
        part = picture.part(x0, y0, x1, y1)
        if not part.size or int((part.max((0, 1)) - part.min((0, 1))).max()) < _SEEN:
            found[index] = True
        elif cover.is_opaque:
            found[index] = int(np.median(part, axis=(0, 1)).max()) < _DARK
    return found
