"""PowerPoint files (PPTX, PPTM, PPSX, POTX): slides in the order they are shown, with notes."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.loaders.composer import Composer
from pincite.loaders.extracted import Extracted, LoadSettings
from pincite.loaders.grid import Cell, add_table
from pincite.loaders.office import numerals
from pincite.loaders.office.drawn import add_chart, add_diagram
from pincite.loaders.office.office_package import Package, Relationship
from pincite.loaders.office.pptx_slide import PREFIXES, Shape, Slide, SlideCell, SlideParagraph
from pincite.loaders.office.reading_order import reading_order
from pincite.loaders.xml_events import Attributes, Elements
from pincite.places import SlidePlace
from pincite.records import BlockKind

_TITLES = ("title", "ctrTitle")
_MARGINS = frozenset(("dt", "ftr", "sldNum", "hdr"))
_LISTED = frozenset(("body", "obj"))
_SAME_KIND = {"ctrTitle": "title", "subTitle": "body", "obj": "body"}
"""Which placeholder of the master stands for one that it has not."""
_LONGEST_TITLE = 400


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """A heading and the text of each slide, its tables and charts, then its notes.

    Hidden slides and shapes are left out, and `notes` tells of them; they count in the numbers of
    slides, as in PowerPoint. Raises `UnreadableContent` where nothing can be read.
    """
    package = Package(data, ".pptx")
    return _Reader(package).read()


class _Reader:
    def __init__(self, package: Package) -> None:
        self._package = package
        self._composer = Composer()
        self._layouts: dict[str, Slide] = {}
        self._problems: list[str] = []
        self._hidden_slides: list[str] = []
        self._hidden_shapes = 0
        self._struck = 0
        self._comments = 0
        self._pictures = 0
        self._first_title = ""

    def read(self) -> Extracted:
        slides = self._slides()
        if not slides:
            raise self._package.damaged("it names no slides")
        for number, part in enumerate(slides, 1):
            if part not in self._package:
                self._problems.append(f"slide {number} is missing from the file")
                continue
            self._add_slide(number, part)
        title = self._package.title()
        if title.lower() in ("", "powerpoint presentation", "presentation"):
            title = self._first_title
        return self._composer.extracted(title=title, notes=self._report())

    def _slides(self) -> list[str]:
        """The parts of the slides, in the order they are shown."""
        package = self._package
        main = next(
            (
                one.target
                for one in package.relationships("").values()
                if one.kind == "officeDocument" and one.target in package
            ),
            "ppt/presentation.xml",
        )
        references: list[str] = []

        def handle(name: str, attributes: Attributes) -> None:
            if name == "p:sldId":
                references.append(attributes.get("r:id", ""))

        if main not in package:
            raise package.damaged("the part that lists its slides is missing")
        wrong = package.read_part(main, Elements(handle), PREFIXES)
        related = package.relationships(main)
        if wrong and not references:
            raise package.damaged(wrong)
        missing = Relationship("", "", False)
        return [related.get(reference, missing).target for reference in references]

    def _add_slide(self, number: int, part: str) -> None:
        slide = Slide()
        wrong = self._package.read_part(part, slide, PREFIXES)
        if wrong:
            self._problems.append(
                f"slide {number} is read only in part ({wrong}): open it in PowerPoint and save it"
                " again"
            )
        if slide.is_hidden:
            self._hidden_slides.append(str(number))
            return
        related = self._package.relationships(part)
        layout = self._related_slide(related, "slideLayout")
        shapes = [shape for shape in slide.shapes if not shape.is_hidden]
        self._hidden_shapes += sum(
            any(one.text.strip() for one in shape.paragraphs)
            for shape in slide.shapes
            if shape.is_hidden
        )
        self._struck += slide.struck
        self._comments += sum(one.kind == "comments" for one in related.values())
        self._pictures += sum(one.kind == "image" for one in related.values())
        title = next((shape for shape in shapes if shape.placeholder in _TITLES), None)
        words = _line(title.paragraphs) if title is not None else ""
        self._first_title = self._first_title or words[:_LONGEST_TITLE]
        place = SlidePlace(number, number, words[:_LONGEST_TITLE])
        self._composer.close_headings(1)
        if title is not None and len(words) <= _LONGEST_TITLE:
            self._composer.heading([(words, place)], 1)
            shapes.remove(title)
        boxes = [shape.box or _inherited(layout, shape).box for shape in shapes]
        for index in reading_order(boxes):
            self._add_shape(shapes[index], layout, related, place)
        self._add_notes(related, place)

    def _related_slide(self, related: dict[str, Relationship], kind: str) -> list[Slide]:
        """The layout of a slide, with the master it is made after."""
        part = next((one.target for one in related.values() if one.kind == kind), "")
        if part not in self._package:
            return []
        if part not in self._layouts:
            self._layouts[part] = Slide()
            self._package.read_part(part, self._layouts[part], PREFIXES)
        found = [self._layouts[part]]
        if kind == "slideLayout":
            found += self._related_slide(self._package.relationships(part), "slideMaster")
        return found

    def _add_shape(
        self,
        shape: Shape,
        layout: Sequence[Slide],
        related: dict[str, Relationship],
        place: SlidePlace,
    ) -> None:
        if shape.placeholder in _MARGINS:
            # The same on every slide, and no part of what is said.
            self._composer.add(BlockKind.MARKUP, [(_line(shape.paragraphs), place)])
            return
        if shape.rows:
            _add_rows(self._composer, shape, place)
        for reference, add in ((shape.chart, add_chart), (shape.diagram, add_diagram)):
            target = related[reference].target if reference in related else ""
            if target:
                wrong = add(self._composer, self._package, target, place)
                if wrong:
                    self._problems.append(f"a drawing on slide {place.first}: {wrong}")
        inherited = _inherited(layout, shape)
        self._add_paragraphs(shape, inherited, place)

    def _add_paragraphs(self, shape: Shape, inherited: Shape, place: SlidePlace) -> None:
        group = 0
        counts: dict[int, int] = {}
        for paragraph in shape.paragraphs:
            words = paragraph.text
            if not words.strip():
                continue
            level = paragraph.level
            bullet = paragraph.bullet or shape.bullets.get(level) or inherited.bullets.get(level)
            if bullet in (None, "none"):
                self._composer.add(BlockKind.PARAGRAPH, [(words, place)])
                group, counts = 0, {}
                continue
            counts = {deep: count for deep, count in counts.items() if deep <= level}
            counts[level] = counts.get(level, paragraph.start - 1) + 1
            group = group or self._composer.new_group()
            self._composer.add(
                BlockKind.LIST_ITEM,
                [(words, place)],
                level=level + 1,
                group=group,
                marker=_marker(bullet or "", counts[level]),
            )

    def _add_notes(self, related: dict[str, Relationship], place: SlidePlace) -> None:
        part = next((one.target for one in related.values() if one.kind == "notesSlide"), "")
        if part not in self._package:
            return
        notes = Slide()
        self._package.read_part(part, notes, PREFIXES)
        self._struck += notes.struck
        where = SlidePlace(place.first, place.last, place.title, notes=True)
        for shape in notes.shapes:
            if shape.placeholder == "body" and not shape.is_hidden:
                for paragraph in shape.paragraphs:
                    self._composer.add(BlockKind.PARAGRAPH, [(paragraph.text, where)])

    def _report(self) -> list[str]:
        notes = list(self._problems)
        if self._hidden_slides:
            notes.append(
                f"hidden slides are left out ({', '.join(self._hidden_slides[:20])}): show them in"
                " PowerPoint to have them read"
            )
        if self._hidden_shapes:
            notes.append(f"hidden shapes with text are left out ({self._hidden_shapes})")
        if self._struck:
            notes.append(
                f"text that is struck through is left out ({self._struck} characters): take the"
                " line away in PowerPoint to have it read"
            )
        if self._comments:
            notes.append(f"comments are left out (on {self._comments} slides)")
        if self._pictures and self._composer.length < 40 * self._pictures:
            notes.append(
                f"it has little text beside its pictures ({self._pictures}): words in pictures are"
                " not read"
            )
        elif not self._composer.length:
            notes.append("it holds no text")
        return notes


def _inherited(layout: Sequence[Slide], shape: Shape) -> Shape:
    """What the layout and its master say of a placeholder: its place and its bullets."""
    merged = Shape()
    if shape.placeholder is None:
        return merged
    kind = shape.placeholder
    for slide in layout:
        found = next(
            (one for one in slide.shapes if shape.index and one.index == shape.index), None
        ) or next(
            (
                one
                for wanted in (kind, _SAME_KIND.get(kind, kind))
                for one in slide.shapes
                if one.placeholder == wanted
            ),
            None,
        )
        if found is not None:
            merged.box = merged.box or found.box
            merged.bullets = {**found.bullets, **merged.bullets}
            kind = found.placeholder or kind
    if kind in _LISTED:
        for slide in layout[1:]:
            merged.bullets = {**slide.bullets, **merged.bullets}
    return merged


def _add_rows(composer: Composer, shape: Shape, place: SlidePlace) -> None:
    rows: list[list[Cell]] = []
    for number, cells in enumerate(shape.rows, 1):
        rows.append(
            [
                _cell(cell, number, column, len(shape.rows), place)
                for column, cell in enumerate(cells, 1)
                if not cell.is_covered
            ]
        )
    add_table(composer, rows, 1 if shape.has_header and len(rows) > 1 else None)


def _cell(cell: SlideCell, row: int, column: int, count: int, place: SlidePlace) -> Cell:
    words = _line(cell.paragraphs)
    rows = min(cell.rows, count - row + 1)
    return Cell(row, column, [(words, place)] if words else [], cell.columns, rows)


def _line(paragraphs: Sequence[SlideParagraph]) -> str:
    return " ".join(" ".join(one.text for one in paragraphs).split())


def _marker(bullet: str, count: int) -> str:
    """`- ` for a bullet; for a kind of number, such as `alphaLcParenR`, the number."""
    if bullet == "char":
        return "- "
    if bullet.startswith("alpha"):
        shown = numerals.letters(count)
    elif bullet.startswith("roman"):
        shown = numerals.roman(count)
    else:
        shown = str(count)
    if "Uc" in bullet:
        shown = shown.upper()
    if bullet.endswith("ParenBoth"):
        return f"({shown}) "
    if bullet.endswith("ParenR"):
        return f"{shown}) "
    return f"{shown} " if bullet.endswith("Plain") else f"{shown}. "
