"""Text made safe and fitting for a terminal: what is shown, never what is recorded."""

from __future__ import annotations

import re
import unicodedata

# What a terminal would obey instead of showing, and characters that reorder what is read:
# controls except tab and line feed, line and paragraph separators, directional overrides and
# isolates, lone surrogates.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_UNSAFE_IN_PATH = re.compile(f"{_UNSAFE.pattern}|[\t\n]")
_LINE_END = re.compile(r"\r\n?")
_SPACE = re.compile(r"\s+")


def visible(text: str) -> str:
    r"""`text` with every line end as \n and every unsafe character as a visible escape."""
    return _UNSAFE.sub(_escape, _LINE_END.sub("\n", text))


def one_line(text: str) -> str:
    """`text` as `visible` shows it, on one line: runs of white space become one space."""
    return visible(_SPACE.sub(" ", text).strip())


def visible_path(path: str) -> str:
    r"""`path` as `visible` shows it, with \n, \r and tabs escaped too; all else unchanged."""
    return _UNSAFE_IN_PATH.sub(_escape, path)


def clip(text: str, width: int) -> str:
    """The first words of `text` on one line of at most `width` columns, `…` where cut."""
    line = one_line(text[: 4 * width + 100])
    if columns(line) <= width and len(text) <= 4 * width + 100:
        return line
    kept = _cut(line, width - 1)
    word_end = kept.rfind(" ")
    if line[len(kept) : len(kept) + 1] != " " and word_end > len(kept) // 2:
        kept = kept[:word_end]
    return kept.rstrip() + "…"


def columns(text: str) -> int:
    """How many terminal columns a line takes: two for wide characters, none for marks."""
    if text.isascii():
        return len(text)
    return sum(map(_column_count, text))


def _cut(line: str, width: int) -> str:
    taken = 0
    for position, character in enumerate(line):
        taken += _column_count(character)
        if taken > width:
            return line[:position]
    return line


def _column_count(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _escape(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
