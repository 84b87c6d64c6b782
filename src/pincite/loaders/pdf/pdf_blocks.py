"""From lines to blocks: paragraphs, headings, list items, rows; over columns and pages.

A line goes on in the next one unless something says that it ends: a gap, another font, a bullet,
or room left at its end that the next word would have fitted into.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pincite.loaders.pdf.pdf_layout import Line
from pincite.loaders.pdf.pdf_tables import PrintedTable, is_row, rest_of, table_at
from pincite.records import BlockKind

_BULLET = re.compile(r"(?:[•●▪■◦‣⁃∙·➢➤❖✓✔►▶\uf000-\uf0ff]|o(?= [A-Z]))\s*(?=\S)")
_NUMBER = re.compile(r"(\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,5})[.)]|[-–—*])\s+(?=\S)")
_NUMBERED_HEADING = re.compile(r"(?:\d{1,2}(?:\.\d{1,2})*\.?|[A-Z]\.|[IVX]{1,5}\.)\s+(?=\S)")
_STOPS = tuple(".!?:;…。．！？：；؟۔।")
_CLOSING = "\"'”’»)]"
_LEADERS = re.compile(r"(?:\.\s?){4,}\s*\S{1,6}\s*\Z|…{2,}\s*\S{1,6}\s*\Z")
_LONGEST_HEADING = 200
_MOST_HEADING_LINES = 3
_HEADING_LEVELS = 6


@dataclass(slots=True)
class Draft:
    """Lines that make one block."""

    kind: BlockKind
    lines: list[Line]
    marker: str = ""
    marker_width: int = 0
    """Code points at the beginning of the first line that the marker takes up."""
    level: int = 0
    group: int = 0
    """The same number for the rows of a table, or the items of a list."""
    table: PrintedTable | None = None
    """Where the lines are those of a table with cells."""
    text_left: float = 0.0
    """Where the words of a list item begin, right of its marker."""

    @property
    def size(self) -> float:
        """Of most of its print."""
        return max(self.lines, key=lambda line: len(line.text)).size

    @property
    def text(self) -> str:
        """Its words, a line after the other."""
        return " ".join(line.text for line in self.lines)


@dataclass(slots=True)
class Body:
    """What is usual in the document."""

    size: float
    leading: float
    """From line to line, in parts of the size."""
    sizes: Counter[float] = field(default_factory=Counter)
    is_bold: bool = False


def body_of(pages: Sequence[Sequence[Line]]) -> Body:
    """The print most of the document is set in. Of no lines: 10 points."""
    sizes: Counter[float] = Counter()
    bold = 0
    total = 0
    leadings: Counter[float] = Counter()
    for lines in pages:
        for line in lines:
            length = len(line.text) - len(line.fragments) + 1
            sizes[_rounded(line.size)] += length
            total += length
            bold += length if line.is_bold else 0
        for before, line in pairwise(lines):
            distance = line.bottom - before.bottom
            if 0 < distance < 3 * line.size and abs(line.size - before.size) < 0.5:
                leadings[round(distance / max(line.size, 1.0), 1)] += len(line.text)
    if not total:
        return Body(10.0, 1.2)
    size = max(sorted(sizes), key=lambda key: sizes[key])
    leading = max(sorted(leadings), key=lambda key: leadings[key]) if leadings else 1.2
    return Body(size, min(max(leading, 1.0), 2.6), sizes, bold > 0.6 * total)


def _rounded(size: float) -> float:
    return round(2 * size) / 2


def drafts_of(
    pages: Sequence[Sequence[Line]], body: Body, bookmarks: Sequence[tuple[int, int, str]]
) -> tuple[list[Draft], list[Line]]:
    """The blocks of all pages in reading order, and the headers that tables say again on a page.

    Headings have their level. `bookmarks` are page, depth from 0 and title of the entries of the
    file's own outline.
    """
    again: list[Line] = []
    drafts: list[Draft] = []
    notes: list[Draft] = []
    groups = 0
    for lines in pages:
        own = list(_page_drafts(lines, body))
        groups = _renumber(own, groups)
        text, below = _parted(own, body)
        if drafts and text:
            _join_groups(drafts[-1], text)
            again += _join_tables(drafts[-1], text)
        if drafts and text and _runs_on(drafts[-1], text[0], body):
            drafts[-1].lines += text.pop(0).lines
            if text:
                drafts += notes
                notes = []
        else:
            drafts += notes
            notes = []
        drafts += text
        notes += below
    drafts += notes
    _set_headings(drafts, body, bookmarks)
    return drafts, again


def _renumber(drafts: Sequence[Draft], groups: int) -> int:
    last = groups
    for draft in drafts:
        if draft.group:
            draft.group += groups
            last = max(last, draft.group)
    return last


def _join_groups(last: Draft, drafts: Sequence[Draft]) -> None:
    """A list that goes on over the page break stays one."""
    group = drafts[0].group
    both_items = last.kind is drafts[0].kind is BlockKind.LIST_ITEM
    if both_items and (last.marker == "- ") == (drafts[0].marker == "- "):
        for draft in drafts:
            if draft.group == group:
                draft.group = last.group


def _join_tables(last: Draft, drafts: list[Draft]) -> list[Line]:
    """A table that goes on over the page break stays one; the lines of a header said again."""
    first = drafts[0]
    if last.table is None or first.table is None:
        return []
    rest = rest_of(last.table, first.table)
    if rest is None:
        return []
    del drafts[0]
    rows, said_again = rest
    header = [cell for row in first.table.rows[:said_again] for cell in row]
    last.table.rows += rows
    last.lines += first.lines
    return [line for cell in header for line in cell.lines]


def _parted(drafts: list[Draft], body: Body) -> tuple[list[Draft], list[Draft]]:
    """The text of a page, and the small print below it: footnotes."""
    end = len(drafts)
    while (
        end
        and drafts[end - 1].kind is not BlockKind.TABLE_ROW
        and (drafts[end - 1].size < 0.93 * body.size)
    ):
        end -= 1
    if not end:
        return drafts, []
    return drafts[:end], drafts[end:]


def _page_drafts(lines: Sequence[Line], body: Body) -> Iterator[Draft]:
    """The blocks of one page; groups are counted from 1."""
    group = 0
    last: Draft | None = None
    reached = 0
    for position, line in enumerate(lines):
        if position < reached:
            continue
        table = table_at(lines, position) if is_row(line) else None
        if table is not None:
            if last is not None:
                yield last
            reached = table.end
            group += 1
            rows = list(lines[position:reached])
            last = Draft(BlockKind.TABLE_ROW, rows, group=group, table=table)
            continue
        previous = lines[position - 1] if position else None
        is_next = previous is not None and _is_below(previous, line, body)
        goes_on = (
            last is not None
            and previous is not None
            and last.kind is not BlockKind.TABLE_ROW
            and _goes_on(last, lines, position, is_next)
        )
        marker = _marker(line, last, goes_on)
        if goes_on and last is not None and not marker:
            last.lines.append(line)
            continue
        if last is not None:
            yield last
        if _has_leaders(line.text):
            if last is None or last.kind is not BlockKind.TABLE_ROW or last.table is not None:
                group += 1
            last = Draft(BlockKind.TABLE_ROW, [line], group=group)
        elif marker:
            if last is None or last.kind is not BlockKind.LIST_ITEM:
                group += 1
            shown, width = marker
            last = Draft(BlockKind.LIST_ITEM, [line], shown, width, 1, group)
            last.text_left = _left_of(line, width)
        else:
            last = Draft(BlockKind.PARAGRAPH, [line])
    if last is not None:
        yield last


def _marker(line: Line, last: Draft | None, goes_on: bool) -> tuple[str, int] | None:
    """The marker of a list item as it is written, and its width in code points."""
    text = line.text
    match = _BULLET.match(text)
    if match is not None:
        return "- ", match.end()
    match = _NUMBER.match(text)
    if match is None or (goes_on and (last is None or last.kind is not BlockKind.LIST_ITEM)):
        return None
    if goes_on and last is not None and abs(line.left - last.lines[0].left) > 0.6 * line.size:
        return None
    written = match[1]
    return ("- " if written in "-–—*" else f"{written} "), match.end()


def _left_of(line: Line, place: int) -> float:
    """Where the code point at `place` of the line's text begins."""
    for fragment in line.fragments:
        if place < len(fragment.text):
            return _position(line, fragment.edges, place) if fragment.edges else fragment.left
        place -= len(fragment.text) + 1
    return line.left


def _position(line: Line, edges: Sequence[int], place: int) -> float:
    return edges[place] * line.page.width / 10_000


def _margin(lines: Sequence[Line], position: int) -> float:
    """How far right the lines around one go that are of its column and size."""
    line = lines[position]
    right = line.right
    for other in lines[max(0, position - 5) : position + 6]:
        if (
            abs(other.size - line.size) < 0.6
            and other.left < line.right
            and line.left < other.right
        ):
            right = max(right, other.right)
    return right


def _is_below(previous: Line, line: Line, body: Body) -> bool:
    """Whether `line` is the next one down the same column, without a gap."""
    distance = line.bottom - previous.bottom
    size = max(line.size, previous.size)
    return 0 < distance < 1.25 * body.leading * size + 0.5


def _is_like(one: Line, other: Line) -> bool:
    # The height of print in a picture depends on its letters.
    tolerance = 0.25 if one.page.is_recognised else 0.08
    return abs(one.size - other.size) < tolerance * max(one.size, other.size) and (
        one.is_bold == other.is_bold or _is_mixed(one) or _is_mixed(other)
    )


def _is_mixed(line: Line) -> bool:
    """Whether its weight says nothing: a short line may happen to be all bold."""
    return len(line.text) < 4


def _ends_sentence(text: str) -> bool:
    return text.rstrip().rstrip(_CLOSING).endswith(_STOPS)


def _has_leaders(text: str) -> bool:
    """Whether dots lead to what stands at the end of the line, as in a table of contents."""
    may_have = text.count(".") >= 4 or "……" in text
    return may_have and _LEADERS.search(text) is not None


def _goes_on(last: Draft, lines: Sequence[Line], position: int, is_next: bool) -> bool:
    """Whether the words of the last line so far go on in the one at `position`."""
    previous, line = lines[position - 1], lines[position]
    if not _is_like(previous, line) or _has_leaders(previous.text):
        return False
    lowers = _begins_low(line.text)
    ends = _ends_sentence(previous.text)
    if not is_next:
        # Another column, or over a picture: only a sentence that is not at its end.
        has_gap = line.bottom > previous.bottom
        return not has_gap and not ends and lowers
    if last.kind is BlockKind.LIST_ITEM:
        if line.left < last.lines[0].left - 0.5 * line.size:
            return False
        if line.left < last.text_left - 0.8 * line.size and len(last.lines) > 1:
            inner = last.lines[1].left
            if line.left < inner - 0.8 * line.size:
                return False
    elif line.left > previous.left + 0.8 * line.size and len(last.lines) >= 1 and ends:
        return False
    if lowers and not ends:
        return True
    return not _has_room(previous, line, _margin(lines, position - 1))


def _begins_low(text: str) -> bool:
    first = text.lstrip("\"'“‘«(")[:1]
    return first.islower()


def _has_room(previous: Line, line: Line, margin: float) -> bool:
    """Whether the first word of `line` would have fitted at the end of `previous`."""
    first = line.fragments[0]
    length = first.text.find(" ")
    if length < 0 and len(line.fragments) == 1 and _is_unspaced(first.text):
        length = 1
    if length < 0:
        width = first.right - first.left
    elif first.edges:
        width = _position(line, first.edges, length) - first.left
    else:
        width = (first.right - first.left) * length / len(first.text)
    return previous.right + width + 0.2 * line.size < margin


def _is_unspaced(text: str) -> bool:
    return any("\u3040" <= letter <= "\u9fff" for letter in text)


def _runs_on(last: Draft, first: Draft, body: Body) -> bool:
    """Whether the last block of a page goes on in the first one of the next."""
    prose = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
    if last.kind not in prose or first.kind is not BlockKind.PARAGRAPH:
        return False
    before, after = last.lines[-1], first.lines[0]
    if not _is_like(before, after) or _ends_sentence(before.text):
        return False
    if _looks_like_heading(first, body) or _looks_like_heading(last, body):
        return False
    if _begins_low(after.text):
        return True
    margin = max(line.right for line in last.lines)
    return len(last.lines) > 1 and not _has_room(before, after, margin)


def _looks_like_heading(draft: Draft, body: Body) -> bool:
    if draft.kind is BlockKind.TABLE_ROW or len(draft.lines) > _MOST_HEADING_LINES:
        return False
    if draft.lines[0].turn:
        return False
    text = draft.text
    if len(text) > _LONGEST_HEADING or not any(letter.isalpha() for letter in text):
        return False
    size = draft.size
    is_bold = all(line.is_bold for line in draft.lines)
    if size >= 1.12 * body.size:
        return draft.kind is BlockKind.PARAGRAPH or (
            is_bold and _NUMBERED_HEADING.match(text) is not None
        )
    if not is_bold or body.is_bold or size < 0.95 * body.size:
        return False
    if draft.kind is BlockKind.LIST_ITEM and _NUMBERED_HEADING.match(text) is None:
        return False
    return not text.rstrip().endswith((".", ",", ";")) and not _begins_low(text)


def _set_headings(
    drafts: Sequence[Draft], body: Body, bookmarks: Sequence[tuple[int, int, str]]
) -> None:
    """Make headings of the blocks that are, with levels from their sizes or the outline."""
    named = {(page, _plain(title)): depth for page, depth, title in bookmarks}
    found: list[Draft] = []
    for position, draft in enumerate(drafts):
        key = draft.lines[0].page.number, _plain(draft.text)
        if key in named and len(draft.text) <= _LONGEST_HEADING:
            draft.level = min(named[key] + 1, _HEADING_LEVELS)
            _make_heading(draft)
        elif _looks_like_heading(draft, body) and position + 1 < len(drafts):
            found.append(draft)
    sizes = sorted({_heading_size(draft, body) for draft in found}, reverse=True)
    for draft in found:
        rank = sizes.index(_heading_size(draft, body)) + 1
        draft.level = min(rank, _HEADING_LEVELS)
        _make_heading(draft)


def _heading_size(draft: Draft, body: Body) -> float:
    return max(_rounded(draft.size), body.size)


def _make_heading(draft: Draft) -> None:
    draft.kind = BlockKind.HEADING
    draft.marker, draft.marker_width, draft.group = "", 0, 0


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
