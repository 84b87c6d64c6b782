"""A sheet as a person sees it: the words in its cells, row by row."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum, auto

MAXIMUM_CELLS = 1_000_000
"""Cells with words that are read of one file, on all its sheets together."""

Row = tuple[int, list[tuple[int, str]]]
"""Its number, and the column and words of each cell that has any, from left to right."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of cells; both ends are inside."""

    left: int
    top: int
    right: int
    bottom: int


@dataclass(slots=True)
class Sheet:
    """The visible cells of one sheet; rows and columns count from 1."""

    name: str
    rows: list[Row]
    """From top to bottom, those with words only."""
    merged: tuple[Area, ...] = ()
    """The words of each stand in its first cell."""
    head_rows: frozenset[int] = frozenset()
    """Rows that the file itself marks as the head of a table, or that are printed bold."""
    hidden_rows: frozenset[int] = frozenset()
    hidden_columns: frozenset[int] = frozenset()
    """What is left out, and parts nothing: a person sees its neighbours side by side."""


class CellKind(Enum):
    """What the words of a cell look like."""

    NUMBER = auto()
    YEAR = auto()
    DATE = auto()
    TEXT = auto()


_YEAR = re.compile(r"(?:1[89]|20|21)\d\d")
_NUMBER = re.compile(
    r"[-+−(]*\s*(?:[A-Z]{2,3}|[$€£¥₹])?\s*[-+−]?(?:\d[\d.,'’\u00a0\u202f ]*|[.,]\d+)"
    r"(?:[eE][-+]?\d+)?\s*(?:[%‰€$£¥₹]|[A-Z]{3})?\s*\)?"
)
_DATE = re.compile(
    r"\d{4}-\d{1,2}(?:-\d{1,2})?(?:[T ]\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[-+]\d\d:?\d\d)?)?"
    r"|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}(?: \d{1,2}:\d\d(?::\d\d)?)?|\d{1,3}:\d\d(?::\d\d)?"
)
_FLAG = re.compile(r"true|false|yes|no|n/a|-|–|—", re.I)


def kind_of(words: str) -> CellKind:
    """What `words` look like; flags such as `TRUE` count as numbers, as no header is one."""
    if _YEAR.fullmatch(words):
        return CellKind.YEAR
    if len(words) <= 40:
        if _DATE.fullmatch(words):
            return CellKind.DATE
        if _NUMBER.fullmatch(words) or _FLAG.fullmatch(words):
            return CellKind.NUMBER
    return CellKind.TEXT


def one_line(words: str) -> str:
    """`words` with line ends and other white space as single spaces."""
    return " ".join(words.split())


def plain_number(value: float | Decimal) -> str:
    """All digits of a number up to the 15 that sheets keep, never with an exponent."""
    number = Decimal(format(value, ".15g")) if isinstance(value, float) else value
    if not number.is_finite():
        return str(value)
    digits = format(number, "f")
    if "." in digits:
        digits = digits.rstrip("0").rstrip(".")
    return "0" if digits in ("-0", "") else digits


def listed(names: Iterable[str], most: int = 5) -> str:
    """Names for a note, in quotation marks; how many more there are after `most`."""
    given = list(names)
    shown = ", ".join(f"“{one_line(name)[:60]}”" for name in given[:most])
    return shown if len(given) <= most else f"{shown} and {len(given) - most} more"
