"""OpenDocument spreadsheets: the words as they are shown, at the cell where they stand."""

from __future__ import annotations

import io
import zipfile

import pytest

from pincite.loaders.extracted import DEFAULT, Extracted, UnreadableContent
from pincite.loaders.sheets.ods import extract
from pincite.places import place_of
from pincite.render.places import place_text

_URN = "urn:oasis:names:tc:opendocument:xmlns"


def spreadsheet(tables: str, styles: str = "", manifest: str = "") -> bytes:
    names = " ".join(
        f'xmlns:{prefix}="{_URN}:{name}:1.0"'
        for prefix, name in (
            ("office", "office"), ("table", "table"), ("text", "text"), ("style", "style"),
            ("fo", "xsl-fo-compatible"), ("manifest", "manifest"),
        )
    )  # fmt: skip
    content = (
        f"<office:document-content {names}>"
        f"<office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:spreadsheet>{tables}</office:spreadsheet></office:body>"
        "</office:document-content>"
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
        archive.writestr("META-INF/manifest.xml", f"<manifest:m {names}>{manifest}</manifest:m>")
    return packed.getvalue()


def cell(words: str, more: str = "") -> str:
    return f"<table:table-cell {more}><text:p>{words}</text:p></table:table-cell>"


def row(*cells: str, more: str = "") -> str:
    return f"<table:table-row {more}>{''.join(cells)}</table:table-row>"


def table(*rows: str, name: str = "Fees", more: str = "") -> str:
    return f'<table:table table:name="{name}" {more}>{"".join(rows)}</table:table>'


def read(data: bytes) -> Extracted:
    return extract(data, "a.ods", DEFAULT)


def lines(made: Extracted) -> list[str]:
    return [block.content.of(made.text) for block in made.blocks]


def test_cells_stand_as_shown_dates_in_iso() -> None:
    date = 'office:value-type="date" office:date-value="2024-01-02"'
    made = read(
        spreadsheet(
            table(
                row(cell("Item"), cell("Share"), cell("When")),
                row(
                    cell("Desk<text:s/>lamp"),
                    cell("25 %", 'office:value-type="percentage" office:value="0.25"'),
                    cell("2. Jan.", date),
                ),
            )
        )
    )
    assert lines(made)[2] == "Item: Desk lamp; Share: 25 %; When: 2024-01-02"
    start = made.text.index("Share: 25")
    found = place_of(made.marks, start, start + 9)
    assert found is not None
    assert place_text(found) == "sheet Fees, B2, row 'Desk lamp', column 'Share'"


def test_repeated_rows_and_columns_keep_count() -> None:
    empty = '<table:table-cell table:number-columns-repeated="3"/>'
    made = read(
        spreadsheet(
            table(
                row(empty, more='table:number-rows-repeated="4"'),
                row('<table:table-cell table:number-columns-repeated="2"/>', cell("Total")),
                row(empty, more='table:number-rows-repeated="1048571"'),
            )
        )
    )
    start = made.text.index("Total")
    found = place_of(made.marks, start, start + 5)
    assert found is not None
    assert place_text(found) == "sheet Fees, C5"


def test_what_is_hidden_is_left_out_and_reported() -> None:
    style = (
        '<style:style style:name="ta2"><style:table-properties table:display="false"/>'
        "</style:style>"
    )
    made = read(
        spreadsheet(
            table(
                "<table:table-column/>"
                '<table:table-column table:visibility="collapse"/><table:table-column/>',
                row(cell("Item"), cell("Cost"), cell("Fee")),
                row(cell("Secret"), cell("1"), cell("2"), more='table:visibility="filter"'),
                row(
                    cell("Lamp<office:annotation><text:p>aside</text:p></office:annotation>"),
                    cell("7"),
                    cell("9"),
                ),
            )
            + table(row(cell("gone")), name="Old", more='table:style-name="ta2"'),
            style,
        )
    )
    assert lines(made) == ["Fees", "Item | Fee", "Item: Lamp; Fee: 9"]
    assert [note.split(" were")[0].split(",")[0] for note in made.notes] == [
        "1 hidden row and 1 hidden column of sheet “Fees”", "comments", "has hidden sheets",
    ]  # fmt: skip


def test_a_password_is_named() -> None:
    with pytest.raises(UnreadableContent, match="password"):
        read(spreadsheet("", manifest="<manifest:encryption-data/>"))
