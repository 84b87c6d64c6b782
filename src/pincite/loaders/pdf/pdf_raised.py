"""Digits that are printed higher or lower than a number beside them, which they are no part of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite.loaders.pdf.pdf_ink import Bools, Floats
from pincite.loaders.raised import LOWERED, RAISED

Codes = npt.NDArray[Any]

_FEWEST_RISE = 0.2
"""Of the height of a digit: so much higher stands what is raised beside it."""
_FEWEST_DROP = 0.1
_SMALLER = 0.9
"""Of the size beside it, most: else two numbers stand a little askew."""
_DESCENT = 0.22
"""Of the size: how far boxes reach below the line, about, in any font."""
_MARKS = [ord(mark) for mark in ".,:;!?%‰°'\"’”)]*…-\u2010\u2011\u2012\u2013\u2014\u2212"]
_SIGNS = [ord(sign) for sign in "$€£¥₹%‰"]
_BETWEEN = frozenset(map(ord, ",;"))


def set_digits_apart(
    shown: Codes, bottom: Floats, heights: Floats, sizes: Floats, parted: Bools, spaced: Bools
) -> None:
    """Write digits beside a number as what they are: 50 with note 1 is not 501, nor 10⁶ 106.

    `parted` and `spaced` say of each character but the first whether it stands apart from the one
    before, and whether a space does it.
    """
    is_digit = (shown >= ord("0")) & (shown <= ord("9"))
    if not is_digit.any():
        return
    rise = (bottom[:-1] - bottom[1:]) / heights[:-1]
    line = bottom - _DESCENT * sizes
    largest = np.maximum(np.maximum(sizes[:-1], sizes[1:]), 0.1)
    step = (line[:-1] - line[1:]) / largest
    shrinks = sizes[1:] < _SMALLER * sizes[:-1]
    grows = sizes[:-1] < _SMALLER * sizes[1:]
    # Behind a number, with a mark or two between or without: 50.¹, 50.”¹ and 50 €¹.
    follows = np.zeros(len(shown), dtype=np.bool_)
    is_mark = np.isin(shown, _MARKS)
    follows[1:] = is_digit[:-1] & ~parted & is_mark[1:]
    follows[1:] |= follows[:-1] & ~parted & is_mark[1:]
    follows[1:] |= is_digit[:-1] & (~parted | spaced) & np.isin(shown[1:], _SIGNS)
    is_behind = is_digit[:-1] | (follows[:-1] & shrinks & is_digit[1:])
    raised = is_behind & (rise > _FEWEST_RISE) & ~parted & ~(grows & is_digit[:-1])
    both = is_digit[:-1] & is_digit[1:] & ~parted
    is_level = np.zeros(len(shown), dtype=np.bool_)
    is_level[1:] = ~parted & (np.abs(bottom[1:] - bottom[:-1]) < 0.1 * heights[1:])
    for after in np.flatnonzero(raised).tolist():
        _write(shown, after + 1, _end(shown, after + 1, is_level), RAISED)
    for after in np.flatnonzero(both & shrinks & (step < -_FEWEST_DROP)).tolist():
        _write(shown, after + 1, _end(shown, after + 1, is_level), LOWERED)
    for last in np.flatnonzero(both & grows & (step < -_FEWEST_RISE)).tolist():
        _write(shown, _start(shown, last, is_level), last + 1, RAISED)
    for last in np.flatnonzero(both & grows & (step > _FEWEST_DROP)).tolist():
        _write(shown, _start(shown, last, is_level), last + 1, LOWERED)


def _end(shown: Codes, first: int, is_level: Bools) -> int:
    end = first
    while end < len(shown) and (end == first or is_level[end]):
        if int(shown[end]) in RAISED:
            end += 1
        elif (
            int(shown[end]) in _BETWEEN
            and first < end < len(shown) - 1
            and is_level[end + 1]
            and int(shown[end + 1]) in RAISED
        ):
            end += 2
        else:
            break
    return end


def _start(shown: Codes, last: int, is_level: Bools) -> int:
    first = last
    while first > 0 and is_level[first] and int(shown[first - 1]) in RAISED:
        first -= 1
    return first


def _write(shown: Codes, first: int, end: int, written: Mapping[int, int]) -> None:
    piece = shown[first:end].tolist()
    if any(ord("0") <= code <= ord("9") for code in piece):
        shown[first:end] = [written.get(code, code) for code in piece]
