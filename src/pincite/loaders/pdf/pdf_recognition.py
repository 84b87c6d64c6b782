"""Words on pages that are pictures, read from the picture by RapidOCR; it may misread them.

Its models come inside its package: nothing is downloaded. It is an optional extra, `pincite[ocr]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from pincite.loaders.pdf.pdf_drawing import Pixels, drawn
from pincite.loaders.pdf.pdf_pages import Fragment, PageText, Word

_Line = tuple[str, tuple[Word, ...]]

_PIXELS_PER_POINT = 2.5
_MOST_PIXELS = 2_200
"""On the longer side of a page."""


@cache
def _engine() -> Any:
    """The recogniser; None where it is not installed."""
    try:
        # Half a second to import, for those who asked for it only.
        from rapidocr import RapidOCR
    except ImportError:
        return None
    # With one thread sums are made in one order: the same picture gives the same words.
    return RapidOCR(
        params={
            "Global.log_level": "critical",
            "EngineConfig.onnxruntime.intra_op_num_threads": 1,
            "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        }
    )


def can_recognise() -> bool:
    """Whether the recogniser is installed."""
    return _engine() is not None


def recognise(page: Any, read: PageText) -> None:
    """Put the words seen on the picture of `page`, open in pdfium, into `read`, which has none."""
    scale = min(_PIXELS_PER_POINT, _MOST_PIXELS / max(read.width, read.height, 1.0))
    picture = drawn(page, round(read.width * scale), round(read.height * scale))
    if picture is None:
        return
    turn, lines = _best_turn(picture)
    height, width = picture.shape[:2]
    row = -1
    before: Fragment | None = None
    for text, words in lines:
        fragment = _fragment(text, words, scale, turn, (width, height))
        if before is None or not _is_beside(before, fragment):
            row += 1
        before = replace(fragment, row=row)
        read.fragments.append(before)
    read.is_recognised = bool(read.fragments)


def _best_turn(picture: Pixels) -> tuple[int, list[_Line]]:
    """The quarters by which the print is turned anticlockwise, and its lines in that direction."""
    lines = _lines(picture)
    if not lines or _level(lines) > 0.5:
        return 0, lines
    turned = {turn: _lines(np.rot90(picture, -turn)) for turn in (1, 3)}
    # Read upside down there are fewer words that the recogniser is sure of.
    counts = {turn: sum(len(text) for text, _ in turned[turn]) for turn in turned}
    best = max(sorted(turned), key=lambda turn: counts[turn])
    return best, turned[best]


def _level(lines: Sequence[_Line]) -> float:
    """The share of lines that are wider than high."""
    wide = 0
    for _, words in lines:
        left, right = words[0].left, words[-1].right
        wide += right - left > words[0].bottom - words[0].top
    return wide / len(lines) if lines else 0.0


def _lines(picture: Pixels) -> list[_Line]:
    """Text and words of each line, from the top down; places are pixels of `picture`."""
    result = _engine()(np.ascontiguousarray(picture[:, :, ::-1]), return_word_box=True)
    lines: list[_Line] = []
    for text, parts in zip(result.txts or (), result.word_results or (), strict=False):
        words: list[Word] = []
        end = 0
        for written, _, corners in parts:
            start = text.find(written, end)
            if start < 0:
                continue
            end = start + len(written)
            across = [float(x) for x, _ in corners]
            down = [float(y) for _, y in corners]
            words.append(Word(start, end, min(across), min(down), max(across), max(down)))
        if words:
            lines.append((text, tuple(words)))
    return lines


def _fragment(
    text: str, words: Sequence[Word], scale: float, turn: int, size: tuple[int, int]
) -> Fragment:
    """A line of print; `size` is the width and height of the picture before it was turned."""
    shown = tuple(_shown(word, turn, size, scale) for word in words)
    bottom, top = max(word.bottom for word in words), min(word.top for word in words)
    return Fragment(
        text,
        (),
        shown,
        min(word.left for word in words) / scale,
        top / scale,
        max(word.right for word in words) / scale,
        bottom / scale,
        0.8 * (bottom - top) / scale,
        False,
        0,
        turn,
    )


def _shown(word: Word, turn: int, size: tuple[int, int], scale: float) -> Word:
    """The place of a word of the turned picture on the page as it is shown, in points."""
    width, height = size
    sides = word.left, word.top, word.right, word.bottom
    if turn == 1:
        sides = word.top, height - word.right, word.bottom, height - word.left
    elif turn == 3:
        sides = width - word.bottom, word.left, width - word.top, word.right
    left, top, right, bottom = (side / scale for side in sides)
    return Word(word.start, word.end, left, top, right, bottom)


def _is_beside(one: Fragment, other: Fragment) -> bool:
    overlap = min(one.bottom, other.bottom) - max(one.top, other.top)
    return overlap > 0.5 * min(one.bottom - one.top, other.bottom - other.top) and (
        other.left >= one.right
    )
