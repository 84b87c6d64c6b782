"""What the styles of a web page say of its words: whether they are seen, and how high they stand.

Only what can be told without laying the page out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from pincite.loaders.raised import Lean
from pincite.loaders.web.html_tokens import attributes_of

_ZERO = re.compile(r"[+-]?0*\.?0*(?:px|pt|em|rem|%|ex|ch|vh|vw)?")
_FAR_AWAY = re.compile(r"-\d{3,}(?:\.\d+)?(?:px|pt|em|rem|%)?")
_OUT_OF_SIGHT = re.compile(r"-(?:[5-9]\d{2}|\d{4,})(?:\.\d+)?(?:px|pt|em|rem|%)?")
"""First lines are set back by as much as a hundred points, before a margin as wide."""
_NO_AREA = re.compile(r"rect\(\s*(?:0(?:px)?|1px)[\s,]+(?:0(?:px)?|1px)[\s,]+.*\)")
_NO_PART = re.compile(r"inset\(\s*(?:100%.*|[5-9]\d%\s*)\)|circle\(\s*0.*\)|polygon\(\s*\)")
_NO_SCALE = re.compile(r".*\bscale[xy]?\(\s*0?\.?0*\s*[,)].*")
_SMALL_PRINT = re.compile(r"0*(?:\.\d+)?(?:px|pt)|1px")
_GROUND = re.compile(r"background|bgcolor|stylesheet", re.I)
_PALE = 238
"""Of 255 in each colour: words no darker are not seen on white."""
_NUMBERS = re.compile(r"rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)\s*(?:[,/]\s*([\d.]+%?)\s*)?\)")
_HEX = re.compile(r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})")
_LOOKED_AT = frozenset(
    "class color colspan hidden id media open popover role rowspan src start style type"
    " value".split()
)
_NAVIGATION_ROLES = frozenset(
    {"navigation", "menu", "menubar", "toolbar", "search", "doc-toc", "tablist"}
)
_NAVIGATION_NAMES = frozenset({"navbar", "navigation", "breadcrumb", "breadcrumbs"})
INHERITED = frozenset({"visibility", "font-size", "color"})
"""Properties that hide words in an element unless one within says otherwise."""
STRUCK = "text-decoration"
_LEANING = "vertical-align"
PAINTED = "background-clip"
"""What is behind words shows through them: they are seen whatever their colour."""
STRUCK_NAMES = frozenset(("del", "s", "strike"))
"""Their words hold no more: "The fee is <del>nine</del> ten euros"."""
_LEANS = {
    "super": Lean.RAISED, "top": Lean.RAISED, "text-top": Lean.RAISED, "sub": Lean.LOWERED
}  # fmt: skip
_APART = ("block", "flex", "grid", "list-item", "table", "table-cell", "table-row")
_LENGTH = re.compile(r"([+-]?\d*\.?\d+)(px|pt|em|rem|ex|%)?")
_LEAST_RISE = {"px": 2, "pt": 1.5, "em": 0.15, "rem": 0.15, "ex": 0.3, "%": 15}
"""By unit: words that stand so much higher or lower do not stand in their line."""
_FORCED = "!important"
_LONGEST_KNOWN = 300
_RELATIVE = ("em", "%", "smaller", "larger", "ex", "ch")
_NAMES = {"white": "#ffffff", "black": "#000000", "transparent": "transparent"}


@dataclass(frozen=True, slots=True)
class Said:
    """What the attributes of a tag say."""

    attributes: Mapping[str, str]
    """Those that are looked at here or elsewhere."""
    told: Mapping[str, bool]
    """Of each property its own style sets: whether that hides its words."""
    forced: frozenset[str] = frozenset()
    """Those of them that count before what style sheets say in whatever way."""
    is_navigation: bool = False
    is_white: bool = False
    """Its words are, and it says nothing of their ground."""
    lean: Lean | None = None
    """None where its own style does not say."""
    is_apart: bool | None = None
    """It stands beside the words before it, or below, not among them; None where its own style
    does not say."""

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
    if "color" in attributes and "color" not in declared:
        declared["color"] = attributes["color"].strip().lower()
    return Said(
        attributes,
        told_by(declared),
        frozenset(forced_in(attributes.get("style", ""))),
        attributes.get("role", "").lower() in _NAVIGATION_ROLES
        or attributes.get("id", "").lower() in _NAVIGATION_NAMES
        or not _NAVIGATION_NAMES.isdisjoint(attributes.get("class", "").lower().split()),
        is_white(declared),
        lean_of(declared),
        is_apart(declared),
    )


_said_before = lru_cache(maxsize=1_000)(_said_by)


def declarations(style: str) -> dict[str, str]:
    """The properties of a `style` attribute or of a rule's body, in small letters."""
    found: dict[str, str] = {}
    forced: set[str] = set()
    for part in style.lower().split(";"):
        name, colon, value = part.partition(":")
        if not colon:
            continue
        name = name.strip()
        if _FORCED in value:
            forced.add(name)
        elif name in forced:
            continue
        found[name] = value.replace(_FORCED, "").strip()
    return found


def forced_in(style: str) -> set[str]:
    """What is told of properties that are marked as important."""
    if _FORCED not in style:
        return set()
    parts = [part for part in style.lower().split(";") if _FORCED in part]
    return set(told_by(declarations(";".join(parts))))


def lean_of(declared: Mapping[str, str]) -> Lean | None:
    """How high words stand in their line; None where nothing is said of it."""
    value = declared.get(_LEANING, "")
    if value in _LEANS:
        return _LEANS[value]
    if declared.get("font-variant-position") in ("super", "sub"):
        return _LEANS[declared["font-variant-position"]]
    if declared.get("position") == "relative":
        moved = _risen("-" + declared.get("top", "")) or _risen(declared.get("bottom", ""))
        if moved:
            return moved
    return _risen(value) if value else None


def is_apart(declared: Mapping[str, str]) -> bool | None:
    """Whether words stand beside those before them, or below; None where nothing is said of it."""
    return declared["display"] in _APART if "display" in declared else None


def _risen(length: str) -> Lean:
    found = _LENGTH.fullmatch(length.removeprefix("--"))
    if found is None or float(found[1]) == 0:
        return Lean.LEVEL
    rise = float(found[1])
    if abs(rise) < _LEAST_RISE[found[2] or "px"]:
        return Lean.LEVEL
    return Lean.RAISED if rise > 0 else Lean.LOWERED


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
                # What fades in is seen.
                told[name] = _is_zero(value) and not _is_animated(declared)
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
                told[name] = _OUT_OF_SIGHT.fullmatch(value) is not None
            case "position":
                told[name] = value in ("absolute", "fixed") and _is_away(declared)
            case "height":
                told[name] = _is_zero(value) and declared.get("overflow") == "hidden"
            case "color":
                ground = declared.get("background-color") or declared.get("background")
                has_shadow = declared.get("text-shadow", "none") != "none"
                told[name] = _is_invisible_colour(value, ground) and not has_shadow
            case "background-clip" | "-webkit-background-clip":
                if value == "text":
                    told[PAINTED] = False
            case "text-decoration" | "text-decoration-line":
                told[STRUCK] = "line-through" in value
    return told


def _is_animated(declared: Mapping[str, str]) -> bool:
    return any(
        name.endswith(("animation", "animation-name")) and value != "none"
        for name, value in declared.items()
    )


def _is_away(declared: Mapping[str, str]) -> bool:
    get = declared.get
    is_cut = get("overflow", "visible") != "visible"
    return (
        any(_FAR_AWAY.fullmatch(get(side, "")) for side in ("left", "top", "right"))
        or _NO_AREA.fullmatch(get("clip", "")) is not None
        or (is_cut and _is_tiny(get("width")) and _is_tiny(get("height")))
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
