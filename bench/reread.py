"""What stands in a file at a place, read anew by another way than Pincite's own.

One small reader for each kind of place, over the standard library, pypdfium2, openpyxl and
python-calamine; nothing of `pincite.loaders` is used. `compare` says whether the words that are
said to stand at a place do. Here are those of web pages, messages and files inside of others; the
rest is in the `reread_` modules beside this one.
"""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterator, Sequence
from email.message import EmailMessage
from functools import lru_cache

from bench.reread_cells import compare_cells
from bench.reread_data import compare_nodes, cue_words, notebook_words
from bench.reread_elements import compare_elements
from bench.reread_office import paragraph_words, slide_words
from bench.reread_outlook import outlook_words
from bench.reread_pages import compare_pages
from bench.reread_words import (
    Found,
    Stretch,
    Verdict,
    archive_members,
    bare,
    decoded,
    holds,
    visible,
)
from pincite.places import (
    CellPlace,
    ChapterPlace,
    ElementPlace,
    MemberPlace,
    MessagePlace,
    NodePlace,
    NotebookPlace,
    PagePlace,
    ParagraphPlace,
    Place,
    SlidePlace,
    TimePlace,
)


def compare(data: bytes, name: str, place: Place, stretches: Sequence[Stretch]) -> Found:
    """Whether `stretches` stand at `place` of the file called `name` that holds `data`."""
    match place:
        case PagePlace():
            return compare_pages(data, place, stretches)
        case CellPlace():
            return compare_cells(data, place, stretches)
        case ElementPlace():
            return compare_elements(data, place, stretches)
        case MemberPlace():
            member = archive_members(data).get(place.path)
            return _inner(member, place.path, place.path, place.within, stretches)
        case ChapterPlace():
            member = archive_members(data).get(place.file)
            return _inner(member, place.file, place.title, place.within, stretches)
        case MessagePlace():
            return _message(data, place, stretches)
        case ParagraphPlace():
            return holds(paragraph_words(data, place), stretches)
        case SlidePlace():
            return holds(slide_words(data, place), stretches)
        case NodePlace():
            return compare_nodes(data, place, stretches)
        case NotebookPlace():
            return holds(notebook_words(data, place), stretches)
        case TimePlace():
            return holds(cue_words(data, place), stretches)


def _inner(
    data: bytes | None, name: str, shown: str, within: Place | None, stretches: Sequence[Stretch]
) -> Found:
    """`stretches` in a file inside another; without a place in it, in its name or its text."""
    if data is None:
        return Found(Verdict.WRONG, f"there is no {name!r}")
    if within is not None:
        return compare(data, name, within, stretches)
    if all(bare(one.words) in bare(f"{shown}\n{name}") for one in stretches):
        return Found(Verdict.INSIDE, shown)
    if b"\x00" in data[:1000] or data.startswith((b"PK", b"%PDF", b"{\\rtf")):
        return Found(Verdict.UNREAD)
    there = [decoded(data)]
    if name.lower().endswith((".eml", ".mbox")):
        # Written in ways of its own.
        there += [words for message in messages_of(data) for words in _everything(message)]
    return holds("\n".join((shown, name, visible(there[0]), *there)), stretches)


@lru_cache(maxsize=4)
def messages_of(data: bytes) -> tuple[EmailMessage, ...]:
    """The messages of a mailbox, or the one message; malformed ones as the parser takes them."""
    starts = [len(data) - len(data.lstrip())]
    if data.lstrip().startswith(b"From "):
        starts = [one.start() for one in re.finditer(rb"(?m)^From [^\n]*\n(?=[\w-]+:)", data)]
    raw = [data[start:end] for start, end in zip(starts, [*starts[1:], len(data)], strict=True)]
    return tuple(_parsed(one) for one in raw)


def _parsed(raw: bytes) -> EmailMessage:
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in raw[:2]:
        raw = decoded(raw).encode("utf-8")
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    return message


def _payload(part: EmailMessage) -> bytes:
    data = part.get_payload(decode=True)
    return data if isinstance(data, bytes) else b""


def _part_text(part: EmailMessage) -> str:
    data = _payload(part)
    text = decoded(data)
    named = part.get_content_charset()
    if named:
        try:
            text = data.decode(named)
        except (LookupError, UnicodeDecodeError):
            text += data.decode(named, "replace") if named.startswith("utf") else ""
    if part.get_content_type() == "text/html":
        return visible(text)
    # Quotation marks and joined lines of `format=flowed` are layout.
    return text + re.sub(r"(?m)^(?:> ?)+", "", text)


def _message(data: bytes, place: MessagePlace, stretches: Sequence[Stretch]) -> Found:
    if data.startswith(b"\xd0\xcf\x11\xe0"):
        return holds(outlook_words(data, place), _parted(stretches))
    messages = messages_of(data)
    if not 0 < place.number <= len(messages):
        return Found(Verdict.WRONG, f"there is no message {place.number}")
    message = messages[place.number - 1]
    fields = _header_words(message, place.name if place.part == "header" else "")
    if place.part == "header":
        return holds(fields, stretches)
    own = list(_own_parts(message))
    bodies = "\n".join(_part_text(part) for part in own if not part.get_filename())
    if place.part == "body":
        return holds(bodies, _parted(stretches))
    attached = [part for part in own if _names(part, place.name)]
    if place.part == "attachment" and place.name:
        answers = [
            _inner(content, place.name, place.name, place.within, stretches)
            for part in attached
            for content in _contents(part)
        ]
        right = [one for one in answers if one.verdict is not Verdict.WRONG]
        return (right or answers or [Found(Verdict.WRONG, f"no attachment {place.name!r}")])[0]
    found = holds("\n".join(_everything(message)), _parted(stretches))
    # What an attachment of another format holds is read at its own place only.
    only_text = all(part.get_content_maintype() == "text" for part in own)
    return found if only_text or found.verdict is not Verdict.WRONG else Found(Verdict.UNREAD)


def _parted(stretches: Sequence[Stretch]) -> list[Stretch]:
    """Stretches cut at what parts the cells of a table: of a body all words have one mark."""
    return [
        Stretch(words, words)
        for one in stretches
        for words in re.split(r"\n|\s*\|\s*|;\s|:\s|(?m:^\s*[-\d]+\.?\s)", one.words)
    ]


def _everything(message: EmailMessage) -> Iterator[str]:
    """The words of all headers, parts and messages inside a message."""
    for part in message.walk():
        assert isinstance(part, EmailMessage)
        yield _header_words(part, "")
        yield part.get_filename() or ""
        yield part.get_content_type()
        if not part.is_multipart():
            yield _part_text(part)


def _header_words(message: EmailMessage, name: str) -> str:
    found = message.get_all(name, []) if name else message.values()
    raw = [value for key, value in message.raw_items() if not name or key.lower() == name.lower()]
    said = [str(value).encode("utf-8", "surrogateescape") for value in [*found, *raw]]
    return "\n".join(value.decode("utf-8", "replace") for value in said)


def _own_parts(message: EmailMessage) -> Iterator[EmailMessage]:
    """The parts of a message without those of messages attached to it."""
    if message.get_content_maintype() == "message":
        yield message
    elif message.is_multipart():
        for part in message.iter_parts():
            assert isinstance(part, EmailMessage)
            yield from _own_parts(part)
    else:
        yield message


def _names(part: EmailMessage, name: str) -> bool:
    subjects = [
        str(inner.get("Subject", "message"))
        for inner in (part.get_payload() if part.is_multipart() else [])
    ]
    known = [part.get_filename(), part.get_content_type(), "message", *subjects]
    return any(bare(name) == bare(one) for one in known if one)


def _contents(part: EmailMessage) -> Iterator[bytes]:
    if part.is_multipart():
        yield from (inner.as_bytes() for inner in part.get_payload())
    elif part.get_content_maintype() == "text":
        # As Pincite hands it on: the part's text, in UTF-8.
        named = part.get_content_charset() or "utf-8"
        try:
            yield _payload(part).decode(named).encode("utf-8")
        except (LookupError, UnicodeDecodeError):
            yield _payload(part)
    else:
        yield _payload(part)
