"""Workbooks: what a person sees in them, at the cell where it stands."""

from __future__ import annotations

import pytest

from pincite.loaders.extracted import DEFAULT, Extracted, UnreadableContent
from pincite.loaders.sheets.number_formats import shown
from pincite.loaders.sheets.xlsx import extract
from pincite.places import CellPlace, place_of
from pincite.records import BlockKind
from pincite.render.places import place_text
from tests.loaders.workbooks import LINKS, MAIN, PACKAGE, workbook


def read(data: bytes) -> Extracted:
    return extract(data, "a.xlsx", DEFAULT)


def lines(made: Extracted) -> list[str]:
    return [block.content.of(made.text) for block in made.blocks]


def place(made: Extracted, words: str) -> str:
    start = made.text.index(words)
    found = place_of(made.marks, start, start + len(words))
    assert found is not None
    return place_text(found)


PRICES = workbook({"Prices": [["Item", "Fee", "Days"], ["Desk lamp", 9.5, 3], ["Chair", 40, 10]]})


def test_a_row_is_a_line_that_names_each_value() -> None:
    made = read(PRICES)
    assert lines(made) == [
        "Prices",
        "Item | Fee | Days",
        "Item: Desk lamp; Fee: 9.5; Days: 3",
        "Item: Chair; Fee: 40; Days: 10",
    ]
    assert [block.kind for block in made.blocks] == [
        BlockKind.HEADING, BlockKind.TABLE_HEADER, BlockKind.TABLE_ROW, BlockKind.TABLE_ROW,
    ]  # fmt: skip
    assert {block.group for block in made.blocks[1:]} == {1}


def test_a_value_is_cited_with_its_row_and_column() -> None:
    made = read(PRICES)
    assert place(made, "Fee: 9.5") == "sheet Prices, B2, row 'Desk lamp', column 'Fee'"
    assert place(made, "Fee: 9.5; Days: 3") == "sheet Prices, B2:C2, row 'Desk lamp'"
    start = made.text.index("Fee: 9.5")
    head = place_of(made.marks, start, start + 3)
    assert head == CellPlace("Prices", 2, 1, 2, 1, column="Fee")


def test_a_line_above_a_table_is_its_title_also_after_an_empty_row() -> None:
    rows = [["Ducks per year"], [], ["Year", "Ducks"], [2019, 120], [2020, 135]]
    made = read(workbook({"Birds": rows}))
    assert lines(made)[:3] == ["Birds", "Ducks per year", "Year | Ducks"]
    assert made.blocks[3].heading_path == ("Birds", "Ducks per year")


def test_tables_beside_and_below_each_other_are_kept_apart() -> None:
    rows = [
        ["Item", "Fee", None, None, None],
        ["Lamp", 9, None, "Town", "People"],
        ["Desk", 90, None, "Oslo", 700_000],
        [],
        ["Month", "Sold", None, None, None],
        ["May", 4, None, None, None],
    ]
    made = read(workbook({"S": rows}))
    assert lines(made)[1:] == [
        "Item | Fee", "Item: Lamp; Fee: 9", "Item: Desk; Fee: 90",
        "Town | People", "Town: Oslo; People: 700000",
        "Month | Sold", "Month: May; Sold: 4",
    ]  # fmt: skip


def test_rows_after_an_empty_row_keep_the_head_of_their_table() -> None:
    rows = [["Item", "Fee"], ["Lamp", 9], [], ["Desk", 90], ["Chair", 40]]
    assert lines(read(workbook({"S": rows})))[-1] == "Item: Chair; Fee: 40"


def test_names_and_values_side_by_side_are_given_no_head() -> None:
    rows = [["Name", "Ann Lee"], ["Street", "High Street 5"], ["Phone", "555"]]
    assert lines(read(workbook({"S": rows})))[1:] == [
        "Name | Ann Lee", "Street | High Street 5", "Phone | 555",
    ]  # fmt: skip


def test_years_over_numbers_are_a_head() -> None:
    rows = [["Region", 2021, 2022], ["North", 12.5, 13], ["South", 7, 8.25]]
    assert lines(read(workbook({"S": rows})))[2] == "Region: North; 2021: 12.5; 2022: 13"


def test_merged_heads_and_merged_rows_reach_over_what_they_span() -> None:
    rows = [
        [None, "Summer", None, "Winter", None],
        ["Town", "Min", "Max", "Min", "Max"],
        ["Oslo", 11, 22, -7, 0],
        [None, 12, 23, -6, 1],
    ]
    merged = (
        '<mergeCells><mergeCell ref="B1:C1"/><mergeCell ref="D1:E1"/>'
        '<mergeCell ref="A3:A4"/></mergeCells>'
    )
    made = read(workbook({"S": rows}, after=merged))
    assert lines(made)[3:] == [
        "Town: Oslo; Summer Min: 11; Summer Max: 22; Winter Min: -7; Winter Max: 0",
        "Town: Oslo; Summer Min: 12; Summer Max: 23; Winter Min: -6; Winter Max: 1",
    ]
    assert place(made, "Winter Max: 1") == "sheet S, E4, column 'Winter, Max'"


def test_a_cell_merged_over_the_table_is_a_heading_of_the_rows_below() -> None:
    rows = [["Item", "Fee", "Days"], ["Lamps"], ["Desk lamp", 9, 3], ["Chairs"], ["Stool", 20, 4]]
    merged = '<mergeCells><mergeCell ref="A2:C2"/><mergeCell ref="A4:C4"/></mergeCells>'
    made = read(workbook({"S": rows}, after=merged))
    assert made.blocks[-1].heading_path == ("S", "Chairs")
    assert lines(made)[-1] == "Item: Stool; Fee: 20; Days: 4"


def test_what_is_hidden_is_left_out_and_reported() -> None:
    inside = (
        '<row r="1"><c r="A1" t="str"><v>Item</v></c><c r="B1" t="str"><v>Cost</v></c>'
        '<c r="C1" t="str"><v>Fee</v></c></row>'
        '<row r="2" hidden="1"><c r="A2" t="str"><v>Secret lamp</v></c></row>'
        '<row r="3"><c r="A3" t="str"><v>Desk</v></c><c r="B3"><v>777</v></c>'
        '<c r="C3"><v>90</v></c></row>'
    )
    data = workbook(
        {"S": inside, "Old": [["gone"]]},
        hidden=["Old"],
        before='<cols><col min="2" max="2" hidden="1"/></cols>',
    )
    made = read(data)
    assert lines(made) == ["S", "Item | Fee", "Item: Desk; Fee: 90"]
    assert "1 hidden row and 1 hidden column" in made.notes[0]
    assert "hidden sheets" in made.notes[1]


def test_numbers_stand_as_their_format_shows_them() -> None:
    styles = (
        '<numFmts><numFmt numFmtId="200" formatCode="#,##0.00&quot; €&quot;"/></numFmts>'
        '<cellXfs><xf/><xf numFmtId="2"/><xf numFmtId="9"/><xf numFmtId="14"/>'
        '<xf numFmtId="200"/></cellXfs>'
    )
    cells = [(1, "4.5"), (2, "0.25"), (3, "43363"), (4, "1234.5"), (0, "123456789012345678")]
    inside = "".join(
        f'<c r="{"ABCDE"[i]}1" s="{s}"><v>{v}</v></c>' for i, (s, v) in enumerate(cells)
    )
    made = read(workbook({"S": f'<row r="1">{inside}</row>'}, styles=styles))
    assert lines(made)[1] == "4.50 | 25% | 2018-09-20 | 1,234.50 € | 123456789012346000"


SHOWN = [
    (0.1 + 0.2, "", "0.3"),
    (1e20, "General", "100000000000000000000"),
    (-1234.5, "#,##0.00;(#,##0.00)", "(1,234.50)"),
    (-3, "0", "-3"),
    (-0.001, "0.00", "0.00"),
    (2.345, "0.00", "2.35"),
    (1234567, '0.0,,"M"', "1.2M"),
    (5, '"No. "0', "No. 5"),
    (12, "[$€-407] #,##0.00", "€ 12.00"),
    (12, "[Red]0.0#", "12.0"),
    (60.5, "[h]:mm", "1452:00"),
    (0.5, "h:mm AM/PM", "12:00"),
    (45000.5, "yyyy\\-mm\\-dd\\ hh:mm", "2023-03-15 12:00"),
    (45000, "mmm yy", "2023-03"),
    (15, "d.m.yyyy", "1900-01-15"),
    (0.5, "# ?/?", "0.5"),
    (12345, "0.00E+00", "12345"),
]


@pytest.mark.parametrize(("value", "code", "words"), SHOWN)
def test_a_number_is_shown_by_its_format(value: float, code: str, words: str) -> None:
    assert shown(value, code) == words


def test_dates_count_from_1904_where_the_file_says_so() -> None:
    assert shown(0, "yyyy-mm-dd", since_1904=True) == "1904-01-01"


def test_two_cells_far_apart_take_no_rectangle() -> None:
    inside = (
        '<row r="1"><c r="A1"><v>1</v></c></row>'
        '<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
    )
    made = read(workbook({"S": inside}))
    assert lines(made) == ["S", "1", "2"]
    assert place(made, "2") == "sheet S, XFD1048576"


def test_a_formula_stands_with_its_value_and_without_one_is_reported() -> None:
    inside = (
        '<row r="1"><c r="A1"><f>SUM(B1:B9)</f><v>45</v></c><c r="B1"><f>NOW()</f></c>'
        '<c r="C1" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>'
    )
    made = read(workbook({"S": inside}))
    assert lines(made)[1:] == ["45", "#DIV/0!"]
    assert "1 formula" in made.notes[0]


def test_too_many_cells_are_cut_with_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.loaders.sheets.xlsx.MAXIMUM_CELLS", 5)
    made = read(PRICES)
    assert lines(made)[-1] == "Prices | Item | Fee | Days"[9:]
    assert "more than 5 cells" in made.notes[0]


def test_an_entity_bomb_is_refused() -> None:
    bomb = '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><workbook>&b;</workbook>'
    with pytest.raises(UnreadableContent, match="entity"):
        read(workbook({"S": [[1]]}, extra={"xl/workbook.xml": bomb}))


def test_a_cut_off_workbook_says_so() -> None:
    with pytest.raises(UnreadableContent, match="damaged"):
        read(PRICES[: len(PRICES) // 2])


@pytest.mark.parametrize("is_shared", [False, True])
def test_raised_digits_in_a_cell_are_none_of_the_number_before_them(is_shared: bool) -> None:
    words = (
        "<r><t>Fee 50</t></r><r><rPr><vertAlign val='superscript'/></rPr><t>1</t></r>"
        "<r><t> in m</t></r><r><rPr><vertAlign val='superscript'/></rPr><t>2</t></r>"
    )
    other = "<c r='B1' t='inlineStr'><is><t>7</t></is></c>"
    if not is_shared:
        made = read(workbook({"S": f"<row><c t='inlineStr'><is>{words}</is></c>{other}</row>"}))
    else:
        extra = {
            "xl/sharedStrings.xml": f"<sst xmlns='{MAIN}'><si>{words}</si></sst>",
            "xl/_rels/workbook.xml.rels": (
                f"<Relationships xmlns='{PACKAGE}'><Relationship Id='s1' Type='{LINKS}/worksheet'"
                " Target='worksheets/sheet1.xml'/><Relationship Id='t'"
                f" Type='{LINKS}/sharedStrings' Target='sharedStrings.xml'/></Relationships>"
            ),
        }
        sheet = f"<row><c t='s'><v>0</v></c>{other}</row>"
        made = read(workbook({"S": sheet}, extra=extra))
    assert "Fee 50¹ in m2 | 7" in made.text


def test_cells_and_words_that_are_struck_through_or_look_empty_are_left_out_and_reported() -> None:
    styles = (
        "<numFmts><numFmt numFmtId='170' formatCode=';;;'/></numFmts>"
        "<fonts><font/><font><strike/></font><font><strike val='0'/></font></fonts><cellXfs>"
        "<xf fontId='0'/><xf fontId='1'/><xf fontId='0' numFmtId='170'/><xf fontId='2'/></cellXfs>"
    )
    rich = "<r><rPr><strike/></rPr><t>nine </t></r><r><t>ten</t></r>"
    sheet = (
        "<row><c s='1'><v>5</v></c><c s='2'><v>6</v></c><c s='3'><v>7</v></c>"
        f"<c t='inlineStr'><is>{rich}</is></c></row>"
    )
    made = read(workbook({"S": sheet}, styles=styles))
    assert lines(made) == ["S", "7 | ten"]
    assert [note.split(":")[0] for note in made.notes] == [
        "2 cells or parts of cells were left out, struck through",
        "1 cell or parts of cells were left out, not shown by their number format",
    ]


@pytest.mark.parametrize(
    ("value", "code", "words"), [(501, "00000", "00501"), (0.5, "0.0", "0.5"), (-7, "000", "-007")]
)
def test_a_number_has_the_zeros_before_it_that_its_format_shows(
    value: float, code: str, words: str
) -> None:
    assert shown(value, code) == words
