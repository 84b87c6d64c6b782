"""A stretch of an RTF file that is read by itself (body, note, text box), with its open table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from pincite.loaders.office.running_text import Item, Table, TableCell, TableRow
from pincite.loaders.raised import Lean


@dataclass(slots=True)
class CellKind:
    """What the definition of a row says of one of its cells."""

    continues: bool = False
    is_covered: bool = False


@dataclass(slots=True)
class Level:
    """What is open around the place reached: a note, a text box, or the body."""

    part: str
    add: Callable[[Item], None]
    words: list[str] = field(default_factory=list)
    lean: Lean = Lean.LEVEL
    """Of the words read last."""
    marker: str = ""
    bold: list[bool] = field(default_factory=list)
    notes: list[tuple[str, str]] = field(default_factory=list)
    boxes: list[Item] = field(default_factory=list)
    table: Table | None = None
    row: TableRow | None = None
    cell: TableCell | None = None
    kinds: list[CellKind] = field(default_factory=list)
    kind: CellKind = field(default_factory=CellKind)
    is_header_row: bool = False

    def open_cell(self, number: int) -> TableCell:
        """The cell that is open; a new one if need be, with its row and with table `number`."""
        if self.table is None:
            self.table = Table(number=number)
        if self.row is None:
            self.row = TableRow()
        if self.cell is None:
            self.cell = TableCell(column=len(self.row.cells) + 1)
        return self.cell

    def end_cell(self) -> None:
        """End the cell that is open; what comes next is in another one."""
        if self.row is not None and self.cell is not None:
            self.row.cells.append(self.cell)
        self.cell = None

    def end_row(self) -> None:
        """End the row that is open, as the definition says that stood before it."""
        row = self.row
        if row is None or self.table is None:
            return
        self.end_cell()
        for cell, kind in zip(row.cells, self.kinds, strict=False):
            cell.continues, cell.is_covered = kind.continues, kind.is_covered
        row.is_header = self.is_header_row
        self.table.rows.append(row)
        self.row = None

    def close_table(self) -> None:
        """Give the table that is open, if there is one."""
        table = self.table
        if table is None:
            return
        self.end_cell()
        if self.row is not None and self.row.cells:
            table.rows.append(self.row)
        self.table = self.row = None
        self.add(table)
