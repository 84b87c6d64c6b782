"""Books (EPUB): the chapters in the order in which they are read, each with its place in it."""

from __future__ import annotations

import io
import posixpath
import zipfile
from dataclasses import dataclass, replace
from urllib.parse import unquote, urlsplit

from pincite.loaders.archives.zip_archive import entry_path, opened, read_entry
from pincite.loaders.composer import Composer
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.loaders.web.epub_contents import contents_of_list, contents_of_page
from pincite.loaders.web.html import decode_page, page
from pincite.loaders.xml_events import Attributes, Elements, Events, read_events
from pincite.places import ChapterPlace, Place
from pincite.records import BlockKind, Need

MAXIMUM_PAGES = 64 * 1024 * 1024
"""Bytes of chapters that are read of one book."""

_PREFIXES = {
    "urn:oasis:names:tc:opendocument:xmlns:container": "c",
    "http://www.idpf.org/2007/opf": "opf",
    "http://openebook.org/namespaces/oeb-package/1.0/": "opf",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://www.w3.org/2001/04/xmlenc#": "enc",
}
# Keeps fonts from being copied; the words are in the clear.
_OF_FONTS = frozenset({"http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC"})
_CONTENTS_LIST = "application/x-dtbncx+xml"
_NO_PAGES = ("image/", "audio/", "video/", "font/", "text/css", "text/javascript", "application/")
_PAGES = frozenset({"application/xhtml+xml", "application/x-dtbook+xml", "application/xml"})
_PAGE_SUFFIXES = (".xhtml", ".html", ".htm")
_NAMED = 5


@dataclass(frozen=True, slots=True)
class _Item:
    """A file of the book as its package names it."""

    path: str
    media_type: str
    properties: tuple[str, ...] = ()

    @property
    def is_page(self) -> bool:
        return self.media_type in _PAGES or not self.media_type.startswith(_NO_PAGES)


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The words of all chapters; `UnreadableContent` for damaged and for protected books."""
    with opened(data) as archive:
        return _Book(archive, settings).extracted()


class _Package:
    """What the package file says: the files, their order, the title."""

    def __init__(self, folder: str) -> None:
        self.items: dict[str, _Item] = {}
        self.order: list[str] = []
        self.title = ""
        self._folder = folder
        self._words: list[str] | None = None

    def start(self, name: str, attributes: Attributes) -> None:
        kind = name.rpartition(":")[2]
        if kind == "item" and "href" in attributes:
            self.items[attributes.get("id", "")] = _Item(
                resolved(self._folder, attributes["href"]),
                attributes.get("media-type", ""),
                tuple(attributes.get("properties", "").split()),
            )
        elif kind == "itemref":
            self.order.append(attributes.get("idref", ""))
        self._words = [] if name == "dc:title" and not self.title else None

    def end(self, name: str) -> None:
        if self._words is not None:
            self.title = "".join(self._words)
        self._words = None

    def text(self, words: str) -> None:
        if self._words is not None:
            self._words.append(words)


class _Book:
    """A book being read."""

    def __init__(self, archive: zipfile.ZipFile, settings: LoadSettings) -> None:
        self._archive = archive
        self._settings, self._allowance = settings.inside()
        self._passwords = settings.passwords
        self._entries: dict[str, zipfile.ZipInfo] = {}
        for entry in archive.infolist():
            self._entries.setdefault(entry_path(entry).lstrip("/"), entry)
        self._by_small_name = {path.lower(): path for path in sorted(self._entries)}
        self._notes: list[str] = []
        self._unread: list[str] = []
        self._needs: set[Need] = set()
        self._left = MAXIMUM_PAGES

    def extracted(self) -> Extracted:
        package = self._package()
        protected = self._protected()
        titles = self._titles(package)
        pages = self._order(package)
        if pages and all(item.path in protected for item in pages):
            raise UnreadableContent(
                "is a book whose chapters are encrypted (DRM), which is not read: get a copy "
                "without protection from where it was bought"
            )
        composer = Composer()
        title = ""
        for number, item in enumerate(pages, start=1):
            title = titles.get(item.path, title)
            if item.path in protected:
                self._unread.append(f"{item.path} is encrypted")
                continue
            part = self._chapter(item)
            if part is not None:
                _add(composer, part, ChapterPlace(number, title or part.title, item.path))
        if self._unread:
            named = "; ".join(self._unread[:_NAMED])
            more = len(self._unread) - _NAMED
            self._notes.append(
                f"{len(self._unread)} of {len(pages)} chapters were not read: {named}"
                + (f"; and {more} more" if more > 0 else "")
            )
        found = composer.extracted(title=package.title, notes=self._notes, needs=self._needs)
        if not found.text and self._unread:
            raise UnreadableContent(
                f"is a book in which nothing can be read: {self._unread[0]}",
                need=min(self._needs, default=None),
            )
        return found

    def _chapter(self, item: _Item) -> Extracted | None:
        try:
            if not self._left or not self._allowance.files_left:
                raise UnreadableContent(
                    f"{item.path}: only {MAXIMUM_PAGES >> 20} MB of one book are read"
                )
            data = self._read(item.path, min(self._left, self._allowance.bytes_left))
            self._left -= min(self._left, len(data))
            part = page(decode_page(data), is_xml=item.media_type != "text/html")
        except UnreadableContent as error:
            self._unread.append(f"{item.path}: {error}")
            if error.need is not None:
                self._needs.add(error.need)
            return None
        self._notes += (f"{item.path}: {note}" for note in part.notes if "comments" not in note)
        return part

    def _read(self, path: str, allowed: int) -> bytes:
        found = self._found(path)
        if found is None:
            raise UnreadableContent("is missing in the book")
        data = read_entry(self._archive, self._entries[found], self._passwords, allowed)
        self._allowance.take(len(data))
        return data

    def _found(self, path: str) -> str | None:
        return path if path in self._entries else self._by_small_name.get(path.lower())

    def _package(self) -> _Package:
        found: list[str] = []

        def handle(name: str, attributes: Attributes) -> None:
            if name.endswith("rootfile") and "full-path" in attributes:
                found.append(attributes["full-path"])

        container = Elements(handle)
        self._events("META-INF/container.xml", container)
        found += sorted(path for path in self._entries if path.lower().endswith(".opf"))
        path = next((path for path in found if self._found(path)), None)
        if path is None:
            raise UnreadableContent(
                "is a book without a list of its chapters (no package file): get another copy"
            )
        package = _Package(posixpath.dirname(path))
        wrong = self._events(path, package)
        if wrong:
            self._notes.append(
                f"the list of chapters is damaged ({wrong}): some may be missing or out of order"
            )
        return package

    def _order(self, package: _Package) -> list[_Item]:
        """The pages in the order in which they are read."""
        named = [package.items[name] for name in package.order if name in package.items]
        named = named or list(package.items.values())
        if not named:
            paths = sorted(self._entries)
            named = [_Item(path, "") for path in paths if path.lower().endswith(_PAGE_SUFFIXES)]
        return [item for item in named if item.is_page]

    def _titles(self, package: _Package) -> dict[str, str]:
        """What the book's table of contents calls each of its files."""
        titles: dict[str, str] = {}
        for item in package.items.values():
            if item.media_type != _CONTENTS_LIST and "nav" not in item.properties:
                continue
            try:
                data = self._read(item.path, self._allowance.bytes_left)
                is_list = item.media_type == _CONTENTS_LIST
                entries = contents_of_list(data) if is_list else contents_of_page(decode_page(data))
            except UnreadableContent:
                continue  # Its chapters can be read all the same.
            folder = posixpath.dirname(item.path)
            for target, title in entries:
                titles.setdefault(resolved(folder, target), title)
        return titles

    def _protected(self) -> frozenset[str]:
        """The files that are encrypted."""
        found: set[str] = set()
        method = ""

        def handle(name: str, attributes: Attributes) -> None:
            nonlocal method
            if name == "enc:EncryptionMethod":
                method = attributes.get("Algorithm", "")
            elif name == "enc:CipherReference" and method not in _OF_FONTS:
                found.add(resolved("", attributes.get("URI", "")))

        encryption = Elements(handle)
        self._events("META-INF/encryption.xml", encryption)
        return frozenset(found)

    def _events(self, path: str, events: Events) -> str:
        """What is wrong with the XML file at `path`, of which `events` is told."""
        if self._found(path) is None:
            return ""
        data = self._read(path, self._allowance.bytes_left)
        return read_events(io.BytesIO(data), events, _PREFIXES)


def resolved(folder: str, reference: str) -> str:
    """The path in the book that a reference from a file in `folder` leads to."""
    try:
        path = urlsplit(reference).path
    except ValueError:
        path = reference.partition("#")[0]
    return posixpath.normpath(posixpath.join("/", folder, unquote(path))).lstrip("/")


def _add(composer: Composer, part: Extracted, place: ChapterPlace) -> None:
    def within(inner: Place | None) -> Place:
        return replace(place, within=inner)

    if not part.text.strip():
        return
    composer.close_headings(1)
    kinds = {block.kind for block in part.blocks}
    # Not for a table of contents, which is read as markup.
    if place.title and BlockKind.HEADING not in kinds and kinds != {BlockKind.MARKUP}:
        composer.heading([(place.title, place)], 1)
    composer.embed(part, within)
