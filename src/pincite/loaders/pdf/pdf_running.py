"""Running headers and footers, told from the text by where they stand and that they come again."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite.loaders.pdf.pdf_layout import Line

_Seen = dict[int, list[tuple[str, ...]]]
"""The numbers in the lines of the same words on a page, by page."""

_ZONE = 0.17
"""Of the page's height, at its top and bottom: where running headers and footers stand."""
_MOST = 5
"""Lines on each side that are looked at."""
_FEWEST_REPEATS = 3
_FEWEST_LETTERS = 3
_LONGEST_NUMBER = 12
"""Digits; what is longer counts no pages."""
_STEPS = 250
"""Of the page's height: lines of the same words on one step, or the next, stand equally high."""
_PAGE_NUMBER = re.compile(
    r"\W*(?:(?:page|seite|página|pagina|p\.|s\.)\s*)?(\d{1,5}|[ivxlc]{1,7})"
    r"(?:\s*(?:of|von|de|di|/|\|)\s*\d{1,5})?\W*",
    re.I,
)
_DIGITS = re.compile(r"\d+")


@dataclass(slots=True)
class _Edge:
    """The outermost lines at one side of a page, from the edge inwards."""

    side: str
    lines: list[Line]
    within: list[Line]
    """For each of them, the next one inwards; shorter where the page has no more."""
    apart: int
    """So many of them stand outside of a gap."""


def split_running(pages: Sequence[Sequence[Line]]) -> tuple[list[list[Line]], list[list[Line]]]:
    """The lines of each page without, and those that are, its running headers and footers.

    They stand outermost at the top or bottom and come again, but for their numbers, on pages
    before or after; or are the number of the page. Numbers that differ go up with the pages: an
    amount that each page ends with is no footer. Where no gap parts them from what is within, they
    come again equally high, and nowhere else.
    """
    edges = [_edges(lines) for lines in pages]
    roughly: defaultdict[tuple[str, int, str], _Seen] = defaultdict(dict)
    exactly: defaultdict[tuple[str, int, str], _Seen] = defaultdict(dict)
    for number, both in enumerate(edges):
        for edge in both:
            for position, line in enumerate(edge.lines):
                words = _words(line)
                numbers = _numbers(line)
                exact = exactly[edge.side, _height(line, _STEPS), words]
                exact.setdefault(number, []).append(numbers)
                if position < edge.apart:
                    rough = roughly[edge.side, _height(line, 25), words]
                    rough.setdefault(number, []).append(numbers)
    elsewhere: Counter[str] | None = None
    bodies: list[list[Line]] = []
    running: list[list[Line]] = []
    for number, both in enumerate(edges):
        found: list[Line] = []
        for edge in both:
            for position, line in enumerate(edge.lines):
                words = _words(line)
                same = roughly[edge.side, _height(line, 25), words]
                if position < edge.apart and (
                    _repeats(same, line, number, len(pages)) or _is_number(line)
                ):
                    found.append(line)
                    continue
                if not _stays(edge, position, exactly, number):
                    break
                # Few files have lines that come as far as this.
                elsewhere = _inner_words(pages, edges) if elsewhere is None else elsewhere
                if elsewhere[words]:
                    break
                found.append(line)
        marked = set(map(id, found))
        bodies.append([line for line in pages[number] if id(line) not in marked])
        running.append(found)
    return bodies, running


def _edges(lines: Sequence[Line]) -> tuple[_Edge, ...]:
    upright = [line for line in lines if line.turn == 0]
    if not upright:
        return ()
    height = upright[0].page.height
    down = sorted(upright, key=lambda line: line.top)
    up = sorted(upright, key=lambda line: -line.bottom)
    top = [line for line in down[:_MOST] if line.bottom < _ZONE * height]
    low = [line for line in up[:_MOST] if line.top > height - _ZONE * height]
    return _edge("top", top, down), _edge("bottom", low, up)


def _edge(side: str, lines: list[Line], inwards: Sequence[Line]) -> _Edge:
    apart = 0
    for position, line in enumerate(lines, 1):
        others = inwards[position:]
        if not others:
            gap = 1e9
        elif side == "top":
            gap = others[0].top - line.bottom
        else:
            gap = line.top - others[0].bottom
        if gap > 0.5 * line.size or any(_is_beside(line, other) for other in others[:_MOST]):
            apart = position
    return _Edge(side, lines, list(inwards[1 : len(lines) + 1]), apart)


def _is_beside(one: Line, other: Line) -> bool:
    overlap = min(one.bottom, other.bottom) - max(one.top, other.top)
    return overlap > 0.5 * min(one.bottom - one.top, other.bottom - other.top)


def _words(line: Line) -> str:
    return _DIGITS.sub("0", " ".join(line.text.split()).lower())


def _height(line: Line, steps: int) -> int:
    return round(steps * line.top / line.page.height)


def _numbers(line: Line) -> tuple[str, ...]:
    return tuple(_DIGITS.findall(line.text))


def _repeats(pages: _Seen, line: Line, number: int, count: int) -> bool:
    return _is_near(pages, line, number) and len(pages) >= min(_FEWEST_REPEATS, max(2, count))


def _is_near(pages: _Seen, line: Line, number: int) -> bool:
    """Whether the line comes on a page before or after, with numbers that go with the pages'."""
    own = _numbers(line)
    return any(
        _goes_with(own, other, step)
        for step in (-2, -1, 1, 2)
        for other in pages.get(number + step, ())
    )


def _goes_with(own: tuple[str, ...], other: tuple[str, ...], step: int) -> bool:
    """Whether numbers are the same, or differ as those of pages do of which two may be on one."""
    return all(
        one == two
        or (max(len(one), len(two)) <= _LONGEST_NUMBER and int(two) - int(one) in (step, 2 * step))
        for one, two in zip(own, other, strict=True)
    )


def _is_number(line: Line) -> bool:
    """Whether `line` is the number or label of its page."""
    match = _PAGE_NUMBER.fullmatch(line.text.strip())
    return match is not None and match[1].lower() in (
        str(line.page.number),
        line.page.label.lower(),
    )


def _stays(
    edge: _Edge,
    position: int,
    exactly: Mapping[tuple[str, int, str], _Seen],
    number: int,
) -> bool:
    """Whether a line has the same words, equally high, on several pages, and is no row or title."""
    line = edge.lines[position]
    words = _words(line)
    height = _height(line, _STEPS)
    pages: _Seen = {}
    for step in (-1, 0, 1):
        for page, numbers in exactly.get((edge.side, height + step, words), {}).items():
            pages[page] = pages.get(page, []) + numbers
    if not _is_near(pages, line, number) or len(pages) < _FEWEST_REPEATS:
        return False
    if sum(map(str.isalpha, words)) < _FEWEST_LETTERS:
        return False
    inner = edge.within[position] if position < len(edge.within) else None
    return inner is None or (
        line.size < 1.05 * inner.size and (len(line.fragments) == 1 or len(inner.fragments) == 1)
    )


def _inner_words(pages: Sequence[Sequence[Line]], edges: Sequence[Sequence[_Edge]]) -> Counter[str]:
    """How often each line comes, its numbers aside, where nothing runs."""
    outer = {id(line) for both in edges for edge in both for line in edge.lines}
    return Counter(_words(line) for lines in pages for line in lines if id(line) not in outer)
