"""Words of a page that a line is drawn through: they hold no more."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from pincite.loaders.pdf.pdf_calls import read_colours
from pincite.loaders.pdf.pdf_ink import Bools, Floats, Frame, Ink
from pincite.loaders.pdf.pdf_styles import PALE

_HIGHEST, _LOWEST = 0.36, 0.72
"""Of the height of a letter's box, from its top: between these a line goes through it. One below
words is at 0.8 or more."""
_FROM_LINE, _TO_LINE = 0.08, 0.5
"""Of the size of the font, above the line that letters stand on: the same, where a font says
wrongly how high its letters are."""
_THICKEST = 0.15
"""Of the height."""
_SHORTEST = 0.35
"""Of the height: a shorter line is a stroke of a letter."""
_BEYOND = 0.5
"""Of the height: so far a line reaches beyond the words it strikes, most. What goes further is one
of a grid, or leads from one word to another."""
_FILLED = 0.6
"""Of its length, at least, that the words it strikes take up, with the spaces between them."""
_WIDEST_SPACE = 1.0
"""Of the height."""
_MOST_LINES = 3_000
_MOST_ANNOTATIONS = 1_000
_MOST_QUADS = 1_000

Line = tuple[int, tuple[float, float, float, float]]
"""The handle of a thin path, and left, bottom, right, top on the page."""


def struck_of(page: Any, text_page: Any, frame: Frame, ink: Ink, lines: Sequence[Line]) -> Bools:
    """Which characters of `ink` a line goes through, or are marked as struck out."""
    found = np.zeros(len(ink.places), dtype=np.bool_)
    left, top, right, bottom = ink.boxes.T
    across, down = (left + right) / 2, (top + bottom) / 2
    for box in _marked(page, frame):
        found |= (across > box[0]) & (across < box[2]) & (down > box[1]) & (down < box[3])
    if not lines or len(lines) > _MOST_LINES:
        return found
    heights = np.maximum(bottom - top, 0.1)
    rows = np.array([(box[0], box[3], box[2], box[1]) for _, box in lines], dtype=np.float32)
    for (handle, _), (x0, y0, x1, y1) in zip(lines, frame.shown(rows).tolist(), strict=True):
        level = ((y0 + y1) / 2 - top) / heights
        is_through = (level > _HIGHEST) & (level < _LOWEST) & (across > x0) & (across < x1)
        is_through &= (y1 - y0 < _THICKEST * heights) & (x1 - x0 > _SHORTEST * heights)
        chosen = np.flatnonzero(is_through)
        if not len(chosen) or not _fits(ink.boxes[chosen], x0, x1) or not _is_seen(handle):
            continue
        first = int(chosen[0])
        rise = _foot(text_page, frame, int(ink.places[first])) - (y0 + y1) / 2
        if _FROM_LINE < rise / max(float(ink.styles.size[first]), 0.1) < _TO_LINE:
            found[chosen] = True
    return found


def _foot(text_page: Any, frame: Frame, place: int) -> float:
    """How far down the page as shown the line is that a character stands on."""
    x, y = ctypes.c_double(), ctypes.c_double()
    pdfium.FPDFText_GetCharOrigin(text_page, place, x, y)
    foot = np.array([(x.value, y.value, x.value, y.value)], dtype=np.float32)
    return float(frame.shown(foot)[0, 1])


def _fits(boxes: Floats, x0: float, x1: float) -> bool:
    """Whether a line from `x0` to `x1` is as long as the words in `boxes`."""
    boxes = boxes[boxes[:, 0].argsort(kind="stable")]
    height = float((boxes[:, 3] - boxes[:, 1]).max())
    first, last = float(boxes[0, 0]), float(boxes[:, 2].max())
    if first - x0 > _BEYOND * height or x1 - last > _BEYOND * height:
        return False
    # A line that a grid has begins or ends within no letter.
    if x0 - first > _BEYOND * height or last - x1 > _BEYOND * height:
        return False
    gaps = np.maximum(boxes[1:, 0] - np.maximum.accumulate(boxes[:, 2])[:-1], 0)
    empty = float(gaps[gaps > _WIDEST_SPACE * height].sum())
    return last - first - empty > _FILLED * (x1 - x0)


def _is_seen(handle: int) -> bool:
    mode, is_stroked = ctypes.c_int(), ctypes.c_int()
    pdfium.FPDFPath_GetDrawMode(ctypes.cast(handle, pdfium.FPDF_PAGEOBJECT), mode, is_stroked)
    if not mode.value and not is_stroked.value:
        return False
    colour = read_colours([handle], of_strokes=not mode.value)[0]
    return bool(colour[3] > 0 and colour[:3].min() < PALE)


def _marked(page: Any, frame: Frame) -> list[list[float]]:
    """Left, top, right, bottom as shown of what annotations strike out."""
    found: list[tuple[float, float, float, float]] = []
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if pdfium.FPDFAnnot_GetSubtype(annotation) == pdfium.FPDF_ANNOT_STRIKEOUT and not (
            pdfium.FPDFAnnot_GetFlags(annotation) & pdfium.FPDF_ANNOT_FLAG_HIDDEN
        ):
            count = min(pdfium.FPDFAnnot_CountAttachmentPoints(annotation), _MOST_QUADS)
            for number in range(count):
                quad = pdfium.FS_QUADPOINTSF()
                if pdfium.FPDFAnnot_GetAttachmentPoints(annotation, number, quad):
                    across = (quad.x1, quad.x2, quad.x3, quad.x4)
                    down = (quad.y1, quad.y2, quad.y3, quad.y4)
                    found.append((min(across), max(down), max(across), min(down)))
        pdfium.FPDFPage_CloseAnnot(annotation)
    if not found:
        return []
    boxes: list[list[float]] = frame.shown(np.array(found, dtype=np.float32)).tolist()
    return boxes
