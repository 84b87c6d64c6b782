"""The words and values of charts and diagrams, which office files keep in parts of their own."""

from __future__ import annotations

from pincite.loaders.composer import Composer, Piece
from pincite.loaders.grid import Cell, add_table
from pincite.loaders.office.office_package import Package
from pincite.loaders.xml_events import Attributes
from pincite.places import Place
from pincite.records import BlockKind

PREFIXES = {
    "http://schemas.openxmlformats.org/drawingml/2006/chart": "c",
    "http://purl.oclc.org/ooxml/drawingml/chart": "c",
    "http://schemas.openxmlformats.org/drawingml/2006/diagram": "dgm",
    "http://purl.oclc.org/ooxml/drawingml/diagram": "dgm",
    "http://schemas.openxmlformats.org/drawingml/2006/main": "a",
    "http://purl.oclc.org/ooxml/drawingml/main": "a",
}
_MOST_POINTS = 10_000


def add_chart(composer: Composer, package: Package, part: str, place: Place) -> str:
    """Add a chart as a table, a row for each category; what is wrong with it, or `""`."""
    chart = _Chart()
    wrong = package.read_part(part, chart, PREFIXES)
    composer.add(BlockKind.PARAGRAPH, [("".join(chart.title), place)])
    series = [one for one in chart.series if one.values]
    count = min(max((max(one.values) + 1 for one in series), default=0), _MOST_POINTS)
    rows: list[list[Cell]] = []
    if any(one.name for one in series):
        names = [Cell(1, index, [(one.name, place)]) for index, one in enumerate(series, 2)]
        rows.append([Cell(1, 1, []), *names])
    header_rows = len(rows)
    for point in range(count):
        row = len(rows) + 1
        category = next((one.categories[point] for one in series if point in one.categories), "")
        cells = [Cell(row, 1, [(category, place)])]
        cells += [
            Cell(row, index, [(one.values.get(point, ""), place)])
            for index, one in enumerate(series, 2)
        ]
        rows.append(cells)
    add_table(composer, rows, header_rows)
    return wrong


def add_diagram(composer: Composer, package: Package, part: str, place: Place) -> str:
    """Add the texts of a diagram as a list; what is wrong with it, or `""`."""
    diagram = _Diagram()
    wrong = package.read_part(part, diagram, PREFIXES)
    group = composer.new_group()
    for words in diagram.texts:
        piece: Piece = ("".join(words), place)
        composer.add(BlockKind.LIST_ITEM, [piece], level=1, group=group, marker="- ")
    return wrong


class _Series:
    def __init__(self) -> None:
        self.name = ""
        self.categories: dict[int, str] = {}
        self.values: dict[int, str] = {}


class _Chart:
    """Events of a chart: its title, and what was last known of its values."""

    def __init__(self) -> None:
        self.title: list[str] = []
        self.series: list[_Series] = []
        self._stack: list[str] = []
        self._point = 0
        self._words: list[str] = []
        self._is_percent = False

    def start(self, name: str, attributes: Attributes) -> None:
        self._stack.append(name)
        self._words = []
        if name == "c:ser":
            self.series.append(_Series())
        elif name in ("c:cat", "c:val", "c:xVal", "c:yVal"):
            self._is_percent = False
        elif name == "c:pt":
            value = attributes.get("idx", "")
            self._point = int(value) if value.isdecimal() and len(value) < 6 else 0

    def end(self, name: str) -> None:
        self._stack.pop()
        words = "".join(self._words)
        self._words = []
        if name == "a:t" and self._stack[2:3] == ["c:title"]:
            self.title.append(words)
        elif name == "c:formatCode":
            self._is_percent = words.endswith("%")
        elif name == "c:v" and self.series:
            series = self.series[-1]
            if "c:tx" in self._stack:
                series.name += (" " if series.name else "") + words
            elif "c:cat" in self._stack or "c:xVal" in self._stack:
                # Categories may have several levels, the innermost first.
                outer = series.categories.get(self._point)
                series.categories[self._point] = f"{words} {outer}" if outer else words
            elif "c:val" in self._stack or "c:yVal" in self._stack:
                series.values[self._point] = _percent(words) if self._is_percent else words

    def text(self, words: str) -> None:
        self._words.append(words)


class _Diagram:
    def __init__(self) -> None:
        self.texts: list[list[str]] = []
        self._stack: list[str] = []

    def start(self, name: str, attributes: Attributes) -> None:
        self._stack.append(name)
        if name == "dgm:pt":
            self.texts.append([])
        elif name == "a:p" and self.texts and self.texts[-1]:
            self.texts[-1].append(" ")

    def end(self, name: str) -> None:
        self._stack.pop()

    def text(self, words: str) -> None:
        if self._stack[-1] == "a:t" and "dgm:t" in self._stack:
            self.texts[-1].append(words)


def _percent(words: str) -> str:
    """`25%` for `0.25`, as a chart prints it."""
    try:
        return f"{float(words) * 100:.10g}%"
    except ValueError:
        return words
