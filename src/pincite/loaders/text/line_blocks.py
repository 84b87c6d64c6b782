"""Blocks of markup that is read line by line, its text being the file itself.

Every line that holds anything belongs to one block; the readers of the formats say to which.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from pincite.loaders.outline import Outline
from pincite.records import Block, BlockKind, Span

NAME_LENGTH = 500
"""Code points of a heading that are kept in a heading path."""

_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n)?")


@dataclass(frozen=True, slots=True)
class Line:
    """A line without its line end and without white space at its end."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """After its last character that is shown."""
        return self.start + len(self.text)

    @property
    def indent(self) -> int:
        """Code points of white space before its first character that is shown."""
        return len(self.text) - len(self.text.lstrip())


class LineBlocks:
    """The lines of a text, and the blocks made of them so far, in order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = [
            Line(found.start(), found.group().rstrip())
            for found in _LINE.finditer(text)
            if found.group()
        ]
        self.blocks: list[Block] = []
        self._outline = Outline()
        self._groups = 0
        self._list_indents: list[int] = []
        self._list_group = 0

    def new_group(self) -> int:
        """The number for the blocks of the next list or table."""
        self._groups += 1
        return self._groups

    def is_blank(self, index: int) -> bool:
        """Whether a line holds nothing; so do those after the last."""
        return index >= len(self.lines) or not self.lines[index].text

    def add(
        self,
        kind: BlockKind,
        first: int,
        end: int,
        *,
        skip: int = -1,
        level: int = 0,
        group: int = 0,
    ) -> None:
        """Make a block of the lines `[first, end)`, blank ones at both ends left out.

        `skip` code points of the first line are no content; -1 for its white space.
        """
        while first < end and self.is_blank(first):
            first += 1
            skip = -1
        while end > first and self.is_blank(end - 1):
            end -= 1
        if first == end:
            return
        start, stop = self.lines[first].start, self.lines[end - 1].end
        content = start + (self.lines[first].indent if skip < 0 else skip)
        self.blocks.append(
            Block(
                kind,
                Span(start, stop),
                Span(min(content, stop), stop),
                self._outline.path,
                level,
                group,
            )
        )

    def heading(
        self, first: int, end: int, content: Span, level: int, clean: Callable[[str], str]
    ) -> None:
        """Make a heading of the lines `[first, end)`; `clean` makes its name of its content."""
        words = content.of(self.text)[: 4 * NAME_LENGTH]
        name = " ".join(clean(words).split())[:NAME_LENGTH]
        path = self._outline.open(name, level)
        self.end_list()
        span = Span(self.lines[first].start, self.lines[end - 1].end)
        self.blocks.append(Block(BlockKind.HEADING, span, content, path, level))

    def item(self, first: int, end: int, *, skip: int, depth: int | None = None) -> None:
        """Make an item of a list; `depth`, or else how far it is indented, says its level."""
        if not self._list_group:
            self._list_group = self.new_group()
        level = depth if depth is not None else self._level(self.lines[first].indent)
        self.add(BlockKind.LIST_ITEM, first, end, skip=skip, level=level, group=self._list_group)

    def more_of_item(self, kind: BlockKind, first: int, end: int) -> None:
        """Make a block that goes on with the item before."""
        level = len(self._list_indents) if kind is BlockKind.LIST_ITEM else 0
        self.add(kind, first, end, level=level, group=self._list_group)

    def end_list(self) -> None:
        """The next item begins another list."""
        self._list_group = 0
        self._list_indents.clear()

    @property
    def in_list(self) -> bool:
        """Whether what comes may go on with a list."""
        return self._list_group > 0

    @property
    def item_indent(self) -> int:
        """How far the innermost open item is indented; -1 without one."""
        return self._list_indents[-1] if self._list_indents else -1

    def indented_end(self, first: int, indent: int) -> int:
        """The line after the last that is indented by more than `indent`, from `first` on."""
        end = index = first
        while index < len(self.lines):
            if not self.is_blank(index):
                if self.lines[index].indent <= indent:
                    break
                end = index + 1
            index += 1
        return end

    def _level(self, indent: int) -> int:
        indents = self._list_indents
        while indents and indents[-1] > indent:
            indents.pop()
        if not indents or indents[-1] < indent:
            indents.append(indent)
        return len(indents)
