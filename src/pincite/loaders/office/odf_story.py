"""The content of an OpenDocument file as it is read: paragraphs, tables, and slides with shapes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from pincite.loaders.office.odf_slides import OpenSlide, SlideShape, box_of
from pincite.loaders.office.odf_styles import OUTLINE, Counter, Styles, whole
from pincite.loaders.office.running_text import (
    MOST_PARAGRAPHS,
    OBJECT,
    Item,
    LeftOut,
    Paragraph,
    Table,
    TableCell,
    TableRow,
    shown,
)
from pincite.loaders.raised import NEAR, Lean, beside
from pincite.loaders.xml_events import Attributes, StopReading
from pincite.places import ParagraphPlace

_WIDEST = 1_000
_MOST_SPACES = 50
_SKIPPED = frozenset(
    ("text:tracked-changes", "office:annotation", "text:ruby-text", "svg:title", "svg:desc",
     "text:note-citation", "office:forms", "text:hidden-text", "office:event-listeners",
     "draw:glue-point", "text:number")
)  # fmt: skip
_CONTENTS = frozenset(
    ("text:table-of-content", "text:illustration-index", "text:table-index", "text:object-index",
     "text:user-index", "text:alphabetical-index")
)  # fmt: skip
_BOXES = frozenset(("draw:text-box", "draw:custom-shape", "draw:rect", "draw:ellipse",
                    "draw:line", "draw:connector", "draw:polygon", "draw:path",
                    "draw:caption", "draw:regular-polygon", "draw:circle"))  # fmt: skip
_SHAPES = (_BOXES - {"draw:text-box"}) | {"draw:frame"}
_SPACE = re.compile(r"[ \t\r\n]+")


@dataclass(slots=True)
class _Open:
    paragraph: Paragraph
    is_hidden: bool = False
    is_white: bool = False
    is_shaded: bool = False
    is_bold: bool = False
    is_struck: bool = False
    lean: Lean = Lean.LEVEL
    last: Lean = Lean.LEVEL
    """Of the words read last."""
    bold: list[bool] = field(default_factory=list)
    ends_in_space: bool = True
    spans: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _List:
    style: str
    counter: Counter
    start: int | None = None
    marks_next: bool = False
    """The next paragraph is the first of an item."""


@dataclass(slots=True)
class _Level:
    """What is open around the place reached: a text box, a note, or the body."""

    part: str
    add: Callable[[Item], None]
    tables: list[Table] = field(default_factory=list)
    paragraphs: list[_Open] = field(default_factory=list)
    lists: list[_List] = field(default_factory=list)
    repeats: list[int] = field(default_factory=list)
    """For each open table, how many columns its last cell takes up."""


class Story:
    """Events of the content; gives paragraphs and tables of the body to `add` as they end.

    Slides are gathered in `slides` instead, notes by (part, id) in `notes`.
    """

    def __init__(
        self,
        part: str,
        styles: Styles,
        add: Callable[[Item], None],
        left_out: LeftOut,
        counts: dict[str, list[int]],
    ) -> None:
        self.notes: dict[tuple[str, str], list[Item]] = {}
        self.slides: list[OpenSlide] = []
        self._styles = styles
        self._left_out = left_out
        self._counts = counts
        self._levels = [_Level(part, add)]
        self._opened: list[str] = []
        """Names of the elements that opened each level after the first."""
        self._skipping = 0
        self._is_in_line = False
        """The frame read last stands in a line as if it were a letter."""
        self._contents = 0
        self._hidden = 0
        self._notes_page = 0
        self._headers = 0
        self._note_kinds: list[str] = []
        self._outline = Counter()
        self._last: dict[str, Counter] = {}
        self._named: dict[str, Counter] = {}

    def start(self, name: str, attributes: Attributes) -> None:
        if self._skipping:
            self._skipping += 1
            self._left_out.deletions += name == "text:deletion"
            return
        if name in _SKIPPED:
            self._skipping = 1
            self._left_out.comments += name == "office:annotation"
            return
        self._styles.start(name, attributes)
        level = self._levels[-1]
        match name:
            case "text:p" | "text:h":
                self._start_paragraph(name, attributes)
            case "text:span":
                if level.paragraphs:
                    level.paragraphs[-1].spans.append(attributes.get("text:style-name", ""))
            case "text:s":
                self._take(" " * min(whole(attributes.get("text:c"), 1), _MOST_SPACES))
            case "text:tab":
                self._take("\t")
            case "text:line-break":
                self._take("\n")
            case "text:list":
                self._start_list(attributes)
            case "text:list-item" | "text:list-header":
                if level.lists:
                    start = attributes.get("text:start-value")
                    level.lists[-1].start = None if start is None else whole(start, 1)
                    level.lists[-1].marks_next = name == "text:list-item"
            case "text:note":
                self._note_kinds.append(attributes.get("text:note-class", "footnote") + "s")
            case "text:note-body":
                self._start_note()
            case "text:section":
                hides = attributes.get("text:display", "true") != "true"
                self._hidden += bool(self._hidden or hides)
            case "text:hidden-paragraph":
                if level.paragraphs and attributes.get("text:is-hidden") == "true":
                    level.paragraphs[-1].is_hidden = True
            case "draw:page":
                style = self._styles.of("drawing-page", attributes.get("draw:style-name", ""))
                self.slides.append(OpenSlide(is_hidden=style.hides_slide))
            case "presentation:notes":
                self._notes_page += 1
            case "draw:object" | "draw:object-ole":
                self._left_out.embedded += 1
                self._skipping = 1
                if self._is_in_line and not self.slides:
                    self._take(OBJECT)
            case "draw:frame":
                self._is_in_line = attributes.get("text:anchor-type") == "as-char"
            case _ if name in _CONTENTS:
                self._contents += 1
            case _ if name.startswith("table:"):
                self._start_table(name, attributes)
        if name in _SHAPES and self.slides and len(self._levels) == 1:
            self._start_shape(name, attributes)
        elif name in _BOXES and not (self.slides and name == "draw:text-box"):
            self._open(name, _Level("text boxes", self._hanging()))

    def end(self, name: str) -> None:
        if self._skipping:
            self._skipping -= 1
            return
        level = self._levels[-1]
        match name:
            case "text:p" | "text:h":
                if level.paragraphs:
                    self._end_paragraph(level.paragraphs.pop())
            case "text:span":
                if level.paragraphs and level.paragraphs[-1].spans:
                    level.paragraphs[-1].spans.pop()
            case "text:list":
                if level.lists:
                    level.lists.pop()
            case "text:note":
                if self._note_kinds:
                    self._note_kinds.pop()
            case "text:section":
                self._hidden = max(0, self._hidden - 1)
            case "presentation:notes":
                self._notes_page -= 1
            case "table:table-header-rows":
                self._headers = max(0, self._headers - 1)
            case "table:table":
                if level.tables:
                    level.repeats.pop()
                    self._give(level, level.tables.pop())
            case _ if name in _CONTENTS:
                self._contents -= 1
        if self._opened and self._opened[-1] == name:
            self._opened.pop()
            self._levels.pop()

    def text(self, words: str) -> None:
        level = self._levels[-1]
        if self._skipping or not level.paragraphs:
            return
        words = _SPACE.sub(" ", shown(words))
        if level.paragraphs[-1].ends_in_space and words.startswith(" "):
            words = words[1:]
        if words:
            self._take(words)
            level.paragraphs[-1].ends_in_space = words.endswith(" ")

    def finish(self) -> None:
        """Give what is still open where the file ends too soon."""
        while self._levels:
            level = self._levels[-1]
            while level.paragraphs:
                self._end_paragraph(level.paragraphs.pop())
            while level.tables:
                self._give(level, level.tables.pop())
            self._levels.pop()

    def _open(self, name: str, level: _Level) -> None:
        self._opened.append(name)
        self._levels.append(level)

    def _hanging(self) -> Callable[[Item], None]:
        """Where what hangs on the place reached goes: to the paragraph, else to the body."""
        paragraphs = self._levels[-1].paragraphs
        if paragraphs:
            return paragraphs[-1].paragraph.boxes.append
        level = self._levels[-1]
        return lambda item: self._give(level, item)

    def _start_note(self) -> None:
        items: list[Item] = []
        kind = self._note_kinds[-1] if self._note_kinds else "footnotes"
        key = (kind, str(len(self.notes)))
        self.notes[key] = items
        paragraphs = self._levels[-1].paragraphs
        if paragraphs:
            paragraphs[-1].paragraph.notes.append(key)
        self._open("text:note-body", _Level(kind, items.append))

    def _start_shape(self, name: str, attributes: Attributes) -> None:
        kind = attributes.get("presentation:class", "")
        slide = self.slides[-1]
        if self._notes_page:
            ignored: list[Item] = []
            add = slide.notes.append if kind == "notes" else ignored.append
        else:
            shape = SlideShape(kind, box_of(attributes))
            slide.shapes.append(shape)
            add = shape.items.append
        self._open(name, _Level("body", add))

    def _start_list(self, attributes: Attributes) -> None:
        level = self._levels[-1]
        style = attributes.get("text:style-name", "")
        if level.lists:
            outer = level.lists[-1]
            level.lists.append(_List(style or outer.style, outer.counter))
            return
        counter = Counter()
        if attributes.get("text:continue-list") in self._named:
            counter = self._named[attributes["text:continue-list"]]
        elif attributes.get("text:continue-numbering") == "true":
            counter = self._last.get(style, counter)
        self._last[style] = counter
        if "xml:id" in attributes:
            self._named[attributes["xml:id"]] = counter
        level.lists.append(_List(style, counter))

    def _start_table(self, name: str, attributes: Attributes) -> None:
        level = self._levels[-1]
        if name == "table:table":
            level.tables.append(Table(number=self._count(level.part, 1)))
            level.repeats.append(1)
            return
        if not level.tables:
            return
        rows = level.tables[-1].rows
        cells = rows[-1].cells if rows else []
        if name == "table:table-header-rows":
            self._headers += 1
        elif name == "table:table-row":
            rows.append(TableRow(is_header=self._headers > 0))
        elif name in ("table:table-cell", "table:covered-table-cell") and rows:
            column = cells[-1].column + level.repeats[-1] if cells else 1
            level.repeats[-1] = min(
                whole(attributes.get("table:number-columns-repeated"), 1), _WIDEST
            )
            style = self._styles.of("table-cell", attributes.get("table:style-name", ""))
            cells.append(
                TableCell(
                    column=min(column, _WIDEST),
                    columns=min(whole(attributes.get("table:number-columns-spanned"), 1), _WIDEST),
                    rows=whole(attributes.get("table:number-rows-spanned"), 1),
                    is_shaded=bool(style.is_shaded),
                    is_covered=name == "table:covered-table-cell",
                )
            )

    def _start_paragraph(self, name: str, attributes: Attributes) -> None:
        level = self._levels[-1]
        number = self._count(level.part, 0)
        if number > MOST_PARAGRAPHS:
            raise StopReading(f"it has more than {MOST_PARAGRAPHS:,} paragraphs")
        place = ParagraphPlace(number, number, level.part)
        rows = level.tables[-1].rows if level.tables else []
        if rows and rows[-1].cells:
            table, column = level.tables[-1].number, rows[-1].cells[-1].column
            place = ParagraphPlace(number, number, level.part, table, len(rows), column)
        style_name = attributes.get("text:style-name", "")
        style = self._styles.of("paragraph", style_name)
        paragraph = Paragraph(place, is_title=style.is_title)
        paragraph.is_layout = self._contents > 0 or self._styles.is_contents(style_name)
        opened = _Open(
            paragraph,
            is_hidden=bool(style.is_hidden) or self._hidden > 0,
            is_white=bool(style.is_white),
            is_shaded=bool(style.is_shaded),
            is_bold=bool(style.is_bold),
            is_struck=bool(style.is_struck),
            lean=style.lean or Lean.LEVEL,
        )
        level.paragraphs.append(opened)
        if paragraph.is_layout:
            return
        if name == "text:h":
            paragraph.heading = max(1, whole(attributes.get("text:outline-level"), 1))
        elif style.is_title:
            paragraph.heading = 1
        self._mark(level, paragraph, attributes)

    def _mark(self, level: _Level, paragraph: Paragraph, attributes: Attributes) -> None:
        """Say what is printed before a paragraph: the number of its item, or of its heading."""
        opened = level.lists[-1] if level.lists else None
        if opened is not None and opened.marks_next:
            opened.marks_next = False
            levels = self._styles.lists.get(opened.style, {})
            depth = len(level.lists)
            paragraph.marker = opened.counter.next_marker(levels, depth, opened.start)
            paragraph.list_id = opened.style
            paragraph.level = depth if paragraph.marker and not paragraph.heading else 0
            opened.start = None
        elif paragraph.heading and attributes.get("text:is-list-header") != "true":
            levels = self._styles.lists.get(OUTLINE, {})
            start = attributes.get("text:start-value")
            restart = attributes.get("text:restart-numbering") == "true"
            first = whole(start, 1) if restart else None
            paragraph.marker = self._outline.next_marker(levels, paragraph.heading, first)

    def _end_paragraph(self, ended: _Open) -> None:
        paragraph = ended.paragraph
        paragraph.is_bold = bool(ended.bold) and all(ended.bold)
        self._give(self._levels[-1], paragraph)

    def _give(self, level: _Level, item: Item) -> None:
        if level.tables:
            rows = level.tables[-1].rows
            if rows and rows[-1].cells:
                rows[-1].cells[-1].items.append(item)
            return
        level.add(item)

    def _take(self, words: str) -> None:
        level = self._levels[-1]
        if not level.paragraphs:
            return
        opened = level.paragraphs[-1]
        if words.strip():
            opened.ends_in_space = False
            if self._is_unseen(opened):
                self._left_out.hidden += sum(not letter.isspace() for letter in words)
                return
            if self._says(opened, "is_struck", opened.is_struck):
                self._left_out.struck += sum(not letter.isspace() for letter in words)
                return
            opened.bold.append(self._says(opened, "is_bold", opened.is_bold))
        pieces, lean = opened.paragraph.pieces, self._lean(opened)
        if pieces and (lean or opened.last):
            before = [piece[0] for piece in pieces[-NEAR:]]
            end, words = beside(before, opened.last, words, lean)
            pieces[-1] = end, pieces[-1][1]
        opened.last = lean
        pieces.append((words, opened.paragraph.place))

    def _lean(self, opened: _Open) -> Lean:
        for span in reversed(opened.spans):
            said = self._styles.of("text", span).lean
            if said is not None:
                return said
        return opened.lean

    def _is_unseen(self, opened: _Open) -> bool:
        if opened.is_hidden or self._says(opened, "is_hidden", False):
            return True
        # In tables and boxes white words mostly stand on a coloured ground.
        is_plain = len(self._levels) == 1 and not self._levels[0].tables
        is_shaded = self._says(opened, "is_shaded", opened.is_shaded)
        return is_plain and not is_shaded and self._says(opened, "is_white", opened.is_white)

    def _says(self, opened: _Open, name: str, otherwise: bool) -> bool:
        """What the innermost style of the words says."""
        for span in reversed(opened.spans):
            said = getattr(self._styles.of("text", span), name)
            if said is not None:
                return bool(said)
        return otherwise

    def _count(self, part: str, which: int) -> int:
        """The number of the next paragraph (0) or table (1) of a part."""
        counts = self._counts.setdefault(part, [0, 0])
        counts[which] += 1
        return counts[which]
