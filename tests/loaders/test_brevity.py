"""A file that gives very little text for its size says so, and no other does."""

from __future__ import annotations

import pytest

from pincite.loaders import formats
from pincite.loaders.brevity import brevity_note
from pincite.loaders.extracted import DEFAULT


@pytest.mark.parametrize(
    ("size", "text"),
    [(100_000, ""), (12_000, ""), (112_000, "Twelve signs"), (840_000, "words " * 200)],
)
def test_small_files_and_those_with_some_text_get_no_note(size: int, text: str) -> None:
    assert brevity_note("docx", size, text) is None


def test_a_large_file_with_very_little_text_gets_a_note() -> None:
    note = brevity_note("docx", 840_000, "Twelve signs\n")
    assert note is not None
    assert note.startswith("only 11 characters of text in 840 kB: it may hold pictures")


def test_the_note_comes_with_the_file() -> None:
    message = b"X-Data: " + b"x" * 200_000 + b"\n\nHi\n"
    _, found = formats.extract(message, "a.eml", DEFAULT)
    assert found.notes == (
        "only 2 characters of text in 200 kB: it may hold pictures, or letters in an encoding of "
        "its own: look into it",
    )
