"""Messages (EML): header fields, body and attachments, each part marked as what it is.

The header is read as it was written, so that a date or an address can be found again in the file:
only encoded words are decoded and folded lines joined.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from email.policy import Compat32

from pincite.loaders.charsets import decoded_header, decoded_part
from pincite.loaders.decoding import NotTextError, decode
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.loaders.mail.flowed import joined_lines
from pincite.loaders.mail.letter import SHOWN_FIELDS, Letter

MAXIMUM_PARTS = 10_000
_MAXIMUM_LINES = 2_000_000
_MAXIMUM_EFFORT = 100_000_000
"""Lines times boundaries: the parser compares each line with each boundary that is open."""
_MAXIMUM_NESTING = 50
_WIDE_MARKS = (b"\xff\xfe", b"\xfe\xff")
# A plain body this short beside a longer page only says that the message is a page.
_STAND_IN_LENGTH = 300
_STAND_IN_RATIO = 4
_PAGES = frozenset({"text/html", "application/xhtml+xml"})
_SIGNATURES = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature"}
)
_SEALED = frozenset(
    {"application/pgp-encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"}
)
_FOLD = re.compile(r"\r?\n(?=[ \t])")
_FOLDED_BYTES = re.compile(rb"\r?\n[ \t]")
_BOUNDARY = re.compile(rb"boundary[ \t]*=", re.I)
_LINE_END = re.compile(r"\r\n?")
_PREFACE = re.compile(rb"(?:>?From [^\r\n]*\r?\n|[ \t]*\r?\n)*")


class _AsWritten(Compat32):
    """Header fields as they stand, 8-bit bytes as surrogates."""

    def header_fetch_parse(self, name: str, value: str) -> str:
        return value


_POLICY = _AsWritten()


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The header fields a reader is shown, the body, and what the attachments hold.

    Raises `UnreadableContent` where there is no message, and for those of over 10,000 parts.
    """
    found = message_text(parsed(as_bytes_of_ascii(data)), 1, settings)
    if not found.text:
        raise UnreadableContent("holds no message that can be read: neither header nor body")
    return found


def as_bytes_of_ascii(data: bytes) -> bytes:
    """`data`, in UTF-8 if it is in UTF-16: a message has one byte for each sign of its syntax."""
    if not data.startswith(_WIDE_MARKS) and b"\x00" not in data[:2]:
        return data
    try:
        return decode(data).text.encode("utf-8", "replace")
    except NotTextError as error:
        raise UnreadableContent(f"{error}, not a message") from error


def parsed(data: bytes) -> Message:
    """The message in `data`. Raises `UnreadableContent` for those no program for mail made."""
    # Lines in front that a mailbox or a copy left there end the header before it begins.
    preface = _PREFACE.match(data)
    data = data[preface.end() :] if preface else data
    if data.count(b"\n--") > MAXIMUM_PARTS:
        raise UnreadableContent(
            f"is a message of more than {MAXIMUM_PARTS:,} parts, which is not read"
        )
    lines = data.count(b"\n")
    if lines > _MAXIMUM_LINES or lines * len(_BOUNDARY.findall(data)) > _MAXIMUM_EFFORT:
        raise UnreadableContent("is a message of very many lines and parts, which is not read")
    try:
        return message_from_bytes(data, policy=_POLICY)
    except RecursionError:
        # The parser calls itself for every part inside a part.
        raise UnreadableContent("is a message whose parts lie too deep in each other") from None


def message_text(message: Message, number: int, settings: LoadSettings) -> Extracted:
    """The text of a message that is the `number`-th of its mailbox."""
    subject = next(_fields(message, "Subject"), "")
    letter = Letter(number, subject, next(_fields(message, "Message-ID"), ""), settings)
    letter.add_header((name, value) for name in SHOWN_FIELDS for value in _fields(message, name))
    _add_part(letter, message, 0, reads_bodies=True)
    return letter.extracted()


def shown_fields(header: str) -> Iterator[tuple[str, str]]:
    """The fields of a header alone that a reader is shown, in that order."""
    message = message_from_bytes(header.encode("utf-8", "surrogateescape"), policy=_POLICY)
    for name in (*SHOWN_FIELDS, "Message-ID"):
        for value in _fields(message, name):
            yield name, value


def _fields(message: Message, name: str) -> Iterator[str]:
    for value in message.get_all(name, ()):
        yield decoded_header(_FOLD.sub("", str(value))).strip()


def _add_part(letter: Letter, part: Message, depth: int, *, reads_bodies: bool) -> None:
    kind = part.get_content_type()
    if depth > _MAXIMUM_NESTING:
        letter.note("parts that lie very deep in each other are not read")
    elif not part.is_multipart():
        _add_leaf(letter, part, kind, reads_bodies=reads_bodies)
    elif kind == "message/delivery-status":
        # What became of a message that could not be delivered: groups of fields.
        items = (item for fields in _parts(part) for item in fields.items())
        lines = (f"{name}: {decoded_header(_FOLD.sub('', str(value)))}" for name, value in items)
        letter.add_lines(kind, lines)
    elif kind.startswith("message/"):
        for inner in _parts(part):
            if not letter.is_too_deep():
                found = message_text(inner, 1, letter.settings)
                letter.attach(_file_name(part) or found.title or "message", found)
    else:
        parts = _parts(part)
        chosen: Message | None = None
        if kind == "multipart/encrypted":
            letter.note("the message is encrypted: save it decrypted to have it read")
        if kind == "multipart/alternative" and reads_bodies:
            chosen = _chosen(letter, parts)
        for inner in parts:
            # Of a body that is there several times the others may have files attached, too.
            reads = inner is chosen if kind == "multipart/alternative" else reads_bodies
            _add_part(letter, inner, depth + 1, reads_bodies=reads)


def _chosen(letter: Letter, parts: list[Message]) -> Message | None:
    """Of the forms of one body the plain one, unless that only stands in for a page."""
    plain = next((part for part in parts if _is_body(part, "text/plain")), None)
    # The richest comes last.
    rich = next(
        (part for part in reversed(parts) if part is not plain and _may_be_rich(part)), None
    )
    if plain is None or rich is None:
        return plain if rich is None else rich
    words = len("".join(_text(plain).split()))
    if words > _STAND_IN_LENGTH:
        return plain
    page = next((part for part in rich.walk() if _is_body(part, "text/html")), None)
    if page is None:
        return plain if words else rich
    shown = len("".join(_page(letter, page).text.split()))
    return rich if shown > words * _STAND_IN_RATIO else plain


def _may_be_rich(part: Message) -> bool:
    return part.get_content_maintype() == "multipart" or any(
        _is_body(part, kind) for kind in _PAGES
    )


def _add_leaf(letter: Letter, part: Message, kind: str, *, reads_bodies: bool) -> None:
    is_words = kind == "text/plain" or part.get_content_maintype() == "multipart"
    if kind in _SIGNATURES:
        return
    if kind in _SEALED:
        letter.note("the message is encrypted or sealed: save it opened to have it read")
    elif _is_attached(part) or not (is_words or kind in _PAGES):
        data = _payload(part)
        if kind == "text/calendar":
            data = _FOLDED_BYTES.sub(b"", data)
        if kind.startswith("text/"):
            text = decoded_part(data, part.get_content_charset())
            data = text.encode("utf-8", "replace")
        letter.add_attachment(data, _file_name(part), kind)
    elif reads_bodies and kind in _PAGES:
        letter.add_body(_page(letter, part))
    elif reads_bodies:
        letter.add_words(_text(part))


def _page(letter: Letter, part: Message) -> Extracted:
    text = decoded_part(_payload(part), part.get_content_charset())
    # The mark says what encoding it is in now, whatever the page says itself.
    return letter.read_body(b"\xef\xbb\xbf" + text.encode("utf-8", "replace"), "body.html")


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
