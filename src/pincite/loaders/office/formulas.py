"""Formulas of Office files (OMML) on one line, so that no two of their numbers read as one."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from pincite.loaders.xml_events import Attributes

_BEFORE = {"m:den": "/", "m:sup": "^", "m:sub": "_", "m:rad": "√"}
"""What is put before them."""
_PARTS = frozenset(
    "m:oMath m:e m:num m:den m:sup m:sub m:deg m:lim m:fName m:f m:sSup m:sSub m:sSubSup m:sPre"
    " m:nary m:rad m:d m:func m:m m:mr m:eqArr m:limLow m:limUpp".split()
)
"""A number in one is none of those beside it: 2 and a half is not 21/2."""
_BRACKETED = frozenset(("m:num", "m:den", "m:sup", "m:sub", "m:lim"))
_ONE = re.compile(r"\w*(?:[.,]\w+)*|\W")
"""What needs no brackets to be told from what is beside it."""
_DEEPEST = 50


@dataclass(slots=True)
class _Open:
    name: str
    first: int
    """The piece that its words begin with."""
    signs: dict[str, str] = field(default_factory=dict)
    has_begun: bool = False


class Formulas:
    """Takes the elements of formulas, and says what is put between their words."""

    def __init__(self) -> None:
        self._open: list[_Open] = []
        self._is_beside = False

    def start(self, name: str, attributes: Attributes, count: int) -> str:
        """What stands before the words of an element; `count` is how many pieces there are."""
        if name in ("m:begChr", "m:endChr", "m:sepChr", "m:chr"):
            if self._open:
                self._open[-1].signs[name] = attributes.get("m:val", "")
            return ""
        if name not in _PARTS:
            return ""
        self._is_beside = True
        before = _BEFORE.get(name, "")
        outer = self._open[-1] if self._open else None
        if outer is not None and outer.name == "m:d" and name == "m:e":
            sign = ("m:sepChr", "|") if outer.has_begun else ("m:begChr", "(")
            before = outer.signs.get(*sign)
            outer.has_begun = True
        elif outer is not None and outer.name == "m:nary" and not outer.has_begun:
            before = outer.signs.get("m:chr", "∫") + before
            outer.has_begun = True
        elif outer is not None and outer.name in ("m:mr", "m:eqArr", "m:m"):
            before = ("; " if outer.name != "m:mr" else ", ") if outer.has_begun else ""
            outer.has_begun = True
        if len(self._open) < _DEEPEST:
            self._open.append(_Open(name, count + bool(before)))
        return before

    def end(self, name: str, words_from: Callable[[int], str]) -> tuple[int, str]:
        """At which piece a bracket opens (-1 for none), and what stands behind the words.

        `words_from` says what the pieces from one on are.
        """
        if name not in _PARTS:
            return -1, ""
        self._is_beside = True
        if not self._open or self._open[-1].name != name:
            return -1, ""
        ended = self._open.pop()
        if name == "m:d" and ended.has_begun:
            return -1, ended.signs.get("m:endChr", ")")
        is_of_root = name == "m:e" and bool(self._open) and self._open[-1].name == "m:rad"
        if not is_of_root and name not in _BRACKETED:
            return -1, ""
        return (-1, "") if _ONE.fullmatch(words_from(ended.first).strip()) else (ended.first, ")")

    def between(self, before: str, words: str) -> str:
        """What stands between two pieces: a space between numbers that are not one."""
        if not self._is_beside:
            return ""
        self._is_beside = False
        return " " if words[:1].isdecimal() and before[-1:].isdecimal() else ""
