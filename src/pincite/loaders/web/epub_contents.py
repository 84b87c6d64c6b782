"""The tables of contents of a book: what each of its files is called."""

from __future__ import annotations

import io
from html import unescape

from pincite.loaders.web.html_tokens import END, LEAF, START, TEXT, attributes_of, tokens
from pincite.loaders.xml_events import Attributes, read_events

Contents = list[tuple[str, str]]
"""References, as they are written, and titles."""

_PREFIXES = {"http://www.daisy.org/z3986/2005/ncx/": "ncx"}


class _Labels:
    def __init__(self) -> None:
        self.found: Contents = []
        self._label = ""
        self._words: list[str] | None = None
        self._is_label = False

    def start(self, name: str, attributes: Attributes) -> None:
        kind = name.rpartition(":")[2]
        if kind == "navLabel":
            self._is_label = True
        elif kind == "text" and self._is_label:
            self._words = []
        elif kind == "content" and self._label and "src" in attributes:
            self.found.append((attributes["src"], self._label))

    def end(self, name: str) -> None:
        kind = name.rpartition(":")[2]
        if kind == "text" and self._words is not None:
            self._label = " ".join("".join(self._words).split())
            self._words = None
        elif kind == "navLabel":
            self._is_label = False

    def text(self, words: str) -> None:
        if self._words is not None:
            self._words.append(words)


def contents_of_list(data: bytes) -> Contents:
    """The entries of an NCX file, as far as it can be read."""
    labels = _Labels()
    read_events(io.BytesIO(data), labels, _PREFIXES)
    return labels.found


def contents_of_page(source: str) -> Contents:
    """The links in the `nav` elements of a page; only the first if it says that it is the toc."""
    found: Contents = []
    kinds: list[str] = []
    target = ""
    words: list[str] = []
    for kind, start, end, name, attributes in tokens(source, is_xml=True):
        is_leaf = kind is LEAF
        if kind is START and name == "nav":
            kinds.append(attributes_of(attributes).get("epub:type", ""))
        elif kind is END and name == "nav" and kinds:
            kinds.pop()
        if not kinds or kinds[-1] not in ("toc", ""):
            continue
        if name == "a" and (is_leaf or kind is START):
            target, words = attributes_of(attributes).get("href", ""), []
        if target and (is_leaf or kind is TEXT):
            words.append(source[start:end])
        if name == "a" and target and (is_leaf or kind is END):
            title = " ".join(unescape("".join(words)).split())
            if title:
                found.append((target, title))
            target = ""
    return found
