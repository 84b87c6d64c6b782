"""The tags, texts and comments of a web page, each with where it stands.

Follows what browsers do with markup, broken markup too, by the rules of the HTML standard. The
standard library's parser is not used: what it makes of the same page differs between Python
versions, and it takes quadratic time for some.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from enum import IntEnum
from functools import lru_cache
from html import unescape
from html.entities import html5


class TokenKind(IntEnum):
    """What a stretch of the source is."""

    TEXT = 0
    """With character references."""
    RAW = 1
    """Text in which nothing else is recognised: a script, a CDATA section."""
    START = 2
    EMPTY = 3
    """A start tag with a slash at its end."""
    END = 4
    COMMENT = 5
    """Comments, declarations and instructions."""
    LEAF = 6
    """A start tag, text or nothing, and the end tag written alike: most elements of most pages.
    Start and end are those of the text."""


TEXT, RAW, START, EMPTY, END, COMMENT, LEAF = TokenKind
"""Names of their own: Python 3.11 takes longer to look a member up than to make a token."""

Token = tuple[TokenKind, int, int, str, str]
"""Kind, start and end in the source, name of the tag and its attributes as they are written."""

RAW_TEXT = frozenset("script style xmp iframe noembed noframes noscript plaintext".split())
_ESCAPABLE = frozenset({"title", "textarea"})

# Possessive, so that no source makes these go back over what they have read. A quotation mark
# opens a value only after `=`; one that is never closed is a character like others.
_TEXT_AND_NAME = r"([^<]*+)<(?:/([A-Za-z][^\s/>]*+)|([A-Za-z][^\s/>]*+))"
_LEAF = r"(?:([^<]*+)</\3>)?+"
_TEXT_AND_TAG = re.compile(
    rf"{_TEXT_AND_NAME}([^>=]*+(?:=(?:\s*+(?:\"[^\"]*+\"|'[^']*+'))?+[^>=]*+)*+)>{_LEAF}"
)
_TEXT_AND_TAG_WITHOUT_QUOTES = re.compile(rf"{_TEXT_AND_NAME}([^>]*+)>{_LEAF}")
_COMMENT_END = re.compile(r"--!?>")
_ATTRIBUTE = re.compile(
    r"([^\s/>][^\s/>=]*+)(?:\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\s>]*+)))?+"
)
_LETTER = re.compile(r"[A-Za-z]")


def tokens(source: str, *, is_xml: bool = False) -> Iterator[Token]:
    """What `source` consists of, in order; the tokens cover all of it.

    `is_xml` is for pages that are well-formed XML: a tag with a slash at its end is then empty
    whatever its name, and CDATA sections are known. Takes time in proportion to the source.
    """
    length = len(source)
    last = source.rfind(">")
    matches = _TEXT_AND_TAG.match
    position = start = 0
    while position <= last:
        found = matches(source, position)
        if found is None:
            at = source.find("<", position)
            if at < 0 or at >= last:
                break
            end = _other(source, at, last, is_xml)
            if end < 0:
                if _is_tag(source, at):
                    # No end outside of quotation marks: from here on they are not looked at.
                    matches = _TEXT_AND_TAG_WITHOUT_QUOTES.match
                    continue
                position = at + 1
                continue
            if at > start:
                yield TEXT, start, at, "", ""
            if is_xml and source.startswith("<![CDATA[", at):
                yield RAW, at + 9, max(at + 9, end - 3), "", ""
            else:
                yield COMMENT, at, end, "", ""
            position = start = end
            continue
        text_end = found.end(1)
        if text_end > start:
            yield TEXT, start, text_end, "", ""
        position = start = found.end()
        closed, name, attributes, inner = found.group(2, 3, 4, 5)
        if closed:
            yield END, text_end, position, closed.lower(), ""
            continue
        name = name.lower()
        is_empty = attributes.endswith("/")
        if inner is not None:
            if name not in RAW_TEXT and not (is_xml and is_empty):
                yield LEAF, *found.span(5), name, attributes
                continue
            position = start = found.start(5)
        yield (
            (EMPTY if is_empty else START),
            text_end,
            position,
            name,
            attributes,
        )
        if (name in RAW_TEXT or name in _ESCAPABLE) and not (is_xml and is_empty):
            end = _raw_end(source, name, position)
            if end > position:
                kind = TEXT if name in _ESCAPABLE else RAW
                yield kind, position, end, "", ""
            position = start = end
    if start < length:
        yield TEXT, start, length, "", ""


def attributes_of(written: str, names: Container[str] | None = None) -> dict[str, str]:
    """The attributes of a tag by their names in small letters; the first of each name counts.

    Only those called one of `names`, where that is given.
    """
    found: dict[str, str] = {}
    for match in _ATTRIBUTE.finditer(written):
        name, quoted, single, bare = match.groups()
        name = name.lower()
        if (names is None or name in names) and name not in found:
            value = quoted or single or bare or ""
            found[name] = _unescaped(value) if "&" in value else value
    return found


def reference(source: str, start: int, end: int) -> tuple[str, int]:
    """What the character reference at `start` stands for, and where it ends.

    `end` is the furthest it may reach. What is no reference stands for itself.
    """
    written = source[start:end]
    if len(written) > _LONGEST_NUMBER and written.startswith("&#"):
        return "\ufffd", end
    shown, size = _resolved(written)
    return shown, start + size


@lru_cache(maxsize=256)
def _resolved(written: str) -> tuple[str, int]:
    """What `written` stands for, and how much of it; most pages use a few, again and again."""
    if written.startswith("&#"):
        return unescape(written), len(written)
    for size in range(min(len(written), _LONGEST_REFERENCE), 1, -1):
        name = written[1:size]
        if name in html5:
            return html5[name], size
    return written, len(written)


_LONGEST_NUMBER = 20
_LONGEST_REFERENCE = 1 + max(map(len, html5))


def _unescaped(value: str) -> str:
    try:
        return unescape(value)
    except ValueError:  # Digits by the thousand.
        return value


def _is_tag(source: str, at: int) -> bool:
    return _LETTER.match(source, at + 1 + source.startswith("</", at)) is not None


def _other(source: str, at: int, last: int, is_xml: bool) -> int:
    """The end of the comment or the like that begins at `at`; -1 where none does."""
    if source.startswith("<!--", at):
        for empty in ("<!-->", "<!--->"):
            if source.startswith(empty, at):
                return at + len(empty)
        found = _COMMENT_END.search(source, at + 4)
        return found.end() if found else len(source)
    if is_xml and source.startswith("<![CDATA[", at):
        end = source.find("]]>", at)
        return end + 3 if end >= 0 else len(source)
    if source.startswith(("<!", "<?"), at):
        return source.find(">", at) + 1
    if source.startswith("</", at) and not _is_tag(source, at):
        return source.find(">", at) + 1
    return -1


def _raw_end(source: str, name: str, start: int) -> int:
    """Where the end tag of an element begins in which no other tag is recognised."""
    if name == "plaintext":
        return len(source)
    found = _END_TAGS[name].search(source, start)
    return found.start() if found else len(source)


_END_TAGS = {
    name: re.compile(rf"</{name}(?=[\s/>])", re.I) for name in sorted(RAW_TEXT | _ESCAPABLE)
}
