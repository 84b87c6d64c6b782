"""Messages: header fields, the body that a reader sees, and attachments, each in its place."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from pincite.loaders.extracted import DEFAULT, Extracted, UnreadableContent
from pincite.loaders.mail.mail import extract
from pincite.places import MessagePlace, place_of
from pincite.records import BlockKind


def read(data: bytes | EmailMessage) -> Extracted:
    return extract(bytes(data), "a.eml", DEFAULT)


def place(found: Extracted, words: str) -> MessagePlace:
    start = found.text.index(words)
    where = place_of(found.marks, start, start + len(words))
    assert isinstance(where, MessagePlace)
    return where


def letter(**fields: str) -> EmailMessage:
    message = EmailMessage()
    for name, value in fields.items():
        message[name.replace("_", "-")] = value
    return message


def test_header_fields_are_lines_as_they_were_written_and_the_subject_is_the_title() -> None:
    found = read(
        b"Received: from there\nFrom: Ann <ann@x.example>\nTo: b@x.example,\n\tc@x.example\n"
        b"Subject: =?utf-8?Q?Die_R=C3=BCckgabe?=\nDate: Mon, 6 Jun 2005 2:21:22 +0200\n"
        b"Message-ID: <1@x.example>\n\nHello.\n"
    )
    assert found.text == (
        "Die Rückgabe\n\nFrom: Ann <ann@x.example>\nTo: b@x.example,\tc@x.example\n"
        "Date: Mon, 6 Jun 2005 2:21:22 +0200\nSubject: Die Rückgabe\n\nHello.\n"
    )
    assert found.title == "Die Rückgabe"
    known = {"subject": "Die Rückgabe", "message_id": "<1@x.example>"}
    assert place(found, "Mon, 6 Jun") == MessagePlace(1, "header", "Date", **known)
    assert place(found, "Hello.") == MessagePlace(1, "body", **known)
    assert found.blocks[0].kind is BlockKind.HEADING
    assert {block.kind for block in found.blocks[1:5]} == {BlockKind.TABLE_ROW}


def test_of_a_plain_and_a_rich_body_the_plain_one_is_read() -> None:
    message = letter(Subject="Fees")
    message.set_content("Returns cost five euros.")
    message.add_alternative("<p>Returns cost <b>five</b> euros.</p>", subtype="html")
    assert read(message).text.count("five") == 1
    assert "<b>" not in read(message).text


def test_what_is_attached_to_the_body_not_read_is_read() -> None:
    message = letter(Subject="Fees")
    message.set_content("Plain words.")
    message.add_alternative("<p>Plain words.</p>", subtype="html")
    rich = message.get_payload()[1]
    assert isinstance(rich, EmailMessage)
    rich.add_attachment("Attached words.", filename="terms.txt")
    assert place(read(message), "Attached words.").name == "terms.txt"


def test_a_plain_body_that_only_stands_in_for_a_page_is_not_read() -> None:
    message = letter(Subject="News")
    message.set_content("Your program cannot show this message.")
    message.add_alternative(f"<html><p>{'Returns cost five euros. ' * 20}</p>", subtype="html")
    assert "five" in read(message).text
    assert "cannot show" not in read(message).text


def test_quoted_replies_are_quotations_and_the_signature_stays() -> None:
    message = letter(Subject="Re: Fees")
    message.set_content("I agree.\n\nOn Monday Ann wrote:\n> Five euros,\n> please.\n\n-- \nBob\n")
    found = read(message)
    quoted = [b.content.of(found.text) for b in found.blocks if b.kind is BlockKind.QUOTATION]
    assert quoted == ["Five euros,\n> please."]
    assert found.text.endswith("\nBob\n")


def test_lines_that_only_the_width_broke_are_joined_where_the_message_says_so() -> None:
    head = b"Content-Type: text/plain; format=flowed%s\n\n"
    text = b"The fee is \nfive euros.\n> And \n> it stays.\nBye.\n-- \nBob\n"
    assert "The fee is five euros.\n> And it stays.\nBye.\n-- \nBob" in read(head % b"" + text).text
    assert "The fee isfive euros." in read(head % b"; delsp=yes" + text).text


def test_an_attachment_is_read_as_the_file_it_is_at_its_place() -> None:
    message = letter(Subject="Two files")
    message.set_content("See there.")
    message.add_attachment("# Fees\n\nNine euros.\n", subtype="markdown", filename="prix é.md")
    message.add_attachment(b"\x89PNG\r\n\x1a\n", "image", "png", filename="a.png")
    message.add_attachment(b"\x7fELF\x00", "application", "octet-stream", filename="b.bin")
    found = read(message)
    nine = place(found, "Nine euros.")
    assert (nine.part, nine.name) == ("attachment", "prix é.md")
    path = next(b.heading_path for b in found.blocks if b.content.of(found.text) == "Nine euros.")
    assert path == ("Two files", "prix é.md", "Fees")
    assert found.notes == (
        "attachment b.bin: looks like a program, which Pincite does not read",
        "pictures are not read: a.png",
    )


def test_a_message_inside_a_message_has_its_place_inside_the_attachment() -> None:
    inner = letter(Subject="Old", From="c@x.example")
    inner.set_content("It was ten.")
    message = letter(Subject="Fwd")
    message.set_content("See below.")
    message.add_attachment(inner)
    where = place(read(message), "It was ten.")
    assert (where.part, where.name) == ("attachment", "Old")
    assert where.within == MessagePlace(1, "body", subject="Old")


def test_messages_too_deep_inside_each_other_are_noted() -> None:
    message = letter(Subject="0")
    message.set_content("Word 0.")
    for depth in range(1, 6):
        outer = letter(Subject=str(depth))
        outer.set_content(f"Word {depth}.")
        outer.add_attachment(message)
        message = outer
    found = read(message)
    assert "Word 3." in found.text
    assert "Word 1." not in found.text
    assert any("messages inside more than 3 others are not read" in note for note in found.notes)


def test_parts_that_lie_very_deep_in_each_other_end_in_a_reason() -> None:
    head = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(3_000)
    )
    with pytest.raises(UnreadableContent, match="too deep"):
        read(b"Subject: Deep\n" + head + b"\nText")


def test_a_digest_holds_its_messages() -> None:
    found = read(
        b"Subject: All\nContent-Type: multipart/digest; boundary=x\n\n"
        b"--x\n\nSubject: One\n\nFirst words.\n\n--x\n\nSubject: Two\n\nSecond words.\n--x--\n"
    )
    paths = {b.content.of(found.text): b.heading_path for b in found.blocks}
    assert paths["First words."] == ("All", "One")
    assert paths["Second words."] == ("All", "Two")


CHARSETS = [
    (b"utf-8", "Größe 5 €".encode()),
    (b"us-ascii", "Größe 5 €".encode()),
    (b"iso-8859-1", "Größe 5 €".encode("cp1252")),
    (b'"UTF-8"Content-Transfer-Encoding: 8bit', "Größe 5 €".encode()),
    (b"no-such-thing", "Größe 5 €".encode()),
    (b"zlib", "Größe 5 €".encode()),
    (b"ISO-2022-JP", "Größe 5 €".encode()),
    (b"utf-16", "Größe 5 €".encode("utf-16")),
]


@pytest.mark.parametrize(("charset", "data"), CHARSETS)
def test_a_body_is_read_whatever_its_encoding_is_called(charset: bytes, data: bytes) -> None:
    assert read(b"Content-Type: text/plain; charset=" + charset + b"\n\n" + data).text == (
        "Größe 5 €\n"
    )


def test_a_header_with_bytes_that_are_not_ascii_is_read() -> None:
    found = read(b"Subject: Gr\xc3\xb6\xc3\x9fe =?utf-8?B?4oKs?=\nFrom: =?utf-8?B?x?=\n\nx")
    assert found.title == "Größe €"


def test_a_message_in_utf16_is_read() -> None:
    found = read("Subject: Größe\nFrom: a@x.example\n\nFünf.\n".encode("utf-16"))
    assert (found.title, found.blocks[-1].content.of(found.text)) == ("Größe", "Fünf.")


def test_an_invitation_is_read_with_its_folded_lines_joined() -> None:
    message = letter(Subject="Invitation")
    message.set_content("Come.")
    calendar = "BEGIN:VEVENT\r\nSUMMARY:Meeting of the boa\r\n rd\r\nEND:VEVENT\r\n"
    message.add_alternative(calendar, subtype="calendar")
    found = read(message)
    assert place(found, "SUMMARY:Meeting of the board").part == "attachment"


def test_a_report_of_what_became_of_a_message_is_read() -> None:
    found = read(
        b"Content-Type: multipart/report; boundary=x\n\n--x\n\nIt came back.\n--x\n"
        b"Content-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\nStatus: 5.1.1\n--x--\n"
    )
    assert place(found, "Status: 5.1.1").name == "message/delivery-status"


def test_an_encrypted_message_says_so() -> None:
    found = read(
        b"Subject: Secret\nContent-Type: multipart/encrypted; boundary=x\n\n--x\n"
        b"Content-Type: application/pgp-encrypted\n\nVersion: 1\n--x--\n"
    )
    assert any("encrypted" in note for note in found.notes)


def test_a_message_of_very_many_parts_is_refused() -> None:
    data = b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\n" * 10_001
    with pytest.raises(UnreadableContent, match="more than 10,000 parts"):
        read(data)


def test_a_message_whose_reading_would_take_minutes_is_refused() -> None:
    head = b"".join(
        b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(150)
    )
    for data in (b"Subject: x\n" + b"a:\n" * 2_000_001, head + b"\n" * 1_000_000):
        with pytest.raises(UnreadableContent, match="very many lines and parts"):
            read(data)


@pytest.mark.parametrize(
    "data",
    [
        b"From someone Mon\nSubject: Hi\n\nText.\n",
        b"\n\nSubject: Hi\n\nText.\n",
        b"Subject: Hi\nContent-Type: multipart/mixed\n\nText.\n",
        b"Subject: Hi\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nText.\n",
        b"Subject: Hi\nContent-Transfer-Encoding: 7nonsense\n\nText.\n",
    ],
)
def test_a_broken_message_is_read_as_far_as_it_goes(data: bytes) -> None:
    found = read(data)
    assert found.title == "Hi"
    assert "Text." in found.text
