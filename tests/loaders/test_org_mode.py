"""Org files are read as the files they are, their structure told by their lines."""

from __future__ import annotations

from pincite.loaders.text.org_mode import structure


def blocks(text: str) -> list[tuple[str, str]]:
    """Kind and content of each block."""
    return [(block.kind.value, block.content.of(text)) for block in structure(text).blocks]


def test_headings_are_named_without_what_is_only_for_planning() -> None:
    text = "#+TITLE: The guide\n* TODO [#A] Pay /fees/ :money:\n"
    text += ":PROPERTIES:\n:ID: 1\n:END:\nNine.\n** More\n"
    made = structure(text)
    assert made.title == "The guide"
    assert [(b.kind.value, b.content.of(text), b.heading_path) for b in made.blocks] == [
        ("markup", "#+TITLE: The guide", ()),
        ("heading", "Pay /fees/", ("Pay fees",)),
        ("markup", ":PROPERTIES:\n:ID: 1\n:END:", ("Pay fees",)),
        ("paragraph", "Nine.", ("Pay fees",)),
        ("heading", "More", ("Pay fees", "More")),
    ]


def test_blocks_lists_and_tables() -> None:
    text = """#+BEGIN_SRC sh
ls

* no heading
#+END_SRC
#+begin_quote
Said by someone.
#+end_quote
# a comment
- One
  goes on
  1. Inner
- [ ] Two :: meaning
: fixed
| Item | Fee |
|------+-----|
| Lamp | 9   |
#+TBLFM: x
#+CAPTION: Fees
[fn:1] A note.
"""
    assert [block for block in blocks(text) if block[0] != "markup"] == [
        ("paragraph", "ls"),
        ("heading", "no heading"),
        ("quotation", "Said by someone."),
        ("list_item", "One\n  goes on"),
        ("list_item", "Inner"),
        ("list_item", "Two :: meaning"),
        ("code", "fixed"),
        ("table_header", "| Item | Fee |"),
        ("table_row", "| Lamp | 9   |"),
        ("paragraph", "Fees"),
        ("paragraph", "A note."),
    ]


def test_code_is_no_language() -> None:
    assert blocks("#+begin_src c\nint x;\n\n,* y\n#+end_src\n") == [
        ("markup", "#+begin_src c"),
        ("code", "int x;\n\n,* y"),
        ("markup", "#+end_src"),
    ]


def test_what_is_not_closed_hides_nothing() -> None:
    assert blocks("#+BEGIN_COMMENT\nWords.\n:DRAWER:\nMore.\n") == [
        ("markup", "#+BEGIN_COMMENT"),
        ("paragraph", "Words."),
        ("paragraph", ":DRAWER:"),
        ("paragraph", "More."),
    ]
