"""Citations verified against the files of a folder, each file read once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pincite.errors import FolderNotFound, UnreadableDocument
from pincite.loaders import DEFAULT, LoadSettings, load
from pincite.records import Citation, Document
from pincite.verifications import Status, Verification
from pincite.verifying.checking import unverified, verify_each


def verify_in(
    folder: Path,
    citations: Sequence[Citation],
    settings: LoadSettings = DEFAULT,
    versions: Sequence[str] = (),
) -> list[Verification]:
    """What has become of each citation, in their order; `FolderNotFound` without the folder.

    No file outside of `folder` is opened, whatever a citation or a link in the folder names.
    `versions` are those of the Pincite that wrote each citation, where they are known.
    """
    versions = versions or [""] * len(citations)
    if not folder.is_dir():
        raise FolderNotFound(folder)
    found: dict[int, Verification] = {}
    by_path: dict[str, list[int]] = {}
    for number, citation in enumerate(citations):
        by_path.setdefault(citation.document.path, []).append(number)
    for path, numbers in by_path.items():
        read = read_in(folder, path, settings)
        cited = [citations[number] for number in numbers]
        told = rechecked(cited, read, [versions[number] for number in numbers])
        found.update(zip(numbers, told, strict=True))
    return [found[number] for number in range(len(citations))]


def holds_none(folder: Path, citations: Sequence[Citation]) -> bool:
    """Whether not one of the files that are cited is in `folder`: it may be another one."""
    paths = {one.document.path for one in citations}
    return bool(paths) and all(_file(folder, path)[0] is Status.GONE for path in paths)


@dataclass(frozen=True, slots=True)
class NotRead:
    """Why a document that is cited could not be looked at."""

    status: Status
    reason: str


def read_in(folder: Path, path: str, settings: LoadSettings = DEFAULT) -> Document | NotRead:
    """The document at `path` in `folder` as it is now; nothing outside of `folder` is opened."""
    status, reason, file = _file(folder, path)
    if file is None:
        return NotRead(status, reason)
    try:
        return load(file, name=path, settings=settings)
    except UnreadableDocument as error:
        return NotRead(Status.UNREADABLE, error.reason)


def rechecked(
    citations: Sequence[Citation], read: Document | NotRead, versions: Sequence[str]
) -> list[Verification]:
    """What has become of citations of a document that was read, or could not be."""
    if isinstance(read, NotRead):
        return [unverified(one, read.status, read.reason) for one in citations]
    return verify_each(citations, read, versions)


def texts_in(
    folder: Path, citations: Sequence[Citation], settings: LoadSettings = DEFAULT
) -> dict[str, str]:
    """By path, the texts of the documents that still have the text that was cited."""
    texts: dict[str, str] = {}
    for citation in {one.document.path: one for one in citations}.values():
        path = citation.document.path
        read = read_in(folder, path, settings)
        if isinstance(read, Document) and read.extraction.sha256 == citation.text.sha256:
            texts[path] = read.text
    return texts


def _file(folder: Path, path: str) -> tuple[Status, str, Path | None]:
    """The file at `path` in `folder`; without one, what is to be said of its citations."""
    inside = PurePosixPath(path)
    if not path or "\0" in path or inside.is_absolute() or ".." in inside.parts:
        return Status.NOT_CHECKABLE, "the path leads out of the folder: it is not looked at", None
    place = folder / inside
    try:
        real = place.resolve(strict=True)
    except (FileNotFoundError, NotADirectoryError):
        if os.path.islink(place):
            return Status.GONE, "the link leads nowhere", None
        missing = f"there is no such file in {folder}: --root names the folder that was asked"
        return Status.GONE, missing, None
    except (OSError, RuntimeError, ValueError) as error:
        return Status.UNREADABLE, f"cannot be found: {error}", None
    if not real.is_relative_to(folder.resolve()):
        return Status.NOT_CHECKABLE, "the link leads out of the folder: it is not followed", None
    return Status.VALID, "", place
