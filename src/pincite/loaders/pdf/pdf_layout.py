"""The lines of a page in the order in which they are read.

The order of the file is kept where it goes down each column: that is how programs write text
and tables. Only where it does not are lines sorted by their places.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from statistics import median

from pincite.loaders.pdf.pdf_pages import Fragment, PageText


@dataclass(slots=True)
class Line:
    """One line of print in one column; several fragments where it has wide gaps."""

    page: PageText
    fragments: tuple[Fragment, ...]
    text: str
    """Its words."""
    left: float
    top: float
    right: float
    bottom: float
    size: float
    """Of the longest fragment."""
    is_bold: bool
    number: int = 0
    """Counted in reading order through the page, from 1."""

    @property
    def turn(self) -> int:
        """As that of its fragments."""
        return self.fragments[0].turn


def line_of(page: PageText, fragments: tuple[Fragment, ...], number: int = 0) -> Line:
    """The line that `fragments`, side by side, make."""
    longest = fragments[0]
    if len(fragments) == 1:
        return Line(
            page,
            fragments,
            longest.text,
            longest.left,
            longest.top,
            longest.right,
            longest.bottom,
            longest.size,
            longest.is_bold,
            number,
        )
    longest = max(fragments, key=lambda fragment: len(fragment.text))
    return Line(
        page,
        fragments,
        " ".join(fragment.text for fragment in fragments),
        min([fragment.left for fragment in fragments]),
        min([fragment.top for fragment in fragments]),
        max([fragment.right for fragment in fragments]),
        max([fragment.bottom for fragment in fragments]),
        longest.size,
        all(fragment.is_bold for fragment in fragments),
        number,
    )


def lines_of(page: PageText) -> list[Line]:
    """The lines of `page` in the order of the file."""
    rows = groupby(page.fragments, key=lambda fragment: fragment.row)
    return [line_of(page, tuple(fragments)) for _, fragments in rows]


def in_reading_order(lines: Sequence[Line]) -> list[Line]:
    """`lines` of one page, which are in the order of the file, as they are read, and numbered."""
    ordered: list[Line] = []
    for turn in sorted({line.turn for line in lines}):
        turned = _without_interleaving([line for line in lines if line.turn == turn])
        chunks = _chunks(turned)
        if _goes_back(chunks):
            chunks = _sorted(chunks)
        ordered += (line for chunk in chunks for line in chunk)
    for number, line in enumerate(ordered, 1):
        line.number = number
    return ordered


def _without_interleaving(lines: list[Line]) -> list[Line]:
    """Lines that run through two columns of prose cut in two: all of the left, then the right."""
    result: list[Line] = []
    position = 0
    while position < len(lines):
        end = position
        gutter = (0.0, 1e9)
        while end < len(lines) and len(lines[end].fragments) == 2:
            left, right = lines[end].fragments
            narrowed = max(gutter[0], left.right), min(gutter[1], right.left)
            if narrowed[0] >= narrowed[1]:
                break
            gutter = narrowed
            end += 1
        run = lines[position:end]
        if len(run) >= 4 and all(
            _is_prose([line.fragments[side] for line in run]) for side in (0, 1)
        ):
            result += (line_of(line.page, line.fragments[:1]) for line in run)
            result += (line_of(line.page, line.fragments[1:]) for line in run)
        else:
            end = max(end, position + 1)
            result += lines[position:end]
        position = end
    return result


def _is_prose(column: Sequence[Fragment]) -> bool:
    """Whether most lines of a column are long and as wide as it."""
    width = max(cell.right for cell in column) - min(cell.left for cell in column)
    full = sum(cell.right - cell.left > 0.8 * width for cell in column)
    return median(len(cell.text) for cell in column) >= 24 and full >= 0.6 * len(column)


def _chunks(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines cut where the next one is not right below, in the same column."""
    chunks: list[list[Line]] = []
    for before, line in pairwise([None, *lines]):
        assert line is not None
        if before is not None and (
            before.top <= line.top + 0.3 * line.size
            and line.top - before.bottom < 2.5 * max(line.size, before.size)
            and min(before.right, line.right) > max(before.left, line.left)
        ):
            chunks[-1].append(line)
        else:
            chunks.append([line])
    return chunks


@dataclass(frozen=True, slots=True)
class _Extent:
    left: float
    top: float
    right: float
    bottom: float

    def is_over(self, other: _Extent) -> bool:
        """Whether this stands above `other` in the same column."""
        slack = 0.3 * min(self.bottom - self.top, other.bottom - other.top)
        return (
            min(self.right, other.right) > max(self.left, other.left)
            and self.bottom <= other.top + slack
            and self.top < other.top
        )


def _extent(chunk: Sequence[Line]) -> _Extent:
    return _Extent(
        min(line.left for line in chunk),
        min(line.top for line in chunk),
        max(line.right for line in chunk),
        max(line.bottom for line in chunk),
    )


_MOST_CHUNKS = 150
"""What is cut into more than that is no running text, and is left as it is."""


def _goes_back(chunks: Sequence[Sequence[Line]]) -> bool:
    """Whether something comes after what stands below it in the same column."""
    if len(chunks) > _MOST_CHUNKS:
        return False
    extents = [_extent(chunk) for chunk in chunks]
    return any(
        later.is_over(earlier)
        for position, later in enumerate(extents)
        for earlier in extents[:position]
    )


def _sorted(chunks: list[list[Line]]) -> list[list[Line]]:
    """Down each column, the left column first; what spans columns parts them.

    The next is always the first in the order of the file of those that nothing has to precede.
    """
    extents = [_extent(chunk) for chunk in chunks]
    precede: list[set[int]] = [set() for _ in chunks]
    for one, first in enumerate(extents):
        for other, second in enumerate(extents):
            if one == other:
                continue
            is_left = first.right <= second.left and not any(
                _parts(first, second, third) for third in extents
            )
            if first.is_over(second) or is_left:
                precede[other].add(one)
    left = list(range(len(chunks)))
    ordered: list[list[Line]] = []
    while left:
        waiting = set(left)
        free = next((item for item in left if not precede[item] & waiting), left[0])
        left.remove(free)
        ordered.append(chunks[free])
    return ordered


def _parts(first: _Extent, second: _Extent, third: _Extent) -> bool:
    """Whether `third` runs across both columns, in between them in height."""
    if third in (first, second):
        return False
    low, high = sorted((first.top, second.top))
    return (
        low < third.top < high
        and min(first.right, third.right) > max(first.left, third.left)
        and min(second.right, third.right) > max(second.left, third.left)
    )
