"""One part of a Word document as it is read: its paragraphs and tables, in their order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pincite.loaders import docx_symbols
from pincite.loaders.composer import Piece
from pincite.loaders.docx_styles import Styles, is_on, is_shade, number_of
from pincite.loaders.xml_events import Attributes, StopReading
from pincite.places import ParagraphPlace

MOST_PARAGRAPHS = 400_000
"""Of one part; what comes after is left out."""
_WIDEST_SPAN = 64
_SMALLEST_SIZE = 2
"""Half points; what is printed smaller than this, or just so, is not to be seen."""
_DELETED = frozenset(("w:del", "w:moveFrom"))
_SKIPPED = frozenset(("w:rt", "w:sectPrChange", "w:pPrChange", "w:rPrChange", "w:tblPrChange"))
_LONGEST_CODE = 20
"""Paragraphs; a field whose code is longer has lost its end."""
_BREAKS = {"w:br": "\n", "w:cr": "\n", "w:tab": "\t", "w:ptab": "\t", "w:noBreakHyphen": "-"}
_MATHS = {"m:den": "/", "m:sup": "^", "m:sub": "_", "m:rad": "√"}
_NOTES = {"w:footnoteReference": "footnotes", "w:endnoteReference": "endnotes"}
_MARGINS = {"w:headerReference": "headers", "w:footerReference": "footers"}
_DRAWN = {"c:chart": "chart", "dgm:relIds": "diagram"}


@dataclass(slots=True)
class Paragraph:
    """A paragraph with its words, and what hangs on it: text boxes and notes."""

    place: ParagraphPlace
    style: str = ""
    outline: int | None = None
    list_id: str | None = None
    list_level: int | None = None
    pieces: list[Piece] = field(default_factory=list)
    boxes: list[Item] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    """(part, id) of the footnotes and endnotes that are referred to."""
    is_contents: bool = False
    """A line of a table of contents."""
    is_bold: bool = True
    """All of its words are."""
    mark_is_deleted: bool = False
    mark_is_hidden: bool = False
    hides_words: bool = False


@dataclass(slots=True)
class TableCell:
    items: list[Item] = field(default_factory=list)
    column: int = 1
    columns: int = 1
    continues: bool = False
    """It is the lower part of the cell above."""
    is_shaded: bool = False


@dataclass(slots=True)
class TableRow:
    cells: list[TableCell] = field(default_factory=list)
    is_header: bool = False
    is_deleted: bool = False


@dataclass(slots=True)
class Table:
    rows: list[TableRow] = field(default_factory=list)
    style: str = ""
    has_first_row: bool = False
    number: int = 0


Item = Paragraph | Table


@dataclass(slots=True)
class LeftOut:
    """What a reader of the document does not see, and so is not in its text."""

    hidden: int = 0
    """Code points, without white space."""
    deletions: int = 0
    comments: int = 0
    embedded: int = 0
    linked: int = 0


@dataclass(slots=True)
class _Run:
    style: str = ""
    is_hidden: bool | None = None
    is_bold: bool | None = None
    is_white: bool = False
    is_shaded: bool = False


@dataclass(slots=True)
class _Field:
    code: str = ""
    is_result: bool = False
    age: int = 0
    """Paragraphs that ended since it began."""


@dataclass(slots=True)
class _Level:
    """What is open around the place reached: a text box, or the part itself."""

    part: str
    add: Callable[[Item], None]
    tables: list[Table] = field(default_factory=list)
    paragraphs: list[Paragraph] = field(default_factory=list)


class Story:
    """Events of one part; gives its paragraphs and tables to `add` as they end.

    Paragraphs and tables are counted from `counts` on, which is kept for the next file of the
    same part.
    """

    def __init__(
        self,
        part: str,
        styles: Styles,
        add: Callable[[Item], None],
        left_out: LeftOut,
        counts: dict[str, list[int]],
    ) -> None:
        self.margins: list[tuple[str, str]] = []
        """(part, relationship id) of the headers and footers, in the order they are named."""
        self.drawn: list[tuple[str, str]] = []
        self._styles = styles
        self._left_out = left_out
        self._counts = counts
        self._levels = [_Level(part, add)]
        self._stack: list[str] = []
        self._skipping = 0
        self._deleting = 0
        self._run: _Run | None = None
        self._fields: list[_Field] = []
        self._choices: list[bool] = []
        self._carried: list[Paragraph] = []
        self._takes_text = False

    def start(self, name: str, attributes: Attributes) -> None:
        self._stack.append(name)
        if self._skipping:
            self._skipping += 1
            return
        if name in _SKIPPED or self._is_other_choice(name):
            self._skipping = 1
            return
        if name in _DELETED:
            self._start_deletion()
            return
        if self._deleting:
            return
        if name in ("w:t", "m:t"):
            self._takes_text = True
        elif name in _BREAKS:
            if self._run is not None:
                self._take(_BREAKS[name])
        else:
            self._start_structure(name, attributes)

    def end(self, name: str) -> None:
        self._stack.pop()
        if self._skipping:
            self._skipping -= 1
            return
        if name in _DELETED:
            self._deleting = max(0, self._deleting - 1)
            return
        if self._deleting:
            return
        level = self._levels[-1]
        match name:
            case "w:t" | "m:t":
                self._takes_text = False
            case "w:r":
                self._run = None
            case "w:p":
                if level.paragraphs:
                    self._end_paragraph(level.paragraphs.pop())
            case "w:tbl":
                if level.tables:
                    self._give(level, level.tables.pop())
            case "w:txbxContent":
                if len(self._levels) > 1:
                    self._levels.pop()
            case "mc:AlternateContent":
                self._choices.pop()

    def text(self, words: str) -> None:
        if self._takes_text and not self._skipping and not self._deleting:
            self._take(words.replace("\u00ad", ""))
        elif self._fields and self._stack and self._stack[-1] == "w:instrText":
            code = self._fields[-1]
            code.code = (code.code + words)[:100]

    def _start_deletion(self) -> None:
        parent = self._stack[-2] if len(self._stack) > 1 else ""
        if parent == "w:rPr" and self._levels[-1].paragraphs:
            self._levels[-1].paragraphs[-1].mark_is_deleted = True
        elif parent == "w:trPr" and self._levels[-1].tables:
            self._levels[-1].tables[-1].rows[-1].is_deleted = True
            self._left_out.deletions += 1
        elif not self._deleting:
            self._left_out.deletions += 1
        self._deleting += 1

    def _is_other_choice(self, name: str) -> bool:
        """Whether this is the second of two ways in which the file says the same."""
        if name == "mc:AlternateContent":
            self._choices.append(False)
        elif name in ("mc:Choice", "mc:Fallback") and self._choices:
            if self._choices[-1]:
                return True
            self._choices[-1] = True
        return False

    def _start_structure(self, name: str, attributes: Attributes) -> None:
        match name:
            case "w:p":
                self._start_paragraph()
            case "w:r":
                self._run = _Run()
            case "w:txbxContent":
                self._start_box()
            case "w:fldChar":
                self._start_field(attributes.get("w:fldCharType", ""))
            case "w:sym":
                font, code = attributes.get("w:font", ""), attributes.get("w:char", "")
                self._take(docx_symbols.character(font, code))
            case "w:commentReference":
                self._left_out.comments += 1
            case "o:OLEObject":
                is_link = attributes.get("Type") == "Link"
                self._left_out.linked += is_link
                self._left_out.embedded += not is_link
            case "w:altChunk":
                self._left_out.embedded += 1
            case _ if name in _MATHS:
                self._take(_MATHS[name], is_added=True)
            case _ if name in _NOTES:
                if self._levels[-1].paragraphs and not self._is_unseen():
                    note = (_NOTES[name], attributes.get("w:id", ""))
                    self._levels[-1].paragraphs[-1].notes.append(note)
            case _ if name in _MARGINS:
                self.margins.append((_MARGINS[name], attributes.get("r:id", "")))
            case _ if name in _DRAWN:
                reference = attributes.get("r:id") or attributes.get("r:dm", "")
                self.drawn.append((_DRAWN[name], reference))
            case _:
                self._start_property(name, attributes)

    def _start_property(self, name: str, attributes: Attributes) -> None:
        parent = self._stack[-2] if len(self._stack) > 1 else ""
        level = self._levels[-1]
        if parent == "w:rPr":
            self._start_run_property(name, attributes)
        elif parent in ("w:pPr", "w:numPr") and level.paragraphs:
            paragraph = level.paragraphs[-1]
            if name == "w:pStyle":
                paragraph.style = attributes.get("w:val", "")
            elif name == "w:outlineLvl":
                paragraph.outline = number_of(attributes.get("w:val"), 9)
            elif name == "w:numId":
                paragraph.list_id = attributes.get("w:val", "")
            elif name == "w:ilvl":
                paragraph.list_level = number_of(attributes.get("w:val"))
        elif name == "w:tbl":
            table = Table(number=self._count(level.part, 1))
            level.tables.append(table)
        elif level.tables:
            _start_table_property(level.tables[-1], name, parent, attributes)

    def _start_run_property(self, name: str, attributes: Attributes) -> None:
        run = self._run
        if run is None:
            # Of the paragraph's mark.
            if name == "w:vanish" and is_on(attributes) and self._levels[-1].paragraphs:
                self._levels[-1].paragraphs[-1].mark_is_hidden = True
            return
        value = attributes.get("w:val", "")
        match name:
            case "w:vanish":
                run.is_hidden = is_on(attributes)
            case "w:b":
                run.is_bold = is_on(attributes)
            case "w:rStyle":
                run.style = value
            case "w:color":
                run.is_white = value.lower() == "ffffff"
            case "w:highlight":
                run.is_shaded = value not in ("none", "white")
            case "w:shd":
                run.is_shaded |= is_shade(attributes)
            case "w:sz":
                if 0 < number_of(value) <= _SMALLEST_SIZE:
                    run.is_hidden = True

    def _start_paragraph(self) -> None:
        level = self._levels[-1]
        number = self._count(level.part, 0)
        if number > MOST_PARAGRAPHS:
            raise StopReading(f"it has more than {MOST_PARAGRAPHS:,} paragraphs")
        place = ParagraphPlace(number, number, level.part)
        if level.tables and level.tables[-1].rows and level.tables[-1].rows[-1].cells:
            table = level.tables[-1]
            place = ParagraphPlace(
                number, number, level.part, table.number, len(table.rows),
                table.rows[-1].cells[-1].column,
            )  # fmt: skip
        self._run = None
        level.paragraphs.append(Paragraph(place))

    def _end_paragraph(self, paragraph: Paragraph) -> None:
        self._run = None
        for code in self._fields:
            code.age += 1
        if any(not code.is_result and code.age > _LONGEST_CODE for code in self._fields):
            self._fields.clear()
        if self._carried and not self._levels[-1].paragraphs:
            before = self._carried.pop()
            paragraph.pieces = before.pieces + paragraph.pieces
            paragraph.boxes = before.boxes + paragraph.boxes
            paragraph.notes = before.notes + paragraph.notes
        if paragraph.mark_is_deleted and not self._levels[-1].paragraphs:
            self._carried.append(paragraph)
            return
        self._give(self._levels[-1], paragraph)

    def finish(self) -> None:
        """Give what is still open where the file ends too soon."""
        for level in reversed(self._levels):
            for paragraph in reversed(level.paragraphs):
                self._give(level, paragraph)
            for table in reversed(level.tables):
                level.tables.pop()
                self._give(level, table)
        for paragraph in self._carried:
            self._give(self._levels[0], paragraph)

    def _give(self, level: _Level, item: Item) -> None:
        if level.tables:
            rows = level.tables[-1].rows
            if rows and rows[-1].cells:
                rows[-1].cells[-1].items.append(item)
            return
        level.add(item)

    def _start_box(self) -> None:
        paragraphs = self._levels[-1].paragraphs
        add = paragraphs[-1].boxes.append if paragraphs else self._levels[0].add
        self._levels.append(_Level("text boxes", add))

    def _start_field(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append(_Field())
        elif kind == "separate" and self._fields:
            self._fields[-1].is_result = True
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _take(self, words: str, *, is_added: bool = False) -> None:
        level = self._levels[-1]
        if not words or not level.paragraphs:
            return
        if any(not code.is_result for code in self._fields):
            return
        paragraph = level.paragraphs[-1]
        if self._is_unseen():
            self._left_out.hidden += sum(not letter.isspace() for letter in words)
            paragraph.hides_words = True
            return
        if self._fields and self._fields[0].code.split()[:1] == ["TOC"]:
            paragraph.is_contents = True
        if words.strip():
            run = self._run
            is_bold = run.is_bold if run is not None else None
            if is_bold is None and run is not None and run.style:
                is_bold = self._styles.of(run.style).is_bold
            if is_bold is None:
                is_bold = self._styles.of(paragraph.style).is_bold
            paragraph.is_bold &= bool(is_bold)
        paragraph.pieces.append((words, None if is_added else paragraph.place))

    def _is_unseen(self) -> bool:
        run = self._run
        if run is None:
            return False
        paragraphs = self._levels[-1].paragraphs
        hidden = run.is_hidden
        if hidden is None and run.style:
            hidden = self._styles.of(run.style).is_hidden
        style = self._styles.of(paragraphs[-1].style) if paragraphs else None
        if hidden is None and style is not None:
            hidden = style.is_hidden
        if hidden:
            return True
        # In tables and text boxes white words mostly stand on a coloured ground.
        is_plain_ground = len(self._levels) == 1 and not self._levels[0].tables
        is_shaded = run.is_shaded or (style is not None and bool(style.is_shaded))
        return run.is_white and is_plain_ground and not is_shaded

    def _count(self, part: str, which: int) -> int:
        """The number of the next paragraph (0) or table (1) of a part."""
        counts = self._counts.setdefault(part, [0, 0])
        counts[which] += 1
        return counts[which]


def _start_table_property(table: Table, name: str, parent: str, attributes: Attributes) -> None:
    row = table.rows[-1] if table.rows else None
    cell = row.cells[-1] if row is not None and row.cells else None
    if name == "w:tr":
        table.rows.append(TableRow())
    elif name == "w:tc" and row is not None:
        column = cell.column + cell.columns if cell is not None else 1
        row.cells.append(TableCell(column=column))
    elif name == "w:tblStyle":
        table.style = attributes.get("w:val", "")
    elif name == "w:tblLook":
        table.has_first_row = _has_first_row(attributes)
    elif name == "w:tblHeader" and row is not None:
        row.is_header = is_on(attributes)
    elif parent == "w:tcPr" and cell is not None:
        if name == "w:gridSpan":
            cell.columns = max(1, min(number_of(attributes.get("w:val"), 1), _WIDEST_SPAN))
        elif name == "w:vMerge":
            cell.continues = attributes.get("w:val", "continue") == "continue"
        elif name == "w:shd":
            cell.is_shaded = is_shade(attributes)


def _has_first_row(attributes: Attributes) -> bool:
    """Whether a table's look sets off its first row."""
    if "w:firstRow" in attributes:
        return attributes["w:firstRow"].lower() not in ("0", "false", "off")
    try:
        return bool(int(attributes.get("w:val", "0"), 16) & 0x20)
    except ValueError:
        return False
