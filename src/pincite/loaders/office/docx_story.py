"""One part of a Word document as it is read: its paragraphs and tables, in their order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pincite.loaders.office import docx_symbols
from pincite.loaders.office.docx_runs import Run
from pincite.loaders.office.docx_styles import (
    BODY_LEVEL,
    Numbering,
    Styles,
    is_on,
    is_shade,
    number_of,
)
from pincite.loaders.office.docx_tables import OpenTable, start_table_property
from pincite.loaders.office.formulas import Formulas
from pincite.loaders.office.running_text import (
    MOST_PARAGRAPHS,
    OBJECT,
    Item,
    LeftOut,
    Paragraph,
    Table,
    TableRow,
    shown,
)
from pincite.loaders.office.style_names import is_contents
from pincite.loaders.raised import NEAR, Lean, beside
from pincite.loaders.xml_events import Attributes, StopReading
from pincite.places import ParagraphPlace

_DEEPEST_LIST = 9
_DELETED = frozenset(("w:del", "w:moveFrom"))
_SKIPPED = frozenset(("w:rt", "w:sectPrChange", "w:pPrChange", "w:rPrChange", "w:tblPrChange"))
_LONGEST_CODE = 20
"""Paragraphs; a field whose code is longer has lost its end."""
_BREAKS = {"w:br": "\n", "w:cr": "\n", "w:tab": "\t", "w:ptab": "\t", "w:noBreakHyphen": "-"}
_NOTES = {"w:footnoteReference": "footnotes", "w:endnoteReference": "endnotes"}
_MARGINS = {"w:headerReference": "headers", "w:footerReference": "footers"}
_DRAWN = {"c:chart": "chart", "dgm:relIds": "diagram"}


@dataclass(slots=True)
class _Open:
    """A paragraph that is being read, and what the file says of it so far."""

    paragraph: Paragraph
    style: str = ""
    outline: int | None = None
    list_id: str | None = None
    list_level: int | None = None
    is_bold: bool = True
    is_contents: bool = False
    mark_is_deleted: bool = False
    mark_is_hidden: bool = False
    is_shaded: bool = False
    formulas: Formulas = field(default_factory=Formulas)
    lean: Lean = Lean.LEVEL
    """Of the words read last."""


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
    tables: list[OpenTable] = field(default_factory=list)
    paragraphs: list[_Open] = field(default_factory=list)

    @property
    def rows(self) -> list[TableRow]:
        return self.tables[-1].table.rows if self.tables else []


class Story:
    """Events of one part; gives its paragraphs and tables to `add` as they end.

    Paragraphs and tables are counted from `counts` on, which is kept for the next file of the
    same part. `notes` holds what stands in footnotes and endnotes, by (part, id).
    """

    def __init__(
        self,
        part: str,
        styles: Styles,
        numbering: Numbering,
        add: Callable[[Item], None],
        left_out: LeftOut,
        counts: dict[str, list[int]],
    ) -> None:
        self.margins: list[tuple[str, str]] = []
        """(part, relationship id) of the headers and footers, in the order they are named."""
        self.notes: dict[tuple[str, str], list[Item]] = {}
        self._styles = styles
        self._numbering = numbering
        self._left_out = left_out
        self._counts = counts
        self._levels = [_Level(part, add)]
        self._stack: list[str] = []
        self._skipping = 0
        self._deleting = 0
        self._run: Run | None = None
        self._fields: list[_Field] = []
        self._choices: list[bool] = []
        self._carried: list[Paragraph] = []
        self._part = part
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
            case "w:r" | "m:r":
                self._run = None
            case "w:p":
                if level.paragraphs:
                    self._end_paragraph(level.paragraphs.pop())
            case "w:tbl":
                if level.tables:
                    self._end_table(level, level.tables.pop())
            case "w:txbxContent":
                if len(self._levels) > 1:
                    self._levels.pop()
            case "mc:AlternateContent":
                self._choices.pop()
            case _ if name.startswith("m:"):
                self._end_formula(name)

    def text(self, words: str) -> None:
        if self._takes_text and not self._skipping and not self._deleting:
            self._take(shown(words))
        elif self._fields and self._stack and self._stack[-1] == "w:instrText":
            code = self._fields[-1]
            code.code = (code.code + words)[:100]

    def _start_deletion(self) -> None:
        parent = self._stack[-2] if len(self._stack) > 1 else ""
        if parent == "w:rPr" and self._levels[-1].paragraphs:
            self._levels[-1].paragraphs[-1].mark_is_deleted = True
        elif parent == "w:trPr" and self._levels[-1].tables:
            if self._levels[-1].rows:
                self._levels[-1].rows[-1].is_deleted = True
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
            case "w:r" | "m:r":
                self._run = Run()
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
                self._left_out.embedded += attributes.get("Type") != "Link"
                if attributes.get("ProgID", "").startswith("Equation"):
                    self._take(OBJECT, is_added=True)
            case "w:altChunk":
                self._left_out.embedded += 1
            case _ if name.startswith("m:"):
                self._start_formula(name, attributes)
            case _ if name in _NOTES:
                if self._levels[-1].paragraphs and not self._is_unseen():
                    note = (_NOTES[name], attributes.get("w:id", ""))
                    self._levels[-1].paragraphs[-1].paragraph.notes.append(note)
            case _ if name in _MARGINS:
                self.margins.append((_MARGINS[name], attributes.get("r:id", "")))
            case _ if name in _DRAWN:
                reference = attributes.get("r:id") or attributes.get("r:dm", "")
                if self._levels[-1].paragraphs:
                    drawn = self._levels[-1].paragraphs[-1].paragraph.drawn
                    drawn.append((_DRAWN[name], reference))
            case "w:footnote" | "w:endnote":
                self._start_note(attributes)
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
            elif name == "w:shd":
                paragraph.is_shaded = is_shade(attributes)
            elif name == "w:outlineLvl":
                paragraph.outline = number_of(attributes.get("w:val"), 9)
            elif name == "w:numId":
                paragraph.list_id = attributes.get("w:val", "")
            elif name == "w:ilvl":
                paragraph.list_level = number_of(attributes.get("w:val"))
        elif name == "w:tbl":
            level.tables.append(OpenTable(Table(number=self._count(level.part, 1))))
        elif level.tables:
            start_table_property(level.tables[-1], name, parent, attributes)

    def _start_run_property(self, name: str, attributes: Attributes) -> None:
        if self._run is not None:
            self._run.set_property(name, attributes)
        elif name == "w:vanish" and is_on(attributes) and self._levels[-1].paragraphs:
            # Of the paragraph's mark.
            self._levels[-1].paragraphs[-1].mark_is_hidden = True

    def _start_note(self, attributes: Attributes) -> None:
        items: list[Item] = []
        if attributes.get("w:type", "normal") == "normal":
            self.notes[self._part, attributes.get("w:id", "")] = items
        self._levels[0].add = items.append

    def _start_paragraph(self) -> None:
        level = self._levels[-1]
        number = self._count(level.part, 0)
        if number > MOST_PARAGRAPHS:
            raise StopReading(f"it has more than {MOST_PARAGRAPHS:,} paragraphs")
        place = ParagraphPlace(number, number, level.part)
        rows = level.rows
        if rows and rows[-1].cells:
            table = level.tables[-1].table.number
            column = rows[-1].cells[-1].column
            place = ParagraphPlace(number, number, level.part, table, len(rows), column)
        self._run = None
        level.paragraphs.append(_Open(Paragraph(place)))

    def _end_paragraph(self, ended: _Open) -> None:
        self._run = None
        for code in self._fields:
            code.age += 1
        if any(not code.is_result and code.age > _LONGEST_CODE for code in self._fields):
            self._fields.clear()
        paragraph = ended.paragraph
        if self._carried and not self._levels[-1].paragraphs:
            before = self._carried.pop()
            paragraph.pieces = before.pieces + paragraph.pieces
            paragraph.boxes = before.boxes + paragraph.boxes
            paragraph.notes = before.notes + paragraph.notes
        if ended.mark_is_deleted and not self._levels[-1].paragraphs:
            self._carried.append(paragraph)
            return
        self._resolve(ended)
        self._give(self._levels[-1], paragraph)

    def _resolve(self, ended: _Open) -> None:
        """Say what the styles and lists make of a paragraph."""
        paragraph = ended.paragraph
        style_id = ended.style or self._styles.default
        style = self._styles.of(style_id)
        paragraph.is_bold = ended.is_bold
        paragraph.is_title = style.name.lower() == "title"
        outline = style.outline if ended.outline is None else ended.outline
        if paragraph.is_title:
            outline = 0
        if outline is not None and outline < BODY_LEVEL:
            paragraph.heading = outline + 1
        else:
            paragraph.is_layout = ended.is_contents or is_contents(style.name)
        list_id = style.list_id if ended.list_id is None else ended.list_id
        # Word does not number a paragraph that is hidden with its mark.
        if not list_id or list_id == "0" or (ended.mark_is_hidden and not paragraph.pieces):
            return
        level = style.list_level if ended.list_level is None else ended.list_level
        if level is None:
            level = self._numbering.level_of_style(list_id, style_id)
        level = max(0, min(level, _DEEPEST_LIST - 1))
        paragraph.list_id = list_id
        paragraph.marker = self._numbering.next_marker(paragraph.place.part, list_id, level)
        paragraph.level = level + 1 if paragraph.marker else 0

    def _end_table(self, level: _Level, ended: OpenTable) -> None:
        rows = ended.table.rows
        if rows and ended.has_first_row and self._styles.of(ended.style).colours_first_row:
            for cell in rows[0].cells:
                cell.is_shaded = True
        self._give(level, ended.table)

    def finish(self) -> None:
        """Give what is still open where the file ends too soon."""
        for level in reversed(self._levels):
            while level.paragraphs:
                self._end_paragraph(level.paragraphs.pop())
            while level.tables:
                self._end_table(level, level.tables.pop())
        for paragraph in self._carried:
            self._give(self._levels[0], paragraph)

    def _give(self, level: _Level, item: Item) -> None:
        if level.tables:
            if level.rows and level.rows[-1].cells:
                level.rows[-1].cells[-1].items.append(item)
            return
        level.add(item)

    def _start_box(self) -> None:
        paragraphs = self._levels[-1].paragraphs
        add = paragraphs[-1].paragraph.boxes.append if paragraphs else self._levels[0].add
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
            return
        style = self._styles.of(paragraph.style)
        run = self._run or Run()
        if run.strikes(self._styles, style):
            self._left_out.struck += sum(not letter.isspace() for letter in words)
            return
        if self._fields and self._fields[0].code.split()[:1] == ["TOC"]:
            paragraph.is_contents = True
        if words.strip():
            paragraph.is_bold &= run.prints_bold(self._styles, style)
        place = paragraph.paragraph.place
        pieces = paragraph.paragraph.pieces
        if not is_added and pieces:
            space = paragraph.formulas.between(pieces[-1][0], words)
            if space:
                pieces.append((space, None))
        lean = run.leans(self._styles, style)
        if pieces and (lean or paragraph.lean):
            before = [piece[0] for piece in pieces[-NEAR:]]
            end, words = beside(before, paragraph.lean, words, lean)
            pieces[-1] = end, pieces[-1][1]
        paragraph.lean = lean
        pieces.append((words, None if is_added else place))

    def _start_formula(self, name: str, attributes: Attributes) -> None:
        paragraphs = self._levels[-1].paragraphs
        if paragraphs:
            count = len(paragraphs[-1].paragraph.pieces)
            words = paragraphs[-1].formulas.start(name, attributes, count)
            self._take(words, is_added=True)

    def _end_formula(self, name: str) -> None:
        paragraphs = self._levels[-1].paragraphs
        if not paragraphs:
            return
        pieces = paragraphs[-1].paragraph.pieces
        first, words = paragraphs[-1].formulas.end(
            name, lambda start: "".join(piece[0] for piece in pieces[start:])
        )
        if first >= 0:
            pieces.insert(first, ("(", None))
        self._take(words, is_added=True)

    def _is_unseen(self) -> bool:
        paragraphs = self._levels[-1].paragraphs
        if self._run is None or not paragraphs:
            return False
        # In tables and text boxes white words mostly stand on a coloured ground.
        is_plain_ground = len(self._levels) == 1 and not self._levels[0].tables
        is_plain_ground = is_plain_ground and not paragraphs[-1].is_shaded
        style = self._styles.of(paragraphs[-1].style)
        return self._run.is_unseen(self._styles, style, is_plain_ground)

    def _count(self, part: str, which: int) -> int:
        """The number of the next paragraph (0) or table (1) of a part."""
        counts = self._counts.setdefault(part, [0, 0])
        counts[which] += 1
        return counts[which]
