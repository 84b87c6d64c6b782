"""reStructuredText is read as the file it is, its structure told by its lines."""

from __future__ import annotations

from pincite.loaders.text.restructured import structure
from pincite.records import BlockKind


def blocks(text: str) -> list[tuple[str, str]]:
    """Kind and content of each block."""
    return [(block.kind.value, block.content.of(text)) for block in structure(text).blocks]


def test_sections_are_nested_in_the_order_of_their_underlines() -> None:
    text = "=====\nGuide\n=====\n\nFees\n----\n\nNine euros.\n"
    text += "\nMore `about <x>`_\n~~~~~~~~~~~~~~~~~\n\nWords.\n"
    made = structure(text)
    assert made.title == "Guide"
    assert [(b.kind.value, b.level, b.heading_path) for b in made.blocks] == [
        ("heading", 1, ("Guide",)),
        ("heading", 2, ("Guide", "Fees")),
        ("paragraph", 0, ("Guide", "Fees")),
        ("heading", 3, ("Guide", "Fees", "More about")),
        ("paragraph", 0, ("Guide", "Fees", "More about")),
    ]
    assert made.blocks[0].content.of(text) == "Guide"


def test_directives_are_markup_and_what_they_hold_is_read() -> None:
    text = """.. note:: Do not heat
   the lamp.

.. warning::
   :class: big

   Hot surface.

.. code-block:: python

   x = 1

   y = 2

.. a comment
   over two lines

.. _target:
.. toctree::

   one
   two

.. [1] A note.
"""
    assert blocks(text) == [
        ("paragraph", "Do not heat\n   the lamp."),
        ("markup", ".. warning::\n   :class: big"),
        ("paragraph", "Hot surface."),
        ("markup", ".. code-block:: python"),
        ("code", "x = 1\n\n   y = 2"),
        ("markup", ".. a comment\n   over two lines"),
        ("markup", ".. _target:"),
        ("markup", ".. toctree::\n\n   one\n   two"),
        ("paragraph", "A note."),
    ]


def test_lists_and_terms_keep_what_goes_on() -> None:
    text = "- One\n  goes on\n- Two\n\n  and on\n\n  1. Inner\n"
    text += "\n:Fee: 9 euros\n\nterm\n   Its meaning.\n"
    assert blocks(text) == [
        ("list_item", "One\n  goes on"),
        ("list_item", "Two"),
        ("list_item", "and on"),
        ("list_item", "Inner"),
        ("list_item", ":Fee: 9 euros"),
        ("paragraph", "term\n   Its meaning."),
    ]
    assert [block.level for block in structure(text).blocks[:4]] == [1, 1, 1, 2]


def test_literal_blocks_are_code() -> None:
    assert blocks("Run::\n\n  a\n    b\n\nDone.\n\n>>> 1\n1\n") == [
        ("paragraph", "Run::"),
        ("code", "a\n    b"),
        ("paragraph", "Done."),
        ("code", ">>> 1\n1"),
    ]


def test_tables_are_rows() -> None:
    grid = "+----+---+\n| It | F |\n+====+===+\n| La | 9 |\n+----+---+\n"
    simple = "====  ===\nIt    Fee\n====  ===\nLamp  9\n      or 8\nDesk  20\n====  ===\n"
    listed = ".. list-table::\n   :header-rows: 1\n\n   * - It\n     - Fee\n   * - Lamp\n     - 9\n"
    kinds = BlockKind.TABLE_HEADER.value, BlockKind.TABLE_ROW.value
    rows = [[row for row in blocks(text) if row[0] in kinds] for text in (grid, simple, listed)]
    assert rows == [
        [("table_header", "| It | F |"), ("table_row", "| La | 9 |")],
        [
            ("table_header", "It    Fee"),
            ("table_row", "Lamp  9\n      or 8"),
            ("table_row", "Desk  20"),
        ],
        [("table_header", "It\n     - Fee"), ("table_row", "Lamp\n     - 9")],
    ]
