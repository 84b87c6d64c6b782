"""Tables in plain text: values parted by commas, semicolons, tabs or bars (CSV, TSV)."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator

from pincite.loaders.composer import Composer
from pincite.loaders.decoding import decoded_text
from pincite.loaders.extracted import Extracted, LoadSettings
from pincite.loaders.sheets.cells import MAXIMUM_CELLS, Row, Sheet
from pincite.loaders.sheets.tables import add_sheet

_DELIMITERS = (",", ";", "\t", "|")
_SAMPLE = 65_536
_SAMPLE_ROWS = 100


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The rows of the table; raises `UnreadableContent` where the file holds no text."""
    text = decoded_text(data)
    delimiter = find_delimiter(text)
    rows: list[Row] = []
    count = 0
    notes: list[str] = []
    for number, values in enumerate(_records(text, delimiter), start=1):
        cells = [(column, value) for column, value in enumerate(values, 1) if value.strip()]
        count += len(cells)
        if count > MAXIMUM_CELLS:
            notes.append(
                f"has more than {MAXIMUM_CELLS:,} cells, and was read up to row {number - 1:,}:"
                " split the file to have all of it read"
            )
            break
        if cells:
            rows.append((number, cells))
    composer = Composer()
    add_sheet(composer, Sheet("", rows), is_one_table=True)
    return composer.extracted(notes=notes)


def find_delimiter(text: str) -> str:
    """The sign that parts most lines into the same number of values, more than one; else `,`."""
    first_line = text[:20].split("\n", 1)[0].strip().lower()
    if first_line.startswith("sep=") and len(first_line) == 5:  # As some programs write it.
        return first_line[4]
    sample = text[:_SAMPLE]
    best, best_score = ",", 0.0
    for delimiter in _DELIMITERS:
        widths: Counter[int] = Counter()
        for values in _records(sample, delimiter):
            if values:
                widths[len(values)] += 1
            if widths.total() == _SAMPLE_ROWS:
                break
        if not widths:
            continue
        width, count = max(widths.items(), key=lambda item: (item[1], item[0]))
        if width > 1:
            # As many lines as possible that agree; then the finer division.
            score = count / widths.total() + min(width, 50) / 1000
            if score > best_score:
                best, best_score = delimiter, score
    return best


def _records(text: str, delimiter: str) -> Iterator[list[str]]:
    """The records of `text`; a quotation mark that is never closed costs only its own value."""
    csv.field_size_limit(max(csv.field_size_limit(), len(text) + 1))
    # A NUL is no value.
    text = text.replace("\x00", "")
    lines = io.StringIO(text, newline="")
    if text[:4].lower() == "sep=":  # Which is no row.
        lines.readline()
        yield []
    is_unclosed = text.count('"') % 2 == 1
    reader = csv.reader(lines, delimiter=delimiter)
    while True:
        start, first_line = lines.tell(), reader.line_num
        try:
            values = next(reader)
        except StopIteration:
            return
        if is_unclosed and reader.line_num > first_line + 1 and lines.tell() == len(text):
            # It took all lines to the end into one value: from here on it is a sign like others.
            is_unclosed = False
            lines.seek(start)
            reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE)
            continue
        yield values
