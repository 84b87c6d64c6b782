"""OpenDocument spreadsheets (ODS): the visible cells of the visible sheets, as they are shown.

The file keeps the words of each cell as shown; only dates stand in ISO 8601.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pincite.loaders.composer import Composer
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.loaders.office.office_package import Package
from pincite.loaders.sheets.cells import MAXIMUM_CELLS, Area, Row, Sheet, listed
from pincite.loaders.sheets.tables import add_sheet
from pincite.loaders.xml_events import Attributes, Elements, StopReading

_URN = "urn:oasis:names:tc:opendocument:xmlns:"
_PREFIXES = {
    f"{_URN}office:1.0": "office",
    f"{_URN}table:1.0": "table",
    f"{_URN}text:1.0": "text",
    f"{_URN}style:1.0": "style",
    f"{_URN}drawing:1.0": "draw",
    f"{_URN}xsl-fo-compatible:1.0": "fo",
    f"{_URN}manifest:1.0": "manifest",
    f"{_URN}datastyle:1.0": "number",
}
_CELLS = ("table:table-cell", "table:covered-table-cell")
_ASIDE = frozenset(
    {
        "office:annotation",
        "table:tracked-changes",
        "table:shapes",
        "draw:frame",
        "draw:custom-shape",
    }
)
"""Elements whose words stand in no cell."""
_MOST_ROWS, _MOST_COLUMNS = 1_048_576, 16_384


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The tables of every visible sheet; raises `UnreadableContent` for a damaged file."""
    package = Package(data, ".ods")
    _refuse_encrypted(package)
    reader = _Reader()
    wrong = package.read_part("content.xml", reader, _PREFIXES)
    if wrong and not reader.is_cut and not reader.sheets:
        raise package.damaged(wrong)
    composer = Composer()
    for sheet in reader.sheets:
        add_sheet(composer, sheet)
    return composer.extracted(notes=reader.notes("" if reader.is_cut else wrong))


def _refuse_encrypted(package: Package) -> None:
    def handle(name: str, attributes: Attributes) -> None:
        if name == "manifest:encryption-data":
            raise UnreadableContent(
                "is a spreadsheet with a password, which is not read: save it without"
            )

    package.read_part("META-INF/manifest.xml", Elements(handle), _PREFIXES)


@dataclass(slots=True)
class _Reader:
    """Takes the visible cells as they come."""

    sheets: list[Sheet] = field(default_factory=list)
    is_cut: bool = False
    _count: int = 0
    _hidden_sheets: list[str] = field(default_factory=list)
    _hidden_cells: dict[str, list[int]] = field(default_factory=dict)
    """By sheet: how many rows and columns with words were left out."""
    _comments: int = 0
    _aside: int = 0
    _tables: int = 0
    """How many tables are open: there can be one inside a cell."""
    _hidden_styles: set[str] = field(default_factory=set)
    _bold_styles: set[str] = field(default_factory=set)
    _style: str = ""
    _sheet: Sheet | None = None
    _rows: list[Row] = field(default_factory=list)
    _merged: list[Area] = field(default_factory=list)
    _heads: set[int] = field(default_factory=set)
    _gone_rows: set[int] = field(default_factory=set)
    _gone_columns: set[int] = field(default_factory=set)
    _left_out_columns: set[int] = field(default_factory=set)
    _left_out_rows: int = 0
    _row: int = 0
    _column: int = 0
    _row_repeats: int = 1
    _is_row_hidden: bool = False
    _is_head: bool = False
    _is_bold: bool = True
    _cells: list[tuple[int, str]] = field(default_factory=list)
    _attributes: Attributes = field(default_factory=dict)
    _words: list[str] = field(default_factory=list)
    _paragraphs: int = 0

    def start(self, name: str, attributes: Attributes) -> None:
        if self._aside or name in _ASIDE:
            self._aside += 1
            self._comments += name == "office:annotation"
        elif name in _CELLS and self._tables == 1:
            self._attributes, self._words, self._paragraphs = attributes, [], 0
        elif name == "text:p":
            if self._paragraphs:
                self._words.append("\n")
            self._paragraphs += 1
        elif name in ("text:s", "text:tab", "text:line-break"):
            self._words.append(" ")
        elif name == "table:table":
            self._tables += 1
            if self._tables == 1:
                self._begin_sheet(attributes)
        elif name == "table:table-row" and self._tables == 1:
            self._row_repeats = _repeats(attributes, "table:number-rows-repeated", _MOST_ROWS)
            self._is_row_hidden = attributes.get("table:visibility", "visible") != "visible"
            self._column = 0
            self._is_bold = True
            self._cells = []
        elif name == "table:table-column" and self._tables == 1:
            repeats = _repeats(attributes, "table:number-columns-repeated", _MOST_COLUMNS)
            if attributes.get("table:visibility", "visible") != "visible":
                end = min(self._column + repeats, _MOST_COLUMNS)
                self._gone_columns.update(range(self._column + 1, end + 1))
            self._column += repeats
        elif name == "table:table-header-rows":
            self._is_head = True
        elif name == "style:style":
            self._style = attributes.get("style:name", "")
        elif name == "style:table-properties" and attributes.get("table:display") == "false":
            self._hidden_styles.add(self._style)
        elif name == "style:text-properties" and attributes.get("fo:font-weight") == "bold":
            self._bold_styles.add(self._style)

    def text(self, words: str) -> None:
        if self._paragraphs and not self._aside and self._tables == 1:
            self._words.append(words)

    def end(self, name: str) -> None:
        if self._aside:
            self._aside -= 1
        elif name in _CELLS and self._tables == 1:
            self._end_cell(name)
        elif name == "table:table":
            self._tables -= 1
            if not self._tables:
                self._end_sheet()
        elif name == "table:table-row" and self._tables == 1:
            self._end_row()
        elif name == "table:table-header-rows":
            self._is_head = False

    def notes(self, wrong: str) -> list[str]:
        """What to tell a person; `wrong` says why reading ended early."""
        if self._sheet is not None:
            self._end_sheet()
        notes: list[str] = []
        if self.is_cut:
            notes.append(
                f"has more than {MAXIMUM_CELLS:,} cells, and was read up to there: split the file"
                " to have all of it read"
            )
        elif wrong:
            notes.append(f"was read only in part ({wrong}): save the file again")
        for name, (rows, columns) in self._hidden_cells.items():
            parts = [
                f"{count:,} hidden {what}{'s' if count > 1 else ''}"
                for count, what in ((rows, "row"), (columns, "column"))
                if count
            ]
            notes.append(
                f"{' and '.join(parts)} of sheet {listed([name])} were left out: unhide them in"
                " the spreadsheet program to have them read"
            )
        if self._comments:
            notes.append(
                f"comments were left out ({self._comments:,}): copy them into cells to have them"
                " read"
            )
        if self._hidden_sheets:
            notes.append(
                "has hidden sheets, which were left out:"
                f" {listed(self._hidden_sheets)}. Unhide them to have them read"
            )
        return notes

    def _begin_sheet(self, attributes: Attributes) -> None:
        name = attributes.get("table:name", "")
        self._row = self._column = self._left_out_rows = 0
        self._rows, self._merged = [], []
        self._heads, self._gone_rows, self._gone_columns = set(), set(), set()
        self._left_out_columns = set()
        self._sheet = Sheet(name, self._rows)
        if attributes.get("table:style-name") in self._hidden_styles:
            self._hidden_sheets.append(name)
            self._sheet = None

    def _end_sheet(self) -> None:
        sheet, self._sheet = self._sheet, None
        if sheet is None:
            return
        sheet.merged = tuple(self._merged)
        sheet.head_rows = frozenset(self._heads)
        sheet.hidden_rows = frozenset(self._gone_rows)
        sheet.hidden_columns = frozenset(self._gone_columns)
        self.sheets.append(sheet)
        if self._left_out_rows or self._left_out_columns:
            self._hidden_cells[sheet.name] = [self._left_out_rows, len(self._left_out_columns)]

    def _end_cell(self, name: str) -> None:
        attributes = self._attributes
        repeats = _repeats(attributes, "table:number-columns-repeated", _MOST_COLUMNS)
        first = self._column + 1
        self._column += repeats
        words = self._shown() if name == "table:table-cell" and self._sheet is not None else ""
        self._paragraphs = 0
        if not words.strip():
            return
        right = first + _repeats(attributes, "table:number-columns-spanned", _MOST_COLUMNS) - 1
        bottom = self._row + _repeats(attributes, "table:number-rows-spanned", _MOST_ROWS)
        if right > first or bottom > self._row + 1:
            self._merged.append(Area(first, self._row + 1, right, bottom))
        self._is_bold = self._is_bold and attributes.get("table:style-name") in self._bold_styles
        for column in range(first, min(first + repeats, _MOST_COLUMNS + 1)):
            if column in self._gone_columns:
                self._left_out_columns.add(column)
            else:
                self._cells.append((column, words))

    def _shown(self) -> str:
        kind = self._attributes.get("office:value-type", "")
        if kind == "date":
            date = self._attributes.get("office:date-value", "")
            return date.replace("T00:00:00", "").replace("T", " ") or "".join(self._words)
        return "".join(self._words) or self._attributes.get("office:value", "")

    def _end_row(self) -> None:
        first = self._row + 1
        self._row += self._row_repeats
        if self._sheet is None:
            return
        # A sheet ends with a row repeated to its last: rows without words are only counted.
        if self._is_row_hidden and (self._cells or self._row_repeats < 100_000):
            self._gone_rows.update(range(first, self._row + 1))
            self._left_out_rows += bool(self._cells) * self._row_repeats
            return
        if not self._cells:
            return
        if self._is_head or self._is_bold:
            self._heads.add(first)
        for row in range(first, self._row + 1):
            self._count += len(self._cells)
            if self._count > MAXIMUM_CELLS:
                self.is_cut = True
                raise StopReading("it has too many cells")
            self._rows.append((row, self._cells))


def _repeats(attributes: Attributes, name: str, most: int) -> int:
    digits = attributes.get(name, "1")
    is_number = digits.isascii() and digits.isdigit() and len(digits) < 10
    return min(max(1, int(digits)), most) if is_number else 1
