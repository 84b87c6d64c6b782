"""Raised and lowered digits, which are no digits of the number they stand beside."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from enum import IntEnum

_PLAIN = "0123456789+-\u2212"
RAISED = {ord(plain): ord(raised) for plain, raised in zip(_PLAIN, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻", strict=True)}
"""Code point to code point."""
LOWERED = {ord(plain): ord(low) for plain, low in zip(_PLAIN, "₀₁₂₃₄₅₆₇₈₉₊₋₋", strict=True)}
"""As well."""
NEAR = 4
"""Code points before words, most, that tell what they stand behind."""

_NUMBER = re.compile(r"[\d⁰¹²³⁴-⁹⁺⁻₀-₉₊₋]\Z")
_AMOUNT = re.compile(
    r"[\d⁰¹²³⁴-⁹₀-₉][.,:;!?%‰°'\"’”)\]*…\u2010-\u2015\u2212-]{1,2}\Z|\d\s?[%‰$€£¥₹₽₩]\Z"
)  # fmt: skip
"""What a note's mark may stand behind: 50.¹ is not 50.1, nor 50–¹ 50–1, nor 50 €¹ 50 €1."""
_UNSEEN = re.compile("[\u00ad\u200b-\u200d\u2060-\u2064\ufeff]")
"""Without any width."""


class Lean(IntEnum):
    """Where words stand in their line."""

    LOWERED = -1
    LEVEL = 0
    RAISED = 1


def set_apart(words: str, before: str, lean: Lean) -> str:
    """`words`, which are printed raised or lowered, as they stand behind the text `before`.

    Their digits are written raised where those of a number stand before them: 50 with note 1 is not
    501, nor is 10⁶ 106. Behind letters they stay as they are: people ask for m2 and CO2.
    """
    first = words[:1]
    if lean is Lean.LEVEL or not (first.isdecimal() or ord(first or " ") in RAISED):
        return words
    before = _UNSEEN.sub("", before[-NEAR:])
    if _NUMBER.search(before) or (lean is Lean.RAISED and _AMOUNT.search(before)):
        return written_as(words, lean)
    return words


def written_as(words: str, lean: Lean) -> str:
    """`words` with their digits raised or lowered."""
    table = RAISED if lean is Lean.RAISED else LOWERED
    if not words.isascii():
        # Digits of other scripts, which have none that are raised.
        words = "".join(str(unicodedata.decimal(one, one)) for one in words)
    return words.translate(table)


def runs_on(words: str, lean: Lean, after: str) -> bool:
    """Whether digits that end `words`, printed otherwise, would be read with the number `after`.

    As the mark of a note before it: the 1 of ¹50 is no digit of 150.
    """
    return lean is not Lean.LEVEL and after[:1].isdecimal() and words[-1:].isdecimal()


def beside(before: Sequence[str], last: Lean, words: str, lean: Lean) -> tuple[str, str]:
    """The last of the pieces `before`, which is `last`, and `words`: no number made of both."""
    end = before[-1] if before else ""
    if last is not lean and runs_on(end, last, words):
        end = written_as(end, last)
    return end, set_apart(words, "".join(before[-NEAR:]), lean)
