"""Offsets in other units than code points; the one place that converts them.

Python counts code points; JavaScript, Java and C# UTF-16 units; others the bytes of UTF-8. RFC 5147
counts a line end as one character, however many it is written with.
"""

from __future__ import annotations

from collections.abc import Callable

from pincite.text.lines import LINE_END

CODE_POINTS, UTF16, BYTES = "codepoint", "utf16", "byte"


def converted(text: str, offset: int, unit: str) -> int:
    """The code point offset into `text` in `unit`; ValueError for one that is not known."""
    if unit not in _COUNTED:
        raise ValueError(f"no unit {unit!r}, there are {', '.join(_COUNTED)}")
    return _COUNTED[unit](text[:offset])


def code_points(text: str, offset: int, unit: str) -> int:
    """The offset into `text` that `converted` turned into `offset`.

    ValueError where no code point begins or ends there.
    """
    place = converted_length = 0
    while converted_length < offset and place < len(text):
        converted_length += _COUNTED[unit](text[place])
        place += 1
    if converted_length != offset:
        raise ValueError(f"no character begins at {offset} in {unit}")
    return place


def as_rfc5147(text: str, offset: int) -> int:
    """The offset as RFC 5147 counts characters: every line end is one."""
    # A line feed is a part of the line end that its carriage return began.
    before = text[:offset]
    return offset - sum(len(found[0]) - 1 for found in LINE_END.finditer(before))


def _utf16_length(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)


def _byte_length(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


_COUNTED: dict[str, Callable[[str], int]] = {
    CODE_POINTS: len,
    UTF16: _utf16_length,
    BYTES: _byte_length,
}
UNITS = tuple(_COUNTED)
