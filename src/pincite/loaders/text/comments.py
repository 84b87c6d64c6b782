"""Comments inside a sentence: a sentence that goes on after one is whole, the comment with it.

A quote is one stretch of the file, so a sentence around a comment can only be quoted with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.records import Block, BlockKind, Span
from pincite.text.stops import find_ends

_PROSE = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTATION)
_MARKUP = BlockKind.MARKUP
_MARKUP_START = ("<!--", "<?", "<!")
_BLANK_LINE = re.compile(r"(?:\r\n?|\n)[ \t>]*(?:\r\n?|\n)")
# Tags that begin or end a paragraph, item or cell; a sentence does not go on over them.
_NAMES = (
    "address|article|aside|blockquote|body|center|d[dlt]|details|div|fieldset|fig(?:caption|ure)"
    "|footer|form|h[1-6r]|head|header|html|li|main|nav|ol|p|pre|section|summary|t(?:able|body|d"
    "|foot|h|head|r)|ul|script|style"
)
_TAG_AT_END = re.compile(rf"</?(?:{_NAMES})\b[^<>]*>\Z", re.I)
_TAG_AT_START = re.compile(rf"\s*</?(?:{_NAMES})\b", re.I)
_COLON_AT_END = re.compile(r"[:;][*_`]*\Z")
_REACH = 300
"""Code points on each side of a comment by which it is told whether a sentence ends there."""


def rejoin(text: str, blocks: Sequence[Block]) -> list[Block]:
    """`blocks` with those made one between which only comments interrupt a sentence.

    A comment before, between or after whole sentences stays a block of its own.
    """
    joined: list[Block] = []
    open_prose = -1
    for block in blocks:
        kind = block.kind
        if kind is _MARKUP:
            if open_prose >= 0 and not _is_comment(text, block):
                open_prose = -1
        elif kind not in _PROSE:
            open_prose = -1
        elif open_prose >= 0 and _is_one(text, joined[open_prose], block, joined[-1]):
            before = joined[open_prose]
            del joined[open_prose:]
            block = Block(
                before.kind,
                Span(before.span.start, block.span.end),
                Span(before.content.start, block.content.end),
                before.heading_path,
                before.level,
                before.group,
            )
            open_prose = len(joined)
        else:
            open_prose = len(joined)
        joined.append(block)
    return joined


def _is_comment(text: str, block: Block) -> bool:
    """Whether `block` is a comment or the like, or only the marks of the quotation it is in."""
    words = block.content.of(text)
    return words.startswith(_MARKUP_START) or not words.strip("> \t")


def _is_one(text: str, before: Block, after: Block, last: Block) -> bool:
    """Whether the sentence that `before` ends in goes on in `after`; `last` is right before it."""
    if last is before:
        return False
    if text[after.span.start : after.content.start].strip("> \t"):
        return False  # An item of its own.
    between = (before.span.end, last.span.start), (last.span.end, after.content.start)
    if any(_BLANK_LINE.search(text, *gap) for gap in between):
        return False
    start = text[after.content.start : min(after.content.end, after.content.start + _REACH)]
    end = text[max(before.content.start, before.content.end - _REACH) : before.content.end].rstrip()
    if _TAG_AT_END.search(end) or _TAG_AT_START.match(start) or _COLON_AT_END.search(end):
        return False
    # Most doubtful in German, where a number or a short word with a stop may go on.
    ends = find_ends(f"{end} {start}", 0, len(end) + 1 + len(start), "de")
    return all(place != len(end) for place, _ in ends)
