"""The style sheets of a web page: what their rules say of an element's words.

Rules for one element name, class or id, for several classes, and for `[hidden]`. Styles of other
files and those set by scripts are not known.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from pincite.loaders.raised import Lean
from pincite.loaders.web.html_style import (
    PAINTED,
    STRUCK,
    STRUCK_NAMES,
    Said,
    declarations,
    forced_in,
    is_apart,
    is_white,
    lean_of,
    told_by,
)

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.S)
_STRING = re.compile(r'"[^"\n\\]*+"|\'[^\'\n\\]*+\'')
_PART = re.compile(r"([^{};]*+)([{};]|\Z)")
_COMPOUND = re.compile(r"([a-z][a-z0-9]*)?((?:\.[\w-]+){2,})", re.I)
_SELECTOR = re.compile(r"[a-z][a-z0-9]*|[a-z0-9]*[.#][\w-]+", re.I)
_AT_RULE = re.compile(r"@([\w-]+)\s*(.*)", re.S)
_ON_PAPER = re.compile(r"(?:only\s+)?(?:print|speech|aural|braille|embossed|tty)\b", re.I)
_ON_SCREENS = frozenset(("", "all", "screen", "only screen"))
_DEEPEST = 100
"""Blocks inside each other; a sheet with more is not read on."""
_MOST_COMPOUNDS = 50
"""That end in the same class."""
_LEAN, _APART = "lean", "apart"

_OWN, _FORCED = 4, 8
"""Ranks: what the element's own style says, and what is marked as important."""
_ID, _CLASS, _NAME, _BROWSER = 3, 2, 1, 0

_Weight = tuple[int, int, int]
"""Rank, how many classes or the like the selector has, and which rule of the page it is."""
_Told = dict[str, tuple[_Weight, int]]
"""By property: whether it hides words, or the `Lean`; with the weight of what says so."""


class _Mode(IntEnum):
    """What of the rules in a block counts."""

    ALL = 0
    SHOWING = 1
    """What shows words again: it may hold for some windows only."""
    NONE = 2


@dataclass(slots=True)
class _Block:
    """A block of a style sheet that is open; a rule where it has selectors."""

    mode: _Mode
    selectors: str = ""
    body: list[str] = field(default_factory=list)


class Styles:
    """The rules of a page's style sheets that hide what they name, show it again or raise it."""

    def __init__(self, *, is_white_ground: bool = False) -> None:
        self.rules: dict[str, _Told] = {}
        """By selector."""
        self._compounds: dict[str, list[tuple[str, frozenset[str], _Told]]] = {}
        """Those of several classes by the last one, with the element's name, if they tell it."""
        self._of_hidden: _Told = {"display": ((_BROWSER, 0, 0), True)}
        self._count = 0
        self.is_white_ground = is_white_ground
        """Nothing on the page is said to have a ground of its own: white words are not seen."""

    def read(self, sheet: str) -> None:
        """Take in the text of a `style` element; rules for paper only are passed over."""
        open_blocks = [_Block(_Mode.ALL)]
        for found in _PART.finditer(_STRING.sub('""', _COMMENT.sub(" ", sheet))):
            words, mark = found.groups()
            last = open_blocks[-1]
            if mark == "{":
                if len(open_blocks) > _DEEPEST:
                    return
                open_blocks.append(_opened(words.strip(), last))
                continue
            if last.selectors:
                last.body.append(words)
            if mark == "}" or not mark:
                if last.selectors:
                    self._rule(last)
                if len(open_blocks) > 1:
                    open_blocks.pop()

    def _rule(self, rule: _Block) -> None:
        body = ";".join(rule.body)
        declared = declarations(body)
        told: dict[str, int] = dict(told_by(declared))
        if self.is_white_ground and is_white(declared):
            told["color"] = True
        lean = lean_of(declared)
        if lean is not None:
            told[_LEAN] = lean
        if rule.mode is _Mode.NONE:
            return
        apart = is_apart(declared)
        if apart is not None:
            told[_APART] = apart
        if rule.mode is _Mode.SHOWING:
            told = {which: value for which, value in told.items() if not value}
        if not told:
            return
        self._count += 1
        forced = forced_in(body)
        for selector in rule.selectors.split(","):
            self._add(selector.strip(), told, forced)

    def _add(self, selector: str, told: Mapping[str, int], forced: Collection[str]) -> None:
        compound = _COMPOUND.fullmatch(selector)
        if compound:
            classes = compound[2].split(".")[1:]
            alike = self._compounds.setdefault(classes[-1], [])
            if len(alike) < _MOST_COMPOUNDS:
                size = 2 * len(classes) + bool(compound[1])
                own = self._weighed(told, forced, _CLASS, size)
                alike.append(((compound[1] or "").lower(), frozenset(classes), own))
        elif selector == "[hidden]":
            _merge(self._of_hidden, self._weighed(told, forced, _CLASS, 2))
        elif _SELECTOR.fullmatch(selector):
            key, rank, size = _key(selector)
            _merge(self.rules.setdefault(key, {}), self._weighed(told, forced, rank, size))

    def _weighed(
        self, told: Mapping[str, int], forced: Collection[str], rank: int, size: int
    ) -> _Told:
        return {
            which: ((rank + _FORCED if which in forced else rank, size, self._count), value)
            for which, value in told.items()
        }

    @property
    def says_something(self) -> bool:
        """Whether any rule may say something of what it selects."""
        return bool(self.rules or self._compounds)

    def told_of(self, name: str, said: Said) -> tuple[Mapping[str, bool], Lean | None, bool]:
        """Of an element's properties, whether each hides its words; how high these stand, if that
        is said; and whether they stand apart from those before them.

        What is marked as important counts before all else; then the element's own style before
        rules for its id, these before those for its classes, these before those for its name; of
        two alike the later one.
        """
        attributes, rules = said.attributes, self.rules
        told: _Told = {STRUCK: ((_BROWSER, 0, 0), True)} if name in STRUCK_NAMES else {}
        if "hidden" in attributes:
            _merge(told, self._of_hidden)
        elif "popover" in attributes or (name == "dialog" and "open" not in attributes):
            told["display"] = ((_BROWSER, 0, 0), True)
        if self.says_something:
            _merge(told, rules.get(name))
            classes = dict.fromkeys(attributes.get("class", "").split())
            for one in classes:
                _merge(told, rules.get(f".{one}"))
                _merge(told, rules.get(f"{name}.{one}"))
                for of_name, needed, rule in self._compounds.get(one, ()):
                    if of_name in ("", name) and needed <= classes.keys():
                        _merge(told, rule)
            identifier = attributes.get("id", "")
            if identifier:
                _merge(told, rules.get(f"#{identifier}"))
                _merge(told, rules.get(f"{name}#{identifier}"))
        own: dict[str, int] = dict(said.told)
        if said.is_white and self.is_white_ground:
            own["color"] = True
        if said.lean is not None:
            own[_LEAN] = said.lean
        if said.is_apart is not None:
            own[_APART] = said.is_apart
        for which, value in own.items():
            rank = _OWN + _FORCED if which in said.forced else _OWN
            _merge(told, {which: ((rank, 0, 0), value)})
        leaning, apart = told.pop(_LEAN, None), told.pop(_APART, None)
        if PAINTED in told:
            del told[PAINTED]
            told["color"] = ((_OWN, 0, 0), False)
        hides = {which: bool(value) for which, (_, value) in told.items()}
        lean = None if leaning is None else Lean(leaning[1])
        return hides, lean, apart is not None and bool(apart[1])


def is_on_screens(attributes: Mapping[str, str]) -> bool:
    """Whether the style sheet in an element counts where pages are read."""
    return (
        attributes.get("media", "").strip().lower() in _ON_SCREENS
        and attributes.get("type", "text/css").strip().lower() in ("", "text/css")
    )  # fmt: skip


def _opened(prelude: str, within: _Block) -> _Block:
    """The block that begins behind `prelude`."""
    found = _AT_RULE.match(prelude)
    if found is None:
        # Rules inside of rules hold for what is inside of what these name.
        return _Block(_Mode.NONE if within.selectors else within.mode, prelude or "&")
    name, query = found[1].lower(), found[2].strip()
    if within.selectors or name not in ("media", "supports", "layer", "container"):
        return _Block(_Mode.NONE)
    mode = _Mode.ALL
    if name == "media" and " ".join(query.lower().split()) not in _ON_SCREENS:
        on_paper = all(_ON_PAPER.match(one.strip()) for one in query.split(","))
        mode = _Mode.NONE if on_paper else _Mode.SHOWING
    elif name == "container":
        mode = _Mode.SHOWING
    return _Block(max(mode, within.mode))


def _merge(told: _Told, more: _Told | None) -> None:
    for which, one in (more or {}).items():
        if which not in told or told[which][0] <= one[0]:
            told[which] = one


def _key(selector: str) -> tuple[str, int, int]:
    """A selector as it is looked up, its rank, and how many names it has."""
    for mark, rank in ((".", _CLASS), ("#", _ID)):
        if mark in selector:
            name, _, rest = selector.partition(mark)
            return f"{name.lower()}{mark}{rest}", rank, 2 + bool(name)
    return selector.lower(), _NAME, 1
