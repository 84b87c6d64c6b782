"""What the styles of a Word document say of its paragraphs, and how its lists are numbered."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pincite.loaders.office import numerals
from pincite.loaders.office.style_names import heading_level
from pincite.loaders.raised import Lean
from pincite.loaders.xml_events import Attributes

PREFIXES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships": "r",
    "http://purl.oclc.org/ooxml/officeDocument/relationships": "r",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.microsoft.com/office/word/2010/wordprocessingShape": "wps",
    "http://schemas.openxmlformats.org/drawingml/2006/chart": "c",
    "http://purl.oclc.org/ooxml/drawingml/chart": "c",
    "http://schemas.openxmlformats.org/drawingml/2006/diagram": "dgm",
    "http://purl.oclc.org/ooxml/drawingml/diagram": "dgm",
    "http://schemas.openxmlformats.org/drawingml/2006/main": "a",
    "http://purl.oclc.org/ooxml/drawingml/main": "a",
    "urn:schemas-microsoft-com:vml": "v",
    "urn:schemas-microsoft-com:office:office": "o",
}
BODY_LEVEL = 9
"""The outline level that says a paragraph is no heading."""
_LONGEST_CHAIN = 50
_LONGEST_PATTERN = 60
"""Code points of what is printed before an item."""
_OFF = frozenset({"0", "false", "off", "none"})


def is_on(attributes: Attributes) -> bool:
    """Whether a property that is either on or off is on."""
    return attributes.get("w:val", "1").lower() not in _OFF


def number_of(value: str | None, default: int = 0) -> int:
    """The whole number in an attribute; `default` where it is none, or too long to be meant."""
    try:
        return int(value) if value is not None and len(value) < 10 else default
    except ValueError:
        return default


LEANS = {"superscript": Lean.RAISED, "subscript": Lean.LOWERED}
"""What a run is said to be, and how its words stand."""


@dataclass(slots=True)
class Style:
    """One style; what it does not say itself, the one it is based on says."""

    name: str = ""
    base: str = ""
    outline: int | None = None
    list_id: str | None = None
    list_level: int | None = None
    is_hidden: bool | None = None
    is_bold: bool | None = None
    is_struck: bool | None = None
    lean: Lean | None = None
    is_shaded: bool | None = None
    colours_first_row: bool = False


class Styles:
    """Events of `styles.xml`; afterwards, what each style comes to."""

    def __init__(self) -> None:
        self._styles: dict[str, Style] = {}
        self._merged: dict[str, Style] = {}
        self.default = ""
        """The id of the paragraphs' default style."""
        self._style = Style()
        self._stack: list[str] = []

    def start(self, name: str, attributes: Attributes) -> None:
        self._stack.append(name)
        style = self._style
        match name:
            case "w:style":
                self._style = Style()
                style_id = attributes.get("w:styleId", "")
                self._styles[style_id] = self._style
                is_default = attributes.get("w:default", "0").lower() not in _OFF
                if is_default and attributes.get("w:type") == "paragraph":
                    self.default = style_id
            case "w:name":
                style.name = attributes.get("w:val", "")
            case "w:basedOn":
                style.base = attributes.get("w:val", "")
            case "w:tblStylePr":
                style.colours_first_row |= attributes.get("w:type") == "firstRow"
            case _ if "w:tblStylePr" in self._stack:
                pass
            case "w:outlineLvl":
                style.outline = number_of(attributes.get("w:val"), BODY_LEVEL)
            case "w:numId":
                style.list_id = attributes.get("w:val", "")
            case "w:ilvl":
                style.list_level = number_of(attributes.get("w:val"))
            case "w:vanish":
                style.is_hidden = is_on(attributes)
            case "w:strike" | "w:dstrike":
                style.is_struck = bool(style.is_struck) or is_on(attributes)
            case "w:vertAlign":
                style.lean = LEANS.get(attributes.get("w:val", ""), Lean.LEVEL)
            case "w:b":
                style.is_bold = is_on(attributes)
            case "w:shd":
                style.is_shaded = is_shade(attributes)

    def end(self, name: str) -> None:
        self._stack.pop()

    def text(self, words: str) -> None:
        pass

    def of(self, style_id: str) -> Style:
        """The style with what it takes over from those it is based on; empty for unknown ids."""
        found = self._merged.get(style_id)
        if found is None:
            found = self._merged[style_id] = self._merge(style_id)
        return found

    def _merge(self, style_id: str) -> Style:
        merged = Style()
        seen = 0
        while style_id in self._styles and seen < _LONGEST_CHAIN:
            style = self._styles[style_id]
            outline = style.outline
            level = heading_level(style.name)
            if outline is None and level:
                outline = level - 1
            merged = Style(
                name=merged.name or style.name,
                base="",
                outline=outline if merged.outline is None else merged.outline,
                list_id=style.list_id if merged.list_id is None else merged.list_id,
                list_level=style.list_level if merged.list_level is None else merged.list_level,
                is_hidden=style.is_hidden if merged.is_hidden is None else merged.is_hidden,
                is_struck=style.is_struck if merged.is_struck is None else merged.is_struck,
                lean=style.lean if merged.lean is None else merged.lean,
                is_bold=style.is_bold if merged.is_bold is None else merged.is_bold,
                is_shaded=style.is_shaded if merged.is_shaded is None else merged.is_shaded,
                colours_first_row=merged.colours_first_row or style.colours_first_row,
            )
            style_id = style.base
            seen += 1
        return merged


def is_shade(attributes: Attributes) -> bool:
    """Whether a shading is one that is seen."""
    fill = attributes.get("w:fill", "auto").lower()
    pattern = attributes.get("w:val", "clear")
    return fill not in ("auto", "ffffff", "") or pattern not in ("clear", "nil")


@dataclass(slots=True)
class _Level:
    start: int = 1
    form: str = "decimal"
    pattern: str = ""
    separator: str = " "
    is_legal: bool = False
    restarts_after: int | None = None
    """Levels above this number restart it, from 1; 0 for never; None for all."""
    style: str = ""


@dataclass(slots=True)
class _Abstract:
    levels: dict[int, _Level] = field(default_factory=dict)
    link: str = ""
    """The style whose list this is, where it has no levels of its own."""


@dataclass(slots=True)
class _List:
    abstract: str = ""
    starts: dict[int, int] = field(default_factory=dict)
    levels: dict[int, _Level] = field(default_factory=dict)


class Numbering:
    """Events of `numbering.xml`; afterwards counts, paragraph by paragraph."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._abstracts: dict[str, _Abstract] = {}
        self._lists: dict[str, _List] = {}
        self._abstract = _Abstract()
        self._list = _List()
        self._level = _Level()
        self._override = 0
        self._counts: dict[tuple[str, str], dict[int, int]] = {}
        self._begun: set[tuple[str, str, int]] = set()

    def start(self, name: str, attributes: Attributes) -> None:
        value = attributes.get("w:val", "")
        level = self._level
        match name:
            case "w:abstractNum":
                self._abstract = _Abstract()
                self._abstracts[attributes.get("w:abstractNumId", "")] = self._abstract
                self._list = _List()
            case "w:numStyleLink":
                self._abstract.link = value
            case "w:num":
                self._list = _List()
                self._lists[attributes.get("w:numId", "")] = self._list
                self._abstract = _Abstract()
            case "w:abstractNumId":
                self._list.abstract = value
            case "w:lvlOverride":
                self._override = number_of(attributes.get("w:ilvl"))
            case "w:startOverride":
                self._list.starts[self._override] = number_of(value, 1)
            case "w:lvl":
                self._level = _Level()
                number = number_of(attributes.get("w:ilvl"))
                # Inside `w:num` this goes to the list at hand, inside `w:abstractNum` nowhere else.
                self._abstract.levels[number] = self._list.levels[number] = self._level
            case "w:start":
                level.start = number_of(value, 1)
            case "w:numFmt":
                level.form = value
            case "w:lvlText":
                level.pattern = value[:_LONGEST_PATTERN]
            case "w:isLgl":
                level.is_legal = is_on(attributes)
            case "w:suff":
                level.separator = "" if value == "nothing" else " "
            case "w:lvlRestart":
                level.restarts_after = number_of(value)
            case "w:pStyle":
                level.style = value

    def end(self, name: str) -> None:
        pass

    def text(self, words: str) -> None:
        pass

    def level_of_style(self, list_id: str, style_id: str) -> int:
        """The level of a list that a style numbers its paragraphs with; 0 if none is named."""
        levels, _ = self._levels(list_id)
        return next((n for n, level in sorted(levels.items()) if level.style == style_id), 0)

    def next_marker(self, story: str, list_id: str, number: int) -> str:
        """What stands before the next paragraph of a list's level, from 0, with a space after it.

        `- ` for any bullet, `""` where nothing is to be seen. Parts of the document (`story`)
        are counted separately.
        """
        levels, abstract = self._levels(list_id)
        level = levels.get(number)
        if level is None:
            return ""
        counts = self._counts.setdefault((story, abstract), {})
        begun = (story, list_id, number)
        override = self._lists[list_id].starts.get(number)
        if begun not in self._begun:
            self._begun.add(begun)
            if override is not None:
                counts.pop(number, None)
        start = level.start if override is None else override
        counts[number] = counts.get(number, start - 1) + 1
        for deeper, other in levels.items():
            if deeper > number and (
                other.restarts_after is None or 0 < number + 1 <= other.restarts_after
            ):
                counts.pop(deeper, None)
        if level.form == "bullet":
            return "- " if level.pattern.strip() else ""
        if level.form == "none" and "%" not in level.pattern:
            marker = level.pattern
        else:
            marker = re.sub(
                r"%([1-9])",
                lambda found: _shown(levels, counts, int(found.group(1)) - 1, level.is_legal),
                level.pattern,
            )
        marker = marker.strip()
        return marker + level.separator if marker else ""

    def _levels(self, list_id: str) -> tuple[dict[int, _Level], str]:
        """The levels of a list, and the id of the definition it counts with."""
        item = self._lists.get(list_id)
        if item is None:
            return {}, ""
        abstract_id = item.abstract
        abstract = self._abstracts.get(abstract_id, _Abstract())
        if abstract.link and not abstract.levels:
            linked = self._lists.get(self._styles.of(abstract.link).list_id or "")
            if linked is not None:
                abstract_id = linked.abstract
                abstract = self._abstracts.get(abstract_id, _Abstract())
        return {**abstract.levels, **item.levels}, abstract_id


def _shown(levels: dict[int, _Level], counts: dict[int, int], number: int, is_legal: bool) -> str:
    level = levels.get(number, _Level())
    count = counts.get(number, level.start)
    form = "decimal" if is_legal else level.form
    match form:
        case "lowerRoman":
            return numerals.roman(count)
        case "upperRoman":
            return numerals.roman(count).upper()
        case "lowerLetter":
            return numerals.letters(count)
        case "upperLetter":
            return numerals.letters(count).upper()
        case "russianLower" | "russianUpper":
            found = numerals.letters(count, "абвгдежзиклмнопрстуфхцчшщыэюя")
            return found if form == "russianLower" else found.upper()
        case "decimalZero":
            return f"{count:02}"
        case "ordinal":
            return numerals.ordinal(count)
        case "decimalEnclosedParen":
            return f"({count})"
        case "decimalEnclosedCircle" | "decimalEnclosedCircleChinese":
            return chr(0x2460 + count - 1) if 1 <= count <= 20 else str(count)
        case "chineseCounting" | "chineseCountingThousand" | "taiwaneseCounting":
            return numerals.han(count)
        case "japaneseCounting" | "taiwaneseCountingThousand" | "ideographDigital":
            return numerals.han(count)
        case "none" | "bullet":
            return ""
        case _:
            return str(count)
