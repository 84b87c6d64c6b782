"""In every format that is read line by line, all of the text is in blocks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.loaders.extracted import DEFAULT, Extracted
from pincite.loaders.formats import extract
from pincite.loaders.text import asciidoc, org_mode, restructured

READERS = [asciidoc.structure, org_mode.structure, restructured.structure]
_LINES = (
    "words", "  words", "    more words.", "", "", "- item", "  - item", "* star", "** two",
    "1. one",
    ". dot", "====", "====", "----", "----", "....", "--", "```", "|===", "| a | b |", "|---+---|",
    "+---+---+", "+===+===+", "===  ===", "a    b", "= Title", "== Two", "Title", "=====", "~~~~~",
    "#+BEGIN_SRC c", "#+END_SRC", "#+begin_quote", "#+end_quote", "# note", ":PROPERTIES:", ":END:",
    ": fixed", ".. note:: a", ".. code::", "   :opt: x", ".. a comment", ".. _target:", "Run::",
    ":field: x", ">>> x", "term:: a", "term::", "[source]", "[quote]", ".Caption", "+", "////",
    "____",
    "include::x[]", "'''", "\t", "| line", "   * - cell", ".. list-table:: x", "__ x", "\x0c",
)  # fmt: skip
_documents = st.lists(st.sampled_from(_LINES), max_size=25).flatmap(
    lambda lines: st.sampled_from(["\n", "\r\n", "\r"]).map(lambda end: end.join(lines))
)


@pytest.mark.parametrize("structure", READERS, ids=lambda reader: reader.__module__)
@settings(max_examples=300, deadline=None)
@given(text=_documents)
def test_the_text_is_the_file_and_all_of_it_is_in_blocks(
    structure: Callable[[str], Extracted], text: str
) -> None:
    made = structure(text)
    assert made.text == text
    assert not made.marks
    reached = 0
    for block in made.blocks:
        assert not text[reached : block.span.start].strip()
        assert block.span.start <= block.content.start <= block.content.end <= block.span.end
        assert block.span.start < block.span.end
        reached = block.span.end
    assert not text[reached:].strip()
    assert all(one.span.end <= two.span.start for one, two in pairwise(made.blocks))


@pytest.mark.parametrize("structure", READERS, ids=lambda reader: reader.__module__)
@pytest.mark.parametrize(
    "piece",
    [
        "#+BEGIN_x\n", ":DRAWER:\n", "+-+\n", " +-+\n+-+\n", "== ==\n", "----\n", "|===\n",
        "* a  :b",
        "a" + " " * 40, "1" * 40, ".. x\n  ", "- a\n", "=====\n", "[[", "`", ":a", "| ",
        "term::\n\n",
    ],
)  # fmt: skip
def test_hostile_text_is_read_to_its_end(structure: Callable[[str], Extracted], piece: str) -> None:
    # Were the time to grow with the square of the size, the run would be stopped.
    text = piece * 40_000
    assert structure(text).blocks[-1].span.end == len(text.rstrip())


@pytest.mark.parametrize(
    ("name", "form"), [("a.adoc", "asciidoc"), ("a.rst", "restructuredtext"), ("a.org", "org")]
)
def test_the_suffix_says_which_of_them_a_text_is(name: str, form: str) -> None:
    assert extract(b"Words.\n", name, DEFAULT)[0].name == form
