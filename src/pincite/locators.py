"""What a person calls a document or a place in one, and what the index calls it."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection
from pathlib import Path, PurePosixPath

from pincite.errors import DocumentNotFound
from pincite.records import Lines, Span
from pincite.store.snapshot import Snapshot

_LINES = re.compile(r"(?P<path>.+):(?P<first>\d{1,15})(?:-(?P<last>\d{1,15}))?", re.DOTALL)
_CHARS = re.compile(r"(?P<path>.+)#char=(?P<start>\d{1,15}),(?P<end>\d{1,15})", re.DOTALL)

_NEAR_NAMED = 3
"""Documents that an error names as what may have been meant."""


def document_path(name: str, snapshot: Snapshot, folder: Path) -> str:
    """The path in the index that `name` means; `DocumentNotFound` where there is none.

    It may be written with `./`, or from the root of the file system.
    """
    for path in (name, inside(name, folder)):
        if path and snapshot.source(path) is not None:
            return path
    raise DocumentNotFound(name, folder=folder, near=same_name(name, snapshot.paths()))


def same_name(name: str, known: Collection[str]) -> tuple[str, ...]:
    """The first of the documents `known` that are called like `name`, wherever they are."""
    called = PurePosixPath(name.partition("#")[0].replace(os.sep, "/")).name.casefold()
    near = [path for path in known if PurePosixPath(path).name.casefold() == called]
    return tuple(near[:_NEAR_NAMED])


def inside(name: str, folder: Path) -> str:
    """`name` as a path in the folder, with `/` between its parts; begins with `..` outside it."""
    if "\0" in name:
        return ""
    return os.path.relpath(os.path.join(folder, name), folder).replace(os.sep, "/")


def named_path(path: str, folder: Path, known: Collection[str]) -> str:
    """The path in the folder that `path` means: a document, a file, or a folder of them."""
    own = inside(path, folder)
    is_known = any(name == own or name.startswith(f"{own}/") for name in known)
    is_outside = own in ("", ".", "..") or own.startswith("../")
    if is_outside or not (is_known or os.path.lexists(folder / own)):
        raise DocumentNotFound(path, folder=folder, near=same_name(path, sorted(known)))
    return own


def parsed(
    locator: str, is_document: Callable[[str], bool]
) -> tuple[str, Lines | None, Span | None]:
    """Path with lines or span; a document whose own name looks like a locator is meant whole."""
    if is_document(locator):
        return locator, Lines(1, 1), None
    if found := _CHARS.fullmatch(locator):
        start, end = int(found["start"]), int(found["end"])
        if start > end:
            raise ValueError(f"{locator!r} ends before it starts: give #char=START,END")
        return found["path"], None, Span(start, end)
    if found := _LINES.fullmatch(locator):
        first = int(found["first"])
        last = int(found["last"] or first)
        if not first:
            raise ValueError(f"{locator!r} names line 0: lines count from 1")
        if first > last:
            raise ValueError(f"{locator!r} ends before it starts: give PATH:FIRST-LAST")
        return found["path"], Lines(first, last), None
    return locator, Lines(1, 1), None
