"""Passages: stretches of a document that are searched as a unit, cut where its structure cuts.

A heading goes with what follows it, a list with the line that introduces it, a table with its
header; small neighbours of one section are put together; no sentence is cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pincite.records import Block, BlockKind, Document, Passage, Sentence, Span
from pincite.text.lines import count_line_ends
from pincite.text.sentences import split_by_block

TARGET_LENGTH = 700
"""Code points up to which neighbours are put together."""
MAXIMUM_LENGTH = 1_200
"""Code points in a passage, longest."""
_LEAD_IN_LENGTH = 200

_TABLES = frozenset({BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW})


@dataclass(frozen=True, slots=True)
class _Unit:
    """Sentences that are cut apart last: those of one block, or one of a block too long."""

    block: Block | None
    first: int
    end: int
    """Into the document's sentences, half-open."""
    length: int

    @property
    def kind(self) -> BlockKind:
        return self.block.kind if self.block is not None else BlockKind.MARKUP


def split_passages(document: Document) -> list[Passage]:
    """The passages of `document` in reading order; they partition its text.

    Each has the heading path of its first block that is not a heading. The empty text has none.
    """
    groups = split_by_block(document.text, document.blocks, document.language)
    units: list[_Unit] = []
    first = 0
    for block, group in zip(document.blocks or (None,), groups, strict=True):
        if group:
            end = first + len(group)
            units.append(_Unit(block, first, end, group[-1].end - group[0].start))
            first = end
    sentences = [sentence for group in groups for sentence in group]
    cuts: list[tuple[int, int]] = []
    for section in _sections(units):
        cuts += _cut_section(section, sentences, document.text)
    return _passages(document, sentences, cuts)


def _sections(units: Sequence[_Unit]) -> list[list[_Unit]]:
    """Units cut before each heading that follows something else than a heading."""
    sections: list[list[_Unit]] = []
    was_heading = False
    for unit in units:
        is_heading = unit.kind is BlockKind.HEADING
        if not sections or (is_heading and not was_heading):
            sections.append([])
        sections[-1].append(unit)
        was_heading = is_heading
    return sections


def _cut_section(
    units: Sequence[_Unit], sentences: Sequence[Sentence], text: str
) -> list[tuple[int, int]]:
    """Ranges of sentences that make the passages of one section."""
    cuts: list[tuple[int, int]] = []
    first = units[0].first
    length = 0
    for structure in _structures(units, text):
        size = sum(unit.length for unit in structure)
        if length and length + size > TARGET_LENGTH:
            cuts.append((first, structure[0].first))
            first, length = structure[0].first, 0
        if size <= MAXIMUM_LENGTH:
            length += size
            continue
        for piece_end in _pieces(structure, sentences, size):
            cuts.append((first, piece_end))
            first = piece_end
        length = sentences[structure[-1].end - 1].end - sentences[first].start
    cuts.append((first, units[-1].end))
    return cuts


def _structures(units: Sequence[_Unit], text: str) -> list[list[_Unit]]:
    """Units that belong together: headings with what follows, lists with their lead-in."""
    structures: list[list[_Unit]] = []
    for unit in units:
        if structures and _belongs(structures[-1][-1], unit, text):
            structures[-1].append(unit)
        else:
            structures.append([unit])
    return structures


def _belongs(previous: _Unit, unit: _Unit, text: str) -> bool:
    kind, before = unit.kind, previous.kind
    if before is BlockKind.HEADING or kind is BlockKind.MARKUP:
        return True
    if unit.block is None or previous.block is None:
        return True
    if unit.block.group and unit.block.group == previous.block.group:
        return True
    if before is BlockKind.MARKUP:
        return kind is BlockKind.CODE
    return _is_lead_in(previous, unit, text)


def _is_lead_in(previous: _Unit, unit: _Unit, text: str) -> bool:
    """Whether a paragraph introduces the list, table or code after it."""
    if unit.kind not in _INTRODUCED or previous.block is None:
        return False
    if previous.kind is not BlockKind.PARAGRAPH:
        return previous.kind is BlockKind.LIST_ITEM and unit.kind is BlockKind.CODE
    content = previous.block.content
    return content.end - content.start <= _LEAD_IN_LENGTH or text[
        content.start : content.end
    ].rstrip("*_ \t\r\n").endswith((":", "："))


_INTRODUCED = frozenset(
    {BlockKind.LIST_ITEM, BlockKind.TABLE_HEADER, BlockKind.CODE, BlockKind.MARKUP}
)


def _pieces(structure: Sequence[_Unit], sentences: Sequence[Sentence], total: int) -> list[int]:
    """Ends (into the sentences) of all pieces but the last of a structure that is too long.

    Cuts fall between items or rows, inside a block too long only between its sentences, and
    make pieces of about the same length. What introduces something stays with it.
    """
    ideal = total / -(-total // MAXIMUM_LENGTH)
    ends: list[int] = []
    length = 0
    for first, size in _joined(structure, sentences):
        if length and (length + size > MAXIMUM_LENGTH or length + size / 2 > ideal):
            ends.append(first)
            length = 0
        length += size
    return ends


def _joined(structure: Sequence[_Unit], sentences: Sequence[Sentence]) -> list[tuple[int, int]]:
    """What is not to be cut, as (first sentence, length)."""
    joined: list[tuple[int, int]] = []
    keeps_next = False
    units = _small_units(structure, sentences)
    for index, unit in enumerate(units):
        following = units[index + 1] if index + 1 < len(units) else None
        is_closing = unit.kind is BlockKind.MARKUP and not _opens(following)
        if joined and (keeps_next or is_closing):
            first, length = joined[-1]
            if length + unit.length <= MAXIMUM_LENGTH:
                joined[-1] = first, length + unit.length
            else:
                joined.append((unit.first, unit.length))
        else:
            joined.append((unit.first, unit.length))
        keeps_next = _keeps_next(unit, following)
    return joined


def _small_units(structure: Sequence[_Unit], sentences: Sequence[Sentence]) -> list[_Unit]:
    units: list[_Unit] = []
    for unit in structure:
        if unit.length <= MAXIMUM_LENGTH:
            units.append(unit)
            continue
        for index in range(unit.first, unit.end):
            length = sentences[index].end - sentences[index].start
            units.append(_Unit(unit.block, index, index + 1, length))
    return units


def _opens(following: _Unit | None) -> bool:
    return following is not None and (following.kind is BlockKind.CODE or following.kind in _TABLES)


def _keeps_next(unit: _Unit, following: _Unit | None) -> bool:
    if following is None or following.block is unit.block:
        return False
    if unit.kind in (BlockKind.HEADING, BlockKind.TABLE_HEADER):
        return True
    if unit.kind is BlockKind.MARKUP:
        return _opens(following)
    return unit.kind is BlockKind.PARAGRAPH


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
