"""The words in a message's header and parts, whose encodings are named, rightly or not."""

from __future__ import annotations

import re
from email.errors import HeaderParseError
from email.header import decode_header

from pincite.loaders.decoding import NotTextError, decode

_NAME = re.compile(r"[A-Za-z0-9][\w.:+-]*")
# What those names mean to the programs that write them: the larger set of the same family.
_MEANT = {
    "us-ascii": "utf-8",
    "ascii": "utf-8",
    "iso-8859-1": "cp1252",
    "latin1": "cp1252",
    "iso-8859-9": "cp1254",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "shift-jis": "cp932",
    "sjis": "cp932",
    "ks_c_5601-1987": "cp949",
    "euc-kr": "cp949",
    "iso-2022-jp": "iso2022_jp_ext",
    "cp-850": "cp850",
    "unicode-1-1-utf-7": "utf-7",
    "utf8": "utf-8",
}


def decoded_part(data: bytes, charset: str | None) -> str:
    """The text in `data`, in the encoding `charset` names or, where that cannot be, a likely one.

    Bytes that no reading fits become U+FFFD.
    """
    name = _NAME.search(charset or "")
    if name is not None:
        try:
            return data.decode(_MEANT.get(name.group().lower(), name.group()))
        except (LookupError, ValueError):
            pass  # No such encoding, or not this one.
    try:
        return decode(data).text
    except NotTextError:
        return data.decode("latin-1")


def decoded_header(value: str) -> str:
    """`value` with its encoded words decoded; 8-bit bytes, as surrogates, are read as text."""
    if "=?" in value:
        try:
            words = decode_header(value)
        except (HeaderParseError, ValueError):
            words = []
        if words:
            return "".join(
                word if isinstance(word, str) else _decoded_word(word, charset)
                for word, charset in words
            )
    if value.isascii():
        return value
    return decoded_part(value.encode("utf-8", "surrogateescape"), None)


def _decoded_word(word: bytes, charset: str | None) -> str:
    if charset is None:
        # The parser hands over what stands between encoded words in this form.
        return decoded_header(word.decode("raw-unicode-escape").replace("=?", "= ?"))
    return decoded_part(word, charset)
