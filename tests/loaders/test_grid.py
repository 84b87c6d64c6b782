"""Tables as rows that can be understood by themselves."""

from __future__ import annotations

import pytest

from pincite.loaders.composer import Composer
from pincite.loaders.grid import Cell, add_table


def laid(*rows: list[str], strong: int = 0) -> list[list[Cell]]:
    return [
        [
            Cell(number, column, [(words, None)], is_strong=number <= strong)
            for column, words in enumerate(row, 1)
        ]
        for number, row in enumerate(rows, 1)
    ]


def read(rows: list[list[Cell]], header_rows: int | None = None) -> list[str]:
    composer = Composer()
    add_table(composer, rows, header_rows)
    return composer.extracted().text.splitlines()


@pytest.mark.parametrize(
    ("rows", "strong", "has_header"),
    [
        ([["Item", "Fee", "Day"], ["lamp", "9", "Monday"]], 0, True),
        # Two columns are as often a name and its value, row by row, unless printed as a header.
        ([["Name", "Ada"], ["Town", "Oslo"]], 0, False),
        ([["Item", "Fee"], ["lamp", "9"]], 1, True),
        ([["2019", "2020", "2021"], ["a", "b", "c"]], 0, False),
        ([["same", "same", "Day"], ["a", "b", "c"]], 0, False),
        ([["A sentence stands here.", "b", "c"], ["d", "e", "f"]], 0, False),
        ([["Item", "Fee", "Day"]], 1, False),
    ],
)
def test_a_header_is_told_by_what_it_looks_like(
    rows: list[list[str]], strong: int, has_header: bool
) -> None:
    assert (": " in read(laid(*rows, strong=strong))[-1]) is has_header


def test_two_header_rows_name_a_column_together() -> None:
    rows = laid(["Item", "Fee"], ["", "net", "gross"], ["lamp", "9", "11"])
    rows[0][1].columns = 2
    assert read(rows, 2)[-1] == "Item: lamp; Fee net: 9; Fee gross: 11"


def test_a_cell_across_the_table_stands_alone() -> None:
    rows = laid(["Item", "Fee"], ["Lamps"], ["desk", "9"])
    rows[1][0].columns = 2
    assert read(rows, 1)[1:] == ["Lamps", "Item: desk; Fee: 9"]


def test_cells_that_claim_to_reach_down_everywhere_cost_no_more_than_their_columns() -> None:
    rows = laid(*[["x" * 100, "y"] for _ in range(300)])
    for row in rows:
        row[0].rows = 300
    assert read(rows, 0) == ["x" * 100 + " | y"] * 300
