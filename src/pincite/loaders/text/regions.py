"""Which stretches of Markdown are plain paragraphs, headings and code, so that they need no parser.

Most of a document is that. What is left (lists, tables, quotations, HTML) is handed to the parser
in stretches that begin and end at the top level, so that each reads as it would in the whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto


class RegionKind(Enum):
    """What a region is; OTHER is for the parser."""

    PARAGRAPH = auto()
    HEADING = auto()
    FENCE = auto()
    OTHER = auto()


@dataclass(frozen=True, slots=True)
class Region:
    """Lines [first, end) of a document; `mark` is the opening of a heading or fence."""

    kind: RegionKind
    first: int
    end: int
    mark: str = ""


# A line is judged by its beginning. Prose begins with a letter, or with what begins no block.
_LINE = re.compile(
    r"(?P<blank>[ \t]*+(?:[\r\n]|\Z))"
    r"|(?P<heading>#{1,6})(?=[ \t\r\n]|\Z)"
    r"|(?P<fence>`{3,}(?=[^`\r\n]*(?:[\r\n]|\Z))|~{3,})"
    r"|(?P<prose>[^\W\d_]|\d++(?![.)])|\*{1,2}(?=[^\s*])|`{1,2}(?!`)|[\"'(“‘«¿¡$€£\\]|!\[)"
    r"|[ ]{1,3}(?P<indented>[^\W\d_]|\*{1,2}(?=[^\s*]))"
    r"|(?P<item>(?:[-+*]|\d{1,9}[.)])[ ]{1,4})(?![-*_ \t]*+(?:[\r\n]|\Z))(?=\S)"
    r"|(?P<inner>[ \t]+)(?=`{3}|~{3})"
    r"|(?P<html>[ \t>\-+*\d.)]*<)"
    r"|(?P<other>)"
)
_INTERRUPTS = frozenset({"1.", "1)", "- ", "+ ", "* "})


def split_regions(text: str, starts: Sequence[int], first: int) -> Iterator[Region]:
    """The regions of `text` from line `first` on, without blank lines between them.

    `starts` holds where each line begins.
    """
    line = first
    last = len(starts)
    while line < last:
        match = _LINE.match(text, starts[line])
        kind = match.lastgroup if match is not None else "other"
        mark = match.group(kind) if match is not None and kind is not None else ""
        if kind == "blank":
            line += 1
            continue
        if kind == "heading":
            region = Region(RegionKind.HEADING, line, line + 1, mark)
        elif kind == "fence":
            region = _fence(text, starts, line, mark)
        elif kind in ("prose", "indented"):
            region = _paragraph(text, starts, line)
        else:
            region = Region(RegionKind.OTHER, line, _other_end(text, starts, line))
        yield region
        line = region.end


def _fence(text: str, starts: Sequence[int], first: int, mark: str) -> Region:
    closing = re.compile(rf" {{0,3}}{re.escape(mark)}{re.escape(mark[0])}*+[ \t]*+(?:[\r\n]|\Z)")
    for line in range(first + 1, len(starts)):
        if closing.match(text, starts[line]):
            return Region(RegionKind.FENCE, first, line + 1, mark)
    return Region(RegionKind.OTHER, first, len(starts))


def _paragraph(text: str, starts: Sequence[int], first: int) -> Region:
    for line in range(first + 1, len(starts)):
        match = _LINE.match(text, starts[line])
        kind = match.lastgroup if match is not None else "other"
        if kind in ("blank", "heading", "fence"):
            return Region(RegionKind.PARAGRAPH, first, line)
        if kind not in ("prose", "indented"):
            return Region(RegionKind.OTHER, first, _other_end(text, starts, first))
    return Region(RegionKind.PARAGRAPH, first, len(starts))


def _other_end(text: str, starts: Sequence[int], first: int) -> int:
    """The first line after `first` that is sure to begin a block at the top level.

    Prose without indentation is, after a blank line; a heading or fence without indentation is
    anywhere. HTML and a fence that may stand in no list can hold anything: then there is none.
    """
    is_after_blank = False
    item_width = 0
    for line in range(first, len(starts)):
        match = _LINE.match(text, starts[line])
        kind = match.lastgroup if match is not None else "other"
        if kind == "html":
            return len(starts)
        if kind == "item" and match is not None:
            # Only 1. and bullets begin a list inside a paragraph.
            if line == first or is_after_blank or item_width or match.group()[:2] in _INTERRUPTS:
                item_width = match.end() - match.start()
        elif kind == "inner" and match is not None:
            indent = match.group("inner")
            if not item_width or "\t" in indent or len(indent) < item_width:
                return len(starts)
        elif line > first and (
            kind in ("heading", "fence") or (kind == "prose" and is_after_blank)
        ):
            return line
        elif kind != "blank" and not text.startswith(" " * item_width, starts[line]):
            item_width = 0
        is_after_blank = kind == "blank"
    return len(starts)
