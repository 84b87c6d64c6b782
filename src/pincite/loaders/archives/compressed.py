"""One file packed by itself (gzip, bzip2, xz), read as the file it is."""

from __future__ import annotations

import lzma
import zlib
from pathlib import PurePosixPath

from pincite.loaders import formats
from pincite.loaders.archives.archive import too_large, unpacked_limit
from pincite.loaders.composer import Composer
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.loaders.sniffing import unpacker
from pincite.places import MemberPlace, Place

CUT_OFF = "is damaged or cut off, and was read as far as it goes: get it again"

_FED = 65_536
_GIVEN = 1 << 20
_SUFFIXES = frozenset({".gz", ".bz2", ".xz", ".z"})


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """What the packed file holds. Raises `UnreadableContent` for those that cannot be read."""
    inner, allowance = settings.inside()
    limit = unpacked_limit(len(data), allowance.bytes_left)
    unpacked, is_whole = unpack(data, limit + 1)
    if len(unpacked) > limit:
        raise too_large(limit, allowance.bytes_left)
    allowance.take(len(unpacked))
    if not unpacked and not is_whole:
        raise UnreadableContent("is a packed file that is damaged or cut off: get it again")
    own = PurePosixPath(name)
    path = own.stem if own.suffix.lower() in _SUFFIXES else own.name
    _, part = formats.extract(unpacked, path, inner)

    def within(place: Place | None) -> Place:
        return MemberPlace(path, place)

    composer = Composer()
    composer.embed(part, within)
    notes = part.notes if is_whole else (*part.notes, CUT_OFF)
    return composer.extracted(title=part.title, notes=notes)


def unpack(data: bytes, limit: int) -> tuple[bytes, bool]:
    """What `data` unpacks to, cut at `limit` bytes, and whether its end was reached and is sound.

    Several packed files in a row are one file, as the programs that pack them have it.
    """
    parts: list[bytes] = []
    total = at = 0
    while total < limit:
        # What may follow the last one (zeros, a signature) is not part of the file.
        made = unpacker(data[at : at + 16])
        if made is None:
            return b"".join(parts), True
        waiting = b""
        try:
            while not made.eof and total < limit:
                if not waiting and getattr(made, "needs_input", True):
                    waiting = data[at : at + _FED]
                    at += len(waiting)
                    if not waiting:
                        return b"".join(parts), False
                part = made.decompress(waiting, min(_GIVEN, limit - total))
                # Only zlib hands back what it has not looked at yet.
                waiting = getattr(made, "unconsumed_tail", b"")
                parts.append(part)
                total += len(part)
        except (zlib.error, lzma.LZMAError, OSError, EOFError, ValueError):
            return b"".join(parts), False
        at -= len(made.unused_data)
    return b"".join(parts), False
