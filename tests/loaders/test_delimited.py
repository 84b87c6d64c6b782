"""Tables in plain text, whatever parts their values."""

from __future__ import annotations

import pytest

from pincite.loaders.extracted import DEFAULT, Extracted
from pincite.loaders.sheets.delimited import extract, find_delimiter
from pincite.places import place_of
from pincite.render.places import place_text


def read(text: str) -> Extracted:
    return extract(text.encode(), "a.csv", DEFAULT)


def lines(made: Extracted) -> list[str]:
    return [block.content.of(made.text) for block in made.blocks]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_told_by_what_it_does(delimiter: str) -> None:
    rows = [["Item", "Fee, net", "Days"], ["Lamp", "9", "3; or 4"], ["A | B", "8", "1"]]
    text = "\n".join(delimiter.join(f'"{value}"' for value in row) for row in rows)
    assert find_delimiter(text) == delimiter


def test_decimal_commas_do_not_part_values() -> None:
    made = read("Item;Fee\nLamp;9,50\nDesk;90,00\n")
    assert lines(made) == ["Item | Fee", "Item: Lamp; Fee: 9,50", "Item: Desk; Fee: 90,00"]


def test_a_value_is_cited_by_its_cell() -> None:
    made = read("Item,Fee\nLamp,9\n\nDesk,90\n")
    start = made.text.index("Fee: 90")
    found = place_of(made.marks, start, start + 7)
    assert found is not None
    assert place_text(found) == "B4, row 'Desk', column 'Fee'"


def test_values_over_several_lines_and_quotation_marks_are_one_value() -> None:
    made = read('Item,Note\nLamp,"first\nsecond ""third"""\n')
    assert lines(made)[1] == 'Item: Lamp; Note: first second "third"'


def test_a_quotation_mark_that_is_never_closed_costs_no_rows() -> None:
    made = read('Item,Fee\nLamp,9\n"Desk,90\nChair,40\n')
    assert lines(made)[1:] == ["Item: Lamp; Fee: 9", 'Item: "Desk; Fee: 90', "Item: Chair; Fee: 40"]


def test_rows_longer_and_shorter_than_the_head_keep_all_their_values() -> None:
    assert lines(read("a,b\n1,2,3\n4\n"))[1:] == ["a: 1; b: 2; 3", "a: 4"]


def test_rows_without_a_head_are_given_none() -> None:
    assert lines(read("1,2.5\n2,3.5\n3,4.5\n")) == ["1 | 2.5", "2 | 3.5", "3 | 4.5"]


def test_formulas_are_text() -> None:
    assert lines(read("item,price\n=CMD(),5\n"))[1] == "item: =CMD(); price: 5"


def test_an_empty_file_has_no_rows() -> None:
    assert read("") == Extracted("", ())
