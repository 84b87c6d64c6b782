"""AsciiDoc is read as the file it is, its structure told by its lines."""

from __future__ import annotations

from pincite.loaders.text.asciidoc import structure


def blocks(text: str) -> list[tuple[str, str]]:
    """Kind and content of each block."""
    return [(block.kind.value, block.content.of(text)) for block in structure(text).blocks]


def test_titles_make_the_heading_path_and_the_header_is_markup() -> None:
    text = (
        "= Guide\n:toc: left\n\n[[fees]]\n== The *fees* ==\n\nNine euros.\n\nOld style\n---------\n"
    )
    made = structure(text)
    assert made.title == "Guide"
    assert [(b.kind.value, b.content.of(text), b.heading_path) for b in made.blocks] == [
        ("heading", "Guide", ("Guide",)),
        ("markup", ":toc: left", ("Guide",)),
        ("markup", "[[fees]]", ("Guide",)),
        ("heading", "The *fees*", ("Guide", "The fees")),
        ("paragraph", "Nine euros.", ("Guide", "The fees")),
        ("heading", "Old style", ("Guide", "Old style")),
    ]


def test_delimited_blocks_are_what_their_delimiters_say() -> None:
    text = """[source,java]
----
int x;

== no title
----

====
An example.
====

____
Said by someone.
____

////
A comment.
////

```sh
ls
```

// one line
NOTE: Keep it dry.
"""
    assert [block for block in blocks(text) if block[0] != "markup" or "omment" in block[1]] == [
        ("code", "int x;\n\n== no title"),
        ("paragraph", "An example."),
        ("quotation", "Said by someone."),
        ("markup", "A comment."),
        ("code", "ls"),
        ("paragraph", "NOTE: Keep it dry."),
    ]


def test_lists_are_items_with_what_is_joined_to_them() -> None:
    text = """* One
** Inner
goes on
+
Joined.

. First

Fee:: 9 euros
Term::
  Two years

.Caption
image::a.png[A picture]
"""
    assert blocks(text) == [
        ("list_item", "One"),
        ("list_item", "Inner\ngoes on"),
        ("markup", "+"),
        ("list_item", "Joined."),
        ("list_item", "First"),
        ("list_item", "Fee:: 9 euros"),
        ("list_item", "Term::\n  Two years"),
        ("paragraph", "Caption"),
        ("markup", "image::a.png[A picture]"),
    ]
    assert [block.level for block in structure(text).blocks[:2]] == [1, 2]


def test_rows_of_tables_are_told_by_their_cells() -> None:
    across = "|===\n|Item |Fee\n\n|Lamp |9\n|Desk\n|20\n|===\n"
    down = (
        '[cols="1,2",options="header"]\n|===\n|Item\n|Fee\n\n|Lamp\n|9\n|Desk\n|20,\nor 30\n|===\n'
    )
    rows = [[row for row in blocks(text) if row[0].startswith("table")] for text in (across, down)]
    assert rows == [
        [
            ("table_header", "Item |Fee"),
            ("table_row", "Lamp |9"),
            ("table_row", "Desk\n|20"),
        ],
        [
            ("table_header", "Item\n|Fee"),
            ("table_row", "Lamp\n|9"),
            ("table_row", "Desk\n|20,\nor 30"),
        ],
    ]


def test_a_block_that_is_not_closed_hides_nothing() -> None:
    assert blocks("////\nWords.\n") == [("markup", "////"), ("paragraph", "Words.")]
    assert blocks("|===\n\nWords.\n") == [("markup", "|==="), ("paragraph", "Words.")]
