"""AsciiDoc: sections, lists, tables and delimited blocks told by their lines.

The text is the file. Delimiters, attributes and macros are markup; what they hold is read.
"""

from __future__ import annotations

import re

from pincite.loaders.decoding import decoded_text
from pincite.loaders.extracted import Extracted, LoadSettings
from pincite.loaders.text.line_blocks import LineBlocks
from pincite.records import BlockKind, Span

_SECTION = re.compile(r"(={1,6}|#{1,6})[ \t]+(?=\S)")
_SECTION_END = re.compile(r"(?<![ \t])[ \t]++(?:=+|#+)$")
_UNDERLINE = re.compile(r"([=\-~^+])\1{3,}$")
_UNDERLINES = "=-~^+"
_ATTRIBUTE = re.compile(r":!?[\w][\w-]*!?:(?:[ \t]|$)")
_BLOCK_ATTRIBUTE = re.compile(r"\[(?:\[.*\]|[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)*)\]$")
_BLOCK_TITLE = re.compile(r"\.(?=[^\s.])")
_MACRO = re.compile(r"(?:include|image|video|audio|toc|ifdef|ifndef|ifeval|endif)::[^\[]*\[.*\]$")
_RULE = re.compile(r"(?:'{3,}|<{3,}|-{3}|\*{3}|- - -|\* \* \*)$")
_COMMENT = re.compile(r"//(?!/)")
_DELIMITER = re.compile(r"(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,}\w*)$")
_TABLE = re.compile(r"[|,:!]={3,}$")
_CELL = re.compile(r"(?:(\d{1,4})\*)?(?:\d{0,4}(?:\.\d{1,4})?\+)?[<^>.]{0,4}[a-z]?\|(?!=)")
_ITEM = re.compile(
    r"[ \t]*(\*+|-|\.{1,5}|\d+\.|[A-Za-z]\.|<\d+>|<\.>)[ \t]+(?=\S)(?:\[[ xX*]\][ \t]+)?"
)
_TERM = re.compile(r"[ \t]*(?=\S)(?:(?!::).)*?(:{2,4}|;;)(?:[ \t]+|$)")
_CONTINUATION = re.compile(r"\+$")
_LINK = re.compile(r"(?:link:|xref:|https?://)[^\s\[]*\[([^\]]*)\]|<<[^,>]*,([^>]*)>>")
_ANCHOR = re.compile(r"\[\[[^\]]*\]\]|\[#[^\]]*\]")
_MARKS = re.compile(r"(?<!\w)([*_`#]{1,2})(?=\S)(.+?)(?<=\S)\1(?!\w)")
_HEADS = re.compile(r"%header|options\s*=\s*\"?[^\"\]]*header|%autowidth\.header", re.I)
_COLUMNS = re.compile(r"cols\s*=\s*\"?([^\"\]]*)")
_CODE = frozenset("-.`")
_UNSHOWN = frozenset("+/")
_LEVELS = 6


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The decoded file and its blocks; raises `UnreadableContent` where it holds no text."""
    return structure(decoded_text(data))


def structure(text: str) -> Extracted:
    """`text` as it stands and its blocks, read as AsciiDoc."""
    reader = _Reader(text)
    reader.read()
    blocks = tuple(reader.made.blocks)
    first = next((b.heading_path[-1] for b in blocks if b.kind is BlockKind.HEADING), "")
    return Extracted(text, blocks, title=first)


def plain_words(words: str) -> str:
    """`words` without the marks of emphasis, links and anchors."""
    words = _LINK.sub(lambda link: link[1] or link[2] or "", _ANCHOR.sub("", words))
    return _MARKS.sub(r"\2", words)


class _Reader:
    def __init__(self, text: str) -> None:
        self.made = LineBlocks(text)
        self._lines = self.made.lines
        self._open: list[str] = []
        """The delimiters of the blocks that are open and hold others."""
        self._last: dict[str, int] = {}
        """By delimiter, the last line that holds it."""
        for index, line in enumerate(self._lines):
            if _DELIMITER.match(line.text) or _TABLE.match(line.text):
                self._last[line.text] = index
        self._attributes = ""
        """Of the block that comes next."""

    def read(self) -> None:
        """Make blocks of all lines."""
        index = self._header()
        while index < len(self._lines):
            if self.made.is_blank(index):
                index += 1
                if self.made.is_blank(index):
                    self.made.end_list()
                continue
            index = self._block(index)

    def _header(self) -> int:
        """The title of the document, its authors and revision, and its attributes."""
        index = 0
        while self.made.is_blank(index) and index < len(self._lines):
            index += 1
        if index == len(self._lines) or not self._lines[index].text.startswith(("= ", "# ")):
            return 0
        index = self._section(index)
        while not self.made.is_blank(index):
            text = self._lines[index].text
            is_markup = _ATTRIBUTE.match(text) or _COMMENT.match(text)
            self.made.add(BlockKind.MARKUP if is_markup else BlockKind.PARAGRAPH, index, index + 1)
            index += 1
        return index

    def _block(self, index: int) -> int:
        made, text = self.made, self._lines[index].text
        if _TABLE.match(text):
            return self._table(index)
        end = self._section(index)
        if end:
            return end
        if _DELIMITER.match(text):
            return self._delimited(index)
        if _is_markup(text):
            if text.startswith("["):
                self._attributes += text
            made.add(BlockKind.MARKUP, index, index + 1)
            return index + 1
        title = _BLOCK_TITLE.match(text)
        if title:
            made.add(BlockKind.PARAGRAPH, index, index + 1, skip=1)
            return index + 1
        attributes, self._attributes = self._attributes, ""
        item = _ITEM.match(text)
        if item:
            return self._item(index, item)
        term = _TERM.match(text)
        if term:
            return self._term(index, term)
        return self._prose(index, attributes)

    def _section(self, index: int) -> int:
        """The line after a title that begins here; 0 where none does."""
        line = self._lines[index]
        found = _SECTION.match(line.text)
        if found:
            closing = _SECTION_END.search(line.text, found.end())
            stop = line.start + (closing.start() if closing else len(line.text))
            content = Span(min(line.start + found.end(), stop), stop)
            self.made.heading(index, index + 1, content, len(found.group(1)), plain_words)
            return index + 1
        if self.made.is_blank(index + 1) or not line.text[:1].isalnum():
            return 0
        below = self._lines[index + 1].text
        # A line of a delimited block as long as the line above it is an underline.
        if not _UNDERLINE.match(below) or abs(len(below) - len(line.text)) > 1:
            return 0
        level = min(_LEVELS, _UNDERLINES.index(below[0]) + 1)
        self.made.heading(index, index + 2, Span(line.start, line.end), level, plain_words)
        return index + 2

    def _delimited(self, index: int) -> int:
        made, text = self.made, self._lines[index].text
        group_of_list = made.in_list
        mark = text[0]
        if self._open and text in self._open:
            while self._open.pop() != text:
                pass
            made.add(BlockKind.MARKUP, index, index + 1)
            return index + 1
        # What stands behind the opening one names a language.
        wanted = "`" * (len(text) - len(text.lstrip("`"))) if mark == "`" else text
        last = self._last.get(wanted, -1)
        made.add(BlockKind.MARKUP, index, index + 1)
        attributes, self._attributes = self._attributes, ""
        is_verbatim = (mark in _CODE and text != "--") or mark in _UNSHOWN
        if text == "--" and re.search(r"\[(?:source|listing|literal)\b", attributes):
            is_verbatim = True
        if last <= index:
            return index + 1  # Nothing closes it.
        if not is_verbatim:
            self._open.append(text)
            return index + 1
        end = index + 1
        while self._lines[end].text != wanted:
            end += 1
        is_code = mark not in _UNSHOWN
        if is_code and group_of_list:
            made.more_of_item(BlockKind.CODE, index + 1, end)
        else:
            made.add(BlockKind.CODE if is_code else BlockKind.MARKUP, index + 1, end)
        made.add(BlockKind.MARKUP, end, end + 1)
        return end + 1

    def _item(self, index: int, found: re.Match[str]) -> int:
        mark = found.group(1)
        # One mark says nothing of how deep an item is, but its indentation may.
        depth = len(mark) if mark[0] in "*." and len(mark) > 1 else None
        end = self._prose_end(index + 1)
        self.made.item(index, end, skip=found.end(), depth=depth)
        return self._after_item(end)

    def _term(self, index: int, found: re.Match[str]) -> int:
        """A term, and what it means on the same line or in the next ones."""
        end = index + 1
        if found.end() >= len(self._lines[index].text):
            while end < len(self._lines) and self.made.is_blank(end):
                end += 1
            if end == len(self._lines) or self._begins(end):
                end = index + 1
        end = self._prose_end(end)
        depth = max(1, len(found.group(1)) - 1)
        self.made.item(index, end, skip=self._lines[index].indent, depth=depth)
        return self._after_item(end)

    def _after_item(self, index: int) -> int:
        """A line of `+` joins what comes to the item."""
        if not self.made.is_blank(index) and _CONTINUATION.match(self._lines[index].text):
            self.made.add(BlockKind.MARKUP, index, index + 1)
            return index + 1
        return index

    def _prose(self, index: int, attributes: str) -> int:
        made, line = self.made, self._lines[index]
        if _CONTINUATION.match(line.text):
            made.add(BlockKind.MARKUP, index, index + 1)
            return index + 1
        end = self._prose_end(index + 1)
        is_quotation = any(mark[0] == "_" for mark in self._open) or re.search(
            r"\[(?:quote|verse)\b", attributes
        )
        is_literal = re.search(r"\[(?:source|listing|literal)\b", attributes)
        if is_literal or (line.indent and not made.in_list):
            made.add(BlockKind.CODE, index, end)
        elif index and _CONTINUATION.match(self._lines[index - 1].text) and made.in_list:
            made.more_of_item(BlockKind.LIST_ITEM, index, end)
        else:
            if not line.indent:
                made.end_list()
            made.add(BlockKind.QUOTATION if is_quotation else BlockKind.PARAGRAPH, index, end)
        return end

    def _prose_end(self, index: int) -> int:
        while not self.made.is_blank(index) and not self._begins(index):
            index += 1
        return index

    def _begins(self, index: int) -> bool:
        """Whether a line begins something else than the prose before it."""
        text = self._lines[index].text
        return bool(
            _is_markup(text)
            or _DELIMITER.match(text)
            or _TABLE.match(text)
            or _ITEM.match(text)
            or _TERM.match(text)
            or _CONTINUATION.match(text)
            or _SECTION.match(text)
        )

    def _table(self, index: int) -> int:
        made, text = self.made, self._lines[index].text
        attributes, self._attributes = self._attributes, ""
        made.end_list()
        group = made.new_group()
        made.add(BlockKind.MARKUP, index, index + 1, group=group)
        if self._last.get(text, -1) <= index:
            return index + 1
        end = index + 1
        while self._lines[end].text != text:
            end += 1
        rows = self._rows(index + 1, end, attributes)
        first = index + 1
        is_tight = not made.is_blank(first)
        for place, (start, stop) in enumerate(rows):
            is_head = place == 0 and (
                _HEADS.search(attributes) is not None
                or (is_tight and stop < end and (made.is_blank(stop) or made.is_blank(stop - 1)))
            )
            kind = BlockKind.TABLE_HEADER if is_head else BlockKind.TABLE_ROW
            found = _CELL.match(self._lines[start].text)
            made.add(kind, start, stop, skip=found.end() if found else -1, group=group)
        made.add(BlockKind.MARKUP, end, end + 1, group=group)
        return end + 1

    def _rows(self, index: int, end: int, attributes: str) -> list[tuple[int, int]]:
        """The lines of each row: those with several cells, or as many as there are columns."""
        given = _COLUMNS.search(attributes)
        columns = _columns(given.group(1)) if given else 0
        rows: list[tuple[int, int]] = []
        start, cells = index, 0
        for line in range(index, end):
            text = self._lines[line].text
            here = _cells(text)
            if not text:
                # Without a number of columns, a blank line ends a row.
                if cells and not columns:
                    rows.append((start, line))
                    columns, cells = cells, 0
                continue
            if here and (here > 1 or cells >= columns > 0) and cells:
                rows.append((start, line))
                cells = 0
            if not cells:
                if not here and rows:
                    rows[-1] = rows[-1][0], line + 1  # The last cell goes on.
                    continue
                start = line
            cells += max(here, 0 if cells else 1)
            if here > 1 and not columns:
                columns = here
        if cells:
            rows.append((start, end))
        return rows


def _cells(text: str) -> int:
    return sum(int(found[1] or 1) for found in _CELL.finditer(text))


def _columns(given: str) -> int:
    count = 0
    for part in re.split(r"[,;]", given):
        times = re.match(r"\s*(\d{1,3})\*", part)
        count += int(times.group(1)) if times else 1
    return count


def _is_markup(text: str) -> bool:
    return bool(
        _ATTRIBUTE.match(text)
        or _BLOCK_ATTRIBUTE.match(text)
        or _MACRO.match(text)
        or _RULE.match(text)
        or _COMMENT.match(text)
    )
