"""The picture of a page of a PDF file."""

from __future__ import annotations

from collections.abc import Sequence


def page_png(data: bytes, number: int, width: int, passwords: Sequence[str]) -> bytes | None:
    """Page `number`, from 1, as PNG, so many pixels wide; None where there is no such page.

    Of a page that would be far taller than wide, the picture is narrower.
    """
    # In the process that starts this one, none of it is needed.
    from pincite.loaders.pdf.pdf_picture import page_picture

    picture = page_picture(data, number, width=width, passwords=passwords)
    return None if picture is None else picture.png
