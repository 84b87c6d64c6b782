"""A leaf: a document, or a stretch of it, as blocks to be shown, with quotes marked in them.

Its text is that of the document, code point for code point: what stands between blocks is white
space, and kept as well. `pincite.render.leaf_html` makes HTML of it; `leaf_to_json` is for those
who build a page themselves and put in each run as text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from pincite.places import (
    CellPlace,
    ChapterPlace,
    Mark,
    MemberPlace,
    MessagePlace,
    PagePlace,
    Place,
    SlidePlace,
)
from pincite.records import (
    BlockKind,
    Document,
    Extraction,
    Source,
    Span,
    Stretch,
)
from pincite.render.inline_signs import Style, Styled, styled_in
from pincite.render.leaf_blocks import ROWS, Piece, pieces_in
from pincite.render.leaf_cells import CellSpan, cells_in, numbered
from pincite.render.record import Json, extraction_to_json, position_to_json, source_to_json
from pincite.text.lines import count_line_ends
from pincite.text.passages import split_passages

MARKDOWN = "text/markdown"
"""The media type of documents in whose words signs stand."""


@dataclass(frozen=True, slots=True)
class Run:
    """Words that are shown alike."""

    text: str
    quotes: tuple[int, ...] = ()
    """The numbers of the quotes that they belong to, from 1."""
    is_aside: bool = False
    """What only repeats or parts: the head of a column with its value, bars, rules of tables."""
    style: Style = Style.PLAIN


@dataclass(frozen=True, slots=True)
class LeafCell:
    """A cell of a row."""

    column: int
    """From 1."""
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class LeafBlock:
    """A paragraph, heading, item, row or the like; the runs of its cells where it is a row."""

    kind: BlockKind
    span: Span
    lead: str
    """White space between the block before and this one."""
    line: int
    """The line of the document it begins on."""
    unit: str
    """What the file itself counts here: `page`, `row`, `slide`; empty where it is lines."""
    number: int
    """Of the page, row or slide it begins on; 0 where lines count."""
    level: int
    """Of a heading, 1 to 6; else 0."""
    group: int
    """Above 0 and the same for the rows of one table, and for the items of one list."""
    runs: tuple[Run, ...]
    cells: tuple[LeafCell, ...] = ()


@dataclass(frozen=True, slots=True)
class Leaf:
    """What is shown: all of a document, or whole passages of it."""

    document: Source
    text: Extraction
    span: Span
    """What is shown of the document."""
    length: int
    """Code points of the whole document."""
    language: str
    heading_path: tuple[str, ...]
    """The headings that are open where it begins."""
    blocks: tuple[LeafBlock, ...]
    rest: str
    """White space behind the last block."""
    stale: bool = False


def leaf(stretch: Stretch, quotes: Sequence[Span] = ()) -> Leaf:
    """The stretch as blocks in which `quotes`, code points into the document, are marked.

    Quotes may overlap and run over several blocks; what of them is outside the stretch is left out,
    and so is the white space between blocks.
    """
    blocks, rest = _blocks(stretch, quotes)
    passages = stretch.passages
    return Leaf(
        document=stretch.document,
        text=stretch.text,
        span=stretch.span,
        length=stretch.length,
        language=passages[0].language if passages else "und",
        heading_path=passages[0].heading_path if passages else (),
        blocks=tuple(blocks),
        rest=rest,
        stale=stretch.stale,
    )


def stretch_of(document: Document, around: Span | None = None, *, reach: int = 0) -> Stretch:
    """A document that was read, or its passages around a place, as `Index.stretch` gives them."""
    passages = split_passages(document)
    if around is not None:
        start, end = around.start - reach, max(around.end, around.start + 1) + reach
        passages = [one for one in passages if one.span.start < end and one.span.end > start]
    return Stretch(
        document=document.source,
        text=document.extraction,
        passages=tuple(passages),
        marks=document.marks,
        length=len(document.text),
    )


def leaf_to_json(leaf: Leaf) -> Json:
    """The leaf as plain data. Runs are strings to be shown as text, never as markup."""
    return {
        "document": source_to_json(leaf.document),
        "text": extraction_to_json(leaf.text),
        "position": position_to_json(leaf.span),
        "length": leaf.length,
        "language": leaf.language,
        "heading_path": list(leaf.heading_path),
        "stale": leaf.stale,
        "blocks": [
            {
                "kind": block.kind.value,
                "position": position_to_json(block.span),
                "lead": block.lead,
                "line": block.line,
                "unit": block.unit,
                "number": block.number,
                "level": block.level,
                "group": block.group,
                "runs": [_run_to_json(run) for run in block.runs],
                "cells": [
                    {"column": cell.column, "runs": [_run_to_json(run) for run in cell.runs]}
                    for cell in block.cells
                ],
            }
            for block in leaf.blocks
        ],
        "rest": leaf.rest,
    }


def leaf_text(leaf: Leaf) -> str:
    """The text that is shown: the slice of the document that `leaf.span` covers."""
    parts: list[str] = []
    for block in leaf.blocks:
        parts.append(block.lead)
        parts += [run.text for run in block.runs]
        parts += [run.text for cell in block.cells for run in cell.runs]
    return "".join([*parts, leaf.rest])


def _run_to_json(run: Run) -> Json:
    return {
        "text": run.text,
        "quotes": list(run.quotes),
        "aside": run.is_aside,
        "style": run.style.value,
    }


def _blocks(stretch: Stretch, quotes: Sequence[Span]) -> tuple[list[LeafBlock], str]:
    text = "".join(passage.text for passage in stretch.passages)
    base = stretch.span.start
    cutter = _Cutter(text, base, quotes)

    def styles(span: Span, kind: BlockKind) -> list[Styled]:
        if stretch.document.media_type != MARKDOWN:
            return []
        return styled_in(cutter.words(span), kind, span.start)

    pieces = pieces_in(stretch, text)
    marks = _Marks(stretch.marks)
    marked = [marks.in_span(piece.span) for piece in pieces]
    rows = [
        cells_in(cutter.words(piece.span), piece.span, here) if piece.kind in ROWS else []
        for piece, here in zip(pieces, marked, strict=True)
    ]
    first_columns = _first_columns(pieces, rows)
    blocks: list[LeafBlock] = []
    names: dict[str, int] = {}
    line, counted, at = 1, base, base
    if stretch.passages:
        line = stretch.passages[0].first_line
    for piece, here, cells in zip(pieces, marked, rows, strict=True):
        line += count_line_ends(text, counted - base, piece.span.start - base)
        counted = piece.span.start
        unit, number = _counted(_first_place(here))
        block = LeafBlock(
            kind=piece.kind,
            span=piece.span,
            lead=text[at - base : piece.span.start - base],
            line=line,
            unit=unit,
            number=number,
            level=piece.level,
            group=piece.group,
            runs=(),
        )
        at = piece.span.end
        if piece.kind not in ROWS:
            # The rule below the head of a table is only drawn.
            is_aside = piece.group > 0 and piece.kind is BlockKind.MARKUP
            styled = styles(piece.span, piece.kind)
            runs = cutter.runs(piece.span, styled, is_aside=is_aside)
            blocks.append(replace(block, runs=tuple(runs)))
            continue
        if not blocks or blocks[-1].group != piece.group:
            names = {}
        columns = numbered(cells, names, first_columns.get(piece.group, 1))
        if piece.kind is BlockKind.TABLE_HEADER:
            for cell, column in zip(cells, columns, strict=True):
                names[cutter.words(cell.value)] = column
        shown = [
            LeafCell(column, tuple(_cell_runs(cell, cutter, styles(cell.value, piece.kind))))
            for cell, column in zip(cells, columns, strict=True)
        ]
        blocks.append(replace(block, cells=tuple(shown)))
    return blocks, text[at - base :]


def _first_columns(pieces: Sequence[Piece], rows: Sequence[Sequence[CellSpan]]) -> dict[int, int]:
    """The leftmost column of each table, by its group: the corner of its head may be empty."""
    found: dict[int, int] = {}
    for piece, cells in zip(pieces, rows, strict=True):
        for cell in cells:
            if cell.column:
                found[piece.group] = min(cell.column, found.get(piece.group, cell.column))
    return found


def _cell_runs(cell: CellSpan, cutter: _Cutter, styled: Sequence[Styled]) -> Iterator[Run]:
    yield from cutter.runs(Span(cell.whole.start, cell.value.start), is_aside=True)
    yield from cutter.runs(cell.value, styled)
    yield from cutter.runs(Span(cell.value.end, cell.whole.end), is_aside=True)


def _first_place(marks: Sequence[Mark]) -> Place | None:
    """Where a block begins in the file; the head of a column, said again, begins no row."""
    own = [mark.place for mark in marks if not mark.secondary]
    return next(iter(own), None)


def _counted(place: Place | None) -> tuple[str, int]:
    """What the file counts at a place, and its number there."""
    while isinstance(place, (ChapterPlace, MessagePlace, MemberPlace)):
        place = place.within
    match place:
        case PagePlace(pages=pages):
            return "page", pages[0].number
        case CellPlace():
            return "row", place.top
        case SlidePlace():
            return "slide", place.first
    return "", 0


class _Cutter:
    """Cuts stretches of the text where quotes begin and end."""

    def __init__(self, text: str, base: int, quotes: Sequence[Span]) -> None:
        self._text = text
        self._base = base
        self._quotes = [(n, quote) for n, quote in enumerate(quotes, 1) if quote.start < quote.end]

    def words(self, span: Span) -> str:
        return self._text[span.start - self._base : span.end - self._base]

    def runs(
        self, span: Span, styled: Sequence[Styled] = (), *, is_aside: bool = False
    ) -> Iterator[Run]:
        if span.start >= span.end:
            return
        here = [(n, q) for n, q in self._quotes if q.start < span.end and q.end > span.start]
        spans = [*(q for _, q in here), *(one.span for one in styled)]
        cuts = {span.start, span.end}
        cuts.update(cut for q in spans for cut in (q.start, q.end) if span.start < cut < span.end)
        ordered = sorted(cuts)
        styles = iter([*styled, None])
        style = next(styles)
        for start, end in pairwise(ordered):
            while style is not None and style.span.end <= start:
                style = next(styles)
            shown = style.style if style is not None and style.span.start <= start else Style.PLAIN
            numbers = tuple(n for n, q in here if q.start <= start and q.end >= end)
            yield Run(self.words(Span(start, end)), numbers, is_aside, shown)


class _Marks:
    """The marks of a document, of which those that touch a span are found going forwards."""

    def __init__(self, marks: Sequence[Mark]) -> None:
        self._marks = marks
        self._first = 0

    def in_span(self, span: Span) -> list[Mark]:
        while self._first < len(self._marks) and self._marks[self._first].end <= span.start:
            self._first += 1
        found: list[Mark] = []
        for index in range(self._first, len(self._marks)):
            if self._marks[index].start >= span.end:
                break
            found.append(self._marks[index])
        return found
