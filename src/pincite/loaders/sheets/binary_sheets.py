"""Old and binary Excel workbooks (XLS, XLSB), read by calamine.

It gives values without their number formats, and does not tell hidden rows and columns.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING

from pincite.loaders.composer import Composer
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.loaders.sheets.cells import MAXIMUM_CELLS, Area, Row, Sheet, listed, plain_number
from pincite.loaders.sheets.tables import add_sheet

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

_MAXIMUM_UNPACKED = 256 * 1024 * 1024
_MOST_IN_RECTANGLE = 10_000_000
"""Cells between the first and the last of a sheet, empty ones too: calamine has room for each."""
_ROW = 0
_CELLS = range(1, 12)
"""Kinds of records that begin with the number of a row, and with that of a column."""

_Value = int | float | str | bool | date | datetime | time | timedelta


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The tables of every visible sheet; raises `UnreadableContent` for a damaged workbook."""
    # Not at the top: one format's library need not be loaded to read another's files.
    from python_calamine import CalamineError, PasswordError, SheetTypeEnum, SheetVisibleEnum

    if data.startswith(b"PK"):
        data = _repacked(data)
    try:
        book = _opened(data)
    except PasswordError as error:
        raise UnreadableContent(
            "is an Excel file with a password, which is not read: save it without"
        ) from error
    except (CalamineError, OSError, ValueError) as error:
        raise _damaged(str(error)) from error
    composer = Composer()
    notes: list[str] = []
    hidden: list[str] = []
    left = MAXIMUM_CELLS
    for sheet in book.sheets_metadata:
        if sheet.visible != SheetVisibleEnum.Visible:
            hidden.append(sheet.name)
            continue
        if sheet.typ != SheetTypeEnum.WorkSheet or left <= 0:
            continue
        try:
            read = book.get_sheet_by_name(sheet.name)
        except (CalamineError, OSError, ValueError) as error:
            notes.append(f"sheet {listed([sheet.name])} could not be read ({error})")
            continue
        rows, is_cut = _rows(read, left)
        left -= sum(len(cells) for _, cells in rows)
        if is_cut:
            left = 0
            notes.append(
                f"has more than {MAXIMUM_CELLS:,} cells, and was read up to a row of sheet"
                f" {listed([sheet.name])}: split the file to have all of it read"
            )
        areas = (
            Area(start[1] + 1, start[0] + 1, end[1] + 1, end[0] + 1)
            for start, end in read.merged_cell_ranges or ()
        )
        add_sheet(composer, Sheet(sheet.name, rows, tuple(areas)))
    if hidden:
        notes.append(
            f"has hidden sheets, which were left out: {listed(hidden)}. Unhide them in the"
            " spreadsheet program to have them read"
        )
    return composer.extracted(notes=notes)


def _opened(data: bytes) -> CalamineWorkbook:
    from python_calamine import CalamineWorkbook

    return CalamineWorkbook.from_filelike(io.BytesIO(data))


def _damaged(why: str) -> UnreadableContent:
    return UnreadableContent(
        f"is an Excel file that cannot be read ({' '.join(why.split())[:150]}): open it in a"
        " spreadsheet program and save it as .xlsx"
    )


def _repacked(data: bytes) -> bytes:
    """The same workbook (XLSB) with nothing in it that unpacks to more than it says.

    Its sheets are looked through first: on two cells far apart calamine would end the process.
    """
    packed = io.BytesIO()
    left = _MAXIMUM_UNPACKED
    try:
        with (
            zipfile.ZipFile(io.BytesIO(data)) as source,
            zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as target,
        ):
            for member in source.infolist():
                left -= member.file_size
                if left < 0:
                    raise UnreadableContent(
                        f"would unpack to more than {_MAXIMUM_UNPACKED // 1_000_000} MB, which no"
                        " ordinary workbook does: split it"
                    )
                part = source.read(member)
                if member.filename.lower().startswith("xl/worksheets/") and _is_sparse(part):
                    raise UnreadableContent(
                        "has cells so far apart that it cannot be read: save it as .xlsx"
                    )
                target.writestr(member.filename, part)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, ValueError) as error:
        raise _damaged(str(error)) from error
    return packed.getvalue()


def _is_sparse(part: bytes) -> bool:
    """Whether the rectangle around the cells of a sheet is too large to be read."""
    rows: list[int] = []
    columns: list[int] = []
    for kind, start in _records(part):
        if kind == _ROW:
            number = int.from_bytes(part[start : start + 4], "little")
            rows = [min(number, rows[0]), max(number, rows[1])] if rows else [number, number]
        elif kind in _CELLS:
            number = int.from_bytes(part[start : start + 4], "little")
            columns = (
                [min(number, columns[0]), max(number, columns[1])] if columns else [number, number]
            )
    if not rows or not columns:
        return False
    return (rows[1] - rows[0] + 1) * (columns[1] - columns[0] + 1) > _MOST_IN_RECTANGLE


def _records(part: bytes) -> Iterator[tuple[int, int]]:
    """The kind of each record of a binary part, and where its content begins."""
    position = 0
    while position + 1 < len(part):
        kind = part[position]
        position += 1
        if kind & 0x80:
            kind = (kind & 0x7F) | (part[position] & 0x7F) << 7
            position += 1
        size = shift = 0
        while position < len(part) and shift < 28:
            byte = part[position]
            position += 1
            size |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                break
        yield kind, position
        position += size


def _rows(sheet: CalamineSheet, most: int) -> tuple[list[Row], bool]:
    """The rows with words, and whether there were more cells than `most`."""
    start = sheet.start
    if start is None:
        return [], False
    rows: list[Row] = []
    count = 0
    values: Iterable[_Value]
    # By rows, and not all at once: as a list a sheet takes far more memory than its words. They
    # come from the first of the sheet on, their cells from the first column that is used.
    for number, values in enumerate(sheet.iter_rows(), start=1):
        cells = [
            (column, words)
            for column, value in enumerate(values, start=start[1] + 1)
            if (words := shown(value)).strip()
        ]
        count += len(cells)
        if count > most:
            return rows, True
        if cells:
            rows.append((number, cells))
    return rows, False


def shown(value: _Value) -> str:
    """A value as text: dates in ISO 8601, numbers with all their digits, `TRUE` and `FALSE`."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, (int, float)):
        return plain_number(float(value))
    if isinstance(value, datetime):
        has_time = value.time() != time()
        return value.isoformat(" ", "seconds") if has_time else value.date().isoformat()
    if isinstance(value, timedelta):
        minutes, second = divmod(round(value.total_seconds()), 60)
        hours, minute = divmod(minutes, 60)
        return f"{hours}:{minute:02}:{second:02}"
    if isinstance(value, time):
        return value.isoformat("seconds")
    return value.isoformat()
