"""Citations verified against the files of a folder, each file read once."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath

from pincite.errors import FolderNotFound, UnreadableDocument
from pincite.loaders import DEFAULT, LoadSettings, load
from pincite.records import Citation
from pincite.verifications import Status, Verification
from pincite.verifying.checking import unverified, verify


def verify_in(
    folder: Path, citations: Sequence[Citation], settings: LoadSettings = DEFAULT
) -> list[Verification]:
    """What has become of each citation, in their order; `FolderNotFound` without the folder.

    No file outside of `folder` is opened, whatever a citation or a link in the folder names.
    """
    if not folder.is_dir():
        raise FolderNotFound(folder)
    found: dict[int, Verification] = {}
    for path in dict.fromkeys(citation.document.path for citation in citations):
        of_path = [(n, one) for n, one in enumerate(citations) if one.document.path == path]
        status, reason, file = _file(folder, path)
        document = None
        if file is not None:
            try:
                document = load(file, name=path, settings=settings)
            except UnreadableDocument as error:
                status, reason = Status.UNREADABLE, error.reason
        for number, citation in of_path:
            found[number] = (
                unverified(citation, status, reason)
                if document is None
                else verify(citation, document)
            )
    return [found[number] for number in range(len(citations))]


def texts_in(
    folder: Path, citations: Sequence[Citation], settings: LoadSettings = DEFAULT
) -> dict[str, str]:
    """By path, the texts of the documents that still have the text that was cited."""
    texts: dict[str, str] = {}
    for citation in {one.document.path: one for one in citations}.values():
        path = citation.document.path
        _, _, file = _file(folder, path)
        if file is not None:
            with suppress(UnreadableDocument):
                document = load(file, name=path, settings=settings)
                if document.extraction.sha256 == citation.text.sha256:
                    texts[path] = document.text
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
