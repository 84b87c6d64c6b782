"""One page of a PDF as a reader sees it: stretches of print with their places, what is hidden.

Lengths are in points on the page as it is shown: cropped, turned, y downwards from the top left.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium

from pincite.loaders.pdf.pdf_calls import (
    Codes,
    Ints,
    read_boxes,
    read_codes,
    read_objects,
    set_spoken_boxes,
)
from pincite.loaders.pdf.pdf_hidden import seen_of
from pincite.loaders.pdf.pdf_ink import Bools, Floats, Ink, frame_of
from pincite.loaders.pdf.pdf_pictures import holds_picture, picture_share
from pincite.loaders.pdf.pdf_raised import set_digits_apart
from pincite.loaders.pdf.pdf_styles import styles_of
from pincite.places import EDGE_SCALE

SOFT_HYPHEN = "\u00ad"
"""Stands at a line end where the print has a hyphen."""
MAXIMUM_CHARACTERS = 400_000
"""On one page; what is beyond is not read."""

_LIGATURES = {
    "\ufb00": "ff", "\ufb01": "fi", "\ufb02": "fl", "\ufb03": "ffi", "\ufb04": "ffl",
    "\ufb05": "ſt", "\ufb06": "st",
}  # fmt: skip
_FEW = 40
"""Characters on a page that is a picture all the same, as a scan with a stamp."""
_PDFIUM_HYPHEN = 0xFFFE
_RIGHT_TO_LEFT_MARK = 0x200F
_EDGES = np.array(range(EDGE_SCALE + 1), dtype=object)
"""Shared, so that an edge costs a document a pointer and no number."""


@dataclass(frozen=True, slots=True)
class Word:
    """A part of a fragment with its own rectangle, where edges cannot cut that of the whole."""

    start: int
    end: int
    left: float
    top: float
    right: float
    bottom: float


@dataclass(slots=True)
class Fragment:
    """A stretch of print on one line, without wide gaps.

    Not frozen, as `Line` is not: there are many, and frozen ones take longer to make.
    """

    text: str
    edges: tuple[int, ...]
    """As in `Mark`; empty where the words say the places."""
    words: tuple[Word, ...]
    left: float
    top: float
    right: float
    bottom: float
    """As seen by one who reads along the print: of turned print not as the page is shown."""
    size: float
    """Of the font of most characters."""
    is_bold: bool
    row: int
    """Fragments that follow each other side by side on one line share a number."""
    turn: int = 0
    """Quarters that the print is turned anticlockwise; 4 for print that is aslant."""


@dataclass(slots=True)
class PageText:
    """What is on one page."""

    number: int
    label: str
    width: float
    height: float
    fragments: list[Fragment]
    """In the order of the file."""
    hidden: Counter[str] = field(default_factory=Counter)
    """Characters left out, by reason."""
    is_recognised: bool = False
    """The text was read from a picture of the page, by whoever made the file or here."""
    is_picture: bool = False
    """A picture fills the page, and there is next to no text."""
    holds_picture: bool = False
    """A large picture is on it, beside the text."""
    is_cut: bool = False
    """It has more characters than are read."""


def read_page(page: Any, text_page: Any, number: int, label: str) -> PageText:
    """The text on a page that is open in pdfium."""
    frame = frame_of(page)
    result = PageText(number, label, frame.width, frame.height, [])
    count = pdfium.FPDFText_CountChars(text_page)
    result.is_cut = count > MAXIMUM_CHARACTERS
    count = min(count, MAXIMUM_CHARACTERS)
    codes = read_codes(text_page, max(count, 0))
    is_space = _is_space(codes)
    places = np.flatnonzero(~is_space & (codes >= 0x20) & (codes != 0xFFFF))
    if not len(places) or frame.width <= 0 or frame.height <= 0:
        result.is_picture = picture_share(page, frame) > 0.5
        return result
    is_mixed = bool((_is_right_to_left(codes) | (codes == _RIGHT_TO_LEFT_MARK)).any())
    objects = read_objects(text_page, places, are_in_order=not is_mixed)
    styles = styles_of(text_page, places, objects, frame.turns)
    boxes = read_boxes(text_page, places)
    set_spoken_boxes(text_page, places, objects, boxes, codes)
    ink = Ink(places, frame.shown(boxes), styles, objects)
    ink, result.hidden, result.is_recognised, struck = seen_of(page, text_page, frame, ink)
    if len(ink.places) < (1 if result.is_recognised else _FEW):
        result.is_picture = picture_share(page, frame) > 0.5
    if not result.is_picture and not result.is_recognised:
        result.holds_picture = holds_picture(page, frame, ink.boxes)
    turns = np.rint(ink.styles.angle / 90).astype(np.int64) % 4
    turns[np.abs(ink.styles.angle - np.rint(ink.styles.angle / 90) * 90) > 5] = 4
    for turn in sorted(set(turns.tolist())):
        _add_fragments(result, codes, ink.chosen(turns == turn), is_space, struck, turn)
    return result


def _is_space(codes: Codes) -> Bools:
    found: Bools = (
        (codes == 0x20)
        | ((codes >= 9) & (codes <= 13))
        | (codes == 0xA0)
        | ((codes >= 0x2000) & (codes <= 0x200B))
        | (codes == 0x202F)
        | (codes == 0x3000)
        | (codes == 0x85)
        | (codes == 0x2028)
        | (codes == 0x2029)
    )
    return found


def _add_fragments(
    result: PageText, codes: Codes, ink: Ink, is_space: Bools, struck: Ints, turn: int
) -> None:
    """Cut what is printed in one direction where a line ends or has a wide gap."""
    index, sizes = ink.places, ink.styles.size
    left, top, right, bottom = _along(ink.boxes, turn, result.width, result.height).T
    heights = np.maximum(bottom - top, 0.1)
    is_rtl = _is_right_to_left(codes[index])
    overlap = np.minimum(bottom[:-1], bottom[1:]) - np.maximum(top[:-1], top[1:])
    new_row = overlap < 0.3 * np.minimum(heights[:-1], heights[1:])
    em = np.maximum(np.minimum(sizes[:-1], sizes[1:]), 1.0)
    back = left[:-1] - right[1:]
    forth = left[1:] - right[:-1]
    gap = np.maximum(forth, back)
    new_row |= (back > 1.0 * em) & ~(is_rtl[:-1] & is_rtl[1:])
    new_cell = new_row | (gap > 1.6 * em)
    if len(struck):
        # Words that are struck through leave no gap.
        before_each = np.searchsorted(struck, index)
        new_cell &= new_row | (before_each[1:] <= before_each[:-1])
    # A space: one that is written, or a line end made up by pdfium where there is a gap.
    positions = np.cumsum(is_space)
    spaced = positions[index[1:]] > positions[index[:-1]]
    spaced &= ~new_cell & ((gap > 0.12 * em) | (codes[index[1:] - 1] == 0x20))
    cuts = [0, *(np.flatnonzero(new_cell) + 1).tolist(), len(index)]
    rows = np.concatenate(([0], np.cumsum(new_row)))
    first_row = result.fragments[-1].row + 1 if result.fragments else 0
    hyphen = codes[index] == _PDFIUM_HYPHEN
    shown = codes[index].astype("<u4")
    shown[hyphen] = ord(SOFT_HYPHEN)
    shown[((shown >= 0xD800) & (shown < 0xE000)) | (shown > 0x10FFFF)] = 0xFFFD
    set_digits_apart(shown, bottom, heights, sizes, new_cell | spaced, spaced)
    # One place more after each character that a space follows.
    before = np.concatenate(([0], np.cumsum(spaced)))
    place = np.arange(len(index)) + before
    total = len(index) + int(before[-1])
    text = np.full(total, 0x20, dtype="<u4")
    text[place] = shown
    scale = EDGE_SCALE / result.width
    edges = np.zeros(total, dtype=np.float64)
    edges[place] = _shared_out(left, top, right)
    gaps = np.flatnonzero(spaced)
    edges[place[gaps] + 1] = right[gaps]
    letters = text.tobytes().decode("utf-32-le")
    whole = _in_edges(edges * scale)
    ends = _in_edges(right[np.array(cuts[1:]) - 1] * scale)
    places = place.tolist()
    starts = cuts[:-1]
    lefts = np.minimum.reduceat(left, starts).tolist()
    tops = np.minimum.reduceat(top, starts).tolist()
    rights = np.maximum.reduceat(right, starts).tolist()
    bottoms = np.maximum.reduceat(bottom, starts).tolist()
    middle_sizes = sizes[(np.array(starts) + np.array(cuts[1:])) // 2].tolist()
    bold_counts = np.add.reduceat(ink.styles.is_bold.astype(np.int64), starts).tolist()
    # An accent that is printed after the word it belongs to stands before its end.
    is_back = np.concatenate(([False], (back > 0) & ~new_cell))
    has_words = np.logical_or.reduceat(is_rtl | is_back, starts).tolist()
    for number, (start, end) in enumerate(pairwise(cuts)):
        first, last = places[start], places[end - 1] + 1
        words: tuple[Word, ...] = ()
        cut_edges: tuple[int, ...] = ()
        piece = letters[first:last]
        if turn or has_words[number]:
            words = _words(piece, place[start:end] - first, ink.boxes[start:end])
        else:
            cut_edges = (*whole[first:last], ends[number])
        if not piece.isascii():
            piece, cut_edges, words = _without_ligatures(piece, cut_edges, words)
        result.fragments.append(
            Fragment(
                piece,
                cut_edges,
                words,
                lefts[number],
                tops[number],
                rights[number],
                bottoms[number],
                middle_sizes[number],
                bold_counts[number] > 0.9 * (end - start),
                first_row + int(rows[start]),
                turn,
            )
        )


def _shared_out(left: Floats, top: Floats, right: Floats) -> Floats:
    """Where each letter begins: of those in one box, as a ligature's are, each has its part."""
    same = (left[1:] == left[:-1]) & (right[1:] == right[:-1]) & (top[1:] == top[:-1])
    if not same.any():
        return left
    firsts = np.flatnonzero(np.concatenate(([True], ~same)))
    counts = np.diff(np.append(firsts, len(left)))
    nth = np.arange(len(left)) - np.repeat(firsts, counts)
    shared: Floats = left + (right - left) * nth / np.repeat(counts, counts)
    return shared


def _in_edges(lengths: Floats) -> list[int]:
    found: list[int] = _EDGES[np.clip(np.rint(lengths), 0, EDGE_SCALE).astype(np.int64)].tolist()
    return found


def _along(boxes: Floats, turn: int, width: float, height: float) -> Floats:
    """The boxes as seen by one who reads text that is turned `turn` quarters anticlockwise."""
    left, top, right, bottom = boxes.T
    if turn == 1:
        return np.stack((height - bottom, left, height - top, right), axis=1)
    if turn == 2:
        return np.stack((width - right, height - bottom, width - left, height - top), axis=1)
    if turn == 3:
        return np.stack((top, width - right, bottom, width - left), axis=1)
    return boxes


def _is_right_to_left(codes: Codes) -> Bools:
    found: Bools = (
        ((codes >= 0x590) & (codes < 0x900))
        | ((codes >= 0xFB1D) & (codes < 0xFE00))
        | ((codes >= 0xFE70) & (codes < 0xFF00))
    )
    return found


def _words(piece: str, place: Ints, sides: Floats) -> tuple[Word, ...]:
    """The words of `piece`, whose characters stand at `place` in it and at `sides` in print."""
    words: list[Word] = []
    start = 0
    for end in range(1, len(place) + 1):
        if end == len(place) or place[end] != place[end - 1] + 1:
            part = sides[start:end]
            words.append(
                Word(
                    int(place[start]), int(place[end - 1]) + 1,
                    float(part[:, 0].min()), float(part[:, 1].min()),
                    float(part[:, 2].max()), float(part[:, 3].max()),
                )
            )  # fmt: skip
            start = end
    return tuple(words)


def _without_ligatures(
    piece: str, edges: tuple[int, ...], words: tuple[Word, ...]
) -> tuple[str, tuple[int, ...], tuple[Word, ...]]:
    """Ligatures written out, each letter with its part of the width."""
    if _LIGATURES.keys().isdisjoint(piece):
        return piece, edges, words
    letters: list[str] = []
    new_edges: list[int] = []
    new_place = [0]
    for number, letter in enumerate(piece):
        written = _LIGATURES.get(letter, letter)
        letters.append(written)
        new_place.append(new_place[-1] + len(written))
        if edges:
            left, right = edges[number], edges[number + 1]
            new_edges += (left + (right - left) * k // len(written) for k in range(len(written)))
    moved = tuple(
        Word(new_place[w.start], new_place[w.end], w.left, w.top, w.right, w.bottom) for w in words
    )
    return "".join(letters), (*new_edges, edges[-1]) if edges else (), moved
