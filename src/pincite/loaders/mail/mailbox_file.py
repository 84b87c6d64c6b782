"""Mailboxes (MBOX): the messages in one file, one after the other, each with its number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from pincite.loaders.composer import Composer
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.loaders.mail.mail import as_bytes_of_ascii, message_text, parsed
from pincite.places import MessagePlace, Place

_NOTES = 20
# A line of a body that begins so has a `>` in front of it, but not every program writes that:
# what follows must look like a header.
_START = re.compile(rb"(?:\A\s*|\r?\n\r?\n)(?=From [^\r\n]*\r?\n(?:>From |[!-9;-~]+:))")
_ESCAPED = re.compile(rb"^>(?=>*From )", re.M)


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """What all messages say, in the order of the file.

    A message that cannot be read is noted. Raises `UnreadableContent` where none can.
    """
    _, allowance = settings.inside()
    shared = replace(settings, allowance=allowance)
    composer = Composer()
    notes: list[str] = []
    number = 0
    for number, message in enumerate(_messages(as_bytes_of_ascii(data)), 1):
        try:
            found = message_text(parsed(message), number, shared)
        except UnreadableContent as error:
            notes.append(f"message {number}: {error}")
            continue
        notes += (f"message {number}: {note}" for note in found.notes)
        composer.embed(found, partial(_place, MessagePlace(number, "", subject=found.title)))
    if len(notes) > _NOTES:
        notes[_NOTES:] = [f"and {len(notes) - _NOTES} more such notes"]
    made = composer.extracted(notes=notes)
    if number and not made.text:
        raise UnreadableContent(f"is a mailbox in which nothing can be read: {'; '.join(notes)}")
    return made


def _messages(data: bytes) -> Iterator[bytes]:
    """Each message with the line in front of it, one copied at a time."""
    starts = [match.end() for match in _START.finditer(data)]
    if not starts and data.strip():
        # No line says where a message begins: one message, then.
        starts = [0]
    for start, end in zip(starts, [*starts[1:], len(data)], strict=False):
        message = data[start:end]
        yield _ESCAPED.sub(b"", message) if b">From " in message else message


def _place(whole: MessagePlace, place: Place | None) -> Place:
    return whole if place is None else place
