"""What the names of styles say, where the file says it in no better way."""

from __future__ import annotations

import re

_HEADING = re.compile(
    r"(?:heading|überschrift|titre|título|titolo|títol|titlu|kop|rubrik|overskrift|otsikko|nagłówek"
    r"|nadpis|címsor|başlık|заголовок|标题|標題|見出し|제목)\s*([1-9])",
    re.I,
)
_CONTENTS = re.compile(r"(?:toc|table of figures|verzeichnis|inhaltsverzeichnis)\s*\d?", re.I)


def heading_level(name: str) -> int:
    """The level of headings of a style called `name`, from 1; 0 for other styles."""
    found = _HEADING.fullmatch(name.strip())
    return int(found.group(1)) if found is not None else 0


def is_contents(name: str) -> bool:
    """Whether paragraphs of a style called `name` are lines of a table of contents."""
    return _CONTENTS.fullmatch(name.strip()) is not None
