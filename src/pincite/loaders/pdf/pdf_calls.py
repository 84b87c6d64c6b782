"""Calls into pdfium that are made for every character: with plain addresses, looped over in C.

The bindings of `pypdfium2.raw` make an object for every argument that is a pointer. For a call a
character that costs more than the call itself, so the same functions are declared here again.
"""

from __future__ import annotations

import ctypes
from collections import deque
from itertools import repeat
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium

Codes = npt.NDArray[np.uint32]
Boxes = npt.NDArray[np.float32]
Handles = npt.NDArray[np.uint64]


def _declared(function: Any, result: Any, *arguments: Any) -> Any:
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    # Not releasing the interpreter's lock for each of them halves what they cost.
    return ctypes.PYFUNCTYPE(result, *arguments)(address)


_loose_box = _declared(
    pdfium.FPDFText_GetLooseCharBox, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p
)
_object = _declared(pdfium.FPDFText_GetTextObject, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int)
_unicode = _declared(pdfium.FPDFText_GetUnicode, ctypes.c_uint, ctypes.c_void_p, ctypes.c_int)
_font_size = _declared(pdfium.FPDFText_GetFontSize, ctypes.c_double, ctypes.c_void_p, ctypes.c_int)
_matrix = _declared(
    pdfium.FPDFText_GetMatrix, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p
)
_fill_colour = _declared(
    pdfium.FPDFPageObj_GetFillColor, ctypes.c_int, ctypes.c_void_p, *[ctypes.c_void_p] * 4
)
text_font = _declared(pdfium.FPDFTextObj_GetFont, ctypes.c_size_t, ctypes.c_void_p)
"""The address of the font of the text object at an address."""
text_mode = _declared(pdfium.FPDFTextObj_GetTextRenderMode, ctypes.c_int, ctypes.c_void_p)
"""How the text object at an address is painted (PDF 32000-1, 9.3.6)."""


def read_size(text_page: Any, index: int) -> tuple[float, float, float, float, float]:
    """The size of the font of a character, and b, a, c, d of the matrix it is printed with."""
    numbers = np.zeros(6, dtype=np.float32)
    handle = _handle(text_page)
    if not _matrix(handle, index, numbers.ctypes.data):
        return _font_size(handle, index), 0.0, 1.0, 0.0, 1.0
    a, b, c, d, _, _ = numbers.tolist()
    return _font_size(handle, index), b, a, c, d


def fill_colour(handle: int) -> tuple[int, int, int, int]:
    """Red, green, blue, alpha of the text object at `handle`, 0 to 255; black if it is not told."""
    numbers = np.zeros(4, dtype=np.uint32)
    start = numbers.ctypes.data
    if not _fill_colour(handle, start, start + 4, start + 8, start + 12):
        return 0, 0, 0, 255
    red, green, blue, alpha = numbers.tolist()
    return red, green, blue, alpha


def read_codes(text_page: Any, count: int) -> Codes:
    """The code point of each of the first `count` characters of a page."""
    # One code unit a character in nearly every file; where not, each is asked for.
    units = np.zeros(count + 1, dtype=np.uint16)
    pointer = ctypes.cast(units.ctypes.data, ctypes.POINTER(ctypes.c_ushort))
    written = pdfium.FPDFText_GetText(text_page, 0, count, pointer)
    codes = units[:count].astype(np.uint32)
    if written == count + 1 and not ((codes & 0xF800) == 0xD800).any():
        return codes
    handle = _handle(text_page)
    return np.fromiter(map(_unicode, repeat(handle), range(count)), np.uint32, count)


def read_boxes(text_page: Any, count: int) -> Boxes:
    """Left, top, right, bottom of each character in the units of the page, y upwards.

    From the origin of the glyph to that of the next, and as high as its font: what is quoted is
    then marked like a selection in a viewer.
    """
    boxes = np.zeros((count, 4), dtype=np.float32)
    start = boxes.ctypes.data
    addresses = range(start, start + 16 * count, 16)
    deque(map(_loose_box, repeat(_handle(text_page)), range(count), addresses), maxlen=0)
    return boxes


def read_objects(text_page: Any, count: int) -> Handles:
    """The text object each character belongs to; 0 for those that pdfium put in between."""
    handle = _handle(text_page)
    return np.fromiter(map(_object, repeat(handle), range(count)), np.uint64, count)


def _handle(pointer: Any) -> int:
    value = ctypes.cast(pointer, ctypes.c_void_p).value
    return value or 0
