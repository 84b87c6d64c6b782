"""One slide of a PowerPoint file, or what it is laid out by: its shapes with their words."""

from __future__ import annotations

from dataclasses import dataclass, field

from pincite.loaders.office.formulas import Formulas
from pincite.loaders.office.reading_order import Rectangle
from pincite.loaders.office.running_text import shown
from pincite.loaders.raised import Lean, beside
from pincite.loaders.xml_events import Attributes

PREFIXES = {
    "http://schemas.openxmlformats.org/presentationml/2006/main": "p",
    "http://purl.oclc.org/ooxml/presentationml/main": "p",
    "http://schemas.openxmlformats.org/drawingml/2006/main": "a",
    "http://purl.oclc.org/ooxml/drawingml/main": "a",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships": "r",
    "http://purl.oclc.org/ooxml/officeDocument/relationships": "r",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.openxmlformats.org/drawingml/2006/chart": "c",
    "http://purl.oclc.org/ooxml/drawingml/chart": "c",
    "http://schemas.openxmlformats.org/drawingml/2006/diagram": "dgm",
    "http://purl.oclc.org/ooxml/drawingml/diagram": "dgm",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m",
}
_SHAPES = frozenset(("p:sp", "p:graphicFrame", "p:cxnSp", "p:pic"))
_PROPERTIES = frozenset(("p:cNvPr", "p:ph", "a:off", "a:ext", "a:chOff", "a:chExt"))
_WIDEST_SPAN = 200
_OFF = frozenset(("0", "false", "off"))


@dataclass(slots=True)
class SlideParagraph:
    words: list[str] = field(default_factory=list)
    level: int = 0
    bullet: str | None = None
    """`none`, `char`, or the kind of number; None where the layout says it."""
    start: int = 1
    last: Lean = Lean.LEVEL
    """Of the words read last."""
    formulas: Formulas = field(default_factory=Formulas)

    @property
    def text(self) -> str:
        return "".join(self.words)


@dataclass(slots=True)
class SlideCell:
    paragraphs: list[SlideParagraph] = field(default_factory=list)
    columns: int = 1
    rows: int = 1
    is_covered: bool = False
    """By the cell to its left or above."""


@dataclass(slots=True)
class Shape:
    """A shape; where it says nothing of its place or bullets, its layout does."""

    placeholder: str | None = None
    """Its kind; `obj` where none is named; None for shapes that are no placeholders."""
    index: str = ""
    box: Rectangle | None = None
    paragraphs: list[SlideParagraph] = field(default_factory=list)
    rows: list[list[SlideCell]] = field(default_factory=list)
    has_header: bool = False
    chart: str = ""
    """The relationship's id."""
    diagram: str = ""
    bullets: dict[int, str] = field(default_factory=dict)
    is_hidden: bool = False


@dataclass(slots=True)
class _Frame:
    """How the coordinates inside a group become those of the slide."""

    scale_x: float = 1.0
    scale_y: float = 1.0
    shift_x: float = 0.0
    shift_y: float = 0.0
    numbers: dict[str, tuple[float, float]] = field(default_factory=dict)
    is_hidden: bool = False


class Slide:
    """Events of a slide, a layout, a master or a page of notes."""

    def __init__(self) -> None:
        self.shapes: list[Shape] = []
        self.is_hidden = False
        self.struck = 0
        """Code points that are struck through, without white space."""
        self._is_struck = False
        self._lean = Lean.LEVEL
        self.bullets: dict[int, str] = {}
        """By level, of text in placeholders (of a master)."""
        self._stack: list[str] = []
        self._skipping = 0
        self._choices: list[bool] = []
        self._frames = [_Frame()]
        self._shape: Shape | None = None
        self._numbers: dict[str, tuple[float, float]] = {}
        self._paragraph: SlideParagraph | None = None

    def start(self, name: str, attributes: Attributes) -> None:
        parent = self._stack[-1] if self._stack else ""
        self._stack.append(name)
        if self._skipping:
            self._skipping += 1
            return
        if name == "mc:AlternateContent":
            self._choices.append(False)
        elif name in ("mc:Choice", "mc:Fallback") and self._choices:
            if self._choices[-1]:
                self._skipping = 1
            self._choices[-1] = True
        elif name == "p:sld":
            self.is_hidden = attributes.get("show", "1").lower() in _OFF
        elif name == "p:grpSp":
            self._frames.append(_Frame())
        elif name in _SHAPES:
            self._shape = Shape(is_hidden=any(frame.is_hidden for frame in self._frames))
            self.shapes.append(self._shape)
            self._numbers = {}
        elif name in _PROPERTIES:
            self._start_property(name, attributes)
        elif name.startswith("a:bu"):
            self._start_bullet(name, attributes, parent)
        elif self._shape is not None:
            self._start_content(self._shape, name, attributes)

    def end(self, name: str) -> None:
        self._stack.pop()
        if self._skipping:
            self._skipping -= 1
        elif name == "mc:AlternateContent":
            self._choices.pop()
        elif name == "p:grpSpPr":
            self._end_group_properties()
        elif name == "p:grpSp":
            self._frames.pop()
        elif name in _SHAPES:
            if self._shape is not None:
                self._shape.box = self._box()
            self._shape = None
        elif name == "a:p":
            self._paragraph = None
        elif name.startswith("m:") and self._paragraph is not None:
            self._end_formula(self._paragraph, name)

    def _end_formula(self, paragraph: SlideParagraph, name: str) -> None:
        first, words = paragraph.formulas.end(name, lambda start: "".join(paragraph.words[start:]))
        if first >= 0:
            paragraph.words.insert(first, "(")
        if words:
            paragraph.words.append(words)

    def text(self, words: str) -> None:
        if self._paragraph is not None and not self._skipping:
            inner = self._stack[-1]
            if inner in ("a:t", "m:t"):
                self._take(self._paragraph, shown(words).replace("\v", "\n"))

    def _take(self, paragraph: SlideParagraph, words: str) -> None:
        if self._is_struck:
            self.struck += sum(not letter.isspace() for letter in words)
            return
        if paragraph.words:
            space = paragraph.formulas.between(paragraph.words[-1], words)
            if space:
                paragraph.words.append(space)
        if paragraph.words and (self._lean or paragraph.last):
            end, words = beside(paragraph.words, paragraph.last, words, self._lean)
            paragraph.words[-1] = end
        paragraph.last = self._lean
        paragraph.words.append(words)

    def _start_property(self, name: str, attributes: Attributes) -> None:
        shape = self._shape
        if name == "p:cNvPr":
            is_hidden = attributes.get("hidden", "0").lower() not in _OFF
            if shape is not None:
                shape.is_hidden |= is_hidden
            else:
                self._frames[-1].is_hidden |= is_hidden
        elif name == "p:ph" and shape is not None:
            shape.placeholder = attributes.get("type", "obj")
            shape.index = attributes.get("idx", "")
        elif "x" in attributes or "cx" in attributes:
            numbers = self._numbers if shape is not None else self._frames[-1].numbers
            x = _number(attributes.get("x", attributes.get("cx", "")))
            y = _number(attributes.get("y", attributes.get("cy", "")))
            # The first is the place of the shape; later ones are of what is drawn in it.
            numbers.setdefault(name, (x, y))

    def _start_bullet(self, name: str, attributes: Attributes, parent: str) -> None:
        kinds = {"a:buNone": "none", "a:buChar": "char", "a:buBlip": "char"}
        kind = attributes.get("type", "arabicPeriod") if name == "a:buAutoNum" else kinds.get(name)
        if kind is None:
            return
        if parent == "a:pPr" and self._paragraph is not None:
            self._paragraph.bullet = kind
            self._paragraph.start = int(_number(attributes.get("startAt", "1"))) or 1
        elif parent.startswith("a:lvl") and parent[5:6].isdecimal():
            level = int(parent[5]) - 1
            if self._shape is not None:
                self._shape.bullets[level] = kind
            elif "p:bodyStyle" in self._stack:
                self.bullets[level] = kind

    def _start_content(self, shape: Shape, name: str, attributes: Attributes) -> None:
        paragraph = self._paragraph
        match name:
            case "a:p":
                self._paragraph = SlideParagraph()
                in_cell = shape.rows and shape.rows[-1] and "a:tc" in self._stack
                home = shape.rows[-1][-1].paragraphs if in_cell else shape.paragraphs
                home.append(self._paragraph)
            case "a:pPr" if paragraph is not None:
                paragraph.level = max(0, min(int(_number(attributes.get("lvl", "0"))), 8))
            case "a:r" | "a:fld" | "m:r":
                self._is_struck, self._lean = False, Lean.LEVEL
            case "a:rPr":
                self._is_struck = attributes.get("strike", "noStrike") != "noStrike"
                rise = _number(attributes.get("baseline", "0").rstrip("%"))
                self._lean = Lean((rise > 0) - (rise < 0))
            case "a:br" if paragraph is not None:
                paragraph.words.append("\n")
            case "a:tab" if paragraph is not None and self._stack[-2] == "a:r":
                paragraph.words.append("\t")
            case "a:tblPr":
                shape.has_header = attributes.get("firstRow", "0").lower() not in _OFF
            case "a:tr":
                shape.rows.append([])
            case "a:tc" if shape.rows:
                covered = (attributes.get(key, "0").lower() for key in ("hMerge", "vMerge"))
                shape.rows[-1].append(
                    SlideCell(
                        columns=_span(attributes.get("gridSpan", "1")),
                        rows=_span(attributes.get("rowSpan", "1")),
                        is_covered=any(one not in _OFF for one in covered),
                    )
                )
            case _ if name.startswith("m:") and paragraph is not None:
                before = paragraph.formulas.start(name, attributes, len(paragraph.words))
                if before:
                    paragraph.words.append(before)
            case "c:chart":
                shape.chart = attributes.get("r:id", "")
            case "dgm:relIds":
                shape.diagram = attributes.get("r:dm", "")

    def _end_group_properties(self) -> None:
        """From here on, places are those of this group, inside those around it."""
        if len(self._frames) < 2:
            return
        frame, outer = self._frames[-1], self._frames[-2]
        off = frame.numbers.get("a:off", (0.0, 0.0))
        size = frame.numbers.get("a:ext", (1.0, 1.0))
        inner_off = frame.numbers.get("a:chOff", off)
        inner_size = frame.numbers.get("a:chExt", size)
        scale_x = size[0] / inner_size[0] if inner_size[0] else 1.0
        scale_y = size[1] / inner_size[1] if inner_size[1] else 1.0
        frame.scale_x, frame.scale_y = outer.scale_x * scale_x, outer.scale_y * scale_y
        frame.shift_x = outer.shift_x + outer.scale_x * (off[0] - inner_off[0] * scale_x)
        frame.shift_y = outer.shift_y + outer.scale_y * (off[1] - inner_off[1] * scale_y)

    def _box(self) -> Rectangle | None:
        off, size = self._numbers.get("a:off"), self._numbers.get("a:ext")
        if off is None or size is None:
            return None
        frame = self._frames[-1]
        left = frame.shift_x + frame.scale_x * off[0]
        top = frame.shift_y + frame.scale_y * off[1]
        return Rectangle(left, top, left + frame.scale_x * size[0], top + frame.scale_y * size[1])


def _number(value: str) -> float:
    try:
        return float(int(value)) if len(value) < 15 else 0.0
    except ValueError:
        return 0.0


def _span(value: str) -> int:
    return max(1, min(int(_number(value)), _WIDEST_SPAN))
