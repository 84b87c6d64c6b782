"""Notebooks: what is written, run and printed, at its cell."""

from __future__ import annotations

import json

from pincite.loaders.data.notebook import extract
from pincite.loaders.extracted import DEFAULT, Extracted
from pincite.places import NotebookPlace, place_of
from pincite.records import BlockKind


def read(book: object) -> Extracted:
    return extract(json.dumps(book).encode(), "a.ipynb", DEFAULT)


def blocks(made: Extracted) -> list[tuple[BlockKind, str, object]]:
    return [
        (
            block.kind,
            block.content.of(made.text),
            place_of(made.marks, block.content.start, block.content.end),
        )
        for block in made.blocks
    ]


def test_cells_are_read_in_order_with_what_they_print() -> None:
    made = read(
        {
            "nbformat": 4,
            "cells": [
                {"cell_type": "markdown", "source": ["# Fees\n", "\n", "- Nine euros.\n"]},
                {
                    "cell_type": "code",
                    "source": "print(total)",
                    "outputs": [
                        {"output_type": "stream", "text": ["to\x1b[0;31mtal\x1b[0m\n"]},
                        {"output_type": "display_data", "data": {"text/plain": "<Figure 1>"}},
                        {"output_type": "error", "traceback": ["\x1b[1mNameError\x1b[0m: x"]},
                    ],
                },
                {"cell_type": "raw", "source": "as it is"},
            ],
        }
    )
    assert blocks(made) == [
        (BlockKind.HEADING, "Fees", NotebookPlace(1, 1, "markdown")),
        (BlockKind.LIST_ITEM, "Nine euros.", NotebookPlace(1, 1, "markdown")),
        (BlockKind.CODE, "print(total)", NotebookPlace(2, 2, "code")),
        (BlockKind.CODE, "total", NotebookPlace(2, 2, "output")),
        (BlockKind.CODE, "NameError: x", NotebookPlace(2, 2, "output")),
        (BlockKind.CODE, "as it is", NotebookPlace(3, 3, "raw")),
    ]
    assert made.title == "Fees"
    assert made.blocks[3].heading_path == ("Fees",)


def test_version_3_has_its_cells_on_sheets() -> None:
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Fees"},
        {
            "cell_type": "code",
            "input": "x",
            "outputs": [{"output_type": "pyout", "text": ["nine"]}],
        },
    ]
    made = read({"nbformat": 3, "worksheets": [{"cells": cells}]})
    assert [words for _, words, _ in blocks(made)] == ["Fees", "x", "nine"]


def test_cells_that_are_wrong_cost_themselves_only() -> None:
    cells = [5, {"cell_type": "markdown"}, {"cell_type": "code", "outputs": 3, "source": ["a", 1]}]
    assert read({"cells": cells}).text == "a\n"


def test_what_is_no_notebook_is_read_as_what_it_is() -> None:
    assert read({"fee": 9}).text == '{"fee": 9}'
    broken = extract(b'{"cells": [', "a.ipynb", DEFAULT)
    assert "read as plain text" in broken.notes[0]
    deep = extract(b"[" * 100_000, "a.ipynb", DEFAULT)
    assert "read as plain text" in deep.notes[0]
    assert read({"cells": []}) == Extracted("", ())


def test_long_output_is_cut_with_a_note() -> None:
    output = {"output_type": "stream", "text": "word " * 10_000}
    made = read({"cells": [{"cell_type": "code", "source": "a", "outputs": [output]}]})
    assert len(made.text) < 21_000
    assert "1 cell" in made.notes[0]
