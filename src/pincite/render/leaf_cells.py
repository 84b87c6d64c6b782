"""The cells of a row of a table, as its loader wrote the row.

Rows of tables are text like all else: `Fee: 4.50; Days: 3` where columns have heads, else
`4.50 | 3`, or the markup of the file (`| 4.50 | 3 |`). What is a value, what is the head said again
and what only parts them is told by the marks, or by the bars.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pincite.places import (
    CellPlace,
    ChapterPlace,
    ElementPlace,
    Mark,
    MemberPlace,
    MessagePlace,
    ParagraphPlace,
    Place,
)
from pincite.records import Span

_BAR = re.compile(r"[ \t]*(?<!\\)\|[ \t]*")
_STEP = re.compile(r".*/t[dh](?:\[(\d+)\])?")
_PARTS = frozenset({";", "|"})
MOST_COLUMNS = 1_000


@dataclass(frozen=True, slots=True)
class CellSpan:
    """A cell: all that belongs to it, and the value in it; both may be empty."""

    column: int
    """From 1; 0 where it is not known."""
    name: str
    """The head of its column, where that is said with it."""
    whole: Span
    value: Span


@dataclass(frozen=True, slots=True)
class _Part:
    span: Span
    place: Place | None
    is_repeated: bool


def cells_in(text: str, span: Span, marks: Sequence[Mark]) -> list[CellSpan]:
    """The cells of the row `span`, whose words are `text`; together they are all of it."""
    if marks:
        return _marked(text, span, marks)
    return _barred(text, span)


def numbered(cells: Sequence[CellSpan], names: Mapping[str, int], first: int) -> list[int]:
    """The column of each cell, from 1; they rise. `first` is the leftmost column of the table."""
    found: list[int] = []
    for cell in cells:
        after = found[-1] + 1 if found else 1
        column = cell.column - first + 1 if cell.column else names.get(cell.name, 0)
        found.append(column if after < column <= MOST_COLUMNS else after)
    return found


def _barred(text: str, span: Span) -> list[CellSpan]:
    """Cells between bars; the whole as one where there are none."""
    bars = [found.span() for found in _BAR.finditer(text)]
    if not bars:
        return [CellSpan(1, "", span, span)]
    if bars[0][0] > 0:
        bars.insert(0, (0, 0))
    if bars[-1][1] < len(text):
        bars.append((len(text), len(text)))
    found: list[CellSpan] = []
    last = len(bars) - 2
    for index in range(last + 1):
        (before, start), (end, after) = bars[index], bars[index + 1]
        # A bar goes with the cell behind it, the last one with the cell before it.
        whole_end = after if index == last else end
        found.append(
            CellSpan(
                index + 1,
                "",
                Span(span.start + before, span.start + whole_end),
                Span(span.start + start, span.start + end),
            )
        )
    return found or [CellSpan(1, "", span, span)]


def _marked(text: str, span: Span, marks: Sequence[Mark]) -> list[CellSpan]:
    groups: list[list[_Part]] = [[]]
    for part in _parts(span, marks):
        words = text[part.span.start - span.start : part.span.end - span.start]
        if part.place is None and words.strip() in _PARTS and groups[-1]:
            groups.append([])
        groups[-1].append(part)
    return [_cell(text, span, group) for group in groups]


def _parts(span: Span, marks: Sequence[Mark]) -> Iterator[_Part]:
    """The row in pieces, each under one mark or none."""
    at = span.start
    for mark in marks:
        start, end = max(at, mark.start), min(mark.end, span.end)
        if start >= end or _is_whole(mark):
            continue
        if at < start:
            yield _Part(Span(at, start), None, False)
        yield _Part(Span(start, end), mark.place, mark.secondary)
        at = end
    if at < span.end:
        yield _Part(Span(at, span.end), None, False)


def _is_whole(mark: Mark) -> bool:
    """Whether it only says in which attachment or chapter something stands."""
    place = mark.place
    return (
        mark.secondary
        and isinstance(place, (ChapterPlace, MessagePlace, MemberPlace))
        and _innermost(place) is None
    )


def _cell(text: str, span: Span, group: Sequence[_Part]) -> CellSpan:
    whole = Span(group[0].span.start, group[-1].span.end)
    values = [part for part in group if part.place is not None and not part.is_repeated]
    heads = [part for part in group if part.is_repeated]
    if not values:
        # A value that reaches down from a row above is said again, behind its head or alone.
        values, heads = heads[-1:], heads[:-1]
    if not values:
        return CellSpan(0, "", whole, whole)
    column = _column(values[0].place) or _column(heads[0].place if heads else None)
    value = Span(values[0].span.start, values[-1].span.end)
    name = ""
    if heads and heads[0].span.start < value.start:
        before = [part for part in heads if part.span.end <= value.start]
        name = text[before[0].span.start - span.start : before[-1].span.end - span.start]
    return CellSpan(column, name, whole, value)


def _column(place: Place | None) -> int:
    place = _innermost(place)
    if isinstance(place, CellPlace):
        return place.left
    if isinstance(place, ParagraphPlace):
        return place.column
    if isinstance(place, ElementPlace) and (step := _STEP.match(place.path)):
        return int(step[1] or 1)
    return 0


def _innermost(place: Place | None) -> Place | None:
    while isinstance(place, (ChapterPlace, MessagePlace, MemberPlace)):
        place = place.within
    return place
