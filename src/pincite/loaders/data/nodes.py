"""Structured data whose text is the file itself: a block for each value, marked with its node."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.loaders.extracted import Extracted
from pincite.loaders.text import plain
from pincite.places import Mark, NodePlace
from pincite.records import Block, BlockKind, Span

DEEPEST = 200
"""Nodes inside one another; what is nested deeper is read as plain text."""
MAXIMUM_VALUES = 1_000_000
"""Values of one file that get a block each; a file with more is read as plain text."""
RECORD_LENGTH = 400
"""Code points of a record in a list that is read as one row, as a table has it."""
_PROSE = re.compile(r"\S+\s+\S+\s+\S+\s+\S+\s+\S")
_PROSE_LENGTH = 60
_NAME_LENGTH = 200
_BLANK_LINE = re.compile(r"(?:\r\n?|\n)[ \t]*(?=(?:\r\n?|\n))")
_WORD = re.compile(r"\S")


class NotStructured(Exception):
    """The text is not what its format asks for, or more than is read; the message says where."""


def as_plain_text(text: str, why: str) -> Extracted:
    """`text` read as plain text, with a note that says why it was."""
    made = plain.structure(text)
    return Extracted(made.text, made.blocks, made.title, notes=(f"{why}: read as plain text",))


def is_prose(words: str) -> bool:
    """Whether a value is a text to be cut into sentences, rather than one piece of data."""
    is_long = len(words) > _PROSE_LENGTH or words.rstrip().endswith((".", "!", "?"))
    return is_long and _PROSE.search(words) is not None


class NodeBlocks:
    """Blocks and marks over a text, added in its order; what lies between them is markup."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._blocks: list[Block] = []
        self._marks: list[Mark] = []
        self._reached = 0
        self._headings: list[tuple[int, str]] = []
        self._path: tuple[str, ...] = ()
        self._groups = 0

    def new_group(self) -> int:
        """The number for the values of the next record, list or table."""
        self._groups += 1
        return self._groups

    def open_heading(self, name: str, depth: int) -> None:
        """What follows stands under `name`, until headings of `depth` are closed."""
        self.close_headings(depth)
        name = " ".join(name.split())[:_NAME_LENGTH]
        if name:
            self._headings.append((depth, name))
            self._path = tuple(heading for _, heading in self._headings)

    def close_headings(self, depth: int) -> None:
        """Nothing from here on stands under headings of `depth` or deeper."""
        if self._headings and self._headings[-1][0] >= depth:
            while self._headings and self._headings[-1][0] >= depth:
                self._headings.pop()
            self._path = tuple(heading for _, heading in self._headings)

    def add(
        self,
        kind: BlockKind,
        span: tuple[int, int],
        path: str | None,
        *,
        content: tuple[int, int] | None = None,
        mark: tuple[int, int] | None = None,
        group: int = 0,
    ) -> None:
        """Add a block of `kind`; white space at the ends of `span` and `content` is left out.

        `content` is `span` where it is not given, and the words of `mark` (`span`) stand at `path`.
        A span that does not begin after what was added before is cut to what does.
        """
        start, end = self._trimmed(max(span[0], self._reached), span[1])
        if start >= end:
            return
        self._fill(start)
        inner = content or span
        first, last = self._trimmed(max(start, inner[0]), min(end, inner[1]))
        if first >= last:
            first = last = start
        level = 0
        if kind is BlockKind.HEADING:
            level = min(6, max(1, len(self._path)))
        elif kind is BlockKind.LIST_ITEM:
            level = 1
        self._blocks.append(
            Block(kind, Span(start, end), Span(first, last), self._path, level, group)
        )
        if path is not None:
            marked = mark or (start, end)
            first, last = max(start, marked[0]), min(end, marked[1])
            if first < last:
                self._marks.append(Mark(first, last, NodePlace(path)))
        self._reached = end

    def add_record(
        self, span: tuple[int, int], values: Sequence[tuple[int, int, str]], group: int
    ) -> None:
        """Add a small record as one row; `values` are where each of its values stands, and its
        path, in order."""
        self.add(BlockKind.TABLE_ROW, span, None, group=group)
        self._marks += [Mark(start, end, NodePlace(path)) for start, end, path in values]

    def add_paragraphs(self, span: tuple[int, int], path: str, content: tuple[int, int]) -> None:
        """Add the text in `content`, which stands inside `span`, as one paragraph for each part
        between blank lines."""
        start = span[0]
        first = content[0]
        for gap in _BLANK_LINE.finditer(self._text, *content):
            if self._trimmed(first, gap.start())[0] < gap.start():
                self.add(
                    BlockKind.PARAGRAPH, (start, gap.start()), path, content=(first, gap.start())
                )
                start = gap.start()
            first = gap.end()
        self.add(BlockKind.PARAGRAPH, (start, span[1]), path, content=(first, content[1]))

    def extracted(self, *, title: str = "", notes: tuple[str, ...] = ()) -> Extracted:
        """All of the text with what was added to it."""
        self._fill(len(self._text))
        return Extracted(
            self._text,
            tuple(self._blocks),
            " ".join(title.split())[:_NAME_LENGTH],
            tuple(self._marks),
            notes,
        )

    def _fill(self, end: int) -> None:
        start, stop = self._trimmed(self._reached, end)
        if start < stop:
            span = Span(start, stop)
            self._blocks.append(Block(BlockKind.MARKUP, span, span, self._path))
        self._reached = max(self._reached, end)

    def _trimmed(self, start: int, end: int) -> tuple[int, int]:
        word = _WORD.search(self._text, start, end)
        if word is None:
            return end, end
        while self._text[end - 1].isspace():
            end -= 1
        return word.start(), end
