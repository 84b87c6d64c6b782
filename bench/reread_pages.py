"""Words on the pages of a PDF, read anew: each letter of pdfium's, where the page shows it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from bench.reread_words import Found, Stretch, Verdict, bare, in_order
from pincite.places import Box, PagePlace

DEVICE = 1_000_000
"""Units across a page: what pdfium gives as whole numbers is exact enough to cut letters apart."""


@dataclass(frozen=True, slots=True)
class _Letter:
    x: float
    y: float
    letter: str


@lru_cache(maxsize=4)
def _pdf(data: bytes, state: str) -> Any:
    """The file opened once for each `state` that its pages are brought into."""
    import pypdfium2

    return pypdfium2.PdfDocument(data)


@lru_cache(maxsize=64)
def _letters(data: bytes, number: int) -> tuple[_Letter, ...]:
    """The letters of a page with their middles, in parts of the page as shown."""
    import ctypes

    import pypdfium2.raw as pdfium

    # Where a letter is shown is told by the page as it is in the file: pdfium may give one with
    # forms made part of it another size.
    shown = _pdf(data, "as it is")[number - 1]
    page = _pdf(data, "filled in")[number - 1]
    # What is filled into forms is no text of the page before it is made part of it.
    if pdfium.FPDFPage_Flatten(page.raw, pdfium.FLAT_NORMALDISPLAY) == pdfium.FLATTEN_SUCCESS:
        page = _pdf(data, "filled in")[number - 1]
    text = page.get_textpage()
    sides = [ctypes.c_double() for _ in range(4)]
    across, down = ctypes.c_int(), ctypes.c_int()
    letters: list[_Letter] = []
    # A ligature is several letters side by side, whether it is one sign or several in one box.
    shared: list[str] = []
    before: tuple[float, ...] = ()
    for index in range(pdfium.FPDFText_CountChars(text.raw) + 1):
        code = pdfium.FPDFText_GetUnicode(text.raw, index)
        sign = chr(code) if code < 0xD800 or 0xE000 <= code <= 0x10FFFF else "\ufffd"
        box: tuple[float, ...] = ()
        # In this order: left, right, bottom, top.
        if bare(sign) and pdfium.FPDFText_GetCharBox(text.raw, index, *sides):
            box = tuple(side.value for side in sides)
        if shared and box != before:
            left, right, bottom, top = before
            for number, letter in enumerate(shared):
                middle = left + (right - left) * (number + 0.5) / len(shared)
                pdfium.FPDF_PageToDevice(
                    shown.raw, 0, 0, DEVICE, DEVICE, 0, middle, (bottom + top) / 2, across, down
                )
                # What reaches over the edge of the page is shown up to the edge.
                x = min(max(across.value / DEVICE, 0.0), 1.0)
                letters.append(_Letter(x, min(max(down.value / DEVICE, 0.0), 1.0), letter))
            shared = []
        if box:
            before = box
            shared += bare(sign)
    return tuple(letters)


def page_words(data: bytes, number: int, boxes: Iterable[Box]) -> str:
    """The letters whose middle lies in one of `boxes`, box by box."""
    near = 2e-4
    return "".join(
        one.letter
        for box in boxes
        for one in _letters(data, number)
        if box.left - near <= one.x <= box.right + near
        and box.top - near <= one.y <= box.bottom + near
    )


def compare_pages(data: bytes, place: PagePlace, stretches: Sequence[Stretch]) -> Found:
    there = "".join(page_words(data, page.number, page.boxes) for page in place.pages)
    # A hyphen at a line end is left out of the text where it only parts a word.
    found = re.sub(r"[-\u2010\ufffd]", "", bare(there))
    words = re.sub(r"[-\u2010\ufffd]", "", bare("".join(one.words for one in stretches)))
    if found == words:
        return Found(Verdict.EXACT, there)
    # An accent that is cited alone is there, on its letter.
    taken_apart = (unicodedata.normalize("NFD", letters) for letters in (words, found))
    if sorted(found) == sorted(words) or in_order(*taken_apart):
        return Found(Verdict.INSIDE, there)
    return Found(Verdict.WRONG, there)
