"""The print on a page in arrays: an entry for each character that is not white space."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium

from pincite.loaders.pdf.pdf_calls import Handles, Ints
from pincite.loaders.pdf.pdf_styles import Styles

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Frame:
    """How the units of a page become points on the page as shown."""

    left: float
    bottom: float
    right: float
    top: float
    turns: int
    """Quarters clockwise."""

    @property
    def width(self) -> float:
        return self.top - self.bottom if self.turns % 2 else self.right - self.left

    @property
    def height(self) -> float:
        return self.right - self.left if self.turns % 2 else self.top - self.bottom

    def shown(self, boxes: npt.NDArray[np.float32]) -> Floats:
        """Left, top, right, bottom as shown, for rows of left, top, right, bottom (y upwards)."""
        left, top, right, bottom = boxes.astype(np.float64).T
        if self.turns == 1:
            sides = bottom - self.bottom, left - self.left, top - self.bottom, right - self.left
        elif self.turns == 2:
            sides = self.right - right, bottom - self.bottom, self.right - left, top - self.bottom
        elif self.turns == 3:
            sides = self.top - top, self.right - right, self.top - bottom, self.right - left
        else:
            sides = left - self.left, self.top - top, right - self.left, self.top - bottom
        return np.stack(sides, axis=1)


@dataclass(slots=True)
class Ink:
    """The characters that are not white space."""

    places: Ints
    """Counted through all characters of the page."""
    boxes: Floats
    """Left, top, right, bottom."""
    styles: Styles
    objects: Handles
    """The text objects they belong to."""

    def chosen(self, which: Bools) -> Ink:
        """Some of them."""
        return Ink(
            self.places[which],
            self.boxes[which],
            self.styles.chosen(which),
            self.objects[which],
        )


def frame_of(page: Any) -> Frame:
    """The part of `page` that is shown, and how it is turned."""
    box = pdfium.FS_RECTF()
    pdfium.FPDF_GetPageBoundingBox(page, box)
    return Frame(box.left, box.bottom, box.right, box.top, pdfium.FPDFPage_GetRotation(page) % 4)
