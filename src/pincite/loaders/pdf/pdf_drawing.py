"""The picture of a page, or of a strip of it, as a reader sees it."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium

Pixels = npt.NDArray[np.uint8]


def drawn(
    page: Any, width: int, height: int, strip: tuple[int, int] | None = None
) -> Pixels | None:
    """The page as it is shown, in red, green and blue; None where it has no size.

    `strip` asks for the rows of pixels from one to another, which takes the less time the fewer
    they are. There is none for columns: pdfium moves letters cut by a left edge that is not the
    page's.
    """
    top, bottom = strip or (0, height)
    down = bottom - top
    if width < 1 or down < 1:
        return None
    bitmap = pdfium.FPDFBitmap_Create(width, down, 0)
    if not bitmap:
        return None
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, down, 0xFFFFFFFF)
        flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, -top, width, height, 0, flags)
        stride = pdfium.FPDFBitmap_GetStride(bitmap)
        buffer = ctypes.cast(
            pdfium.FPDFBitmap_GetBuffer(bitmap), ctypes.POINTER(ctypes.c_uint8 * (stride * down))
        ).contents
        rows = np.frombuffer(buffer, dtype=np.uint8).reshape(down, stride)[:, : 4 * width]
        # All four are copied at once: to leave one out on the way is slower.
        return rows.reshape(down, width, 4).copy()[:, :, :3]
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
