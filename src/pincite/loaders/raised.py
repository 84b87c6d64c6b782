"""Raised digits, which are no digits of the number they stand behind."""

from __future__ import annotations

RAISED = {
    ord(plain): ord(raised)
    for plain, raised in zip("0123456789+-\u2212", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻", strict=True)
}
"""Code point to code point."""


def raised(words: str, before: str) -> str:
    """`words`, which are printed raised, as they stand behind the text `before`.

    Their digits are written raised where those of a number stand before them: 50 with note 1 is not
    501, nor is 10⁶ 106. Behind letters they stay as they are: people ask for m2 and CO2.
    """
    first = words[:1]
    if not (before[-1:].isdecimal() and (first.isdecimal() or ord(first or " ") in RAISED)):
        return words
    return words.translate(RAISED)
