"""OpenDocument texts and presentations (ODT, ODP): paragraphs and slides, each with its place."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.loaders.composer import Composer
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.loaders.office.odf_slides import OpenSlide, SlideShape
from pincite.loaders.office.odf_story import Story
from pincite.loaders.office.odf_styles import PREFIXES, Styles
from pincite.loaders.office.office_package import Package
from pincite.loaders.office.reading_order import reading_order
from pincite.loaders.office.running_text import (
    Item,
    LeftOut,
    RunningText,
    add_margins,
    as_line,
    paragraphs_of,
)
from pincite.loaders.xml_events import Attributes, Elements
from pincite.places import SlidePlace
from pincite.records import BlockKind

_PROGRAM = "LibreOffice"
_MARGIN_SHAPES = frozenset(("footer", "date-time", "page-number", "header"))
_LONGEST_TITLE = 400


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """Headings, paragraphs, lists, tables and notes of a text; slides and their notes.

    Comments, tracked deletions, hidden words and hidden slides are not in the text; `notes` tells
    of them. Raises `UnreadableContent` where nothing can be read.
    """
    return _Reader(Package(data, "OpenDocument")).read()


class _Reader:
    def __init__(self, package: Package) -> None:
        if "content.xml" not in package:
            raise package.damaged("the part with its text is missing")
        _refuse_encrypted(package)
        self._package = package
        self._composer = Composer()
        self._left_out = LeftOut()
        self._counts: dict[str, list[int]] = {}
        self._problems: list[str] = []
        self._styles = Styles()

    def read(self) -> Extracted:
        package = self._package
        margins = _Margins(self._styles, self._left_out, self._counts)
        if "styles.xml" in package:
            package.read_part("styles.xml", margins, PREFIXES)
        text = RunningText(self._composer, {})
        story = Story("body", self._styles, text.add, self._left_out, self._counts)
        text.notes = story.notes
        wrong = package.read_part("content.xml", story, PREFIXES)
        story.finish()
        title = text.title or self._title()
        if story.slides:
            title = self._add_slides(story.slides) or title
        if wrong:
            if not self._composer.length:
                raise package.damaged(wrong)
            self._problems.append(
                f"it is read only in part ({wrong}): open it in {_PROGRAM} and save it again"
            )
        self._composer.close_headings(1)
        known: set[str] = set()
        if not story.slides:
            add_margins(self._composer, margins.items, known)
        notes = [*self._problems, *self._left_out.report(_PROGRAM)]
        if not self._composer.length:
            notes.append("it holds no text")
        return self._composer.extracted(title=title, notes=notes)

    def _add_slides(self, slides: Sequence[OpenSlide]) -> str:
        """Add the slides that are shown; the title of the first that has one."""
        first = ""
        hidden = [str(number) for number, slide in enumerate(slides, 1) if slide.is_hidden]
        for number, slide in enumerate(slides, 1):
            if not slide.is_hidden:
                title = self._add_slide(number, slide)
                first = first or title
        if hidden:
            self._problems.append(
                f"hidden slides are left out ({', '.join(hidden[:20])}): show them in {_PROGRAM} to"
                " have them read"
            )
        return first

    def _add_slide(self, number: int, slide: OpenSlide) -> str:
        shapes = list(slide.shapes)
        head = next((shape for shape in shapes if shape.kind == "title" and _words(shape)), None)
        title = _words(head)[:_LONGEST_TITLE] if head is not None else ""
        place = SlidePlace(number, number, title)
        self._composer.close_headings(1)
        if head is not None:
            shapes.remove(head)
            self._composer.heading([(_words(head), place)], 1)
        text = RunningText(self._composer, {})
        for index in reading_order([shape.box for shape in shapes]):
            shape = shapes[index]
            for paragraph in paragraphs_of(shape.items):
                # On a slide it is the slide that is found, not the paragraph.
                paragraph.pieces = [
                    (words, None if where is None else place) for words, where in paragraph.pieces
                ]
                paragraph.is_layout |= shape.kind in _MARGIN_SHAPES
                paragraph.heading = 0
            for item in shape.items:
                text.add(item)
        where = SlidePlace(number, number, title, notes=True)
        for paragraph in paragraphs_of(slide.notes):
            words = "".join(words for words, _ in paragraph.pieces)
            self._composer.add(BlockKind.PARAGRAPH, [(words, where)])
        return title

    def _title(self) -> str:
        """As the properties of the file give it; `""` where they do not."""
        words: list[str] = []
        found = _TitleEvents(words)
        if "meta.xml" in self._package:
            self._package.read_part("meta.xml", found, PREFIXES)
        return "".join(words)


class _Margins(Story):
    """Events of the styles, with what stands in headers and footers."""

    def __init__(self, styles: Styles, left_out: LeftOut, counts: dict[str, list[int]]) -> None:
        self.items: list[Item] = []
        super().__init__("headers", styles, self.items.append, left_out, counts)

    def start(self, name: str, attributes: Attributes) -> None:
        if name in ("style:header", "style:header-left", "style:header-first"):
            self._levels[0].part = "headers"
        elif name in ("style:footer", "style:footer-left", "style:footer-first"):
            self._levels[0].part = "footers"
        super().start(name, attributes)


class _TitleEvents:
    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._inside = False

    def start(self, name: str, attributes: Attributes) -> None:
        self._inside = name == "dc:title"

    def end(self, name: str) -> None:
        self._inside = False

    def text(self, words: str) -> None:
        if self._inside:
            self._words.append(words)


def _words(shape: SlideShape) -> str:
    pieces = [as_line(one.pieces) for one in paragraphs_of(shape.items)]
    return " ".join(" ".join(words for line in pieces for words, _ in line).split())


def _refuse_encrypted(package: Package) -> None:
    found: list[str] = []

    def handle(name: str, attributes: Attributes) -> None:
        if name == "manifest:encryption-data":
            found.append(name)

    if "META-INF/manifest.xml" in package:
        package.read_part("META-INF/manifest.xml", Elements(handle), PREFIXES)
    if found:
        raise UnreadableContent(
            "is an OpenDocument file with a password, which is not read: save it without its"
            " password"
        )
