"""Writes a corpus as a person would have it: a folder of files, named by what they hold."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from bench.data import SourceText

_UNSAFE = re.compile(r'[\s\x00-\x1f\x7f<>:"/\\|?*]+')
_MODIFIED = 1_700_000_000
"""One modification time for every file, so that two folders of one corpus are alike."""


def file_names(documents: Iterable[SourceText], *, names: str = "title") -> dict[str, str]:
    """A path in the folder for each document id, `/` between its parts.

    With `title`, files are called by their title, and the id is added where two would be called
    the same; with `id`, by the id alone. Directories in an id are kept. Markdown keeps its
    ending, everything else is `.txt`.
    """
    taken: set[str] = set()
    paths = {}
    for document in documents:
        inside = PurePosixPath(document.doc_id)
        ending = ".md" if inside.suffix.lower() == ".md" else ".txt"
        stem = _safe(inside.stem if ending == ".md" else inside.name, 140)
        title = _safe(document.title, 100) if names == "title" else ""
        directory = [part for part in (_safe(part, 140) for part in inside.parts[:-1]) if part]
        for name in _choices(title, stem):
            path = "/".join([*directory, name + ending])
            if path.casefold() not in taken:
                break
        taken.add(path.casefold())
        paths[document.doc_id] = path
    return paths


def _choices(title: str, stem: str) -> Iterator[str]:
    yield from filter(None, dict.fromkeys((title or stem, f"{title} {stem}".strip())))
    for number in itertools.count(2):
        yield f"{title} {stem} {number}".strip()


def write(
    documents: Iterable[SourceText], folder: Path, paths: dict[str, str], *, backwards: bool = False
) -> int:
    """Write each text, exactly as it is, in UTF-8; returns the bytes written.

    `backwards` creates the files in the reverse order.
    """
    ordered = list(documents)
    written = 0
    for document in reversed(ordered) if backwards else ordered:
        path = folder / paths[document.doc_id]
        path.parent.mkdir(parents=True, exist_ok=True)
        content = document.text.encode("utf-8")
        path.write_bytes(content)
        os.utime(path, (_MODIFIED, _MODIFIED))
        written += len(content)
    return written


def _safe(name: str, longest: int) -> str:
    """`name` as part of a path: nothing a file system objects to, at most `longest` bytes."""
    # Leading dots would hide the file, or climb out of the folder.
    safe = _UNSAFE.sub(" ", name).strip(" .")
    return safe.encode()[:longest].decode(errors="ignore").rstrip(" .")
