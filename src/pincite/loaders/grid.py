"""Tables of office documents as rows that can be understood by themselves: `header: value; …`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pincite.loaders.composer import Composer, Piece, Printed, Repeated
from pincite.records import BlockKind

_LONGEST_NAME = 100
"""Code points of the header words that are repeated in every row; longer ones are not repeated."""
_LONGEST_REPEATED = 200
"""Code points of a cell that are repeated in the other rows it spans."""
_MOST_REPEATED = 1_000_000
"""Code points that are repeated so in one table."""
_LONGEST_GUESSED = 60
"""Code points of a cell in a row that is taken for a header without the file saying so."""
_WIDEST = 1_000
_LINE_BREAKS = str.maketrans(dict.fromkeys("\n\r\t\v\f\x85\u2028\u2029", " "))
_NUMBER = re.compile(r"[\s\d.,:%()/+\-–−€$£¥]+")


@dataclass(slots=True)
class Cell:
    """A cell with its words; rows (of those given) and columns count from 1."""

    row: int
    column: int
    pieces: list[Piece] = field(default_factory=list)
    columns: int = 1
    rows: int = 1
    is_strong: bool = False
    """Printed bold or on a shaded ground, as headers often are."""

    @property
    def text(self) -> str:
        return "".join(words for words, _ in self.pieces).strip()


def add_table(composer: Composer, rows: Sequence[Sequence[Cell]], header_rows: int | None) -> None:
    """Add the rows of a table, one block each; those without words are left out.

    `header_rows` says how many rows at the top are the header; None where the file does not
    say, and it is told by what they look like.
    """
    for row in rows:
        for cell in row:
            cell.pieces = one_line(cell.pieces)
    lines = [
        [cell if cell.row == number else _repeated(cell) for cell in line]
        for number, line in enumerate(_laid_out(rows), 1)
    ]
    count = _guessed_header_rows(rows, lines) if header_rows is None else header_rows
    if count >= len(lines):
        count = 0
    names = _names(lines[:count])
    group = composer.new_group()
    for index, line in enumerate(lines):
        if index < count:
            composer.add(BlockKind.TABLE_HEADER, _joined(line, " | "), group=group)
        elif names:
            composer.add(BlockKind.TABLE_ROW, _named(line, names), group=group)
        else:
            composer.add(BlockKind.TABLE_ROW, _joined(line, " | "), group=group)


def one_line(pieces: Sequence[Piece]) -> list[Piece]:
    """The same words with line ends and tabs as spaces, without spaces at the ends."""
    line = [(words.translate(_LINE_BREAKS), place) for words, place in pieces if words]
    while line and not line[0][0].strip():
        line.pop(0)
    while line and not line[-1][0].strip():
        line.pop()
    if line:
        line[0] = (line[0][0].lstrip(), line[0][1])
        line[-1] = (line[-1][0].rstrip(), line[-1][1])
    return line


def _laid_out(rows: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """The cells to be seen in each row from left to right, those that reach down included."""
    reaching: dict[int, tuple[Cell, int]] = {}
    lines: list[list[Cell]] = []
    repeated_length = 0
    for row in rows:
        for cell in row:
            reaching.pop(cell.column, None)
        line = list(row)
        for cell, _ in reaching.values():
            length = len(cell.text)
            if length <= _LONGEST_REPEATED and repeated_length <= _MOST_REPEATED:
                repeated_length += length
                line.append(cell)
        lines.append(sorted(line, key=lambda cell: cell.column))
        reaching = {at: (cell, left - 1) for at, (cell, left) in reaching.items() if left > 1}
        reaching |= {cell.column: (cell, cell.rows - 1) for cell in row if cell.rows > 1}
    return lines


def _repeated(cell: Cell) -> Cell:
    return replace(cell, pieces=repeated(cell.pieces))


def repeated(pieces: Sequence[Piece]) -> list[Piece]:
    """The same words, said again: their place is where they are repeated from."""
    again: list[Piece] = []
    for words, place in pieces:
        if isinstance(place, Printed):
            again.append((words, replace(place, repeated=True)))
        elif place is None or isinstance(place, Repeated):
            again.append((words, place))
        else:
            again.append((words, Repeated(place)))
    return again


def _names(header: Sequence[Sequence[Cell]]) -> dict[int, list[Piece]]:
    """What stands above each column, from the top down."""
    above: dict[int, list[Cell]] = {}
    for line in header:
        for cell in line:
            for column in range(cell.column, min(cell.column + cell.columns, _WIDEST)):
                cells = above.setdefault(column, [])
                if cell.pieces and all(cell.text != other.text for other in cells):
                    cells.append(cell)
    names: dict[int, list[Piece]] = {}
    for column, cells in above.items():
        pieces: list[Piece] = []
        for cell in cells:
            pieces += [(" ", None), *cell.pieces] if pieces else cell.pieces
        if pieces and sum(len(words) for words, _ in pieces) <= _LONGEST_NAME:
            names[column] = repeated(pieces)
    return names


def _named(line: Sequence[Cell], names: dict[int, list[Piece]]) -> list[Piece]:
    filled = [cell for cell in line if cell.pieces]
    # A single cell across the table says what the rows below it are about.
    is_title = len(filled) == 1 and filled[0].columns > 1
    pieces: list[Piece] = []
    for cell in filled:
        if pieces:
            pieces.append(("; ", None))
        name = None if is_title else names.get(cell.column)
        if name is not None:
            pieces += name
            pieces.append((" " if name[-1][0].endswith((":", "：")) else ": ", None))
        pieces += cell.pieces
    return pieces


def _joined(line: Sequence[Cell], separator: str) -> list[Piece]:
    pieces: list[Piece] = []
    for cell in line:
        if cell.pieces:
            pieces += [(separator, None), *cell.pieces] if pieces else cell.pieces
    return pieces


def _guessed_header_rows(rows: Sequence[Sequence[Cell]], lines: Sequence[Sequence[Cell]]) -> int:
    """1 where the first row looks like a header, else 0."""
    if len(rows) < 2 or len(rows[0]) < 2:
        return 0
    first = rows[0]
    texts = [cell.text for cell in first]
    width = max(cell.column + cell.columns for line in lines for cell in line) - 1
    if sum(cell.columns for cell in first) < width or any(cell.rows > 1 for cell in first):
        return 0
    # The corner above the names of the rows is often empty.
    named = texts[1:] if not texts[0] else texts
    if len(set(named)) < len(named) or not all(named):
        return 0
    if any(len(text) > _LONGEST_GUESSED or text.endswith((".", ":")) for text in texts):
        return 0
    if all(cell.is_strong for cell in first if cell.pieces):
        others = [cell for row in rows[1:] for cell in row if cell.pieces]
        if not all(cell.is_strong for cell in others):
            return 1
    # Two columns are as often a name and its value, row by row.
    return 1 if len(first) > 2 and not any(_NUMBER.fullmatch(text) for text in named) else 0
