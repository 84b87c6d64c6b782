"""Puts the text of a document together from its pieces, with blocks and marks as it goes.

For formats whose text is not the file itself: every offset is made here, where text is appended,
and never looked for afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from pincite.loaders.extracted import Extracted
from pincite.loaders.outline import Outline
from pincite.places import Mark, Place
from pincite.records import Block, BlockKind, Need, Span


@dataclass(frozen=True, slots=True)
class Repeated:
    """The place of words that are repeated from there, as the head of a column with its values."""

    place: Place


@dataclass(frozen=True, slots=True)
class Printed:
    """The place of words on one line of print, with the edges of their code points as in `Mark`."""

    place: Place
    edges: tuple[int, ...]
    repeated: bool = False
    """As with `Repeated`."""


Piece = tuple[str, Place | Repeated | Printed | None]
"""Words and where they stand in the file; None for what the loader adds, such as separators.

Words that are `Printed` begin and end without white space.
"""

_NAME_LENGTH = 500
_CLOSE = (BlockKind.LIST_ITEM, BlockKind.TABLE_ROW, BlockKind.TABLE_HEADER)


class Composer:
    """The text so far. Blocks are separated by an empty line, items and rows of one by a line end.

    White space at the ends of a block is left out; a block without words is not made.
    """

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._marks: list[Mark] = []
        self._outline = Outline()
        self._groups = 0
        self._needs: set[Need] = set()

    @property
    def heading_path(self) -> tuple[str, ...]:
        """The headings that are open at the place reached so far."""
        return self._outline.path

    @property
    def length(self) -> int:
        """Code points put together so far."""
        return self._length

    def new_group(self) -> int:
        """The number for the blocks of the next list or table."""
        self._groups += 1
        return self._groups

    def heading(self, pieces: Iterable[Piece], level: int) -> None:
        """Add a heading of level 1 to 6; it closes those of its level and deeper."""
        kept = _trimmed(pieces)
        if not kept:
            return
        name = " ".join("".join(words for words, _ in kept).split())[:_NAME_LENGTH]
        self._outline.open(name, level)
        self.add(BlockKind.HEADING, kept, level=level)

    def close_headings(self, level: int) -> None:
        """Nothing from here on stands under the headings of `level` or deeper."""
        self._outline.close(level)

    def add(
        self,
        kind: BlockKind,
        pieces: Iterable[Piece],
        *,
        level: int = 0,
        group: int = 0,
        marker: str = "",
        lead: Iterable[Piece] = (),
    ) -> None:
        """Add a block of `kind`; `marker` (`1. `, `- `) stands before its content.

        So does `lead`: words of the file that say whose the content is, such as a speaker's name.
        """
        kept = _trimmed(pieces)
        if not kept:
            return
        self._separate(kind, group)
        start = self._length
        self._append(marker, None)
        for words, place in lead:
            self._append(words, place)
        content = self._length
        for words, place in kept:
            self._append(words, place)
        span = Span(start, self._length)
        self._blocks.append(
            Block(
                kind,
                span,
                Span(content, self._length) if content > start else span,
                self._outline.path,
                level,
                group,
            )
        )

    def embed(self, part: Extracted, wrap: Callable[[Place | None], Place]) -> None:
        """Add a document inside this one, below the headings that are open.

        `wrap` gives the place in this file for a place in the part, or for the part as a whole.
        """
        self._needs.update(part.needs)
        lead = len(part.text) - len(part.text.lstrip())
        text = part.text.strip()
        if not text:
            return
        self._separate(BlockKind.PARAGRAPH, 0)
        shift = self._length - lead
        stop = lead + len(text)
        above = self._outline.path
        groups = self._groups
        for block in part.blocks:
            self._groups = max(self._groups, groups + block.group)
            self._blocks.append(
                replace(
                    block,
                    span=_shifted(block.span, shift, lead, stop),
                    content=_shifted(block.content, shift, lead, stop),
                    heading_path=(*above, *block.heading_path),
                    group=block.group + groups if block.group else 0,
                )
            )
        self._marks += _wrapped(part.marks, shift, lead, stop, wrap)
        self._parts.append(text)
        self._length += len(text)

    def extracted(
        self, *, title: str = "", notes: Sequence[str] = (), needs: Iterable[Need] = ()
    ) -> Extracted:
        """All of it; the text ends with a line end unless it is empty.

        The needs of embedded documents are added to `needs`.
        """
        if self._parts:
            # Before they are joined: afterwards it would take all of the text a second time.
            self._parts.append("\n")
        text = "".join(self._parts)
        return Extracted(
            text=text,
            blocks=tuple(self._blocks),
            title=" ".join(title.split()),
            marks=tuple(self._marks),
            notes=tuple(notes),
            needs=tuple(sorted(self._needs.union(needs))),
        )

    def _separate(self, kind: BlockKind, group: int) -> None:
        if not self._blocks:
            return
        before = self._blocks[-1]
        is_close = kind in _CLOSE and group and before.group == group
        self._append("\n" if is_close else "\n\n", None)

    def _append(self, words: str, place: Place | Repeated | Printed | None) -> None:
        start = self._length
        self._parts.append(words)
        self._length = end = start + len(words)
        if place is None or start == end:
            return
        marks = self._marks
        if isinstance(place, Printed):
            marks.append(Mark(start, end, place.place, place.edges, place.repeated))
            return
        secondary = isinstance(place, Repeated)
        where = place.place if isinstance(place, Repeated) else place
        if marks:
            last = marks[-1]
            if (
                last.end == start
                and last.secondary == secondary
                and not last.edges
                and last.place == where
            ):
                marks[-1] = Mark(last.start, end, where, (), secondary)
                return
        marks.append(Mark(start, end, where, (), secondary))


def _trimmed(pieces: Iterable[Piece]) -> list[Piece]:
    """The pieces without white space at their ends; none where there are no words."""
    kept: list[Piece] = [(words, place) for words, place in pieces if words]
    while kept and not kept[0][0].strip():
        kept.pop(0)
    while kept and not kept[-1][0].strip():
        kept.pop()
    if kept:
        words, place = kept[0]
        if words[0].isspace():
            kept[0] = words.lstrip(), place
        words, place = kept[-1]
        if words[-1].isspace():
            kept[-1] = words.rstrip(), place
    return kept


def _shifted(span: Span, shift: int, lead: int, stop: int) -> Span:
    start = min(max(span.start, lead), stop)
    return Span(start + shift, min(max(span.end, start), stop) + shift)


def _wrapped(
    marks: Sequence[Mark], shift: int, lead: int, stop: int, wrap: Callable[[Place | None], Place]
) -> list[Mark]:
    """`marks` of a part at their new offsets; what none covers is marked as the part itself."""
    whole = wrap(None)
    has_places = bool(marks)  # Then the rest is what separates them.
    found: list[Mark] = []
    reached = lead
    for mark in marks:
        start, end = max(mark.start, lead), min(mark.end, stop)
        if start >= end:
            continue
        if start > reached:
            found.append(Mark(reached + shift, start + shift, whole, secondary=has_places))
        edges = mark.edges[start - mark.start : end - mark.start + 1] if mark.edges else ()
        found.append(
            Mark(start + shift, end + shift, wrap(mark.place), edges, secondary=mark.secondary)
        )
        reached = end
    if reached < stop:
        found.append(Mark(reached + shift, stop + shift, whole, secondary=has_places))
    return found
