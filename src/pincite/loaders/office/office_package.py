"""The zipped package of an office file (DOCX, PPTX, ODT, ODP): its parts, read within bounds."""

from __future__ import annotations

import io
import posixpath
import zipfile
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO
from urllib.parse import unquote

from pincite.loaders.extracted import UnreadableContent
from pincite.loaders.xml_events import Attributes, Elements, Events, read_events

MAXIMUM_UNPACKED = 256 * 1024 * 1024
"""Bytes of all parts that are read, together."""
_MOST_PARTS = 100_000
_SUSPICIOUS_BYTES = 32 * 1024 * 1024
_SUSPICIOUS_RATIO = 200
"""Text packs 5 to 50 times; deflate's limit is about 1,000."""

_DAMAGED = (zipfile.BadZipFile, zlib.error, EOFError, OSError, RuntimeError, NotImplementedError)
_RELATIONSHIPS = {"http://schemas.openxmlformats.org/package/2006/relationships": "rel"}
_PROPERTIES = {"http://purl.org/dc/elements/1.1/": "dc"}


@dataclass(frozen=True, slots=True)
class Relationship:
    """What a part refers to by an id."""

    kind: str
    """The last step of its type: `footnotes`, `image`, `slide`."""
    target: str
    """The name of a part; the address where it is outside the file."""
    is_external: bool


class Package:
    """Opens `data` and reads its parts; `what` names the kind of file in messages (`.docx`).

    Names of parts are compared without case, as the programs do. Raises `UnreadableContent`
    where the archive cannot be opened, and where it would unpack to too much.
    """

    def __init__(self, data: bytes, what: str) -> None:
        self._what = what
        self._left = MAXIMUM_UNPACKED
        # Before the directory is read: each entry takes a kilobyte then.
        if data.count(b"PK\x01\x02") > _MOST_PARTS:
            raise self._damaged(f"it claims to hold more than {_MOST_PARTS:,} parts")
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
            members = self._archive.infolist()
        except (*_DAMAGED, ValueError) as error:
            raise self._damaged("its archive cannot be opened") from error
        self._members = {
            member.filename.replace("\\", "/").lstrip("/").lower(): member for member in members
        }

    @property
    def names(self) -> list[str]:
        """The names of all parts in lower case, sorted."""
        return sorted(self._members)

    def __contains__(self, name: str) -> bool:
        return name.lower() in self._members

    def size(self, name: str) -> int:
        """Bytes of a part, unpacked, as the archive says; 0 where it has no such part."""
        member = self._members.get(name.lower())
        return member.file_size if member is not None else 0

    def read_part(self, name: str, events: Events, prefixes: Mapping[str, str]) -> str:
        """Tell `events` what the XML part holds; what is wrong with it, `""` where all was read."""
        try:
            with self._open(name) as stream:
                return read_events(stream, events, prefixes)
        except KeyError:
            return "it is missing"
        except _DAMAGED as error:
            return f"it is damaged ({error})"

    def relationships(self, name: str) -> dict[str, Relationship]:
        """What the part called `name` refers to, by id; `""` stands for the package itself."""
        folder, _, base = name.rpartition("/")
        found: dict[str, Relationship] = {}

        def handle(element: str, attributes: Attributes) -> None:
            if element != "rel:Relationship":
                return
            target = attributes.get("Target", "")
            is_external = attributes.get("TargetMode") == "External"
            if not is_external:
                target = posixpath.normpath(posixpath.join("/", folder, unquote(target)))[1:]
            kind = attributes.get("Type", "").rpartition("/")[2]
            found[attributes.get("Id", "")] = Relationship(kind, target, is_external)

        part = posixpath.join(folder, "_rels", f"{base}.rels")
        if part in self:
            self.read_part(part, Elements(handle), _RELATIONSHIPS)
        return found

    def title(self) -> str:
        """As the properties of the file give it; `""` where they do not."""
        found = _Title()
        if "docProps/core.xml" in self:
            self.read_part("docProps/core.xml", found, _PROPERTIES)
        return " ".join("".join(found.words).split())

    def damaged(self, why: str) -> UnreadableContent:
        """What to raise where the file cannot be read because of `why`."""
        return self._damaged(why)

    def _damaged(self, why: str) -> UnreadableContent:
        return UnreadableContent(
            f"is a damaged {self._what} file ({why}): open it in an office program and save it"
            " again, or get another copy"
        )

    def _open(self, name: str) -> IO[bytes]:
        member = self._members[name.lower()]
        if member.flag_bits & 1:
            raise UnreadableContent(
                f"is a {self._what} file inside an archive with a password, which is not read:"
                " unpack it and save it without"
            )
        # zipfile never gives more than the size it is told here, whatever the data would unpack to.
        size = member.file_size
        ratio = size / max(1, member.compress_size)
        if size > self._left or (size > _SUSPICIOUS_BYTES and ratio > _SUSPICIOUS_RATIO):
            raise UnreadableContent(
                f"would unpack to more than a document needs ({name}: {size // 1_000_000} MB from"
                f" {member.compress_size // 1000} kB): it is not read"
            )
        self._left -= size
        return self._archive.open(member)


class _Title:
    def __init__(self) -> None:
        self.words: list[str] = []
        self._inside = False

    def start(self, name: str, attributes: Attributes) -> None:
        self._inside = name == "dc:title"

    def end(self, name: str) -> None:
        self._inside = False

    def text(self, words: str) -> None:
        if self._inside:
            self.words.append(words)
