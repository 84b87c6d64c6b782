"""The picture of a page as PNG, to be shown beside its text."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pypdfium2.raw as pdfium

from pincite.loaders.extracted import UnreadableContent
from pincite.loaders.pdf.pdf import loaded_page, opened
from pincite.loaders.pdf.pdf_drawing import drawn

_MOST_PIXELS = 16_000_000
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_COLOURS, _PALETTE = 2, 3
_MOST_COLOURS = 256


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A page as a viewer shows it, upright and without margins of its own."""

    png: bytes
    width: int
    height: int
    """In pixels."""


def page_picture(
    data: bytes, number: int, *, width: int, passwords: Sequence[str] = ()
) -> PagePicture | None:
    """Page `number`, from 1, of the PDF file that holds `data`, so many pixels wide.

    A page that is far taller than wide is drawn narrower. None where the file cannot be opened or
    has no such page. The boxes of a `PagePlace` are parts of this picture.
    """
    if width < 1:
        raise ValueError(f"a picture needs a width of 1 pixel or more, not {width}")
    try:
        document = opened(data, passwords)
    except UnreadableContent:
        return None
    try:
        page = loaded_page(document, number - 1) if 1 <= number <= len(document) else None
        if not page:
            return None
        try:
            across = float(pdfium.FPDF_GetPageWidthF(page))
            down = float(pdfium.FPDF_GetPageHeightF(page))
            if not (across > 0 and down > 0):
                return None
            scale = min(width / across, (_MOST_PIXELS / (across * down)) ** 0.5)
            size = max(1, round(across * scale)), max(1, round(down * scale))
            pixels = drawn(page, *size)
        finally:
            pdfium.FPDF_ClosePage(page)
    finally:
        document.close()
    return None if pixels is None else PagePicture(_png(pixels), *size)


def _png(pixels: npt.NDArray[np.uint8]) -> bytes:
    """The picture in the smaller of two forms: few colours by number, or all in full."""
    height, width, _ = pixels.shape
    whole = pixels.astype(np.uint32)
    colours, numbers = np.unique(
        whole[:, :, 0] << 16 | whole[:, :, 1] << 8 | whole[:, :, 2], return_inverse=True
    )
    palette = b""
    if len(colours) <= _MOST_COLOURS:
        form = _PALETTE
        rows = numbers.reshape(height, width).astype(np.uint8)
        parts = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1)
        palette = _chunk(b"PLTE", parts.astype(np.uint8).tobytes())
    else:
        form = _COLOURS
        rows = pixels.reshape(height, width * 3)
    # Each row begins with the number of its filter, which is none.
    filtered = np.pad(rows, ((0, 0), (1, 0)))
    header = struct.pack(">IIBBBBB", width, height, 8, form, 0, 0, 0)
    return b"".join(
        [
            _SIGNATURE,
            _chunk(b"IHDR", header),
            palette,
            _chunk(b"IDAT", zlib.compress(filtered.tobytes(), 9)),
            _chunk(b"IEND", b""),
        ]
    )


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
