"""Tables of a Word document: what the properties of a table, its rows and cells say."""

from __future__ import annotations

from dataclasses import dataclass

from pincite.loaders.office.docx_styles import is_on, is_shade, number_of
from pincite.loaders.office.running_text import Table, TableCell, TableRow
from pincite.loaders.xml_events import Attributes

_WIDEST_SPAN = 64


@dataclass(slots=True)
class OpenTable:
    """A table that is being read, and what the file says of its look."""

    table: Table
    style: str = ""
    has_first_row: bool = False
    columns_before: int = 0
    """The row leaves out before its first cell."""


def start_table_property(opened: OpenTable, name: str, parent: str, attributes: Attributes) -> None:
    """Take in an element of a table outside its paragraphs."""
    table = opened.table
    row = table.rows[-1] if table.rows else None
    cell = row.cells[-1] if row is not None and row.cells else None
    if name == "w:tr":
        table.rows.append(TableRow())
        opened.columns_before = 0
    elif name == "w:tc" and row is not None:
        column = cell.column + cell.columns if cell is not None else 1 + opened.columns_before
        row.cells.append(TableCell(column=column))
    elif name == "w:tblStyle":
        opened.style = attributes.get("w:val", "")
    elif name == "w:tblLook":
        opened.has_first_row = _has_first_row(attributes)
    elif name == "w:tblHeader" and row is not None:
        row.is_header = is_on(attributes)
    elif name == "w:gridBefore":
        opened.columns_before = max(0, min(number_of(attributes.get("w:val")), _WIDEST_SPAN))
    elif parent == "w:tcPr" and cell is not None:
        if name == "w:gridSpan":
            cell.columns = max(1, min(number_of(attributes.get("w:val"), 1), _WIDEST_SPAN))
        elif name == "w:vMerge":
            cell.continues = attributes.get("w:val", "continue") == "continue"
        elif name == "w:shd":
            cell.is_shaded = is_shade(attributes)


def _has_first_row(attributes: Attributes) -> bool:
    """Whether a table's look sets off its first row."""
    if "w:firstRow" in attributes:
        return attributes["w:firstRow"].lower() not in ("0", "false", "off")
    try:
        return bool(int(attributes.get("w:val", "0"), 16) & 0x20)
    except ValueError:
        return False
