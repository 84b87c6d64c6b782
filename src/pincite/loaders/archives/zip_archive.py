"""ZIP archives."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from contextlib import suppress
from functools import partial

from pincite.loaders.archives.archive import (
    MAXIMUM_MEMBERS,
    Member,
    compose,
    is_system_file,
    too_large,
    unpacked_limit,
)
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.records import Need

MAXIMUM_ENCRYPTED_BYTES = 16 * 1024 * 1024
"""Decryption in Python manages a few MB a second."""

_DIRECTORY_ENTRY = b"PK\x01\x02"
_IS_ENCRYPTED = 0x1
_IS_UTF8 = 0x800
_AES = 99
_METHODS = frozenset(
    {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA}
)
_CHUNK = 1 << 20
_SHORT_CHUNK = 4096
"""For methods whose decoder gives all that its input holds, up to 20,000 times as much."""
_DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError, ValueError,
    NotImplementedError,
)  # fmt: skip


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """What the files in the archive hold, in the order of their names.

    Raises `UnreadableContent` for damaged archives and those in which nothing can be read.
    """
    notes: list[str] = []
    with opened(data) as archive:
        members = [
            Member(path, partial(read_entry, archive, entry, settings.passwords))
            for entry in archive.infolist()
            if not (path := entry_path(entry)).endswith("/") and not is_system_file(path)
        ]
        return compose(members, settings, notes=notes)


def opened(data: bytes) -> zipfile.ZipFile:
    """The archive, within bounds; raises `UnreadableContent` where it is damaged."""
    # Before the directory is read: each entry takes a kilobyte then.
    if data.count(_DIRECTORY_ENTRY) > MAXIMUM_MEMBERS:
        raise UnreadableContent(
            f"is a ZIP archive of more than {MAXIMUM_MEMBERS:,} files: unpack it"
        )
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except _DAMAGE as error:
        raise UnreadableContent(
            f"is a ZIP archive that is damaged or cut off ({error}): get it again"
        ) from error


def entry_path(entry: zipfile.ZipInfo) -> str:
    """The name as it was written; many programs write UTF-8 without saying so."""
    name = entry.orig_filename
    if not entry.flag_bits & _IS_UTF8:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return name


def read_entry(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, passwords: tuple[str, ...], allowed: int
) -> bytes:
    """The bytes of a member, of which `allowed` may be unpacked at most.

    Raises `UnreadableContent` for members that hold more, are damaged, or cannot be decrypted.
    """
    if entry.compress_type == _AES:
        raise UnreadableContent("is encrypted with AES, which is not read: unpack it")
    if entry.compress_type not in _METHODS:
        raise UnreadableContent(
            f"is packed by a method that is not read ({entry.compress_type}): unpack it"
        )
    limit = unpacked_limit(entry.compress_size, allowed)
    if entry.file_size > limit:
        raise too_large(limit, allowed)
    if not entry.flag_bits & _IS_ENCRYPTED:
        return _unpacked(archive, entry, None, limit, allowed)
    if entry.compress_size > MAXIMUM_ENCRYPTED_BYTES:
        raise UnreadableContent("is encrypted and large: unpack it")
    for password in passwords:
        try:
            return _unpacked(archive, entry, password.encode(), limit, allowed)
        except (RuntimeError, UnreadableContent):
            continue  # Another password, then.
    raise UnreadableContent(
        "is encrypted, and none of the passwords given opens it"
        if passwords
        else "is encrypted: give its password",
        need=Need.PASSWORD,
    )


def _unpacked(
    archive: zipfile.ZipFile,
    entry: zipfile.ZipInfo,
    password: bytes | None,
    limit: int,
    allowed: int,
) -> bytes:
    """All of a member. What its directory says of its size may be wrong, so it is counted."""
    is_simple = entry.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
    size = _CHUNK if is_simple else _SHORT_CHUNK
    parts: list[bytes] = []
    total = 0
    try:
        with archive.open(entry, pwd=password) as file:
            while chunk := file.read(size):
                total += len(chunk)
                if total > limit:
                    raise too_large(limit, allowed)
                parts.append(chunk)
    except _DAMAGE as error:
        raise UnreadableContent(f"is damaged ({error})") from error
    return b"".join(parts)
