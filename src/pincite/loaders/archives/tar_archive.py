"""TAR archives, packed or not."""

from __future__ import annotations

import io
import tarfile
from dataclasses import replace
from functools import partial

from pincite.loaders.archives.archive import (
    MAXIMUM_MEMBERS,
    Member,
    compose,
    is_system_file,
    too_large,
    unpacked_limit,
)
from pincite.loaders.archives.compressed import CUT_OFF, unpack
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.loaders.sniffing import unpacker

_NAMED = 5


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """What the files in the archive hold, in the order of their names.

    Links and devices are not followed, and noted. Of an archive that is cut off, what is there
    is read. Raises `UnreadableContent` where nothing can be read.
    """
    notes: list[str] = []
    is_packed = unpacker(data) is not None
    if is_packed:
        settings, data = _unpacked(data, settings, notes)
    try:
        archive = tarfile.open(fileobj=io.BytesIO(data), mode="r:")  # noqa: SIM115
    except tarfile.TarError as error:
        raise UnreadableContent(
            f"is a TAR archive that is damaged ({error}): get it again"
        ) from error
    with archive:
        members = _members(archive, len(data), notes)
        return compose(members, settings, notes=notes, are_counted=is_packed)


def _unpacked(data: bytes, settings: LoadSettings, notes: list[str]) -> tuple[LoadSettings, bytes]:
    """The archive unpacked, as far as it may be, and settings in which that is counted."""
    _, allowance = settings.inside()
    limit = unpacked_limit(len(data), allowance.bytes_left)
    unpacked, is_whole = unpack(data, limit + 1)
    if len(unpacked) > limit:
        if limit < allowance.bytes_left:
            raise too_large(limit, allowance.bytes_left)
        notes.append(f"only its first {limit >> 20} MB are read: unpack it")
    elif not is_whole:
        notes.append(CUT_OFF)
    allowance.take(len(unpacked))
    return replace(settings, allowance=allowance), unpacked


def _members(archive: tarfile.TarFile, size: int, notes: list[str]) -> list[Member]:
    members: list[Member] = []
    others: list[str] = []
    reached = -1
    try:
        while (entry := archive.next()) is not None:
            # A size below zero leads back to where it stands.
            if archive.offset <= reached or entry.size < 0:
                notes.append(CUT_OFF)
                break
            reached = archive.offset
            if len(members) + len(others) >= MAXIMUM_MEMBERS:
                notes.append(f"only its first {MAXIMUM_MEMBERS:,} files are read: unpack it")
                break
            path = entry.name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            if entry.isfile() and not is_system_file(path):
                members.append(Member(path, partial(_read, archive, entry, size)))
            elif not entry.isfile() and not entry.isdir():
                others.append(path)
    except (tarfile.TarError, ValueError, OSError, EOFError):
        notes.append(CUT_OFF)
    if others:
        named = ", ".join(sorted(others)[:_NAMED])
        more = f" and {len(others) - _NAMED} more" if len(others) > _NAMED else ""
        notes.append(f"links and devices inside are not followed: {named}{more}")
    return members


def _read(archive: tarfile.TarFile, entry: tarfile.TarInfo, stored: int, allowed: int) -> bytes:
    # A sparse file says it is larger than what is stored of it.
    limit = unpacked_limit(min(entry.size, stored), allowed)
    if entry.size > limit:
        raise too_large(limit, allowed)
    try:
        file = archive.extractfile(entry)
        data = file.read() if file is not None else b""
    except (tarfile.TarError, OSError, ValueError, EOFError) as error:
        raise UnreadableContent(f"is damaged or cut off ({error})") from error
    return data
