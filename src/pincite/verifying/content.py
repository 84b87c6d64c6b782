"""What a text says, apart from how it is laid out: equal for two texts that say the same.

Line wraps, hyphens at line ends, ligatures, the width of spaces, and the styles of quotation marks
and dashes are layout. Everything else is content: digits and their separators, signs, currencies,
units, case, every word. `docs/citation-format.md` states the rules.
"""

from __future__ import annotations

import functools
import re
import sys
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass

from pincite.records import Span

MAYBE_HYPHEN = "\u00ad"
"""In a content: a hyphen at a line end, which may belong to the word or to the line."""

INVISIBLE = "\u200b\u200e\u200f\u2060\ufeff\u00ad"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_EM_DASHES = "\u2014\u2015"
HYPHENS = "-\u2010\u00ad"
_LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
}
_MARKS = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2039\u203a", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'),
    **_LIGATURES,
}
UNSPACED = (
    "[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff]"
)
"""Scripts, with their punctuation, that put no space between words."""
_IS_UNSPACED = re.compile(UNSPACED).match
_SPACE = rf"[\s{INVISIBLE}]"
_LAYOUT = re.compile(
    rf"(?P<wrap>(?<=[^\W_])(?:[{HYPHENS}]{_SPACE}*\s{_SPACE}*(?=[^\W_])"
    rf"|[{_DASHES}]{_SPACE}*\s{_SPACE}*(?=[^\W_A-ZÀ-ÖØ-Þ])))"
    # Not a single plain space, which is most of them and stays as it is.
    rf"|(?P<gap>(?: (?={_SPACE})|[^\S ]|[{INVISIBLE}]){_SPACE}*"
    rf"|(?<={UNSPACED}) (?={UNSPACED}))"
    rf"|(?P<dash>[{_DASHES}])"
    rf"|[{''.join(_MARKS)}]"
)


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a text, and where in the text each stretch of it stands."""

    text: str
    characters: str
    starts: tuple[int, ...]
    """Of the stretches, in `characters`: each is the text itself, or stands for other signs."""
    sources: tuple[Span, ...]
    """Of the stretches, in the text."""

    def source_of(self, start: int, end: int) -> Span:
        """The span of the text that says `characters[start:end]`, which is not empty."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, end - 1) - 1
        return Span(self._offset(first, start), self._offset(last, end - 1, behind=True))

    def _offset(self, stretch: int, place: int, *, behind: bool = False) -> int:
        source = self.sources[stretch]
        start = self.starts[stretch]
        end = self.starts[stretch + 1] if stretch + 1 < len(self.starts) else len(self.characters)
        if end - start == source.end - source.start:
            return source.start + place - start + behind
        return source.end if behind else source.start


def content_of(text: str) -> Content:
    """The content of `text`."""
    parts: list[str] = []
    starts: list[int] = []
    sources: list[Span] = []
    length = 0

    def add(said: str, start: int, end: int) -> None:
        nonlocal length
        if said:
            parts.append(said)
            starts.append(length)
            sources.append(Span(start, end))
            length += len(said)

    copied = 0
    for found in _pattern(text).finditer(text):
        add(text[copied : found.start()], copied, found.start())
        add(_said(found, text), *found.span())
        copied = found.end()
    add(text[copied:], copied, len(text))
    return Content(text, "".join(parts), tuple(starts), tuple(sources))


def words_of(text: str) -> str:
    """The content of `text` alone, without the space around it."""
    return content_of(text).characters.strip(" ")


def is_unspaced(character: str) -> bool:
    """Whether it is of a script that puts no space between words."""
    return bool(_IS_UNSPACED(character))


def _said(found: re.Match[str], text: str) -> str:
    start, end = found.span()
    before, after = text[start - 1 : start], text[end : end + 1]
    if found["wrap"]:
        # Before a small letter the hyphen may be of the line; in `10-` and `12` it is not.
        hyphen = found[0][0]
        broken = hyphen in HYPHENS and before.isalpha() and after.islower()
        return MAYBE_HYPHEN if broken or hyphen == MAYBE_HYPHEN else "-"
    if found["gap"]:
        spaced = any(character.isspace() for character in found[0])
        unspaced = before and after and is_unspaced(before) and is_unspaced(after)
        if before.isdigit() and after.isdigit():
            unspaced = False  # Two numbers.
        return " " if spaced and not unspaced else ""
    if found["dash"]:
        # A minus may be any short dash; a long one before a number is no sign.
        stays = found[0] in _EM_DASHES and not before.isalnum() and _is_amount(after)
        return found[0] if stays else "-"
    return _MARKS.get(found[0]) or unicodedata.normalize("NFC", found[0])


def _is_amount(character: str) -> bool:
    return character.isdigit() or (bool(character) and unicodedata.category(character) == "Sc")


def _pattern(text: str) -> re.Pattern[str]:
    return _LAYOUT if unicodedata.is_normalized("NFC", text) else _composing()


@functools.cache
def _composing() -> re.Pattern[str]:
    """`_LAYOUT`, and what NFC writes otherwise: a sign with marks after it, or a twin of another.

    Made when a text needs it: it takes a third of a second.
    """
    joining = "".join(
        character
        for character in map(chr, range(0x300, sys.maxunicode + 1))
        if unicodedata.combining(character) or "\u1160" <= character <= "\u11ff"
    )
    twins = "".join(
        character
        for character in map(chr, range(0x300, sys.maxunicode + 1))
        if not "\ud800" <= character <= "\udfff"
        and character not in joining
        and unicodedata.normalize("NFC", character) != character
    )
    return re.compile(
        rf"{_LAYOUT.pattern}|.[{re.escape(joining)}]+|[{re.escape(twins)}]", re.DOTALL
    )
