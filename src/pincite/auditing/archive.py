"""The documents as they were asked, kept by their hashes, so that a question can be asked again.

`documents` holds each file once, whatever it was called; `generations` says which were where.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from pincite.auditing.private import make_private
from pincite.errors import ArchiveIncomplete
from pincite.records import Source

DOCUMENTS, GENERATIONS = "documents", "generations"


def is_kept(directory: Path, fingerprint: str) -> bool:
    """Whether the documents of an index are kept under its fingerprint."""
    return _manifest(directory, fingerprint).exists()


def keep(directory: Path, fingerprint: str, folder: Path, sources: Sequence[Source]) -> None:
    """Keep the documents of an index as they are now, under its fingerprint.

    A file that is not the one that was indexed any more is left out, and so cannot be asked again.
    """
    manifest = _manifest(directory, fingerprint)
    for part in (directory, directory / DOCUMENTS, directory / GENERATIONS):
        make_private(part)
    for source in sources:
        kept = directory / DOCUMENTS / source.sha256
        if not kept.exists():
            _copy(folder / source.path, kept, source.sha256)
    listed = [[source.path, source.sha256, source.modified] for source in sources]
    with _new(manifest) as new:
        new.write_text(json.dumps(listed), "ascii")
        os.replace(new, manifest)


def restore(directory: Path, fingerprint: str, folder: Path) -> None:
    """Put the documents of a generation into `folder`, an empty one, under the names they had.

    `ArchiveIncomplete` where any of them is not kept, or is not what it was.
    """
    manifest = _manifest(directory, fingerprint)
    if not manifest.exists():
        raise ArchiveIncomplete(directory, missing=(f"generation {fingerprint}",))
    missing = []
    for path, sha256, modified in _listed(directory, manifest):
        kept, place = directory / DOCUMENTS / sha256, folder / path
        if not place.resolve().is_relative_to(folder.resolve()):
            raise ArchiveIncomplete(directory, missing=(path,))
        place.parent.mkdir(parents=True, exist_ok=True)
        if not _copy(kept, place, sha256):
            missing.append(path)
            continue
        seconds = datetime.fromisoformat(modified).timestamp()
        os.utime(place, (seconds, seconds))
    if missing:
        raise ArchiveIncomplete(directory, missing=tuple(missing))


def sweep(directory: Path, used: Collection[str], *, without: str | None = None) -> None:
    """Remove what no generation in `used` needs for good, and every file that was at `without`."""
    needed: set[str] = set()
    for manifest in sorted((directory / GENERATIONS).glob("*.json")):
        if manifest.stem not in used:
            manifest.unlink()
            continue
        listed = _listed(directory, manifest)
        needed.update(sha256 for path, sha256, _ in listed if path != without)
    for document in sorted((directory / DOCUMENTS).glob("*")):
        if document.name not in needed:
            document.unlink()


def _manifest(directory: Path, fingerprint: str) -> Path:
    return directory / GENERATIONS / f"{fingerprint}.json"


def _listed(directory: Path, manifest: Path) -> list[tuple[str, str, str]]:
    try:
        match json.loads(manifest.read_bytes()):
            case [*listed] if all(map(_is_listed, listed)):
                return [(path, sha256, modified) for path, sha256, modified in listed]
    except (ValueError, RecursionError):
        pass
    raise ArchiveIncomplete(directory, missing=(f"a list of generation {manifest.stem}",))


def _is_listed(one: object) -> bool:
    match one:
        case [str(), str(), str(modified)]:
            datetime.fromisoformat(modified)
            return True
    return False


def _copy(source: Path, target: Path, sha256: str) -> bool:
    """Copy a file if it has this hash; whether it had."""
    with _new(target) as new:
        try:
            shutil.copyfile(source, new)
        except OSError:
            return False
        with new.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != sha256:
            return False
        os.replace(new, target)
        return True


@contextmanager
def _new(target: Path) -> Iterator[Path]:
    """A file beside `target`, to take its place: no other writer has it, nor may others read it."""
    descriptor, name = tempfile.mkstemp(dir=target.parent, suffix=".new")
    os.close(descriptor)
    try:
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)
