"""What a file is, told by what it holds; the suffix decides only between kinds of text."""

from __future__ import annotations

from pathlib import PurePosixPath

MARKDOWN_SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd"})


def sniff(data: bytes, name: str) -> str:
    """The name in `FORMATS` of the format of a file called `name` that holds `data`.

    Raises `UnreadableContent` for a known kind of file that is not read. What is not known is
    `plain`: whether it is text at all, decoding tells.
    """
    suffix = PurePosixPath(name).suffix.lower()
    return "markdown" if suffix in MARKDOWN_SUFFIXES else "plain"
