"""The tables on a sheet: where each begins and ends, which row is its head, and its rows as lines.

The rules are the ones a person sees: empty rows and columns part tables, a head is a row of words
over columns of other things, a line by itself above a table is its title. Where it is not evident
that a row is a head, the cells are put side by side and no value is given a name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pincite.loaders.composer import Composer, Piece, Repeated
from pincite.loaders.sheets.cells import CellKind, Row, Sheet, kind_of, one_line
from pincite.places import CellPlace
from pincite.records import BlockKind

_TITLE_LENGTH = 100
_HEAD_LENGTH = 60
_NAME_LENGTH = 80
_LOOKED_AT = 50
"""Rows below a head by which it is told that it is one."""
_STOPS = (".", "!", "?", "。", "！", "？", ";", ",")
_JOINT = " | "

Head = dict[int, list[tuple[str, CellPlace]]]
"""By column: the words above it, from the top down, and where they stand."""


@dataclass(frozen=True, slots=True)
class _Region:
    """Rows and columns that hang together."""

    rows: Sequence[Row]
    left: int
    right: int


def add_sheet(composer: Composer, sheet: Sheet, *, is_one_table: bool = False) -> None:
    """Add what stands on `sheet`, below a heading with its name where it has one.

    `is_one_table` says that the rows are one table with a head unless it is plainly none.
    """
    if sheet.name and sheet.rows:
        place = CellPlace(
            sheet.name,
            min(cells[0][0] for _, cells in sheet.rows),
            sheet.rows[0][0],
            max(cells[-1][0] for _, cells in sheet.rows),
            sheet.rows[-1][0],
        )
        composer.heading([(sheet.name, place)], 1)
    writer = _Writer(composer, sheet, is_one_table)
    if is_one_table:
        if sheet.rows:
            writer.add(_region(sheet.rows), None)
        return
    regions = _regions(sheet)
    for index, region in enumerate(regions):
        following = regions[index + 1] if index + 1 < len(regions) else None
        writer.add(region, following)


def _regions(sheet: Sheet) -> list[_Region]:
    """The sheet cut at its empty rows and columns, in reading order."""
    found: list[_Region] = []
    waiting: list[Sequence[Row]] = [sheet.rows] if sheet.rows else []
    while waiting:
        rows = waiting.pop()
        bands = _bands(rows, sheet)
        if len(bands) > 1:
            waiting += reversed(bands)
            continue
        sides = _sides(rows, sheet)
        if len(sides) > 1:
            waiting += reversed(sides)
            continue
        found += _apart(rows)
    return found


def _bands(rows: Sequence[Row], sheet: Sheet) -> list[Sequence[Row]]:
    """`rows` cut where a row is empty; cells merged over it make it none."""
    reached: dict[int, int] = {}
    for area in sheet.merged:
        if area.bottom > area.top:
            reached[area.top] = max(reached.get(area.top, 0), area.bottom)
    cuts = [0]
    filled = 0
    for index, (number, _) in enumerate(rows):
        while filled + 1 in sheet.hidden_rows:
            filled += 1
        if index and number > filled + 1:
            cuts.append(index)
        filled = max(filled, number, reached.get(number, 0))
    return [rows[start:end] for start, end in zip(cuts, [*cuts[1:], len(rows)], strict=True)]


def _sides(rows: Sequence[Row], sheet: Sheet) -> list[Sequence[Row]]:
    """`rows` cut where a column is empty, unless both sides begin and end in the same rows."""
    left = min(cells[0][0] for _, cells in rows)
    right = max(cells[-1][0] for _, cells in rows)
    used = {column for column in sheet.hidden_columns if left < column < right}
    for _, cells in rows:
        used.update(column for column, _ in cells)
        if len(used) > right - left:
            return [rows]
    top, bottom = rows[0][0], rows[-1][0]
    for area in sheet.merged:
        if area.top <= bottom and area.bottom >= top:
            used.update(range(max(area.left, left), min(area.right, right) + 1))
    starts = [column for column in sorted(used) if column - 1 not in used]
    if len(starts) == 1:
        return [rows]
    sides: list[Sequence[Row]] = []
    for start, stop in zip(starts, [*starts[1:], right + 1], strict=True):
        side: list[Row] = []
        for number, cells in rows:
            kept = [cell for cell in cells if start <= cell[0] < stop]
            if kept:
                side.append((number, kept))
        if side:
            sides.append(side)
    if len({(side[0][0], side[-1][0]) for side in sides}) == 1 and len(rows) > 1:
        return [rows]
    return sides


def _apart(rows: Sequence[Row]) -> list[_Region]:
    """`rows` cut where one begins that shares no column with those above it."""
    regions: list[_Region] = []
    start = 0
    left, right = rows[0][1][0][0], rows[0][1][-1][0]
    for index, (_, cells) in enumerate(rows):
        if cells[0][0] > right + 1 or cells[-1][0] < left - 1 or (
            cells[0][0] > right and index > start + 1 and len(cells) > 1
        ):  # fmt: skip
            regions.append(_region(rows[start:index]))
            start = index
            left, right = cells[0][0], cells[-1][0]
        left, right = min(left, cells[0][0]), max(right, cells[-1][0])
    regions.append(_region(rows[start:]))
    return regions


def _region(rows: Sequence[Row]) -> _Region:
    return _Region(
        rows, min(cells[0][0] for _, cells in rows), max(cells[-1][0] for _, cells in rows)
    )


class _Writer:
    """Adds regions one after another; knows the table that a region may go on with."""

    def __init__(self, composer: Composer, sheet: Sheet, is_one_table: bool) -> None:
        self._composer = composer
        self._sheet = sheet
        self._is_one_table = is_one_table
        self._wide = {
            (area.top, area.left): area for area in sheet.merged if area.right > area.left
        }
        self._tall = {
            (area.top, area.left): area for area in sheet.merged if area.bottom > area.top
        }
        self._head: Head = {}
        self._head_words: list[str] = []
        self._group = 0
        self._left = self._right = 0
        self._has_title = False
        self._is_below_title = False
        """The region before was nothing but a title."""

    def add(self, region: _Region, following: _Region | None) -> None:
        rows = list(region.rows)
        if self._is_title(rows[0]) and (len(rows) > 1 or self._leads(region, following)):
            if region.right > region.left or len(rows) == 1:
                self._add_title(rows.pop(0))
                while len(rows) > 1 and len(rows[0][1]) == 1 and len(rows[1][1]) >= 1:
                    if not self._is_line(rows[0]):
                        break
                    self._add_lines([rows.pop(0)])
                if not rows:
                    self._is_below_title = True
                    return
                region = _region(rows)
        elif not self._goes_on(region) and not self._is_below_title:
            self._composer.close_headings(2)
            self._has_title = False
        self._is_below_title = False
        if region.left == region.right and not self._is_one_table and not self._tells(rows):
            self._add_column(rows)
            return
        self._add_table(region)

    def _add_title(self, row: Row) -> None:
        self._composer.close_headings(2)
        self._composer.heading(self._words(row), 2)
        self._head, self._has_title = {}, True

    def _is_title(self, row: Row) -> bool:
        """Whether a row is one short text, as a title above a table is."""
        if self._is_one_table or len(row[1]) != 1:
            return False
        words = one_line(row[1][0][1])
        return (
            len(words) <= _TITLE_LENGTH
            and not words.endswith(_STOPS)
            and kind_of(words) is CellKind.TEXT
        )

    def _is_line(self, row: Row) -> bool:
        return not self._is_one_table and kind_of(row[1][0][1]) is CellKind.TEXT

    def _leads(self, region: _Region, following: _Region | None) -> bool:
        """Whether a line by itself stands over the region that follows."""
        if following is None or len(region.rows) != 1:
            return False
        gap = following.rows[0][0] - region.rows[0][0]
        width = self._wide.get((region.rows[0][0], region.left))
        right = width.right if width is not None else region.right
        is_over = region.left <= following.right and right >= following.left - 1
        return 1 <= gap <= 3 and is_over and (
            len(following.rows) > 1 or following.right > following.left
        )  # fmt: skip

    def _tells(self, rows: Sequence[Row]) -> bool:
        """Whether one column has a head: words above things that are none."""
        return len(rows) > 2 and self._names_columns(rows)

    def _goes_on(self, region: _Region) -> bool:
        """Whether a region can belong to the table above it: same columns, and a head known."""
        return bool(
            self._head
            and self._left <= region.left
            and region.right <= self._right
            and region.right > region.left
        )

    def _add_column(self, rows: Sequence[Row]) -> None:
        """Lines below each other in one column: paragraphs, or entries where they are short."""
        words = [one_line(cells[0][1]) for _, cells in rows]
        if len(rows) == 1 or any(len(w) > _HEAD_LENGTH or w.endswith(_STOPS) for w in words):
            self._add_lines(rows)
            return
        group = self._composer.new_group()
        for row in rows:
            self._composer.add(BlockKind.TABLE_ROW, self._words(row), group=group)
        self._head = {}

    def _add_lines(self, rows: Sequence[Row]) -> None:
        for row in rows:
            self._composer.add(BlockKind.PARAGRAPH, self._words(row))

    def _words(self, row: Row) -> list[Piece]:
        """The cells of a row side by side."""
        number, cells = row
        pieces: list[Piece] = []
        for column, words in cells:
            if pieces:
                pieces.append((_JOINT, None))
            pieces.append((one_line(words), self._place(column, number)))
        return pieces

    def _place(self, column: int, row: int, name: str = "", head: str = "") -> CellPlace:
        return CellPlace(self._sheet.name, column, row, column, row, row=name, column=head)

    def _add_table(self, region: _Region) -> None:
        rows = region.rows
        count = self._head_size(rows)
        if count:
            self._open(rows[:count], region)
        elif not self._goes_on(region):
            self._head, self._head_words = {}, []
            self._group = self._composer.new_group()
            self._left, self._right = region.left, region.right
        elif self._is_doubtful(rows):
            self._head = {}
        self._add_rows(rows[count:])

    def _open(self, rows: Sequence[Row], region: _Region) -> None:
        """Begin a table whose head is `rows`."""
        head: Head = {}
        for number, cells in rows:
            for column, words in cells:
                words = one_line(words)
                place = self._place(column, number, head=words[:_NAME_LENGTH])
                area = self._wide.get((number, column))
                for under in range(column, (area.right if area is not None else column) + 1):
                    head.setdefault(under, []).append((words, place))
        self._head = head
        self._head_words = [one_line(words) for _, words in rows[-1][1]]
        self._group = self._composer.new_group()
        self._left, self._right = region.left, region.right
        for number, cells in rows:
            pieces: list[Piece] = []
            for column, words in cells:
                words = one_line(words)
                if pieces:
                    pieces.append((_JOINT, None))
                pieces.append((words, self._place(column, number, head=words[:_NAME_LENGTH])))
            self._composer.add(BlockKind.TABLE_HEADER, pieces, group=self._group)

    def _head_size(self, rows: Sequence[Row]) -> int:
        """How many rows are the head: 0, 1, or 2 where merged cells stand over several columns."""
        if len(rows) < 2:
            return 0
        number, cells = rows[0]
        has_groups = len(rows) > 2 and any((number, column) in self._wide for column, _ in cells)
        if has_groups and self._is_over(rows[0], rows[1]) and self._names_columns(rows[1:]):
            return 2
        return 1 if self._names_columns(rows) else 0

    def _is_over(self, upper: Row, lower: Row) -> bool:
        """Whether the cells of the upper row are words over groups of those in the lower one."""
        if len(lower[1]) <= len(upper[1]) and not any(
            (upper[0], column) in self._tall for column, _ in upper[1]
        ):
            return False
        return all(
            kind_of(one_line(words)) in (CellKind.TEXT, CellKind.YEAR, CellKind.DATE)
            for _, words in upper[1]
        )

    def _names_columns(self, rows: Sequence[Row]) -> bool:
        """Whether the first of `rows` is the head of a table that the others are the body of."""
        number, cells = rows[0]
        body = rows[1 : 1 + _LOOKED_AT]
        width = _region(rows[: 1 + _LOOKED_AT])
        columns = width.right - width.left + 1
        if not body or len(cells) * 2 < columns or (len(cells) < 2 and columns > 1):
            return False
        heads = {column: one_line(words) for column, words in cells}
        if len(set(heads.values())) * 2 < len(heads):
            return False
        evidence = _evidence(heads, body)
        if evidence < 0:
            return False
        if any(len(words) > 3 * _HEAD_LENGTH for words in heads.values()):
            return False
        if evidence > 0 or number in self._sheet.head_rows or self._is_one_table:
            return True
        # All are words: where nothing tells a head from a row, two columns may be name and value.
        return (
            len(heads) > 2
            and not self._sheet.head_rows
            and all(len(w) <= _HEAD_LENGTH and not w.endswith(_STOPS) for w in heads.values())
            and not _recurs(heads, body)
        )

    def _is_doubtful(self, rows: Sequence[Row]) -> bool:
        """Whether rows after a gap could be another table whose head looks like a row."""
        first = rows[0]
        if [one_line(words) for _, words in first[1]] == self._head_words:
            return True
        return all(kind_of(one_line(words)) is CellKind.TEXT for _, words in first[1]) and (
            len(first[1]) == len(self._head_words) and len(rows) > 1
        )

    def _add_rows(self, rows: Sequence[Row]) -> None:
        names = {
            column: ", ".join(words for words, _ in above)[:_NAME_LENGTH]
            for column, above in self._head.items()
        }
        repeated = {column: _repeated(above) for column, above in self._head.items()}
        reaching: dict[int, tuple[int, Piece]] = {}
        is_after_gap = True
        for index, (number, cells) in enumerate(rows):
            if self._is_section(rows, index, is_after_gap):
                self._composer.close_headings(3 if self._has_title else 2)
                self._composer.heading(self._words(rows[index]), 3 if self._has_title else 2)
                is_after_gap = False
                continue
            is_after_gap = False
            name = self._name(cells[0])
            pieces: list[Piece] = []
            for column, words, piece in self._with_reaching(number, cells, reaching):
                if pieces:
                    pieces.append(("; " if self._head else _JOINT, None))
                head = repeated.get(column)
                if head is not None:
                    pieces += head
                    pieces.append((" " if names[column].endswith((":", "：")) else ": ", None))
                pieces.append(
                    piece
                    or (one_line(words), self._place(column, number, name, names.get(column, "")))
                )
            self._composer.add(BlockKind.TABLE_ROW, pieces, group=self._group)

    def _name(self, first: tuple[int, str]) -> str:
        """What names a row: what stands in its first column, or the words it begins with."""
        name = one_line(first[1])
        is_name = first[0] == self._left or kind_of(name) is CellKind.TEXT
        return name if is_name and len(name) <= _NAME_LENGTH else ""

    def _is_section(self, rows: Sequence[Row], index: int, is_first: bool) -> bool:
        """Whether a row is the name of those below it: one cell merged over several columns."""
        number, cells = rows[index]
        if len(cells) != 1 or index + 1 == len(rows) or self._is_one_table:
            return False
        is_followed = len(rows[index + 1][1]) > 1
        is_wide = (number, cells[0][0]) in self._wide
        is_alone = is_first and self._right - self._left > 1
        return is_followed and (is_wide or is_alone) and self._is_title(rows[index])

    def _with_reaching(
        self, number: int, cells: Iterable[tuple[int, str]], reaching: dict[int, tuple[int, Piece]]
    ) -> Iterable[tuple[int, str, Piece | None]]:
        """The cells of a row with those that reach down into it from rows above."""
        if not self._tall:
            return ((column, words, None) for column, words in cells)
        for column in [column for column, (bottom, _) in reaching.items() if bottom < number]:
            del reaching[column]
        line: list[tuple[int, str, Piece | None]] = [
            (column, "", piece) for column, (_, piece) in reaching.items()
        ]
        for column, words in cells:
            line.append((column, words, None))
            area = self._tall.get((number, column))
            if area is not None:
                place = Repeated(self._place(column, number))
                reaching[column] = area.bottom, (one_line(words), place)
        return sorted(line, key=lambda cell: cell[0])


def _repeated(above: Sequence[tuple[str, CellPlace]]) -> list[Piece]:
    """The head of a column as it stands before each of its values."""
    pieces: list[Piece] = []
    for words, place in above:
        if pieces:
            pieces.append((" ", None))
        pieces.append((words, Repeated(place)))
    return pieces


def _evidence(heads: dict[int, str], body: Sequence[Row]) -> int:
    """1 where the kinds below a row are not its own, -1 where they are the same, 0 for words."""
    below: dict[int, Counter[CellKind]] = {column: Counter() for column in heads}
    for _, cells in body:
        for column, words in cells:
            if column in below:
                below[column][kind_of(one_line(words))] += 1
    differing = same = 0
    for column, words in heads.items():
        if not below[column]:
            continue
        kind = kind_of(words)
        main, count = max(below[column].items(), key=lambda item: (item[1], item[0].value))
        if kind is CellKind.TEXT:
            differing += main is not CellKind.TEXT and count * 2 > below[column].total()
        elif kind is main or (kind is CellKind.NUMBER and main is not CellKind.TEXT):
            same += 1
        else:
            differing += 1
    if same:
        return -1
    return 1 if differing else 0


def _recurs(heads: dict[int, str], body: Sequence[Row]) -> bool:
    """Whether a word of the row stands again below itself, as values do and heads do not."""
    return any(heads.get(column) == one_line(words) for _, cells in body for column, words in cells)
