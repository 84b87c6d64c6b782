"""JSON and JSON Lines as text: each value with its key can be quoted, at its JSON Pointer.

The text is the decoded file, save that escapes in strings are read: `\\u00e9` is the letter it
stands for, line ends and tabs written as escapes are white space. Lines stay those of the file.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from enum import Enum, auto
from itertools import pairwise

from pincite.loaders.data.nodes import (
    DEEPEST,
    MAXIMUM_VALUES,
    RECORD_LENGTH,
    NodeBlocks,
    NotStructured,
    as_plain_text,
    is_prose,
)
from pincite.loaders.decoding import decoded_text
from pincite.loaders.extracted import Extracted, LoadSettings
from pincite.records import BlockKind
from pincite.text.lines import count_lines_before, line_starts

_STRING = r'"[^"\\]*+(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\]*+)*+"'
_TOKEN = re.compile(
    rf"[ \t\r\n\ufeff]*+(?:(?P<string>{_STRING})"
    r"|(?P<other>-?\d++(?:\.\d++)?(?:[eE][-+]?\d++)?|true|false|null|NaN|-?Infinity)"
    r"|(?P<sign>[{}\[\],:]))",
    re.S,
)
_ESCAPED_STRING = re.compile(_STRING, re.S)
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u[\da-fA-F]{4}|.)", re.S
)
_LETTER_ESCAPE = re.compile(r"\\u(?!00[0-7])[\da-fA-F]{4}")
_SPACE_ESCAPES = ("\\n", "\\r", "\\t")
MOST_TOKENS = MAXIMUM_VALUES * 3 // 2
"""Keys, values and brackets; each takes about 600 bytes on the way."""
_SHORT_LIST = 300
_BREAK = re.compile(r" {4,}|(?<=[.:!?;]) {2,}(?=\S)| {2,}(?=[-*•#]|\d+[.)])")
"""Where an escaped line end parts paragraphs or items: two of them, a stop, a bullet."""


class _Sign(Enum):
    OPEN_OBJECT = auto()
    OPEN_ARRAY = auto()
    CLOSE = auto()
    KEY = auto()
    VALUE = auto()


_Token = tuple[_Sign, int, int]


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The text with a block for each value; what is no JSON is read as plain text with a note."""
    return structure(decoded_text(data))


def structure(text: str) -> Extracted:
    """The same for a text that is decoded; several values, one a line or not, are JSON Lines."""
    try:
        tokens, count = _tokens(text)
    except NotStructured as error:
        return _lines_or_plain(text, str(error))
    if _LETTER_ESCAPE.search(text) or any(escape in text for escape in _SPACE_ESCAPES):
        text = _unescaped(text)
        tokens, count = _tokens(text)
    if not count:
        return as_plain_text(text, "holds no JSON value") if text.strip() else Extracted(text, ())
    return _Builder(text, tokens, is_sequence=count > 1).build()


def _lines_or_plain(text: str, why: str) -> Extracted:
    """A file of which most lines are JSON, read line by line, the others as they stand."""
    good: list[str] = []
    bad = 0
    starts = line_starts(text)
    lines = [text[start:end] for start, end in pairwise([*starts, len(text)])]
    for line in lines:
        try:
            _, count = _tokens(line)
            good.append(line if count == 1 else "")
        except NotStructured:
            good.append("")
        bad += bool(line.strip()) and not good[-1]
    found = sum(map(bool, good))
    if found < 2 or bad * 10 > found:
        return as_plain_text(text, f"is not read as JSON ({why})")
    blanked = "".join(
        # As long as the line, so that every offset stays.
        good_line or re.sub(r"[^\r\n]", " ", line)
        for good_line, line in zip(good, lines, strict=True)
    )
    try:
        tokens, _ = _tokens(blanked)
    except NotStructured as error:
        return as_plain_text(text, f"is not read as JSON ({error})")
    note = f"has {bad} line{'s' if bad > 1 else ''} of no valid JSON, which cannot be quoted"
    return _Builder(text, tokens, is_sequence=True).build((note,))


def _tokens(text: str) -> tuple[list[_Token], int]:
    """Keys, values and brackets in order, and the number of values at the top."""
    tokens: list[_Token] = []
    stack: list[bool] = []  # True for an object.
    expected = "value"
    count = position = 0
    match_at = _TOKEN.match
    while match := match_at(text, position):
        position = match.end()
        kind = match.lastgroup
        start = match.start(kind) if kind else position
        if kind == "sign":
            sign = text[start]
            if sign == ":":
                if expected != "colon":
                    break
                expected = "value"
                continue
            if sign == ",":
                if expected != "comma" or not stack:
                    break
                expected = "key" if stack[-1] else "value"
                continue
            if sign in "{[":
                if expected not in ("value", "value or end"):
                    break
                stack.append(sign == "{")
                if len(stack) > DEEPEST:
                    raise NotStructured(f"it is nested more than {DEEPEST} deep")
                tokens.append(
                    (_Sign.OPEN_OBJECT if sign == "{" else _Sign.OPEN_ARRAY, start, position)
                )
                expected = "key or end" if sign == "{" else "value or end"
                continue
            is_object = sign == "}"
            allowed = ("comma", "key or end") if is_object else ("comma", "value or end")
            if not stack or stack[-1] is not is_object or expected not in allowed:
                break
            stack.pop()
            tokens.append((_Sign.CLOSE, start, position))
        elif expected in ("key", "key or end"):
            if kind != "string":
                break
            tokens.append((_Sign.KEY, start, position))
            expected = "colon"
            continue
        elif expected in ("value", "value or end"):
            tokens.append((_Sign.VALUE, start, position))
        else:
            break
        if len(tokens) > MOST_TOKENS:
            raise NotStructured("it holds too many values")
        count += not stack
        expected = "comma" if stack else "value"
    else:
        if not stack and not text[position:].strip() and expected == "value":
            return tokens, count
    raise NotStructured(f"line {count_lines_before(text, min(position, len(text))) + 1}")


def _unescaped(text: str) -> str:
    """`text` with the escapes in its strings read, save those that would end or break a string."""
    return _ESCAPED_STRING.sub(
        lambda string: (
            _ESCAPE.sub(_sign, string.group()) if "\\" in string.group() else string.group()
        ),
        text,
    )


def _sign(escape: re.Match[str]) -> str:
    found = escape.group()
    if found in _SPACE_ESCAPES:
        return "  "
    if found[1] != "u" or len(found) < 6:
        return found
    units = [int(part, 16) for part in found[2:].split("\\u")]
    code = units[0]
    if len(units) == 2:
        code = 0x10000 + ((units[0] - 0xD800) << 10) + (units[1] - 0xDC00)
    letter = chr(code)
    # Line ends of Unicode too would change which line a value is on.
    is_shown = letter.isprintable() and letter not in '"\\'
    return letter if is_shown else found if len(units) == 1 else letter


@dataclass(slots=True)
class _Frame:
    """A container that is open."""

    is_object: bool
    path: str
    group: int
    index: int = 0
    key: tuple[int, int] | None = None


@dataclass(slots=True)
class _Builder:
    text: str
    tokens: list[_Token]
    is_sequence: bool
    title: str = ""
    count: int = 0
    stack: list[_Frame] = field(default_factory=list)

    def build(self, notes: tuple[str, ...] = ()) -> Extracted:
        blocks = NodeBlocks(self.text)
        tokens = self.tokens
        position = 0
        while position < len(tokens):
            sign, start, end = tokens[position]
            position += 1
            if sign is _Sign.KEY:
                self.stack[-1].key = start, end
            elif sign is _Sign.VALUE:
                self._value(blocks, start, end, is_string=self.text[start] == '"')
            elif sign is _Sign.CLOSE:
                self.stack.pop()
                blocks.close_headings(len(self.stack))
            else:
                closing = self._short_end(position)
                record = self._record_end(position) if sign is _Sign.OPEN_OBJECT else None
                if record is not None:
                    self._record(blocks, position, record)
                    position = record + 1
                elif closing is not None:
                    self._value(blocks, start, tokens[closing][2], is_string=False)
                    position = closing + 1
                else:
                    self._open(blocks, start, end, is_object=sign is _Sign.OPEN_OBJECT)
        return blocks.extracted(title=self.title, notes=notes)

    def _short_end(self, position: int) -> int | None:
        """Where a short list of plain values, or an empty container, closes; None for others."""
        first = position
        opened = self.tokens[position - 1][1]
        while position < len(self.tokens) and self.tokens[position][0] is _Sign.VALUE:
            _, start, end = self.tokens[position]
            if end - opened > _SHORT_LIST or is_prose(self.text[start:end]):
                return None
            position += 1
        is_end = position < len(self.tokens) and self.tokens[position][0] is _Sign.CLOSE
        # A list at the top is a list of values, not the value of a key.
        return position if is_end and (self.stack or position == first) else None

    def _record_end(self, position: int) -> int | None:
        """Where a small record of a list closes, one of plain values only; None for others."""
        if self.stack[-1].is_object if self.stack else not self.is_sequence:
            return None
        first = position
        opened = self.tokens[position - 1][1]
        while position + 1 < len(self.tokens) and self.tokens[position][0] is _Sign.KEY:
            sign, start, end = self.tokens[position + 1]
            is_plain = sign is _Sign.VALUE and not is_prose(self.text[start:end])
            if not is_plain or end - opened > RECORD_LENGTH:
                return None
            position += 2
        is_end = self.tokens[position][0] is _Sign.CLOSE if position < len(self.tokens) else False
        return position if is_end and position - first >= 4 else None

    def _record(self, blocks: NodeBlocks, position: int, closing: int) -> None:
        path, _ = self._place()
        group = self.stack[-1].group if self.stack else 0
        frame = _Frame(is_object=True, path=path, group=group)
        self.stack.append(frame)
        values: list[tuple[int, int, str]] = []
        for index in range(position, closing, 2):
            frame.key = self.tokens[index][1:]
            values.append((frame.key[0], self.tokens[index + 1][2], self._place()[0]))
        self.stack.pop()
        span = self.tokens[position - 1][1], self.tokens[closing][2]
        blocks.add_record(span, values, group)

    def _place(self) -> tuple[str, tuple[int, int] | None]:
        """The path of the value at hand, and where its key stands."""
        if not self.stack:
            path = f"/{self.count}" if self.is_sequence else ""
            self.count += 1
            return path, None
        frame = self.stack[-1]
        if not frame.is_object:
            frame.index += 1
            return f"{frame.path}/{frame.index - 1}", None
        if frame.key is None:
            return frame.path, None
        key = self.text[frame.key[0] + 1 : frame.key[1] - 1]
        if "\\" in key:
            key = json.loads(f'"{key}"', strict=False)
        return f"{frame.path}/{key.replace('~', '~0').replace('/', '~1')}", frame.key

    def _open(self, blocks: NodeBlocks, start: int, end: int, *, is_object: bool) -> None:
        path, key = self._place()
        if key is not None:
            name = key[0] + 1, key[1] - 1
            blocks.open_heading(self.text[name[0] : name[1]], len(self.stack))
            blocks.add(BlockKind.HEADING, (key[0], end), path, content=name, mark=name)
        group = blocks.new_group()
        self.stack.append(_Frame(is_object, path, group))

    def _value(self, blocks: NodeBlocks, start: int, end: int, *, is_string: bool) -> None:
        path, key = self._place()
        first = key[0] if key is not None else start
        stop = end + (self.text[end : end + 1] == ",")
        words = self.text[start + 1 : end - 1] if is_string else ""
        is_title = words and len(self.stack) == 1 and key is not None and not self.title
        if is_title and self.text[first + 1 : start].lower().startswith('title"'):
            self.title = words
        group = self.stack[-1].group if self.stack else 0
        if is_prose(words):
            self._prose(blocks, (first, stop), path, (start + 1, end - 1))
        elif key is not None:
            blocks.add(
                BlockKind.TABLE_ROW, (first, stop), path,
                content=(first, end), mark=(first, end), group=group,
            )  # fmt: skip
        else:
            content = (start + 1, end - 1) if is_string else (start, end)
            blocks.add(
                BlockKind.LIST_ITEM, (first, stop), path,
                content=content, mark=content, group=group,
            )  # fmt: skip

    def _prose(
        self, blocks: NodeBlocks, span: tuple[int, int], path: str, content: tuple[int, int]
    ) -> None:
        """A text, cut where its escaped line ends cut it."""
        start, first = span[0], content[0]
        for gap in _BREAK.finditer(self.text, *content):
            if self.text[first : gap.start()].strip():
                blocks.add(
                    BlockKind.PARAGRAPH, (start, gap.start()), path, content=(first, gap.start())
                )
                start = gap.start()
            first = gap.end()
        blocks.add(BlockKind.PARAGRAPH, (start, span[1]), path, content=(first, content[1]))
