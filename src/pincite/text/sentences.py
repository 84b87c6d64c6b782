"""Sentences with exact places: they partition the text, white space and markers included.

Prose is cut at the stops of the world's scripts; headings, table rows and code lines are one
sentence each. Nothing is looked up afterwards: every offset is made where the text is cut.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from pincite.records import Block, BlockKind, Sentence, Span
from pincite.text.lines import LINE_END, PARAGRAPH_SEPARATOR
from pincite.text.stops import find_ends

MAXIMUM_LENGTH = 1_000
"""Code points in a sentence, longest; what has no stop is cut at a clause or a space."""

_PROSE = frozenset({BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTATION})
_SHORTEST_CUT = MAXIMUM_LENGTH * 6 // 10
_CLAUSE_END = re.compile(r"[;:,、；：，،]\s*(?=\S)")
_SPACE = re.compile(r"\s*+")
_QUOTATION_MARK = re.compile(r"[>\s]*+")
_JOINERS = frozenset("\u200d\ufe0e\ufe0f")


def split_sentences(text: str, blocks: Sequence[Block], language: str) -> list[Sentence]:
    """The sentences of `text` in reading order; their spans put together are the text.

    `blocks` are in reading order and do not overlap. White space between blocks goes to the
    sentence before it, up to the last line end; the indentation after that, and list markers
    and the like, to the sentence they introduce, outside its quote. Text outside every block
    has sentences without a quote. The empty text has none. No sentence is longer than
    `MAXIMUM_LENGTH`. `language` is an ISO 639-1 code.
    """
    return [sentence for group in split_by_block(text, blocks, language) for sentence in group]


def split_by_block(text: str, blocks: Sequence[Block], language: str) -> list[list[Sentence]]:
    """The same sentences, a list for each block; one list where there is no block."""
    if not blocks:
        unstructured: list[Sentence] = []
        if text:
            _append(text, 0, len(text), 0, 0, BlockKind.MARKUP, unstructured)
        return [unstructured]
    groups: list[list[Sentence]] = []
    position = 0
    last = len(blocks) - 1
    for index, block in enumerate(blocks):
        if index == last:
            end = len(text)
        else:
            end = _divide_gap(text, block.span.end, blocks[index + 1].span.start)
        sentences: list[Sentence] = []
        if position < end:
            _split_block(text, block, position, end, language, sentences)
            position = end
        groups.append(sentences)
    return groups


def _divide_gap(text: str, start: int, end: int) -> int:
    """Where what lies between two quotes is divided: after its last line end, else at its end."""
    if end - start > 1:
        line_end = max(text.rfind("\n", start, end), text.rfind("\r", start, end))
        if line_end >= 0:
            return line_end + 1
    return end


def _split_block(
    text: str, block: Block, start: int, end: int, language: str, sentences: list[Sentence]
) -> None:
    """Append the sentences of `block`, which take up all of [start, end)."""
    kind = block.kind
    content, content_end = block.content.start, block.content.end
    if kind in _PROSE:
        cuts = _prose_ends(text, content, content_end, language)
    elif kind is BlockKind.CODE:
        cuts = [(cut.start(), cut.end()) for cut in LINE_END.finditer(text, content, content_end)]
    else:
        cuts = []
        if kind is BlockKind.MARKUP:
            content_end = content
    leading = _QUOTATION_MARK if kind is BlockKind.QUOTATION else _SPACE
    quote: tuple[int, int] | None = None
    for quote_end, following in [*cuts, (content_end, content_end)]:
        skipped = leading.match(text, content, quote_end)
        quote_start = skipped.end() if skipped is not None else content
        while quote_end > quote_start and text[quote_end - 1].isspace():
            quote_end -= 1
        content = following
        if quote_start == quote_end:
            continue
        if quote is not None:
            next_start = _divide_gap(text, quote[1], quote_start)
            _append(text, start, next_start, *quote, kind, sentences)
            start = next_start
        quote = quote_start, quote_end
    if quote is None:
        quote = block.content.start, block.content.start
    _append(text, start, end, *quote, kind, sentences)


def _prose_ends(text: str, start: int, end: int, language: str) -> list[tuple[int, int]]:
    """The ends that `find_ends` tells, and those of paragraphs: over one no sentence goes on."""
    ends: list[tuple[int, int]] = []
    while (cut := text.find(PARAGRAPH_SEPARATOR, start, end)) >= 0:
        ends += [*find_ends(text, start, cut, language), (cut, cut + 1)]
        start = cut + 1
    return [*ends, *find_ends(text, start, end, language)]


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
        part_start = max(start, min(quote_start, part_end))
        sentences.append(Sentence(start, cut, Span(part_start, max(part_start, part_end)), kind))
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
        return quote_end if not _is_inside(text, quote_end) else limit
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
