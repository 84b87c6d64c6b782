"""RTF as tokens, and the characters its code pages and control words stand for."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?[0-9]{1,9})? ?"
    rb"|\\'([0-9a-fA-F]{2})"
    rb"|\\([^a-zA-Z])"
    rb"|([{}])"
    rb"|([^\\{}\r\n\x00]+)"
    rb"|[\r\n\x00]+",
    re.S,
)
CHARACTERS = {
    "line": "\n", "softline": "\n", "page": "\n", "column": "\n", "tab": "\t", "emdash": "—",
    "endash": "–", "emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005", "bullet": "•",
    "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
}  # fmt: skip
SIGNS = {"~": "\xa0", "_": "-", "{": "{", "}": "}", "\\": "\\", "\t": "\t"}
"""Of control symbols; a hyphen that is printed only at a line's end (`\\-`) is left out."""
_CHARSETS = {
    77: "mac_roman", 78: "shift_jis", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk",
    136: "cp950", 161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256",
    186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250", 255: "cp850",
}  # fmt: skip
SYMBOL_CHARSET = 2

Token = tuple[str, int | None, bytes]
"""(control word, its number, b"") or ("", None, bytes of text); `'`, `{`, `}` and other signs are
words too, the byte of `'` being the number."""


def tokens(data: bytes) -> Iterator[Token]:
    """The tokens of `data` in order; binary data (`\\bin`) is passed over."""
    position, end = 0, len(data)
    while position < end:
        found = _TOKEN.match(data, position)
        if found is None:
            # A backslash at the very end.
            return
        position = found.end()
        word, number, code, sign, brace, text = found.groups()
        if text is not None:
            yield "", None, text
        elif word is not None:
            value = None if number is None else int(number)
            if word == b"bin":
                position += max(0, value or 0)
            else:
                yield word.decode("ascii"), value, b""
        elif code is not None:
            yield "'", int(code, 16), b""
        elif sign is not None:
            yield sign.decode("latin-1"), None, b""
        elif brace is not None:
            yield f"group{brace.decode('ascii')}", None, b""


def encoding_of_charset(charset: int, default: str) -> str:
    """The codec for the character set of a font."""
    return _CHARSETS.get(charset, default)


def encoding_of_page(page: int | None) -> str:
    """The codec for a code page; that of Windows in the west for what is not known."""
    name = "utf-8" if page == 65001 else f"cp{page}"
    try:
        codecs.lookup(name)
    except LookupError:
        return "cp1252"
    return name
