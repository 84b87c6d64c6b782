"""Print that may leave no trace on its page, by what the file says of it and of what is around it.

Whether it does, only the page as it is drawn can tell. Where there is too much to look through, all
of the page is in doubt.
"""

from __future__ import annotations

import ctypes
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from pincite.loaders.pdf.pdf_calls import (
    Ints,
    are_in_layers,
    read_clips,
    read_colours,
    read_form_items,
    read_items,
)
from pincite.loaders.pdf.pdf_ink import Bools, Floats, Frame, Ink
from pincite.loaders.pdf.pdf_struck import Line

COVERED = "covered by something drawn over it"
PALE = "white on white"
CLIPPED = "cut off by the edge of what it is in"
LAYERED = "in a layer that is not shown"
SAME_COLOUR = "in the colour of its ground"
REASONS = (COVERED, LAYERED, CLIPPED, PALE, SAME_COLOUR)
"""The first one that print is suspected of is what is told of it."""

_SMALLEST = 3.0
"""Points; what is thinner is a rule or an underline."""
_MOST = 0.6
"""Of the width and the height of a character, and it is below."""
_NEAR = 24
"""Of 255 in each colour: print that differs less from its ground may not be seen."""
_BESIDE = 2.0
"""Points from each side of a text to that of another one, and they are printed on one another."""
_MOST_OBJECTS = 50_000
_MOST_AREAS = 2_000
"""That are filled, and lie around or over print."""
_MOST_FORMS = 40
"""Drawings on a page of which each is looked at by itself."""
_MOST_ANNOTATIONS = 1_000
_DEEPEST = 4
"""Drawings inside of drawings that are looked into."""
_HIDING = frozenset(
    {
        pdfium.FPDF_ANNOT_REDACT,
        pdfium.FPDF_ANNOT_SQUARE,
        pdfium.FPDF_ANNOT_CIRCLE,
        pdfium.FPDF_ANNOT_POLYGON,
        pdfium.FPDF_ANNOT_STAMP,
        pdfium.FPDF_ANNOT_INK,
        pdfium.FPDF_ANNOT_LINE,
        pdfium.FPDF_ANNOT_POLYLINE,
        pdfium.FPDF_ANNOT_HIGHLIGHT,
    }
)

_TEXT, _PATH, _FORM = pdfium.FPDF_PAGEOBJ_TEXT, pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_FORM
_IMAGE, _SHADING = pdfium.FPDF_PAGEOBJ_IMAGE, pdfium.FPDF_PAGEOBJ_SHADING

_Box = tuple[float, float, float, float]
_UNCHANGED = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]])
"""A matrix as rows: a and b, c and d, e and f."""


@dataclass(frozen=True, slots=True)
class Cover:
    """Something that lies over characters."""

    box: _Box
    """Left, top, right, bottom on the page as it is shown."""
    is_opaque: bool
    """The file says so; else only the page as it is drawn can tell."""
    is_picture: bool
    below: Ints
    """The characters it lies over, counted through the ink."""


@dataclass(frozen=True, slots=True)
class Suspects:
    """Characters of the ink that are in doubt, by reason."""

    by_reason: dict[str, Bools]
    covers: list[Cover]
    forms: list[Ints]
    """The characters in each drawing: all of one may stand in a layer that is not shown."""
    lines: list[Line]
    """Thin paths, which may go through words."""
    doubles: list[int]
    """Text objects that no character is told to be of: print of the same words twice is told once,
    of the one below."""


@dataclass(frozen=True, slots=True)
class _Item:
    """An object of a page, or of a drawing on it."""

    handle: int
    kind: int
    matrix: Floats
    """Of the drawings it is in."""
    form: int
    """The innermost of these, by number from 1; 0 for none."""
    edges: tuple[_Box, ...]
    """What all of these are cut to."""


@dataclass(frozen=True, slots=True)
class _Area:
    """Something filled, y upwards."""

    box: _Box
    number: int
    """In the order of painting."""
    colour: tuple[int, ...] | None
    """Red, green and blue; None where it has several, or they are not told."""
    is_opaque: bool
    is_picture: bool


def suspects_of(page: Any, frame: Frame, ink: Ink) -> Suspects:
    """What of `ink`, none of which is `is_invisible`, may not be seen."""
    texts, starts = _runs(ink)
    lengths = np.diff(np.append(starts, len(ink.places)))
    handles, kinds = read_items(page)
    items: dict[int, tuple[int, _Item]] = {}
    areas: list[_Area] = []
    lines: list[Line] = []
    is_unclear = False
    if set(kinds) - {_TEXT}:
        walked = list(islice(_items(handles, kinds), _MOST_OBJECTS + 1))
        for number, item in enumerate(walked):
            if item.kind == _TEXT:
                items[item.handle] = number, item
            elif (area := _area(item, number, lines)) is not None:
                areas.append(area)
        is_unclear = any(text not in items for text in texts if text)
    areas += (_Area(box, _MOST_OBJECTS, None, False, False) for box in _annotated(page))
    areas = [area for area in areas if _is_on(area.box, frame)]
    is_unclear |= len(areas) > _MOST_AREAS
    found = {PALE: ink.styles.is_pale, CLIPPED: _clipped(frame, ink, texts, starts, items)}
    found[LAYERED] = np.repeat(np.array(are_in_layers(texts)), lengths)
    covers: list[Cover] = []
    if is_unclear:
        found[COVERED] = np.ones(len(ink.places), dtype=np.bool_)
    elif areas:
        order = np.array([items[text][0] if text in items else 0 for text in texts])
        colours = set(map(tuple, ink.styles.colour[starts, :3].tolist()))
        covers, found[SAME_COLOUR] = _around(frame, ink, areas, np.repeat(order, lengths), colours)
        found[COVERED] = np.zeros(len(ink.places), dtype=np.bool_)
        for cover in covers:
            found[COVERED][cover.below] = True
    forms: list[Ints] = []
    if any(kind == _FORM for kind in kinds):
        own = np.array([items[text][1].form if text in items else 0 for text in texts])
        within = np.repeat(own, lengths)
        held = sorted(set(own.tolist()) - {0})
        if len(held) > _MOST_FORMS:
            found[LAYERED] |= within > 0
        else:
            forms = [np.flatnonzero(within == form) for form in held]
    known = set(texts)
    all_texts = items or [text for text, kind in zip(handles, kinds, strict=True) if kind == _TEXT]
    doubles = [text for text in all_texts if text not in known]
    by_reason = {reason: which for reason, which in found.items() if which.any()}
    return Suspects(by_reason, covers, forms, lines, doubles)


def doubles_of(texts: Sequence[int], doubles: Sequence[int]) -> list[int]:
    """Those of `doubles` that stand where one of `texts` does."""
    rows = np.array([_bounds(text) for text in texts])
    found: list[int] = []
    for double in doubles:
        if (np.abs(rows - _bounds(double)).max(axis=1) < _BESIDE).any():
            found.append(double)
    return found


def _bounds(handle: int) -> _Box:
    sides = [ctypes.c_float() for _ in range(4)]
    pdfium.FPDFPageObj_GetBounds(_pointer(handle), *sides)
    left, bottom, right, top = (side.value for side in sides)
    return left, bottom, right, top


def _runs(ink: Ink) -> tuple[list[int], Ints]:
    """The text objects in their order, and at which character each begins."""
    # What pdfium put in between two characters belongs to the one before it.
    positions = np.where(ink.objects != 0, np.arange(len(ink.objects)), 0)
    owners = ink.objects[np.maximum.accumulate(positions)]
    starts = np.concatenate(([0], np.flatnonzero(owners[1:] != owners[:-1]) + 1))
    return owners[starts].tolist(), starts


def _items(handles: Sequence[int], kinds: Sequence[int]) -> Iterator[_Item]:
    """What is painted, in its order, with what holds it."""
    forms = 0

    def within(
        handles: Sequence[int], kinds: Sequence[int], outer: _Item, depth: int
    ) -> Iterator[_Item]:
        nonlocal forms
        for handle, kind in zip(handles, kinds, strict=True):
            if kind == _FORM and depth < _DEEPEST:
                own = pdfium.FS_MATRIX()
                pdfium.FPDFPageObj_GetMatrix(_pointer(handle), own)
                linear = np.array([[own.a, own.b], [own.c, own.d], [own.e, own.f]])
                linear = linear @ outer.matrix[:2]
                linear[2] += outer.matrix[2]
                forms += 1
                edges = tuple(_moved(box, outer.matrix) for box in read_clips([handle])[0])
                form = _Item(handle, kind, linear, forms, outer.edges + edges)
                yield from within(*read_form_items(handle), form, depth + 1)
            else:
                yield _Item(handle, kind, outer.matrix, outer.form, outer.edges)

    yield from within(handles, kinds, _Item(0, _FORM, _UNCHANGED, 0, ()), 1)


def _moved(box: _Box, matrix: Floats) -> _Box:
    left, bottom, right, top = box
    corners = np.array([(left, bottom), (left, top), (right, bottom), (right, top)])
    moved = corners @ matrix[:2] + matrix[2]
    (left, bottom), (right, top) = moved.min(axis=0).tolist(), moved.max(axis=0).tolist()
    return left, bottom, right, top


def _clipped(
    frame: Frame, ink: Ink, texts: Sequence[int], starts: Ints, items: dict[int, tuple[int, _Item]]
) -> Bools:
    """Which characters have their middle outside of what their text object is cut to."""
    found = np.zeros(len(ink.places), dtype=np.bool_)
    across = (ink.boxes[:, 0] + ink.boxes[:, 2]) / 2
    down = (ink.boxes[:, 1] + ink.boxes[:, 3]) / 2
    ends = [*starts[1:].tolist(), len(found)]
    for text, start, end, own in zip(texts, starts.tolist(), ends, read_clips(texts), strict=True):
        edges = own
        if text in items:
            item = items[text][1]
            edges = (*item.edges, *(_moved(box, item.matrix) for box in own))
        if not edges:
            continue
        x, y = across[start:end], down[start:end]
        for left, top, right, bottom in _shown(frame, edges):
            found[start:end] |= ~((x > left) & (x < right) & (y > top) & (y < bottom))
    return found


def _shown(frame: Frame, boxes: Sequence[_Box]) -> Floats:
    """Left, top, right, bottom as shown, of boxes given as left, bottom, right, top."""
    rows = np.array([(left, top, right, bottom) for left, bottom, right, top in boxes])
    return frame.shown(rows.astype(np.float32))


def _is_on(box: _Box, frame: Frame) -> bool:
    left, bottom, right, top = box
    return left < frame.right and right > frame.left and bottom < frame.top and top > frame.bottom


def _around(
    frame: Frame,
    ink: Ink,
    areas: Sequence[_Area],
    numbers: Ints,
    printed: Collection[tuple[int, ...]],
) -> tuple[list[Cover], Bools]:
    """What lies over characters, and which ones have the colour of what is below them.

    `numbers` are those of their text objects; `printed` the colours there are of them.
    """
    same = np.zeros(len(numbers), dtype=np.bool_)
    colours = ink.styles.colour[:, :3]
    kinds = np.array(sorted(printed))
    first, last = int(numbers.min()), int(numbers.max())
    covers: list[Cover] = []
    for area, box in zip(areas, _shown(frame, [area.box for area in areas]).tolist(), strict=True):
        is_over = area.number > first
        colour = np.array(area.colour or (-1_000,) * 3)
        alike = area.number < last and bool((np.abs(kinds - colour).max(axis=1) < _NEAR).any())
        if not is_over and not alike:
            continue
        within = _is_within(ink, box)
        if not within.any():
            continue
        below = np.flatnonzero(within & (numbers < area.number))
        if len(below):
            covers.append(Cover(tuple(box), area.is_opaque, area.is_picture, below))
        if alike:
            near = np.abs(colours - colour).max(axis=1) < _NEAR
            same |= within & near & (numbers > area.number)
    return covers, same


def _is_within(ink: Ink, box: Sequence[float]) -> Bools:
    """Which characters have most of their width and height inside of `box`."""
    left, top, right, bottom = ink.boxes.T
    across = np.minimum(right, box[2]) - np.maximum(left, box[0])
    down = np.minimum(bottom, box[3]) - np.maximum(top, box[1])
    found: Bools = (across > _MOST * (right - left)) & (down > _MOST * (bottom - top))
    return found


def _area(item: _Item, number: int, lines: list[Line]) -> _Area | None:
    """What is filled by something that is no text; None where it is thin or filled by nothing.

    Thin paths that lie flat or upright go to `lines`.
    """
    pointer = _pointer(item.handle)
    colour: tuple[int, ...] | None = None
    is_opaque = False
    if item.kind == _PATH:
        mode, is_stroked = ctypes.c_int(), ctypes.c_int()
        pdfium.FPDFPath_GetDrawMode(pointer, mode, is_stroked)
        if not mode.value:
            width = ctypes.c_float()
            pdfium.FPDFPageObj_GetStrokeWidth(pointer, width)
            scale = float(np.abs(item.matrix[:2]).max())
            if not is_stroked.value or width.value * max(scale, 1.0) < _SMALLEST:
                box = _moved(_bounds(item.handle), item.matrix)
                if is_stroked.value and min(box[2] - box[0], box[3] - box[1]) < _SMALLEST:
                    lines.append((item.handle, box))
                return None
            colour = tuple(read_colours([item.handle], of_strokes=True)[0, :3].tolist())
        else:
            red, green, blue, alpha = read_colours([item.handle])[0].tolist()
            colour = red, green, blue
            is_opaque = alpha == 255 and not pdfium.FPDFPageObj_HasTransparency(pointer)
    box = _moved(_bounds(item.handle), item.matrix)
    if min(box[2] - box[0], box[3] - box[1]) < _SMALLEST:
        if item.kind == _PATH:
            lines.append((item.handle, box))
        return None
    return _Area(box, number, colour, is_opaque, item.kind == _IMAGE)


def _annotated(page: Any) -> Iterator[_Box]:
    """Left, bottom, right, top of annotations that may hide what is below."""
    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MOST_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        rectangle = pdfium.FS_RECTF()
        if pdfium.FPDFAnnot_GetSubtype(annotation) in _HIDING and (
            pdfium.FPDFAnnot_GetRect(annotation, rectangle)
        ):
            yield rectangle.left, rectangle.bottom, rectangle.right, rectangle.top
        pdfium.FPDFPage_CloseAnnot(annotation)


def _pointer(handle: int) -> Any:
    return ctypes.cast(handle, pdfium.FPDF_PAGEOBJECT)
