"""Small PDF files, made by hand so that it is known what is printed where."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

_PADDING = bytes.fromhex("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a")


def print_at(x: float, y: float, words: str, *, size: float = 10, font: str = "F1") -> str:
    """The operators that print `words`; F1 is Helvetica, F2 its bold; y counts from the bottom."""
    escaped = words.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return f"BT /{font} {size} Tf {x} {y} Td ({escaped}) Tj ET\n"


def print_lines(x: float, y: float, *lines: str, size: float = 10, leading: float = 12) -> str:
    """Lines under each other, the first one at `y`."""
    return "".join(
        print_at(x, y - number * leading, words, size=size) for number, words in enumerate(lines)
    )


FULL_PICTURE = "q 600 0 0 800 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q\n"
"""A grey picture over all of a page of 600 by 800."""


def make_pdf(
    pages: Sequence[str],
    *,
    password: str = "",
    page: str = "/MediaBox [0 0 600 800]",
    tree: str = "",
    catalog: str = "",
    trailer: str = "",
    objects: Sequence[str] = (),
    resources: str = "",
) -> bytes:
    """A PDF with a page for each content stream.

    `page`, `tree` and `catalog` are entries added to every page, to the page tree (which its pages
    inherit) and to the catalog, `resources` to those of each page; `objects` get the numbers from 5
    on: 1 is the catalog, 2 the page tree, 3 and 4 are the fonts. With a password the pages are
    encrypted with 40 bits (PDF 32000-1, 7.6).
    """
    key = b""
    if password:
        owner = _rc4(hashlib.md5(_padded("owner")).digest()[:5], _padded(password))
        material = _padded(password) + owner + (-4).to_bytes(4, "little", signed=True) + b"number"
        key = hashlib.md5(material).digest()[:5]
        user = _rc4(key, _PADDING)
        trailer += (
            f"/ID [<{b'number'.hex()}> <{b'number'.hex()}>] /Encrypt << /Filter /Standard /V 1 "
            f"/R 2 /P -4 /O <{owner.hex()}> /U <{user.hex()}> >>"
        )
    first = 5 + len(objects)
    kids = " ".join(f"{first + 2 * number} 0 R" for number in range(len(pages)))
    bodies = [
        f"<< /Type /Catalog /Pages 2 0 R {catalog} >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] {tree} >>",
        *(
            f"<< /Type /Font /Subtype /Type1 /BaseFont /{name} /Encoding /WinAnsiEncoding >>"
            for name in ("Helvetica", "Helvetica-Bold")
        ),
        *objects,
    ]
    for number, content in enumerate(pages):
        if key:
            content = _encrypted(content, key, first + 2 * number + 1)
        bodies.append(
            f"<< /Type /Page /Parent 2 0 R /Contents {first + 2 * number + 1} 0 R "
            f"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> {resources} >> {page} >>"
        )
        bodies.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
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


def _encrypted(content: str, key: bytes, number: int) -> str:
    own = hashlib.md5(key + number.to_bytes(3, "little") + b"\0\0").digest()[:10]
    return _rc4(own, content.encode("latin-1")).decode("latin-1")


def _padded(password: str) -> bytes:
    return (password.encode("latin-1") + _PADDING)[:32]


def _rc4(key: bytes, data: bytes) -> bytes:
    box = list(range(256))
    j = 0
    for i in range(256):
        j = (j + box[i] + key[i % len(key)]) % 256
        box[i], box[j] = box[j], box[i]
    out = bytearray()
    i = j = 0
    for byte in data:
        i = (i + 1) % 256
        j = (j + box[i]) % 256
        box[i], box[j] = box[j], box[i]
        out.append(byte ^ box[(box[i] + box[j]) % 256])
    return bytes(out)
