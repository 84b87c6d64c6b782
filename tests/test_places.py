"""Places in the file's own units: cut to the words, joined over several, and read back."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pincite.place_forms import place_from_json, place_from_row, place_to_json, place_to_row
from pincite.places import (
    Box,
    CellPlace,
    ChapterPlace,
    ElementPlace,
    Mark,
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
    cell_name,
    pages_of,
    place_of,
    without_boxes,
)


def line(page: int, number: int, top: float) -> PagePlace:
    box = Box(0.1, top, 0.9, top + 0.02)
    return PagePlace((Page(page, "", (box,), first_line=number, last_line=number),))


EVERY_KIND: list[Place] = [
    line(1, 3, 0.25),
    CellPlace("Prices", 2, 7, 3, 9, row="Desk lamp", column="Fee"),
    SlidePlace(1, 2, title="Plans", notes=True),
    ParagraphPlace(1, 3, part="footnotes", table=1, row=2, column=3),
    ElementPlace("/html/body/p[2]", id="fees", start=10, end=20),
    NodePlace("/items/0/name"),
    NotebookPlace(1, 2, source="code"),
    TimePlace(1000, 2000, speaker="Ada"),
    ChapterPlace(2, "Two", "two.xhtml", within=ElementPlace("/html/body/p")),
    MessagePlace(1, "attachment", "a.pdf", "Hello", "<1@x>", within=line(2, 1, 0.5)),
    MemberPlace("a/b.docx", within=ParagraphPlace(4, 4)),
]


@pytest.mark.parametrize("place", EVERY_KIND, ids=lambda place: place.kind)
def test_a_place_written_as_json_is_read_back(place: Place) -> None:
    assert place_from_json(json.loads(json.dumps(place_to_json(place)))) == place


def test_the_markup_of_a_web_page_is_cut_to_the_words() -> None:
    # `Fee &amp; tax`, 13 code points of the file: two marks, the first ending in `&`.
    def at(start: int, end: int) -> MemberPlace:
        return MemberPlace("a.html", ElementPlace("/html/body/p", "", start, end))

    marks = [Mark(0, 5, at(100, 109)), Mark(5, 9, at(109, 113))]
    assert place_of(marks, 0, 3) == at(100, 103)
    assert place_of(marks, 4, 5) == at(104, 109)
    assert place_of(marks, 2, 7) == at(102, 111)
    assert place_of(marks, 6, 9) == at(110, 113)


@pytest.mark.parametrize("place", EVERY_KIND, ids=lambda place: place.kind)
def test_a_place_written_for_the_store_is_read_back(place: Place) -> None:
    assert place_from_row(json.loads(json.dumps(place_to_row(place)))) == place


@pytest.mark.parametrize("place", EVERY_KIND, ids=lambda place: place.kind)
def test_words_inside_one_place_have_that_place(place: Place) -> None:
    if isinstance(place, ElementPlace):
        place = replace(place, start=0, end=0)
    assert place_of([Mark(5, 20, place)], 7, 9) == place


def test_words_that_no_mark_covers_have_no_place() -> None:
    assert place_of([Mark(5, 20, NodePlace("/a"))], 20, 30) is None
    assert place_of([], 0, 3) is None


def test_words_that_run_over_a_page_break_are_on_both_pages() -> None:
    marks = [Mark(0, 10, line(1, 40, 0.9)), Mark(11, 20, line(2, 1, 0.1))]
    found = place_of(marks, 3, 15)
    assert isinstance(found, PagePlace)
    assert pages_of(found) == (1, 2)
    assert [len(page.boxes) for page in found.pages] == [1, 1]


def test_two_lines_of_a_page_give_two_boxes_of_one_page() -> None:
    marks = [Mark(0, 10, line(1, 3, 0.2)), Mark(11, 20, line(1, 4, 0.3))]
    found = place_of(marks, 0, 20)
    assert found == PagePlace(
        (
            Page(
                1, "", (Box(0.1, 0.2, 0.9, 0.22), Box(0.1, 0.3, 0.9, 0.32)),
                first_line=3, last_line=4,
            ),
        )
    )  # fmt: skip


def test_a_box_is_cut_to_the_words_by_the_edges_of_its_line() -> None:
    mark = Mark(10, 14, line(1, 1, 0.5), edges=(1000, 3000, 5000, 7000, 9000))
    found = place_of([mark], 11, 13)
    assert isinstance(found, PagePlace)
    assert found.pages[0].boxes == (Box(0.3, 0.5, 0.7, 0.52),)


def test_an_accent_printed_back_over_its_letter_does_not_narrow_the_box() -> None:
    mark = Mark(0, 4, line(1, 1, 0.5), edges=(1000, 3000, 5000, 2000, 2500))
    found = place_of([mark], 1, 4)
    assert isinstance(found, PagePlace)
    assert found.pages[0].boxes == (Box(0.2, 0.5, 0.5, 0.52),)


def test_cells_of_one_row_keep_its_name_and_lose_that_of_the_column() -> None:
    fee = CellPlace("Prices", 2, 7, 2, 7, row="Desk lamp", column="Fee")
    days = CellPlace("Prices", 3, 7, 3, 7, row="Desk lamp", column="Days")
    found = place_of([Mark(0, 3, fee), Mark(4, 9, days)], 0, 9)
    assert found == CellPlace("Prices", 2, 7, 3, 7, row="Desk lamp", column="")
    assert isinstance(found, CellPlace)
    assert found.cells == "B7:C7"


def test_places_in_different_files_have_none_in_common() -> None:
    marks = [Mark(0, 3, MemberPlace("a.txt")), Mark(4, 9, MemberPlace("b.txt"))]
    assert place_of(marks, 0, 9) is None


def test_elements_have_the_element_around_both() -> None:
    one = ElementPlace("/html/body/ul/li[1]", id="list", start=10, end=20)
    two = ElementPlace("/html/body/ul/li[2]", id="list", start=30, end=40)
    found = place_of([Mark(0, 3, one), Mark(4, 9, two)], 0, 9)
    assert found == ElementPlace("/html/body/ul", id="list", start=10, end=40)


def test_a_nested_place_keeps_what_is_around_it() -> None:
    marks = [
        Mark(0, 3, MemberPlace("a.docx", within=ParagraphPlace(1, 1))),
        Mark(4, 9, MemberPlace("a.docx", within=ParagraphPlace(2, 2))),
    ]
    assert place_of(marks, 0, 9) == MemberPlace("a.docx", within=ParagraphPlace(1, 2))


def test_pages_without_boxes_keep_their_numbers() -> None:
    nested = MessagePlace(1, "attachment", "a.pdf", within=line(2, 1, 0.5))
    stripped = without_boxes(nested)
    assert pages_of(stripped) == (2,)
    assert '"boxes": []' in json.dumps(place_to_json(stripped)) if stripped else False


@pytest.mark.parametrize(
    ("column", "row", "name"),
    [(1, 1, "A1"), (26, 2, "Z2"), (27, 3, "AA3"), (702, 4, "ZZ4"), (703, 5, "AAA5")],
)
def test_cells_are_named_as_spreadsheets_name_them(column: int, row: int, name: str) -> None:
    assert cell_name(column, row) == name


def test_a_head_repeated_with_its_value_does_not_move_the_place() -> None:
    head = CellPlace("Prices", 2, 1, 2, 1, column="Fee")
    fee = CellPlace("Prices", 2, 7, 2, 7, row="Desk lamp", column="Fee")
    marks = [Mark(0, 3, head, secondary=True), Mark(5, 6, fee)]
    assert place_of(marks, 0, 6) == fee
    assert place_of(marks, 0, 3) == head
