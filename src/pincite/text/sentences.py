"""Sentences with exact places: they partition the text, white space and markers included.

Prose is cut at the stops of the world's scripts; headings, table rows and code lines are one
sentence each. Nothing is looked up afterwards: every offset is made where the text is cut.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from pincite.records import Block, BlockKind, Sentence, Span
from pincite.text.stops import find_ends

MAXIMUM_LENGTH = 1_000
"""Code points in a sentence, longest; what has no stop is cut at a clause or a space."""

_PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTATION})
_SHORTEST_CUT = MAXIMUM_LENGTH * 6 // 10
_CLAUSE_END = re.compile(r"[;:,、；：，،]\s*(?=\S)")
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|$)")
_QUOTATION_MARK = re.compile(r"[>\s]*")
_JOINERS = frozenset("\u200d\ufe0e\ufe0f")


def split_sentences(text: str, blocks: Sequence[Block], language: str) -> list[Sentence]:
    """The sentences of `text` in reading order; their spans put together are the text.

    `blocks` are in reading order and do not overlap. White space between blocks goes to the
    sentence before it, up to the last line end; the indentation after that, and list markers
    and the like, to the sentence they introduce, outside its quote. Text outside every block
    has sentences without a quote. The empty text has none. No sentence is longer than
    `MAXIMUM_LENGTH`.
    """
    sentences: list[Sentence] = []
    position = 0
    for block, following in zip(blocks, [*blocks[1:], None], strict=True):
        end = len(text) if following is None else following.span.start
        if end > block.span.end:
            end = _after_gap(text, block.span.end, end, is_last=following is None)
        if position < end:
            _split_block(text, block, position, end, language, sentences)
            position = end
    if position < len(text):
        _append(text, position, len(text), position, position, BlockKind.MARKUP, sentences)
    return sentences


def _after_gap(text: str, start: int, end: int, *, is_last: bool) -> int:
    """Where the white space between two blocks is divided between their sentences."""
    if is_last:
        return end
    line_end = max(text.rfind("\n", start, end), text.rfind("\r", start, end))
    return start if line_end < 0 else line_end + 1


def _split_block(
    text: str, block: Block, start: int, end: int, language: str, sentences: list[Sentence]
) -> None:
    """Append the sentences of `block`, which take up all of [start, end)."""
    kind = block.kind
    content, content_end = max(block.content.start, start), block.content.end
    if kind in _PROSE:
        parts = _prose(text, content, content_end, language, kind)
    elif kind is BlockKind.CODE:
        parts = _code_lines(text, content, content_end)
    else:
        if kind is BlockKind.MARKUP:
            content_end = content
        parts = iter([(content, content_end)])
    quotes = list(parts) or [(content, content)]
    last = len(quotes) - 1
    for index, (quote_start, quote_end) in enumerate(quotes):
        next_start = end if index == last else _line_begin(text, quote_end, quotes[index + 1][0])
        _append(text, start, next_start, quote_start, quote_end, kind, sentences)
        start = next_start


def _line_begin(text: str, quote_end: int, next_quote: int) -> int:
    """Where a sentence begins: after the line end before its quote, else at its quote."""
    if next_quote == quote_end:
        return next_quote
    line_end = max(
        text.rfind("\n", quote_end, next_quote), text.rfind("\r", quote_end, next_quote)
    )
    return next_quote if line_end < 0 else line_end + 1


def _prose(
    text: str, start: int, end: int, language: str, kind: BlockKind
) -> Iterator[tuple[int, int]]:
    """The quotes in the prose [start, end), trimmed."""
    position = start
    for stop in find_ends(text, start, end, language):
        yield from _trimmed(text, position, stop, kind)
        position = stop
    if position < end:
        yield from _trimmed(text, position, end, kind)


def _trimmed(text: str, start: int, end: int, kind: BlockKind) -> Iterator[tuple[int, int]]:
    while end > start and text[end - 1].isspace():
        end -= 1
    if kind is BlockKind.QUOTATION:
        mark = _QUOTATION_MARK.match(text, start, end)
        start = mark.end() if mark else start
    else:
        while start < end and text[start].isspace():
            start += 1
    if start < end:
        yield start, end


def _code_lines(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in _LINE.finditer(text, start, end):
        yield from _trimmed(text, match.start(), match.end(), BlockKind.CODE)


def _append(
    text: str, start: int, end: int, quote_start: int, quote_end: int, kind: BlockKind,
    sentences: list[Sentence],
) -> None:  # fmt: skip
    """Append one sentence, or several where it would be longer than `MAXIMUM_LENGTH`."""
    while end - start > MAXIMUM_LENGTH:
        cut = _cut(text, start, quote_end)
        part_end = min(quote_end, cut)
        while part_end > quote_start and text[part_end - 1].isspace():
            part_end -= 1
        part_start = min(quote_start, part_end)
        sentences.append(Sentence(start, cut, Span(max(part_start, start), part_end), kind))
        start = cut
        if quote_start < cut:
            quote_start = min(cut, quote_end)
            while quote_start < quote_end and text[quote_start].isspace():
                quote_start += 1
        if quote_end < start:
            quote_start = quote_end = start
    sentences.append(Sentence(start, end, Span(quote_start, quote_end), kind))


def _cut(text: str, start: int, quote_end: int) -> int:
    """The best place to cut a sentence that begins at `start` and is too long."""
    limit = start + MAXIMUM_LENGTH
    if start + _SHORTEST_CUT <= quote_end <= limit:
        return quote_end
    cut = 0
    for match in _CLAUSE_END.finditer(text, start + _SHORTEST_CUT, limit):
        cut = match.end()
    if cut:
        return cut
    for cut in range(limit, start + _SHORTEST_CUT, -1):
        if text[cut - 1].isspace() and not text[cut].isspace():
            return cut
    cut = limit
    while cut > start + _SHORTEST_CUT and _is_inside(text, cut):
        cut -= 1
    return cut if cut > start + _SHORTEST_CUT else limit


def _is_inside(text: str, cut: int) -> bool:
    """Whether a cut here would part a line end or one visible character."""
    after = text[cut]
    before = text[cut - 1]
    return (
        (before == "\r" and after == "\n")
        or after in _JOINERS
        or before == "\u200d"
        or unicodedata.combining(after) != 0
        or "\udc00" <= after <= "\udfff"
    )
