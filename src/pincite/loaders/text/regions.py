"""Which stretches of Markdown are as simple as most of a document is, so that they need no parser.

Paragraphs, headings, code, comments, rules, lists without anything inside their items but prose,
tables between bars. What is left (lists in lists, quotations, HTML) is handed to the parser in
stretches that begin and end at the top level, so that each reads as it would in the whole.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from itertools import repeat
from typing import NamedTuple


class RegionKind(Enum):
    """What a region is; OTHER is for the parser."""

    PARAGRAPH = auto()
    HEADING = auto()
    FENCE = auto()
    COMMENT = auto()
    RULE = auto()
    LIST = auto()
    TABLE = auto()
    OTHER = auto()


PARAGRAPH, HEADING, FENCE, COMMENT, RULE, LIST, TABLE, OTHER = RegionKind
"""Names of their own: Python 3.11 takes longer to look a member up than to make a region."""


class Region(NamedTuple):
    """Lines [first, end) of a document; `mark` is the opening of a heading or fence.

    A named tuple, as there is one for every block and it lives for a moment.
    """

    kind: RegionKind
    first: int
    end: int
    mark: str = ""
    items: tuple[int, ...] = ()
    """The first line of each item of a list."""


# A line is judged by its beginning. Prose begins with a letter, or with what begins no block.
_LINE = re.compile(
    r"(?P<blank>[ \t]*+(?:[\r\n]|\Z))"
    r"|(?P<heading>#{1,6})(?=[ \t\r\n]|\Z)"
    r"|(?P<fence>`{3,}(?=[^`\r\n]*(?:[\r\n]|\Z))|~{3,})"
    r"|(?P<comment><!--)"
    r"|(?P<rule>(?:(?:-[ \t]*+){3,}+|(?:\*[ \t]*+){3,}+|(?:_[ \t]*+){3,}+)(?:[\r\n]|\Z))"
    r"|(?P<prose>[A-Za-z]|[^\x00-\x7f]|\d++(?![.)])|\*++(?=[^\s*])|_++(?=[^\s_])|`{1,2}(?!`)"
    r"|[\"'()$/@%&{},.;?!\\]|\[[^\[\]\\\r\n]*+\](?=[^:\r\n]))"
    r"|[ ]{1,3}(?P<indented>[^\W\d_]|\*{1,2}(?=[^\s*]))"
    r"|(?P<item>(?:[-+*]|\d{1,9}[.)])[ ]{1,4})(?![-*_ \t]*+(?:[\r\n]|\Z))(?=\S)"
    r"|(?P<inner>[ \t]+)(?=`{3}|~{3})"
    r"|(?P<deep>[ \t]++)(?=[^\W\d_])"
    r"|(?P<html>[ \t>\-+*\d.)]*<(?:[!?]|(?i:script|pre|style|textarea)))"
    r"|(?P<tag>[ \t>\-+*\d.)]*<)"
    r"|(?P<bar>\|)"
    r"|(?P<other>)"
)
_DELIMITERS = re.compile(r"\|(?:[ \t]*+:?+-++:?+[ \t]*+\|)++[ \t]*+(?:[\r\n]|\Z)")
_INTERRUPTS = frozenset({"1.", "1)", "- ", "+ ", "* "})
_GOES_ON = frozenset({"prose", "indented", "deep"})
"""What a line begins with that goes on the paragraph of the line before."""
_MOST_MISSING = 60_000
"""Cells that the rows of a table have fewer than its head; of more, the parser makes no table."""


def split_regions(text: str, starts: Sequence[int], first: int) -> Iterator[Region]:
    """The regions of `text` from line `first` on, without blank lines between them.

    `starts` holds where each line begins.
    """
    line = first
    last = len(starts)
    kinds = _beginnings(text, starts)
    while line < last:
        kind = kinds[line]
        if kind == "blank":
            line += 1
            continue
        if kind == "heading":
            region = Region(HEADING, line, line + 1, _mark(text, starts[line]))
        elif kind == "rule":
            region = Region(RULE, line, line + 1)
        elif kind in ("prose", "indented"):
            region = _paragraph(text, starts, kinds, line)
        else:
            found: Region | None = None
            if kind == "fence":
                found = _fence(text, starts, line)
            elif kind == "comment":
                found = _comment(text, starts, line)
            elif kind == "item":
                found = _list(text, starts, kinds, line)
            elif kind == "bar":
                found = _table(text, starts, kinds, line)
            region = found or Region(OTHER, line, _other_end(text, starts, kinds, line))
        yield region
        line = region.end


def _beginnings(text: str, starts: Sequence[int]) -> list[str]:
    """What each line begins with, by the name of its group in `_LINE`."""
    # One alternative is empty, so that each line matches.
    return [match.lastgroup or "" for match in map(_LINE.match, repeat(text), starts) if match]


def _beginning(text: str, start: int) -> str:
    """The same of what starts there, anywhere on a line."""
    return _beginnings(text, (start,))[0]


def _mark(text: str, start: int) -> str:
    """The sign that the line that starts there begins with."""
    match = _LINE.match(text, start)
    return match[match.lastgroup] if match and match.lastgroup else ""


def _fence(text: str, starts: Sequence[int], first: int) -> Region:
    mark = _mark(text, starts[first])
    closing = re.compile(rf" {{0,3}}{re.escape(mark)}{re.escape(mark[0])}*+[ \t]*+(?:[\r\n]|\Z)")
    for line in range(first + 1, len(starts)):
        if closing.match(text, starts[line]):
            return Region(FENCE, first, line + 1, mark)
    return Region(OTHER, first, len(starts))


def _comment(text: str, starts: Sequence[int], first: int) -> Region:
    """The comment up to the end of the line that it is closed on."""
    closing = text.find("-->", starts[first])
    end = starts[first + 1] if first + 1 < len(starts) else len(text)
    # With a bar it may be the head of a table.
    if closing < 0 or text.find("|", starts[first], end) >= 0:
        return Region(OTHER, first, len(starts))
    return Region(COMMENT, first, bisect_right(starts, closing))


def _paragraph(text: str, starts: Sequence[int], kinds: Sequence[str], first: int) -> Region:
    for line in range(first + 1, len(starts)):
        kind = kinds[line]
        if kind in ("blank", "heading", "fence", "comment"):
            return Region(PARAGRAPH, first, line)
        if kind not in _GOES_ON:
            return Region(OTHER, first, _other_end(text, starts, kinds, first))
    return Region(PARAGRAPH, first, len(starts))


def _list(text: str, starts: Sequence[int], kinds: Sequence[str], first: int) -> Region | None:
    """The list that begins there, if its items hold one paragraph each and nothing else."""
    sign = _mark(text, starts[first]).rstrip()[-1]
    items: list[int] = []
    is_after_blank = False
    for line in range(first, len(starts)):
        kind = kinds[line]
        mark = _mark(text, starts[line]) if kind == "item" else ""
        if mark and mark.rstrip()[-1] == sign:
            if _beginning(text, starts[line] + len(mark)) != "prose":
                return None
            items.append(line)
        elif kind in ("heading", "fence", "comment") or (
            is_after_blank and kind != "blank" and not text.startswith((" ", "\t"), starts[line])
        ):
            return Region(LIST, first, line, items=tuple(items))
        elif kind != "blank" and (is_after_blank or kind not in _GOES_ON):
            return None
        is_after_blank = kind == "blank"
    return Region(LIST, first, len(starts), items=tuple(items))


def _table(text: str, starts: Sequence[int], kinds: Sequence[str], first: int) -> Region | None:
    """The table that begins there, if a bar stands at both ends of its head."""
    if first + 1 == len(starts) or not _DELIMITERS.match(text, starts[first + 1]):
        return None
    head = text[starts[first] : starts[first + 1]].rstrip()
    end = starts[first + 2] if first + 2 < len(starts) else len(text)
    bars = text.count("|", starts[first + 1], end)
    if len(head) < 2 or head[-1] != "|" or head.count("|") != bars or "\\" in head:
        return None
    missing = 0
    for line in range(first + 2, len(starts)):
        kind = kinds[line]
        if kind in ("blank", "heading", "fence", "comment"):
            return Region(TABLE, first, line)
        start = starts[line]
        stop = starts[line + 1] if line + 1 < len(starts) else len(text)
        missing += max(0, bars - text.count("|", start, stop) + text.count("\\|", start, stop))
        if kind != "bar" or missing > _MOST_MISSING:
            return None
    return Region(TABLE, first, len(starts))


def _other_end(text: str, starts: Sequence[int], kinds: Sequence[str], first: int) -> int:
    """The first line after `first` that is sure to begin a block at the top level.

    Prose without indentation is, after a blank line; a heading, comment or fence without
    indentation is anywhere but between tags, which reach up to a blank line. Some HTML, and a
    fence that may stand in no list, can hold anything: then there is none.
    """
    is_after_blank = is_in_tags = False
    item_width = 0
    for line in range(first, len(starts)):
        kind = kinds[line]
        if kind == "html" or (kind in ("comment", "fence", "inner") and is_in_tags):
            return len(starts)
        if kind == "tag":
            is_in_tags = True
        if kind == "item":
            mark = _mark(text, starts[line])
            # Only 1. and bullets begin a list inside a paragraph.
            if line == first or is_after_blank or item_width or mark[:2] in _INTERRUPTS:
                item_width = len(mark)
        elif kind == "inner":
            mark = _mark(text, starts[line])
            if not item_width or "\t" in mark or len(mark) < item_width:
                return len(starts)
        elif line > first and (
            (kind in ("heading", "fence", "comment") and not is_in_tags)
            or (kind in ("prose", "rule") and is_after_blank)
        ):
            return line
        elif kind != "blank" and not text.startswith(" " * item_width, starts[line]):
            item_width = 0
        is_after_blank = kind == "blank"
        is_in_tags = is_in_tags and not is_after_blank
    return len(starts)
