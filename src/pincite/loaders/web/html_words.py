"""Text of a web page as a browser shows it, each stretch with where it stands in the source."""

from __future__ import annotations

import re

from pincite.loaders.web.html_flow import Words
from pincite.loaders.web.html_tokens import reference

SPACES = " \t\n\r\f"
"""What is shown as one space, however many there are."""

_TO_SPACE = str.maketrans("\t\n\r\f", "    ")
_REFERENCE = r"&(?:#(?:[0-9]++|[xX][0-9a-fA-F]++);?|[A-Za-z][A-Za-z0-9]{1,31}+;?)"
_UNUSUAL = re.compile(rf" {{2,}}+|{_REFERENCE}|\xad")
_UNUSUAL_PREFORMATTED = re.compile(rf"\r\n|{_REFERENCE}|\xad")


def collapsed(words: str, start: int, end: int, *, after_space: bool) -> list[Words]:
    """What is shown of `words`, which are the source from `start` to `end`.

    Several spaces and line ends become one space, none at all `after_space`; references are
    resolved, and soft hyphens left out. What is left out belongs to the code point before it.
    """
    if "\n" in words or "\t" in words or "\r" in words or "\f" in words:
        words = words.translate(_TO_SPACE)
    if after_space and words.startswith(" "):
        words = words.lstrip(" ")
        start = end - len(words)
    if not words:
        return []
    if "&" not in words and "  " not in words and "\xad" not in words:
        return [(words, start, end)]
    made: list[Words] = []
    position = first = 0
    for found in _UNUSUAL.finditer(words):
        at, stop = found.span()
        before = words[position:at]
        if words[at] == "&":
            shown, stop = reference(words, at, stop)
        else:
            shown = " " if words[at] == " " else ""
        if shown == "\xad":
            shown = ""
        elif shown and shown in SPACES:
            shown = "" if (before.endswith(" ") if before else after_space) else " "
        position = stop
        if before or shown:
            made.append((before + shown, start + first, start + stop))
            after_space = made[-1][0].endswith(" ")
        # Spaces after one that is shown; the pattern sees only several of them.
        while after_space and words.startswith(" ", position):
            position += 1
        first = position
    if position < len(words):
        made.append((words[position:], start + first, end))
    return made


def preformatted(words: str, start: int) -> list[Words]:
    """What is shown of `words` where spaces and line ends are as they are written."""
    made: list[Words] = []
    position = 0
    for found in _UNUSUAL_PREFORMATTED.finditer(words):
        at, stop = found.span()
        if words[at] == "&":
            shown, stop = reference(words, at, stop)
        else:
            shown = "\n" if words[at] == "\r" else ""
        if shown == "\xad":
            shown = ""
        if at > position or shown:
            made.append((words[position:at] + shown, start + position, start + stop))
        position = stop
    if position < len(words):
        made.append((words[position:], start + position, start + len(words)))
    return made


def trimmed(words: list[Words]) -> list[Words]:
    """`words` without white space at the ends, each still standing where it does."""
    first, last = 0, len(words)
    while first < last and not words[first][0].strip():
        first += 1
    while last > first and not words[last - 1][0].strip():
        last -= 1
    kept = words[first:last]
    if kept:
        text, start, end = kept[0]
        lead = len(text) - len(text.lstrip())
        if lead:
            kept[0] = text[lead:], start + lead, end
        text, start, end = kept[-1]
        if text[-1].isspace():
            text = text.rstrip()
            kept[-1] = text, start, start + len(text)
    return kept


def decoded(words: str) -> str:
    """`words` with their references resolved."""
    parts: list[str] = []
    position = 0
    for found in _UNUSUAL.finditer(words):
        if found.group().startswith("&"):
            shown, stop = reference(words, found.start(), found.end())
            parts += (words[position : found.start()], shown)
            position = stop
    return "".join((*parts, words[position:]))
