"""Passages: stretches of a document that are searched as a unit, cut where its structure cuts.

A heading goes with what follows it, a list with the line that introduces it, a table with its
header; small neighbours of one section are put together; no sentence is cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.records import Block, BlockKind, Document, Passage, Sentence, Span
from pincite.text.lines import count_line_ends
from pincite.text.sentences import split_sentences

TARGET_LENGTH = 700
"""Code points up to which neighbours are put together."""
MAXIMUM_LENGTH = 1_200
"""Code points in a passage, longest."""
_LEAD_IN_LENGTH = 200

_LISTS = frozenset({BlockKind.LIST_ITEM, BlockKind.CODE})
_TABLES = frozenset({BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW})


@dataclass(slots=True)
class _Unit:
    """The sentences of one block."""

    block: Block | None
    first: int
    end: int
    """Into the document's sentences, half-open."""
    length: int


def split_passages(document: Document) -> list[Passage]:
    """The passages of `document` in reading order; they partition its text.

    Each has the heading path of its first block that is not a heading. The empty text has none.
    """
    text = document.text
    sentences = split_sentences(text, document.blocks, document.language)
    cuts: list[tuple[int, int]] = []
    for section in _sections(_units(sentences, document.blocks)):
        cuts += _cut_section(section, sentences, text)
    return _passages(document, sentences, cuts)


def _units(sentences: Sequence[Sentence], blocks: Sequence[Block]) -> list[_Unit]:
    units: list[_Unit] = []
    block_index = 0
    for index, sentence in enumerate(sentences):
        start = sentence.quote.start
        while block_index < len(blocks) and blocks[block_index].span.end < start:
            block_index += 1
        while (
            block_index + 1 < len(blocks) and blocks[block_index + 1].span.start <= start
        ):
            block_index += 1
        block = blocks[block_index] if block_index < len(blocks) else None
        length = sentence.end - sentence.start
        if units and units[-1].block is block:
            units[-1].end = index + 1
            units[-1].length += length
        else:
            units.append(_Unit(block, index, index + 1, length))
    return units


def _sections(units: Sequence[_Unit]) -> list[list[_Unit]]:
    """Units cut before each heading that follows something else than a heading."""
    sections: list[list[_Unit]] = []
    was_heading = False
    for unit in units:
        is_heading = _kind(unit) is BlockKind.HEADING
        if not sections or (is_heading and not was_heading):
            sections.append([])
        sections[-1].append(unit)
        was_heading = is_heading
    return sections


def _kind(unit: _Unit) -> BlockKind:
    return unit.block.kind if unit.block is not None else BlockKind.MARKUP


def _cut_section(
    units: Sequence[_Unit], sentences: Sequence[Sentence], text: str
) -> list[tuple[int, int]]:
    """Ranges of sentences that make the passages of one section."""
    cuts: list[tuple[int, int]] = []
    first = units[0].first
    length = 0
    for structure in _structures(units, sentences, text):
        size = sum(unit.length for unit in structure)
        begin = structure[0].first
        if length and length + size > TARGET_LENGTH and not _is_only_headings(
            units, first, begin
        ):
            cuts.append((first, begin))
            first, length = begin, 0
        if length + size <= MAXIMUM_LENGTH:
            length += size
            continue
        pieces = _pieces(structure, sentences, length)
        for end in pieces:
            cuts.append((first, end))
            first = end
        length = sum(
            sentence.end - sentence.start
            for sentence in sentences[first : structure[-1].end]
        )
    cuts.append((first, units[-1].end))
    return cuts


def _is_only_headings(units: Sequence[_Unit], first: int, end: int) -> bool:
    return all(
        _kind(unit) is BlockKind.HEADING for unit in units if first <= unit.first < end
    )


def _structures(
    units: Sequence[_Unit], sentences: Sequence[Sentence], text: str
) -> list[list[_Unit]]:
    """Units that belong together: headings with what follows, lists with their lead-in."""
    structures: list[list[_Unit]] = []
    previous: _Unit | None = None
    for unit in units:
        if previous is not None and _belongs(previous, unit, sentences, text):
            structures[-1].append(unit)
        else:
            structures.append([unit])
        previous = unit
    return structures


def _belongs(
    previous: _Unit, unit: _Unit, sentences: Sequence[Sentence], text: str
) -> bool:
    kind, before = _kind(unit), _kind(previous)
    if before is BlockKind.HEADING or kind is BlockKind.MARKUP:
        return True
    if unit.block is None or previous.block is None:
        return True
    if unit.block.group and unit.block.group == previous.block.group:
        return True
    if before is BlockKind.MARKUP:
        return kind is BlockKind.CODE or not sentences[previous.first].quote.start
    if kind in _LISTS or kind is BlockKind.TABLE_HEADER:
        if before is not BlockKind.PARAGRAPH:
            return before is BlockKind.LIST_ITEM and kind is BlockKind.CODE
        if previous.length <= _LEAD_IN_LENGTH:
            return True
        return previous.block.content.of(text).rstrip("*_ \t\r\n").endswith((":", "："))
    return False


def _pieces(
    structure: Sequence[_Unit], sentences: Sequence[Sentence], length: int
) -> list[int]:
    """Ends (into the sentences) of all pieces but the last of a structure that is too long.

    `length` is what stands before it in the same passage. Cuts fall between items or rows
    where there are any, else between sentences, and make pieces of about the same length.
    """
    total = length + sum(unit.length for unit in structure)
    count = -(-total // MAXIMUM_LENGTH)
    ideal = total / count
    ends: list[int] = []
    for unit in structure:
        is_lead = unit is structure[0] and len(structure) > 1
        if length and not is_lead and _kind(unit) is not BlockKind.MARKUP and (
            length + unit.length > MAXIMUM_LENGTH or length + unit.length / 2 > ideal
        ) and unit.length <= MAXIMUM_LENGTH and length > _LEAD_IN_LENGTH:
            ends.append(unit.first)
            length = 0
        for index in range(unit.first, unit.end):
            size = sentences[index].end - sentences[index].start
            if (length and length + size > MAXIMUM_LENGTH) or (
                unit.length > MAXIMUM_LENGTH and length and length + size / 2 > ideal
            ):
                ends.append(index)
                length = 0
            length += size
    return ends


def _passages(
    document: Document, sentences: Sequence[Sentence], cuts: Sequence[tuple[int, int]]
) -> list[Passage]:
    passages: list[Passage] = []
    line = 1
    blocks = document.blocks
    block_index = 0
    for ordinal, (first, end) in enumerate(cuts):
        start, stop = sentences[first].start, sentences[end - 1].end
        while block_index < len(blocks) and blocks[block_index].span.end <= start:
            block_index += 1
        passages.append(
            Passage(
                path=document.source.path,
                ordinal=ordinal,
                span=Span(start, stop),
                text=document.text[start:stop],
                first_line=line,
                heading_path=_heading_path(blocks, block_index, stop),
                language=document.language,
                sentences=tuple(sentences[first:end]),
            )
        )
        line += count_line_ends(document.text, start, stop)
    return passages


def _heading_path(blocks: Sequence[Block], index: int, stop: int) -> tuple[str, ...]:
    """Of the first block before `stop` that is not a heading, else of the last heading."""
    path: tuple[str, ...] = ()
    while index < len(blocks) and blocks[index].span.start < stop:
        path = blocks[index].heading_path
        if blocks[index].kind is not BlockKind.HEADING:
            break
        index += 1
    return path
