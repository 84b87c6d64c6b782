"""Small PDF files, made by hand so that it is known what is printed where."""

from __future__ import annotations

from collections.abc import Sequence


def print_at(x: float, y: float, words: str, *, size: float = 10, font: str = "F1") -> str:
    """The operators that print `words`; F1 is Helvetica, F2 its bold; y counts from the bottom."""
    escaped = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT /{font} {size} Tf {x} {y} Td ({escaped}) Tj ET\n"


def print_lines(x: float, y: float, *lines: str, size: float = 10, leading: float = 12) -> str:
    """Lines under each other, the first one at `y`."""
    return "".join(
        print_at(x, y - number * leading, words, size=size) for number, words in enumerate(lines)
    )


def make_pdf(
    pages: Sequence[str],
    *,
    page: str = "/MediaBox [0 0 600 800]",
    catalog: str = "",
    trailer: str = "",
    objects: Sequence[str] = (),
) -> bytes:
    """A PDF with a page for each content stream.

    `page` and `catalog` are entries added to every page and to the catalog; `objects` get the
    numbers from 5 on: 1 is the catalog, 2 the page tree, 3 and 4 are the fonts.
    """
    first = 5 + len(objects)
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(len(pages)))
    bodies = [
        f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>",
        *(
            f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
            for name in ("Helvetica", "Helvetica-Bold")
        ),
        *objects,
    ]
    for number, content in enumerate(pages):
        bodies.append(
            f"<< /Type /Page /Parent 2 0 R {page} /Contents {first + 2 * number + 1} 0 R "
            "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>"
        )
        bodies.append(f"<< /Length {len(content)} >>\nstream\n{content}endstream")
    data = b"%PDF-1.7\n"
    places: list[int] = []
    for number, body in enumerate(bodies, 1):
        places.append(len(data))
        data += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    start = len(data)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(bodies) + 1
    data += f"xref\n0 {size}\n0000000000 65535 f \n{table}".encode()
    data += f"trailer << /Size {size} /Root 1 0 R {trailer} >>\n".encode()
    return data + f"startxref\n{start}\n%%EOF\n".encode()
