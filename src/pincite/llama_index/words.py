"""A text in pieces, as a stream gives them."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PIECE = re.compile(r"\s*\S+\s*")


def words_of(text: str) -> Iterator[str]:
    """The text a word at a time; one piece where there is no word."""
    if not text.strip():
        yield text
    for word in _PIECE.finditer(text):
        yield word.group()
