"""Text to the word pieces a model was trained on: the uncased WordPiece of BERT.

The steps and their order are those of the original (Devlin et al., 2019): drop what cannot be
seen, strip accents, lower the case, split at spaces and punctuation, then take the longest piece
of the vocabulary again and again. What a text says stays text: `[SEP]` in a document is three
words, not the mark that ends a sentence.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Sequence

_UNKNOWN, _START, _END = "[UNK]", "[CLS]", "[SEP]"
_INSIDE = "##"
"""Begins a piece that goes on a word."""
_LONGEST_WORD = 100
"""Code points; a longer word is not taken apart."""
_REMEMBERED_WORDS = 50_000

_ASCII_WORD = re.compile(r"[0-9a-z]+|[!-/:-@\[-`{-~]")
_ASCII_CONTROLS = {code: None for code in (*range(32), 127) if chr(code) not in "\t\n\r"}
_NOT_SEEN = frozenset({"Cc", "Cf", "Co"})
_IDEOGRAPHS = (
    range(0x4E00, 0xA000),
    range(0x3400, 0x4DC0),
    range(0x20000, 0x2A6E0),
    range(0x2A700, 0x2B740),
    range(0x2B740, 0x2B820),
    range(0x2B820, 0x2CEB0),
    range(0xF900, 0xFB00),
    range(0x2F800, 0x2FA20),
)
"""Each is a word by itself."""


class WordPieces:
    """A vocabulary, and the words that were taken apart with it; safe to share among threads."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        """`vocabulary` in the order of the numbers that the model has for the pieces."""
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}
        self._start, self._end = self._ids[_START], self._ids[_END]
        self._unknown = self._ids[_UNKNOWN]
        self._pieces_of = functools.lru_cache(_REMEMBERED_WORDS)(self._take_apart)

    def framed(self, text: str, most: int) -> list[int]:
        """The pieces of `text` between the marks of start and end, which count among the `most`."""
        return [self._start, *self._pieces(text)[: most - 2], self._end]

    def pair(self, first: str, second: str, most: int) -> tuple[list[int], list[int]]:
        """The pieces of two texts with the marks around them, and for each the text it is of.

        `most` pieces at most: the longer text is cut first, then both alike.
        """
        own, other = self._pieces(first), self._pieces(second)
        room = most - 3
        shorter = min(len(own), len(other))
        if len(own) + len(other) > room:
            kept = min(shorter, room // 2)
            if len(own) <= len(other):
                own, other = own[:kept], other[: room - kept]
            else:
                own, other = own[: room - kept], other[:kept]
        ids = [self._start, *own, self._end, *other, self._end]
        return ids, [0] * (len(own) + 2) + [1] * (len(other) + 1)

    def _pieces(self, text: str) -> list[int]:
        return [piece for word in words(text) for piece in self._pieces_of(word)]

    def _take_apart(self, word: str) -> tuple[int, ...]:
        if len(word) > _LONGEST_WORD:
            return (self._unknown,)
        pieces = []
        at = 0
        while at < len(word):
            before = _INSIDE if at else ""
            for end in range(len(word), at, -1):
                found = self._ids.get(before + word[at:end])
                if found is not None:
                    pieces.append(found)
                    at = end
                    break
            else:
                return (self._unknown,)
        return tuple(pieces)


def words(text: str) -> list[str]:
    """The words and signs of `text` as the vocabulary has them: small letters without accents."""
    if text.isascii():
        return _ASCII_WORD.findall(text.translate(_ASCII_CONTROLS).lower())
    return "".join(map(_as_read, text)).split()


@functools.cache
def _as_read(character: str) -> str:
    """What is read for a character, with spaces around it where it is a word by itself."""
    category = unicodedata.category(character)
    if character in "\t\n\r":
        return " "
    if category in _NOT_SEEN or character == "\ufffd":
        return ""
    if category == "Cs":  # Half of a pair, which no file in Unicode can hold.
        return " ? "
    if character.isspace():
        return " "
    read = "".join(map(_sign_or_letters, unicodedata.normalize("NFD", character)))
    return f" {read} " if any(ord(character) in some for some in _IDEOGRAPHS) else read


def _sign_or_letters(character: str) -> str:
    category = unicodedata.category(character)
    if category == "Mn":
        return ""
    sign = category.startswith("P") or (character.isascii() and not character.isalnum())
    return f" {character} " if sign else character.lower()
