"""The structure of plain text: what blank lines, bullets, underlines and columns show.

Only what is obvious is taken for a heading; all else is a paragraph, and nothing is lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite.loaders.decoding import decoded_text
from pincite.loaders.extracted import Extracted, LoadSettings
from pincite.loaders.outline import Outline
from pincite.records import Block, BlockKind, Span
from pincite.text.lines import PARAGRAPH_SEPARATOR
from pincite.text.stops import goes_on, is_label, is_prose

TITLE_LENGTH = 100

# Lines are wrapped at no less and no more than these; a longer line is a paragraph.
_NARROWEST, _WIDEST = 40, 200
_LOOK_BACK = 8
"""Lines back in which the beginning of a sentence is looked for."""

# As a reader sees them; the numbers of an editor's lines are made elsewhere.
_LINE = re.compile("[^\r\n\x85\u2028\u2029]*+(?:\r\n?|[\n\x85\u2028\u2029])?")
_BULLET = re.compile(
    r"[ \t]*(?:[-*+•‣⁃◦▪▫●○■□–—][ \t]+(?:\[[ xX]\][ \t]+)?"
    r"|\d{1,3}[.)][ \t]+|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{2,5})\)[ \t]+)(?=\S)"
)
_UNDERLINE = re.compile(r"[ \t]*(={3,}|-{3,}|~{3,})[ \t]*$")
_RULE = re.compile(r"[ \t]*(?:[-=_*~+#.][ \t]*){3,}$")
_GRID = re.compile(r"[ \t]*[|+](?=[^-]*-)[-=:|+ \t]*$")
_CELLS = re.compile(r"\t+|\|")
_NUMERIC_CELL = re.compile(r"[-+(]?[$€£¥]?\s*\d[\d.,\s]*[%€$)]?")
_STOP_AT_END = re.compile(r"[.!?…:;,。！？、؟۔।]['\"”’»)\]]*$")
_SENTENCE_END = re.compile(r"[.!?…:。！？؟۔।]['\"”’»)\]]*$")
_NUMBERED = re.compile(r"(?:[\w]{1,12}\s+)?[\dIVXLC]{1,6}\.$")
_FIRST_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    """Without white space at the end, and without the line end."""
    text: str


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The decoded file and its blocks; raises `UnreadableContent` where it holds no text."""
    return structure(decoded_text(data))


def structure(text: str) -> Extracted:
    """`text` as it stands and its blocks, read as plain text."""
    blocks = find_blocks(text)
    return Extracted(text, tuple(blocks), title=find_title(text, blocks) or "")


def find_blocks(text: str, *, may_have_title: bool = True) -> list[Block]:
    """The blocks of `text` in reading order, covering everything but white space.

    A short first line by itself is a heading, unless such a text has no title (a letter).
    """
    builder = _Builder()
    for position, group in enumerate(_groups(text)):
        builder.add(group, is_first=may_have_title and position == 0)
    return builder.blocks


def find_title(text: str, blocks: Sequence[Block]) -> str | None:
    """The first line where it is a title, standing by itself; else None."""
    if blocks and blocks[0].kind is BlockKind.HEADING:
        return " ".join(blocks[0].content.of(text).split())
    return None


def _groups(text: str) -> Iterator[list[_Line]]:
    """Runs of lines without a blank line, or a paragraph separator, between them."""
    group: list[_Line] = []
    for match in _LINE.finditer(text):
        line = match.group().rstrip()
        if line:
            group.append(_Line(match.start(), match.start() + len(line), line))
        if group and (not line or match.group().endswith(PARAGRAPH_SEPARATOR)):
            yield group
            group = []
    if group:
        yield group


class _Builder:
    """Collects blocks; knows the headings open and the list or table at hand."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self._outline = Outline()
        self._group_count = 0
        self._list_indents: list[int] = []

    def add(self, lines: list[_Line], *, is_first: bool) -> None:
        index = 0
        if is_first and len(lines) == 1 and _is_title(lines[0].text):
            self._heading(lines[0], level=1)
            return
        while index < len(lines):
            index = self._next(lines, index)

    def _next(self, lines: list[_Line], index: int) -> int:
        """Makes the block that begins at `lines[index]`; the index of the line after it."""
        line = lines[index]
        following = lines[index + 1] if index + 1 < len(lines) else None
        if following is not None and _is_underlined(line.text, following.text):
            underline = following.text.lstrip()[0]
            self._heading(line, level=1 if underline == "=" else 2, end=following.end)
            return index + 2
        if _RULE.match(line.text):
            self._add(BlockKind.MARKUP, line, line)
            return index + 1
        end = _table_end(lines, index)
        if end > index + 1:
            self._table(lines[index:end])
            return end
        if _BULLET.match(line.text) and not (len(lines) == 1 and _is_shouted(line.text)):
            return self._item(lines, index)
        if len(lines) - index == 1 and (index == 0) and _is_shouted(line.text):
            self._heading(line, level=2)
            return index + 1
        return self._paragraph(lines, index)

    def _heading(self, line: _Line, *, level: int, end: int | None = None) -> None:
        words = line.text.strip()
        path = self._outline.open(" ".join(words.split()), level)
        start = line.end - len(line.text.lstrip())
        self.blocks.append(
            Block(
                BlockKind.HEADING,
                Span(line.start, line.end if end is None else end),
                Span(start, line.end),
                path,
                level,
            )
        )
        self._list_indents.clear()

    def _add(
        self, kind: BlockKind, first: _Line, last: _Line, *, skip: int = -1, level: int = 0,
        group: int = 0,
    ) -> None:  # fmt: skip
        if skip < 0:
            skip = len(first.text) - len(first.text.lstrip())
        self.blocks.append(
            Block(
                kind,
                Span(first.start, last.end),
                Span(first.start + skip, last.end),
                self._outline.path,
                level,
                group,
            )
        )
        if kind is not BlockKind.LIST_ITEM:
            self._list_indents.clear()

    def _table(self, lines: list[_Line]) -> None:
        self._group_count += 1
        is_header = not any(
            _NUMERIC_CELL.fullmatch(cell.strip()) for cell in _CELLS.split(lines[0].text)
        )
        for line in lines:
            if _GRID.match(line.text):
                kind = BlockKind.MARKUP
            elif is_header:
                kind = BlockKind.TABLE_HEADER
                is_header = False
            else:
                kind = BlockKind.TABLE_ROW
            self._add(kind, line, line, group=self._group_count)

    def _item(self, lines: list[_Line], index: int) -> int:
        line = lines[index]
        marker = _BULLET.match(line.text)
        skip = marker.end() if marker else 0
        indent = len(line.text) - len(line.text.lstrip())
        if not self._list_indents:
            self._group_count += 1
        while self._list_indents and self._list_indents[-1] > indent:
            self._list_indents.pop()
        if not self._list_indents or self._list_indents[-1] < indent:
            self._list_indents.append(indent)
        end = index + 1
        while end < len(lines) and not _BULLET.match(lines[end].text):
            if not lines[end].text[0].isspace() and _is_unforced(lines, index, end):
                break
            end += 1
        self._add(
            BlockKind.LIST_ITEM,
            line,
            lines[end - 1],
            skip=skip,
            level=len(self._list_indents),
            group=self._group_count,
        )
        return end

    def _paragraph(self, lines: list[_Line], index: int) -> int:
        is_quotation = lines[index].text.lstrip().startswith(">")
        end = index + 1
        while end < len(lines):
            text = lines[end].text
            if is_quotation != text.lstrip().startswith(">") or _RULE.match(text):
                break
            if end + 1 < len(lines) and _is_underlined(text, lines[end + 1].text):
                break
            if not is_quotation and _is_unforced(lines, index, end):
                break
            if _BULLET.match(text) and _ends(lines[end - 1].text):
                break
            end += 1
        skip = -1
        if is_quotation:
            text = lines[index].text
            skip = len(text) - len(text.lstrip("> \t"))
        kind = BlockKind.QUOTATION if is_quotation else BlockKind.PARAGRAPH
        self._add(kind, lines[index], lines[end - 1], skip=skip)
        return end


def _is_title(line: str) -> bool:
    words = line.strip()
    return (
        len(words) <= TITLE_LENGTH
        and any(map(str.isalpha, words))
        and "\t" not in words
        and not _BULLET.match(line)
        and not _STOP_AT_END.search(words)
    )


def _is_shouted(line: str) -> bool:
    """A short line in capitals, such as SECTION 4. FEES."""
    words = line.strip()
    return (
        len(words) <= TITLE_LENGTH
        and words.isupper()
        and sum(map(str.isalpha, words)) >= 4
        and (not _STOP_AT_END.search(words) or bool(_NUMBERED.match(words)))
    )


def _is_underlined(line: str, following: str) -> bool:
    underline = _UNDERLINE.match(following)
    if not underline or len(line) > TITLE_LENGTH:
        return False
    words = line.strip()
    return len(underline.group(1)) * 2 >= len(words) and any(map(str.isalnum, words))


def _is_unforced(lines: list[_Line], start: int, index: int) -> bool:
    """Whether the line before `lines[index]` ends where its writer, not its width, wanted.

    A line that is wrapped is full: the next word would not have fitted. Where it would have,
    the next line begins something new, if it looks like a beginning and no sentence goes on.
    """
    text = lines[index].text.lstrip()
    return (
        not text[0].islower()
        and (is_label(text) or _has_room(lines, start, index, text))
        and not _is_in_sentence(lines, start, index, text)
    )


def _is_in_sentence(lines: list[_Line], start: int, index: int, text: str) -> bool:
    """Whether a sentence seems to go on from the lines before into `text`."""
    before = _words(lines[index - 1].text)
    if is_label(text) and is_label(_words(lines[start].text)):
        return False
    if goes_on(before, text):
        return True
    if is_label(text):
        return False
    for line in reversed(lines[max(start, index - _LOOK_BACK) : index]):
        if _SENTENCE_END.search(line.text):
            return False
        if is_prose(_words(line.text)) and line is not lines[index - 1]:
            return True
    return False


def _words(line: str) -> str:
    """`line` without its bullet."""
    marker = _BULLET.match(line)
    return line[marker.end() :] if marker else line.lstrip()


def _has_room(lines: list[_Line], start: int, index: int, text: str) -> bool:
    """Whether the first word of `text` would have fitted on the line before `lines[index]`."""
    width = max(len(line.text) for line in lines[max(start, index - _LOOK_BACK) : index + 9])
    if not _NARROWEST <= width <= _WIDEST:
        return True
    word = _FIRST_WORD.match(text)
    needed = 1 + (len(word.group()) if word else 0)
    slack = 0 if _ends(lines[index - 1].text) else 12
    return len(lines[index - 1].text) + needed + slack <= width


def _ends(line: str) -> bool:
    return bool(_STOP_AT_END.search(line))


def _table_end(lines: list[_Line], index: int) -> int:
    """The end of the run of lines with columns (tabs or bars) from `index`; at least two."""
    separator = None
    for candidate in ("|", "\t"):
        if candidate in lines[index].text.strip():
            separator = candidate
            break
    if separator is None and not _GRID.match(lines[index].text):
        return index
    end = index
    while end < len(lines):
        text = lines[end].text.strip()
        if not _GRID.match(text) and (separator or "|") not in text:
            break
        end += 1
    return end
