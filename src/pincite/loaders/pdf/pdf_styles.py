"""How the characters of a page are printed: size, angle, weight, and whether that can be seen."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium

from pincite.loaders.pdf.pdf_calls import (
    Handles,
    Ints,
    read_colours,
    read_fonts,
    read_modes,
    read_sizes,
)

_BOLD_NAMES = ("bold", "black", "heavy", "demi", "cmbx", "-medi")
_FORCE_BOLD = 1 << 18
PALE = 238
"""Of 255 in each colour; whether such print shows on its ground is looked at."""
TRANSPARENT = 10
"""Of 255: print that is no more opaque is as good as not there."""


@dataclass(slots=True)
class Styles:
    """How each of some characters is printed."""

    size: npt.NDArray[np.float64]
    """Points."""
    angle: npt.NDArray[np.float64]
    """Degrees anticlockwise, on the page as it is shown."""
    is_bold: npt.NDArray[np.bool_]
    is_invisible: npt.NDArray[np.bool_]
    is_pale: npt.NDArray[np.bool_]
    """White or next to transparent: whether it shows depends on its ground."""
    colour: npt.NDArray[np.int64]
    """Rows of red, green, blue, alpha, 0 to 255: what letters are filled with, or drawn by."""

    def chosen(self, which: Ints | npt.NDArray[np.bool_]) -> Styles:
        """Those of some of the characters."""
        return Styles(
            self.size[which],
            self.angle[which],
            self.is_bold[which],
            self.is_invisible[which],
            self.is_pale[which],
            self.colour[which],
        )


def styles_of(text_page: Any, places: Ints, objects: Handles, turns: int) -> Styles:
    """The styles of the characters at `places` of a page, which belong to `objects`.

    `turns` says by how many quarters clockwise the page is turned when it is shown.
    """
    # What pdfium put between two characters looks like the one before it.
    positions = np.where(objects != 0, np.arange(len(objects)), 0)
    filled = objects[np.maximum.accumulate(positions)]
    starts = np.concatenate(([0], np.flatnonzero(filled[1:] != filled[:-1]) + 1))
    lengths = np.diff(np.concatenate((starts, [len(filled)])))
    handles = filled[starts].tolist()
    sizes, matrices = read_sizes(text_page, places[starts])
    a, b, c, d, _, _ = matrices.T
    fonts = read_fonts(handles)
    bold = {font: _is_bold(font) for font in set(fonts)}
    # Of the modes 3 and 7 paint nothing, 1 and 5 only draw around the letters.
    modes = read_modes(handles)
    colours = read_colours(handles)
    is_outlined = (modes == 1) | (modes == 5)
    if is_outlined.any():
        chosen = np.flatnonzero(is_outlined)
        outlined = [handles[place] for place in chosen.tolist()]
        colours[chosen] = read_colours(outlined, of_strokes=True)
    is_pale = (colours[:, :3].min(axis=1) >= PALE) | (colours[:, 3] < TRANSPARENT)
    each = Styles(
        sizes * np.hypot(c, d),
        np.degrees(np.arctan2(b, a)) - 90.0 * turns,
        np.array([bold[font] for font in fonts]),
        (modes == 3) | (modes == 7),
        is_pale & (modes >= 0) & (modes <= 6) & (modes != 3),
        colours,
    )
    return each.chosen(np.repeat(np.arange(len(starts)), lengths))


def _is_bold(font: int) -> bool:
    if not font:
        return False
    pointer = ctypes.cast(font, pdfium.FPDF_FONT)
    name = ctypes.create_string_buffer(128)
    pdfium.FPDFFont_GetBaseFontName(pointer, name, 128)
    lowered = name.value.decode("latin-1").lower()
    return any(part in lowered for part in _BOLD_NAMES) or bool(
        pdfium.FPDFFont_GetFlags(pointer) & _FORCE_BOLD
    )
