"""What is written on a page and not seen by a reader."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pincite.loaders.pdf.pdf_calls import Ints, show_texts
from pincite.loaders.pdf.pdf_drawing import Pixels, drawn
from pincite.loaders.pdf.pdf_ink import Bools, Floats, Frame, Ink
from pincite.loaders.pdf.pdf_pictures import picture_share
from pincite.loaders.pdf.pdf_struck import struck_of
from pincite.loaders.pdf.pdf_styles import TRANSPARENT
from pincite.loaders.pdf.pdf_suspects import (
    COVERED,
    LAYERED,
    REASONS,
    Cover,
    Suspects,
    doubles_of,
    suspects_of,
)

STRUCK = "struck through"
_SEEN = 16
"""Of 255: what differs less from its ground is not seen."""
_SMALLEST = 0.9
"""Points; print lower than this is not seen."""
_THINNEST = 0.05
"""Of their height, or of their width if that is more: letters that are thinner are lines."""
_NEIGHBOURS = 7
"""So many letters in a row are told to be thin together: one alone may be an accent..."""
_FEWEST = 3
"""...or those of one text, if they are so many."""
_MARGIN = 16
"""Pixels drawn above and below what is looked at."""
_FINEST = 2.0
"""Pixels to a point: letters of seven points are told from their ground."""
_MOST_ACROSS = 4_000
"""Pixels; a page that is wider is drawn less fine, but not below half a pixel to a point..."""
_MOST_ACROSS_AT_ALL = 65_536
"""...up to this many."""
_MOST_PIXELS = 4_000_000
"""Drawn at a time."""
_DARK = 100
"""Of 255 in each colour: what is opaque and no lighter was put over words to hide them."""


def seen_of(
    page: Any, text_page: Any, frame: Frame, ink: Ink
) -> tuple[Ink, Counter[str], bool, Ints]:
    """What of `ink` a reader sees; how much is left out, by reason; whether it lies under a scan;
    and the places of what is left out as it is struck through.

    What lies under a scan is invisible, and kept: the reader sees the same words on the picture.
    """
    hidden: Counter[str] = Counter()
    left, top, right, bottom = ink.boxes.T
    outside = (right < 0) | (left > frame.width) | (bottom < 0) | (top > frame.height)
    ink = _without(ink, outside, "outside the page", hidden)
    ink = _without(ink, _is_tiny(ink), "too small to be seen", hidden)
    count = int(ink.styles.is_invisible.sum())
    is_under_a_scan = (
        bool(count) and 2 * count > len(ink.places) and (picture_share(page, frame) > 0.5)
    )
    if not is_under_a_scan:
        ink = _without(ink, ink.styles.is_invisible, "invisible", hidden)
    if not len(ink.places):
        return ink, hidden, is_under_a_scan, ink.places
    suspects = suspects_of(page, frame, ink)
    unseen = _unseen(page, frame, ink, suspects)
    struck = struck_of(page, text_page, frame, ink, suspects.lines)
    under_a_scan = ink.styles.is_invisible.copy()
    if not is_under_a_scan:
        below = _below_pictures(suspects, frame, unseen)
        if 2 * int(below.sum()) > len(ink.places):
            is_under_a_scan = True
            under_a_scan |= below
            unseen &= ~below
    if is_under_a_scan:
        blacked = _blacked_out(page, frame, ink, suspects, under_a_scan)
        suspects.by_reason.setdefault(COVERED, np.zeros(len(unseen), dtype=np.bool_))[blacked] = (
            True
        )
        unseen |= blacked
    if unseen.any():
        told = np.zeros(len(unseen), dtype=np.bool_)
        for reason in REASONS:
            if reason in suspects.by_reason:
                own = suspects.by_reason[reason] & unseen & ~told
                hidden[reason] += int(own.sum())
                told |= own
        ink, struck = ink.chosen(~told), struck[~told]
    struck &= not is_under_a_scan
    places = ink.places[struck]
    ink = _without(ink, struck, STRUCK, hidden)
    return ink, +hidden, is_under_a_scan, places


def _is_tiny(ink: Ink) -> Bools:
    left, top, right, bottom = ink.boxes.T
    width, height = right - left, bottom - top
    longer = np.maximum(width, height)
    thin = np.minimum(width, height) / np.maximum(longer, 1e-9)
    found: Bools = longer < _SMALLEST
    if not (thin < _THINNEST).any():
        return found
    reach = _NEIGHBOURS // 2
    sums = np.concatenate(([0.0], np.cumsum(thin)))
    places = np.arange(len(thin))
    first, last = np.maximum(places - reach, 0), np.minimum(places + reach + 1, len(thin))
    around = (sums[last] - sums[first]) / (last - first)
    _, owner, counts = np.unique(ink.objects, return_inverse=True, return_counts=True)
    own = (np.bincount(owner, thin) / counts)[owner]
    own[counts[owner] < _FEWEST] = 1.0
    found |= (thin < _THINNEST) & (np.minimum(around, own) < _THINNEST)
    return found


def _without(ink: Ink, hidden: Bools, reason: str, counts: Counter[str]) -> Ink:
    count = int(hidden.sum())
    if not count:
        return ink
    counts[reason] += count
    return ink.chosen(~hidden)


def _unseen(page: Any, frame: Frame, ink: Ink, suspects: Suspects) -> Bools:
    """Which of the suspects leave no trace on the page as it is drawn."""
    doubtful = np.zeros(len(ink.places), dtype=np.bool_)
    for which in suspects.by_reason.values():
        doubtful |= which & ~ink.styles.is_invisible
    for held in suspects.forms:
        # One letter tells whether any of the drawing is shown.
        open_to_doubt = held[~doubtful[held] & ~ink.styles.is_invisible[held]]
        if not len(open_to_doubt):
            continue
        widths = ink.boxes[open_to_doubt, 2] - ink.boxes[open_to_doubt, 0]
        one = open_to_doubt[[int(widths.argmax())]]
        if _traceless(page, frame, ink, one, suspects).any():
            none = np.zeros(len(doubtful), dtype=np.bool_)
            suspects.by_reason.setdefault(LAYERED, none)[open_to_doubt] = True
    unseen = np.zeros(len(ink.places), dtype=np.bool_)
    for reason in REASONS:
        # Each by itself: what is covered may have a white caption over it, which is seen.
        if reason in suspects.by_reason:
            which = suspects.by_reason[reason] & ~ink.styles.is_invisible & ~unseen
            chosen = np.flatnonzero(which)
            if len(chosen):
                unseen[chosen] = _traceless(page, frame, ink, chosen, suspects)
    # Programs draw letters as shapes and lay transparent words over them, to be searched for.
    transparent = np.flatnonzero(unseen & (ink.styles.colour[:, 3] < TRANSPARENT))
    unseen[transparent] = _is_blank(page, frame, ink.boxes[transparent])
    return unseen


def _is_blank(page: Any, frame: Frame, boxes: Floats) -> Bools:
    """In which of `boxes` nothing is to be seen when the page is drawn."""
    blank = np.ones(len(boxes), dtype=np.bool_)
    for within, strip in _strips(frame, boxes):
        pixels = strip.drawn(page)
        for index in within.tolist() if pixels is not None else ():
            part = strip.part(pixels, *np.rint(boxes[index] * strip.scale).astype(int).tolist())
            blank[index] = not part.size or _contrast(part) < _SEEN
    return blank


def _contrast(part: Any) -> int:
    return int((part.max((0, 1)) - part.min((0, 1))).max())


def _traceless(page: Any, frame: Frame, ink: Ink, chosen: Ints, suspects: Suspects) -> Bools:
    """Whether the page looks the same, where each of the chosen characters is, without them."""
    found = _unchanged(page, frame, ink, chosen, [])
    if suspects.doubles and found.any():
        texts = sorted(set(ink.objects[chosen[found]].tolist()) - {0})
        doubles = doubles_of(texts, suspects.doubles) if texts else []
        if doubles:
            found[found] = _unchanged(page, frame, ink, chosen[found], doubles)
    return found


def _unchanged(page: Any, frame: Frame, ink: Ink, chosen: Ints, others: Sequence[int]) -> Bools:
    """The same, when the text objects `others` are left out as well."""
    found = np.zeros(len(chosen), dtype=np.bool_)
    for within, strip in _strips(frame, ink.boxes[chosen]):
        own = chosen[within]
        texts = [*sorted(set(ink.objects[own].tolist()) - {0}), *others]
        shown = strip.drawn(page)
        if shown is None:
            continue
        show_texts(texts, False)
        try:
            bare = strip.drawn(page)
        finally:
            show_texts(texts, True)
        if bare is None:
            continue
        changed = (np.abs(shown.astype(np.int16) - bare) >= _SEEN).any(axis=2)
        found[within] = ~strip.holds(changed, ink.boxes[own])
    return found


def _below_pictures(suspects: Suspects, frame: Frame, unseen: Bools) -> Bools:
    """Which of the unseen characters lie under a picture that fills the page."""
    found = np.zeros(len(unseen), dtype=np.bool_)
    for cover in suspects.covers:
        left, top, right, bottom = cover.box
        across = min(right, frame.width) - max(left, 0.0)
        down = min(bottom, frame.height) - max(top, 0.0)
        if cover.is_picture and across * down > 0.5 * frame.width * frame.height:
            found[cover.below] = True
    return found & unseen


def _blacked_out(page: Any, frame: Frame, ink: Ink, suspects: Suspects, which: Bools) -> Bools:
    """Which characters under a scan lie below something drawn that hides what the scan shows."""
    found = np.zeros(len(ink.places), dtype=np.bool_)
    covers = [cover for cover in suspects.covers if not cover.is_picture]
    looked_at = np.zeros(len(ink.places), dtype=np.bool_)
    for cover in covers:
        looked_at[cover.below] = True
    chosen = np.flatnonzero(looked_at & which)
    for within, strip in _strips(frame, ink.boxes[chosen]):
        pixels = strip.drawn(page)
        if pixels is None:
            continue
        own = set(chosen[within].tolist())
        for cover in covers:
            for index in cover.below.tolist():
                if index in own and _is_covered(pixels, strip, ink.boxes[index], cover):
                    found[index] = True
    return found


def _is_covered(pixels: Pixels, strip: _Strip, box: Floats, cover: Cover) -> bool:
    """Whether only `cover` is seen in `box`. Something dark and opaque may have a caption."""
    # Its edges are blurred.
    inner = np.array(cover.box) * strip.scale + (1, 1, -1, -1)
    scaled = box * strip.scale
    x0, y0 = np.rint(np.maximum(scaled[:2], inner[:2])).astype(np.int64).tolist()
    x1, y1 = np.rint(np.minimum(scaled[2:], inner[2:])).astype(np.int64).tolist()
    part = strip.part(pixels, x0, y0, x1, y1)
    if not part.size or _contrast(part) < _SEEN:
        return True
    return cover.is_opaque and int(np.median(part, axis=(0, 1)).max()) < _DARK


@dataclass(frozen=True, slots=True)
class _Strip:
    """Rows of pixels of a page, counted through all of it."""

    top: int
    bottom: int
    width: int
    height: int
    """Of the page, in pixels."""
    scale: float
    """Pixels to a point."""

    def drawn(self, page: Any) -> Pixels | None:
        """What the page shows there."""
        return drawn(page, self.width, self.height, (self.top, self.bottom))

    def part(self, pixels: Any, x0: int, y0: int, x1: int, y1: int) -> Any:
        """What is between these edges, in pixels of the page; one pixel at least."""
        x1, y1 = max(x1, x0 + 1), max(y1, y0 + 1)
        rows = slice(max(y0 - self.top, 0), max(y1 - self.top, 0))
        return pixels[rows, max(x0, 0) : max(x1, 0)].astype(np.int16)

    def holds(self, changed: Bools, boxes: Floats) -> Bools:
        """In which of `boxes` any pixel has changed."""
        left, top, right, bottom = boxes.T * self.scale
        # A letter beside this one may lean over; an accent stands before its place.
        width = right - left
        margin = np.where(width < 0.05 * (bottom - top), -0.4 * (bottom - top), 0.15 * width)
        rows, columns = changed.shape
        x0 = np.clip(np.floor(left + margin).astype(np.int64), 0, columns)
        x1 = np.clip(np.maximum(np.ceil(right - margin).astype(np.int64), x0 + 1), 0, columns)
        y0 = np.clip(np.floor(top).astype(np.int64) - self.top, 0, rows)
        y1 = np.clip(np.maximum(np.ceil(bottom).astype(np.int64) - self.top, y0 + 1), 0, rows)
        sums = np.zeros((rows + 1, columns + 1), dtype=np.int32)
        np.cumsum(np.cumsum(changed, axis=0, dtype=np.int32), axis=1, out=sums[1:, 1:])
        found: Bools = (sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0]) > 0
        return found


def _strips(frame: Frame, boxes: Floats) -> Iterator[tuple[Ints, _Strip]]:
    """The strips of the page that `boxes` are in, each with which: a line or two, mostly."""
    scale = min(_FINEST, max(0.5, _MOST_ACROSS / frame.width), _MOST_ACROSS_AT_ALL / frame.width)
    width, height = round(frame.width * scale), round(frame.height * scale)
    most = max(2 * _MARGIN, _MOST_PIXELS // max(width, 1))
    tops = np.clip(np.floor(boxes[:, 1] * scale).astype(np.int64), 0, height)
    bottoms = np.clip(np.ceil(boxes[:, 3] * scale).astype(np.int64), 0, height)
    waiting = np.argsort(tops, kind="stable")
    while len(waiting):
        first = int(tops[waiting[0]])
        is_in = (bottoms[waiting] <= first + most) | (tops[waiting] == first)
        within = waiting[is_in]
        waiting = waiting[~is_in]
        top = max(0, first - _MARGIN)
        # What is higher than a strip may be is judged by its upper part.
        bottom = min(height, int(min(bottoms[within].max(), first + most)) + _MARGIN)
        yield within, _Strip(top, max(bottom, top + 1), width, height, scale)
