"""Documents as addresses: `pincite://COLLECTION/PATH`, with `#char=START,END` for a part."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit

from pincite.server.errors import NotAsked

SCHEME = "pincite"
TEMPLATE = f"{SCHEME}://{{collection}}/{{+path}}"

_CHARS = re.compile(r"char=(\d{1,15}),(\d{1,15})")


@dataclass(frozen=True, slots=True)
class Address:
    """A document in a collection, or a stretch of its text in code points."""

    collection: str
    path: str
    start: int = 0
    end: int | None = None


def address_of(collection: str, path: str) -> str:
    """The address of a document."""
    # A name of a file may hold bytes that are no UTF-8.
    name, rest = (quote(one, safe="/", errors="surrogateescape") for one in (collection, path))
    return f"{SCHEME}://{name}/{rest}"


def parsed_address(uri: str) -> Address:
    """What an address names; `NotAsked` where it is none."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        parts = urlsplit("")
    path = parts.path.removeprefix("/")
    if parts.scheme != SCHEME or not parts.netloc or not path or parts.query:
        raise NotAsked(f"{uri!r} names no document: write {SCHEME}://COLLECTION/PATH")
    collection = unquote(parts.netloc, errors="surrogateescape")
    path = unquote(path, errors="surrogateescape")
    if not parts.fragment:
        return Address(collection, path)
    found = _CHARS.fullmatch(parts.fragment)
    if found is None or int(found[1]) > int(found[2]):
        raise NotAsked(f"{uri!r} names no place: write #char=START,END")
    return Address(collection, path, int(found[1]), int(found[2]))
