"""Formulas of a web page (MathML) on one line, so that no two of their numbers read as one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.loaders.raised import Lean
from pincite.loaders.web.html_flow import BETWEEN, Words
from pincite.loaders.web.html_tree import Element

TOKENS = frozenset(("mn", "mi", "mo", "mtext", "ms"))
"""Elements of a formula that hold its words."""
HOLDERS = frozenset(
    "math mrow mstyle msup msub msubsup mfrac msqrt mroot munder mover munderover mtable mtr mtd"
    " mmultiscripts semantics mpadded menclose merror".split()
)
"""White space right inside is not shown."""
_PARTS = {
    ("msup", 2): Lean.RAISED,
    ("msub", 2): Lean.LOWERED,
    ("msubsup", 2): Lean.LOWERED,
    ("msubsup", 3): Lean.RAISED,
    ("munder", 2): Lean.LOWERED,
    ("mover", 2): Lean.RAISED,
    ("munderover", 2): Lean.LOWERED,
    ("munderover", 3): Lean.RAISED,
}
"""How the parts of a formula stand, by its name and their number."""
_ROOTS = ("msqrt", "mroot")
_ENDS_IN_DIGIT = re.compile("\\d[\u200b-\u200d\u2060-\u2064\ufeff]*\\Z")


class Formulas:
    """What is put in between the words of formulas: 2 and a half is not 212, nor 10³ 103."""

    def __init__(self) -> None:
        self._parts: list[tuple[Element, list[Words], int]] = []
        """The parts of fractions that are open, each with the run it is in and where it begins."""
        self._is_last_inside = False
        """The words read last are a formula's."""

    def start(self, element: Element, run: list[Words]) -> Lean | None:
        """Take the beginning of an element of a formula; how its words stand, if they do so."""
        parent = element.parent
        if parent is None:
            return None
        which = sum(parent.counts.values()) if parent.counts else 1
        if parent.name == "mfrac":
            if which == 2 and run:
                run.append(("/", BETWEEN, BETWEEN))
            self._parts.append((element, run, len(run)))
        if element.name in _ROOTS:
            run.append(("√", BETWEEN, BETWEEN))
        return _PARTS.get((parent.name, which))

    def end(self, element: Element, run: list[Words]) -> None:
        """Take the end of an element: a part of a fraction that is a sum is put in brackets."""
        while self._parts and self._parts[-1][0] is not element:
            if self._parts[-1][0].depth <= element.depth:
                return
            self._parts.pop()
        if not self._parts:
            return
        _, own, first = self._parts.pop()
        count = sum(element.counts.values()) if element.counts else 0
        if own is run and first < len(run) and (count > 1 or element.name == "mfrac"):
            run.insert(first, ("(", BETWEEN, BETWEEN))
            run.append((")", BETWEEN, BETWEEN))

    def between(self, top: Element, run: Sequence[Words], words: str) -> str:
        """What stands between `run` and `words`, which are in `top`: a space between numbers."""
        is_inside = top.name in TOKENS
        is_beside = is_inside or self._is_last_inside
        self._is_last_inside = is_inside
        if not is_beside or not words[:1].isdecimal():
            return ""
        before = "".join(one[0] for one in run[-2:])
        return " " if _ENDS_IN_DIGIT.search(before) else ""
