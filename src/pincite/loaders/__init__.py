"""From a file to a Document: text exactly as decoded, and the structure of that text."""

from __future__ import annotations

import errno
import hashlib
import os
import stat
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

from pincite.errors import UnreadableDocument
from pincite.loaders.extracted import DEFAULT, Extracted, LoadSettings, UnreadableContent
from pincite.loaders.formats import EXTRACTORS, FORMATS, Format, extract
from pincite.records import Block, BlockKind, Document, Extraction, Source
from pincite.text.languages import detect

__all__ = [
    "DEFAULT",
    "EXTRACTORS",
    "MAXIMUM_BYTES",
    "LoadSettings",
    "document_of_text",
    "load",
]

MAXIMUM_BYTES = 512 * 1024 * 1024

_FILE_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)
_PROSE = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTATION)
_LANGUAGE_SAMPLE = 1_000
_CHUNK = 1 << 20
_ATTEMPTS = 3
"""To read a file that is being written."""
_FIRST_SECOND = -62_135_596_800
"""Since 1970: the beginning of year 1."""
_LAST_SECOND = 253_402_300_799
"""The end of year 9999."""


def load(path: Path, *, name: str, settings: LoadSettings = DEFAULT) -> Document:
    """The document in the file at `path`, which is called `name` from here on.

    `name` is the path relative to the indexed folder, with `/`. What the file is, is told by
    its content; only kinds of text are told apart by the suffix. An empty file is a document
    without blocks. Raises `UnreadableDocument` when the file is not a regular file, cannot be
    read, is of a kind that is not read or is larger than `MAXIMUM_BYTES`.
    """
    data, modified = _read(path, name)
    return document_of_bytes(data, name=name, modified=modified, settings=settings)


def document_of_bytes(
    data: bytes, *, name: str, modified: str = "", settings: LoadSettings = DEFAULT
) -> Document:
    """The document in a file called `name` that holds `data`. Raises `UnreadableDocument`."""
    try:
        form, extracted = extract(data, name, settings)
    except UnreadableContent as error:
        raise UnreadableDocument(name, reason=str(error), need=error.need) from error
    return _document(form, extracted, name, hashlib.sha256(data).hexdigest(), modified)


def document_of_text(text: str, *, name: str) -> Document:
    """The document of a text that is already decoded; Markdown or plain by the suffix of `name`.

    The hash of the file is that of the text in UTF-8.
    """
    # Here and not above: with `EXTRACTORS` alone, `pincite ask` need not load them.
    from pincite.loaders.sniffing import MARKDOWN_SUFFIXES
    from pincite.loaders.text import markdown, plain

    is_markdown = PurePosixPath(name).suffix.lower() in MARKDOWN_SUFFIXES
    form = FORMATS["markdown" if is_markdown else "plain"]
    extracted = markdown.structure(text) if is_markdown else plain.structure(text)
    return _document(form, extracted, name, "", "")


def _document(
    form: Format, extracted: Extracted, name: str, sha256: str, modified: str
) -> Document:
    text_sha256 = _hash(extracted.text)
    return Document(
        source=Source(
            path=name,
            title=extracted.title or _title_of_name(name),
            media_type=form.media_type,
            sha256=sha256 or text_sha256,
            modified=modified,
        ),
        extraction=Extraction(form.name, form.version, text_sha256),
        text=extracted.text,
        blocks=extracted.blocks,
        language=detect(_prose(extracted.text, extracted.blocks)),
        marks=extracted.marks,
        notes=extracted.notes,
        needs=tuple(sorted(extracted.needs)),
    )


def _read(path: Path, name: str) -> tuple[bytes, str]:
    try:
        status = path.stat()
    except OSError as error:
        raise UnreadableDocument(name, reason=_reason(error)) from error
    # Before opening: opening a pipe waits for a writer, and reading a device may never end.
    if not stat.S_ISREG(status.st_mode):
        kind = next((kind for test, kind in _FILE_KINDS if test(status.st_mode)), "not a file")
        raise UnreadableDocument(name, reason=f"is {kind}; only regular files are read")
    if status.st_size > MAXIMUM_BYTES:
        raise UnreadableDocument(
            name,
            reason=f"holds {status.st_size // 1_000_000} MB; files of up to "
            f"{MAXIMUM_BYTES // 1_000_000} MB are read: split it",
        )
    try:
        for _ in range(_ATTEMPTS):
            with open(path, "rb", opener=_without_waiting) as file:
                before = os.fstat(file.fileno())
                if not stat.S_ISREG(before.st_mode):
                    continue
                data = file.read()
                after = os.fstat(file.fileno())
            if len(data) == after.st_size and _written(before) == _written(after):
                return data, _date(int(after.st_mtime))
    except OSError as error:
        raise UnreadableDocument(name, reason=_reason(error)) from error
    # As the system's doing, so that the next run tries again.
    raise UnreadableDocument(
        name, reason="was being written while it was read: it is read at the next run"
    ) from OSError(errno.EBUSY, os.strerror(errno.EBUSY))


def _without_waiting(path: str, flags: int) -> int:
    # A pipe may have taken its place since it was looked at.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _written(status: os.stat_result) -> tuple[int, int]:
    return status.st_mtime_ns, status.st_size


def _date(seconds: int) -> str:
    """ISO 8601, UTC; times before year 1 and after year 9999 become the first and the last."""
    within = max(_FIRST_SECOND, min(seconds, _LAST_SECOND))
    moment = datetime(1970, 1, 1) + timedelta(seconds=within)
    return f"{moment.isoformat()}Z"


def _reason(error: OSError) -> str:
    if isinstance(error, PermissionError):
        return "no permission to read it: change its permissions, or move it elsewhere"
    if isinstance(error, FileNotFoundError):
        return "does not exist (a link to nothing, or removed meanwhile)"
    return f"cannot be read: {error.strerror or error}"


def _hash(text: str) -> str:
    digest = hashlib.sha256()
    for start in range(0, len(text), _CHUNK):
        digest.update(text[start : start + _CHUNK].encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _prose(text: str, blocks: Sequence[Block]) -> str:
    """The first prose, enough to tell the language by; all text where there is no prose."""
    parts: list[str] = []
    length = 0
    for block in blocks:
        if block.kind in _PROSE:
            part = text[
                block.content.start : min(
                    block.content.end, block.content.start + _LANGUAGE_SAMPLE // 2
                )
            ]
            parts.append(part)
            length += len(part)
            if length >= _LANGUAGE_SAMPLE:
                break
    return "\n".join(parts) or text[:_LANGUAGE_SAMPLE]


def _title_of_name(name: str) -> str:
    stem = PurePosixPath(name).stem
    return " ".join(stem.replace("_", " ").replace("-", " ").split()) or stem
