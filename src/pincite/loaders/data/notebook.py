"""Jupyter notebooks (IPYNB): what is written, run and printed, each at its cell."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pincite.loaders.composer import Composer
from pincite.loaders.data import json_text
from pincite.loaders.data.nodes import as_plain_text
from pincite.loaders.decoding import decoded_text
from pincite.loaders.extracted import Extracted, LoadSettings
from pincite.loaders.text import markdown
from pincite.places import NotebookPlace
from pincite.records import BlockKind

_OUTPUT_LENGTH = 20_000
"""Code points of what one cell printed that are read; more is seldom meant to be."""
# Colours and cursor movements of a terminal.
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])")
_OBJECT = re.compile(r"\s*<[^<>\n]{1,300}>\s*")
"""What is printed for a value that has no words, such as a figure."""
_CODE_NAMES = {"code": "code", "raw": "raw"}


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The cells in order; JSON of another shape is read as JSON, what is none as plain text."""
    text = decoded_text(data)
    try:
        book = json.loads(text)
    except (ValueError, RecursionError) as error:
        why = " ".join(str(error).split())[:100]
        return as_plain_text(text, f"is no notebook that can be read ({why})")
    cells = list(_cells(book))
    if not cells and not _has_cells(book):
        return json_text.structure(text)
    return _Reader().read(cells, book)


def _has_cells(book: object) -> bool:
    return isinstance(book, dict) and isinstance(book.get("cells", book.get("worksheets")), list)


def _cells(book: object) -> Iterator[Mapping[str, Any]]:
    """The cells of a notebook of version 4, or of 3 and before, where they are on sheets."""
    if not isinstance(book, dict):
        return
    sheets = [book] if isinstance(book.get("cells"), list) else book.get("worksheets")
    for sheet in sheets if isinstance(sheets, list) else []:
        cells = sheet.get("cells") if isinstance(sheet, dict) else None
        for cell in cells if isinstance(cells, list) else []:
            yield cell if isinstance(cell, dict) else {}


def _words(source: object) -> str:
    """A text, which may stand as a list of its lines."""
    if isinstance(source, list):
        return "".join(part for part in source if isinstance(part, str))
    return source if isinstance(source, str) else ""


class _Reader:
    def __init__(self) -> None:
        self._composer = Composer()
        self._title = ""
        self._cut = 0

    def read(self, cells: list[Mapping[str, Any]], book: Mapping[str, Any]) -> Extracted:
        for number, cell in enumerate(cells, start=1):
            kind = cell.get("cell_type")
            source = _words(cell.get("source", cell.get("input")))
            if kind in ("markdown", "html"):
                self._markdown(source, number)
            elif kind == "heading":  # Of version 3.
                level = cell.get("level")
                self._heading(source, level if isinstance(level, int) else 1, number)
            else:
                place = NotebookPlace(number, number, _CODE_NAMES.get(str(kind), ""))
                self._composer.add(BlockKind.CODE, [(source.replace("\r", ""), place)])
            outputs = cell.get("outputs")
            for output in outputs if isinstance(outputs, list) else []:
                self._output(output, number)
        metadata = book.get("metadata")
        named = metadata.get("title") if isinstance(metadata, dict) else ""
        notes = (
            [
                f"what {self._cut} cell{'s' if self._cut > 1 else ''} printed was read only up to"
                f" {_OUTPUT_LENGTH:,} characters: save it to a file of its own to have it all read"
            ]
            if self._cut
            else []
        )
        return self._composer.extracted(
            title=named if isinstance(named, str) and named else self._title, notes=notes
        )

    def _heading(self, words: str, level: int, number: int) -> None:
        level = min(6, max(1, level))
        if not self._title and level == 1:
            self._title = markdown.plain_words(words)
        self._composer.heading([(words, NotebookPlace(number, number, "markdown"))], level)

    def _markdown(self, source: str, number: int) -> None:
        """A cell of Markdown; its headings reach over the cells below it."""
        part = markdown.structure(source)
        place = NotebookPlace(number, number, "markdown")
        groups: dict[int, int] = {0: 0}
        for block in part.blocks:
            words = block.content.of(source)
            if block.kind is BlockKind.MARKUP:
                continue
            if block.kind is BlockKind.HEADING:
                self._heading(words, block.level, number)
                continue
            if block.group not in groups:
                groups[block.group] = self._composer.new_group()
            marker = source[block.span.start : block.content.start]
            is_item = block.kind is BlockKind.LIST_ITEM
            self._composer.add(
                block.kind,
                [(words, place)],
                level=block.level,
                group=groups[block.group],
                marker=marker.lstrip() if is_item else "",
            )

    def _output(self, output: object, number: int) -> None:
        if not isinstance(output, dict):
            return
        kind = output.get("output_type")
        if kind in ("error", "pyerr"):
            traceback = output.get("traceback")
            lines = traceback if isinstance(traceback, list) else []
            words = "\n".join(line for line in lines if isinstance(line, str))
            words = words or f"{_words(output.get('ename'))}: {_words(output.get('evalue'))}"
        else:
            shown = output.get("data")
            if isinstance(shown, dict) and isinstance(shown.get("text/markdown"), (str, list)):
                self._markdown(_words(shown["text/markdown"]), number)
                return
            words = _words(output.get("text"))
            if isinstance(shown, dict) and not words:
                words = _words(shown.get("text/plain"))
        words = _ANSI.sub("", words).replace("\r\n", "\n").replace("\r", "\n")
        if _OBJECT.fullmatch(words):
            return
        if len(words) > _OUTPUT_LENGTH:
            words = words[:_OUTPUT_LENGTH]
            self._cut += 1
        self._composer.add(BlockKind.CODE, [(words, NotebookPlace(number, number, "output"))])
