"""Which elements of a web page its styles keep from being shown.

Only what can be told without laying the page out: attributes, and the style sheet's rules for one
element name, class or id. Styles of other files and those set by scripts are not known.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from pincite.loaders.raised import Lean
from pincite.loaders.web.html_tokens import attributes_of

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.S)
_COMPOUND = re.compile(r"([a-z][a-z0-9]*)?((?:\.[\w-]+){2,})", re.I)
_SELECTOR = re.compile(r"[a-z][a-z0-9]*|[a-z0-9]*[.#][\w-]+", re.I)
_ZERO = re.compile(r"[+-]?0*\.?0*(?:px|pt|em|rem|%|ex|ch|vh|vw)?")
_FAR_AWAY = re.compile(r"-\d{3,}(?:\.\d+)?(?:px|pt|em|rem|%)?")
_NO_AREA = re.compile(r"rect\(\s*(?:0(?:px)?|1px)[\s,]+(?:0(?:px)?|1px)[\s,]+.*\)")
_NO_PART = re.compile(r"inset\(\s*(?:100%.*|[5-9]\d%\s*)\)|circle\(\s*0.*\)|polygon\(\s*\)")
_NO_SCALE = re.compile(r".*\bscale[xy]?\(\s*0?\.?0*\s*[,)].*")
_SMALL_PRINT = re.compile(r"0*(?:\.\d+)?(?:px|pt)|1px")
_ON_SCREENS = re.compile(r"@media\s+(?:only\s+)?(?:screen|all)\s*\{", re.I)
_GROUND = re.compile(r"background|bgcolor|stylesheet", re.I)
_PALE = 238
"""Of 255 in each colour: words no darker are not seen on white."""
_NUMBERS = re.compile(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*(?:[,/]\s*([\d.]+%?)\s*)?\)")
_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_LOOKED_AT = frozenset(
    "class colspan hidden id media open role rowspan src start style type value".split()
)
_NAVIGATION_ROLES = frozenset(
    {"navigation", "menu", "menubar", "toolbar", "search", "doc-toc", "tablist"}
)
_NAVIGATION_NAMES = frozenset({"navbar", "navigation", "breadcrumb", "breadcrumbs"})
INHERITED = frozenset({"visibility", "font-size", "color"})
"""Properties that hide words in an element unless one within says otherwise."""
STRUCK = "text-decoration"
_HIDDEN = {"display": True}
_STRIKES = {STRUCK: True}
STRUCK_NAMES = frozenset(("del", "s", "strike"))
"""Their words hold no more: "The fee is <del>nine</del> ten euros"."""
_LEANS = {
    "super": Lean.RAISED, "top": Lean.RAISED, "text-top": Lean.RAISED, "sub": Lean.LOWERED
}  # fmt: skip
_APART = ("block", "flex", "grid", "list-item", "table", "table-cell", "table-row")
_LONGEST_KNOWN = 300
_MOST_COMPOUNDS = 50
"""That end in the same class."""
_RELATIVE = ("em", "%", "smaller", "larger", "ex", "ch")
_NAMES = {"white": "#ffffff", "black": "#000000", "transparent": "transparent"}


@dataclass(frozen=True, slots=True)
class Said:
    """What the attributes of a tag say."""

    attributes: Mapping[str, str]
    """Those that are looked at here or elsewhere."""
    told: Mapping[str, bool]
    """Of each property its own style sets: whether that hides its words."""
    is_navigation: bool = False
    is_white: bool = False
    """Its words are, and it says nothing of their ground."""
    lean: Lean = Lean.LEVEL
    is_apart: bool = False
    """It stands beside the words before it, or below, not among them."""

    @property
    def is_hidden(self) -> bool:
        """By itself, whatever style sheets say."""
        return "hidden" in self.attributes or any(self.told.values())


NOTHING_SAID = Said({}, {})


def said_by(written: str) -> Said:
    """What the attributes say that are `written` in a tag."""
    # Programs that write pages say the same of many elements.
    return _said_before(written) if len(written) <= _LONGEST_KNOWN else _said_by(written)


def _said_by(written: str) -> Said:
    attributes = attributes_of(written, _LOOKED_AT)
    declared = declarations(attributes["style"]) if "style" in attributes else {}
    return Said(
        attributes,
        told_by(declared),
        attributes.get("role", "").lower() in _NAVIGATION_ROLES
        or attributes.get("id", "").lower() in _NAVIGATION_NAMES
        or not _NAVIGATION_NAMES.isdisjoint(attributes.get("class", "").lower().split()),
        is_white(declared),
        _LEANS.get(declared.get("vertical-align", ""), Lean.LEVEL),
        declared.get("display") in _APART,
    )


_said_before = lru_cache(maxsize=1_000)(_said_by)


class Styles:
    """The rules of a page's style sheets that hide, or show again, what they name."""

    def __init__(self, *, is_white_ground: bool = False) -> None:
        self.rules: dict[str, dict[str, bool]] = {}
        """By selector, what it says of each property: whether that hides what it selects."""
        self._compounds: dict[str, list[tuple[str, frozenset[str], dict[str, bool]]]] = {}
        """Those of several classes by the last one, with the element's name, if they tell it."""
        self._of_hidden: dict[str, bool] = _HIDDEN
        self.is_white_ground = is_white_ground
        """Nothing on the page is said to have a ground of its own: white words are not seen."""

    def read(self, sheet: str) -> None:
        """Take in the text of a `style` element; rules for some media only are passed over."""
        depth = 0
        # What such a block ends with closes nothing then, which is passed over.
        for chunk in _ON_SCREENS.sub(" ", _COMMENT.sub(" ", sheet)).split("}"):
            opened = chunk.count("{")
            if depth == 0 and opened == 1:
                selectors, _, body = chunk.partition("{")
                declared = declarations(body)
                told = told_by(declared)
                if self.is_white_ground and is_white(declared):
                    told["color"] = True
                if told:
                    for selector in selectors.split(","):
                        self._add(selector.strip(), told)
            depth = max(0, depth + opened - 1)

    def _add(self, selector: str, told: dict[str, bool]) -> None:
        compound = _COMPOUND.fullmatch(selector)
        if compound:
            classes = compound[2].split(".")[1:]
            alike = self._compounds.setdefault(classes[-1], [])
            if len(alike) < _MOST_COMPOUNDS:
                alike.append(((compound[1] or "").lower(), frozenset(classes), told))
        elif selector == "[hidden]":
            self._of_hidden = self._of_hidden | told
        elif _SELECTOR.fullmatch(selector):
            key = _key(selector)
            self.rules[key] = self.rules.get(key, {}) | told

    @property
    def says_something(self) -> bool:
        """Whether any rule may hide what it selects, or show it."""
        return bool(self.rules or self._compounds)

    def told_of(self, name: str, said: Said) -> Mapping[str, bool]:
        """What is said of an element's properties: whether each hides its words.

        The element's own style counts before its id, this before its classes, these before its
        name.
        """
        attributes, rules = said.attributes, self.rules
        told: dict[str, bool] = dict(_STRIKES) if name in STRUCK_NAMES else {}
        if "hidden" in attributes:
            told |= self._of_hidden
        if self.says_something:
            told |= rules.get(name, {})
            classes = dict.fromkeys(attributes.get("class", "").split())
            of_class: dict[str, bool] = {}
            for one in classes:
                for key in (f".{one}", f"{name}.{one}"):
                    # Which rule comes later is not known: what shows is believed.
                    for which, hides in rules.get(key, {}).items():
                        of_class[which] = hides and of_class.get(which, True)
            told |= of_class
            if self._compounds:
                of_several: dict[str, bool] = {}
                for one in classes:
                    for of_name, needed, rule in self._compounds.get(one, ()):
                        if of_name in ("", name) and needed <= classes.keys():
                            for which, hides in rule.items():
                                of_several[which] = hides and of_several.get(which, True)
                told |= of_several
            identifier = attributes.get("id", "")
            if identifier:
                told |= rules.get(f"#{identifier}", {}) | rules.get(f"{name}#{identifier}", {})
        told |= said.told
        if said.is_white and self.is_white_ground:
            told["color"] = True
        return told


def declarations(style: str) -> dict[str, str]:
    """The properties of a `style` attribute or of a rule's body, in small letters."""
    found: dict[str, str] = {}
    for part in style.lower().split(";"):
        name, colon, value = part.partition(":")
        if colon:
            found[name.strip()] = value.replace("!important", "").strip()
    return found


def told_by(declared: Mapping[str, str]) -> dict[str, bool]:
    """Of each of these properties that can keep words from being seen, whether it does."""
    told: dict[str, bool] = {}
    for name, value in declared.items():
        if value in ("inherit", "unset"):
            continue
        match name:
            case "display":
                told[name] = value == "none"
            case "visibility":
                told[name] = value in ("hidden", "collapse")
            case "opacity":
                told[name] = _is_zero(value)
            case "content-visibility":
                told[name] = value == "hidden"
            case "font-size":
                is_hidden = _SMALL_PRINT.fullmatch(value) is not None or _is_zero(value)
                # A part of nothing is nothing.
                if is_hidden or not value.endswith(_RELATIVE):
                    told[name] = is_hidden
            case "clip-path":
                told[name] = _NO_PART.fullmatch(value) is not None
            case "transform":
                told[name] = _NO_SCALE.fullmatch(value) is not None
            case "text-indent":
                told[name] = _FAR_AWAY.fullmatch(value) is not None
            case "position":
                told[name] = value in ("absolute", "fixed") and _is_away(declared)
            case "height":
                told[name] = _is_zero(value) and declared.get("overflow") == "hidden"
            case "color":
                ground = declared.get("background-color") or declared.get("background")
                told[name] = _is_invisible_colour(value, ground)
            case "text-decoration" | "text-decoration-line":
                told[STRUCK] = "line-through" in value
    return told


def _is_away(declared: Mapping[str, str]) -> bool:
    get = declared.get
    return (
        any(_FAR_AWAY.fullmatch(get(side, "")) for side in ("left", "top", "right"))
        or _NO_AREA.fullmatch(get("clip", "")) is not None
        or (_is_tiny(get("width")) and _is_tiny(get("height")))
    )


def is_on_screens(media: str) -> bool:
    """Whether a style sheet for these media counts where pages are read."""
    return media.strip().lower() in ("", "all", "screen", "only screen")


def is_white(declared: Mapping[str, str]) -> bool:
    """Whether words are white, or next to it, and nothing is said of what is behind them."""
    front = _colour(declared.get("color"))
    return (
        front is not None
        and front.startswith("#")
        and min(int(front[place : place + 2], 16) for place in (1, 3, 5)) >= _PALE
        and "background-color" not in declared
        and "background" not in declared
    )


def has_white_ground(source: str) -> bool:
    """Whether a page says of no ground what it looks like, and asks for no other style sheet."""
    return _GROUND.search(source) is None


def _key(selector: str) -> str:
    for mark in ".#":
        if mark in selector:
            name, _, rest = selector.partition(mark)
            return f"{name.lower()}{mark}{rest}"
    return selector.lower()


def _is_zero(value: str | None) -> bool:
    return value is not None and "0" in value and _ZERO.fullmatch(value) is not None


def _is_tiny(value: str | None) -> bool:
    return value == "1px" or _is_zero(value)


def _is_invisible_colour(colour: str | None, background: str | None) -> bool:
    """Whether words are of the colour behind them, where the element itself says both."""
    front = _colour(colour)
    if front == "transparent":
        return True
    return front is not None and front == _colour(background)


def _colour(value: str | None) -> str | None:
    """`#rrggbb`, `transparent`, or None for what is not known."""
    if not value:
        return None
    value = _NAMES.get(value, value)
    numbers = _NUMBERS.fullmatch(value)
    if numbers:
        if numbers[4] is not None and float(numbers[4].rstrip("%") or 0) == 0:
            return "transparent"
        return "#" + "".join(f"{min(int(part), 255):02x}" for part in numbers.group(1, 2, 3))
    if _HEX.fullmatch(value):
        if len(value) in (4, 5):
            value = "#" + "".join(digit * 2 for digit in value[1:])
        return "transparent" if value[7:] == "00" else value[:7]
    return "transparent" if value == "transparent" else None
