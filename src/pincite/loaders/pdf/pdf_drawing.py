"""The picture of a page, as a reader sees it."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium

Pixels = npt.NDArray[np.uint8]


def drawn(page: Any, width: int, height: int) -> Pixels | None:
    """The page as it is shown, in red, green and blue; None where it has no size."""
    if width < 1 or height < 1:
        return None
    bitmap = pdfium.FPDFBitmap_Create(width, height, 0)
    if not bitmap:
        return None
    try:
        pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xFFFFFFFF)
        flags = pdfium.FPDF_ANNOT | pdfium.FPDF_REVERSE_BYTE_ORDER
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
        stride = pdfium.FPDFBitmap_GetStride(bitmap)
        buffer = ctypes.cast(
            pdfium.FPDFBitmap_GetBuffer(bitmap), ctypes.POINTER(ctypes.c_uint8 * (stride * height))
        ).contents
        rows = np.frombuffer(buffer, dtype=np.uint8).reshape(height, stride)[:, : 4 * width]
        # All four are copied at once: to leave one out on the way is slower.
        return rows.reshape(height, width, 4).copy()[:, :, :3]
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
