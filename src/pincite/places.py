"""Where words stand in a file, in the file's own units: pages, cells, slides, elements, messages.

Offsets and lines say where words stand in the extracted text; a place says where a person finds
them in the file itself. Everything counts from 1, as the programs do that show such files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import ClassVar, Self


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of a page as it is shown, in parts of its width and height from the top left."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a `PagePlace`, and the rectangles its words fill, one a line of print."""

    number: int
    label: str = ""
    """As printed or named in the file (`xii`, `A-3`); empty where that is the number."""
    boxes: tuple[Box, ...] = ()
    first_line: int = 0
    last_line: int = 0
    """Lines of print, counted down the page; 0 where they are not counted."""
    recognised: bool = False
    """The words were read from a picture of the page, and may be misread."""


@dataclass(frozen=True, slots=True)
class PagePlace:
    """Words on one page, or running over several (PDF)."""

    kind: ClassVar[str] = "pages"
    pages: tuple[Page, ...]

    def joined(self, other: Self) -> Self:
        """Both; boxes of one page side by side in the order given."""
        pages = list(self.pages)
        for page in other.pages:
            if pages[-1].number == page.number:
                pages[-1] = replace(
                    pages[-1],
                    boxes=pages[-1].boxes + page.boxes,
                    first_line=min(pages[-1].first_line, page.first_line),
                    last_line=max(pages[-1].last_line, page.last_line),
                    recognised=pages[-1].recognised or page.recognised,
                )
            else:
                pages.append(page)
        return replace(self, pages=tuple(pages))


@dataclass(frozen=True, slots=True)
class CellPlace:
    """A cell, or the range that holds several, of a sheet (XLSX, ODS, XLS, CSV, TSV)."""

    kind: ClassVar[str] = "cells"
    sheet: str
    """Empty for files that hold one table without a name."""
    left: int
    top: int
    right: int
    bottom: int
    row: str = ""
    """What the first cell of the row says, where that names the row and the place is one row."""
    column: str = ""
    """What stands at the head of the column, where there is a head and the place is one column."""

    @property
    def cells(self) -> str:
        """`B7` or `B7:C9`."""
        first = cell_name(self.left, self.top)
        last = cell_name(self.right, self.bottom)
        return first if first == last else f"{first}:{last}"

    def joined(self, other: Self) -> Self | None:
        """The range over both; None where they are on different sheets."""
        if self.sheet != other.sheet:
            return None
        return replace(
            self,
            left=min(self.left, other.left),
            top=min(self.top, other.top),
            right=max(self.right, other.right),
            bottom=max(self.bottom, other.bottom),
            row=self.row if self.row == other.row else "",
            column=self.column if self.column == other.column else "",
        )


@dataclass(frozen=True, slots=True)
class SlidePlace:
    """A slide, or its speaker's notes (PPTX, ODP)."""

    kind: ClassVar[str] = "slides"
    first: int
    last: int
    title: str = ""
    notes: bool = False

    def joined(self, other: Self) -> Self:
        """From the first slide of both to the last."""
        return replace(
            self,
            first=min(self.first, other.first),
            last=max(self.last, other.last),
            title=self.title if self.title == other.title else "",
            notes=self.notes and other.notes,
        )


@dataclass(frozen=True, slots=True)
class ParagraphPlace:
    """A paragraph of a document of running text (DOCX, ODT, RTF)."""

    kind: ClassVar[str] = "paragraphs"
    first: int
    last: int
    """Paragraphs are counted through the part in the order of the file, those in tables too."""
    part: str = "body"
    """`body`, `footnotes`, `endnotes`, `headers`, `footers`, `text boxes`."""
    table: int = 0
    row: int = 0
    column: int = 0
    """Of the table cell; 0 outside tables, and for what several cells share."""

    def joined(self, other: Self) -> Self | None:
        """From the first paragraph of both to the last; None for different parts."""
        if self.part != other.part:
            return None
        same_table = self.table == other.table
        return replace(
            self,
            first=min(self.first, other.first),
            last=max(self.last, other.last),
            table=self.table if same_table else 0,
            row=self.row if same_table and self.row == other.row else 0,
            column=self.column if same_table and self.column == other.column else 0,
        )


@dataclass(frozen=True, slots=True)
class ElementPlace:
    """An element of a web page (HTML, XHTML)."""

    kind: ClassVar[str] = "elements"
    path: str
    """As an XPath with positions where there are several: `/html/body/p[2]`."""
    id: str = ""
    """The nearest id at or around the element, for a link with `#id`; empty if there is none."""
    start: int = 0
    end: int = 0
    """Half-open, in code points of the decoded file: the markup that holds the words; both 0 where
    that is not known. In the place of a mark, each code point of the text stands for one of the
    file and the last for all that is left, such as a character reference or several spaces."""

    def joined(self, other: Self) -> Self:
        """The element around both; its id is kept where it is that of both."""
        return replace(
            self,
            path=_common(self.path, other.path),
            id=self.id if self.id == other.id else "",
            start=min(self.start, other.start),
            end=max(self.end, other.end),
        )


@dataclass(frozen=True, slots=True)
class NodePlace:
    """A value in structured data (JSON, YAML, XML), its text being the file itself."""

    kind: ClassVar[str] = "nodes"
    path: str
    """A JSON Pointer (RFC 6901), or an XPath for XML."""

    def joined(self, other: Self) -> Self:
        """The node around both."""
        return replace(self, path=_common(self.path, other.path))


@dataclass(frozen=True, slots=True)
class NotebookPlace:
    """A cell of a notebook (IPYNB)."""

    kind: ClassVar[str] = "notebook"
    first: int
    last: int
    source: str = ""
    """`markdown`, `code`, `output` or `raw`; empty for several of them."""

    def joined(self, other: Self) -> Self:
        """From the first cell of both to the last."""
        return replace(
            self,
            first=min(self.first, other.first),
            last=max(self.last, other.last),
            source=self.source if self.source == other.source else "",
        )


@dataclass(frozen=True, slots=True)
class TimePlace:
    """A stretch of a recording (SRT, VTT), in milliseconds from its beginning."""

    kind: ClassVar[str] = "time"
    start: int
    end: int
    speaker: str = ""

    def joined(self, other: Self) -> Self:
        """From the beginning of both to the end."""
        return replace(
            self,
            start=min(self.start, other.start),
            end=max(self.end, other.end),
            speaker=self.speaker if self.speaker == other.speaker else "",
        )


@dataclass(frozen=True, slots=True)
class ChapterPlace:
    """A chapter of a book (EPUB), and the place inside it."""

    kind: ClassVar[str] = "chapter"
    number: int
    """In the order in which the book is read."""
    title: str
    file: str
    """Inside the book."""
    within: Place | None = None

    def joined(self, other: Self) -> Self | None:
        """The same chapter; None for different ones."""
        if replace(self, within=None) != replace(other, within=None):
            return None
        return replace(self, within=_joined(self.within, other.within))


@dataclass(frozen=True, slots=True)
class MessagePlace:
    """A part of a message (EML, MBOX, MSG), and the place inside an attachment."""

    kind: ClassVar[str] = "message"
    number: int
    """In the mailbox; 1 for a single message."""
    part: str
    """`header`, `body` or `attachment`; empty for several of them."""
    name: str = ""
    """Of the header field or of the attachment."""
    subject: str = ""
    message_id: str = ""
    within: Place | None = None

    def joined(self, other: Self) -> Self | None:
        """The same message, or part of it; None for different messages."""
        if (self.number, self.message_id) != (other.number, other.message_id):
            return None
        if (self.part, self.name) != (other.part, other.name):
            part = self.part if self.part == other.part else ""
            return replace(self, part=part, name="", within=None)
        return replace(self, within=_joined(self.within, other.within))


@dataclass(frozen=True, slots=True)
class MemberPlace:
    """A file inside an archive (ZIP, TAR), and the place inside that file."""

    kind: ClassVar[str] = "member"
    path: str
    within: Place | None = None

    def joined(self, other: Self) -> Self | None:
        """The same file; None for different ones."""
        if self.path != other.path:
            return None
        return replace(self, within=_joined(self.within, other.within))


Place = (
    PagePlace
    | CellPlace
    | SlidePlace
    | ParagraphPlace
    | ElementPlace
    | NodePlace
    | NotebookPlace
    | TimePlace
    | ChapterPlace
    | MessagePlace
    | MemberPlace
)


@dataclass(frozen=True, slots=True)
class Mark:
    """Says of `text[start:end]` where in the file it stands.

    The marks of a document are in the order of its text and do not overlap. What no mark covers
    was put there by the loader: line ends and other separators.
    """

    start: int
    end: int
    place: Place
    edges: tuple[int, ...] = ()
    """For one line of print: where each code point begins and the last one ends, in 1/10000 of the
    page's width from its left, so that the one box of the place can be cut; else empty."""
    secondary: bool = False
    """It counts only for a stretch that no other mark covers: for words that are repeated here from
    another place, as the head of a column with each value, and for what separates parts."""


EDGE_SCALE = 10_000


def place_of(marks: Sequence[Mark], start: int, end: int) -> Place | None:
    """Where `text[start:end]` stands; None where no mark covers any of it, or no one place does."""
    found: Place | None = None
    touched = [mark for mark in marks if mark.end > start and mark.start < end]
    for mark in [mark for mark in touched if not mark.secondary] or touched:
        place = _cut(mark, max(start, mark.start), min(end, mark.end))
        if found is None:
            found = place
            continue
        joined = _joined(found, place)
        if joined is None:
            return None
        found = joined
    return found


def pages_of(place: Place | None) -> tuple[int, ...]:
    """The numbers of the pages a place is on; empty for formats without pages."""
    while isinstance(place, (ChapterPlace, MessagePlace, MemberPlace)):
        place = place.within
    return tuple(page.number for page in place.pages) if isinstance(place, PagePlace) else ()


def without_boxes(place: Place | None) -> Place | None:
    """`place` with its pages named and not measured."""
    if isinstance(place, (ChapterPlace, MessagePlace, MemberPlace)):
        return replace(place, within=without_boxes(place.within))
    if isinstance(place, PagePlace):
        return PagePlace(tuple(replace(page, boxes=()) for page in place.pages))
    return place


def cell_name(column: int, row: int) -> str:
    """`B7` for column 2 of row 7."""
    letters = ""
    while column > 0:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row}"


def _joined(one: Place | None, other: Place | None) -> Place | None:
    """The place over both, None where there is none; they are in reading order."""
    if one is None or other is None or type(one) is not type(other):
        return None
    if one == other and not isinstance(one, PagePlace):
        return one
    joined: Place | None = one.joined(other)  # type: ignore[arg-type]  # Of the same class.
    return joined


def _common(one: str, other: str) -> str:
    """The steps two paths begin with."""
    steps = zip(one.split("/"), other.split("/"), strict=False)
    pairs = takewhile(lambda pair: pair[0] == pair[1], steps)
    return "/".join(step for step, _ in pairs)


def _cut(mark: Mark, start: int, end: int) -> Place:
    """The place of a part of what `mark` covers."""
    if (start, end) == (mark.start, mark.end):
        return mark.place
    if not mark.edges:
        rest = None if end == mark.end else end - mark.start
        return _sliced(mark.place, start - mark.start, rest)
    # Accents are printed back over their letters, and some scripts run to the left.
    edges = mark.edges[start - mark.start : end - mark.start + 1]
    return _narrowed(mark.place, min(edges) / EDGE_SCALE, max(edges) / EDGE_SCALE)


def _sliced(place: Place, start: int, end: int | None) -> Place:
    """The markup of the code points `[start:end]` of a mark in a web page, else `place`."""
    if isinstance(place, (ChapterPlace, MessagePlace, MemberPlace)) and place.within is not None:
        return replace(place, within=_sliced(place.within, start, end))
    if isinstance(place, ElementPlace) and place.end:
        last = place.end if end is None else place.start + end
        return replace(place, start=place.start + start, end=last)
    return place


def _narrowed(place: Place, left: float, right: float) -> Place:
    if isinstance(place, (ChapterPlace, MessagePlace, MemberPlace)) and place.within is not None:
        return replace(place, within=_narrowed(place.within, left, right))
    if isinstance(place, PagePlace):
        (page,) = place.pages
        (box,) = page.boxes
        box = replace(box, left=max(box.left, left), right=min(box.right, right))
        return PagePlace((replace(page, boxes=(box,)),))
    return place
