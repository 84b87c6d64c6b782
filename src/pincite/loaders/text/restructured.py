"""reStructuredText: sections, lists, tables and directives told by their lines.

The text is the file. Directives and their options are markup; what they hold is read as it is.
"""

from __future__ import annotations

import re
from itertools import pairwise

from pincite.loaders.decoding import decoded_text
from pincite.loaders.extracted import Extracted, LoadSettings
from pincite.loaders.text.line_blocks import LineBlocks
from pincite.records import BlockKind, Span

_PUNCTUATION = "!-/:-@[-`{-~"
_RULE = re.compile(rf"([{_PUNCTUATION}])\1*$")
_SHORTEST_RULE = 4
_EXPLICIT = re.compile(r"[ \t]*\.\.(?:[ \t]+|$)")
_DIRECTIVE = re.compile(r"[ \t]*\.\.[ \t]+(?:\|[^|]+\|[ \t]+)?([\w][\w:+.-]*?)[ \t]?::(?:[ \t]+|$)")
_TARGET = re.compile(r"[ \t]*(?:\.\.[ \t]+_[^:]*(?:\\:[^:]*)*:|__)(?:[ \t]|$)")
_NOTE = re.compile(r"[ \t]*\.\.[ \t]+\[[^\]]+\](?:[ \t]+|$)")
_OPTION = re.compile(r"[ \t]*:[\w][^:]*:(?:[ \t]|$)")
_FIELD = re.compile(r"[ \t]*:(?![: ])(?:[^:\\]|\\.|:(?!\s|$))+:(?:[ \t]+|$)")
_BULLET = re.compile(r"[ \t]*[-*+•‣⁃](?:[ \t]+|$)")
_ORDERED = re.compile(
    r"[ \t]*(?:\((?:\w|\d+|[ivxlc]+|#)\)|(?:[A-Za-z]|\d+|[ivxlcIVXLC]+|#)[.)])(?:[ \t]+|$)"
)
_DOCTEST = re.compile(r"[ \t]*>>>(?: |$)")
_GRID = re.compile(r"[ \t]*\+(?:[-=]{1,}\+)+$")
_SIMPLE = re.compile(r"[ \t]*=+(?:[ \t]+=+)+$")
_SIMPLE_PART = re.compile(r"[ \t]*-+(?:[ \t]+-+)*$")
_LINE_BLOCK = re.compile(r"[ \t]*\|(?:[ \t]+|$)")
_ROW = re.compile(r"[ \t]*\* - ")
_CELL = re.compile(r"[ \t]+- ")
_ROLE = re.compile(r"(?::[\w:+.-]+:)?`([^`<]*?)[ \t]*(?:<[^`>]*>)?`_{0,2}")
_MARKS = re.compile(r"(\*{1,2}|``)(?=\S)(.+?)(?<=\S)\1")
_LEVELS = 6

_CODE = frozenset(
    "code code-block sourcecode highlight parsed-literal literal productionlist prompt ipython"
    " testcode testoutput doctest graphviz digraph graph mermaid uml math".split()
)
_UNSHOWN = frozenset(
    "toctree contents index raw include literalinclude image autosummary automodule autoclass"
    " autofunction automethod autoattribute autodata autoexception currentmodule module"
    " default-role role meta sectnum section-numbering highlightlang tabularcolumns title"
    " target-notes header footer codeauthor sectionauthor moduleauthor unicode replace date".split()
)
_OF_TABLES = frozenset({"list-table", "csv-table"})
_NO_WORDS = frozenset({"figure", "container", "class", "only", "table", "sphinx-design", "tab-set"})
"""Of those that hold words, the ones whose arguments are none."""


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The decoded file and its blocks; raises `UnreadableContent` where it holds no text."""
    return structure(decoded_text(data))


def structure(text: str) -> Extracted:
    """`text` as it stands and its blocks, read as reStructuredText."""
    reader = _Reader(text)
    reader.read()
    blocks = tuple(reader.made.blocks)
    first = next((b.heading_path[-1] for b in blocks if b.kind is BlockKind.HEADING), "")
    return Extracted(text, blocks, title=first)


def plain_words(words: str) -> str:
    """`words` without the marks of emphasis, literals, roles and links."""
    return _MARKS.sub(r"\2", _ROLE.sub(r"\1", words.replace("``", "\0"))).replace("\0", "")


class _Reader:
    def __init__(self, text: str) -> None:
        self.made = LineBlocks(text)
        self._lines = self.made.lines
        self._styles: list[tuple[str, bool]] = []
        """Of underlines, in the order of their levels; whether there is a line above too."""
        self._gridless_before = 0
        """Lines before this are known to be in no table that is closed."""

    def read(self) -> None:
        """Make blocks of all lines."""
        index = 0
        while index < len(self._lines):
            if self.made.is_blank(index):
                index += 1
                continue
            index = self._block(index)

    def _block(self, index: int) -> int:
        made = self.made
        line = self._lines[index]
        text = line.text
        end = self._section(index)
        if end:
            return end
        if line.indent <= made.item_indent and not self._is_item(text):
            made.end_list()
        if _EXPLICIT.match(text) or _TARGET.match(text):
            return self._explicit(index)
        if _GRID.match(text):
            end = self._grid(index)
        elif _SIMPLE.match(text):
            end = self._simple(index)
        if end:
            return end
        if _DOCTEST.match(text):
            end = self._until_blank(index)
            made.add(BlockKind.CODE, index, end)
            return end
        if _LINE_BLOCK.match(text):
            end = index
            while not made.is_blank(end) and _LINE_BLOCK.match(self._lines[end].text):
                made.add(BlockKind.PARAGRAPH, end, end + 1, skip=self._skip(_LINE_BLOCK, end))
                end += 1
            return end
        if _RULE.match(text.strip()) and len(text.strip()) >= _SHORTEST_RULE:
            made.add(BlockKind.MARKUP, index, index + 1)
            return index + 1
        for pattern in (_BULLET, _ORDERED, _FIELD):
            marker = pattern.match(text)
            if marker:
                return self._item(index, marker.end(), is_field=pattern is _FIELD)
        return self._prose(index)

    def _skip(self, pattern: re.Pattern[str], index: int) -> int:
        found = pattern.match(self._lines[index].text)
        return found.end() if found else -1

    def _section(self, index: int) -> int:
        """The line after the title of a section that begins here; 0 where none does."""
        lines = self._lines
        text = lines[index].text

        def is_rule(at: int, width: int) -> bool:
            rule = lines[at].text if at < len(lines) else ""
            return bool(_RULE.match(rule)) and (len(rule) >= width or len(rule) >= _SHORTEST_RULE)

        if _RULE.match(text) and not self.made.is_blank(index + 1):
            title = lines[index + 1].text.strip()
            below = lines[index + 2].text if index + 2 < len(lines) else ""
            if below == text and len(text) >= min(len(title), _SHORTEST_RULE):
                return self._title(index, index + 1, index + 3, (text[0], True))
        if text[0].isspace() or _RULE.match(text) or not is_rule(index + 1, len(text)):
            return 0
        return self._title(index, index, index + 2, (lines[index + 1].text[0], False))

    def _title(self, first: int, title: int, end: int, style: tuple[str, bool]) -> int:
        if style not in self._styles:
            self._styles.append(style)
        line = self._lines[title]
        level = min(_LEVELS, self._styles.index(style) + 1)
        self.made.heading(first, end, Span(line.start + line.indent, line.end), level, plain_words)
        return end

    def _explicit(self, index: int) -> int:
        """What begins with two dots: a directive, a target, a footnote or a comment."""
        made, text = self.made, self._lines[index].text
        indent = self._lines[index].indent
        end = made.indented_end(index + 1, indent)
        directive = _DIRECTIVE.match(text)
        if directive:
            return self._directive(index, end, directive)
        if _TARGET.match(text):
            made.add(BlockKind.MARKUP, index, index + 1)
            return index + 1
        note = _NOTE.match(text)
        if note:
            stop = self._until_blank(index)
            made.add(BlockKind.PARAGRAPH, index, stop, skip=note.end())
            return stop
        if text.strip() == ".." and made.is_blank(index + 1):
            end = index + 1  # An empty comment ends what is before it.
        made.add(BlockKind.MARKUP, index, end)
        return end

    def _directive(self, index: int, end: int, found: re.Match[str]) -> int:
        made, lines = self.made, self._lines
        name = found.group(1).rpartition(":")[2].lower()
        if name in _UNSHOWN:
            made.add(BlockKind.MARKUP, index, end)
            return end
        body = index + 1
        while body < end and _OPTION.match(lines[body].text):
            body += 1
        has_words = found.end() < len(lines[index].text) and name not in _NO_WORDS | _CODE
        # The words may go on in the lines below, up to options or a blank line.
        if has_words and body == index + 1 and name not in _OF_TABLES:
            while body < end and not made.is_blank(body):
                body += 1
            made.add(BlockKind.PARAGRAPH, index, body, skip=found.end())
        elif has_words:
            made.add(BlockKind.PARAGRAPH, index, index + 1, skip=found.end())
            made.add(BlockKind.MARKUP, index + 1, body)
        else:
            made.add(BlockKind.MARKUP, index, body)
        if name in _CODE:
            made.more_of_item(BlockKind.CODE, body, end)
            return end
        if name in _OF_TABLES:
            heads = any(":header-rows:" in lines[line].text for line in range(index, body))
            self._listed(body, end, heads=heads)
            return end
        return body

    def _listed(self, index: int, end: int, *, heads: bool) -> None:
        """The rows of a table written as a list, or as values with commas between them."""
        group = self.made.new_group()
        starts = [line for line in range(index, end) if _ROW.match(self._lines[line].text)]
        if not starts:
            starts = [line for line in range(index, end) if not self.made.is_blank(line)]
        if starts:
            self.made.add(BlockKind.PARAGRAPH, index, starts[0])
        for place, start in enumerate(starts):
            stop = starts[place + 1] if place + 1 < len(starts) else end
            is_head = heads and place == 0
            kind = BlockKind.TABLE_HEADER if is_head else BlockKind.TABLE_ROW
            self.made.add(kind, start, stop, skip=self._skip(_ROW, start), group=group)

    def _grid(self, index: int) -> int:
        """A table drawn with lines; 0 where it is none."""
        lines, made = self._lines, self.made
        if index < self._gridless_before:
            return 0
        end = index
        while not made.is_blank(end) and lines[end].text.lstrip()[0] in "+|":
            end += 1
        borders = [line for line in range(index, end) if _GRID.match(lines[line].text)]
        if len(borders) < 2 or borders[-1] != end - 1:
            self._gridless_before = end
            return 0
        group = made.new_group()
        head = next((line for line in borders if "=" in lines[line].text), index)
        for above, below in pairwise(borders):
            made.add(BlockKind.MARKUP, above, above + 1, group=group)
            kind = BlockKind.TABLE_HEADER if below <= head else BlockKind.TABLE_ROW
            made.add(kind, above + 1, below, group=group)
        made.add(BlockKind.MARKUP, end - 1, end, group=group)
        return end

    def _simple(self, index: int) -> int:
        """A table whose columns stand under lines of `=`; 0 where it is none."""
        lines, made = self._lines, self.made
        borders = [index]
        line = index + 1
        while line < len(lines) and len(borders) < 3:
            if _SIMPLE.match(lines[line].text):
                borders.append(line)
                # The one below the last row has a blank line after it.
                if made.is_blank(line + 1):
                    break
            line += 1
        if len(borders) < 2 or not made.is_blank(borders[-1] + 1):
            return 0
        group = made.new_group()
        head = borders[1] if len(borders) == 3 else index
        row = index
        start = lines[index].indent
        for line in range(index, borders[-1] + 1):
            text = lines[line].text
            is_border = line in borders or bool(_SIMPLE_PART.match(text) and text.strip())
            # What begins further right goes on with the row above.
            goes_on = not text[: start + 1].strip() and row not in borders
            if text and not is_border and goes_on:
                continue
            if line > row:
                self._simple_row(row, line, borders, head, group)
            row = line
        self._simple_row(row, borders[-1] + 1, borders, head, group)
        return borders[-1] + 1

    def _simple_row(self, first: int, end: int, borders: list[int], head: int, group: int) -> None:
        text = self._lines[first].text
        if first in borders or _SIMPLE_PART.match(text):
            kind = BlockKind.MARKUP
        else:
            kind = BlockKind.TABLE_HEADER if first < head else BlockKind.TABLE_ROW
        self.made.add(kind, first, end, group=group)

    def _until_blank(self, index: int) -> int:
        while not self.made.is_blank(index):
            index += 1
        return index

    def _item(self, index: int, skip: int, *, is_field: bool) -> int:
        made, lines = self.made, self._lines
        if skip >= len(lines[index].text):
            made.add(BlockKind.MARKUP, index, index + 1)
            return index + 1
        end = index + 1
        indent = lines[index].indent
        while not made.is_blank(end) and lines[end].indent > indent:
            if self._begins(end):
                break
            end += 1
        made.item(index, end, skip=0 if is_field else skip)
        return self._literal(end, indent)

    def _is_item(self, text: str) -> bool:
        return any(pattern.match(text) for pattern in (_BULLET, _ORDERED, _FIELD))

    def _begins(self, index: int) -> bool:
        """Whether a line begins something else than prose."""
        text = self._lines[index].text
        return bool(_EXPLICIT.match(text) or self._is_item(text) or _GRID.match(text))

    def _prose(self, index: int) -> int:
        made, lines = self.made, self._lines
        indent = lines[index].indent
        end = index + 1
        while not made.is_blank(end):
            text = lines[end].text
            if lines[end].indent > indent:
                # A term and, further right, what it means.
                if end == index + 1 and not self._begins(end):
                    end = self._until_blank_or_less(end, indent)
                break
            if _EXPLICIT.match(text) or lines[end].indent < indent:
                break
            end += 1
        if made.in_list and indent > made.item_indent >= 0:
            made.more_of_item(BlockKind.LIST_ITEM, index, end)
        else:
            made.end_list()
            made.add(BlockKind.PARAGRAPH, index, end)
        return self._literal(end, indent)

    def _until_blank_or_less(self, index: int, indent: int) -> int:
        while not self.made.is_blank(index) and self._lines[index].indent > indent:
            if self._begins(index):
                break
            index += 1
        return index

    def _literal(self, index: int, indent: int) -> int:
        """The line after the literal block that the paragraph before `index` announces."""
        made = self.made
        if not self._lines[index - 1].text.endswith("::") or not made.is_blank(index):
            return index
        end = made.indented_end(index, indent)
        made.more_of_item(BlockKind.CODE, index, end)
        return max(index, end)
