"""What a model that reads question and sentence together is given of a sentence."""

from __future__ import annotations

import re

from pincite.protocols import Candidate
from pincite.records import BlockKind, Passage, Sentence

WORDS_LENGTH = 600
"""Code points of a sentence that are read; a longer one is read from its beginning."""
BEFORE_LENGTH = 100
"""Code points of what stands before it."""
_HEADINGS = 2

_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
_MARKUP = re.compile(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}|\\(?=[!-/:-@\[-`{-~])")
_CELL = re.compile(r"(?<!\\)\|")


def words_of(candidate: Candidate) -> str:
    """The words of the sentence on one line, without markup; a table row with its headers."""
    passage = candidate.passage
    sentence = passage.sentences[candidate.sentence_index]
    words = _text(passage, sentence)
    if sentence.kind is BlockKind.TABLE_ROW:
        words = _with_headers(passage, candidate.sentence_index, words)
    return _plain(words)[:WORDS_LENGTH]


def context_of(candidate: Candidate, title: str) -> str:
    """Where it stands: title, the last headings, and the end of the sentence before it."""
    passage = candidate.passage
    names = [title, *passage.heading_path[-_HEADINGS:]]
    kept = [name for place, name in enumerate(names) if name and name not in names[:place]]
    before = _before(passage, candidate.sentence_index)
    where = " > ".join(kept)
    return f"{where} | {before}" if before else where


def _before(passage: Passage, index: int) -> str:
    """The end of the sentence before, or of the line that leads in the list or table."""
    kind = passage.sentences[index].kind
    step = index - 1
    if kind in (BlockKind.LIST_ITEM, BlockKind.TABLE_ROW):
        while step >= 0 and passage.sentences[step].kind in (
            kind,
            BlockKind.TABLE_HEADER,
            BlockKind.MARKUP,
        ):
            step -= 1
    while step >= 0 and passage.sentences[step].kind is BlockKind.MARKUP:
        step -= 1
    if step < 0 or passage.sentences[step].kind is BlockKind.HEADING:
        return ""
    words = _plain(_text(passage, passage.sentences[step]))
    return words if len(words) <= BEFORE_LENGTH else words[-BEFORE_LENGTH:].partition(" ")[2]


def _with_headers(passage: Passage, index: int, row: str) -> str:
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
    names = [name.strip() for name in _CELL.split(_text(passage, header).strip().strip("|"))]
    cells = [cell.strip() for cell in _CELL.split(row.strip().strip("|"))]
    if len(names) != len(cells):
        return row
    pairs = zip(names, cells, strict=True)
    return "; ".join(f"{name}: {cell}" if name else cell for name, cell in pairs if cell)


def _text(passage: Passage, sentence: Sentence) -> str:
    start = passage.span.start
    return passage.text[sentence.quote.start - start : sentence.quote.end - start]


def _plain(words: str) -> str:
    words = _LINK.sub(r"\1", _TAG.sub(" ", words))
    return " ".join(_MARKUP.sub("", words).split())
