"""Tables told by what is printed: lines of several cells that stand in the same columns.

Only what is plainly a table is made one. Rows are not guessed from ruled lines.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

from pincite.loaders.pdf.pdf_layout import Line, line_of
from pincite.loaders.pdf.pdf_pages import Fragment
from pincite.places import EDGE_SCALE

_MARKER = re.compile(r"[^\w\s]|\(?\w{1,4}[.)]|\d{1,2}(?:\.\d{1,2})+|§+|o|[\uf000-\uf0ff]")
_LONGEST_CELL = 60
"""Code points in most cells, longest; what is longer is text in columns."""
_WIDE = 0.7
"""Ems; the space between words of one cell is narrower."""
_FEWEST_ROWS = 3
_FEWEST_COLUMNS = 3
"""Where there are fewer rows."""


@dataclass(slots=True)
class PrintedCell:
    """The lines of one cell, and the columns it stands in, counted from 1."""

    column: int
    columns: int
    lines: list[Line]


@dataclass(slots=True)
class PrintedTable:
    """Rows from the top down, their cells from left to right."""

    rows: list[list[PrintedCell]]
    columns: list[tuple[float, float]]
    """From where to where each goes."""
    end: int
    """Into the lines that were given: the first one after the table."""


def is_row(line: Line) -> bool:
    """Whether `line` has several cells; a marker before the words of an item is none."""
    cells = line.fragments
    return len(cells) > 1 and not (len(cells) == 2 and _MARKER.fullmatch(cells[0].text))


def table_at(lines: Sequence[Line], start: int) -> PrintedTable | None:
    """The table that begins with the line at `start`; None where there is none."""
    run = _run(lines, start)
    several = [line for line in run if is_row(line)]
    if len(several) < 2:
        return None
    columns = _columns(several)
    if len(columns) < 2 or (len(several) < _FEWEST_ROWS and len(columns) < _FEWEST_COLUMNS):
        return None
    lengths = [len(cell.text) for line in several for cell in line.fragments]
    if median(lengths) > _LONGEST_CELL or _is_justified(lines, start, several):
        return None
    rows: list[list[PrintedCell]] = []
    end = start
    before: Line | None = None
    for line in run:
        cells = _cells(line, columns)
        if cells is None:
            break
        if before is not None and _is_rest(line, before, cells, rows[-1]):
            _join(rows[-1], cells)
        elif is_row(line):
            rows.append(cells)
        else:
            break
        before = line
        end += 1
    if len(rows) < 2 or (len(rows) < _FEWEST_ROWS and len(columns) < _FEWEST_COLUMNS):
        return None
    return PrintedTable(rows, columns, end)


def rest_of(table: PrintedTable, other: PrintedTable) -> tuple[list[list[PrintedCell]], int] | None:
    """The rows with which `table` goes on in `other`, the first one on the next page.

    And how many rows at its top say the header again, which are not among them. None where the
    columns are others, or stand under another header.
    """
    size = table.rows[-1][0].lines[0].size
    if len(table.columns) != len(other.columns) or not all(
        min(one[1], two[1]) > max(one[0], two[0])
        and min(abs(one[0] - two[0]), abs(one[1] - two[1]), abs(sum(one) - sum(two)) / 2) < size
        for one, two in zip(table.columns, other.columns, strict=True)
    ):
        return None
    if _row_words(table.rows[0]) == _row_words(other.rows[0]):
        return other.rows[1:], 1
    return None if _is_strong(other.rows[0]) and not _is_strong(other.rows[-1]) else (other.rows, 0)


def _row_words(row: Sequence[PrintedCell]) -> list[str]:
    return [" ".join(line.text for line in cell.lines) for cell in row]


def _is_strong(row: Sequence[PrintedCell]) -> bool:
    return all(line.is_bold for cell in row for line in cell.lines)


def _is_justified(lines: Sequence[Line], start: int, rows: Sequence[Line]) -> bool:
    """Whether the gaps are those of narrow text made to fill its lines."""
    if any(row.fragments[-1].text.endswith(("-", "\u00ad")) for row in rows):
        return True
    around = [lines[start - 1]] if start else []
    last = next(place for place, line in enumerate(lines) if line is rows[-1])
    around += lines[last + 1 : last + 2]
    return any(
        len(line.fragments) == 1
        and abs(line.size - row.size) < 0.1 * row.size
        and abs(line.bottom - row.bottom) < 1.5 * row.size
        and abs(line.right - row.right) < 0.3 * row.size
        and abs(line.left - row.left) < 2 * row.size
        for line in around
        for row in (rows[0], rows[-1])
    )


def _run(lines: Sequence[Line], start: int) -> list[Line]:
    """Lines of several cells under each other, with what of their cells is on lines between."""
    run = [lines[start]]
    for line in lines[start + 1 :]:
        before = run[-1]
        size = max(line.size, before.size)
        distance = line.bottom - before.bottom
        if not 0 < distance < 3 * size or line.turn != before.turn:
            break
        if not is_row(line) and (distance > 1.6 * size or line.left <= run[0].left + size):
            break
        run.append(line)
    return run


def _columns(rows: Sequence[Line]) -> list[tuple[float, float]]:
    """From where to where each column goes, by the rows with most cells and what is beside them."""
    columns: list[tuple[float, float]] = []
    for row in sorted(rows, key=lambda row: -len(row.fragments)):
        for cell in row.fragments:
            over = [side for side in columns if cell.left < side[1] and side[0] < cell.right]
            if len(over) == 1:
                columns.remove(over[0])
                columns.append((min(cell.left, over[0][0]), max(cell.right, over[0][1])))
            elif not over:
                columns.append((cell.left, cell.right))
    return sorted(columns)


def _cells(line: Line, columns: Sequence[tuple[float, float]]) -> list[PrintedCell] | None:
    """The cells of a line; None where two stand in one column, or one in none."""
    cells: list[PrintedCell] = []
    for fragment in line.fragments:
        for part in _parts(line, fragment, columns):
            within = _within(part, columns)
            if not within or (cells and within[0] < cells[-1].column + cells[-1].columns):
                return None
            words = line_of(line.page, (part,), line.number)
            cells.append(PrintedCell(within[0], len(within), [words]))
    return cells


def _within(fragment: Fragment, columns: Sequence[tuple[float, float]]) -> list[int]:
    return [
        number
        for number, (left, right) in enumerate(columns, 1)
        if fragment.left < right and left < fragment.right
    ]


def _parts(
    line: Line, fragment: Fragment, columns: Sequence[tuple[float, float]]
) -> list[Fragment]:
    """A fragment that reaches over columns, cut at the spaces that are wider than others are."""
    if len(_within(fragment, columns)) < 2 or not fragment.edges:
        return [fragment]
    unit = line.page.width / EDGE_SCALE
    edges = fragment.edges
    parts: list[Fragment] = []
    start = 0
    for place, letter in enumerate(fragment.text):
        if letter == " " and (edges[place + 1] - edges[place]) * unit > _WIDE * fragment.size:
            parts.append(_cut(fragment, start, place, unit))
            start = place + 1
    return [*parts, _cut(fragment, start, len(fragment.text), unit)]


def _cut(fragment: Fragment, start: int, end: int, unit: float) -> Fragment:
    edges = fragment.edges[start : end + 1]
    return replace(
        fragment,
        text=fragment.text[start:end],
        edges=edges,
        left=edges[0] * unit,
        right=edges[-1] * unit,
    )


def _is_rest(
    line: Line, before: Line, cells: Sequence[PrintedCell], row: Sequence[PrintedCell]
) -> bool:
    """Whether `line` holds what had no room in cells of the row above it."""
    above = {cell.column for cell in row}
    return (
        cells[0].column > 1
        and line.bottom - before.bottom < 1.5 * line.size
        and all(cell.column in above and cell.columns == 1 for cell in cells)
        and all(any(map(str.isalpha, cell.lines[0].text)) for cell in cells)
    )


def _join(row: Sequence[PrintedCell], rest: Sequence[PrintedCell]) -> None:
    for cell in row:
        for more in rest:
            if more.column == cell.column:
                cell.lines += more.lines
