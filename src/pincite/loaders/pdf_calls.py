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
    return ctypes.CFUNCTYPE(result, *arguments)(address)


_loose_box = _declared(
    pdfium.FPDFText_GetLooseCharBox, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p
)
_object = _declared(pdfium.FPDFText_GetTextObject, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int)
_unicode = _declared(pdfium.FPDFText_GetUnicode, ctypes.c_uint, ctypes.c_void_p, ctypes.c_int)


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
