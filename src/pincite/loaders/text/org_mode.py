"""Org files: headings, lists, tables and blocks told by their lines; the text is the file."""

from __future__ import annotations

import re

from pincite.loaders.decoding import decoded_text
from pincite.loaders.extracted import Extracted, LoadSettings
from pincite.loaders.text.line_blocks import LineBlocks
from pincite.records import BlockKind, Span

_HEADING = re.compile(
    r"(\*+)[ \t]+(?:(?:TODO|NEXT|WAITING|DONE|CANCELL?ED)[ \t]+)?(?:\[#\w\][ \t]*)?"
)
_TAGS = re.compile(r"(?<![ \t])[ \t]++:[\w@#%:]+:$")
_TITLE = re.compile(r"#\+title:[ \t]*(.*)", re.I)
_KEYWORD = re.compile(r"[ \t]*#\+\w")
_CAPTION = re.compile(r"[ \t]*#\+caption(?:\[.*?\])?:[ \t]*(?=\S)", re.I)
_BEGIN = re.compile(r"[ \t]*#\+begin_(\w+)", re.I)
_COMMENT = re.compile(r"[ \t]*#(?:[ \t]|$)")
_FIXED = re.compile(r"[ \t]*:(?:[ \t]|$)")
_DRAWER = re.compile(r"[ \t]*:[\w-]+:$")
_DRAWER_END = re.compile(r"[ \t]*:end:$", re.I)
_CLOCK = re.compile(r"[ \t]*CLOCK:")
_RULE = re.compile(r"[ \t]*-{5,}$")
_TABLE = re.compile(r"[ \t]*\|")
_TABLE_RULE = re.compile(r"[ \t]*\|-")
_ITEM = re.compile(
    r"(?:[ \t]*(?:[-+]|(?:\d+|[A-Za-z])[.)])|[ \t]+\*)(?:[ \t]+|$)"
    r"(?:\[@\d+\][ \t]*)?(?:\[[ X-]\][ \t]+)?"
)
_FOOTNOTE = re.compile(r"\[fn:[^\]]+\][ \t]+(?=\S)")
_LINK = re.compile(r"\[\[[^\[\]]*\]\[([^\[\]]*)\]\]")
_MARKS = re.compile(r"(?<![\w])([*/_=~+])(?=\S)(.+?)(?<=\S)\1(?![\w])")
_CODE = frozenset({"src", "example"})
_QUOTED = frozenset({"quote", "verse"})
_UNSHOWN = frozenset({"comment", "export"})


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The decoded file and its blocks; raises `UnreadableContent` where it holds no text."""
    return structure(decoded_text(data))


def structure(text: str) -> Extracted:
    """`text` as it stands and its blocks, read as Org."""
    reader = _Reader(text)
    reader.read(0, len(reader.made.lines), BlockKind.PARAGRAPH)
    blocks = tuple(reader.made.blocks)
    first = next((b.heading_path[-1] for b in blocks if b.kind is BlockKind.HEADING), "")
    return Extracted(text, blocks, title=reader.title or first)


def plain_words(words: str) -> str:
    """`words` without the marks of emphasis and links."""
    return _MARKS.sub(r"\2", _LINK.sub(r"\1", words))


class _Reader:
    def __init__(self, text: str) -> None:
        self.made = LineBlocks(text)
        self.title = ""
        self._unclosed: dict[str, int] = {}
        """Up to which line it is known that nothing closes what has this name."""

    def read(self, index: int, end: int, kind: BlockKind) -> None:
        """Make blocks of the lines `[index, end)`, in which prose is of `kind`."""
        made = self.made
        # Ends of blocks that hold others, and what prose was outside of them.
        outer: list[tuple[int, BlockKind]] = []
        while index < end:
            while outer and index >= outer[-1][0]:
                kind = outer.pop()[1]
            if made.is_blank(index):
                index += 1
                if made.is_blank(index):
                    made.end_list()
                continue
            begin = _BEGIN.match(made.lines[index].text)
            if begin:
                closing = self._closing(index, begin.group(1))
                made.add(BlockKind.MARKUP, index, index + 1)
                name = begin.group(1).lower()
                if name in _CODE or name in _UNSHOWN:
                    inner = BlockKind.CODE if name in _CODE else BlockKind.MARKUP
                    made.more_of_item(inner, index + 1, closing)
                    index = closing
                else:
                    outer.append((closing, kind))
                    kind = BlockKind.QUOTATION if name in _QUOTED else kind
                    index += 1
                continue
            index = self._block(index, end, kind)

    def _closing(self, index: int, name: str) -> int:
        """The line that closes the block that begins at `index`; the next line if none does."""
        closing = re.compile(rf"[ \t]*#\+end_{re.escape(name)}[ \t]*$", re.I)
        return self._line_before_heading(index, closing, name.lower()) or index + 1

    def _line_before_heading(self, index: int, wanted: re.Pattern[str], name: str) -> int:
        """The next line that is `wanted`, 0 where a heading or the end comes first."""
        lines = self.made.lines
        if index < self._unclosed.get(name, 0):
            return 0
        line = index
        for line in range(index + 1, len(lines)):
            if wanted.match(lines[line].text):
                return line
            if _HEADING.match(lines[line].text):
                break
        self._unclosed[name] = line
        return 0

    def _block(self, index: int, end: int, kind: BlockKind) -> int:
        made = self.made
        line = made.lines[index]
        text = line.text
        heading = _HEADING.match(text)
        if heading:
            tags = _TAGS.search(text, heading.end())
            stop = line.start + (tags.start() if tags else len(text))
            content = Span(min(line.start + heading.end(), stop), stop)
            level = min(6, len(heading.group(1)))
            made.heading(index, index + 1, content, level, plain_words)
            return index + 1
        title = _TITLE.match(text)
        if title and not self.title:
            self.title = plain_words(title.group(1))
        caption = _CAPTION.match(text)
        if caption:
            made.add(BlockKind.PARAGRAPH, index, index + 1, skip=caption.end())
            return index + 1
        if _is_markup(text):
            made.add(BlockKind.MARKUP, index, index + 1)
            return index + 1
        if _DRAWER.match(text):
            return self._drawer(index)
        if _FIXED.match(text):
            return self._run(index, end, _FIXED, BlockKind.CODE)
        if _TABLE.match(text):
            return self._table(index, end)
        item = _ITEM.match(text)
        if item:
            stop = self._prose_end(index + 1, end)
            made.item(index, stop, skip=item.end())
            return stop
        stop = self._prose_end(index + 1, end)
        if made.in_list and line.indent > made.item_indent:
            made.more_of_item(BlockKind.LIST_ITEM, index, stop)
            return stop
        made.end_list()
        note = _FOOTNOTE.match(text)
        made.add(kind, index, stop, skip=note.end() if note else -1)
        return stop

    def _prose_end(self, index: int, end: int) -> int:
        while index < end and not self.made.is_blank(index):
            text = self.made.lines[index].text
            if (
                _HEADING.match(text)
                or _is_markup(text)
                or _BEGIN.match(text)
                or _DRAWER.match(text)
                or _TABLE.match(text)
                or _ITEM.match(text)
                or _FIXED.match(text)
            ):
                break
            index += 1
        return index

    def _drawer(self, index: int) -> int:
        """Properties and the like, which are not shown; one that is not closed is prose."""
        stop = self._line_before_heading(index, _DRAWER_END, ":end:")
        if stop:
            self.made.add(BlockKind.MARKUP, index, stop + 1)
            return stop + 1
        self.made.add(BlockKind.PARAGRAPH, index, index + 1)
        return index + 1

    def _run(self, index: int, end: int, pattern: re.Pattern[str], kind: BlockKind) -> int:
        stop = index
        while stop < end and pattern.match(self.made.lines[stop].text):
            stop += 1
        skip = pattern.match(self.made.lines[index].text)
        self.made.add(kind, index, stop, skip=skip.end() if skip else -1)
        return stop

    def _table(self, index: int, end: int) -> int:
        made = self.made
        group = made.new_group()
        made.end_list()
        stop = index
        while stop < end and _TABLE.match(made.lines[stop].text):
            stop += 1
        is_rule = [bool(_TABLE_RULE.match(made.lines[line].text)) for line in range(index, stop)]
        first = is_rule.index(False) if False in is_rule else len(is_rule)
        head_end = is_rule.index(True, first) if True in is_rule[first:] else 0
        if False not in is_rule[head_end:]:
            head_end = 0  # The rule below the last row.
        for line, rule in enumerate(is_rule):
            if rule:
                kind = BlockKind.MARKUP
            else:
                kind = BlockKind.TABLE_HEADER if line < head_end else BlockKind.TABLE_ROW
            made.add(kind, index + line, index + line + 1, group=group)
        return stop


def _is_markup(text: str) -> bool:
    return bool(
        (_KEYWORD.match(text) and not _BEGIN.match(text))
        or _COMMENT.match(text)
        or _CLOCK.match(text)
        or _RULE.match(text)
    )
