"""Excel workbooks (XLSX): the visible cells of the visible sheets, as the program shows them.

Values stand as their number format shows them, formulas with the value they had when the file was
saved. Read as a stream: what libraries for this format give leaves out formats and what is hidden,
and some build the whole rectangle of a sheet, which two cells far apart make endless.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise

from pincite.loaders.composer import Composer
from pincite.loaders.extracted import Extracted, LoadSettings
from pincite.loaders.office.office_package import Package, Relationship
from pincite.loaders.sheets.cells import MAXIMUM_CELLS, Area, Row, Sheet, listed
from pincite.loaders.sheets.number_formats import BUILT_IN, shown
from pincite.loaders.sheets.rich_words import RichWords
from pincite.loaders.sheets.tables import add_sheet
from pincite.loaders.xml_events import Attributes, Elements, StopReading

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_STRICT = "http://purl.oclc.org/ooxml/spreadsheetml/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_STRICT_LINKS = "http://purl.oclc.org/ooxml/officeDocument/relationships"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_PREFIXES = {_MAIN: "", _STRICT: "", _LINKS: "r", _STRICT_LINKS: "r", _DRAWING: "a"}
_CELL = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,17}")
_SHOWS_NOTHING = ";;;"
"""The number format of cells that are to look empty."""
_YES = ("1", "true", "on")
_MOST_COLUMNS = 16_384


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The tables of every visible sheet; raises `UnreadableContent` for a damaged workbook."""
    package = Package(data, ".xlsx")
    main = next(
        (
            link.target
            for link in package.relationships("").values()
            if link.kind == "officeDocument"
        ),
        "xl/workbook.xml",
    )
    if main.lower().endswith(".bin"):
        from pincite.loaders.sheets import binary_sheets  # An XLSB, which needs its own library.

        return binary_sheets.extract(data, name, settings)
    book = _Workbook()
    wrong = package.read_part(main, book, _PREFIXES)
    if wrong and not book.sheets:
        raise package.damaged(f"its list of sheets cannot be read: {wrong}")
    links = package.relationships(main)
    styles, strings = _Styles(), _Strings()
    by_kind = {link.kind: link.target for link in links.values()}
    notes: list[str] = []
    for kind, events in (("styles", styles), ("sharedStrings", strings)):
        if kind in by_kind:
            wrong = package.read_part(by_kind[kind], events, _PREFIXES)
            if wrong:
                notes.append(f"its part {by_kind[kind]} was read only in part: {wrong}")
    composer = Composer()
    left_over = MAXIMUM_CELLS
    struck, unseen = strings.struck, 0
    hidden = [sheet for sheet, _, is_hidden in book.sheets if is_hidden]
    for sheet_name, link_id, is_hidden in book.sheets:
        link = links.get(link_id)
        if is_hidden or link is None or link.kind != "worksheet":
            continue
        own = package.relationships(link.target)
        reader = _SheetReader(strings.items, styles, book.since_1904, left_over)
        wrong = package.read_part(link.target, reader, _PREFIXES)
        left_over -= reader.count
        struck, unseen = struck + reader.struck, unseen + reader.unseen
        _read_tables(package, own, reader)
        add_sheet(composer, reader.sheet(sheet_name))
        notes += reader.notes(sheet_name, wrong)
        notes += _around(package, own, sheet_name)
        if left_over <= 0:
            break
    for count, why in ((struck, "struck through"), (unseen, "not shown by their number format")):
        if count:
            notes.append(
                f"{count:,} cell{'s' if count > 1 else ''} or parts of cells were left out, {why}:"
                " change that in the spreadsheet program to have them read"
            )
    if hidden:
        notes.append(
            f"has hidden sheets, which were left out: {listed(hidden)}. Unhide them in the"
            " spreadsheet program to have them read"
        )
    return composer.extracted(title=package.title(), notes=notes)


def cell_position(reference: str) -> tuple[int, int] | None:
    """Column and row of `B7`; None for what is no cell."""
    match = _CELL.fullmatch(reference)
    return None if match is None else (_column(match.group(1)), int(match.group(2)))


@functools.cache
def _column(letters: str) -> int:
    """The number of the column called `letters`: one to three of the alphabet."""
    column = 0
    for letter in letters.upper():
        column = column * 26 + ord(letter) - 64
    return column


def area_of(reference: str) -> Area | None:
    """The cells of `B7:C9`; None for what is no range."""
    first, _, last = reference.partition(":")
    start, end = cell_position(first), cell_position(last or first)
    if start is None or end is None or end < start or end[1] < start[1]:
        return None
    return Area(start[0], start[1], end[0], end[1])


class _Nothing:
    """Events of which nothing is wanted; the base of the readers below."""

    def start(self, name: str, attributes: Attributes) -> None:
        pass

    def end(self, name: str) -> None:
        pass

    def text(self, words: str) -> None:
        pass


class _Workbook(_Nothing):
    def __init__(self) -> None:
        self.sheets: list[tuple[str, str, bool]] = []
        """Name, id of the link to its part, whether it is hidden."""
        self.since_1904 = False

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "sheet":
            state = attributes.get("state", "visible")
            self.sheets.append(
                (attributes.get("name", ""), attributes.get("r:id", ""), state != "visible")
            )
        elif name == "workbookPr":
            self.since_1904 = attributes.get("date1904", "").lower() in _YES


class _Styles(_Nothing):
    """What the style of a cell says: its number format, whether it is bold and struck through."""

    def __init__(self) -> None:
        self.codes: list[str] = []
        self.bold: list[bool] = []
        self.struck: list[bool] = []
        self._own: dict[int, str] = {}
        self._fonts: list[dict[str, bool]] = []
        self._part = ""

    def start(self, name: str, attributes: Attributes) -> None:
        if name in ("fonts", "cellXfs", "cellStyleXfs", "dxfs", "numFmts"):
            self._part = name
        elif name == "numFmt" and self._part == "numFmts":
            self._own[_whole(attributes.get("numFmtId"))] = attributes.get("formatCode", "")
        elif name == "font" and self._part == "fonts":
            self._fonts.append({})
        elif name in ("b", "strike") and self._part == "fonts" and self._fonts:
            self._fonts[-1][name] = attributes.get("val", "1").lower() in _YES
        elif name == "xf" and self._part == "cellXfs":
            number = _whole(attributes.get("numFmtId"))
            number_of_font = _whole(attributes.get("fontId"))
            has_font = number_of_font < len(self._fonts)
            font = self._fonts[number_of_font] if has_font else {}
            self.codes.append(self._own.get(number, BUILT_IN.get(number, "")))
            self.bold.append(font.get("b", False))
            self.struck.append(font.get("strike", False))

    def end(self, name: str) -> None:
        if name == self._part:
            self._part = ""


class _Strings(_Nothing):
    """The strings that cells share, without their reading aids (furigana)."""

    def __init__(self) -> None:
        self.items: list[str] = []
        self.struck = 0
        self._words = RichWords()
        self._is_inside = False
        self._aids = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "rPh":
            self._aids += 1
        self._is_inside = name == "t" and not self._aids
        if not self._is_inside:
            self._words.start(name, attributes)

    def text(self, words: str) -> None:
        if self._is_inside:
            self._words.add(words)

    def end(self, name: str) -> None:
        self._is_inside = False
        if name == "rPh":
            self._aids -= 1
        elif name == "si":
            self.items.append(unescaped(self._words.taken()))
            self.struck = self._words.struck


def unescaped(words: str) -> str:
    """`words` with `_x000D_` and the like as the signs they stand for."""
    if "_x" not in words:
        return words
    return _ESCAPED.sub(lambda match: chr(int(match.group(1), 16)), words)


@dataclass(slots=True)
class _SheetReader(_Nothing):
    """Takes the visible cells of a sheet as they come."""

    strings: list[str]
    styles: _Styles
    since_1904: bool
    most: int
    count: int = 0
    rows: list[Row] = field(default_factory=list)
    merged: list[Area] = field(default_factory=list)
    head_rows: set[int] = field(default_factory=set)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    left_out_rows: int = 0
    left_out_columns: set[int] = field(default_factory=set)
    """Those that are hidden and hold words."""
    unknown_formulas: int = 0
    struck: int = 0
    unseen: int = 0
    """Cells with a number format that shows nothing."""
    is_cut: bool = False
    _row: int = 0
    _column: int = 0
    _cells: list[tuple[int, str]] = field(default_factory=list)
    _is_hidden: bool = False
    _is_bold: bool = True
    _kind: str = ""
    _style: int = 0
    _words: RichWords = field(default_factory=RichWords)
    _takes: bool = False
    _has_formula: bool = False
    _aids: int = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if name == "c":
            match = _CELL.match(attributes.get("r", ""))
            self._column = _column(match.group(1)) if match is not None else self._column + 1
            self._kind = attributes.get("t", "n")
            style = attributes.get("s")
            self._style = _whole(style) if style else 0
            self._words.taken()
            self._has_formula = False
        elif name == "v":
            self._takes = True
        elif name == "t":
            self._takes = self._kind == "inlineStr" and not self._aids
        elif name == "f":
            self._has_formula = True
        elif name == "row":
            self._row = _whole(attributes.get("r")) or self._row + 1
            self._column = 0
            self._cells = []
            self._is_hidden = attributes.get("hidden", "").lower() in _YES
            self._is_bold = True
        elif name in ("r", "vertAlign", "strike"):
            self._words.start(name, attributes)
        elif name == "rPh":
            self._aids += 1
        elif name == "col":
            if attributes.get("hidden", "").lower() in _YES:
                first = _whole(attributes.get("min"))
                last = min(_whole(attributes.get("max")) or first, _MOST_COLUMNS)
                self.hidden_columns.update(range(first, last + 1))
        elif name == "mergeCell":
            area = area_of(attributes.get("ref", ""))
            if area is not None and len(self.merged) < MAXIMUM_CELLS:
                self.merged.append(area)
        elif name == "pane":
            frozen = attributes.get("state", "").startswith("frozen")
            if frozen and attributes.get("ySplit", "") in ("1", "1.0"):
                self.head_rows.add(1)
        elif name == "autoFilter":
            self.add_head(attributes.get("ref", ""))

    def add_head(self, reference: str) -> None:
        """Take the first row of a range as the head of a table."""
        area = area_of(reference)
        if area is not None:
            self.head_rows.add(area.top)

    def text(self, words: str) -> None:
        if self._takes:
            self._words.add(words)

    def end(self, name: str) -> None:
        if name == "v" or name == "t":
            self._takes = False
        elif name == "c":
            self._end_cell()
        elif name == "rPh":
            self._aids -= 1
        elif name == "row":
            self._end_row()

    def sheet(self, name: str) -> Sheet:
        """What was read; to be asked at the end."""
        if any(one[0] >= other[0] for one, other in pairwise(self.rows)):
            self.rows.sort(key=lambda row: row[0])
        return Sheet(
            name,
            self.rows,
            tuple(self.merged),
            frozenset(self.head_rows),
            frozenset(self.hidden_rows),
            frozenset(self.hidden_columns),
        )

    def notes(self, name: str, wrong: str) -> list[str]:
        """What to tell a person of the sheet called `name`."""
        where = f"sheet {listed([name])}"
        notes: list[str] = []
        if self.is_cut:
            notes.append(
                f"has more than {MAXIMUM_CELLS:,} cells, and was read up to row {self._row:,} of"
                f" {where}: split the file to have all of it read"
            )
        elif wrong:
            notes.append(f"{where} was read only in part: {wrong}. Save the file again")
        parts = [
            f"{count:,} hidden {what}{'s' if count > 1 else ''}"
            for count, what in ((self.left_out_rows, "row"), (len(self.left_out_columns), "column"))
            if count
        ]
        if parts:
            notes.append(
                f"{' and '.join(parts)} of {where} were left out: unhide them in the spreadsheet"
                " program to have them read"
            )
        if self.unknown_formulas:
            count = self.unknown_formulas
            notes.append(
                f"{count:,} formula{'s' if count > 1 else ''} on {where} without a value in the"
                " file: open it in a spreadsheet program and save it"
            )
        return notes

    def _end_cell(self) -> None:
        written = self._words.taken()
        self.struck, self._words.struck = self.struck + self._words.struck, 0
        words = self._value(written)
        if not words.strip():
            if self._has_formula and not written:
                self.unknown_formulas += 1
            self.unseen += bool(written.strip())
            return
        if self._column in self.hidden_columns:
            self.left_out_columns.add(self._column)
            return
        is_known = self._style < len(self.styles.codes)
        if is_known and self.styles.struck[self._style]:
            self.struck += 1
            return
        self._is_bold = self._is_bold and is_known and self.styles.bold[self._style]
        self._cells.append((self._column, words))

    def _end_row(self) -> None:
        cells = self._cells
        if self._is_hidden:
            self.hidden_rows.add(self._row)
            self.left_out_rows += bool(cells)
            return
        if not cells:
            return
        # Programs write cells and rows in order; where another did not, they are put in order.
        if any(one[0] >= other[0] for one, other in pairwise(cells)):
            cells = sorted(dict(cells).items())
        self.count += len(cells)
        if self.count > self.most:
            self.is_cut = True
            raise StopReading("it has too many cells")
        if self._is_bold:
            self.head_rows.add(self._row)
        self.rows.append((self._row, cells))

    def _value(self, raw: str) -> str:
        kind = self._kind
        codes = self.styles.codes
        code = codes[self._style] if self._style < len(codes) else ""
        if code == _SHOWS_NOTHING:
            return ""
        if kind == "s":
            index = _whole(raw)
            return self.strings[index] if index < len(self.strings) else ""
        if kind in ("str", "inlineStr"):
            return unescaped(raw)
        if kind == "b":
            return "TRUE" if raw.strip() in _YES else "FALSE" if raw.strip() else ""
        if kind != "n":
            return raw.replace("T00:00:00", "") if kind == "d" else raw
        try:
            number = float(raw)
        except ValueError:
            return raw
        if not code and _WHOLE_NUMBER.fullmatch(raw):
            return raw
        return shown(number, code, since_1904=self.since_1904)


def _read_tables(package: Package, links: Mapping[str, Relationship], reader: _SheetReader) -> None:
    """Take the heads of the tables that the sheet names as such."""

    def handle(name: str, attributes: Attributes) -> None:
        if name == "table" and attributes.get("headerRowCount", "1") != "0":
            reader.add_head(attributes.get("ref", ""))

    for link in links.values():
        if link.kind == "table" and link.target in package:
            package.read_part(link.target, Elements(handle), _PREFIXES)


def _around(package: Package, links: Mapping[str, Relationship], name: str) -> list[str]:
    """What stands on a sheet and in none of its cells: comments, text in drawings and charts."""
    counts = {"comment": 0, "a:t": 0}

    def handle(element: str, attributes: Attributes) -> None:
        if element in counts:
            counts[element] += 1

    for link in links.values():
        if link.kind in ("comments", "drawing") and link.target in package:
            package.read_part(link.target, Elements(handle), _PREFIXES)
    notes: list[str] = []
    if counts["comment"]:
        notes.append(
            f"comments on sheet {listed([name])} were left out ({counts['comment']:,}): copy them"
            " into cells to have them read"
        )
    if counts["a:t"]:
        notes.append(
            f"text in drawings on sheet {listed([name])} was left out: copy it into cells to have"
            " it read"
        )
    return notes


def _whole(digits: str | None) -> int:
    """A whole number that is not negative; 0 where there is none."""
    digits = (digits or "").strip()
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else 0
