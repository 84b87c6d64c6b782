"""How the characters of a page are printed: size, angle, weight, and whether that can be seen."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium

from pincite.loaders.pdf.pdf_calls import Handles, fill_colour, read_size, text_font, text_mode

_BOLD_NAMES = ("bold", "black", "heavy", "demi", "cmbx", "-medi")
_FORCE_BOLD = 1 << 18
_PALE = 245
"""Of 255 in each colour; whether such print shows on its ground is looked at."""
_TRANSPARENT = 10
_INVISIBLE_MODES = frozenset({3, 7})
_FILLED_MODES = frozenset({0, 2, 4, 6})


@dataclass(slots=True)
class Style:
    """How the characters of one text object are printed."""

    size: float
    """Points."""
    angle: float
    """Degrees anticlockwise, on the page as it is shown."""
    is_bold: bool
    is_invisible: bool
    is_pale: bool
    """White or next to transparent: whether it shows depends on its ground."""


def styles_of(
    text_page: Any, objects: Handles, turns: int
) -> tuple[list[Style], npt.NDArray[np.int64]]:
    """The styles of the page's text objects, and which of them each character has.

    `turns` says by how many quarters clockwise the page is turned when it is shown.
    """
    # What pdfium put between two characters looks like the one before it.
    positions = np.where(objects != 0, np.arange(len(objects)), 0)
    filled = objects[np.maximum.accumulate(positions)]
    starts = np.concatenate(([0], np.flatnonzero(filled[1:] != filled[:-1]) + 1))
    lengths = np.diff(np.concatenate((starts, [len(filled)])))
    styles: list[Style] = []
    known: dict[int, int] = {}
    fonts: dict[int, bool] = {}
    numbers: list[int] = []
    for start, handle in zip(starts.tolist(), filled[starts].tolist(), strict=True):
        if handle not in known:
            known[handle] = len(styles)
            styles.append(_style(text_page, start, handle, fonts, turns))
        numbers.append(known[handle])
    return styles, np.repeat(np.array(numbers, dtype=np.int64), lengths)


def _style(text_page: Any, index: int, handle: int, fonts: dict[int, bool], turns: int) -> Style:
    size, b, a, c, d = read_size(text_page, index)
    size *= math.hypot(c, d)
    angle = math.degrees(math.atan2(b, a)) - 90.0 * turns
    if not handle:
        return Style(size, angle, False, False, False)
    font = text_font(handle)
    if font not in fonts:
        fonts[font] = _is_bold(font)
    mode = text_mode(handle)
    is_pale = False
    if mode in _FILLED_MODES:
        red, green, blue, alpha = fill_colour(handle)
        is_pale = min(red, green, blue) >= _PALE or alpha < _TRANSPARENT
    return Style(size, angle, fonts[font], mode in _INVISIBLE_MODES, is_pale)


def _is_bold(font: int) -> bool:
    if not font:
        return False
    pointer = ctypes.cast(font, pdfium.FPDF_FONT)
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFFont_GetBaseFontName(pointer, name, 128)
    lowered = name.value.decode("latin-1").lower()
    return any(part in lowered for part in _BOLD_NAMES) or bool(
        pdfium.FPDFFont_GetFlags(pointer) & _FORCE_BOLD
    )
