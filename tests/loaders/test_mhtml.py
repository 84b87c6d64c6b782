"""A saved page is read with the pages in its frames, at places in their decoded sources."""

from __future__ import annotations

import pytest

from pincite.loaders.extracted import DEFAULT, Extracted, UnreadableContent
from pincite.loaders.formats import extract as extract_any
from pincite.places import ElementPlace, MemberPlace, place_of

PAGE = (
    "<html><head><title>Fees</title></head><body><p>Nine=20=E2=82=AC a =\r\nmonth.</p>"
    '<iframe src=3D"cid:frame-1@x"></iframe><iframe hidden src=3D"cid:frame-2@x"></iframe>'
)
SAVED = f"""From: <Saved by Blink>
Snapshot-Content-Location: https://example.org/fees
Subject: Fees
MIME-Version: 1.0
Content-Type: multipart/related; type="text/html"; boundary="b"

--b
Content-Type: text/html; charset=utf-8
Content-ID: <frame-0@x>
Content-Transfer-Encoding: quoted-printable
Content-Location: https://example.org/fees

{PAGE}
--b
Content-Type: text/html
Content-ID: <frame-2@x>

<p>Never shown.</p>
--b
Content-Type: text/html
Content-ID: <frame-1@x>

<p>In the frame.</p>
--b
Content-Type: image/png
Content-Location: https://example.org/a.png

xx
--b--
"""


def read(saved: str, name: str = "page.mhtml") -> Extracted:
    form, made = extract_any(saved.encode(), name, DEFAULT)
    assert form.name == "mhtml"
    return made


@pytest.mark.parametrize("name", ["page.mhtml", "page.mht", "page"])
def test_the_page_and_the_pages_in_its_frames_are_read(name: str) -> None:
    made = read(SAVED, name)
    assert made.title == "Fees"
    assert made.text == "Nine € a month.\n\nIn the frame.\n"


def test_places_are_in_the_decoded_source_and_those_of_frames_inside_them() -> None:
    made = read(SAVED)
    source = "<html><head><title>Fees</title></head><body><p>Nine € a month.</p>"
    at = source.index("€")
    assert place_of(made.marks, 5, 14) == ElementPlace("/html/body/p", "", at, at + 9)
    start = made.text.index("frame")
    assert place_of(made.marks, start, start + 5) == MemberPlace(
        "cid:frame-1@x", ElementPlace("/html/body/p", "", 10, 15)
    )


def test_a_saved_page_without_a_page_is_refused() -> None:
    with pytest.raises(UnreadableContent, match="without a page"):
        read("MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b--\n")
