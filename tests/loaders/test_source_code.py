"""Source code stays the text it is; comments are prose, code is code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.loaders.text.source_code import structure


def parts(text: str, name: str) -> list[tuple[str, str]]:
    made = structure(text, name)
    assert made.text == text
    return [(block.kind.value, block.content.of(text)) for block in made.blocks]


def test_python_has_comments_and_docstrings() -> None:
    text = (
        "#!/usr/bin/python\n# Pays\n# back.\n\ndef f():\n"
        '    """Gives nine.\n\n    Always.\n    """\n    return 9  # euros\n'
    )
    assert parts(text, "a.py") == [
        ("code", "#!/usr/bin/python"),
        ("paragraph", "Pays\n# back."),
        ("code", "def f():"),
        ("paragraph", "Gives nine."),
        ("paragraph", "Always."),
        ("markup", '    """'),
        ("code", "return 9  # euros"),
    ]


def test_a_string_over_several_lines_is_code() -> None:
    text = 'x = """\nnot a comment\n"""\ny = 1\n'
    assert parts(text, "a.py") == [("code", text.rstrip())]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("/* The fee is nine. */\nx();\n", "a.c"),
        ("/**\n * The fee is nine.\n */\nx();\n", "a.java"),
        ("/// The fee is nine.\nx();\n", "a.rs"),
        ("-- The fee is nine.\nx();\n", "a.sql"),
        ("; The fee is nine.\nx();\n", "a.ini"),
        ("REM The fee is nine.\nx();\n", "a.bat"),
        ("(* The fee is nine. *)\nx();\n", "a.ml"),
    ],
)
def test_comments_of_the_family_are_told(text: str, name: str) -> None:
    found = [part for part in parts(text, name) if part[0] != "markup"]
    assert found == [("paragraph", "The fee is nine."), ("code", "x();")]


def test_sections_of_settings_are_headings() -> None:
    text = "[server]\nport = 80\n\n[ client ]\nport = 81\n"
    made = structure(text, "a.ini")
    assert [block.heading_path for block in made.blocks] == [
        ("server",), ("server",), ("client",), ("client",),
    ]  # fmt: skip


@given(
    st.text(alphabet="#/*\"' \nab{}", max_size=40),
    st.sampled_from(["a.py", "a.c", "a.pas", "a.ini"]),
)
def test_blocks_cover_all_words_in_order(text: str, name: str) -> None:
    made = structure(text, name)
    position = 0
    for block in made.blocks:
        assert not text[position : block.span.start].strip()
        assert block.span.start <= block.content.start <= block.content.end <= block.span.end
        position = block.span.end
    assert not text[position:].strip()
