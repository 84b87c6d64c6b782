"""Messages saved by Outlook (MSG): a compound file with a stream for each property (MS-OXMSG)."""

from __future__ import annotations

import io
import re
import struct
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from pincite.loaders.charsets import decoded_part
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.loaders.mail.letter import SHOWN_FIELDS, Letter
from pincite.loaders.mail.mail import shown_fields

if TYPE_CHECKING:
    from olefile import OleFileIO

# Numbers of properties (MS-OXPROPS).
_SUBJECT, _HEADERS, _MESSAGE_ID = 0x0037, 0x007D, 0x1035
_SENT, _RECEIVED = 0x0039, 0x0E06
_SENDER_NAME, _SENDER_ADDRESS, _SENDER_SMTP = 0x0C1A, 0x0C1F, 0x5D01
_SHOWN_TO, _SHOWN_CC = 0x0E04, 0x0E03
_BODY, _HTML, _RTF = 0x1000, 0x1013, 0x1009
_NAME, _ADDRESS, _SMTP, _RECIPIENT_TYPE = 0x3001, 0x3003, 0x39FE, 0x0C15
_DATA, _SHORT_FILE_NAME, _FILE_NAME, _MEDIA_TYPE = 0x3701, 0x3704, 0x3707, 0x370E
_CODE_PAGE, _INTERNET_CODE_PAGE = 0x3FFD, 0x3FDE

_TEXT, _OLD_TEXT, _BINARY, _OBJECT = 0x001F, 0x001E, 0x0102, 0x000D
_RECIPIENT_FIELDS = {1: "To", 2: "Cc", 3: "Bcc"}
_ROOT_HEADER, _INNER_HEADER, _PART_HEADER = 32, 24, 8
_EPOCH = datetime(1601, 1, 1)
_MAXIMUM_RTF = 8 * 1024 * 1024
"""Unpacking it in Python takes some seconds for that."""
_LINE_END = re.compile(r"\r\n?")


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The header fields, the body (plain, else HTML, else RTF), and what the attachments hold.

    Dates that the file keeps as numbers only are written as `2024-03-28 17:07:02 UTC`. Raises
    `UnreadableContent` for damaged files.
    """
    # Few folders hold such files, and asking an index that is up to date reads none.
    import olefile

    try:
        file = olefile.OleFileIO(io.BytesIO(data))
    except Exception as error:
        # A parser's boundary: it raises what it likes over damaged files.
        raise UnreadableContent(
            f"is an Outlook message that is damaged or cut off ({error}): save it again"
        ) from error
    with file:
        return _message_text(_Storage(file, (), _ROOT_HEADER), settings)


class _Storage:
    """A message, recipient or attachment: its properties."""

    def __init__(self, file: OleFileIO, path: tuple[str, ...], header_length: int) -> None:
        self._file = file
        self._path = path
        data = self._stream("__properties_version1.0") or b""
        entries = data[header_length : header_length + (len(data) - header_length) // 16 * 16]
        self._values = {tag >> 16: value for tag, value in struct.iter_unpack("<I4x8s", entries)}

    def text(self, number: int) -> str:
        """Empty where the property is not there."""
        data = self._stream(_stream_name(number, _TEXT))
        if data is not None:
            return data.decode("utf-16-le", "replace").rstrip("\0")
        data = self._stream(_stream_name(number, _OLD_TEXT)) or b""
        return decoded_part(data, self.code_page).rstrip("\0")

    def binary(self, number: int) -> bytes:
        """Empty where the property is not there."""
        return self._stream(_stream_name(number, _BINARY)) or b""

    def number(self, number: int) -> int:
        """0 where the property is not there."""
        value: int = struct.unpack("<I4x", self._values.get(number, bytes(8)))[0]
        return value

    def date(self, number: int) -> str:
        """Empty where the property is not there, or no date."""
        ticks = struct.unpack("<Q", self._values.get(number, bytes(8)))[0]
        if not ticks:
            return ""
        try:
            moment = _EPOCH + timedelta(microseconds=ticks // 10)
        except OverflowError:
            return ""
        return f"{moment.isoformat(' ', 'seconds')} UTC"

    @property
    def code_page(self) -> str | None:
        """The encoding of text that is not Unicode."""
        page = self.number(_INTERNET_CODE_PAGE) or self.number(_CODE_PAGE)
        if not page:
            return None
        return "utf-8" if page == 65001 else _ISO.get(page, f"cp{page}")

    def parts(self, prefix: str) -> Iterator[_Storage]:
        """The storages whose names begin with `prefix`, in the order of their numbers."""
        depth = len(self._path) + 1
        names = {
            path[depth - 1]
            for path in map(tuple, self._file.listdir(streams=True, storages=True))
            if len(path) >= depth and path[: depth - 1] == self._path
        }
        for name in sorted(name for name in names if name.startswith(prefix)):
            yield _Storage(self._file, (*self._path, name), _PART_HEADER)

    def inner_message(self) -> _Storage | None:
        """Of an attachment that is a message itself."""
        path = (*self._path, _stream_name(_DATA, _OBJECT))
        if not self._file.exists([*path, "__properties_version1.0"]):
            return None
        return _Storage(self._file, path, _INNER_HEADER)

    def _stream(self, name: str) -> bytes | None:
        path = [*self._path, name]
        try:
            if not self._file.exists(path):
                return None
            with self._file.openstream(path) as stream:
                data: bytes = stream.read()
        except (OSError, ValueError, IndexError):
            return None
        return data


_ISO = {
    20127: "us-ascii",
    20866: "koi8-r",
    21866: "koi8-u",
    28591: "iso-8859-1",
    28592: "iso-8859-2",
    28595: "iso-8859-5",
    28597: "iso-8859-7",
    28599: "iso-8859-9",
    28605: "iso-8859-15",
    50220: "iso-2022-jp",
    50221: "iso-2022-jp",
    51932: "euc-jp",
    51949: "euc-kr",
    54936: "gb18030",
}


def _stream_name(number: int, kind: int) -> str:
    return f"__substg1.0_{number:04X}{kind:04X}"


def _message_text(message: _Storage, settings: LoadSettings) -> Extracted:
    fields = _fields(message)
    subject = next((value for name, value in fields if name == "Subject"), "")
    message_id = next((value for name, value in fields if name == "Message-ID"), "")
    letter = Letter(1, subject, message_id, settings)
    letter.add_header((name, value) for name, value in fields if name != "Message-ID")
    _add_body(letter, message)
    for part in message.parts("__attach_version1.0_#"):
        name = " ".join(
            (part.text(_FILE_NAME) or part.text(_SHORT_FILE_NAME) or part.text(_NAME)).split()
        )
        inner = part.inner_message()
        if inner is not None:
            if not letter.is_too_deep():
                found = _message_text(inner, letter.settings)
                letter.attach(found.title or name or "message", found)
            continue
        data = part.binary(_DATA)
        media_type = part.text(_MEDIA_TYPE) or _media_type(name)
        if data:
            letter.add_attachment(data, name, media_type)
        else:
            letter.note(f"attachment {name or media_type}: its data is not in the file")
    return letter.extracted()


def _media_type(name: str) -> str:
    is_picture = name.lower().endswith((".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".emf"))
    return "image/unknown" if is_picture else "application/octet-stream"


def _fields(message: _Storage) -> list[tuple[str, str]]:
    """The header as it came with the message; what is missing there, from the properties."""
    fields = list(shown_fields(message.text(_HEADERS)))
    known = {name for name, _ in fields}
    more = [("Subject", message.text(_SUBJECT)), ("Message-ID", message.text(_MESSAGE_ID))]
    address = message.text(_SENDER_SMTP) or message.text(_SENDER_ADDRESS)
    more.append(("From", _person(message.text(_SENDER_NAME), address)))
    more.append(("Date", message.date(_SENT) or message.date(_RECEIVED)))
    people: dict[str, list[str]] = {"To": [], "Cc": [], "Bcc": []}
    for part in message.parts("__recip_version1.0_#"):
        field = _RECIPIENT_FIELDS.get(part.number(_RECIPIENT_TYPE) & 0xF)
        if field is not None:
            address = part.text(_SMTP) or part.text(_ADDRESS)
            people[field].append(_person(part.text(_NAME), address))
    more.append(("To", "; ".join(people["To"]) or message.text(_SHOWN_TO)))
    more.append(("Cc", "; ".join(people["Cc"]) or message.text(_SHOWN_CC)))
    more.append(("Bcc", "; ".join(people["Bcc"])))
    fields += ((name, " ".join(value.split())) for name, value in more if name not in known)
    order = (*SHOWN_FIELDS, "Message-ID")
    return sorted((field for field in fields if field[1]), key=lambda field: order.index(field[0]))


def _person(name: str, address: str) -> str:
    # Inside one organisation the address is a path of its directory, which no reader is shown.
    if "@" not in address or address == name:
        return name or address
    return f"{name} <{address}>" if name else f"<{address}>"


def _add_body(letter: Letter, message: _Storage) -> None:
    words = _LINE_END.sub("\n", message.text(_BODY))
    if words.strip():
        letter.add_words(words)
        return
    page = message.text(_HTML)
    if not page:
        page = decoded_part(message.binary(_HTML), message.code_page)
    if page.strip():
        data = b"\xef\xbb\xbf" + page.encode("utf-8", "replace")
        letter.add_body(letter.read_body(data, "body.html"))
        return
    packed = message.binary(_RTF)
    if packed:
        letter.add_body(letter.read_body(_unpacked_rtf(letter, packed), "body.rtf"))


def _unpacked_rtf(letter: Letter, packed: bytes) -> bytes:
    if len(packed) > _MAXIMUM_RTF:
        letter.note("the body is not read, it is very long: save it as another kind of file")
        return b""
    # Only messages without any other body need it.
    import compressed_rtf

    try:
        data: bytes = compressed_rtf.decompress(packed)
    except Exception as error:
        # A parser's boundary: it raises nothing more special.
        letter.note(f"the body is damaged ({error})")
        return b""
    return data.rstrip(b"\0")
