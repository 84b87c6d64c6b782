"""What is printed in a PDF is read in reading order, and each word's place on its page is known."""

from __future__ import annotations

import pypdfium2
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.loaders.pdf import pdf, pdf_pages
from pincite.places import Page, PagePlace, place_of
from pincite.records import BlockKind, Need
from tests.loaders.pdf_files import FULL_PICTURE, make_pdf, print_at, print_lines


def read(data: bytes) -> Extracted:
    return pdf.extract(data, "a.pdf", LoadSettings())


def pages_at(read: Extracted, words: str) -> tuple[Page, ...]:
    start = read.text.index(words)
    place = place_of(read.marks, start, start + len(words))
    assert isinstance(place, PagePlace)
    return place.pages


def contents(read: Extracted) -> list[str]:
    return [block.span.of(read.text) for block in read.blocks]


def test_words_are_found_where_they_are_printed() -> None:
    # Helvetica: "The fee is " 4.7 em wide, "nine euros" 4.9 em; a page of 600 by 800.
    found = read(make_pdf([print_at(60, 700, "The fee is nine euros.", size=20)]))
    assert found.text == "The fee is nine euros.\n"
    (page,) = pages_at(found, "nine euros")
    assert (page.number, page.label, page.first_line, page.last_line) == (1, "", 1, 1)
    (box,) = page.boxes
    # Widths in 1/1000 em: "The fee is " 611+556+556+278+278+556+556+278+222+500+278.
    left = 60 + 20 * 4.669
    width = 20 * (556 + 222 + 556 + 556 + 278 + 556 + 556 + 333 + 556 + 500) / 1000
    assert abs(box.left - left / 600) < 0.001
    assert abs(box.right - (left + width) / 600) < 0.001
    assert box.top < 1 - 700 / 800 < box.bottom


def test_lines_become_a_paragraph_and_a_quote_over_a_line_end_has_two_boxes() -> None:
    found = read(
        make_pdf([print_lines(60, 700, "The fee for one desk lamp is nine", "euros a year.")])
    )
    assert contents(found) == ["The fee for one desk lamp is nine euros a year."]
    (page,) = pages_at(found, "nine euros")
    assert (page.first_line, page.last_line, len(page.boxes)) == (1, 2, 2)
    assert page.boxes[0].left > page.boxes[1].right
    assert page.boxes[0].bottom <= page.boxes[1].top + 0.002


def test_a_line_that_ends_early_ends_its_paragraph() -> None:
    found = read(
        make_pdf(
            [
                print_lines(
                    60, 700, "Lamps are lent for one year at most, and", "never longer.",
                    "Chairs are lent for two.",
                )
            ]
        )
    )  # fmt: skip
    assert contents(found) == [
        "Lamps are lent for one year at most, and never longer.",
        "Chairs are lent for two.",
    ]


def test_a_word_parted_at_a_line_end_is_one_word_with_both_its_places() -> None:
    found = read(
        make_pdf(
            [
                print_lines(
                    60, 700, "A registration is needed, and every regis-", "tration costs nine.",
                )
            ]
        )
    )  # fmt: skip
    assert "every registration costs" in found.text
    (page,) = pages_at(found, "every registration")
    assert len(page.boxes) == 2


def test_a_compound_keeps_its_hyphen_at_a_line_end() -> None:
    found = read(
        make_pdf(
            [
                print_lines(
                    60, 700, "The long-term plan is to make every long-", "term loan cost nine.",
                )
            ]
        )
    )  # fmt: skip
    assert "every long-term loan" in found.text


def test_two_columns_are_read_one_after_the_other_however_they_are_written() -> None:
    left = [f"left column words number {n} go" for n in "abcdef"]
    right = [f"right column words number {n} on" for n in "abcdef"]
    by_column = print_lines(60, 700, *left) + print_lines(320, 700, *right)
    by_row = "".join(
        print_at(60, 700 - 12 * n, one) + print_at(320, 700 - 12 * n, other)
        for n, (one, other) in enumerate(zip(left, right, strict=True))
    )
    for content in (by_column, by_row):
        text = " ".join(read(make_pdf([content])).text.split())
        assert text == " ".join([*left, *right])


def test_a_sentence_goes_on_over_the_page_break_and_running_lines_are_no_part_of_it() -> None:
    body = [
        print_lines(60, 150, "The first page ends with a sentence that", "goes on with the number"),
        print_lines(60, 700, "nine on the second page. Then it ends."),
        print_lines(60, 700, "A third page."),
    ]
    pages = [
        print_at(60, 770, "Rules of lending") + content + print_at(300, 30, f"Page {number} of 3")
        for number, content in enumerate(body, 1)
    ]
    found = read(make_pdf(pages))
    assert contents(found)[0] == (
        "The first page ends with a sentence that goes on with the number nine on the second page."
        " Then it ends."
    )
    assert [page.number for page in pages_at(found, "number nine")] == [1, 2]
    running = [block for block in found.blocks if block.kind is BlockKind.MARKUP]
    assert {block.span.of(found.text) for block in running} == {
        "Rules of lending",
        "Page 1 of 3 Page 2 of 3 Page 3 of 3",
    }
    assert pages_at(found, "Page 2 of 3")[0].number == 2


def test_headings_are_told_by_their_print() -> None:
    body = ["Words that are set in the size of the body go on here", "for a second line."]
    found = read(
        make_pdf(
            [
                print_at(60, 740, "Lending", size=20)
                + print_at(60, 710, "Fees", font="F2")
                + print_lines(60, 690, *body)
                + print_at(60, 650, "Terms", font="F2")
                + print_lines(60, 630, *body)
            ]
        )
    )
    assert [(block.kind, block.heading_path) for block in found.blocks] == [
        (BlockKind.HEADING, ("Lending",)),
        (BlockKind.HEADING, ("Lending", "Fees")),
        (BlockKind.PARAGRAPH, ("Lending", "Fees")),
        (BlockKind.HEADING, ("Lending", "Terms")),
        (BlockKind.PARAGRAPH, ("Lending", "Terms")),
    ]
    assert found.title == "Lending"


def test_items_of_a_list_are_told_by_their_markers() -> None:
    found = read(
        make_pdf(
            [
                print_at(60, 700, "What is lent:")
                + print_at(70, 685, "\x95 desk lamps of every kind that there is, and also")
                + print_at(80, 673, "their bulbs")
                + print_at(70, 661, "\x95 chairs")
            ]
        )
    )
    assert contents(found) == [
        "What is lent:",
        "- desk lamps of every kind that there is, and also their bulbs",
        "- chairs",
    ]
    assert [block.group for block in found.blocks] == [0, 1, 1]


def test_labels_of_pages_are_those_of_the_file() -> None:
    catalog = "/PageLabels << /Nums [0 << /S /r >> 1 << /S /D /St 1 >>] >>"
    found = read(make_pdf([print_at(60, 700, "A"), print_at(60, 700, "B")], catalog=catalog))
    assert [pages_at(found, word)[0].label for word in "AB"] == ["i", "1"]


@pytest.mark.parametrize(
    ("page", "left", "baseline"),
    [
        ("/MediaBox [0 0 600 800]", 160 / 600, 100 / 800),
        ("/MediaBox [100 50 700 850]", 60 / 600, 150 / 800),
        ("/MediaBox [0 0 600 800] /CropBox [130 0 430 800]", 30 / 300, 100 / 800),
    ],
)
def test_boxes_count_from_the_top_left_of_what_is_shown(
    page: str, left: float, baseline: float
) -> None:
    found = read(make_pdf([print_at(160, 700, "Ab", size=20)], page=page))
    (box,) = pages_at(found, "Ab")[0].boxes
    assert abs(box.left - left) < 0.001
    assert baseline - 0.025 < box.top < baseline < box.bottom < baseline + 0.01


@pytest.mark.parametrize("turns", [90, 180, 270])
def test_boxes_are_those_of_the_page_as_it_is_turned(turns: int) -> None:
    page = f"/MediaBox [0 0 600 800] /Rotate {turns}"
    found = read(make_pdf([print_at(60, 700, "word", size=20)], page=page))
    (box,) = pages_at(found, "word")[0].boxes
    middle = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    # The word is at (60 to 103, 700 to 720) of 600 by 800, near the top left before it is turned.
    across, down = 82 / 600, 1 - 707 / 800
    expected = {90: (1 - down, across), 180: (1 - across, 1 - down), 270: (down, 1 - across)}
    assert abs(middle[0] - expected[turns][0]) < 0.01
    assert abs(middle[1] - expected[turns][1]) < 0.01


@pytest.mark.parametrize(
    ("operators", "reason"),
    [
        (f"3 Tr {print_at(60, 600, 'secret')} 0 Tr", "invisible"),
        (f"1 g {print_at(60, 600, 'secret')} 0 g", "white on white"),
        (print_at(60, 600, "secret", size=0.1), "too small to be seen"),
        (print_at(900, 600, "secret"), "outside the page"),
    ],
)
def test_what_a_reader_does_not_see_is_left_out_and_reported(operators: str, reason: str) -> None:
    found = read(make_pdf([print_at(60, 700, "seen") + operators]))
    assert found.text == "seen\n"
    assert found.notes == (f"left out 6 characters that a reader does not see ({reason}): page 1",)


def test_white_words_on_a_dark_ground_are_seen() -> None:
    dark = "0.2 g 50 590 200 30 re f\n"
    found = read(make_pdf([dark + f"1 g {print_at(60, 600, 'white')} 0 g"]))
    assert found.text == "white\n"
    assert found.notes == ()


@pytest.mark.parametrize("length", [20, 60, 200])
def test_a_file_that_is_cut_off_says_so(length: int) -> None:
    data = make_pdf([print_at(60, 700, "Words.")])[:length]
    with pytest.raises(UnreadableContent, match="damaged"):
        read(data)


def test_a_loop_in_the_page_tree_ends() -> None:
    data = make_pdf([print_at(60, 700, "Words.")])
    looped = data.replace(b"/Kids [5 0 R]", b"/Kids [2 0 R]").replace(b"/Count 1", b"/Count 9")
    with pytest.raises(UnreadableContent, match="no page can be read"):
        read(looped)


def rows(*rows: tuple[str, ...], top: float = 600) -> str:
    """Cells at 60, 200 and 340, a row every 14 points."""
    return "".join(
        print_at(60 + 140 * column, top - 14 * row, words)
        for row, cells in enumerate(rows)
        for column, words in enumerate(cells)
        if words
    )


def test_rows_of_a_table_name_their_columns_and_each_cell_has_its_place() -> None:
    table = rows(
        ("Item", "Deposit", "Fee"),
        ("Desk lamp", "20 euros", "9 euros"),
        ("Office chair", "50 euros", "12 euros"),
    )
    found = read(make_pdf([print_at(60, 640, "What lending costs is said below:") + table]))
    assert contents(found)[1:] == [
        "Item | Deposit | Fee",
        "Item: Desk lamp; Deposit: 20 euros; Fee: 9 euros",
        "Item: Office chair; Deposit: 50 euros; Fee: 12 euros",
    ]
    (page,) = pages_at(found, "9 euros")
    (box,) = page.boxes
    assert abs(box.left - 340 / 600) < 0.001
    (page,) = pages_at(found, "Fee: 12 euros")
    assert len(page.boxes) == 1  # Of the value: the head of the column is said again.


@pytest.mark.parametrize("is_said_again", [True, False])
def test_a_table_that_goes_on_over_the_page_is_one(is_said_again: bool) -> None:
    def row(y: float, *cells: str) -> str:
        return "".join(print_at(60 + 150 * n, y, words) for n, words in enumerate(cells))

    head = ("Product", "Colour", "Price")
    first = [head, ("Desk", "green", "40"), ("Lamp", "white", "15")]
    second = [head] * is_said_again + [("Chair", "black", "60"), ("Shelf", "brown", "75")]
    pages = [
        "".join(row(top - 14 * number, *cells) for number, cells in enumerate(rows))
        for top, rows in ((120, first), (740, second))
    ]
    found = read(make_pdf(pages))
    rows = [block for block in found.blocks if block.kind is BlockKind.TABLE_ROW]
    assert len({block.group for block in rows}) == 1
    assert rows[-1].span.of(found.text) == "Product: Shelf; Colour: brown; Price: 75"
    assert [page.number for page in pages_at(found, "brown")] == [2]
    assert found.text.count("Desk") == 1


def test_a_table_under_another_header_is_another_table() -> None:
    def row(y: float, *cells: str, font: str = "F1") -> str:
        return "".join(print_at(60 + 150 * n, y, w, font=font) for n, w in enumerate(cells))

    pages = [
        row(120, "Product", "Colour", "Price", font="F2") + row(106, "Desk", "green", "40"),
        row(740, "Country", "Capital", "People", font="F2") + row(726, "Norway", "Oslo", "5"),
    ]
    text = read(make_pdf(pages)).text
    assert "Product: Desk; Colour: green; Price: 40" in text
    assert "Country: Norway; Capital: Oslo; People: 5" in text


def test_what_has_no_room_in_a_cell_goes_on_in_it() -> None:
    table = rows(
        ("Item", "Use", "Fee"),
        ("Lamp", "for desks that", "9 euros"),
        ("", "have no light", ""),
        ("Chair", "for offices", "12 euros"),
    )
    found = read(make_pdf([table]))
    assert "Item: Lamp; Use: for desks that have no light; Fee: 9 euros" in contents(found)


FILLED_IN = [
    "<< /Type /Annot /Subtype /Widget /FT /Tx /T (name) /V (Ada) /Rect [160 690 300 715] "
    "/F 4 /AP << /N 6 0 R >> >>",
    "<< /Type /XObject /Subtype /Form /BBox [0 0 140 25] /Resources << /Font << /F1 3 0 R >> "
    ">> /Length 37 >>\nstream\nBT /F1 10 Tf 2 10 Td (Ada Lund) Tj ET \nendstream",
]


@pytest.mark.parametrize(
    "size", ["/MediaBox [0 0 600 800]", "/MediaBox [0 0 900 900] /CropBox [0 0 600 800]"]
)
@pytest.mark.parametrize("is_inherited", [False, True])
def test_fields_of_a_form_are_read_as_they_are_filled_in(size: str, is_inherited: bool) -> None:
    data = make_pdf(
        [print_at(60, 700, "Name of the reader:")],
        page="/Annots [5 0 R]" + ("" if is_inherited else size),
        tree=size if is_inherited else "",
        objects=FILLED_IN,
    )
    found = read(data)
    assert "Name of the reader: Ada Lund" in found.text
    for words, left in (("Name", 60), ("Ada Lund", 162)):
        (page,) = pages_at(found, words)
        assert abs(page.boxes[0].left - left / 600) < 0.001
        assert page.boxes[0].top < 100 / 800 < page.boxes[0].bottom


def test_a_password_is_asked_for_and_those_given_are_tried() -> None:
    data = make_pdf([print_at(60, 700, "Locked words.")], password="open")
    with pytest.raises(UnreadableContent, match="--password-file") as asked:
        read(data)
    assert asked.value.need is Need.PASSWORD
    with pytest.raises(UnreadableContent, match="none of those given"):
        pdf.extract(data, "a.pdf", LoadSettings(passwords=("shut",)))
    found = pdf.extract(data, "a.pdf", LoadSettings(passwords=("shut", "open")))
    assert found.text == "Locked words.\n"


def test_a_page_that_is_a_picture_is_reported_with_what_would_read_it() -> None:
    found = read(make_pdf([print_at(60, 700, "First page."), FULL_PICTURE]))
    assert found.text == "First page.\n"
    assert len(found.notes) == 1
    assert found.notes[0].startswith("page 2 is a picture without text: install pincite[ocr]")
    assert found.needs == (Need.RECOGNITION,)


def test_the_text_below_a_scan_is_read_and_said_to_be_recognised() -> None:
    layer = f"3 Tr {print_at(60, 700, 'scanned words')} 0 Tr"
    found = read(make_pdf([FULL_PICTURE + layer]))
    assert found.text == "scanned words\n"
    assert pages_at(found, "words")[0].recognised
    assert "recognised" in found.notes[0]


def test_words_in_a_picture_are_recognised_where_that_is_asked_for() -> None:
    pytest.importorskip("rapidocr")
    printed = make_pdf([print_at(60, 700, "The fee is nine euros.", size=24)])
    document = pypdfium2.PdfDocument(printed)
    picture = document[0].render(scale=2, grayscale=True).to_numpy()
    document.close()
    height, width = picture.shape
    pixels = picture.tobytes().decode("latin-1")
    image = (
        f"<< /Type /XObject /Subtype /Image /Width {width} /Height {height} /ColorSpace "
        f"/DeviceGray /BitsPerComponent 8 /Length {len(pixels)} >>\nstream\n{pixels}\nendstream"
    )
    scan = make_pdf(
        ["q 600 0 0 800 0 0 cm /I Do Q"],
        page="/MediaBox [0 0 600 800] /Resources << /XObject << /I 5 0 R >> >>",
        objects=[image],
    )
    found = pdf.extract(scan, "a.pdf", LoadSettings(recognise=True))
    assert found.text == "The fee is nine euros.\n"
    (page,) = pages_at(found, "nine")
    assert page.recognised
    left = (60 + 24 * 4.669) / 600
    assert abs(page.boxes[0].left - left) < 0.02
    assert 0.09 < page.boxes[0].top < page.boxes[0].bottom < 0.15


def test_attached_files_are_named_as_not_read() -> None:
    objects = [
        "<< /Type /Filespec /F (a.txt) /UF (a.txt) /EF << /F 6 0 R >> >>",
        "<< /Type /EmbeddedFile /Length 5 >>\nstream\nwords\nendstream",
    ]
    catalog = "/Names << /EmbeddedFiles << /Names [(a.txt) 5 0 R] >> >>"
    found = read(make_pdf([print_at(60, 700, "Words.")], catalog=catalog, objects=objects))
    assert found.notes == ("has a file attached, not read: save what is attached into the folder",)


def test_a_heading_of_the_outline_is_one_whatever_its_print() -> None:
    objects = [
        "<< /Type /Outlines /First 6 0 R /Last 6 0 R /Count 1 >>",
        "<< /Title (Fees) /Parent 5 0 R /Dest [7 0 R /Fit] >>",
    ]
    content = print_at(60, 700, "Fees") + print_at(60, 670, "Nine euros for a lamp.")
    found = read(make_pdf([content], catalog="/Outlines 5 0 R", objects=objects))
    assert [(block.kind, block.level) for block in found.blocks] == [
        (BlockKind.HEADING, 1),
        (BlockKind.PARAGRAPH, 0),
    ]


def test_footnotes_do_not_part_a_sentence_that_goes_on_over_the_page() -> None:
    first = print_lines(60, 200, "The text of the first page goes on and", "on, and is ended by")
    note = print_at(60, 100, "1 A note in small print.", size=7)
    second = print_lines(60, 700, "words on the next page. The end of the text.")
    found = read(make_pdf([first + note, second]))
    assert contents(found) == [
        "The text of the first page goes on and on, and is ended by words on the next page."
        " The end of the text.",
        "1 A note in small print.",
    ]


words = st.lists(st.text(alphabet="abcdefgh", min_size=1, max_size=9), min_size=1, max_size=60)


@settings(max_examples=25, deadline=None)
@given(words)
def test_every_word_is_read_once_and_its_box_holds_it(spoken: list[str]) -> None:
    lines = [" ".join(spoken[start : start + 6]) for start in range(0, len(spoken), 6)]
    data = make_pdf([print_lines(60, 700, *lines)])
    found = read(data)
    assert found.text.split() == spoken
    document = pypdfium2.PdfDocument(data)
    page = document[0].get_textpage()
    place = 0
    for word in found.text.split():
        place = found.text.index(word, place)
        at = place_of(found.marks, place, place + len(word))
        place += len(word)
        assert isinstance(at, PagePlace)
        (box,) = at.pages[0].boxes
        inside = page.get_text_bounded(
            left=box.left * 600 + 0.4, right=box.right * 600 - 0.4,
            top=800 - box.top * 800 - 1, bottom=800 - box.bottom * 800 + 1,
        )  # fmt: skip
        assert inside.strip() == word
    page.close()
    document.close()


@pytest.mark.parametrize(
    "box",
    [
        "0 g 55 595 60 14 re f\n",
        # With a caption in white on it.
        f"0 g 55 595 60 14 re f 1 g {print_at(62, 600, '(b)(6)', size=5)} 0 g\n",
        "1 g 55 595 60 14 re f 0 g\n",
    ],
)
def test_words_under_a_box_that_is_drawn_over_them_are_not_quoted(box: str) -> None:
    found = read(make_pdf([print_at(60, 700, "seen") + print_at(60, 600, "secret") + box]))
    assert "secret" not in found.text
    assert found.notes == (
        "left out 6 characters that a reader does not see (covered by something drawn over it): "
        "page 1",
    )


def test_words_on_a_box_and_words_marked_or_crossed_out_are_seen() -> None:
    ground = f"0 g 55 695 60 14 re f 1 g {print_at(60, 700, 'light')} 0 g\n"
    crossed = print_at(60, 600, "crossed") + "0 g 55 602 60 2 re f\n"
    marked = print_at(60, 500, "marked") + "/Multiply gs 1 1 0 rg 55 495 60 14 re f\n"
    state = "/MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> "
    state += "/ExtGState << /Multiply << /BM /Multiply >> >> >>"
    found = read(make_pdf([ground + crossed + marked], page=state))
    assert found.text.split() == ["light", "crossed", "marked"]
    assert found.notes == ()


def test_words_under_an_annotation_that_is_filled_are_not_quoted() -> None:
    square = "/Annots [<< /Type /Annot /Subtype /Square /Rect [55 595 115 609] /F 4 "
    square += "/AP << /N 5 0 R >> >>]"
    look = "<< /Type /XObject /Subtype /Form /BBox [0 0 60 14] /Length 18 >>\nstream\n"
    look += "0 g 0 0 60 14 re f\nendstream"
    content = print_at(60, 700, "seen") + print_at(60, 600, "secret")
    page = f"/MediaBox [0 0 600 800] {square}"
    found = read(make_pdf([content], page=page, objects=[look]))
    assert found.text == "seen\n"


def test_a_running_header_close_above_the_text_is_no_part_of_its_sentences() -> None:
    lines = ("The fee for one desk lamp that is", "kept by day and by night, and that")
    pages = [
        print_at(60, 780, f"House rules, page {number} of 4")
        + print_lines(60, 768, *lines, f"{word} a year, goes on from page to page with")
        for number, word in enumerate(("rises", "stays", "falls", "waits"), 1)
    ]
    found = read(make_pdf(pages))
    prose = [block for block in found.blocks if block.kind is not BlockKind.MARKUP]
    assert all("House rules" not in block.span.of(found.text) for block in prose)
    assert "House rules, page 3 of 4" in found.text


def test_letters_of_one_ligature_have_each_a_part_of_its_box() -> None:
    # "~" is shown as one sign and means "fi".
    meaning = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def "
        "1 begincodespacerange <00> <FF> endcodespacerange "
        "1 beginbfchar <7E> <00660069> endbfchar endcmap end end"
    )
    font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding"
    data = make_pdf(
        [print_at(60, 700, "The of~ce opens at nine.", size=20)],
        objects=(
            f"{font} /ToUnicode 6 0 R >>",
            f"<< /Length {len(meaning)} >>\nstream\n{meaning}\nendstream",
        ),
        page="/MediaBox [0 0 600 800] /Resources << /Font << /F1 5 0 R >> >>",
    )
    found = read(data)
    assert found.text == "The office opens at nine.\n"
    whole, first, second = (
        pages_at(found, words)[0].boxes[0] for words in ("office", "off", "ice")
    )
    assert whole.left == first.left < first.right == second.left < second.right == whole.right


def test_an_accent_printed_after_its_word_does_not_cut_off_the_word() -> None:
    # Printed where the "g" is, after the "z".
    line = print_at(60, 700, "Oguz", size=20) + print_at(76, 705, "\xb4", size=20)
    found = read(make_pdf([line + print_at(120, 700, "wrote it.", size=20)]))
    assert found.text == "Oguz \xb4 wrote it.\n"
    (word,) = pages_at(found, "Oguz")[0].boxes
    both = pages_at(found, "Oguz \xb4")[0].boxes
    # "Oguz" in 1/1000 em: 778+556+556+500.
    assert abs(word.right - (60 + 20 * 2.39) / 600) < 0.003
    assert max(box.right for box in both) == word.right


@pytest.mark.parametrize(
    ("width", "height", "notes"),
    [
        (
            300,
            200,
            (
                "page 1 has a large picture beside the text, whose words are not read: what a "
                "chart or a scanned table says there cannot be quoted",
            ),
        ),
        # A logo, and the ground that the words are printed on.
        (60, 60, ()),
        (600, 800, ()),
    ],
)
def test_a_large_picture_beside_the_text_is_reported(
    width: int, height: int, notes: tuple[str, ...]
) -> None:
    picture = f"q {width} 0 0 {height} 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x80 EI Q\n"
    words = print_lines(60, 700, "Prices rose in every quarter of the year.", "They fell in May.")
    assert read(make_pdf([picture + words])).notes == notes


_SECRET = print_at(60, 600, "secret")


@pytest.mark.parametrize(
    ("operators", "reason"),
    [
        (f"q 0 0 10 10 re W n {_SECRET} Q", "cut off by the edge of what it is in"),
        (f"q 50 590 m 50 595 l 55 590 l h W n {_SECRET} Q", "cut off by the edge of what it is in"),
        (f"0 g 50 590 200 30 re f {_SECRET}", "in the colour of its ground"),
        (f"0 0 1 rg 50 590 200 30 re f {_SECRET} 0 g", "in the colour of its ground"),
        (f"1 Tr 1 G {_SECRET} 0 Tr", "white on white"),
        (f".94 g {_SECRET} 0 g", "white on white"),
        (f"1 Tz {_SECRET} 100 Tz", "too small to be seen"),
        (f"{_SECRET} 0 G 30 w 50 602 m 350 602 l S", "covered by something drawn over it"),
        (
            f"{_SECRET} q 300 0 0 30 50 590 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x01 EI Q",
            "covered by something drawn over it",
        ),
    ],
)
def test_what_leaves_no_trace_on_the_page_is_left_out(operators: str, reason: str) -> None:
    found = read(make_pdf([print_at(60, 700, "seen") + operators]))
    assert found.text == "seen\n"
    assert found.notes == (f"left out 6 characters that a reader does not see ({reason}): page 1",)


def test_words_that_were_painted_out_are_not_quoted_beside_those_printed_over_them() -> None:
    new = print_at(62, 602, "Ask at the desk.")
    found = read(
        make_pdf([print_at(60, 700, "seen") + _SECRET + "1 g 50 590 200 30 re f 0 g " + new])
    )
    assert contents(found) == ["seen", "Ask at the desk."]


def test_a_box_that_covers_words_is_found_among_many() -> None:
    many = "".join(f"{number % 100 * 5} 100 4 4 re f " for number in range(3_000))
    found = read(make_pdf([print_at(60, 700, "seen") + _SECRET + many + "50 590 200 30 re f"]))
    assert found.text == "seen\n"


@pytest.mark.parametrize("is_drawing", [False, True])
def test_words_in_a_layer_that_is_switched_off_are_not_quoted(is_drawing: bool) -> None:
    off = "/OCProperties << /OCGs [5 0 R] /D << /OFF [5 0 R] /Order [5 0 R] >> >>"
    drawing = "<< /Type /XObject /Subtype /Form /BBox [0 0 600 800] /OC 5 0 R /Resources "
    drawing += f"<< /Font << /F1 3 0 R >> >> /Length {len(_SECRET)} >>\nstream\n{_SECRET}endstream"
    content = "/X1 Do" if is_drawing else f"/OC /P1 BDC {_SECRET} EMC"
    page = "/MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> "
    page += "/Properties << /P1 5 0 R >> /XObject << /X1 6 0 R >> >>"
    found = read(
        make_pdf(
            [print_at(60, 700, "seen") + content],
            page=page,
            catalog=off,
            objects=["<< /Type /OCG /Name (internal) >>", drawing],
        )
    )
    assert found.text == "seen\n"
    assert found.notes == (
        "left out 6 characters that a reader does not see (in a layer that is not shown): page 1",
    )


@pytest.mark.parametrize("kind", ["/Circle /IC [0 0 0]", "/Highlight", "/Ink /BS << /W 30 >>"])
def test_words_under_a_black_mark_are_not_quoted(kind: str) -> None:
    mark = f"<< /Type /Annot /Subtype {kind} /C [0 0 0] /Rect [40 580 200 630] /F 4 "
    mark += "/QuadPoints [40 620 200 620 40 590 200 590] /InkList [[40 602 200 602]] >>"
    page = f"/MediaBox [0 0 600 800] /Annots [{mark}]"
    found = read(make_pdf([print_at(60, 700, "seen") + _SECRET], page=page))
    assert found.text == "seen\n"


def test_words_printed_twice_in_two_colours_are_seen() -> None:
    again = f"1 g {print_at(60, 600, 'seen')} 0 g {print_at(60, 600, 'seen')}"
    assert read(make_pdf([again])).text == "seen\n"


def test_transparent_words_over_letters_that_are_drawn_are_seen() -> None:
    letter = "0 g 60 600 2 8 re f 64 600 2 8 re f /Clear gs " + print_at(60, 600, "n")
    page = "/MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> "
    page += "/ExtGState << /Clear << /ca 0 >> >> >>"
    found = read(make_pdf([print_at(60, 700, "seen") + letter], page=page))
    assert found.text == "seen\n\nn\n"


def test_words_under_a_picture_of_the_page_are_said_to_be_recognised() -> None:
    found = read(make_pdf([print_at(60, 700, "The fee is nine euros.") + FULL_PICTURE]))
    (page,) = pages_at(found, "The fee is nine euros.")
    assert page.recognised


def test_an_amount_at_the_foot_of_each_page_is_no_footer() -> None:
    amounts = ("1200.50", "1350.10", "980.00", "1411.75")
    pages = [
        print_at(60, 740, "Lund Ltd, 5 March")
        + print_lines(60, 500, f"Month {number}.")
        + print_at(60, 60, f"Net pay: {amount} EUR")
        + print_at(300, 30, f"Sheet {number} of 4")
        for number, amount in enumerate(amounts, 1)
    ]
    found = read(make_pdf(pages))
    quotable = [
        block.span.of(found.text) for block in found.blocks if block.kind is not BlockKind.MARKUP
    ]
    assert [f"Net pay: {amount} EUR" in quotable for amount in amounts] == [True] * 4
    assert not any("Lund Ltd" in words or "Sheet" in words for words in quotable)


def test_a_raised_digit_after_a_number_is_no_digit_of_it() -> None:
    raised = "/F1 6 Tf 4 Ts ({}) Tj 0 Ts /F1 10 Tf "
    content = "BT /F1 10 Tf 60 700 Td (The fee is EUR 50) Tj "
    content += raised.format("1") + "( for 10) Tj " + raised.format("-6") + "( units of m) Tj "
    found = read(make_pdf([content + raised.format("2") + "ET"]))
    assert found.text == "The fee is EUR 50¹ for 10⁻⁶ units of m2\n"


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (("The fee is 50.", "^1", " Then it ends."), "The fee is 50.¹ Then it ends."),
        (("The fee is 1,000,", "^2", " or 5%", "^3"), "The fee is 1,000,² or 5%³"),
        (("The fee is 50.-", "^1", " or 5 %", "^2", " more."), "The fee is 50.-¹ or 5 %² more."),
        (("The fee is 50 $", "^1", " or so."), "The fee is 50 $¹ or so."),
        (("The fee is 50", "^1,2", " or so."), "The fee is 50¹,² or so."),
        (("^1", "50 euros is the fee."), "¹50 euros is the fee."),
        (("It is 101", "_2", " in base two."), "It is 101₂ in base two."),
        (("It is log", "_2", "8 or 3."), "It is log₂8 or 3."),
        (("It is H", "_2", "O, CO", "_2", " and m", "^2", "."), "It is H2O, CO2 and m2."),
        (("On the 1", "^st", " of 3", "^5", "/", "_8", " days."), "On the 1st of 3⁵/8 days."),
    ],
)
def test_digits_that_stand_higher_or_lower_make_no_other_number(
    parts: tuple[str, ...], shown: str
) -> None:
    content = "BT 60 700 Td "
    for part in parts:
        size, rise = {"^": (6, 4), "_": (6, -2)}.get(part[0], (10, 0))
        content += f"/F1 {size} Tf {rise} Ts ({part.lstrip('^_')}) Tj "
    assert read(make_pdf([content + "ET"])).text == f"{shown}\n"


def test_a_page_with_more_than_is_read_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf_pages, "MAXIMUM_CHARACTERS", 10)
    found = read(make_pdf([print_at(60, 700, "The fee is nine euros.")]))
    assert found.text == "The fee is\n"
    assert found.notes == (
        "page 1: only the first 400,000 characters of a page are read: split the file, or save it "
        "anew with more pages",
    )


def test_what_is_filled_in_without_a_look_of_its_own_is_read() -> None:
    page = "/MediaBox [0 0 600 800] /Annots [5 0 R 6 0 R 7 0 R]"
    shared = "/Type /Annot /DA (/F1 10 Tf 0 g)"
    objects = [
        f"<< {shared} /Subtype /Widget /FT /Tx /T (a) /V (Ada Lund) /Rect [60 600 300 620] /F 4 >>",
        f"<< {shared} /Subtype /FreeText /Contents (typed over) /Rect [60 500 300 520] /F 4 >>",
        f"<< {shared} /Subtype /Widget /FT /Tx /T (b) /V (secret) /Rect [60 400 300 420] /F 2 >>",
    ]
    form = "/AcroForm << /Fields [5 0 R 7 0 R] /DR << /Font << /F1 3 0 R >> >> >>"
    found = read(make_pdf([print_at(60, 700, "Name:")], page=page, catalog=form, objects=objects))
    assert found.text == "Name:\n\nAda Lund\n\ntyped over\n"


def _rule(x: float, y: float, width: float, *, colour: str = "0 0 0") -> str:
    """A thin filled rectangle."""
    return f"{colour} rg {x} {y} {width} .8 re f 0 0 0 rg\n"


def test_words_that_a_line_is_drawn_through_are_left_out_and_reported() -> None:
    # Helvetica of 10 points: the fee is 31 wide, "nine " 21; the middle of letters is 2.5 high.
    struck = print_at(50, 700, "The fee is nine ten euros.") + _rule(99, 702.4, 18)
    made = read(make_pdf([struck]))
    assert made.text == "The fee is ten euros.\n"
    assert made.notes == ("left out 4 characters that are struck through: page 1",)


@pytest.mark.parametrize(
    "drawn",
    [
        _rule(99, 698.5, 18),
        _rule(20, 702.4, 300),
        _rule(99, 702.4, 18, colour="1 1 1"),
        _rule(99, 709, 18),
        "0 0 0 RG .5 w 99 690 m 99 715 l S\n",
        _rule(150, 702.4, 60),
    ],
)
def test_lines_below_above_beside_and_behind_words_take_none_away(drawn: str) -> None:
    words = print_at(50, 700, "The fee is nine euros.")
    assert read(make_pdf([drawn + words])).text == "The fee is nine euros.\n"


def test_a_line_below_words_takes_none_away_where_their_font_tells_its_height_wrongly() -> None:
    # By its descriptor as much of a letter is below the line as above.
    font = (
        "<< /Type /Font /Subtype /TrueType /BaseFont /Odd /FirstChar 32 /LastChar 126 /Widths ["
        + "500 " * 95
        + "] /Encoding /WinAnsiEncoding /FontDescriptor << /Type /FontDescriptor /FontName /Odd"
        " /Flags 32 /FontBBox [0 -500 1000 500] /Ascent 400 /Descent -500 /ItalicAngle 0"
        " /CapHeight 400 /StemV 80 >> >>"
    )
    data = make_pdf([print_at(50, 700, "The fee is nine.", font="F9") + _rule(105, 698.6, 25)],
                    objects=[font], resources="")  # fmt: skip
    data = data.replace(b"/F2 4 0 R", b"/F9 5 0 R")
    assert read(data).text == "The fee is nine.\n"


def test_words_that_a_reviewer_struck_out_are_left_out() -> None:
    mark = "<< /Type /Annot /Subtype /StrikeOut /Rect [99 698 117 708] /QuadPoints [99 708 117 708 "
    mark += "99 698 117 698] >>"
    made = read(make_pdf(
        [print_at(50, 700, "The fee is nine ten euros.")],
        page="/MediaBox [0 0 600 800] /Annots [5 0 R]",
        objects=[mark],
    ))  # fmt: skip
    assert made.text == "The fee is ten euros.\n"


def test_words_given_for_glyphs_in_a_drawing_are_where_the_drawing_is() -> None:
    # The drawing is a quarter as large as it is written, as browsers print pages.
    inside = "BT /F1 40 Tf 240 2800 Td (The fee is ) Tj ET\n"
    inside += "/Span << /ActualText (ni) >> BDC BT /F1 40 Tf 431 2800 Td (VI) Tj ET EMC\n"
    inside += "/Span << /ActualText (ne) >> BDC BT /F1 40 Tf 468 2800 Td (IX) Tj ET EMC\n"
    inside += "BT /F1 40 Tf 514 2800 Td ( euros.) Tj ET\n"
    form = (
        "<< /Type /XObject /Subtype /Form /BBox [0 0 2400 3200] /Resources << /Font << /F1 3 0 R"
        f" >> >> /Length {len(inside)} >>\nstream\n{inside}\nendstream"
    )
    made = read(make_pdf(
        ["q .25 0 0 .25 0 0 cm /X Do Q"], resources="/XObject << /X 5 0 R >>", objects=[form]
    ))  # fmt: skip
    assert made.text == "The fee is nine euros.\n"
    (where,) = pages_at(made, "nine")
    box = where.boxes[0]
    assert (round(box.left * 600), round(box.right * 600)) == (108, 126)
    assert 0.11 < box.top < box.bottom < 0.13
