"""Mailboxes: message by message, none running into another."""

from __future__ import annotations

from pincite.loaders.extracted import DEFAULT, Extracted
from pincite.loaders.mail.mailbox_file import extract
from pincite.places import MessagePlace, place_of

ONE = b"From a@x.example Mon Jun  6 22:21:22 2005\nSubject: One\nMessage-ID: <1@x>\n\nFirst.\n\n"
TWO = b"From b@x.example Tue Jun  7 22:21:22 2005\nSubject: Two\n\nSecond.\n"


def read(data: bytes) -> Extracted:
    return extract(data, "a.mbox", DEFAULT)


def place(found: Extracted, words: str) -> object:
    start = found.text.index(words)
    return place_of(found.marks, start, start + len(words))


def test_messages_are_counted_and_none_runs_into_another() -> None:
    found = read(ONE + TWO)
    assert found.text == "One\n\nSubject: One\n\nFirst.\n\nTwo\n\nSubject: Two\n\nSecond.\n"
    assert place(found, "First.") == MessagePlace(1, "body", subject="One", message_id="<1@x>")
    assert place(found, "Second.") == MessagePlace(2, "body", subject="Two")
    assert place(found, "First.\n\nTwo") is None
    paths = {block.content.of(found.text): block.heading_path for block in found.blocks}
    assert (paths["First."], paths["Second."]) == (("One",), ("Two",))


def test_lines_that_begin_like_a_message_are_words_again() -> None:
    found = read(ONE.replace(b"First.", b"First.\n\n>From here on\n>>From there") + TWO)
    assert "First.\n\nFrom here on\n>From there" in found.text
    # Nothing that looks like a header follows.
    found = read(ONE.replace(b"First.", b"First.\n\nFrom here on\nit goes.") + TWO)
    assert place(found, "From here on\nit goes.") == place(found, "First.")


def test_line_ends_of_windows_and_empty_lines_in_front_are_no_matter() -> None:
    found = read(b"\n" + (ONE + TWO).replace(b"\n", b"\r\n"))
    assert place(found, "Second.") == MessagePlace(2, "body", subject="Two")


def test_a_message_that_cannot_be_read_is_noted() -> None:
    many = b"From a@x.example\nContent-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\n" * 10_001
    found = read(ONE + many + b"\n" + TWO)
    assert place(found, "Second.") == MessagePlace(3, "body", subject="Two")
    assert found.notes == ("message 2: is a message of more than 10,000 parts, which is not read",)


def test_a_mailbox_without_messages_is_empty() -> None:
    assert read(b"") == Extracted("", ())
