"""Tables of web pages: rows that can be read by themselves, or the cells one after another.

A table that only lays out a page has no rows to quote; its cells are read as what they hold.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pincite.loaders.web.html_flow import BETWEEN, PageBlock, Run
from pincite.records import BlockKind

WIDEST = 1_000
"""Columns that are told apart."""
_LONGEST_REPEATED = 200
"""Code points of a head or of a cell over several rows that are repeated with each row."""
_MOST_REPEATED = 2_000_000
"""Code points that are repeated in one table."""
_LONGEST_UNHEADED = 400
"""Code points of a cell, on average, up to which a table without heads is one of rows."""
_SIMPLE = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.CODE, BlockKind.QUOTATION})


@dataclass(slots=True)
class Cell:
    """A cell and the blocks in it."""

    is_head: bool
    columns: int = 1
    rows: int = 1
    blocks: list[PageBlock] = field(default_factory=list)

    def runs(self) -> list[Run]:
        """Its words on one line."""
        found: list[Run] = []
        for block in self.blocks:
            if found:
                found.append(Run(None, [(" ", BETWEEN, BETWEEN)]))
            if block.marker:
                found.append(Run(None, [(block.marker, BETWEEN, BETWEEN)]))
            found += map(_one_line, block.runs)
        return found


@dataclass(slots=True)
class Row:
    """A row; `is_head` where it is in the head of the table."""

    is_head: bool = False
    cells: list[Cell] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Table:
    """A table as it is read."""

    sink: list[PageBlock]
    """Where its rows go."""
    group: int
    is_layout: bool = False
    """Said by the page."""
    caption: list[PageBlock] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)


def table_blocks(table: Table) -> list[PageBlock]:
    """The caption, then the rows of a table of data or the contents of the cells."""
    rows = [row for row in table.rows if any(cell.blocks for cell in row.cells)]
    if not _is_data(table, rows):
        cells = [block for row in rows for cell in row.cells for block in cell.blocks]
        return table.caption + cells
    width = max(sum(cell.columns for cell in row.cells) for row in table.rows)
    return table.caption + _Rows(table.group, width).blocks(table.rows)


def _is_data(table: Table, rows: list[Row]) -> bool:
    cells = [cell for row in rows for cell in row.cells if cell.blocks]
    if table.is_layout or not cells:
        return False
    if any(block.kind not in _SIMPLE for cell in cells for block in cell.blocks):
        return False
    if any(cell.is_head for cell in cells) or any(row.is_head for row in rows):
        return True
    if all(sum(1 for cell in row.cells if cell.blocks) < 2 for row in rows):
        return False
    if any(len(cell.blocks) > 2 for cell in cells):
        return False
    length = sum(len(run.text()) for cell in cells for block in cell.blocks for run in block.runs)
    return length <= _LONGEST_UNHEADED * len(cells)


class _Rows:
    """Makes blocks of rows; knows the heads of the columns and the cells over several rows."""

    def __init__(self, group: int, width: int) -> None:
        self._group = group
        self._width = width
        self._heads: dict[int, list[Run]] = {}
        self._below: dict[int, tuple[int, Cell, int]] = {}
        """By column: rows left, the cell, and the first column it is in."""
        self._repeated = 0
        self._is_head_before = False

    def blocks(self, rows: list[Row]) -> list[PageBlock]:
        made: list[PageBlock] = []
        for row in rows:
            placed = self._placed(row)
            filled = [(column, cell, own) for column, cell, own in placed if cell.blocks]
            if not any(own for _, _, own in filled):
                continue
            is_head = self._is_head(row, [cell for _, cell, own in filled if own])
            # A head over all columns names the table, or a part of it.
            if is_head and (len(placed) > 1 or self._width == 1):
                self._take_heads(placed)
            made.append(self._head_row(filled) if is_head else self._data_row(filled))
            self._is_head_before = is_head
        return made

    def _is_head(self, row: Row, filled: list[Cell]) -> bool:
        if row.is_head:
            return True
        if not all(cell.is_head for cell in filled):
            return False
        if self._heads and all(cell.rows > 1 for cell in filled):
            return False  # They name the rows below.
        return len(filled) > 1 or filled[0].columns >= self._width

    def _placed(self, row: Row) -> list[tuple[int, Cell, bool]]:
        """The cells of a row with their columns; not its own are those that reach into it."""
        placed: list[tuple[int, Cell, bool]] = []
        below = self._below
        self._below = {}
        column = 0

        def reach() -> None:
            nonlocal column
            while column in below:
                left, cell, first = below.pop(column)
                if first == column:
                    placed.append((column, cell, False))
                if left > 1:
                    self._below[column] = (left - 1, cell, first)
                column += 1

        for cell in row.cells:
            reach()
            placed.append((column, cell, True))
            first = column
            for _ in range(cell.columns):
                if column >= WIDEST:
                    break
                below.pop(column, None)
                if cell.rows > 1:
                    self._below[column] = (cell.rows - 1, cell, first)
                column += 1
        while below:
            column = min(below)
            reach()
        return placed

    def _take_heads(self, placed: list[tuple[int, Cell, bool]]) -> None:
        if not self._is_head_before:
            self._heads = {}
        for column, cell, own in placed:
            runs = [replace(run, repeats=run.element is not None) for run in cell.runs()]
            if not own or not runs or _length(runs) > _LONGEST_REPEATED:
                continue
            for reached in range(column, min(column + cell.columns, WIDEST)):
                above = self._heads.get(reached, [])
                between = [Run(None, [(" ", BETWEEN, BETWEEN)])] if above else []
                if _length(above) + _length(runs) <= _LONGEST_REPEATED:
                    self._heads[reached] = [*above, *between, *runs]

    def _head_row(self, filled: list[tuple[int, Cell, bool]]) -> PageBlock:
        parts = [cell.runs() for _, cell, own in filled if own]
        return PageBlock(BlockKind.TABLE_HEADER, _joined(parts, " | "), group=self._group)

    def _data_row(self, filled: list[tuple[int, Cell, bool]]) -> PageBlock:
        parts: list[list[Run]] = []
        has_heads = False
        for column, cell, own in filled:
            runs = cell.runs()
            head = self._heads.get(column, [])
            if not own:
                if not self._may_repeat(_length(runs)):
                    continue
                runs = [replace(run, repeats=run.element is not None) for run in runs]
            if head and self._may_repeat(_length(head)):
                has_heads = True
                runs = [*head, Run(None, [(_colon(head), BETWEEN, BETWEEN)]), *runs]
            parts.append(runs)
        if has_heads:
            runs = _joined(parts, "; ")
        elif len(parts) > 1 and filled[0][1].is_head and not filled[1][1].is_head:
            named = [*parts[0], Run(None, [(_colon(parts[0]), BETWEEN, BETWEEN)]), *parts[1]]
            runs = _joined([named, *parts[2:]], " | ")
        else:
            runs = _joined(parts, " | ")
        return PageBlock(BlockKind.TABLE_ROW, runs, group=self._group)

    def _may_repeat(self, length: int) -> bool:
        """Whether so much more may be repeated; a file must not grow without bounds as text."""
        if length > _LONGEST_REPEATED or self._repeated + length > _MOST_REPEATED:
            return False
        self._repeated += length
        return True


def _joined(parts: list[list[Run]], separator: str) -> list[Run]:
    joined: list[Run] = []
    for part in parts:
        if joined:
            joined.append(Run(None, [(separator, BETWEEN, BETWEEN)]))
        joined += part
    return joined


def _colon(runs: list[Run]) -> str:
    """What stands between a name and its value."""
    text = runs[-1].text().rstrip()
    return " " if text.endswith((":", "：", "?")) else ": "


def _length(runs: list[Run]) -> int:
    return sum(len(words) for run in runs for words, _, _ in run.words)


def _one_line(run: Run) -> Run:
    if not any("\n" in words or "\r" in words for words, _, _ in run.words):
        return run
    words = [
        (" " if start == BETWEEN else words.replace("\n", " ").replace("\r", " "), start, end)
        for words, start, end in run.words
    ]
    return replace(run, words=words)
