"""Word documents (DOCX, DOCM, DOTX): paragraphs as they are printed, each with its place."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.loaders import numerals
from pincite.loaders.composer import Composer, Piece
from pincite.loaders.docx_story import Item, LeftOut, Paragraph, Story, Table, TableCell
from pincite.loaders.docx_styles import BODY_LEVEL, PREFIXES, Numbering, Styles, is_contents
from pincite.loaders.extracted import Extracted, LoadSettings
from pincite.loaders.grid import Cell, add_table
from pincite.loaders.office_package import Package, Relationship
from pincite.loaders.xml_events import Attributes
from pincite.records import BlockKind

_LONGEST_HEADING = 400
"""Code points; what is longer is a paragraph, whatever its style says."""
_LONGEST_CELL = 1_500
"""Code points; a table with longer cells is there for the layout."""
_DEEPEST_LIST = 9
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
        self._shown_notes: dict[str, int] = {}
        self._problems: list[str] = []
        self._group: tuple[str, int] = ("", 0)
        self._title = ""

    def read(self) -> Extracted:
        counts: dict[str, list[int]] = {}
        for part in ("footnotes", "endnotes"):
            target = self._target(part)
            if target:
                reader = _Notes(part, self._styles, self._left_out, counts)
                self._problem(part, self._package.read_part(target, reader, PREFIXES))
                self._notes.update(reader.found)
        story = Story("body", self._styles, self._add, self._left_out, counts)
        wrong = self._package.read_part(self._main, story, PREFIXES)
        story.finish()
        if wrong and not self._composer.length:
            raise self._package.damaged(wrong)
        self._problem("text", wrong)
        self._composer.close_headings(1)
        self._add_margins(story.margins, counts)
        title = self._title or self._package.title()
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

    def _add(self, item: Item) -> None:
        if isinstance(item, Table):
            self._add_table(item)
        else:
            self._add_paragraph(item)
            self._add_hanging([item])

    def _add_paragraph(self, paragraph: Paragraph) -> None:
        style = self._styles.of(paragraph.style or self._styles.default)
        marker, level = self._marker(paragraph)
        if not any(words.strip() for words, _ in paragraph.pieces):
            return
        outline = style.outline if paragraph.outline is None else paragraph.outline
        is_title = style.name.lower() == "title"
        if is_title and not self._title:
            self._title = "".join(words for words, _ in paragraph.pieces)
        if is_title:
            outline = 0
        length = sum(len(words) for words, _ in paragraph.pieces)
        if outline is not None and outline < BODY_LEVEL and length <= _LONGEST_HEADING:
            lead: list[Piece] = [(marker, None)] if marker not in ("", "- ") else []
            self._composer.heading([*lead, *_as_line(paragraph.pieces)], min(outline + 1, 6))
        elif paragraph.is_contents or is_contents(style):
            self._composer.add(BlockKind.MARKUP, paragraph.pieces, marker=marker)
        elif marker:
            self._composer.add(
                BlockKind.LIST_ITEM,
                paragraph.pieces,
                level=level + 1,
                group=self._list_group(paragraph, level),
                marker=marker,
            )
            return
        else:
            self._composer.add(BlockKind.PARAGRAPH, paragraph.pieces)
        self._group = ("", 0)

    def _marker(self, paragraph: Paragraph) -> tuple[str, int]:
        """What Word prints before a paragraph of a list, and the level of the list, from 0."""
        style_id = paragraph.style or self._styles.default
        style = self._styles.of(style_id)
        list_id = style.list_id if paragraph.list_id is None else paragraph.list_id
        # Word does not number a paragraph that is hidden with its mark.
        if not list_id or list_id == "0" or (paragraph.mark_is_hidden and not paragraph.pieces):
            return "", 0
        level = paragraph.list_level
        if level is None:
            level = style.list_level
        if level is None:
            level = self._numbering.level_of_style(list_id, style_id)
        level = max(0, min(level, _DEEPEST_LIST - 1))
        return self._numbering.next_marker(paragraph.place.part, list_id, level), level

    def _list_group(self, paragraph: Paragraph, level: int) -> int:
        style = self._styles.of(paragraph.style or self._styles.default)
        list_id = (style.list_id if paragraph.list_id is None else paragraph.list_id) or ""
        before, group = self._group
        if not group or (before != list_id and level == 0):
            self._group = (list_id, self._composer.new_group())
        return self._group[1]

    def _add_hanging(self, paragraphs: Sequence[Paragraph]) -> None:
        """Add the text boxes and notes that hang on paragraphs."""
        for paragraph in paragraphs:
            for item in paragraph.boxes:
                self._add(item)
            for part, note in paragraph.notes:
                self._add_note(part, note)

    def _add_note(self, part: str, note: str) -> None:
        number = self._shown_notes[part] = self._shown_notes.get(part, 0) + 1
        shown = str(number) if part == "footnotes" else numerals.roman(number)
        marker = f"[{shown}] "
        # Taken away, so that a note that is referred to twice, or by itself, is there once.
        for item in self._notes.pop((part, note), ()):
            if isinstance(item, Table):
                self._add_table(item)
            elif any(words.strip() for words, _ in item.pieces):
                self._composer.add(BlockKind.PARAGRAPH, item.pieces, marker=marker)
                marker = ""
        self._group = ("", 0)

    def _add_table(self, table: Table) -> None:
        self._group = ("", 0)
        rows = [row for row in table.rows if not row.is_deleted]
        cells = [cell for row in rows for cell in row.cells]
        if _is_layout(cells) or all(len(row.cells) < 2 for row in rows):
            for cell in cells:
                for item in cell.items:
                    self._add(item)
            return
        paragraphs: list[Paragraph] = []
        laid: list[list[Cell]] = []
        open_above: dict[int, Cell] = {}
        for row in rows:
            line: list[Cell] = []
            for cell in row.cells:
                pieces, inside = self._cell_pieces(cell)
                paragraphs += inside
                above = open_above.get(cell.column)
                if cell.continues and above is not None and not pieces:
                    above.rows += 1
                    continue
                place = inside[0].place if inside else None
                laid_out = Cell(
                    row=place.row if place is not None else 0,
                    column=cell.column,
                    pieces=pieces,
                    columns=cell.columns,
                    is_strong=cell.is_shaded or all(one.is_bold for one in inside if one.pieces),
                )
                open_above[cell.column] = laid_out
                line.append(laid_out)
            laid.append(line)
        add_table(self._composer, laid, self._header_rows(table, len(rows)))
        self._group = ("", 0)
        self._add_hanging(paragraphs)

    def _header_rows(self, table: Table, count: int) -> int | None:
        header = 0
        rows = [row for row in table.rows if not row.is_deleted]
        while header < count and rows[header].is_header:
            header += 1
        if header:
            return header
        coloured = table.has_first_row and self._styles.of(table.style).colours_first_row
        for cell in rows[0].cells if coloured and rows else ():
            cell.is_shaded = True
        return None

    def _cell_pieces(self, cell: TableCell) -> tuple[list[Piece], list[Paragraph]]:
        pieces: list[Piece] = []
        paragraphs = [item for item in cell.items if isinstance(item, Paragraph)]
        for paragraph in paragraphs:
            marker, _ = self._marker(paragraph)
            if not any(words.strip() for words, _ in paragraph.pieces):
                continue
            if pieces:
                pieces.append((" ", None))
            if marker and marker != "- ":
                pieces.append((marker, None))
            pieces += paragraph.pieces
        return pieces, paragraphs

    def _add_margins(
        self, margins: Sequence[tuple[str, str]], counts: dict[str, list[int]]
    ) -> None:
        """Add headers and footers, each text once."""
        known: set[str] = set()
        for part, reference in dict.fromkeys(margins):
            related = self._related.get(reference, Relationship("", "", False))
            if related.target not in self._package:
                self._problems.append(f"one of its {part} is missing from the file")
                continue
            items: list[Item] = []
            story = Story(part, self._styles, items.append, self._left_out, counts)
            self._problem(part, self._package.read_part(related.target, story, PREFIXES))
            story.finish()
            for paragraph in _paragraphs(items):
                pieces = _as_line(paragraph.pieces)
                words = "".join(words for words, _ in pieces).strip()
                if words not in known:
                    known.add(words)
                    self._composer.add(BlockKind.MARKUP, pieces)

    def _report(self) -> list[str]:
        left_out = self._left_out
        notes = list(self._problems)
        if left_out.hidden:
            notes.append(
                f"hidden text is left out ({left_out.hidden} characters): show it in Word to have"
                " it read"
            )
        if left_out.deletions:
            notes.append(
                f"tracked deletions are left out ({left_out.deletions}): reject them in Word to"
                " have them read"
            )
        if left_out.comments:
            notes.append(f"comments are left out ({left_out.comments})")
        if left_out.embedded:
            notes.append(f"embedded files are not read ({left_out.embedded}): save them beside it")
        pictures = sum(
            not one.is_external and one.kind == "image" for one in self._related.values()
        )
        if pictures and self._composer.length < 200 * pictures:
            notes.append(
                f"it has little text and {pictures} pictures: words in pictures are not read"
            )
        elif not self._composer.length:
            notes.append("it holds no text")
        return notes


class _Notes(Story):
    """Events of the footnotes or endnotes, by their ids."""

    def __init__(
        self, part: str, styles: Styles, left_out: LeftOut, counts: dict[str, list[int]]
    ) -> None:
        self.found: dict[tuple[str, str], list[Item]] = {}
        self._part = part
        self._items: list[Item] = []
        super().__init__(part, styles, self._append, left_out, counts)

    def _append(self, item: Item) -> None:
        self._items.append(item)

    def start(self, name: str, attributes: Attributes) -> None:
        if name in ("w:footnote", "w:endnote"):
            self._items = []
            if attributes.get("w:type", "normal") == "normal":
                self.found[self._part, attributes.get("w:id", "")] = self._items
        super().start(name, attributes)


def _is_layout(cells: Sequence[TableCell]) -> bool:
    return any(isinstance(item, Table) for cell in cells for item in cell.items) or any(
        _length(cell) > _LONGEST_CELL for cell in cells
    )


def _length(cell: TableCell) -> int:
    return sum(len(words) for one in _paragraphs(cell.items) for words, _ in one.pieces)


def _paragraphs(items: Sequence[Item]) -> list[Paragraph]:
    """All paragraphs of `items`, those in tables and text boxes too."""
    found: list[Paragraph] = []
    for item in items:
        if isinstance(item, Paragraph):
            found += [item, *_paragraphs(item.boxes)]
        else:
            for row in item.rows:
                for cell in row.cells:
                    found += _paragraphs(cell.items)
    return found


def _as_line(pieces: Sequence[Piece]) -> list[Piece]:
    return [(words.replace("\n", " ").replace("\t", " "), place) for words, place in pieces]
