"""Numbers in the attributes of a web page, and those its lists show."""

from __future__ import annotations

from pincite.loaders.office.numerals import roman


def number_of(value: str, otherwise: int) -> int:
    """The number in `value`."""
    value = value.strip()
    is_number = value.isascii() and value.removeprefix("-").isdigit() and len(value) < 10
    return int(value) if is_number else otherwise


def ordinal(number: int, style: str) -> str:
    """`number` as a list shows it."""
    if style in ("a", "A") and number > 0:
        letters = ""
        while number > 0:
            number, letter = divmod(number - 1, 26)
            letters = chr(ord(style) + letter) + letters
        return letters
    if style in ("i", "I"):
        return roman(number) if style == "i" else roman(number).upper()
    return str(number)
