"""Numbers as lists show them: 1, i, IV, a, aa, 三."""

from __future__ import annotations

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_HAN = "〇一二三四五六七八九"
_LARGEST = 3_999
"""Larger numbers are written in digits."""
_MOST_LETTERS = 26 * 10


def roman(number: int) -> str:
    """`iv` for 4; digits outside 1 to 3,999."""
    if not 1 <= number <= _LARGEST:
        return str(number)
    parts: list[str] = []
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        parts.append(letters * count)
    return "".join(parts)


def letters(number: int, alphabet: str = "abcdefghijklmnopqrstuvwxyz") -> str:
    """`a` for 1, `z` for 26, `aa` for 27, `bb` for 28; digits outside 1 to 260."""
    if not 1 <= number <= _MOST_LETTERS:
        return str(number)
    count, letter = divmod(number - 1, len(alphabet))
    return alphabet[letter] * (count + 1)


def han(number: int) -> str:
    """`十二` for 12; digits outside 0 to 99."""
    if not 0 <= number <= 99:
        return str(number)
    tens, ones = divmod(number, 10)
    if not tens:
        return _HAN[ones]
    return (_HAN[tens] if tens > 1 else "") + "十" + (_HAN[ones] if ones else "")


def ordinal(number: int) -> str:
    """`1st`, `12th`."""
    suffix = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else suffix}"
