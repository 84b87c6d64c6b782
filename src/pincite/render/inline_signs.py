"""Signs of Markdown inside a block, which say how words are shown and are none themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from pincite.records import BlockKind, Span


class Style(StrEnum):
    """How words are shown."""

    PLAIN = ""
    STRONG = "strong"
    EMPHASIS = "emphasis"
    CODE = "code"
    SIGN = "sign"
    """Not at all: they only say how others are."""


@dataclass(frozen=True, slots=True)
class Styled:
    """A stretch that is not shown as plain words."""

    span: Span
    style: Style


_HASHES = re.compile(r"\s*#{1,6}[ \t]+")
LONGEST = 20_000
"""Code points of a block whose signs are looked for: patterns that pair them take their time."""
_SIGNS = re.compile(
    # Code first: in it nothing else is a sign.
    r"(?<![\\`])(?P<ticks>`{1,3})(?!`)(?P<code>[^`]+)(?P=ticks)(?!`)"
    r"|(?<![\\*])(?P<stars>\*\*)(?=[^\s*])(?P<strong>[^*]+?)(?<=[^\s*])\*\*(?!\*)"
    r"|(?<![\\\w])(?P<bars>__)(?=[^\s_])(?P<bold>[^_]+?)(?<=[^\s_])__(?!\w)"
    r"|(?<![\\\w*])(?P<star>\*)(?=[^\s*])(?P<emphasis>[^*\n]+?)(?<=[^\s*])\*(?![\w*])"
    r"|(?<!\\)(?P<open>!?\[)(?P<link>[^\[\]]+)(?P<close>\]\([^()\s]*(?:[ \t]+\"[^\"]*\")?\))",
    re.DOTALL,
)
_SHOWN = {
    "code": Style.CODE,
    "strong": Style.STRONG,
    "bold": Style.STRONG,
    "emphasis": Style.EMPHASIS,
    "link": Style.PLAIN,
}


def styled_in(words: str, kind: BlockKind, start: int = 0) -> list[Styled]:
    """The stretches of a Markdown block that are signs or styled, in order, none over another.

    `words` is all of the block, which begins at `start`. Signs inside signs are left as they are.
    """
    if kind in (BlockKind.CODE, BlockKind.MARKUP) or len(words) > LONGEST:
        return []
    first, last = 0, len(words)
    found: list[Styled] = []
    behind: list[Styled] = []
    if kind is BlockKind.HEADING and (hashes := _HASHES.match(words)):
        first = hashes.end()
        found.append(Styled(Span(start, start + first), Style.SIGN))
        # Not by a pattern: that looks at a long run of spaces from each of them.
        kept = words.rstrip(" \t")
        hashless = kept.rstrip("#")
        if len(hashless) < len(kept) and hashless.endswith((" ", "\t")):
            last = max(first, len(hashless.rstrip(" \t")))
            behind.append(Styled(Span(start + last, start + len(words)), Style.SIGN))
    for match in _SIGNS.finditer(words, first, last):
        found += _parts(match, start)
    return [*found, *behind]


def _parts(match: re.Match[str], start: int) -> Iterator[Styled]:
    """What a sign encloses, and the sign before and behind it."""
    name = next(name for name in _SHOWN if match[name] is not None)
    inner = Span(start + match.start(name), start + match.end(name))
    yield Styled(Span(start + match.start(), inner.start), Style.SIGN)
    if _SHOWN[name] is not Style.PLAIN:
        yield Styled(inner, _SHOWN[name])
    yield Styled(Span(inner.end, start + match.end()), Style.SIGN)
