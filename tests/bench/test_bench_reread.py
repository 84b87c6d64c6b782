"""The second readers of the bench: each finds the words at a place, and misses words elsewhere."""

from __future__ import annotations

import datetime as dt
import io
import json
import zipfile

import openpyxl
import pytest
from bench.reread import compare
from bench.reread_cells import shows
from bench.reread_pages import page_words
from bench.reread_words import Stretch, Verdict, bare, decoded

from pincite.places import (
    Box,
    CellPlace,
    ChapterPlace,
    ElementPlace,
    MemberPlace,
    MessagePlace,
    NodePlace,
    NotebookPlace,
    Page,
    PagePlace,
    ParagraphPlace,
    Place,
    SlidePlace,
    TimePlace,
)


def verdict(data: bytes, place: Place, *words: str) -> Verdict:
    return compare(data, "file", place, [Stretch(one, one) for one in words]).verdict


def archive_of(files: dict[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def pdf(*lines: tuple[int, str], note: str = "") -> bytes:
    """A page of 200 by 100 points with words in a font of equal widths, at heights from below.

    `note` is the rectangle of an annotation on it.
    """
    shown = "".join(f"BT /F 10 Tf 20 {height} Td ({words}) Tj ET " for height, words in lines)
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 200 100]>>",
        "<</Type/Page/Parent 2 0 R/Contents 4 0 R"
        f"/Annots[{f'<</Type/Annot/Subtype/Highlight/Rect[{note}]>>' if note else ''}]"
        "/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>>>>>",
        f"<</Length {len(shown)}>>stream\n{shown}\nendstream",
    ]
    body = b"%PDF-1.4\n"
    offsets = []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += f"{number} 0 obj{content}endobj\n".encode()
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    end = f"xref\n0 5\n0000000000 65535 f \n{table}trailer<</Size 5/Root 1 0 R>>\n"
    return body + f"{end}startxref\n{len(body)}\n%%EOF".encode()


def on_page(*boxes: Box) -> PagePlace:
    return PagePlace((Page(1, boxes=boxes),))


LINE = Box(0.1, 0.2, 0.4, 0.32)
"""Letters are 6 points wide, 0.03 of the page, from 0.1 on; the line stands at 70 of 100."""


def test_the_words_of_a_page_are_those_inside_the_boxes():
    data = pdf((70, "alpha beta"), (40, "gamma"))
    assert page_words(data, 1, [LINE]) == "alphabeta"
    assert verdict(data, on_page(LINE), "alpha beta") is Verdict.EXACT
    assert verdict(data, on_page(Box(0.1, 0.2, 0.25, 0.32)), "alpha") is Verdict.EXACT


def test_words_with_an_annotation_on_them_stand_where_the_page_shows_them():
    data = pdf((70, "alpha beta"), (40, "gamma"), note="20 65 80 80")
    assert page_words(data, 1, [LINE]) == "alphabeta"


def test_a_box_a_letter_short_or_on_another_line_is_wrong():
    data = pdf((70, "alpha beta"), (40, "gamma"))
    assert verdict(data, on_page(Box(0.1, 0.2, 0.22, 0.32)), "alpha") is Verdict.WRONG
    assert verdict(data, on_page(LINE), "gamma") is Verdict.WRONG


def test_a_box_that_is_too_wide_is_not_exact():
    assert verdict(pdf((70, "alpha beta")), on_page(LINE), "alpha") is Verdict.INSIDE


def test_a_hyphen_that_parts_a_word_is_layout():
    data = pdf((70, "alpha-"), (40, "bet"))
    lines = on_page(Box(0.1, 0.2, 0.4, 0.32), Box(0.1, 0.5, 0.4, 0.62))
    assert verdict(data, lines, "alphabet") is Verdict.EXACT


def workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Prices"
    for row in (["Item", "Fee"], ["Lamp", 1234.5], ["Desk", 80]):
        sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def test_a_cell_of_a_workbook_shows_its_value_however_it_is_formatted():
    lamp = CellPlace("Prices", 2, 2, 2, 2)
    assert verdict(workbook(), lamp, "1,234.50 €") is Verdict.EXACT
    assert verdict(workbook(), lamp, "80") is Verdict.WRONG
    assert verdict(workbook(), CellPlace("Prices", 2, 3, 2, 3), "1,234.50 €") is Verdict.WRONG


def test_a_range_of_cells_that_reaches_further_than_its_words_is_not_exact():
    assert verdict(workbook(), CellPlace("Prices", 1, 2, 2, 2), "Lamp", "1234.5") is Verdict.EXACT
    assert verdict(workbook(), CellPlace("Prices", 1, 2, 2, 3), "Lamp", "1234.5") is Verdict.INSIDE


def test_a_sheet_that_is_not_there_is_wrong():
    assert verdict(workbook(), CellPlace("Fees", 1, 1, 1, 1), "Item") is Verdict.WRONG


def test_a_cell_of_a_table_in_text_is_found_by_record_and_value():
    data = b'name;note\nLamp;"two\nlines"\nDesk;oak\n'
    assert verdict(data, CellPlace("", 2, 2, 2, 2), "two lines") is Verdict.EXACT
    assert verdict(data, CellPlace("", 2, 3, 2, 3), "oak") is Verdict.EXACT
    assert verdict(data, CellPlace("", 2, 3, 2, 3), "two lines") is Verdict.WRONG


@pytest.mark.parametrize(
    ("value", "words", "may"),
    [
        (0.175, "17.5%", True),
        (0.175, "17.5", False),
        (2.346, "2.35", True),
        (2.346, "2.36", False),
        (-3, "(3)", True),
        (-3, "3", False),
        (True, "TRUE", True),
        (dt.datetime(2024, 3, 9), "09.03.2024", True),
        (dt.datetime(2024, 3, 9), "9 Mar 2024", True),
        (dt.datetime(2024, 3, 9), "10.03.2024", False),
        (dt.time(14, 30), "2:30 PM", True),
    ],
)
def test_what_may_be_shown_for_a_value(value: object, words: str, may: bool):
    assert shows(value, words) is may


PAGE = "<p>Fees &amp; <b>ter</b>ms</p><script>fees</script><p>Hours</p>"


def test_the_markup_of_an_element_place_holds_its_words():
    at = PAGE.index("Fees")
    place = ElementPlace("/html/body/p[1]", start=at, end=PAGE.index("</p>"))
    assert verdict(PAGE.encode(), place, "Fees & terms") is Verdict.EXACT
    assert verdict(PAGE.encode(), place, "Hours") is Verdict.WRONG


def test_an_element_place_that_is_a_sign_short_is_wrong():
    at = PAGE.index("Hours")
    hours = "/html/body/p[2]"
    assert verdict(PAGE.encode(), ElementPlace(hours, "", at, at + 5), "Hours") is Verdict.EXACT
    assert verdict(PAGE.encode(), ElementPlace(hours, "", at, at + 4), "Hours") is Verdict.WRONG


@pytest.mark.parametrize("path", ["/html/body/p[1]", "/html/body/p[3]", "/html/body/p", "/html/p"])
def test_an_element_place_whose_path_leads_elsewhere_is_wrong(path: str):
    at = PAGE.index("Hours")
    assert verdict(PAGE.encode(), ElementPlace(path, "", at, at + 5), "Hours") is Verdict.WRONG


def test_the_id_of_an_element_place_is_the_nearest():
    page = '<div id="all"><p id="one">Tides</p><p>Winds</p><h2><a id="sea"></a>Sea</h2></div>'

    def found(path: str, identifier: str, words: str) -> Verdict:
        at = page.index(words)
        place = ElementPlace(f"/html/body/div/{path}", identifier, at, at + len(words))
        return verdict(page.encode(), place, words)

    assert found("p[1]", "one", "Tides") is Verdict.EXACT
    assert found("p[1]", "all", "Tides") is Verdict.WRONG
    assert found("p[2]", "all", "Winds") is Verdict.EXACT
    assert found("h2", "sea", "Sea") is Verdict.EXACT


def test_a_page_in_xml_has_the_elements_that_are_written():
    page = '<html xmlns="http://www.w3.org/1999/xhtml"><table><tr><td>Fee</td></tr></table></html>'
    at = page.index("Fee")
    for path in ("/html/table/tr/td", "/html/body/table/tbody/tr/td"):
        assert verdict(page.encode(), ElementPlace(path, "", at, at + 3), "Fee") is Verdict.EXACT


def test_paragraphs_of_rich_text_are_counted_with_empty_ones_and_cells():
    data = rb"{\rtf1\ansi One\par\par Three\par \trowd Four\cell Five\cell\row Six\par}"
    for number, words in ((1, "One"), (3, "Three"), (4, "Four"), (5, "Five"), (6, "Six")):
        assert verdict(data, ParagraphPlace(number, number), words) is Verdict.EXACT
    assert verdict(data, ParagraphPlace(2, 2), "Three") is Verdict.WRONG


def test_text_is_decoded_by_mark_by_name_and_without_either():
    assert decoded("\ufeffä".encode("utf-16-le")) == "ä"
    assert decoded('<meta charset="koi8-r">Да'.encode("koi8-r")).endswith("Да")
    assert decoded("naïve".encode("cp1252")) == "naïve"
    assert decoded(("a" * 60).encode("utf-16-le")) == "a" * 60


def test_a_place_in_an_archive_is_looked_up_in_the_member():
    data = archive_of({"a.csv": "x,y\n1,2\n", "b.csv": "x,y\n3,4\n"})
    cell = CellPlace("", 2, 2, 2, 2)
    assert verdict(data, MemberPlace("b.csv", cell), "4") is Verdict.EXACT
    assert verdict(data, MemberPlace("a.csv", cell), "4") is Verdict.WRONG
    assert verdict(data, MemberPlace("c.csv", cell), "4") is Verdict.WRONG
    assert verdict(data, MemberPlace("a.csv"), "a.csv") is Verdict.INSIDE


def test_a_place_in_a_book_is_looked_up_in_its_chapter():
    data = archive_of({"one.xhtml": "<p>Tides</p>", "two.xhtml": "<p>Winds</p>"})
    tides = ElementPlace("/html/body/p", start=3, end=8)
    assert verdict(data, ChapterPlace(1, "Sea", "one.xhtml", tides), "Tides") is Verdict.EXACT
    assert verdict(data, ChapterPlace(2, "Air", "two.xhtml", tides), "Tides") is Verdict.WRONG


MAIL = b"""From: =?utf-8?q?J=C3=B6rg?= <j@example.org>
Subject: Lamps
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=x

--x
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

The caf=C3=A9 opens at eight.
--x
Content-Type: text/csv
Content-Disposition: attachment; filename=fees.csv

item,fee
lamp,12
--x--
"""


def test_words_of_a_message_are_found_in_its_header_body_and_attachment():
    fee = MessagePlace(1, "attachment", "fees.csv", within=CellPlace("", 2, 2, 2, 2))
    body = MessagePlace(1, "body")
    assert (
        verdict(MAIL, MessagePlace(1, "header", "From"), "Jörg <j@example.org>") is Verdict.INSIDE
    )
    assert verdict(MAIL, MessagePlace(1, "header", "From"), "Lamps") is Verdict.WRONG
    assert verdict(MAIL, body, "The café opens at eight.") is Verdict.INSIDE
    assert verdict(MAIL, body, "lamp") is Verdict.WRONG
    assert verdict(MAIL, fee, "12") is Verdict.EXACT
    assert verdict(MAIL, MessagePlace(2, "body"), "The café") is Verdict.WRONG


def test_messages_of_a_mailbox_are_counted():
    box = b"From a 1\nSubject: One\n\nfirst\n\nFrom b 2\nSubject: Two\n\nsecond\n"
    assert verdict(box, MessagePlace(2, "body"), "second") is Verdict.INSIDE
    assert verdict(box, MessagePlace(1, "body"), "second") is Verdict.WRONG


W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def word_paragraph(words: str) -> str:
    return f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p>"


def test_paragraphs_of_a_word_document_are_counted_with_those_in_tables():
    cells = "".join(f"<w:tc>{word_paragraph(words)}</w:tc>" for words in ("Lamp", "12"))
    box = f"<w:p><w:r><w:txbxContent>{word_paragraph('boxed')}</w:txbxContent></w:r></w:p>"
    body = f"{word_paragraph('one')}<w:tbl><w:tr>{cells}</w:tr></w:tbl>{box}{word_paragraph('two')}"
    data = archive_of(
        {
            "[Content_Types].xml": "<Types/>",
            "word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>",
        }
    )
    fee = ParagraphPlace(3, 3, table=1, row=1, column=2)
    assert verdict(data, fee, "12") is Verdict.EXACT
    assert verdict(data, ParagraphPlace(5, 5), "two") is Verdict.EXACT
    assert verdict(data, ParagraphPlace(4, 4), "two") is Verdict.WRONG
    assert verdict(data, ParagraphPlace(1, 1, "text boxes"), "boxed") is Verdict.EXACT
    assert verdict(data, ParagraphPlace(3, 3, table=2, row=1, column=2), "12") is Verdict.WRONG


def test_paragraphs_of_an_open_document_are_counted_without_what_was_deleted():
    body = (
        "<o:text><t:tracked-changes><t:p>gone</t:p></t:tracked-changes>"
        "<t:h>Title</t:h><t:p>one<t:s/>two<t:note t:note-class='footnote'><t:note-body>"
        "<t:p>below</t:p></t:note-body></t:note></t:p><t:p>three</t:p></o:text>"
    )
    data = archive_of({"content.xml": f"<o:body xmlns:o='o' xmlns:t='t'>{body}</o:body>"})
    assert verdict(data, ParagraphPlace(2, 2), "one two") is Verdict.EXACT
    assert verdict(data, ParagraphPlace(3, 3), "three") is Verdict.EXACT
    assert verdict(data, ParagraphPlace(1, 1, "footnotes"), "below") is Verdict.EXACT
    assert verdict(data, ParagraphPlace(1, 1), "gone") is Verdict.WRONG


def test_slides_are_counted_in_the_order_they_are_shown():
    ns = "xmlns:p='p' xmlns:a='a' xmlns:r='r'"
    relation = "<Relationship Id='{}' Type='x/{}' Target='{}'/>"
    slide = f"<p:sld {ns}><a:p><a:r><a:t>{{}}</a:t></a:r></a:p></p:sld>"
    listed = "<p:sldId id='256' r:id='r2'/><p:sldId id='257' r:id='r1'/>"
    first = relation.format("r1", "slide", "slides/one.xml")
    second = relation.format("r2", "slide", "slides/two.xml")
    notes = relation.format("n", "notesSlide", "../notes/two.xml")
    data = archive_of(
        {
            "ppt/presentation.xml": f"<p:presentation {ns}>{listed}</p:presentation>",
            "ppt/_rels/presentation.xml.rels": f"<Relationships>{first}{second}</Relationships>",
            "ppt/slides/one.xml": slide.format("Plans"),
            "ppt/slides/two.xml": slide.format("Fees"),
            "ppt/slides/_rels/two.xml.rels": f"<Relationships>{notes}</Relationships>",
            "ppt/notes/two.xml": slide.format("Say it slowly"),
        }
    )
    assert verdict(data, SlidePlace(2, 2), "Plans") is Verdict.EXACT
    assert verdict(data, SlidePlace(1, 1), "Plans") is Verdict.WRONG
    assert verdict(data, SlidePlace(1, 1, notes=True), "Say it slowly") is Verdict.EXACT
    assert verdict(data, SlidePlace(2, 2, notes=True), "Say it slowly") is Verdict.WRONG


def test_a_json_pointer_leads_to_its_value_and_key():
    data = b'{"shop": {"a/b": ["oak", "caf\\u00e9"]}, "open": 8.50}'
    assert verdict(data, NodePlace("/shop/a~1b/1"), '"caf\\u00e9"') is Verdict.INSIDE
    assert verdict(data, NodePlace("/open"), '"open": 8.50') is Verdict.EXACT
    assert verdict(data, NodePlace("/shop/a~1b/0"), '"caf\\u00e9"') is Verdict.WRONG
    assert verdict(data, NodePlace("/shop/c"), "oak") is Verdict.WRONG


def test_a_pointer_leads_to_its_value_in_yaml():
    data = b"shop:\n  - name: Oak\n    open: 08:00\n  - name: Pine\n"
    assert verdict(data, NodePlace("/shop/0/open"), "open: 08:00") is Verdict.EXACT
    assert verdict(data, NodePlace("/shop/1/name"), "name: Oak") is Verdict.WRONG


def test_an_xpath_leads_to_its_element():
    items = b"<x:item id='1'>Oak</x:item><x:item>Pine &amp; ash</x:item>"
    data = b"<?xml version='1.0'?><shop>%s</shop>" % items
    oak, pine = NodePlace("/shop/x:item[1]"), NodePlace("/shop/x:item[2]")
    assert verdict(data, oak, "<x:item id='1'>Oak</x:item>") is Verdict.EXACT
    assert verdict(data, pine, "Pine &amp; ash") is Verdict.INSIDE
    assert verdict(data, oak, "Pine &amp; ash") is Verdict.WRONG
    assert verdict(data, NodePlace("/shop/x:item[3]"), "Oak") is Verdict.WRONG


def test_cells_of_a_notebook_are_counted():
    cells = [
        {"cell_type": "markdown", "source": ["# Tides\n", "high"]},
        {"cell_type": "code", "source": "1 + 1", "outputs": [{"data": {"text/plain": ["2"]}}]},
    ]
    data = json.dumps({"cells": cells}).encode()
    assert verdict(data, NotebookPlace(1, 1, "markdown"), "# Tides high") is Verdict.INSIDE
    assert verdict(data, NotebookPlace(2, 2, "output"), "2") is Verdict.INSIDE
    assert verdict(data, NotebookPlace(2, 2), "Tides") is Verdict.WRONG


def test_words_of_a_recording_are_found_at_their_time():
    data = (
        b"WEBVTT\n\n1\n00:01.000 --> 00:02.500\n<v Ann>Good morning.\n\n"
        b"00:00:03.000 --> 00:00:04.000\nTea?\nOr water?\n"
    )
    assert verdict(data, TimePlace(1000, 2500, "Ann"), "Good morning.") is Verdict.INSIDE
    assert verdict(data, TimePlace(3000, 4000), "Tea? Or water?") is Verdict.EXACT
    assert verdict(data, TimePlace(3000, 4000), "Good morning.") is Verdict.WRONG


def test_white_space_ligatures_and_signs_not_seen_are_no_difference():
    assert bare("of\ufb01ce\u00ad \u200bhours\n") == "officehours"
