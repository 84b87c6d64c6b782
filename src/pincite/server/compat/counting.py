"""What is counted as a token: a word piece of the models that come with the package.

Counted is what is read and what is said: the question, the turns before it and the documents sent
along; the words of the answer. What is left aside (system messages, settings) is not.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable

from pincite.encoder.session import word_pieces
from pincite.encoder.word_pieces import words
from pincite.errors import MissingExtra

_FRAME = 2
"""The marks of start and end."""


def tokens(texts: Iterable[str]) -> int:
    """How many tokens the texts have; words are counted where the models are not installed."""
    try:
        pieces = word_pieces()
    except MissingExtra:
        return sum(len(words(text)) for text in texts)
    return sum(len(pieces.framed(text, sys.maxsize)) - _FRAME for text in texts)
