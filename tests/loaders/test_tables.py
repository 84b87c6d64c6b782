"""Whatever a sheet looks like, each of its cells is in the text, once, at its place."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from pincite.loaders.composer import Composer
from pincite.loaders.sheets.cells import Area, Row, Sheet, one_line
from pincite.loaders.sheets.tables import add_sheet
from pincite.places import CellPlace

words = st.sampled_from(
    ["Item", "Fee", "9.50", "2021", "TRUE", "a longer text, with a stop.", "x\ny"]
)
cells = st.dictionaries(st.tuples(st.integers(1, 7), st.integers(1, 6)), words, max_size=25)
areas = st.lists(
    st.builds(
        lambda left, top, width, height: Area(left, top, left + width, top + height),
        st.integers(1, 6), st.integers(1, 7), st.integers(0, 3), st.integers(0, 3),
    ),
    max_size=3,
)  # fmt: skip


@given(cells, areas, st.sets(st.integers(1, 7)), st.booleans())
def test_each_cell_stands_in_the_text_once_at_its_place(
    grid: dict[tuple[int, int], str], merged: list[Area], heads: set[int], is_one_table: bool
) -> None:
    rows: list[Row] = [
        (number, sorted((column, grid[row, column]) for row, column in grid if row == number))
        for number in sorted({row for row, _ in grid})
    ]
    composer = Composer()
    sheet = Sheet("", rows, tuple(merged), frozenset(heads))
    add_sheet(composer, sheet, is_one_table=is_one_table)
    made = composer.extracted()
    found: Counter[tuple[int, int]] = Counter()
    for mark in made.marks:
        place = mark.place
        assert isinstance(place, CellPlace)
        assert made.text[mark.start : mark.end] == one_line(grid[place.top, place.left])
        if not mark.secondary:
            assert (place.left, place.top) == (place.right, place.bottom)
            found[place.top, place.left] += 1
    assert found == Counter(grid.keys())
    shown = "".join(made.text[mark.start : mark.end] for mark in made.marks)
    rest = made.text
    for mark in reversed(made.marks):
        rest = rest[: mark.start] + rest[mark.end :]
    assert not any(map(str.isalnum, rest)), shown
