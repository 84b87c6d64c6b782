"""Paragraphs of `format=flowed` text (RFC 3676), whose lines end in a space where they go on."""

from __future__ import annotations

import re

_QUOTED = re.compile(r"(>*) ?")
_SIGNATURE = "-- "


def joined_lines(text: str, *, deletes_space: bool) -> str:
    """`text` with one line a paragraph; quoted ones begin with their `>` signs and a space.

    `deletes_space` takes out the space at the end of a line that goes on (`delsp=yes`).
    """
    made: list[str] = []
    open_depth = -1
    for line in text.split("\n"):
        quoted = _QUOTED.match(line)
        depth = len(quoted.group(1)) if quoted else 0
        words = line[quoted.end() :] if quoted else line
        goes_on = words.endswith(" ") and words != _SIGNATURE
        if goes_on and deletes_space:
            words = words[:-1]
        if open_depth == depth and words != _SIGNATURE:
            made[-1] += words
        else:
            made.append(f"{'>' * depth} {words}" if depth else words)
        open_depth = depth if goes_on else -1
    return "\n".join(made)
