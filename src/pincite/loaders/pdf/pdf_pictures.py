"""Pictures on a page, whose words are no text of it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from pincite.loaders.pdf.pdf_ink import Floats, Frame

_MOST_OBJECTS = 2_000
"""A page of more is a drawing: its first ones tell."""
_LARGE = 0.08
"""Of the page: what is smaller is a logo, a photograph in the margin, an ornament."""


def picture_share(page: Any, frame: Frame) -> float:
    """How much of the page its largest picture covers."""
    kinds = frozenset((pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_FORM))
    return max((_area(box) for box in _boxes(page, frame, kinds)), default=0.0) / _size(frame)


def holds_picture(page: Any, frame: Frame, letters: Floats) -> bool:
    """Whether a large picture is on the page that is no ground for the letters printed on it.

    `letters` are the boxes of what is printed: left, top, right, bottom, as shown.
    """
    across = (letters[:, 0] + letters[:, 2]) / 2
    down = (letters[:, 1] + letters[:, 3]) / 2
    for box in _boxes(page, frame, frozenset((pdfium.FPDF_PAGEOBJ_IMAGE,))):
        if _area(box) < _LARGE * _size(frame):
            continue
        left, top, right, bottom = frame.shown(np.array([box], dtype=np.float32))[0]
        on_it = (across > left) & (across < right) & (down > top) & (down < bottom)
        if not on_it.any():
            return True
    return False


_Box = tuple[float, float, float, float]


def _boxes(page: Any, frame: Frame, kinds: frozenset[int]) -> Iterator[_Box]:
    """Left, top, right, bottom (y upwards) of what is shown of each object of these kinds."""
    sides = [ctypes.c_float() for _ in range(4)]
    for index in range(min(pdfium.FPDFPage_CountObjects(page), _MOST_OBJECTS)):
        item = pdfium.FPDFPage_GetObject(page, index)
        if pdfium.FPDFPageObj_GetType(item) not in kinds:
            continue
        if pdfium.FPDFPageObj_GetBounds(item, *sides):
            left, bottom, right, top = (side.value for side in sides)
            left, right = max(left, frame.left), min(right, frame.right)
            bottom, top = max(bottom, frame.bottom), min(top, frame.top)
            if left < right and bottom < top:
                yield left, top, right, bottom


def _area(box: _Box) -> float:
    left, top, right, bottom = box
    return (right - left) * (top - bottom)


def _size(frame: Frame) -> float:
    return max(frame.width * frame.height, 1.0)
