"""Paragraphs and tables of running text (DOCX, ODT, RTF), put together as they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pincite.loaders.composer import Composer, Piece
from pincite.loaders.grid import Cell, add_table
from pincite.loaders.office import numerals
from pincite.places import ParagraphPlace
from pincite.records import BlockKind

OBJECT = "\ufffc"
"""Stands where a formula that is an object stands in a line: "cut 3 in" is not what that says."""
MOST_PARAGRAPHS = 400_000
"""Of one part; what comes after is left out."""
LONGEST_HEADING = 400
"""Code points; what is longer is a paragraph, whatever its style says."""
_LONGEST_CELL = 1_500
"""Code points; a table with longer cells is there for the layout."""
_INVISIBLE = dict.fromkeys((0xAD, 0xFEFF))


@dataclass(slots=True)
class Paragraph:
    """A paragraph with its words, and what hangs on it: text boxes and notes."""

    place: ParagraphPlace
    pieces: list[Piece] = field(default_factory=list)
    heading: int = 0
    """Its level from 1; 0 for what is none."""
    is_title: bool = False
    """Of the document."""
    is_layout: bool = False
    """A line of a table of contents, a header or a footer: kept, and not quoted."""
    is_bold: bool = False
    """All of its words are."""
    marker: str = ""
    """What is printed before it, with the space between: `- `, `2.1 `."""
    level: int = 0
    """Of the list it is in, from 1; 0 outside lists."""
    list_id: str = ""
    boxes: list[Item] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    """(part, id) of the footnotes and endnotes that are referred to."""
    drawn: list[tuple[str, str]] = field(default_factory=list)
    """(kind, id) of charts and diagrams, which are in parts of their own."""

    @property
    def has_words(self) -> bool:
        return any(words.strip() for words, _ in self.pieces)


@dataclass(slots=True)
class TableCell:
    """A cell of a table; columns count from 1."""

    items: list[Item] = field(default_factory=list)
    column: int = 1
    columns: int = 1
    rows: int = 1
    continues: bool = False
    """It is the lower part of the cell above."""
    is_covered: bool = False
    """By a cell to its left or above, which says how far it reaches."""
    is_shaded: bool = False


@dataclass(slots=True)
class TableRow:
    cells: list[TableCell] = field(default_factory=list)
    is_header: bool = False
    is_deleted: bool = False


@dataclass(slots=True)
class Table:
    rows: list[TableRow] = field(default_factory=list)
    number: int = 0


Item = Paragraph | Table


@dataclass(slots=True)
class LeftOut:
    """What a reader of the document does not see, and so is not in its text."""

    hidden: int = 0
    """Code points, without white space."""
    struck: int = 0
    """As well; a reader sees that it holds no more."""
    deletions: int = 0
    comments: int = 0
    embedded: int = 0

    def report(self, program: str) -> list[str]:
        """What a person is told of it; `program` is where the rest can be seen."""
        notes: list[str] = []
        if self.hidden:
            notes.append(
                f"hidden text is left out ({self.hidden} characters): show it in {program} to have"
                " it read"
            )
        if self.struck:
            notes.append(
                f"text that is struck through is left out ({self.struck} characters): take the line"
                f" away in {program} to have it read"
            )
        if self.deletions:
            notes.append(
                f"tracked deletions are left out ({self.deletions}): reject them in {program} to"
                " have them read"
            )
        if self.comments:
            notes.append(f"comments are left out ({self.comments})")
        if self.embedded:
            notes.append(f"embedded files are not read ({self.embedded}): save them beside it")
        return notes


class RunningText:
    """Adds paragraphs and tables to `composer` in the order they are read.

    A note stands after the paragraph or table that refers to it first; `notes` holds them by
    (part, id). Text boxes stand after the paragraph they hang on, and so does what `draw` adds
    for paragraphs with drawings.
    """

    def __init__(
        self,
        composer: Composer,
        notes: dict[tuple[str, str], list[Item]],
        draw: Callable[[Paragraph], None] | None = None,
    ) -> None:
        self.title = ""
        """Of the first paragraph that is a title."""
        self.notes = notes
        self._composer = composer
        self._draw = draw
        self._shown: dict[str, int] = {}
        self._list_id = ""
        self._group = 0

    def add(self, item: Item) -> None:
        """Add what `item` says and what hangs on it."""
        if isinstance(item, Table):
            self._add_table(item)
        else:
            self._add_paragraph(item)
            self._add_hanging([item])

    def _add_paragraph(self, paragraph: Paragraph) -> None:
        if not paragraph.has_words:
            return
        length = sum(len(words) for words, _ in paragraph.pieces)
        if paragraph.is_title and not self.title:
            self.title = "".join(words for words, _ in paragraph.pieces)[:LONGEST_HEADING]
        if paragraph.is_layout:
            self._composer.add(BlockKind.MARKUP, paragraph.pieces, marker=paragraph.marker)
        elif paragraph.heading and length <= LONGEST_HEADING:
            marker = paragraph.marker
            lead: list[Piece] = [(marker, None)] if marker not in ("", "- ") else []
            self._composer.heading([*lead, *as_line(paragraph.pieces)], min(paragraph.heading, 6))
        elif paragraph.level:
            if not self._group or (paragraph.list_id != self._list_id and paragraph.level == 1):
                self._list_id, self._group = paragraph.list_id, self._composer.new_group()
            self._composer.add(
                BlockKind.LIST_ITEM,
                paragraph.pieces,
                level=paragraph.level,
                group=self._group,
                marker=paragraph.marker,
            )
            return
        else:
            self._composer.add(BlockKind.PARAGRAPH, paragraph.pieces, marker=paragraph.marker)
        self._group = 0

    def _add_hanging(self, paragraphs: Sequence[Paragraph]) -> None:
        for paragraph in paragraphs:
            for item in paragraph.boxes:
                self.add(item)
            if paragraph.drawn and self._draw is not None:
                self._draw(paragraph)
                self._group = 0
            for part, note in paragraph.notes:
                self._add_note(part, note)

    def _add_note(self, part: str, note: str) -> None:
        # Taken away, so that a note that is referred to twice, or by itself, is there once.
        items = self.notes.pop((part, note), None)
        if items is None:
            return
        number = self._shown[part] = self._shown.get(part, 0) + 1
        marker = f"[{number if part == 'footnotes' else numerals.roman(number)}] "
        for item in items:
            if isinstance(item, Paragraph) and item.has_words:
                self._composer.add(BlockKind.PARAGRAPH, item.pieces, marker=marker)
                self._add_hanging([item])
                marker = ""
            elif isinstance(item, Table):
                self._add_table(item)
        self._group = 0

    def _add_table(self, table: Table) -> None:
        self._group = 0
        rows = [row for row in table.rows if not row.is_deleted]
        cells = [cell for row in rows for cell in row.cells]
        if _is_layout(cells) or all(len(row.cells) < 2 for row in rows):
            for cell in cells:
                for item in cell.items:
                    self.add(item)
            return
        inside: list[Paragraph] = []
        laid: list[list[Cell]] = []
        above: dict[int, Cell] = {}
        for index, row in enumerate(rows):
            line: list[Cell] = []
            for cell in row.cells:
                paragraphs = [item for item in cell.items if isinstance(item, Paragraph)]
                inside += paragraphs
                pieces = _cell_pieces(paragraphs)
                if cell.continues and cell.column in above and not pieces:
                    above[cell.column].rows += 1
                    continue
                if cell.is_covered and not pieces:
                    continue
                bold = [one.is_bold for one in paragraphs if one.has_words]
                above[cell.column] = Cell(
                    row=index + 1,
                    column=cell.column,
                    pieces=pieces,
                    columns=cell.columns,
                    rows=min(cell.rows, len(rows) - index),
                    is_strong=cell.is_shaded or all(bold),
                )
                line.append(above[cell.column])
            laid.append(line)
        header = 0
        while header < len(rows) and rows[header].is_header:
            header += 1
        add_table(self._composer, laid, header or None)
        self._add_hanging(inside)
        self._group = 0


def paragraphs_of(items: Sequence[Item]) -> list[Paragraph]:
    """All paragraphs of `items`, those in tables and text boxes too."""
    found: list[Paragraph] = []
    for item in items:
        if isinstance(item, Paragraph):
            found += [item, *paragraphs_of(item.boxes)]
        else:
            for row in item.rows:
                for cell in row.cells:
                    found += paragraphs_of(cell.items)
    return found


def shown(words: str) -> str:
    """`words` without what is printed only at a line's end, or never: soft hyphens and the like."""
    return words.translate(_INVISIBLE)


def as_line(pieces: Sequence[Piece]) -> list[Piece]:
    """The same words on one line."""
    return [(words.replace("\n", " ").replace("\t", " "), place) for words, place in pieces]


def add_margins(composer: Composer, items: Sequence[Item], known: set[str]) -> None:
    """Add what stands in headers and footers, each text that is not `known` yet once."""
    for paragraph in paragraphs_of(items):
        pieces = as_line(paragraph.pieces)
        words = "".join(words for words, _ in pieces).strip()
        if words not in known:
            known.add(words)
            composer.add(BlockKind.MARKUP, pieces)


def _is_layout(cells: Sequence[TableCell]) -> bool:
    return any(isinstance(item, Table) for cell in cells for item in cell.items) or any(
        sum(len(words) for one in paragraphs_of(cell.items) for words, _ in one.pieces)
        > _LONGEST_CELL
        for cell in cells
    )


def _cell_pieces(paragraphs: Sequence[Paragraph]) -> list[Piece]:
    pieces: list[Piece] = []
    for paragraph in paragraphs:
        if not paragraph.has_words:
            continue
        if pieces:
            pieces.append((" ", None))
        if paragraph.marker not in ("", "- "):
            pieces.append((paragraph.marker, None))
        pieces += paragraph.pieces
    return pieces
