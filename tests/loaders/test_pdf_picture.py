"""Pictures of pages: what is printed is where it is printed, and PNG as others read it."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import numpy.typing as npt
import pytest

from pincite.loaders import document_of_bytes
from pincite.loaders.pdf.pdf_picture import PagePicture, page_picture
from pincite.places import PagePlace, place_of

from .pdf_files import FULL_PICTURE, make_pdf, print_at

SIZE = "/MediaBox [0 0 200 100]"


def drawn(pdf: bytes, number: int = 1, **options: int) -> PagePicture:
    picture = page_picture(pdf, number, **{"width": 400, **options})
    assert picture is not None
    return picture


def pixels(picture: PagePicture) -> npt.NDArray[np.uint8]:
    """Red, green and blue of each pixel, as PNG (ISO/IEC 15948) says."""
    assert picture.png.startswith(b"\x89PNG\r\n\x1a\n")
    chunks: dict[bytes, bytes] = {}
    at = 8
    while at < len(picture.png):
        size, name = struct.unpack(">I4s", picture.png[at : at + 8])
        data = picture.png[at + 8 : at + 8 + size]
        (checksum,) = struct.unpack(">I", picture.png[at + 8 + size : at + 12 + size])
        assert checksum == zlib.crc32(name + data)
        chunks[name] = data
        at += 12 + size
    width, height, depth, form, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (width, height, depth, rest) == (picture.width, picture.height, 8, [0, 0, 0])
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    assert not rows[:, 0].any()
    if form == 3:
        palette = np.frombuffer(chunks[b"PLTE"], np.uint8).reshape(-1, 3)
        return palette[rows[:, 1:]]
    return rows[:, 1:].reshape(height, width, 3)


def test_words_are_drawn_inside_of_the_box_that_their_place_gives() -> None:
    pdf = make_pdf([print_at(60, 50, "Lamp")], page=SIZE)
    document = document_of_bytes(pdf, name="a.pdf")
    place = place_of(document.marks, 0, 4)
    assert isinstance(place, PagePlace)
    (box,) = place.pages[0].boxes
    picture = drawn(pdf)
    assert (picture.width, picture.height) == (400, 200)
    rows, columns = np.nonzero(pixels(picture).min(axis=2) < 128)
    assert 400 * box.left - 2 <= columns.min() < columns.max() <= 400 * box.right + 2
    assert 200 * box.top - 2 <= rows.min() < rows.max() <= 200 * box.bottom + 2


def test_a_page_that_is_turned_is_drawn_as_it_is_shown() -> None:
    pdf = make_pdf([print_at(60, 50, "Lamp")], page=f"{SIZE} /Rotate 90")
    picture = drawn(pdf, width=100)
    assert (picture.width, picture.height) == (100, 200)


def test_few_colours_and_many_are_both_drawn_as_they_are() -> None:
    grey = pixels(drawn(make_pdf([FULL_PICTURE], page=SIZE), width=50))
    assert {tuple(colour) for colour in grey.reshape(-1, 3)} == {(128, 128, 128)}
    many = "".join(
        f"{n % 16 / 15:.3f} {n // 16 / 31:.3f} 0.5 rg {n % 32 * 6} {n // 32 * 6} 6 6 re f\n"
        for n in range(512)
    )
    found = pixels(drawn(make_pdf([many], page=SIZE), width=200))
    assert len(np.unique(found.reshape(-1, 3), axis=0)) > 256
    assert tuple(found[-3, 3]) == (0, 0, 128)


def test_the_same_page_gives_the_same_bytes() -> None:
    pdf = make_pdf([print_at(60, 50, "Lamp")], page=SIZE)
    assert drawn(pdf).png == drawn(pdf).png


def test_a_page_that_is_far_too_tall_is_drawn_narrower() -> None:
    picture = drawn(make_pdf([""], page="/MediaBox [0 0 10 10000]"), width=2_000)
    assert picture.width * picture.height <= 16_100_000


def test_where_there_is_no_page_to_draw_there_is_no_picture() -> None:
    pdf = make_pdf([print_at(60, 50, "Lamp")], page=SIZE)
    locked = make_pdf([print_at(60, 50, "Lamp")], password="key", page=SIZE)
    assert page_picture(pdf, 0, width=10) is None
    assert page_picture(pdf, 2, width=10) is None
    assert page_picture(b"no PDF", 1, width=10) is None
    assert page_picture(locked, 1, width=10) is None
    assert page_picture(locked, 1, width=10, passwords=("key",)) is not None
    with pytest.raises(ValueError, match="a width of 1 pixel or more"):
        page_picture(pdf, 1, width=0)
