"""Documents that come with a question, and not from a folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from pincite.errors import UnreadableDocument
from pincite.loaders import DEFAULT, LoadSettings, document_of_text
from pincite.places import Mark
from pincite.readers import read_all
from pincite.reading import ReadDocument, Reading, ReadingStopped
from pincite.records import Document, Passage
from pincite.store.files import FoundFile, stamp_of
from pincite.store.packing import unpack_passages, unpack_places
from pincite.text.passages import split_passages

_MARKDOWN = re.compile(r"^#{1,6} \S|^```|^\|.+\|\s*$|^[-*] \S", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Given:
    """A document and its passages."""

    document: Document
    passages: tuple[Passage, ...]


def given_text(text: str, *, name: str, title: str = "") -> Given:
    """The document of a text, which is read as Markdown where it looks like it.

    Places in it count code points of `text`. `name`, which has no suffix, is that of its path.
    """
    suffix = "md" if _MARKDOWN.search(text) else "txt"
    document = document_of_text(text, name=f"{name}.{suffix}")
    if title:
        document = replace(document, source=replace(document.source, title=title))
    return Given(document, tuple(split_passages(document)))


def given_files(
    files: Sequence[tuple[str, bytes]],
    settings: LoadSettings = DEFAULT,
    *,
    seconds: float | None = None,
) -> list[Given]:
    """The documents in files of these names, read like those of a folder: apart, within limits.

    A name is one without folders. They are gone from disk when this returns. Raises
    `UnreadableDocument` for the first that cannot be read, or that is not when all of them have
    taken so many `seconds`.
    """
    with TemporaryDirectory(prefix="pincite-given-") as directory:
        folder = Path(directory)
        for name, data in files:
            (folder / name).write_bytes(data)
        found = [FoundFile(name, stamp_of(folder / name)) for name, _ in files]
        with closing(read_all(folder, found, settings, seconds=seconds)) as readings:
            return [_given(reading) for reading in readings]


def _given(reading: Reading) -> Given:
    if not isinstance(reading.outcome, ReadDocument):
        raise UnreadableDocument(reading.path, reason=reading.outcome.problem.reason)
    passages: list[Passage] = []
    marks: dict[int, Mark] = {}
    try:
        for packed in reading.passages:
            passages += unpack_passages(reading.path, packed)
            marks.update((mark.start, mark) for mark in unpack_places(packed))
    except ReadingStopped as stopped:
        raise UnreadableDocument(reading.path, reason=str(stopped)) from stopped
    read = reading.outcome
    document = Document(
        source=read.source,
        extraction=read.extraction,
        text="".join(passage.text for passage in passages),
        blocks=(),
        language=read.language,
        marks=tuple(marks[start] for start in sorted(marks)),
        notes=read.notes,
        needs=read.needs,
    )
    return Given(document, tuple(passages))
