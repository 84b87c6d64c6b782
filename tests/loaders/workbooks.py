"""Small Excel workbooks for tests: the parts of the package that a loader reads, no more."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from html import escape

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"

Value = str | int | float | bool | None


def workbook(
    sheets: Mapping[str, Sequence[Sequence[Value]] | str],
    *,
    hidden: Sequence[str] = (),
    styles: str = "",
    before: str = "",
    after: str = "",
    extra: Mapping[str, str] | None = None,
) -> bytes:
    """An XLSX file with `sheets`: rows from A1 on, or the XML inside `sheetData` as it is.

    `before` and `after` are XML around `sheetData`, on every sheet.
    """
    parts = {"[Content_Types].xml": "<Types/>"}
    parts["_rels/.rels"] = _links([("rId1", "officeDocument", "xl/workbook.xml")])
    names = list(sheets)
    states = ("visible", "hidden")
    named = "".join(
        f'<sheet name="{escape(name)}" sheetId="{number}" r:id="s{number}"'
        f' state="{states[name in hidden]}"/>'
        for number, name in enumerate(names, 1)
    )
    parts["xl/workbook.xml"] = (
        f'<workbook xmlns="{MAIN}" xmlns:r="{LINKS}"><sheets>{named}</sheets></workbook>'
    )
    links = [(f"s{n}", "worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(names) + 1)]
    if styles:
        links.append(("st", "styles", "styles.xml"))
        parts["xl/styles.xml"] = f'<styleSheet xmlns="{MAIN}">{styles}</styleSheet>'
    parts["xl/_rels/workbook.xml.rels"] = _links(links)
    for number, name in enumerate(names, 1):
        rows = sheets[name]
        inside = rows if isinstance(rows, str) else "".join(map(_row, range(1, 10_000), rows))
        parts[f"xl/worksheets/sheet{number}.xml"] = (
            f'<worksheet xmlns="{MAIN}">{before}<sheetData>{inside}</sheetData>{after}</worksheet>'
        )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, text in {**parts, **(extra or {})}.items():
            archive.writestr(part, text)
    return packed.getvalue()


def _links(links: Sequence[tuple[str, str, str]]) -> str:
    inside = "".join(
        f'<Relationship Id="{link}" Type="{LINKS}/{kind}" Target="{target}"/>'
        for link, kind, target in links
    )
    return f'<Relationships xmlns="{PACKAGE}">{inside}</Relationships>'


def _row(number: int, values: Sequence[Value]) -> str:
    cells = "".join(
        _cell(f"{chr(64 + column)}{number}", value)
        for column, value in enumerate(values, 1)
        if value is not None
    )
    return f'<row r="{number}">{cells}</row>'


def _cell(name: str, value: Value) -> str:
    if isinstance(value, bool):
        return f'<c r="{name}" t="b"><v>{int(value)}</v></c>'
    if isinstance(value, str):
        return f'<c r="{name}" t="inlineStr"><is><t>{escape(value)}</t></is></c>'
    return f'<c r="{name}"><v>{value}</v></c>'
