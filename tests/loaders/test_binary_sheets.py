"""What calamine reads: it reads XLSX as well, which stands here for its binary brothers."""

from __future__ import annotations

import datetime
import io
import zipfile

import pytest

from pincite.loaders.extracted import DEFAULT, Extracted, UnreadableContent
from pincite.loaders.sheets.binary_sheets import extract, shown
from pincite.places import place_of
from pincite.render.places import place_text
from tests.loaders.workbooks import workbook


def lines(made: Extracted) -> list[str]:
    return [block.content.of(made.text) for block in made.blocks]


def test_a_value_is_cited_by_its_cell_also_where_the_table_begins_further_in() -> None:
    rows = [[], [], [None, "Item", "Fee"], [None, "Lamp", 9.5], [], [None, "Desk", 90]]
    made = extract(workbook({"Prices": rows, "Old": [["gone"]]}, hidden=["Old"]), "a.xls", DEFAULT)
    assert lines(made) == [
        "Prices", "Item | Fee", "Item: Lamp; Fee: 9.5", "Item: Desk; Fee: 90",
    ]  # fmt: skip
    start = made.text.index("Fee: 90")
    found = place_of(made.marks, start, start + 7)
    assert found is not None
    assert place_text(found) == "sheet Prices, C6, row 'Desk', column 'Fee'"
    assert "hidden sheets" in made.notes[0]


SHOWN = [
    (12345678901.0, "12345678901"),
    (0.1 + 0.2, "0.3"),
    (True, "TRUE"),
    (datetime.date(2024, 1, 2), "2024-01-02"),
    (datetime.datetime(2024, 1, 2), "2024-01-02"),
    (datetime.datetime(2024, 1, 2, 3, 4, 5), "2024-01-02 03:04:05"),
    (datetime.time(9, 30), "09:30:00"),
    (datetime.timedelta(hours=36), "36:00:00"),
]


@pytest.mark.parametrize(("value", "words"), SHOWN)
def test_values_are_shown_without_a_format(value: float, words: str) -> None:
    assert shown(value) == words


def binary(rows: list[int], columns: list[int]) -> bytes:
    """A package with one binary sheet that has these rows and columns."""
    records = b"".join(
        bytes([0, 4]) + row.to_bytes(4, "little") + bytes([2, 8]) + column.to_bytes(4, "little")
        + bytes(4)
        for row, column in zip(rows, columns, strict=True)
    )  # fmt: skip
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("xl/worksheets/sheet1.bin", records)
    return packed.getvalue()


def test_cells_too_far_apart_are_refused_before_the_parser_makes_room_for_them() -> None:
    with pytest.raises(UnreadableContent, match="far apart"):
        extract(binary([0, 1_048_575], [0, 16_383]), "a.xlsb", DEFAULT)


def test_what_is_no_workbook_says_so() -> None:
    for data in (binary([0], [0]), b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), b"PK\x03\x04"):
        with pytest.raises(UnreadableContent, match="cannot be read"):
            extract(data, "a.xls", DEFAULT)
