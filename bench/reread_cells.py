"""Values of cells read anew, by openpyxl, python-calamine and the csv module."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
import warnings
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bench.reread_words import Found, Stretch, Verdict, bare, decoded
from pincite.places import CellPlace


@dataclass(frozen=True, slots=True)
class _Value:
    value: Any
    shown_as: str = ""


_Sheet = dict[tuple[int, int], _Value]
"""By row and column, from 1."""
_NUMBER = re.compile(r"[-+−(]?[^\d.,(−-]*[-−]?\d[\d.,'’\s]*(?:[eE][-+]?\d+)?")


@lru_cache(maxsize=4)
def sheets_of(data: bytes) -> dict[str, _Sheet]:
    """The values of each sheet by its name; a table in text has the name ``."""
    if not data.startswith(b"PK"):
        return {"": _table(data)}
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        is_open_document = "content.xml" in archive.namelist()
    return _calamine_sheets(data) if is_open_document else _workbook(data)


def _table(data: bytes) -> _Sheet:
    text = decoded(data)
    first = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = max(",;\t|", key=first.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return {
        (row, column): _Value(value)
        for row, values in enumerate(rows, 1)
        for column, value in enumerate(values, 1)
    }


def _workbook(data: bytes) -> dict[str, _Sheet]:
    import openpyxl

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(io.BytesIO(data), data_only=True)
    except (KeyError, ValueError, TypeError):
        # Parts are missing that have nothing to do with the cells.
        return _calamine_sheets(data)
    return {
        sheet.title: {
            (cell.row, cell.column): _Value(cell.value, cell.number_format)
            for row in sheet.iter_rows()
            for cell in row
            if cell.value is not None
        }
        for sheet in book.worksheets
    }


def _calamine_sheets(data: bytes) -> dict[str, _Sheet]:
    import python_calamine

    book = python_calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))
    sheets: dict[str, _Sheet] = {}
    for name in book.sheet_names:
        sheet = book.get_sheet_by_name(name)
        top, left = sheet.start or (0, 0)
        sheets[name] = {
            (top + row, left + column): _Value(value)
            for row, values in enumerate(sheet.to_python(skip_empty_area=True), 1)
            for column, value in enumerate(values, 1)
            if value != ""
        }
    return sheets


def shows(cell: Any, words: str) -> bool:
    """Whether `words` are how the value `cell` may be shown: rounded, grouped, as a date."""
    if bare(str(cell)) == bare(words):
        return True
    if isinstance(cell, bool):
        return words.strip().lower() == str(cell).lower()
    if isinstance(cell, (int, float)):
        return _shows_number(float(cell), words)
    if isinstance(cell, dt.timedelta):
        return _shows_number(cell.total_seconds(), words) or _shows_moment(
            dt.datetime(1900, 1, 1) + cell, words
        )
    if isinstance(cell, dt.time):
        return _shows_moment(dt.datetime.combine(dt.date(1900, 1, 1), cell), words)
    if isinstance(cell, dt.datetime):
        return _shows_moment(cell, words)
    if isinstance(cell, dt.date):
        return _shows_moment(dt.datetime.combine(cell, dt.time()), words)
    return False


def _shows_number(value: float, words: str) -> bool:
    found = _NUMBER.search(words)
    if found is None:
        return False
    digits = found[0].replace("−", "-")
    is_negative = "-" in digits.lower().split("e")[0] or "(" in digits
    digits = re.sub(r"[^\d.eE+-]", "", digits.replace(",", "")).lstrip("+-.").rstrip(".")
    try:
        shown = float(digits)
    except ValueError:
        return False
    decimals = len(digits.lower().split("e")[0].partition(".")[2])
    exponent = int(digits.lower().partition("e")[2] or 0)
    shown = -shown if is_negative else shown
    scaled = value * 100 if "%" in words else value
    step = 10.0 ** (exponent - decimals)
    return abs(shown - scaled) <= 0.500001 * step + 1e-12 * abs(scaled)


def _shows_moment(moment: dt.datetime, words: str) -> bool:
    """Whether every number in `words` is a part of `moment`, and every name one of its names."""
    hour = moment.hour % 12 or 12
    parts = {
        moment.year, moment.year % 100, moment.month, moment.day, moment.hour, hour,
        moment.minute, moment.second, round(moment.microsecond / 1000),
    }  # fmt: skip
    names = f"{moment:%A %B %p} am pm t z".lower().split()
    return all(int(number) in parts for number in re.findall(r"\d+", words)) and all(
        any(name.startswith(word) for name in names)
        for word in re.findall(r"[a-z]+", words.lower())
    )


def compare_cells(data: bytes, place: CellPlace, stretches: Sequence[Stretch]) -> Found:
    sheet = sheets_of(data).get(place.sheet)
    if sheet is None:
        return Found(Verdict.WRONG, f"there is no sheet {place.sheet!r}")
    inside = {
        at: cell.value
        for at, cell in sheet.items()
        if place.top <= at[0] <= place.bottom and place.left <= at[1] <= place.right
    }
    there = " | ".join(str(value) for value in list(inside.values())[:20])
    verdict = Verdict.EXACT
    used: set[tuple[int, int]] = set()
    for stretch in stretches:
        whole = bare(stretch.whole)
        if whole == bare(place.sheet):  # The heading of the sheet: its place is all of it.
            used |= {(place.top, place.left), (place.bottom, place.right)}
            verdict = Verdict.INSIDE
            continue
        shown = {at for at, value in inside.items() if shows(value, stretch.whole)}
        if not shown:
            shown = {at for at, value in inside.items() if whole in bare(str(value))}
            verdict = Verdict.INSIDE
        if not shown:
            return Found(Verdict.WRONG, f"{stretch.whole!r} is not in {there!r}")
        used |= shown
    edges = (
        {at[0] for at in used} >= {place.top, place.bottom}
        and {at[1] for at in used} >= {place.left, place.right}
    )  # fmt: skip
    return Found(verdict if edges else Verdict.INSIDE, there)
