"""The structure of Markdown, from markdown-it's block tokens and their line numbers.

Inline markup is left as it stands: a quote is what the file says. Only the names in a heading
path and the title are cleaned of it.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from pincite.loaders.decoding import decoded_text
from pincite.loaders.extracted import Extracted, LoadSettings
from pincite.loaders.outline import Outline
from pincite.loaders.text.comments import rejoin
from pincite.loaders.text.regions import (
    COMMENT,
    FENCE,
    HEADING,
    LIST,
    OTHER,
    PARAGRAPH,
    RULE,
    Region,
    split_regions,
)
from pincite.records import Block, BlockKind, Span
from pincite.text.lines import line_starts

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

MAXIMUM_NESTING = 90
"""Lists and quotations inside each other, about 45 deep; what is deeper is read as paragraphs."""

# Possessive, so that no text makes these go back over what they have read.
NAME_LENGTH = 500
"""Code points of a heading that are kept in a heading path."""

_FRONT_MATTER = re.compile(
    r"(---|\+\+\+)[ \t]*+(?:\r\n?+|\n)(?=#|[A-Za-z_][\w .-]*[:=])"
    r"(?:[^\r\n]*+(?:\r\n?+|\n))*?(?:\1|\.\.\.)[ \t]*+(?=[\r\n]|\Z)"
)
_FRONT_TITLE = re.compile(r"^title[ \t]*[:=][ \t]*(.+?)[ \t\r]*$", re.M | re.I)
_MARKERS = re.compile(
    r"[ \t]*(?:(?:>[ \t]?|(?:[-+*]|\d{1,9}[.)])(?:[ \t]+|$))[ \t]*)*(?:\[[ xX]\][ \t]+)?"
)
_MARKERS_ONLY = re.compile(r"[ \t]*(?:(?:>|[-+*]|\d{1,9}[.)]|\[[ xX]\])[ \t]*)*$")
_REFERENCE = re.compile(r"[ \t>]*\[(?!\^)[^\]]+\]:")
_ALERT = re.compile(r"\[![A-Z]+\][ \t]*(?:\r\n?|\n)[ \t>]*")
_HASHES = re.compile(r"#{1,6}[ \t]*")
_HEADING_TAIL = re.compile(
    r"(?:[ \t]+#+|[ \t]*<a\s[^<>]*>\s*</a>|[ \t]*<!--.*?-->|[ \t]*\{[#.:][^{}]*\})[ \t]*$"
)
_TAIL_ENDS = ("#", ">", "}")
# Names of their own: looking a member up takes Python 3.11 as long as much of what is done here.
_PARAGRAPH, _ITEM, _MARKED = BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.MARKUP
# A comment that is not closed in its paragraph is shown.
_COMMENT = re.compile(r"<!--.*?-->", re.S)
_UNSHOWN = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style)\b.*?(?:</\1\s*>|\Z)|<[?].*?(?:[?]>|\Z)"
    r"|<![A-Za-z][^>]*+(?:>|\Z)",
    re.S | re.I,
)
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_EMPHASIS = re.compile(r"(\*{1,3}|_{2,3}|~~|`+)(?=\S)(.+?)(?<=\S)\1")
_MARKUP = frozenset("<[*_~`\\&")
"""Signs without one of which there is no markup in a line."""
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


@functools.cache
def _parser() -> MarkdownIt:
    # Not at the top: asking an index that is up to date should not pay for loading it.
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark", {"maxNesting": MAXIMUM_NESTING})
    parser.enable("table")
    # Only blocks and their lines are used.
    parser.disable(["inline", "text_join"], ignoreInvalid=True)
    return parser


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The decoded file and its blocks; raises `UnreadableContent` where it holds no text."""
    return structure(decoded_text(data))


def structure(text: str) -> Extracted:
    """`text` as it stands and its blocks, read as Markdown."""
    blocks = find_blocks(text)
    return Extracted(text, tuple(blocks), title=find_title(text, blocks) or "")


def find_blocks(text: str) -> list[Block]:
    """The blocks of `text` in reading order, covering everything but white space."""
    if not text:
        return []
    builder = _Builder(text)
    front = _FRONT_MATTER.match(text)
    first_line = 0
    if front:
        first_line = builder.add_front_matter(front.end())
    for region in split_regions(text, builder.starts, first_line):
        builder.read_region(region)
    builder.cover_rest()
    return rejoin(text, builder.blocks)


def find_title(text: str, blocks: Sequence[Block]) -> str | None:
    """The first level 1 heading, the front matter's title, the first heading; or None."""
    heading = BlockKind.HEADING
    headings = [block for block in blocks if block.kind is heading]
    for block in headings:
        if block.level == 1 and block.heading_path[-1]:
            return block.heading_path[-1]
    if blocks and blocks[0].kind is BlockKind.MARKUP:
        title = _FRONT_TITLE.search(blocks[0].span.of(text))
        if title and text.startswith(("---", "+++")):
            return title.group(1).strip("\"'") or None
    return next((block.heading_path[-1] for block in headings if block.heading_path[-1]), None)


def plain_words(source: str) -> str:
    """`source`, a stretch of inline Markdown, without its markup and on one line."""
    words = source[:NAME_LENGTH]
    # Most have no markup at all.
    if not _MARKUP.isdisjoint(words):
        words = _TAG.sub("", words)
        words = _LINK.sub(r"\1", words)
        words = _EMPHASIS.sub(r"\2", words)
        words = html.unescape(_ESCAPE.sub(r"\1", words))
    return " ".join(words.split())


class _Builder:
    """Turns tokens into blocks, in order; every line belongs to exactly one of them."""

    def __init__(self, text: str) -> None:
        self.blocks: list[Block] = []
        self.starts = line_starts(text)
        self._text = text
        self._outline = Outline()
        self._line = 0
        """First line that is in no block yet."""
        self._group_count = 0

    def add_front_matter(self, end: int) -> int:
        self._add(BlockKind.MARKUP, 0, end, skip=0)
        self._line = next(
            (line for line, start in enumerate(self.starts) if start >= end), len(self.starts)
        )
        return self._line if self._line < len(self.starts) else len(self.starts) - 1

    def read_region(self, region: Region) -> None:
        """Make the blocks of one region."""
        first, end = region.first, region.end
        self._cover(first)
        kind = region.kind
        if kind is OTHER:
            stop = self.starts[end] if end < len(self.starts) else len(self._text)
            self.read(_parser().parse(self._text[self.starts[first] : stop]), first)
            return
        if kind is PARAGRAPH:
            self._paragraph(first, end, _PARAGRAPH, 0, 0)
        elif kind is HEADING:
            self._heading(first, end, len(region.mark), is_setext=False)
        elif kind is FENCE:
            self._fence(first, end, region.mark, 0)
        elif kind is COMMENT:
            self._split(_UNSHOWN, *self._bounds(first, end), _PARAGRAPH, 0, 0)
        elif kind is RULE:
            self._lines(_MARKED, first, end, skip=None)
        elif kind is LIST:
            self._group_count += 1
            for start, stop in pairwise((*region.items, end)):
                self._paragraph(start, stop, _ITEM, 1, self._group_count)
        else:
            self._group_count += 1
            self._row(BlockKind.TABLE_HEADER, first, self._group_count)
            for line in range(first + 2, end):
                self._row(BlockKind.TABLE_ROW, line, self._group_count)
        self._line = end

    def cover_rest(self) -> None:
        """Make blocks of the lines after the last region that no token names."""
        self._cover(len(self.starts))

    def read(self, tokens: list[Token], first_line: int) -> None:
        """Make the blocks of `tokens`, whose lines count from `first_line`."""
        containers: list[BlockKind] = []
        depth = 0
        group = 0
        table = 0
        row_kind = BlockKind.TABLE_ROW
        for token in tokens:
            kind = token.type
            if kind in ("bullet_list_open", "ordered_list_open"):
                if not depth:
                    self._group_count += 1
                    group = self._group_count
                depth += 1
            elif kind in ("bullet_list_close", "ordered_list_close"):
                depth -= 1
                group = group if depth else 0
            elif kind == "list_item_open":
                containers.append(BlockKind.LIST_ITEM)
            elif kind == "blockquote_open":
                containers.append(BlockKind.QUOTATION)
            elif kind in ("list_item_close", "blockquote_close"):
                containers.pop()
            elif kind == "table_open":
                self._group_count += 1
                table = self._group_count
            elif kind == "thead_open":
                row_kind = BlockKind.TABLE_HEADER
            elif kind == "tbody_open":
                row_kind = BlockKind.TABLE_ROW
            elif token.map is None:
                continue
            elif kind in _LEAVES:
                start, end = token.map[0] + first_line, token.map[1] + first_line
                self._cover(start)
                if kind == "heading_open":
                    self._heading(start, end, int(token.tag[1]), is_setext=token.markup in "=-")
                elif kind == "paragraph_open":
                    container = containers[-1] if containers else BlockKind.PARAGRAPH
                    self._paragraph(start, end, container, depth, group)
                elif kind == "tr_open":
                    end = self._row(row_kind, start, table)
                elif kind == "fence":
                    self._fence(start, end, token.markup, group)
                elif kind == "code_block":
                    self._lines(BlockKind.CODE, start, end, group=group, skip=None)
                elif kind == "html_block":
                    bounds = self._bounds(start, end)
                    self._split(_UNSHOWN, *bounds, BlockKind.PARAGRAPH, 0, group)
                else:
                    self._lines(BlockKind.MARKUP, start, end, skip=None)
                self._line = max(self._line, end)

    def _bounds(self, first: int, end: int) -> tuple[int, int]:
        """Offsets of the lines [first, end), without white space at the end."""
        start = self.starts[first]
        stop = self.starts[end] if end < len(self.starts) else len(self._text)
        return start, start + len(self._text[start:stop].rstrip())

    def _cover(self, end: int) -> None:
        """Take the lines that no token names: link definitions, empty items, too deep nesting."""
        if self._line < end:
            stop = self.starts[end] if end < len(self.starts) else len(self._text)
            if not self._text[self.starts[self._line] : stop].strip():
                self._line = end
                return
        for line in range(self._line, end):
            start, stop = self._bounds(line, line + 1)
            if start == stop:
                continue
            words = self._text[start:stop]
            is_markup = _MARKERS_ONLY.match(words) or _REFERENCE.match(words)
            kind = BlockKind.MARKUP if is_markup else BlockKind.PARAGRAPH
            self._add(kind, start, stop, skip=None)
        self._line = max(self._line, end)

    def _lines(
        self, kind: BlockKind, first: int, end: int, *, group: int = 0, skip: int | None = 0
    ) -> None:
        start, stop = self._bounds(first, end)
        if stop > start:
            self._add(kind, start, stop, skip=skip, group=group)

    def _add(
        self, kind: BlockKind, start: int, stop: int, *, skip: int | None, level: int = 0,
        group: int = 0,
    ) -> None:  # fmt: skip
        """Add a block; `skip` code points of it are markers, None for white space only."""
        content = start
        if skip is None:
            while content < stop and self._text[content].isspace():
                content += 1
        else:
            content += skip
        span = Span(start, stop)
        words = Span(content, stop) if content > start else span
        self.blocks.append(Block(kind, span, words, self._outline.path, level, group))

    def _marker_end(self, start: int, stop: int) -> int:
        if start < stop and self._text[start].isalpha():
            return start
        match = _MARKERS.match(self._text, start, stop)
        return match.end() if match else start

    def _heading(self, first: int, end: int, level: int, *, is_setext: bool) -> None:
        start, stop = self._bounds(first, end)
        content = self._marker_end(start, stop)
        content_end = stop
        if is_setext:
            content_end = self._bounds(first, end - 1)[1]
        else:
            hashes = _HASHES.match(self._text, content, stop)
            content = hashes.end() if hashes else content
        content = min(content, content_end)
        source = self._text[content:content_end]
        while (
            len(source) < 4 * NAME_LENGTH
            and source.rstrip().endswith(_TAIL_ENDS)
            and (tail := _HEADING_TAIL.search(source))
        ):
            source = source[: tail.start()]
        source = source.rstrip()
        if source.strip("#") == "":
            source = ""
        path = self._outline.open(plain_words(source), level)
        self.blocks.append(
            Block(
                BlockKind.HEADING,
                Span(start, stop),
                Span(content, content + len(source)),
                path,
                level,
            )
        )

    def _paragraph(self, first: int, end: int, kind: BlockKind, depth: int, group: int) -> None:
        start, stop = self._bounds(first, end)
        if stop == start:
            return
        content = self._marker_end(start, stop)
        if kind is BlockKind.QUOTATION:
            alert = _ALERT.match(self._text, content, stop)
            content = alert.end() if alert else content
        level = depth if kind is _ITEM else 0
        closing = self._text.rfind("-->", content, stop)
        if closing >= 0 and self._text.find("<!--", content, closing) >= 0:
            reach = closing + len("-->")
            self._split(
                _COMMENT, start, stop, kind, level, group, skip=content - start, reach=reach
            )
        else:
            self._add(kind, start, stop, skip=content - start, level=level, group=group)

    def _row(self, kind: BlockKind, line: int, group: int) -> int:
        """Make a block of a row of a table, and of the line below its head; the line after."""
        self._lines(kind, line, line + 1, group=group, skip=None)
        if kind is BlockKind.TABLE_ROW:
            return line + 1
        self._lines(_MARKED, line + 1, line + 2, group=group, skip=None)
        return line + 2

    def _fence(self, first: int, end: int, markup: str, group: int) -> None:
        self._lines(BlockKind.MARKUP, first, first + 1, group=group, skip=None)
        start, stop = self._bounds(end - 1, end)
        closing = self._text[start:stop].lstrip(" \t>").rstrip()
        is_closed = end - 1 > first and closing.startswith(markup) and not closing.strip(markup[0])
        code_end = end - 1 if is_closed else end
        if code_end > first + 1:
            self._lines(BlockKind.CODE, first + 1, code_end, group=group, skip=None)
        if is_closed:
            self._lines(BlockKind.MARKUP, end - 1, end, group=group, skip=None)

    def _split(
        self, unshown: re.Pattern[str], start: int, stop: int, kind: BlockKind, level: int,
        group: int, skip: int = 0, reach: int | None = None,
    ) -> None:  # fmt: skip
        """Split at what a browser would not show; the rest is prose where it holds words.

        It is looked for up to `reach`, else to `stop`.
        """
        position = start
        for match in unshown.finditer(self._text, start, stop if reach is None else reach):
            if self._text.count("`", start, match.start()) % 2:
                continue  # Code that shows a comment.
            self._visible(position, match.start(), kind, level, group, skip)
            self._add(BlockKind.MARKUP, match.start(), match.end(), skip=None)
            position = match.end()
            skip = 0
        self._visible(position, stop, kind, level, group, skip)

    def _visible(
        self, start: int, stop: int, kind: BlockKind, level: int, group: int, skip: int
    ) -> None:
        while stop > start and self._text[stop - 1].isspace():
            stop -= 1
        while start < stop and not skip and self._text[start].isspace():
            start += 1
        if stop > start:
            words = _TAG.sub("", self._text[start:stop])
            if not any(map(str.isalnum, words)):
                kind, skip = BlockKind.MARKUP, 0
            self._add(kind, start, stop, skip=min(skip, stop - start), level=level, group=group)


_LEAVES = frozenset(
    {"heading_open", "paragraph_open", "tr_open", "fence", "code_block", "html_block", "hr"}
)
