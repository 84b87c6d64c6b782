"""Messages (EML): header fields, body and attachments, each part marked as what it is.

The header is read as it was written, so that a date or an address can be found again in the file:
only encoded words are decoded and folded lines joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from email import message_from_bytes
from email.message import Message
from email.policy import Compat32

from pincite.loaders import formats
from pincite.loaders.charsets import decoded_header, decoded_part
from pincite.loaders.composer import Composer, Piece
from pincite.loaders.decoding import NotTextError, decode
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.loaders.flowed import joined_lines
from pincite.loaders.plain import find_blocks
from pincite.places import MessagePlace, Place
from pincite.records import BlockKind, Need

SHOWN_FIELDS = ("From", "To", "Cc", "Bcc", "Reply-To", "Date", "Subject")
"""Of the header, in the order in which they are shown."""

MAXIMUM_PARTS = 10_000
_MAXIMUM_NESTING = 50
_NAMED_PICTURES = 5
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
# A plain body this short beside a longer page only says that the message is a page.
_STAND_IN_LENGTH = 300
_STAND_IN_RATIO = 4
_SIGNATURES = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"}
)
_ENCRYPTED = frozenset(
    {"application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"}
)
_SUFFIXES = {
    "text/html": ".html",
    "text/csv": ".csv",
    "text/markdown": ".md",
    "text/calendar": ".ics",
    "application/xhtml+xml": ".html",
    "application/json": ".json",
    "application/xml": ".xml",
    "text/xml": ".xml",
}
_FOLD = re.compile(r"\r?\n(?=[ \t])")
_LINE_END = re.compile(r"\r\n?")
_PREFACE_END = re.compile(rb"\A(?:>?From [^\r\n]*\r?\n|[ \t]*\r?\n)+")


class _AsWritten(Compat32):
    """Header fields as they stand, 8-bit bytes as surrogates."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        return value


_POLICY = _AsWritten()


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The header fields a reader is shown, the body, and what the attachments hold.

    Raises `UnreadableContent` where there is no message, and for those of over 10,000 parts.
    """
    found = message_text(parsed(data), 1, settings)
    if not found.text:
        raise UnreadableContent("holds no message that can be read: neither header nor body")
    return found


def parsed(data: bytes) -> Message:
    """The message in `data`. Raises `UnreadableContent` for those no reader of mail made."""
    if data.startswith(_WIDE_MARKS) or b"\x00" in data[:2]:
        try:
            data = decode(data).text.encode("utf-8", "replace")
        except NotTextError as error:
            raise UnreadableContent(f"{error}, not a message") from error
    # Lines in front that a mailbox or a copy left there end the header before it begins.
    data = data[_preface(data) :]
    if data.count(b"\n--") > MAXIMUM_PARTS:
        raise UnreadableContent(
            f"is a message of more than {MAXIMUM_PARTS:,} parts, which is not read"
        )
    try:
        return message_from_bytes(data, policy=_POLICY)
    except RecursionError:
        # The parser calls itself for every part inside a part.
        raise UnreadableContent("is a message whose parts lie too deep in each other") from None


def message_text(message: Message, number: int, settings: LoadSettings) -> Extracted:
    """The text of a message that is the `number`-th of its mailbox."""
    return _Reading(message, number, settings).extracted()


def _preface(data: bytes) -> int:
    found = _PREFACE_END.match(data)
    return found.end() if found else 0


class _Reading:
    """One message being read into a composer."""

    def __init__(self, message: Message, number: int, settings: LoadSettings) -> None:
        self._message = message
        self._settings, _ = settings.inside()
        self._composer = Composer()
        self._notes: list[str] = []
        self._needs: set[Need] = set()
        self._pictures: list[str] = []
        self._subject = self._field("Subject")
        self._place = MessagePlace(
            number, "body", subject=self._subject, message_id=self._field("Message-ID")
        )

    def extracted(self) -> Extracted:
        self._header()
        self._part(self._message, 0, reads_bodies=True)
        if self._pictures:
            named = ", ".join(self._pictures[:_NAMED_PICTURES])
            more = len(self._pictures) - _NAMED_PICTURES
            self._notes.append(
                f"pictures are not read: {named}" + (f" and {more} more" if more > 0 else "")
            )
        return self._composer.extracted(title=self._subject, notes=self._notes, needs=self._needs)

    def _field(self, name: str) -> str:
        return next(self._fields(name), "")

    def _fields(self, name: str) -> Iterator[str]:
        for value in self._message.get_all(name, ()):
            yield decoded_header(_FOLD.sub("", str(value))).strip()

    def _header(self) -> None:
        title = replace(self._place, part="header", name="Subject")
        self._composer.heading([(self._subject, title)], 1)
        group = self._composer.new_group()
        for name in SHOWN_FIELDS:
            place = replace(self._place, part="header", name=name)
            for value in self._fields(name):
                pieces: list[Piece] = [(f"{name}: ", None), (value, place)]
                if value:
                    self._composer.add(BlockKind.TABLE_ROW, pieces, group=group)

    def _part(self, part: Message, depth: int, *, reads_bodies: bool) -> None:
        kind = part.get_content_type()
        if depth > _MAXIMUM_NESTING:
            self._notes.append("parts that lie very deep in each other are not read")
        elif not part.is_multipart():
            self._leaf(part, kind, reads_bodies=reads_bodies)
        elif kind == "message/delivery-status":
            self._status(part)
        elif kind.startswith("message/"):
            self._attached_message(part)
        elif kind == "multipart/alternative":
            self._alternatives(_parts(part), depth, reads_bodies=reads_bodies)
        else:
            if kind == "multipart/encrypted":
                self._notes.append("the message is encrypted: save it decrypted to have it read")
            for inner in _parts(part):
                self._part(inner, depth + 1, reads_bodies=reads_bodies)

    def _alternatives(self, parts: list[Message], depth: int, *, reads_bodies: bool) -> None:
        """The same body several times: one of them, and what is attached to the others."""
        chosen = self._chosen(parts) if reads_bodies else None
        for part in parts:
            self._part(part, depth + 1, reads_bodies=part is chosen)

    def _chosen(self, parts: list[Message]) -> Message | None:
        plain = next((part for part in parts if _is_body(part, "text/plain")), None)
        # The richest comes last.
        rich = next(
            (
                part
                for part in reversed(parts)
                if _is_body(part, "text/html") or part.get_content_maintype() == "multipart"
            ),
            None,
        )
        if plain is None or rich is None:
            return plain if rich is None else rich
        words = len("".join(_text(plain).split()))
        if words and (words > _STAND_IN_LENGTH or _is_body(rich, "text/plain")):
            return plain
        page = next((part for part in rich.walk() if _is_body(part, "text/html")), None)
        if page is None:
            return plain if words else rich
        shown = len("".join(self._page(page).text.split()))
        return rich if shown > words * _STAND_IN_RATIO else plain

    def _leaf(self, part: Message, kind: str, *, reads_bodies: bool) -> None:
        is_page = kind in ("text/html", "application/xhtml+xml")
        is_words = kind == "text/plain" or part.get_content_maintype() == "multipart"
        if kind in _SIGNATURES:
            return
        if kind in _ENCRYPTED:
            self._notes.append("the message is encrypted or sealed: save it opened to have it read")
        elif _is_attached(part) or not (is_page or is_words):
            self._attachment(part, kind)
        elif not reads_bodies:
            return
        elif is_page:
            self._body(self._page(part))
        else:
            text = _text(part)
            blocks = find_blocks(text, may_have_title=False)
            self._body(Extracted(text, tuple(blocks)))

    def _body(self, part: Extracted) -> None:
        # Where in the page it stands helps no one: a mail program does not show that.
        self._notes += part.notes
        self._composer.embed(replace(part, marks=()), lambda _: self._place)

    def _page(self, part: Message) -> Extracted:
        text = decoded_part(_payload(part), part.get_content_charset())
        data = b"\xef\xbb\xbf" + text.encode("utf-8", "replace")
        try:
            return formats.extract(data, "body.html", self._settings)[1]
        except UnreadableContent as error:
            self._notes.append(f"the body: {error}")
            if error.need is not None:
                self._needs.add(error.need)
            return Extracted("", ())

    def _attachment(self, part: Message, kind: str) -> None:
        name = _file_name(part)
        data = _payload(part)
        if kind == "text/calendar":
            data = re.sub(rb"\r?\n[ \t]", b"", data)
        if kind.startswith("text/"):
            text = decoded_part(data, part.get_content_charset())
            data = text.encode("utf-8", "replace")
        try:
            found = formats.extract(data, name or f"part{_SUFFIXES.get(kind, '')}", self._settings)
        except UnreadableContent as error:
            if kind.startswith("image/"):
                self._pictures.append(name or kind)
            else:
                self._notes.append(f"attachment {name or kind}: {error}")
            if error.need is not None:
                self._needs.add(error.need)
            return
        self._attach(name or kind, found[1])

    def _attached_message(self, part: Message) -> None:
        for inner in _parts(part):
            if self._settings.depth > formats.MAXIMUM_DEPTH:
                self._notes.append(
                    f"a message inside more than {formats.MAXIMUM_DEPTH} others is not read"
                )
                return
            found = message_text(inner, 1, self._settings)
            self._attach(_file_name(part) or found.title or "message", found)

    def _attach(self, name: str, found: Extracted) -> None:
        place = replace(self._place, part="attachment", name=name)
        self._notes += (f"attachment {name}: {note}" for note in found.notes)
        if not found.text.strip():
            return
        self._composer.close_headings(2)
        if name != found.title:
            self._composer.heading([(name, place)], 2)

        def within(inner: Place | None) -> Place:
            return replace(place, within=inner)

        self._composer.embed(found, within)

    def _status(self, part: Message) -> None:
        """What became of a message that could not be delivered: groups of fields."""
        place = replace(self._place, part="attachment", name="message/delivery-status")
        group = self._composer.new_group()
        for fields in _parts(part):
            for name, value in fields.items():
                line = f"{name}: {decoded_header(_FOLD.sub('', str(value)))}"
                self._composer.add(BlockKind.TABLE_ROW, [(line, place)], group=group)


def _parts(part: Message) -> list[Message]:
    payload = part.get_payload()
    return [inner for inner in payload if isinstance(inner, Message)] if payload else []


def _payload(part: Message) -> bytes:
    """The bytes of a part that holds no others; as they are where their encoding is broken."""
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _is_attached(part: Message) -> bool:
    return part.get_content_disposition() == "attachment" or bool(_file_name(part))


def _is_body(part: Message, kind: str) -> bool:
    return part.get_content_type() == kind and not part.is_multipart() and not _is_attached(part)


def _file_name(part: Message) -> str:
    """Of an attachment, as it is written; empty where it has none."""
    name = part.get_filename()
    return " ".join(decoded_header(_FOLD.sub("", name)).split()) if name else ""


def _text(part: Message) -> str:
    text = decoded_part(_payload(part), part.get_content_charset())
    text = _LINE_END.sub("\n", text)
    if str(part.get_param("format", "")).lower() == "flowed":
        return joined_lines(text, deletes_space=str(part.get_param("delsp", "")).lower() == "yes")
    return text
