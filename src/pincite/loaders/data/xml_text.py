"""XML as text: each element with words can be quoted, at its XPath.

The text is the decoded file. Nothing is fetched and no entity is expanded; a file that declares
entities is read as plain text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.parsers import expat

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

_TITLES = frozenset({"title", "heading", "head", "h1", "h2", "h3", "h4", "h5", "h6", "caption"})
_OWN_TITLES = frozenset({"title", "article-title"})
"""Those of the document, rather than of the journal or series that it is in."""
_NAMING = ("name", "title", "label")
_SILENT = re.compile(r"xmlns|[^:]+:|(?:.*id|class|style|version|href|(?:.*-)?type)$")
_TITLE_LENGTH = 200
MAXIMUM_ELEMENTS = MAXIMUM_VALUES // 2
_TAG = re.compile(r"<[^>]*>")


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The text with a block for each element; what is no XML is read as plain text with a note."""
    return structure(decoded_text(data))


def structure(text: str) -> Extracted:
    """The same for a text that is decoded."""
    try:
        return _Reader(text).read()
    except NotStructured as error:
        return as_plain_text(text, f"is not read as XML ({error})")


@dataclass(slots=True, eq=False)
class _Element:
    """An element and where its tags stand."""

    name: str
    parent: _Element | None
    number: int
    """Among those of its name in its parent."""
    depth: int
    start: int
    attributes: list[str]
    inner: int = 0
    """Where its start tag ends."""
    close: int = 0
    """Where its end tag begins."""
    end: int = 0
    counts: dict[str, int] | None = None
    """How many elements of each name it has; None for none."""
    has_words: bool = False
    group: int = 0


class _Reader:
    """Reads the elements, then makes the blocks: what an element is, its end tells."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._blocks = NodeBlocks(text)
        # Lone surrogates have no UTF-8, and are no XML.
        self._bytes = text.encode("utf-8", "replace")
        self._is_ascii = len(self._bytes) == len(text)
        self._byte = self._offset = 0
        self._elements: list[_Element] = []
        self._open: list[_Element] = []
        self._pending: _Element | None = None
        self._title = ""
        self._has_own_title = False
        self._parser = expat.ParserCreate(encoding="utf-8")

    def read(self) -> Extracted:
        parser = self._parser
        parser.ordered_attributes = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._words
        parser.CommentHandler = self._other
        parser.ProcessingInstructionHandler = self._other
        parser.EntityDeclHandler = self._refuse
        try:
            parser.Parse(self._bytes, True)
        except expat.ExpatError as error:
            reason = expat.ErrorString(error.code)
            raise NotStructured(f"line {error.lineno}: {reason}") from error
        covered = 0
        for index, element in enumerate(self._elements):
            if element.start >= covered:
                self._blocks.close_headings(element.depth + 1)
                covered = self._add_record(index) or self._add(element)
        return self._blocks.extracted(title=self._title)

    def _position(self) -> int:
        """Where in the text the parser is; it only moves on."""
        byte = self._parser.CurrentByteIndex
        if self._is_ascii:
            return byte
        if byte > self._byte:
            self._offset += len(self._bytes[self._byte : byte].decode("utf-8", "replace"))
            self._byte = byte
        return self._offset

    def _settle(self) -> int:
        """Note where the start tag that was read last ends; the position at hand."""
        position = self._position()
        if self._pending is not None:
            self._pending.inner = position
            self._pending = None
        return position

    def _refuse(self, name: str, *_: object) -> None:
        raise NotStructured(
            f"it declares an entity, {name[:40]}: none is expanded or fetched, as one may grow "
            "without end or name a file outside"
        )

    def _start(self, name: str, attributes: list[str]) -> None:
        position = self._settle()
        if len(self._open) >= DEEPEST:
            raise NotStructured(f"it is nested more than {DEEPEST} deep")
        if len(self._elements) >= MAXIMUM_ELEMENTS:
            raise NotStructured("it holds too many elements")
        parent = self._open[-1] if self._open else None
        number = 1
        if parent is not None:
            if parent.counts is None:
                parent.counts = {}
            number = parent.counts[name] = parent.counts.get(name, 0) + 1
        element = _Element(name, parent, number, len(self._open), position, attributes)
        self._elements.append(element)
        self._open.append(element)
        self._pending = element

    def _words(self, words: str) -> None:
        self._settle()
        if self._open and not words.isspace():
            self._open[-1].has_words = True

    def _other(self, *_: str) -> None:
        self._settle()

    def _end(self, name: str) -> None:
        is_first = self._pending is not None
        position = self._settle()
        element = self._open.pop()
        element.close = element.end = position
        # The end of `<a/>` is told where it ends, that of others where the end tag begins.
        if not (is_first and self._text.endswith("/>", 0, position)):
            element.end = self._text.find(">", position) + 1 or len(self._text)

    def _add(self, element: _Element) -> int:
        """Add the block of an element; up to where those inside it have none of their own."""
        if element.has_words:
            self._add_text(element)
            return element.end
        if not element.attributes:
            return element.start
        pairs = dict(zip(element.attributes[::2], element.attributes[1::2], strict=True))
        span = element.start, element.inner
        if element.counts is None:
            span = element.start, element.end
        naming = next((pairs[key] for key in _NAMING if pairs.get(key, "").strip()), "")
        if element.counts is not None and 0 < len(naming) <= _TITLE_LENGTH:
            self._blocks.open_heading(naming, element.depth + 1)
            self._blocks.add(BlockKind.HEADING, span, self._path(element))
        elif any(not _SILENT.match(key) and value.strip() for key, value in pairs.items()):
            self._blocks.add(
                BlockKind.TABLE_ROW, span, self._path(element), group=self._group(element.parent)
            )
        return element.start

    def _add_record(self, index: int) -> int:
        """Add a small element of a list, one of plain values only, as one row; its end, else 0."""
        record = self._elements[index]
        parent = record.parent
        if record.counts is None or record.has_words or parent is None or parent.counts is None:
            return 0
        is_listed = parent.counts[record.name] > 1
        count = sum(record.counts.values())
        if not is_listed or count < 2 or record.end - record.start > RECORD_LENGTH:
            return 0
        values = self._elements[index + 1 : index + 1 + count]
        for value in values:
            words = self._text[value.inner : value.close]
            if value.parent is not record or value.counts is not None or is_prose(words):
                return 0
            if _is_title(value.name):  # A part with a heading, however short.
                return 0
        self._blocks.add_record(
            (record.start, record.end),
            [(value.start, value.end, self._path(value)) for value in values],
            self._group(parent),
        )
        return record.end

    def _add_text(self, element: _Element) -> None:
        path = self._path(element)
        span, inside = (element.start, element.end), (element.inner, element.close)
        words = " ".join(_TAG.sub("", self._text[slice(*inside)]).split())
        local = element.name.rpartition(":")[2].lower()
        if _is_title(element.name) and element.depth and 0 < len(words) <= _TITLE_LENGTH:
            if not self._title or (local in _OWN_TITLES and not self._has_own_title):
                self._title = words
                self._has_own_title = local in _OWN_TITLES
            self._blocks.open_heading(words, element.depth)
            self._blocks.add(BlockKind.HEADING, span, path, content=inside, mark=inside)
        elif is_prose(words) or element.counts is not None:
            self._blocks.add_paragraphs(span, path, inside)
        else:
            self._blocks.add(BlockKind.TABLE_ROW, span, path, group=self._group(element.parent))

    def _group(self, parent: _Element | None) -> int:
        if parent is None:
            return 0
        parent.group = parent.group or self._blocks.new_group()
        return parent.group

    def _path(self, element: _Element) -> str:
        """An XPath, with positions where there are several of a name."""
        steps: list[str] = []
        node: _Element | None = element
        while node is not None:
            counts = node.parent.counts if node.parent is not None else None
            is_one = counts is None or counts[node.name] == 1
            steps.append(f"/{node.name}" if is_one else f"/{node.name}[{node.number}]")
            node = node.parent
        return "".join(reversed(steps))


def _is_title(name: str) -> bool:
    local = name.rpartition(":")[2].lower()
    return local in _TITLES or local.endswith("-title")
