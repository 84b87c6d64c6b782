"""What is drawn over words after them: boxes that black them out, notes that lie on them."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from pincite.loaders.pdf.pdf_calls import Ints, read_colours, read_form_items, read_items
from pincite.loaders.pdf.pdf_ink import Bools, Floats, Frame, Ink

_SMALLEST = 3.0
"""Points; what is thinner is a rule or an underline."""
_MOST = 0.6
"""Of the width and the height of a character, and it is below."""
_MOST_OBJECTS = 50_000
_MOST_COVERS = 500
_MOST_ANNOTATIONS = 1_000
_DEEPEST = 4
"""Drawings inside of drawings that are looked into."""
_HIDING = frozenset(
    {
        pdfium.FPDF_ANNOT_REDACT,
        pdfium.FPDF_ANNOT_SQUARE,
        pdfium.FPDF_ANNOT_POLYGON,
        pdfium.FPDF_ANNOT_STAMP,
    }
)

_TEXT, _PATH, _FORM = pdfium.FPDF_PAGEOBJ_TEXT, pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_FORM

_Box = tuple[float, float, float, float]
_UNCHANGED = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
"""A matrix as rows: a and b, c and d, e and f."""


@dataclass(frozen=True, slots=True)
class Cover:
    """Something filled that lies over characters."""

    box: _Box
    """Left, top, right, bottom on the page as it is shown."""
    is_opaque: bool
    """The file says so; else only the page as it is drawn can tell."""
    below: Ints
    """The characters it lies over, counted through the ink."""


def covers_of(page: Any, frame: Frame, ink: Ink) -> list[Cover]:
    """What is drawn over characters of `ink` after them; whether it hides them is not told."""
    order: dict[int, int] = {}
    filled: list[tuple[_Box, bool, int]] = []
    handles, kinds = read_items(page)
    if _PATH in kinds or _FORM in kinds:
        items = islice(_items(handles, kinds, _UNCHANGED, 1), _MOST_OBJECTS)
        for number, (handle, kind, matrix) in enumerate(items):
            if kind == _TEXT:
                order[handle] = number
            elif order and len(filled) < _MOST_COVERS:
                box = _filled_box(handle, matrix)
                if box is not None:
                    filled.append((box, _is_opaque(handle), number))
    filled += ((box, False, _MOST_OBJECTS) for box in _annotated(page))
    if not filled:
        return []
    unknown = _MOST_OBJECTS if order else 0
    numbers = np.array([order.get(handle, unknown) for handle in ink.objects.tolist()])
    shown = frame.shown(np.array([box for box, _, _ in filled], dtype=np.float32))
    covers: list[Cover] = []
    for box, (_, is_opaque, number) in zip(shown.tolist(), filled, strict=True):
        below = np.flatnonzero(_is_within(ink, box) & (numbers < number))
        if len(below):
            covers.append(Cover(tuple(box), is_opaque, below))
    return covers


def _is_within(ink: Ink, box: Sequence[float]) -> Bools:
    """Which characters have most of their width and height inside of `box`."""
    left, top, right, bottom = ink.boxes.T
    across = np.minimum(right, box[2]) - np.maximum(left, box[0])
    down = np.minimum(bottom, box[3]) - np.maximum(top, box[1])
    found: Bools = (across > _MOST * (right - left)) & (down > _MOST * (bottom - top))
    return found


def _items(
    handles: Sequence[int], kinds: Sequence[int], matrix: Floats, depth: int
) -> Iterator[tuple[int, int, Floats]]:
    """Texts and paths in the order they are painted in, with the matrix of what holds them."""
    for handle, kind in zip(handles, kinds, strict=True):
        if kind == _FORM and depth < _DEEPEST:
            own = pdfium.FS_MATRIX()
            pdfium.FPDFPageObj_GetMatrix(_pointer(handle), own)
            linear = np.array([[own.a, own.b], [own.c, own.d], [own.e, own.f]]) @ matrix[:2]
            linear[2] += matrix[2]
            yield from _items(*read_form_items(handle), linear, depth + 1)
        elif kind in (_TEXT, _PATH):
            yield handle, kind, matrix


def _filled_box(handle: int, matrix: Floats) -> _Box | None:
    """Left, top, right, bottom of a path, y upwards; None where it is thin or not filled."""
    mode, is_stroked = ctypes.c_int(), ctypes.c_int()
    path = _pointer(handle)
    pdfium.FPDFPath_GetDrawMode(path, mode, is_stroked)
    sides = [ctypes.c_float() for _ in range(4)]
    if not mode.value or not pdfium.FPDFPageObj_GetBounds(path, *sides):
        return None
    left, bottom, right, top = (side.value for side in sides)
    corners = np.array([(left, bottom), (left, top), (right, bottom), (right, top)])
    moved = corners @ matrix[:2] + matrix[2]
    (left, bottom), (right, top) = moved.min(axis=0).tolist(), moved.max(axis=0).tolist()
    if min(right - left, top - bottom) < _SMALLEST:
        return None
    return left, top, right, bottom


def _is_opaque(handle: int) -> bool:
    return not pdfium.FPDFPageObj_HasTransparency(_pointer(handle)) and (
        int(read_colours([handle])[0, 3]) == 255
    )


def _annotated(page: Any) -> Iterator[_Box]:
    """Left, top, right, bottom of annotations that may hide what is below, y upwards."""
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        rectangle = pdfium.FS_RECTF()
        if pdfium.FPDFAnnot_GetSubtype(annotation) in _HIDING and (
            pdfium.FPDFAnnot_GetRect(annotation, rectangle)
        ):
            yield rectangle.left, rectangle.top, rectangle.right, rectangle.bottom
        pdfium.FPDFPage_CloseAnnot(annotation)


def _pointer(handle: int) -> Any:
    return ctypes.cast(handle, pdfium.FPDF_PAGEOBJECT)
