"""The files inside an archive, each read as the file it is, under its name.

Nothing is ever written to a disk: a name, whatever it holds, is only a name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from pincite.loaders import formats
from pincite.loaders.composer import Composer
from pincite.loaders.extracted import (
    MAXIMUM_UNPACKED_BYTES,
    MAXIMUM_UNPACKED_FILES,
    Extracted,
    LoadSettings,
    UnreadableContent,
)
from pincite.places import MemberPlace, Place
from pincite.records import Need

MAXIMUM_RATIO = 200
"""A file packed to less than one part in this many is not data that a person keeps."""
MAXIMUM_MEMBERS = 100_000
_SMALL = 16 * 1024 * 1024
"""Up to this size a file may be packed as tightly as it likes: an empty table is."""
_REASONS = 5
_SYSTEM_NAMES = frozenset({"__macosx", "thumbs.db", "desktop.ini"})


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive. `read` gives its bytes and raises `UnreadableContent`.

    It is given how many bytes may be unpacked and raises if the member holds more.
    """

    path: str
    read: Callable[[int], bytes]


def is_system_file(path: str) -> bool:
    """Whether a file is of the system that packed it, or hidden, and of no use to a reader."""
    steps = path.replace("\\", "/").split("/")
    return any(
        step.lower() in _SYSTEM_NAMES or (step.startswith(".") and step.strip("."))
        for step in steps
    )


def unpacked_limit(packed_size: int, allowed: int) -> int:
    """Bytes that `packed_size` bytes may become, where `allowed` are left."""
    return min(allowed, max(_SMALL, packed_size * MAXIMUM_RATIO))


def too_large(limit: int, allowed: int) -> UnreadableContent:
    """Says which bound a file goes over that unpacks to more than `limit` bytes."""
    if limit < allowed:
        return UnreadableContent(
            f"unpacks to more than {MAXIMUM_RATIO} times its size, as bombs do: it is not read"
        )
    return UnreadableContent(
        f"too much to unpack: {MAXIMUM_UNPACKED_BYTES >> 20} MB are read of one archive; unpack it"
    )


def compose(
    members: Iterable[Member],
    settings: LoadSettings,
    *,
    notes: list[str],
    are_counted: bool = False,
) -> Extracted:
    """The text of all members in the order of their names, each below a heading with its path.

    Of members with the same path the last is read, which is what unpacking them leaves. What
    could not be read is added to `notes`. `are_counted` says that their bytes are counted as
    unpacked already. Raises `UnreadableContent` when nothing could be read.
    """
    inner, allowance = settings.inside()
    composer = Composer()
    reasons: list[str] = []
    needs: set[Need] = set()
    seen = read = 0

    def failed(member: Member, error: UnreadableContent) -> None:
        reasons.append(f"{member.path}: {error}")
        if error.need is not None:
            needs.add(error.need)

    last = {member.path: member for member in members}
    for _, member in sorted(last.items()):
        seen += 1
        room = MAXIMUM_UNPACKED_BYTES if are_counted else allowance.bytes_left
        if not allowance.files_left or not room:
            left = len(last) - seen + 1
            notes.append(
                f"the last {left:,} of {len(last):,} files inside, from {member.path} on, were not "
                f"read: only {MAXIMUM_UNPACKED_FILES:,} files and "
                f"{MAXIMUM_UNPACKED_BYTES >> 20} MB are read of one archive; unpack it"
            )
            break
        try:
            data = member.read(room)
        except UnreadableContent as error:
            allowance.take(0)
            failed(member, error)
            continue
        allowance.take(0 if are_counted else len(data))
        try:
            _, part = formats.extract(data, member.path, inner)
        except UnreadableContent as error:
            failed(member, error)
            continue
        notes += (f"{member.path}: {note}" for note in part.notes)
        needs.update(part.needs)
        read += 1
        if part.text.strip():
            _add(composer, member.path, part)
    if reasons and not read:
        raise UnreadableContent(
            f"is an archive in which nothing can be read: {_summary(reasons)}",
            need=min(needs, default=None),
        )
    if not seen:
        raise UnreadableContent("is an archive without files")
    if reasons:
        notes.append(f"{len(reasons)} files inside were not read: {_summary(reasons)}")
    return composer.extracted(notes=notes, needs=needs)


def _add(composer: Composer, path: str, part: Extracted) -> None:
    def within(place: Place | None) -> Place:
        return MemberPlace(path, place)

    composer.heading([(path, MemberPlace(path))], 1)
    composer.embed(part, within)


def _summary(reasons: list[str]) -> str:
    more = len(reasons) - _REASONS
    return "; ".join(reasons[:_REASONS]) + (f"; and {more} more" if more > 0 else "")
