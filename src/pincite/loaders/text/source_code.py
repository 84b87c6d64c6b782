"""Source code as text: comments and docstrings are prose, the rest is code, line by line.

The text is the decoded file. Comments are told by the signs of the language's family, where a line
begins with them; what stands behind code on its line stays with the code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from pincite.loaders.decoding import decoded_text
from pincite.loaders.extracted import Extracted, LoadSettings
from pincite.loaders.outline import Outline
from pincite.records import Block, BlockKind, Span

_FAMILIES: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    **dict.fromkeys(
        ".bash .conf .jl .pl .properties .r .sh .tcl .tf .toml .zsh".split(), ("#", ())
    ),
    **dict.fromkeys((".py", ".pyi"), ("#", (('"""', '"""'), ("'''", "'''")))),
    **dict.fromkeys((".ex", ".exs"), ("#", (('"""', '"""'),))),
    ".rb": ("#", (("=begin", "=end"),)),
    ".ps1": ("#", (("<#", "#>"),)),
    **dict.fromkeys((".ini", ".cfg"), ("[;#]", ())),
    **dict.fromkeys((".sql", ".lua"), ("--", (("/*", "*/"), ("--[[", "]]")))),
    ".hs": ("--", (("{-", "-}"),)),
    **dict.fromkeys((".erl",), ("%", ())),
    **dict.fromkeys((".clj", ".lisp"), (";", ())),
    **dict.fromkeys((".vb",), ("'", ())),
    **dict.fromkeys((".bat", ".cmd"), (r"(?:::|rem\b)", ())),
    ".f90": ("!", ()),
    ".ml": ("(?!)", (("(*", "*)"),)),
    ".pas": ("//", (("{", "}"), ("(*", "*)"))),
    ".css": ("(?!)", (("/*", "*/"),)),
}
"""Beginning of a comment line (a pattern), and what opens and closes one over several lines."""
_OTHERS = ("//[/!]?", (("/*", "*/"),))
_SECTIONED = frozenset({".ini", ".cfg", ".conf", ".toml", ".properties"})
_SECTION = re.compile(r"[ \t]*\[+([^\[\]\r\n]+)\]+[ \t]*(?=[#;]|$)")
_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n)?")
_WORDS = re.compile(r"[^\W\d_]{2}")
_LEAD = re.compile(r"[ \t*!/#-]*")
_TAIL = re.compile(r"\s+[*/#=-]*+\Z")


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The decoded file, its comments as paragraphs and its code as blocks between empty lines."""
    return structure(decoded_text(data), name)


def structure(text: str, name: str) -> Extracted:
    """The same for a text that is decoded; the suffix of `name` tells the language."""
    suffix = PurePosixPath(name).suffix.lower()
    return Extracted(text, tuple(_Reader(text, suffix).read()))


class _Reader:
    def __init__(self, text: str, suffix: str) -> None:
        line, self._pairs = _FAMILIES.get(suffix, ("#", ()) if not suffix else _OTHERS)
        self._comment = re.compile(rf"[ \t]*{line}+[ \t]?", re.I)
        self._text = text
        self._suffix = suffix
        self._outline = Outline()
        self._blocks: list[Block] = []

    def read(self) -> list[Block]:
        """The blocks in order."""
        kind: BlockKind | None = None
        first = last = content = 0
        closing = ""
        in_string = ""
        for start, end in self._lines():
            words = self._text[start:end]
            line_kind: BlockKind | None
            line_content = start + len(words) - len(words.lstrip())
            is_new = False
            if in_string:
                line_kind = BlockKind.CODE
                in_string = "" if words.count(in_string) % 2 else in_string
            elif closing:
                line_kind, line_content = self._inside(start, end)
                if closing in words:
                    closing = ""
            else:
                line_kind, line_content, closing = self._begin(start, end)
                is_new = bool(closing) or line_kind is BlockKind.HEADING
                if line_kind is BlockKind.CODE:
                    in_string = self._open_string(words)
            if line_kind is not kind or is_new or kind is BlockKind.HEADING:
                self._add(kind, first, last, content)
                kind, first, content = line_kind, start, line_content
            last = end
        self._add(kind, first, last, content)
        return self._blocks

    def _lines(self) -> Iterator[tuple[int, int]]:
        for match in _LINE.finditer(self._text):
            if match.end() > match.start():
                yield match.start(), match.start() + len(match.group().rstrip())

    def _begin(self, start: int, end: int) -> tuple[BlockKind | None, int, str]:
        """What a line outside a comment is, where its words begin, what ends it if it goes on."""
        words = self._text[start:end]
        if not words.strip():
            return None, start, ""
        indent = len(words) - len(words.lstrip())
        for opening, closing in self._pairs:
            if words.startswith(opening, indent):
                after = indent + len(opening)
                content = start + after + len(_lead(words, after))
                ends = words.find(closing, after)
                has_words = _WORDS.search(words, after) is not None
                if ends >= 0 and words[ends + len(closing) :].strip():
                    return BlockKind.CODE, start, ""  # A value that goes on, not a comment.
                kind = BlockKind.PARAGRAPH if has_words else BlockKind.MARKUP
                return kind, content, "" if ends >= 0 else closing
        comment = self._comment.match(words)
        if comment is not None and not (start == 0 and words.startswith("#!")):
            if _WORDS.search(words, comment.end()) is None:
                return BlockKind.MARKUP, start, ""
            return BlockKind.PARAGRAPH, start + comment.end(), ""
        section = _SECTION.match(words) if self._suffix in _SECTIONED else None
        if section is not None:
            self._outline.open(section.group(1).strip(), 1)
            return BlockKind.HEADING, start + section.start(1), ""
        return BlockKind.CODE, start + indent, ""

    def _open_string(self, words: str) -> str:
        """What ends the string over several lines that a line of code begins, if it does."""
        quotes = [opening for opening, closing in self._pairs if opening == closing]
        return next((quote for quote in quotes if words.count(quote) % 2), "")

    def _inside(self, start: int, end: int) -> tuple[BlockKind | None, int]:
        """What a line inside a comment over several lines is."""
        words = self._text[start:end]
        if _WORDS.search(words) is None:
            return (BlockKind.MARKUP if words.strip() else None), start
        return BlockKind.PARAGRAPH, start + len(_lead(words, 0))

    def _add(self, kind: BlockKind | None, first: int, last: int, content: int) -> None:
        if kind is None or first >= last:
            return
        end = last
        level = 0
        if kind is BlockKind.PARAGRAPH:
            end = self._without_closing(content, last)
        elif kind is BlockKind.HEADING:
            level = 1
            end = content + len(self._outline.path[-1])
        self._blocks.append(
            Block(
                kind,
                Span(first, last),
                Span(content, max(content, end)),
                self._outline.path,
                level,
            )
        )

    def _without_closing(self, content: int, end: int) -> int:
        for _, closing in self._pairs:
            if self._text.endswith(closing, content, end):
                end -= len(closing)
                break
        while end > content and self._text[end - 1].isspace():
            end -= 1
        tail = _TAIL.search(self._text, max(content, end - 200), end)
        return tail.start() if tail is not None else end


def _lead(words: str, start: int) -> str:
    """The signs and spaces before the words of a line of a comment."""
    match = _LEAD.match(words, start)
    return match.group() if match is not None else ""
