"""Books are read chapter by chapter, each with its title, its file and the place in it."""

from __future__ import annotations

import io
import zipfile

import pytest

from pincite.loaders.extracted import DEFAULT, Extracted, UnreadableContent
from pincite.loaders.formats import extract as extract_any
from pincite.places import ChapterPlace, ElementPlace, place_of
from pincite.records import BlockKind

CONTAINER = """<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
<rootfile full-path="book/p.opf" media-type="application/oebps-package+xml"/>
</rootfiles></container>"""
PACKAGE = """<package xmlns="http://www.idpf.org/2007/opf"
 xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>On Desks</dc:title></metadata>
<manifest><item id="two" href="text/two%20b.xhtml" media-type="application/xhtml+xml"/>
<item id="one" href="one.xhtml" media-type="application/xhtml+xml"/>
<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="c" href="a.css" media-type="text/css"/></manifest>
<spine toc="n"><itemref idref="one"/><itemref idref="two"/></spine></package>"""
CONTENTS = """<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://127.0.0.1:1/ncx.dtd">
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap>
<navPoint><navLabel><text>Buying</text></navLabel><content src="one.xhtml"/></navPoint>
<navPoint><navLabel><text>Care</text></navLabel><content src="text/two%20b.xhtml#top"/></navPoint>
</navMap></ncx>"""
ONE = '<?xml version="1.0"?><html><body><h1>Fees</h1><p id="x">Nine&#160;euros.</p></body></html>'
TWO = '<?xml version="1.0" encoding="iso-8859-1"?><html><body><p>Öl once a year.</p></body></html>'
FILES: dict[str, str | bytes] = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": CONTAINER,
    "book/p.opf": PACKAGE,
    "book/toc.ncx": CONTENTS,
    "book/one.xhtml": ONE,
    "book/text/two b.xhtml": TWO.encode("latin-1"),
}


def book(changes: dict[str, str | bytes | None] = {}) -> bytes:  # noqa: B006
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**FILES, **changes}.items():
            if content is not None:
                archive.writestr(name, content)
    return packed.getvalue()


def read(data: bytes) -> Extracted:
    form, made = extract_any(data, "a.epub", DEFAULT)
    assert form.name == "epub"
    return made


def test_chapters_are_read_in_order_with_the_titles_of_the_contents() -> None:
    made = read(book())
    assert made.title == "On Desks"
    assert made.text == "Fees\n\nNine\xa0euros.\n\nCare\n\nÖl once a year.\n"
    assert [block.heading_path for block in made.blocks] == [
        ("Fees",), ("Fees",), ("Care",), ("Care",),
    ]  # fmt: skip
    at = made.text.index("euros")
    assert place_of(made.marks, at, at + 5) == ChapterPlace(
        1, "Buying", "book/one.xhtml",
        ElementPlace("/html/body/p", "x", ONE.index("euros"), ONE.index("euros") + 5),
    )  # fmt: skip
    at = made.text.index("once")
    assert place_of(made.marks, at, at + 4) == ChapterPlace(
        2, "Care", "book/text/two b.xhtml",
        ElementPlace("/html/body/p", "", TWO.index("once"), TWO.index("once") + 4),
    )  # fmt: skip


def test_titles_come_from_the_navigation_of_newer_books_too() -> None:
    package = PACKAGE.replace(
        '<item id="n" href="toc.ncx" media-type="application/x-dtbncx+xml"/>',
        '<item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>',
    )
    nav = (
        '<html><body><nav epub:type="landmarks"><a href="one.xhtml">Start</a></nav>'
        '<nav epub:type="toc"><ol><li><a href="one.xhtml#x"><b>Buying</b> &amp; more</a></li></ol>'
        "</nav></body></html>"
    )
    made = read(book({"book/p.opf": package, "book/nav.xhtml": nav}))
    place = place_of(made.marks, 0, 4)
    assert isinstance(place, ChapterPlace)
    assert place.title == "Buying & more"


def test_a_protected_book_is_refused_and_one_with_hidden_fonts_is_not() -> None:
    def encryption(method: str, path: str) -> str:
        return (
            '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container"'
            ' xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>'
            f'<enc:EncryptionMethod Algorithm="{method}"/><enc:CipherData>'
            f'<enc:CipherReference URI="{path}"/></enc:CipherData></enc:EncryptedData></encryption>'
        )

    fonts = encryption("http://www.idpf.org/2008/embedding", "book/one.xhtml")
    assert "Nine" in read(book({"META-INF/encryption.xml": fonts})).text
    one = encryption("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "book/one.xhtml")
    made = read(book({"META-INF/encryption.xml": one}))
    assert made.text == "Care\n\nÖl once a year.\n"
    assert made.notes == ("1 of 2 chapters were not read: book/one.xhtml is encrypted",)
    package = PACKAGE.replace('<itemref idref="two"/>', "")
    with pytest.raises(UnreadableContent, match="DRM"):
        read(book({"META-INF/encryption.xml": one, "book/p.opf": package}))


def test_a_missing_chapter_is_said_and_the_others_are_read() -> None:
    made = read(book({"book/one.xhtml": None}))
    assert made.notes == ("1 of 2 chapters were not read: book/one.xhtml: is missing in the book",)
    assert "Öl once a year." in made.text


def test_without_a_container_or_a_spine_the_chapters_are_found_all_the_same() -> None:
    broken = PACKAGE.partition("<spine")[0]
    made = read(book({"META-INF/container.xml": None, "book/p.opf": broken}))
    assert "Nine" in made.text
    assert "Öl" in made.text
    assert "damaged" in made.notes[0]


def test_an_entity_bomb_in_the_package_is_refused() -> None:
    bomb = '<!DOCTYPE p [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;">]>' + PACKAGE
    with pytest.raises(UnreadableContent, match="entity"):
        read(book({"book/p.opf": bomb}))


def test_a_chapter_that_unpacks_to_too_much_is_not_read() -> None:
    made = read(book({"book/one.xhtml": b"<p>" + bytes(70 * 1024 * 1024)}))
    assert "1 of 2 chapters were not read" in made.notes[0]
    assert "Öl once a year." in made.text


def test_a_damaged_book_is_refused_with_what_to_do() -> None:
    with pytest.raises(UnreadableContent, match="damaged or cut off"):
        read(book()[:200])
    with pytest.raises(UnreadableContent, match="no package file"):
        read(book({"META-INF/container.xml": None, "book/p.opf": None}))


def test_a_table_of_contents_in_the_book_is_not_quotable() -> None:
    one = '<html><body><nav><ol><li><a href="two%20b.xhtml">Care</a></li></ol></nav></body></html>'
    made = read(book({"book/one.xhtml": one}))
    assert made.blocks[0].kind is BlockKind.MARKUP
