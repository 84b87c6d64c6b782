"""Word documents (DOCX, DOCM, DOTX): paragraphs as they are printed, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pincite.loaders.composer import Composer
from pincite.loaders.extracted import Extracted, LoadSettings
from pincite.loaders.office.docx_story import Story
from pincite.loaders.office.docx_styles import PREFIXES, Numbering, Styles
from pincite.loaders.office.drawn import add_chart, add_diagram
from pincite.loaders.office.office_package import Package, Relationship
from pincite.loaders.office.running_text import Item, LeftOut, Paragraph, RunningText, add_margins

_MAIN = "word/document.xml"


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """Headings, paragraphs, lists and tables of a Word document, notes after what refers to them.

    Headers, footers and tables of contents are in the text and are not quoted. Comments, what
    tracked changes delete and hidden words are not in the text; `notes` tells of them. Raises
    `UnreadableContent` where nothing can be read.
    """
    package = Package(data, ".docx")
    main = next(
        (
            relationship.target
            for relationship in package.relationships("").values()
            if relationship.kind == "officeDocument" and relationship.target in package
        ),
        _MAIN,
    )
    if main not in package:
        raise package.damaged("the part with its text is missing")
    reader = _Reader(package, main)
    return reader.read()


class _Reader:
    def __init__(self, package: Package, main: str) -> None:
        self._package = package
        self._main = main
        self._related = package.relationships(main)
        self._styles = Styles()
        self._read_kind("styles", self._styles)
        self._numbering = Numbering(self._styles)
        self._read_kind("numbering", self._numbering)
        self._composer = Composer()
        self._left_out = LeftOut()
        self._notes: dict[tuple[str, str], list[Item]] = {}
        self._problems: list[str] = []
        self._counts: dict[str, list[int]] = {}

    def read(self) -> Extracted:
        text = RunningText(self._composer, self._notes, self._draw)
        for part in ("footnotes", "endnotes"):
            target = self._target(part)
            if target:
                notes = self._story(part, text.add)
                self._problem(part, self._package.read_part(target, notes, PREFIXES))
                self._notes.update(notes.notes)
        story = self._story("body", text.add)
        wrong = self._package.read_part(self._main, story, PREFIXES)
        story.finish()
        if wrong and not self._composer.length:
            raise self._package.damaged(wrong)
        self._problem("text", wrong)
        self._composer.close_headings(1)
        self._add_margins(story.margins)
        title = text.title or self._package.title()
        return self._composer.extracted(title=title, notes=self._report())

    def _read_kind(self, kind: str, events: Styles | Numbering) -> None:
        target = self._target(kind)
        if target:
            self._package.read_part(target, events, PREFIXES)

    def _target(self, kind: str) -> str:
        """The part of a kind that the main part refers to; `""` where there is none."""
        return next(
            (
                one.target
                for one in self._related.values()
                if one.kind == kind and not one.is_external and one.target in self._package
            ),
            "",
        )

    def _problem(self, part: str, wrong: str) -> None:
        if wrong:
            self._problems.append(
                f"its {part} is read only in part ({wrong}): open it in Word and save it again"
            )

    def _draw(self, paragraph: Paragraph) -> None:
        """Add the charts and diagrams that hang on a paragraph."""
        for kind, reference in paragraph.drawn:
            related = self._related.get(reference)
            if related is None or related.target not in self._package:
                continue
            add = add_chart if kind == "chart" else add_diagram
            self._problem(kind, add(self._composer, self._package, related.target, paragraph.place))

    def _story(self, part: str, add: Callable[[Item], None]) -> Story:
        return Story(part, self._styles, self._numbering, add, self._left_out, self._counts)

    def _add_margins(self, margins: Sequence[tuple[str, str]]) -> None:
        """Add headers and footers, each text once."""
        known: set[str] = set()
        for part, reference in dict.fromkeys(margins):
            related = self._related.get(reference, Relationship("", "", False))
            if related.target not in self._package:
                self._problems.append(f"one of its {part} is missing from the file")
                continue
            items: list[Item] = []
            story = self._story(part, items.append)
            self._problem(part, self._package.read_part(related.target, story, PREFIXES))
            story.finish()
            add_margins(self._composer, items, known)

    def _report(self) -> list[str]:
        notes = [*self._problems, *self._left_out.report("Word")]
        pictures = sum(
            not one.is_external and one.kind == "image" for one in self._related.values()
        )
        if pictures and self._composer.length < 200 * pictures:
            notes.append(
                f"it has little text beside its pictures ({pictures}): words in pictures are not"
                " read"
            )
        elif not self._composer.length:
            notes.append("it holds no text")
        return notes
