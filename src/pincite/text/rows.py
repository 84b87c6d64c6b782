"""Rows of tables whose text is their markup, read as cells under their headers."""

from __future__ import annotations

import re

from pincite.records import BlockKind, Passage, Sentence, Span

_CELL = re.compile(r"(?<!\\)\|")


def cells_of(passage: Passage, position: Span) -> str:
    """Where `position` is a row of a table its cells under their headers; else empty."""
    for index, sentence in enumerate(passage.sentences):
        if sentence.quote == position and sentence.kind is BlockKind.TABLE_ROW:
            row = _words(passage, sentence)
            named = with_headers(passage, index, row)
            return "" if named == row else named
    return ""


def with_headers(passage: Passage, index: int, row: str) -> str:
    """`Fee: 4.50; Days: 3` for a row of cells under a header row, else the row as it stands."""
    header = next(
        (
            passage.sentences[i]
            for i in range(index - 1, -1, -1)
            if passage.sentences[i].kind is BlockKind.TABLE_HEADER
        ),
        None,
    )
    if header is None or "|" not in row:
        return row
    names = [name.strip() for name in _CELL.split(_words(passage, header).strip().strip("|"))]
    cells = [cell.strip() for cell in _CELL.split(row.strip().strip("|"))]
    if len(names) != len(cells):
        return row
    pairs = zip(names, cells, strict=True)
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)


def _words(passage: Passage, sentence: Sentence) -> str:
    start = passage.span.start
    return passage.text[sentence.quote.start - start : sentence.quote.end - start]
