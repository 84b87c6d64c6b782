"""What is printed in a PDF is read in reading order, and each word's place on its page is known."""

from __future__ import annotations

import pytest

from pincite.loaders import pdf
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.places import Page, PagePlace, place_of
from pincite.records import BlockKind
from tests.loaders.pdf_files import make_pdf, print_at, print_lines


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
