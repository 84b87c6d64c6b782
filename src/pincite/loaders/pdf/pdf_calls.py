"""Calls into pdfium that are made for every character or text object, looped over in C.

The bindings of `pypdfium2.raw` make objects for the arguments of each call. That costs more than
the call itself, so the same functions are declared here again, and are given arguments that were
made before.
"""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise, repeat
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium

Codes = npt.NDArray[np.uint32]
Boxes = npt.NDArray[np.float32]
Handles = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Sides = tuple[float, float, float, float]
"""Left, bottom, right, top."""

NOWHERE: Sides = (0.0, 0.0, 0.0, 0.0)
"""A rectangle that holds nothing."""


def _declared(function: Any, result: Any, *arguments: Any) -> Any:
    """`function` again. Arguments beyond `arguments` are an `int` of C, or come from `_pointer`."""
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    # Not releasing the interpreter's lock for each of them halves what they cost.
    return ctypes.PYFUNCTYPE(result, *arguments)(address)


def _pointer(address: int) -> Any:
    """An argument that is passed on as it is: with a declared type, each call makes one anew."""
    return ctypes.byref(ctypes.c_char.from_address(address))


_loose_box = _declared(pdfium.FPDFText_GetLooseCharBox, None)
_object = _declared(pdfium.FPDFText_GetTextObject, ctypes.c_size_t)
_unicode = _declared(pdfium.FPDFText_GetUnicode, ctypes.c_uint)
_font_size = _declared(pdfium.FPDFText_GetFontSize, ctypes.c_double)
_matrix = _declared(pdfium.FPDFText_GetMatrix, None)
_colour = _declared(
    pdfium.FPDFPageObj_GetFillColor, ctypes.c_int, ctypes.c_void_p, *[ctypes.c_void_p] * 4
)
_stroke = _declared(
    pdfium.FPDFPageObj_GetStrokeColor, ctypes.c_int, ctypes.c_void_p, *[ctypes.c_void_p] * 4
)
_clip = _declared(pdfium.FPDFPageObj_GetClipPath, ctypes.c_size_t, ctypes.c_void_p)
_clip_paths = _declared(pdfium.FPDFClipPath_CountPaths, ctypes.c_int, ctypes.c_void_p)
_clip_length = _declared(
    pdfium.FPDFClipPath_CountPathSegments, ctypes.c_int, ctypes.c_void_p, ctypes.c_int
)
_clip_part = _declared(
    pdfium.FPDFClipPath_GetPathSegment,
    ctypes.c_size_t,
    ctypes.c_void_p,
    ctypes.c_int,
    ctypes.c_int,
)
_mark_count = _declared(pdfium.FPDFPageObj_CountMarks, ctypes.c_int, ctypes.c_void_p)
_mark = _declared(pdfium.FPDFPageObj_GetMark, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_ulong)
_mark_name = _declared(pdfium.FPDFPageObjMark_GetName, None, ctypes.c_void_p)
_mark_value = _declared(
    pdfium.FPDFPageObjMark_GetParamValueType, ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p
)
_bounds = _declared(
    pdfium.FPDFPageObj_GetBounds, ctypes.c_int, ctypes.c_void_p, *[ctypes.c_void_p] * 4
)
_font = _declared(pdfium.FPDFTextObj_GetFont, ctypes.c_size_t, ctypes.c_void_p)
_mode = _declared(pdfium.FPDFTextObj_GetTextRenderMode, ctypes.c_int, ctypes.c_void_p)
_item = _declared(pdfium.FPDFPage_GetObject, ctypes.c_size_t)
_form_item = _declared(pdfium.FPDFFormObj_GetObject, ctypes.c_size_t)
_form_count = _declared(pdfium.FPDFFormObj_CountObjects, ctypes.c_int)
_kind = _declared(pdfium.FPDFPageObj_GetType, ctypes.c_int, ctypes.c_void_p)

_MANY = 4_096
_room = np.zeros((_MANY, 6), dtype=np.float32)
"""Where boxes and matrices are written. One for all: pdfium is for one thread at a time anyway."""
_ROOM = [_pointer(_room.ctypes.data + 24 * number) for number in range(_MANY)]


_NAME_LENGTH = ctypes.c_ulong(64)
_name = ctypes.create_string_buffer(64)
_NAME = ctypes.byref(_name)
_WRITTEN = ctypes.byref(ctypes.c_ulong())
_LAYER = "OC\0".encode("utf-16-le")


def read_codes(text_page: Any, count: int) -> Codes:
    """The code point of each of the first `count` characters of a page."""
    # One code unit a character in nearly every file; where not, each is asked for.
    units = np.zeros(count + 1, dtype=np.uint16)
    pointer = ctypes.cast(units.ctypes.data, ctypes.POINTER(ctypes.c_ushort))
    written = pdfium.FPDFText_GetText(text_page, 0, count, pointer)
    codes = units[:count].astype(np.uint32)
    if written == count + 1 and not ((codes & 0xF800) == 0xD800).any():
        return codes
    return np.fromiter(map(_unicode, repeat(_handle(text_page)), range(count)), np.uint32, count)


def read_boxes(text_page: Any, places: Ints) -> Boxes:
    """Left, top, right, bottom of the characters at `places` in units of the page, y upwards.

    From the origin of the glyph to that of the next, and as high as its font: what is quoted is
    then marked like a selection in a viewer.
    """
    found = np.empty((len(places), 4), dtype=np.float32)
    handle = _handle(text_page)
    for start in range(0, len(places), _MANY):
        some = places[start : start + _MANY].tolist()
        _room.fill(0)
        deque(map(_loose_box, repeat(handle), some, _ROOM), maxlen=0)
        found[start : start + len(some)] = _room[: len(some), :4]
    return found


def set_spoken_boxes(
    text_page: Any, places: Ints, objects: Handles, boxes: Boxes, codes: Codes
) -> None:
    """Put words that a file gives for its glyphs (/ActualText) where these are printed.

    Inside of a drawing pdfium places them as if that stood unchanged on the page. The letters of
    one text share its box. Spaces that pdfium makes up beside them become line ends, which count
    where there is a gap.
    """
    known: dict[int, bool] = {}
    sides = np.zeros(4, dtype=np.float32)
    pointers = [sides.ctypes.data + 4 * number for number in range(4)]
    for handle in sorted(set(objects.tolist()) - {0}):
        is_spoken = False
        for number in range(_mark_count(handle)):
            mark = _mark(handle, number)
            if mark not in known:
                known[mark] = _mark_value(mark, b"ActualText") != 0
            is_spoken = is_spoken or known[mark]
        if not is_spoken or not _bounds(handle, *pointers):
            continue
        own = np.flatnonzero(objects == handle)
        moved = _moving(text_page, int(places[own[0]]), handle)
        if moved is None:
            continue
        left, bottom, right, top = sides.tolist()
        corners = np.array([(x, y, 1.0) for x in (left, right) for y in (bottom, top)]) @ moved
        (left, bottom), (right, top) = corners[:, :2].min(axis=0), corners[:, :2].max(axis=0)
        boxes[own] = left, top, right, bottom
        for place in (int(places[own[0]]) - 1, int(places[own[-1]]) + 1):
            is_space = 0 <= place < len(codes) and codes[place] == 0x20
            if is_space and pdfium.FPDFText_IsGenerated(text_page, place) == 1:
                codes[place] = 0x0A


def _moving(text_page: Any, place: int, text: int) -> Floats | None:
    """How the drawing around a text is put on its page; None where it is not, or cannot be told."""
    full, own = pdfium.FS_MATRIX(), pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(text_page, place, full)
    pdfium.FPDFPageObj_GetMatrix(ctypes.cast(text, pdfium.FPDF_PAGEOBJECT), own)
    rows = [np.array([(m.a, m.b, 0.0), (m.c, m.d, 0.0), (m.e, m.f, 1.0)]) for m in (own, full)]
    if abs(np.linalg.det(rows[0])) < 1e-9 or np.allclose(rows[0], rows[1], rtol=1e-4, atol=1e-3):
        return None
    moved: Floats = np.linalg.inv(rows[0]) @ rows[1]
    return moved


def read_objects(text_page: Any, places: Ints, *, are_in_order: bool) -> Handles:
    """The text object of each of the characters at `places`; 0 for what pdfium put in between.

    With `are_in_order`, those of an object follow each other. So it is where nothing is written
    from right to left, and not each has to be asked.
    """
    handle = _handle(text_page)

    def asked(some: Ints) -> Handles:
        return np.fromiter(map(_object, repeat(handle), some.tolist()), np.uint64, len(some))

    if not are_in_order:
        return asked(places)
    count = len(places)
    padded = np.pad(places, (0, 1 + -count % 16), mode="edge")
    found = np.zeros(len(padded), dtype=np.uint64)
    found[::16] = asked(padded[::16])
    for wide, step in ((16, 4), (4, 1)):
        left, right = found[:-1:wide].copy(), found[wide::wide]
        parted = np.flatnonzero((left != right) | (left == 0))
        inside = (wide * parted[:, None] + np.arange(step, wide, step)).ravel()
        found[:-1].reshape(-1, wide)[:] = left[:, None]
        found[inside] = asked(padded[inside])
    return found[:count]


def read_sizes(text_page: Any, places: Ints) -> tuple[Floats, Floats]:
    """The sizes of the fonts of characters, and rows of a to f of the matrices they are printed by.

    A matrix that is not told is one that changes nothing.
    """
    handle = _handle(text_page)
    matrices = np.empty((len(places), 6), dtype=np.float32)
    for start in range(0, len(places), _MANY):
        some = places[start : start + _MANY].tolist()
        _room[:] = (1, 0, 0, 1, 0, 0)
        deque(map(_matrix, repeat(handle), some, _ROOM), maxlen=0)
        matrices[start : start + len(some)] = _room[: len(some)]
    sizes = np.fromiter(map(_font_size, repeat(handle), places.tolist()), np.float64, len(places))
    return sizes, matrices.astype(np.float64)


def read_colours(handles: Sequence[int], *, of_strokes: bool = False) -> Ints:
    """Rows of red, green, blue, alpha of page objects, 0 to 255; black where it is not told.

    Of what they are filled with, or of their strokes.
    """
    colours = np.zeros((len(handles), 4), dtype=np.uint32)
    start = colours.ctypes.data
    ends = [range(start + 4 * part, start + 16 * len(handles), 16) for part in range(4)]
    told = np.fromiter(
        map(_stroke if of_strokes else _colour, handles, *ends), np.int64, len(handles)
    )
    colours[told == 0] = (0, 0, 0, 255)
    return colours.astype(np.int64)


def read_fonts(handles: Iterable[int]) -> list[int]:
    """The addresses of the fonts of text objects."""
    return list(map(_font, handles))


def read_modes(handles: Sequence[int]) -> Ints:
    """How text objects are painted (PDF 32000-1, 9.3.6)."""
    return np.fromiter(map(_mode, handles), np.int64, len(handles))


def read_clips(handles: Sequence[int]) -> list[tuple[Sides, ...]]:
    """What each page object is cut to, in units of what holds it: left, bottom, right, top.

    Of what is cut to another shape than a rectangle nothing may be left (`NOWHERE`).
    """
    # Objects that are cut alike share the path.
    known: dict[int, Sides] = {}
    found: list[tuple[Sides, ...]] = []
    for handle in handles:
        clip = _clip(handle)
        sides: list[Sides] = []
        for number in range(_clip_paths(clip) if clip else 0):
            first = _clip_part(clip, number, 0)
            if not first:
                sides.append(NOWHERE)
                continue
            if first not in known:
                known[first] = _sides(clip, number)
            sides.append(known[first])
        found.append(tuple(sides))
    return found


def _sides(clip: int, number: int) -> Sides:
    """The sides of a path that is a rectangle along the axes."""
    length = _clip_length(clip, number)
    if length not in (4, 5):
        return NOWHERE
    points: list[tuple[float, float]] = []
    x, y = ctypes.c_float(), ctypes.c_float()
    for place in range(length):
        part = ctypes.cast(_clip_part(clip, number, place), pdfium.FPDF_PATHSEGMENT)
        if pdfium.FPDFPathSegment_GetType(part) == pdfium.FPDF_SEGMENT_BEZIERTO:
            return NOWHERE
        pdfium.FPDFPathSegment_GetPoint(part, x, y)
        points.append((x.value, y.value))
    if any(one[0] != two[0] and one[1] != two[1] for one, two in pairwise([*points, points[0]])):
        return NOWHERE
    across, down = zip(*points, strict=True)
    return min(across), min(down), max(across), max(down)


def are_in_layers(handles: Sequence[int]) -> list[bool]:
    """Whether page objects are marked as part of a layer, which may be switched off."""
    # Objects between the same marks share them.
    known: dict[int, bool] = {}
    found: list[bool] = []
    for handle in handles:
        is_in = False
        for number in range(_mark_count(handle)):
            mark = _mark(handle, number)
            if mark not in known:
                _mark_name(mark, _NAME, _NAME_LENGTH, _WRITTEN)
                known[mark] = _name.raw[:6] == _LAYER
            is_in = is_in or known[mark]
        found.append(is_in)
    return found


def show_texts(handles: Iterable[int], is_shown: bool) -> None:
    """Have page objects drawn, or left out, when their page is."""
    for handle in handles:
        pdfium.FPDFPageObj_SetIsActive(ctypes.cast(handle, pdfium.FPDF_PAGEOBJECT), is_shown)


def read_items(page: Any) -> tuple[list[int], list[int]]:
    """The objects of a page in the order they are painted in, and what kind each is of."""
    count = max(pdfium.FPDFPage_CountObjects(page), 0)
    items = list(map(_item, repeat(_handle(page)), range(count)))
    return items, list(map(_kind, items))


def read_form_items(form: int) -> tuple[list[int], list[int]]:
    """The same of the drawing at an address, which is one object of its page."""
    pointer = _pointer(form)
    count = max(_form_count(pointer), 0)
    items = list(map(_form_item, repeat(pointer), range(count)))
    return items, list(map(_kind, items))


def _handle(pointer: Any) -> Any:
    return _pointer(ctypes.cast(pointer, ctypes.c_void_p).value or 0)
