"""XML read as events, as it comes: no tree is built, nothing is fetched, no entity is expanded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import IO, Protocol
from xml.parsers import expat

from pincite.loaders.extracted import UnreadableContent

DEEPEST = 400
"""Elements inside one another; what is nested deeper is not a document a person wrote."""
MOST_ELEMENTS = 4_000_000
"""Of one part; what comes after is left out. It takes about 20 seconds to get there."""
_CHUNK = 1 << 16
_NAMESPACE_END = " "

Attributes = Mapping[str, str]


class Events(Protocol):
    """What is told of the elements, by their short names (`w:p`), in the order of the file."""

    def start(self, name: str, attributes: Attributes) -> None: ...
    def end(self, name: str) -> None: ...
    def text(self, words: str) -> None: ...


class StopReading(Exception):
    """Raised by `Events` that want no more of the file."""


def read_events(source: IO[bytes], events: Events, prefixes: Mapping[str, str]) -> str:
    """Tell `events` what is in `source`; what is wrong with it, or `""` where all was read.

    `prefixes` gives the prefix for each namespace, whatever the file calls it; names of other
    namespaces come without prefix. What was told before something wrong was met stays told.
    Raises `UnreadableContent` for entity declarations and for what is nested too deep.
    """
    names: dict[str, str] = {}
    depth = count = 0

    def short(name: str) -> str:
        namespace, _, local = name.rpartition(_NAMESPACE_END)
        prefix = prefixes.get(namespace)
        names[name] = found = f"{prefix}:{local}" if prefix else local
        return found

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth, count
        depth += 1
        count += 1
        if count > MOST_ELEMENTS:
            raise StopReading(f"it has more than {MOST_ELEMENTS:,} elements")
        if depth > DEEPEST:
            raise UnreadableContent(
                f"holds elements nested more than {DEEPEST} deep, which no ordinary document does:"
                " it is not read"
            )
        events.start(
            names.get(name) or short(name),
            {names.get(key) or short(key): value for key, value in attributes.items()},
        )

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        events.end(names[name])

    parser = expat.ParserCreate(namespace_separator=_NAMESPACE_END)
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = events.text
    parser.EntityDeclHandler = _refuse_entity
    try:
        while chunk := source.read(_CHUNK):
            parser.Parse(chunk, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        parser.buffer_text = False  # Hands over the words before the error.
        return f"line {error.lineno}: {expat.ErrorString(error.code)}"
    except StopReading as stop:
        return str(stop)
    return ""


def _refuse_entity(name: str, *_: object) -> None:
    raise UnreadableContent(
        f"declares an XML entity ({name[:40]}), which documents of this kind never need; one may"
        " grow without end or name a file outside: it is not read"
    )


class Elements:
    """Events for small parts: calls `handle(name, attributes)` at the start of every element."""

    def __init__(self, handle: Callable[[str, Attributes], None]) -> None:
        self._handle = handle

    def start(self, name: str, attributes: Attributes) -> None:
        self._handle(name, attributes)

    def end(self, name: str) -> None:
        pass

    def text(self, words: str) -> None:
        pass
