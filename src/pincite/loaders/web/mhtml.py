"""Web pages saved with all they show (MHTML): the page and the pages in its frames."""

from __future__ import annotations

from collections.abc import Callable
from email.message import Message
from urllib.parse import urljoin

from pincite.loaders.charsets import decoded_header
from pincite.loaders.composer import Composer
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.loaders.mail.mail import parsed
from pincite.loaders.web.html import MAXIMUM_BYTES, decode_page, read_page
from pincite.places import ElementPlace, MemberPlace, Place

MAXIMUM_FRAMES = 100
_PAGES = frozenset({"text/html", "application/xhtml+xml"})


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The words of the page, then those of the frames it shows, in their order.

    Places are in the source of the page, as decoded from the message; those of a frame are inside
    the member of its address. Raises `UnreadableContent` where no page is inside.
    """
    message = parsed(data)
    parts = [part for part in message.walk() if part.get_content_type() in _PAGES]
    root = _root(message, parts)
    if root is None:
        raise UnreadableContent("is a saved web page without a page in it: save it again")
    by_name: dict[str, Message] = {}
    for part in parts:
        for given in _names(part):
            by_name.setdefault(given, part)
    composer = Composer()
    notes: list[str] = []
    title = ""
    waiting = [root]
    seen = {id(root)}
    left = MAXIMUM_BYTES
    while waiting:
        part = waiting.pop(0)
        payload = part.get_payload(decode=True)
        source = payload if isinstance(payload, bytes) else b""
        left -= len(source)
        if left < 0:
            notes.append(f"only {MAXIMUM_BYTES >> 20} MB of pages are read of one file")
            break
        try:
            text = decode_page(source, part.get_content_charset() or "")
        except UnreadableContent as error:
            notes.append(f"{_address(part)}: {error}")
            continue
        made, frames = read_page(text, is_xml=part.get_content_type() != "text/html")
        notes += made.notes
        if part is root:
            title = made.title or decoded_header(message.get("Subject", ""))
            composer.embed(made, _as_it_is)
        elif made.text.strip():
            address = _address(part)
            composer.close_headings(1)
            composer.embed(made, _inside(address))
        for frame in frames:
            inner = by_name.get(_absolute(_address(part), frame))
            if inner is not None and id(inner) not in seen and len(seen) < MAXIMUM_FRAMES:
                seen.add(id(inner))
                waiting.append(inner)
    return composer.extracted(title=title, notes=notes)


def _root(message: Message, parts: list[Message]) -> Message | None:
    start = message.get_param("start")
    if isinstance(start, str):
        for part in parts:
            if part.get("Content-ID", "").strip() == start.strip():
                return part
    return parts[0] if parts else None


def _names(part: Message) -> list[str]:
    """What a frame may call a part by."""
    identifier = str(part.get("Content-ID", "")).strip().strip("<>")
    location = str(part.get("Content-Location", "")).strip()
    return [*([f"cid:{identifier}"] if identifier else []), *([location] if location else [])]


def _address(part: Message) -> str:
    names = _names(part)
    return names[-1] if names else ""


def _absolute(base: str, reference: str) -> str:
    if reference.lower().startswith("cid:"):
        return f"cid:{reference[4:]}"
    try:
        return urljoin(base, reference)
    except ValueError:
        return reference


def _as_it_is(place: Place | None) -> Place:
    return ElementPlace("/html") if place is None else place


def _inside(address: str) -> Callable[[Place | None], Place]:
    return lambda place: MemberPlace(address, place)
