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
_SELECTOR = re.compile(r"[a-z][a-z0-9]*|[a-z0-9]*[.#][\w-]+", re.I)
_ZERO = re.compile(r"[+-]?0*\.?0*(?:px|pt|em|rem|%|ex|ch|vh|vw)?")
_FAR_AWAY = re.compile(r"-\d{3,}(?:\.\d+)?(?:px|pt|em|rem|%)?")
_NO_AREA = re.compile(r"rect\(\s*(?:0(?:px)?|1px)[\s,]+(?:0(?:px)?|1px)[\s,]+.*\)")
_NO_PART = re.compile(r"inset\(\s*(?:100|[5-9]\d)%.*\)|circle\(\s*0.*\)|polygon\(\s*\)")
_NO_SCALE = re.compile(r".*\bscale[xy]?\(\s*0?\.?0*\s*[,)].*")
_SMALL_PRINT = re.compile(r"0*(?:\.\d+)?(?:px|pt)|1px")
_ON_SCREENS = re.compile(r"@media\s+(?:only\s+)?(?:screen|all)\s*\{", re.I)
_GROUND = re.compile(r"background|bgcolor|stylesheet", re.I)
_PALE = 238
"""Of 255 in each colour: words no darker are not seen on white."""
_NUMBERS = re.compile(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*(?:[,/]\s*([\d.]+%?)\s*)?\)")
_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_LOOKED_AT = frozenset(
    "class colspan hidden id open role rowspan src start style type value".split()
)
_NAVIGATION_ROLES = frozenset(
    {"navigation", "menu", "menubar", "toolbar", "search", "doc-toc", "tablist"}
)
_NAVIGATION_NAMES = frozenset({"navbar", "navigation", "breadcrumb", "breadcrumbs"})
_HIDING = frozenset({"display", "visibility"})
_LEANS = {
    "super": Lean.RAISED, "top": Lean.RAISED, "text-top": Lean.RAISED, "sub": Lean.LOWERED
}  # fmt: skip
_LONGEST_KNOWN = 300
_NAMES = {"white": "#ffffff", "black": "#000000", "transparent": "transparent"}


@dataclass(frozen=True, slots=True)
class Said:
    """What the attributes of a tag say."""

    attributes: Mapping[str, str]
    """Those that are looked at here or elsewhere."""
    is_hidden: bool = False
    """By itself, whatever style sheets say."""
    is_settled: bool = False
    """Its own style says whether it is shown, so that style sheets do not."""
    is_navigation: bool = False
    is_white: bool = False
    """Its words are, and it says nothing of their ground."""
    lean: Lean = Lean.LEVEL


NOTHING_SAID = Said({})


def said_by(written: str) -> Said:
    """What the attributes say that are `written` in a tag."""
    # Programs that write pages say the same of many elements.
    return _said_before(written) if len(written) <= _LONGEST_KNOWN else _said_by(written)


def _said_by(written: str) -> Said:
    attributes = attributes_of(written, _LOOKED_AT)
    declared = declarations(attributes["style"]) if "style" in attributes else {}
    return Said(
        attributes,
        "hidden" in attributes or (bool(declared) and hides(declared)),
        not _HIDING.isdisjoint(declared),
        attributes.get("role", "").lower() in _NAVIGATION_ROLES
        or attributes.get("id", "").lower() in _NAVIGATION_NAMES
        or not _NAVIGATION_NAMES.isdisjoint(attributes.get("class", "").lower().split()),
        is_white(declared),
        _LEANS.get(declared.get("vertical-align", ""), Lean.LEVEL),
    )


_said_before = lru_cache(maxsize=1_000)(_said_by)


class Styles:
    """The rules of a page's style sheets that hide, or show again, what they name."""

    def __init__(self, *, is_white_ground: bool = False) -> None:
        self.rules: dict[str, bool] = {}
        """By selector, whether what it selects is hidden."""
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
                is_hidden = hides(declared) or (self.is_white_ground and is_white(declared))
                if "display" in declared or "visibility" in declared or is_hidden:
                    for selector in selectors.split(","):
                        selector = selector.strip()
                        if _SELECTOR.fullmatch(selector):
                            self.rules[_key(selector)] = is_hidden
            depth = max(0, depth + opened - 1)

    def hide(self, name: str, attributes: Mapping[str, str]) -> bool:
        """Whether an element is hidden; its id counts before its classes, these before its name."""
        rules = self.rules
        identifier = attributes.get("id", "")
        classes = attributes.get("class", "").split()
        if identifier:
            for key in (f"#{identifier}", f"{name}#{identifier}"):
                if key in rules:
                    return rules[key]
        of_class = [
            rules[key]
            for one in classes
            for key in (f".{one}", f"{name}.{one}")
            if key in rules
        ]  # fmt: skip
        return all(of_class) if of_class else rules.get(name, False)


def declarations(style: str) -> dict[str, str]:
    """The properties of a `style` attribute or of a rule's body, in small letters."""
    found: dict[str, str] = {}
    for part in style.lower().split(";"):
        name, colon, value = part.partition(":")
        if colon:
            found[name.strip()] = value.replace("!important", "").strip()
    return found


def hides(declared: Mapping[str, str]) -> bool:
    """Whether these properties keep an element and all in it from being shown."""
    get = declared.get
    return (
        get("display") == "none"
        or get("visibility") in ("hidden", "collapse")
        or _is_zero(get("opacity"))
        or get("content-visibility") == "hidden"
        or _SMALL_PRINT.fullmatch(get("font-size", "x")) is not None
        or _is_zero(get("font-size"))
        or _NO_PART.fullmatch(get("clip-path", "")) is not None
        or _NO_SCALE.fullmatch(get("transform", "")) is not None
        or _FAR_AWAY.fullmatch(get("text-indent", "")) is not None
        or (
            get("position") in ("absolute", "fixed")
            and (
                any(_FAR_AWAY.fullmatch(get(side, "")) for side in ("left", "top", "right"))
                or _NO_AREA.fullmatch(get("clip", "")) is not None
                or (_is_tiny(get("width")) and _is_tiny(get("height")))
            )
        )
        or (_is_zero(get("height")) and get("overflow") == "hidden")
        or _is_invisible_colour(get("color"), get("background-color") or get("background"))
    )


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
