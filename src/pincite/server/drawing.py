"""The picture of a page of a PDF file."""

from __future__ import annotations

import io
from collections.abc import Sequence

MAXIMUM_PIXELS = 16_000_000


def page_png(data: bytes, number: int, width: int, passwords: Sequence[str]) -> bytes | None:
    """Page `number`, from 1, as PNG, so many pixels wide; None where there is no such page.

    Of a page that would be far taller than wide, the picture is narrower.
    """
    # In the process that starts this one, none of it is needed.
    import pypdfium2

    for password in (None, *passwords):
        try:
            document = pypdfium2.PdfDocument(data, password=password)
            break
        except pypdfium2.PdfiumError:
            continue
    else:
        return None
    if not 1 <= number <= len(document):
        return None
    page = document[number - 1]
    across, down = page.get_size()
    if across <= 0 or down <= 0:
        return None
    scale = min(width / across, (MAXIMUM_PIXELS / (across * down)) ** 0.5)
    picture = io.BytesIO()
    page.render(scale=scale, may_draw_forms=False).to_pil().save(picture, "png")
    return picture.getvalue()
