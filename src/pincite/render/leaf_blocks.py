"""The blocks of a stretch of a document, put together again from its sentences.

An index keeps sentences with their kinds, not the blocks they were cut from; blank lines, markers
and changes of kind show where a block ends.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.records import BlockKind, Passage, Sentence, Span, Stretch

_SPACE = " \t\n\r\f"
"""What HTML takes for white space, and nothing else: only that may stand between rows."""
_BLANK_LINE = re.compile(r"(?:\r\n?|\n)[^\S\r\n]*(?:\r\n?|\n)|\u2029")
_HASHES = re.compile(r"\s*(#{1,6})\s")
_DEEPEST = 6
_LONGEST_GAP = 200
ROWS = frozenset({BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW})
_LINES = frozenset({BlockKind.CODE, BlockKind.MARKUP})
"""Consecutive lines of these are one block."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One block, without the white space around it."""

    kind: BlockKind
    span: Span
    level: int = 0
    """Of a heading, 1 to 6; else 0."""
    group: int = 0
    """Above 0 and the same for the rows of one table, and for the items of one list."""


def pieces_in(stretch: Stretch, text: str) -> list[Piece]:
    """The blocks of `stretch`, whose text is `text`; between them stands only white space."""
    return _grouped(list(_pieces(stretch.passages, text, stretch.span.start)))


def _pieces(passages: Sequence[Passage], text: str, base: int) -> Iterator[Piece]:
    """The blocks, put together from sentences; white space at their ends is left out."""
    kind: BlockKind | None = None
    start = end = level = 0
    for passage in passages:
        for sentence in passage.sentences:
            if kind is not None and not _goes_on(kind, sentence, text, base, end):
                yield from _trimmed(kind, Span(start, end), level, text, base)
                kind = None
            if kind is None:
                kind, start = sentence.kind, sentence.start
                level = _level(sentence, passage, text, base)
            end = sentence.end
    if kind is not None:
        yield from _trimmed(kind, Span(start, end), level, text, base)


def _goes_on(kind: BlockKind, sentence: Sentence, text: str, base: int, end: int) -> bool:
    """Whether a sentence belongs to the block of `kind` that has come to `end`."""
    if sentence.kind is not kind or kind is BlockKind.HEADING or kind in ROWS:
        return False
    if kind in _LINES:
        return True
    before = text[max(0, end - base - _LONGEST_GAP) : end - base]
    lead = text[sentence.start - base : sentence.quote.start - base]
    if kind is BlockKind.LIST_ITEM and lead.strip():
        return False
    gap = before[len(before.rstrip()) :] + lead[: len(lead) - len(lead.lstrip())]
    return _BLANK_LINE.search(gap) is None


def _trimmed(kind: BlockKind, span: Span, level: int, text: str, base: int) -> Iterator[Piece]:
    words = text[span.start - base : span.end - base]
    kept = words.rstrip(_SPACE)
    if not kept:
        return
    lead = len(words) - len(words.lstrip(_SPACE))
    if kind in (BlockKind.CODE, BlockKind.LIST_ITEM):
        # Their indentation says something.
        lead = max(words.rfind("\n", 0, lead), words.rfind("\r", 0, lead)) + 1
    yield Piece(kind, Span(span.start + lead, span.start + len(kept)), level)


def _level(sentence: Sentence, passage: Passage, text: str, base: int) -> int:
    """How deep a heading stands; told by its hashes, else by its place among the headings."""
    if sentence.kind is not BlockKind.HEADING:
        return 0
    if hashes := _HASHES.match(text, sentence.start - base, sentence.end - base):
        return len(hashes[1])
    words = " ".join(text[sentence.quote.start - base : sentence.quote.end - base].split())
    path = passage.heading_path
    return min(_DEEPEST, path.index(words) + 1 if words in path else max(1, len(path)))


def _grouped(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces with a number for each table and each list."""
    found: list[Piece] = []
    group = 0
    for index, piece in enumerate(pieces):
        before = found[-1] if found else None
        following = pieces[index + 1].kind if index + 1 < len(pieces) else None
        is_table = piece.kind in ROWS
        if piece.kind is BlockKind.MARKUP and before is not None and before.kind in ROWS:
            is_table = following is BlockKind.TABLE_ROW
        if not is_table and piece.kind is not BlockKind.LIST_ITEM:
            found.append(piece)
            continue
        goes_on = before is not None and before.group > 0
        if goes_on and before is not None:
            was_table = before.kind is not BlockKind.LIST_ITEM
            is_new_head = piece.kind is BlockKind.TABLE_HEADER and before.kind is not piece.kind
            goes_on = was_table == is_table and not is_new_head
        group += not goes_on
        found.append(replace(piece, group=group))
    return found
