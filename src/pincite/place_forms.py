"""Places as they are published and as they are kept: JSON with names, and rows of values."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from pincite.places import (
    Box,
    CellPlace,
    ChapterPlace,
    MemberPlace,
    MessagePlace,
    Page,
    PagePlace,
    Place,
)

Json = dict[str, Any]

_KINDS: dict[str, Any] = {kind.kind: kind for kind in Place.__args__}
_SIMPLE: dict[Any, type] = {"str": str, "int": int, "bool": bool}


def place_to_json(place: Place) -> Json:
    """The published form of a place: its kind and its fields, a nested place under `within`."""
    record: Json = {"kind": place.kind}
    for field in fields(place):
        value = getattr(place, field.name)
        if field.name == "within":
            value = None if value is None else place_to_json(value)
        elif isinstance(place, PagePlace):
            value = [_page_to_json(page) for page in place.pages]
        record[field.name] = value
    if isinstance(place, CellPlace):
        record["cells"] = place.cells
    return record


def place_from_json(record: Mapping[str, Any]) -> Place:
    """The place that `place_to_json` gave. ValueError, KeyError, TypeError for anything else."""
    kind = _KINDS[record["kind"]]
    values = _simple(kind, record)
    if kind in (ChapterPlace, MessagePlace, MemberPlace):
        within = record["within"]
        values["within"] = None if within is None else place_from_json(within)
    if kind is PagePlace:
        if not isinstance(record["pages"], list) or not record["pages"]:
            raise ValueError("a place is on no page")
        values["pages"] = tuple(
            Page(**_simple(Page, page), boxes=tuple(Box(*map(_part, box)) for box in page["boxes"]))
            for page in record["pages"]
        )
    place: Place = kind(**values)
    return place


def _simple(kind: Any, record: Mapping[str, Any]) -> Json:
    """The fields of a record that hold a word, a number or yes or no, as its kind has them."""
    values: Json = {}
    for field in fields(kind):
        if field.type in _SIMPLE:
            values[field.name] = record[field.name]
            if type(record[field.name]) is not _SIMPLE[field.type]:
                raise TypeError(f"{field.name} of a place is {record[field.name]!r}")
    return values


def _part(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise TypeError(f"a box of a page has {value!r}")
    return float(value)


def place_to_row(place: Place) -> list[Any]:
    """A place as the store keeps it: the number of its kind and the values of its fields."""
    row: list[Any] = [_NUMBERS[type(place)], *_values(place)]
    if isinstance(place, PagePlace):
        row[1] = [_page_to_row(page) for page in place.pages]
    elif isinstance(place, (ChapterPlace, MessagePlace, MemberPlace)) and place.within is not None:
        row[-1] = place_to_row(place.within)
    return row


def place_from_row(row: Sequence[Any]) -> Place:
    """The place that `place_to_row` gave. ValueError, TypeError, IndexError for anything else."""
    number, *values = row
    kind = Place.__args__[number]
    if kind is PagePlace:
        return PagePlace(tuple(_page_from_row(*page) for page in values[0]))
    if kind in (ChapterPlace, MessagePlace, MemberPlace) and values[-1] is not None:
        values[-1] = place_from_row(values[-1])
    place: Place = kind(*values)
    return place


_NUMBERS = {kind: number for number, kind in enumerate(Place.__args__)}
_FIELDS = {kind: tuple(field.name for field in fields(kind)) for kind in Place.__args__}


def _values(place: Place) -> list[Any]:
    return [getattr(place, name) for name in _FIELDS[type(place)]]


def _page_to_row(page: Page) -> list[Any]:
    boxes = [[box.left, box.top, box.right, box.bottom] for box in page.boxes]
    lines = (page.first_line, page.last_line)
    return [page.number, page.label, boxes, *lines, int(page.recognised)]


def _page_from_row(
    number: int,
    label: str,
    boxes: Sequence[Sequence[float]],
    first: int,
    last: int,
    recognised: int,
) -> Page:
    return Page(number, label, tuple(Box(*box) for box in boxes), first, last, bool(recognised))


def _page_to_json(page: Page) -> Json:
    return {
        "number": page.number,
        "label": page.label,
        "boxes": [[box.left, box.top, box.right, box.bottom] for box in page.boxes],
        "first_line": page.first_line,
        "last_line": page.last_line,
        "recognised": page.recognised,
    }
