"""What the styles of an OpenDocument file say, and how its lists and headings are numbered."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pincite.loaders.office import numerals
from pincite.loaders.raised import Lean
from pincite.loaders.xml_events import Attributes

_OASIS = "urn:oasis:names:tc:opendocument:xmlns:"
PREFIXES = {
    **{
        f"{_OASIS}{name}:1.0": short
        for name, short in (
            ("office", "office"), ("text", "text"), ("table", "table"), ("style", "style"),
            ("drawing", "draw"), ("presentation", "presentation"), ("svg-compatible", "svg"),
            ("xsl-fo-compatible", "fo"), ("manifest", "manifest"), ("meta", "meta"),
        )
    },
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://www.w3.org/XML/1998/namespace": "xml",
    "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0": "loext",
}  # fmt: skip
OUTLINE = "\x00outline"
"""The list that numbers headings."""
_MERGED = ("list_style", "is_hidden", "is_bold", "is_white", "is_shaded", "is_struck", "lean")
_LONGEST_CHAIN = 50
_LONGEST_PATTERN = 60
"""Code points of what is printed before an item."""
_CONTENTS = re.compile(r"contents_20_.*|.*_20_index_20_.*|user_20_index.*", re.I)


def whole(value: str | None, default: int) -> int:
    """The whole number in an attribute; `default` where it is none, or too long to be meant."""
    return int(value) if value is not None and value.isdecimal() and len(value) < 8 else default


@dataclass(slots=True)
class Style:
    """One style; what it does not say itself, its parent says."""

    parent: str = ""
    list_style: str | None = None
    is_hidden: bool | None = None
    is_bold: bool | None = None
    is_white: bool | None = None
    is_shaded: bool | None = None
    is_struck: bool | None = None
    lean: Lean | None = None
    is_title: bool = False
    hides_slide: bool = False


@dataclass(slots=True)
class Level:
    """How one level of a list is numbered."""

    form: str = ""
    prefix: str = ""
    suffix: str = ""
    shown_levels: int = 1
    start: int = 1
    is_bullet: bool = False
    pattern: str = ""


@dataclass(slots=True)
class Counter:
    """The numbers reached in one list, by level from 1."""

    counts: dict[int, int] = field(default_factory=dict)

    def next_marker(self, levels: dict[int, Level], number: int, start: int | None) -> str:
        """Count one on; what is printed before the item, with a space after it."""
        level = levels.get(number)
        if level is None:
            return ""
        first = level.start if start is None else start
        reached = None if start is not None else self.counts.get(number)
        self.counts[number] = first if reached is None else reached + 1
        self.counts = {deep: count for deep, count in self.counts.items() if deep <= number}
        if level.is_bullet:
            return "- "
        if not level.form and not level.pattern:
            return ""
        if level.pattern:
            shown = re.sub(
                r"%([0-9]{1,2})%", lambda found: self._shown(levels, int(found.group(1))),
                level.pattern,
            )  # fmt: skip
        else:
            deeper = range(max(1, number - level.shown_levels + 1), number + 1)
            parts = (self._shown(levels, deep) for deep in deeper)
            shown = level.prefix + ".".join(part for part in parts if part) + level.suffix
        shown = shown.strip()
        return f"{shown} " if shown else ""

    def _shown(self, levels: dict[int, Level], number: int) -> str:
        level = levels.get(number, Level())
        count = self.counts.get(number, level.start)
        match level.form:
            case "i":
                return numerals.roman(count)
            case "I":
                return numerals.roman(count).upper()
            case "a":
                return numerals.letters(count)
            case "A":
                return numerals.letters(count).upper()
            case "一, 二, 三, ...":
                return numerals.han(count)
            case "":
                return ""
            case _:
                return str(count)


class Styles:
    """Events of styles, from `styles.xml` and from the head of `content.xml`."""

    def __init__(self) -> None:
        self.lists: dict[str, dict[int, Level]] = {}
        self._styles: dict[str, Style] = {}
        self._merged: dict[str, Style] = {}
        self._style = Style()
        self._levels: dict[int, Level] = {}

    def start(self, name: str, attributes: Attributes) -> None:
        match name:
            case "style:style":
                self._style = Style(parent=attributes.get("style:parent-style-name", ""))
                self._style.list_style = attributes.get("style:list-style-name")
                own = attributes.get("style:name", "")
                self._style.is_title = own == "Title"
                # Names of paragraphs' and words' styles may be the same.
                self._styles[_key(attributes.get("style:family", ""), own)] = self._style
                self._merged.clear()
            case "style:text-properties":
                self._start_text_properties(attributes)
            case "style:paragraph-properties" | "style:table-cell-properties":
                self._start_ground(attributes)
            case "style:drawing-page-properties":
                hides = attributes.get("presentation:visibility") == "hidden"
                self._style.hides_slide = hides
            case "text:list-style":
                self._levels = self.lists[attributes.get("style:name", "")] = {}
            case "text:outline-style":
                self._levels = self.lists[OUTLINE] = {}
            case (
                "text:list-level-style-number"
                | "text:list-level-style-bullet"
                | "text:list-level-style-image"
                | "text:outline-level-style"
            ):
                self._levels[whole(attributes.get("text:level"), 1)] = Level(
                    form=attributes.get("style:num-format", ""),
                    prefix=attributes.get("style:num-prefix", "")[:_LONGEST_PATTERN],
                    suffix=attributes.get("style:num-suffix", "")[:_LONGEST_PATTERN],
                    shown_levels=min(whole(attributes.get("text:display-levels"), 1), 10),
                    start=whole(attributes.get("text:start-value"), 1),
                    is_bullet=name.endswith(("bullet", "image")),
                    pattern=attributes.get("loext:num-list-format", "")[:_LONGEST_PATTERN],
                )

    def _start_text_properties(self, attributes: Attributes) -> None:
        style = self._style
        if "text:display" in attributes:
            style.is_hidden = attributes["text:display"] != "true"
        if "fo:font-weight" in attributes:
            style.is_bold = attributes["fo:font-weight"] in ("bold", "600", "700", "800", "900")
        if "fo:color" in attributes:
            style.is_white = attributes["fo:color"].lower() == "#ffffff"
        for name in ("style:text-line-through-style", "style:text-line-through-type"):
            if name in attributes:
                style.is_struck = attributes[name] != "none"
        if "style:text-position" in attributes:
            style.lean = _lean_of(attributes["style:text-position"])
        self._start_ground(attributes)

    def _start_ground(self, attributes: Attributes) -> None:
        colour = attributes.get("fo:background-color", "").lower()
        if colour:
            self._style.is_shaded = colour not in ("transparent", "#ffffff")

    def end(self, name: str) -> None:
        pass

    def text(self, words: str) -> None:
        pass

    def of(self, family: str, name: str) -> Style:
        """The style with what it takes over from its parents; empty for unknown names."""
        key = _key(family, name)
        found = self._merged.get(key)
        if found is None:
            found = self._merged[key] = self._merge(family, key)
        return found

    def is_contents(self, name: str) -> bool:
        """Whether paragraphs of a style are lines of a table of contents."""
        return _CONTENTS.fullmatch(name) is not None

    def _merge(self, family: str, key: str) -> Style:
        merged = Style()
        seen = 0
        while key in self._styles and seen < _LONGEST_CHAIN:
            style = self._styles[key]
            for name in _MERGED:
                if getattr(merged, name) is None:
                    setattr(merged, name, getattr(style, name))
            merged.is_title |= style.is_title
            merged.hides_slide |= style.hides_slide
            key = _key(family, style.parent)
            seen += 1
        return merged


def _lean_of(position: str) -> Lean:
    """What `super 58%` or `-33% 58%` says."""
    first = position.split()[0] if position.split() else ""
    if first == "super":
        return Lean.RAISED
    if first == "sub" or first.startswith("-"):
        return Lean.LOWERED
    return Lean.RAISED if first.strip("+0.%") else Lean.LEVEL


def _key(family: str, name: str) -> str:
    return f"{family}\x00{name}"
