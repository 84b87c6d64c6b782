"""Messages of Outlook: what its properties say, told as other messages are."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from contextlib import suppress

import compressed_rtf
import pytest

from pincite.loaders.extracted import DEFAULT, Extracted, UnreadableContent
from pincite.loaders.mail.outlook import extract
from pincite.places import MessagePlace, place_of
from tests.loaders.compound_file import Storage, compound_file

Streams = dict[str, "bytes | Storage"]


def properties(header: int, values: Mapping[int, bytes]) -> Streams:
    entries = (struct.pack("<II", tag, 6) + value.ljust(8, b"\0") for tag, value in values.items())
    return {"__properties_version1.0": bytes(header) + b"".join(entries)}


def message(
    values: Mapping[int, bytes] | None = None, *, header: int = 32, **texts: str
) -> Streams:
    """Streams named `p0037` and so on hold text; what is not given is not there."""
    streams = properties(header, values or {})
    for number, text in texts.items():
        streams[f"__substg1.0_{number[1:].upper()}001F"] = text.encode("utf-16-le")
    return streams


def attached(name: str, data: bytes) -> Streams:
    return {
        **properties(8, {}),
        "__substg1.0_3707001F": name.encode("utf-16-le"),
        "__substg1.0_37010102": data,
    }


def read(streams: Storage) -> Extracted:
    return extract(compound_file(streams), "a.msg", DEFAULT)


def place(found: Extracted, words: str) -> object:
    start = found.text.index(words)
    return place_of(found.marks, start, start + len(words))


def test_the_header_is_told_as_it_came_with_the_message() -> None:
    headers = "Received: x\r\nFrom: Ann <a@x>\r\nDate: Mon, 6 Jun 2005 22:21:22 +0200\r\n"
    found = read(message(p0037="Fees", p007d=headers, p1000="Five euros.\r\n", p0e04="Bob"))
    assert found.text == (
        "Fees\n\nFrom: Ann <a@x>\nTo: Bob\nDate: Mon, 6 Jun 2005 22:21:22 +0200\nSubject: Fees\n\n"
        "Five euros.\n"
    )
    assert found.title == "Fees"
    assert place(found, "Five") == MessagePlace(1, "body", subject="Fees")
    assert place(found, "Ann") == MessagePlace(1, "header", "From", subject="Fees")


def test_without_a_header_the_properties_say_who_wrote_to_whom_and_when() -> None:
    # 2024-03-28 17:07:02 in units of 100 nanoseconds since 1601.
    streams = message({0x00390040: struct.pack("<Q", 133_561_192_220_000_000)}, p0c1a="Ann")
    streams["__substg1.0_5D01001F"] = "a@x".encode("utf-16-le")
    for number, (kind, name) in enumerate([(1, "Bob"), (2, "Cy"), (1, "Di")]):
        streams[f"__recip_version1.0_#{number:08X}"] = {
            **properties(8, {0x0C150003: struct.pack("<I", kind)}),
            "__substg1.0_3001001F": name.encode("utf-16-le"),
            "__substg1.0_3003001F": f"{name}@x".encode("utf-16-le"),
        }
    assert read(streams).text == (
        "From: Ann <a@x>\nTo: Bob <Bob@x>; Di <Di@x>\nCc: Cy <Cy@x>\n"
        "Date: 2024-03-28 17:07:02 UTC\n"
    )


def test_text_in_a_code_page_is_read_in_it() -> None:
    streams = message({0x3FFD0003: struct.pack("<I", 1251)})
    streams["__substg1.0_1000001E"] = "Возврат бесплатный.".encode("cp1251")
    assert read(streams).text == "Возврат бесплатный.\n"


def test_the_body_is_html_or_rtf_where_there_is_no_plain_one() -> None:
    page = message({0x3FDE0003: struct.pack("<I", 65001)})
    page["__substg1.0_10130102"] = "<html><p>Fünf</p></html>".encode()
    assert "Fünf" in read(page).text
    rtf = message()
    rtf["__substg1.0_10090102"] = compressed_rtf.compress(b"{\\rtf1 Five euros.}")
    found = read(message(p0037="Fees") | rtf)
    assert "Five euros." in found.text or "the body: looks like a Rich Text" in found.notes[0]
    rtf["__substg1.0_10090102"] = b"damaged"
    assert "the body is damaged" in read(message(p0037="Fees") | rtf).notes[0]


def test_attachments_are_read_at_their_places() -> None:
    inner = message(header=24, p0037="Old", p1000="It was ten.")
    found = read(
        message(p0037="New")
        | {
            "__attach_version1.0_#00000001": attached("b.txt", b"Nine." * 1_000),
            "__attach_version1.0_#00000000": attached("a.png", b"\x89PNG\r\n\x1a\n"),
            "__attach_version1.0_#00000002": {**properties(8, {}), "__substg1.0_3701000D": inner},
            "__attach_version1.0_#00000003": attached("c.txt", b""),
        }
    )
    assert place(found, "Nine.") == MessagePlace(1, "attachment", "b.txt", subject="New")
    assert place(found, "It was ten.") == MessagePlace(
        1, "attachment", "Old", subject="New", within=MessagePlace(1, "body", subject="Old")
    )
    assert found.notes == (
        "attachment c.txt: its data is not in the file", "pictures are not read: a.png",
    )  # fmt: skip


def test_messages_too_deep_inside_each_other_are_noted() -> None:
    streams = message(header=24, p1000="Word 0.")
    for depth in range(1, 7):
        part = {**properties(8, {}), "__substg1.0_3701000D": streams}
        header = 32 if depth == 6 else 24
        streams = message(header=header, p1000=f"Word {depth}.")
        streams["__attach_version1.0_#00000000"] = part
    found = read(streams)
    assert "Word 3." in found.text
    assert "Word 1." not in found.text
    assert any("messages inside more than 3 others are not read" in note for note in found.notes)


def test_a_damaged_file_is_refused() -> None:
    data = compound_file(message(p0037="Fees", p1000="Five euros. " * 1_000))
    with pytest.raises(UnreadableContent, match="damaged or cut off"):
        extract(data[:600], "a.msg", DEFAULT)
    # Whatever is cut off, it ends in words or in a reason.
    for length in range(512, len(data), 512):
        with suppress(UnreadableContent):
            extract(data[:length], "a.msg", DEFAULT)
