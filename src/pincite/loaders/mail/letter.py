"""Puts the text of one message together, whatever kind of file it is from.

Header fields are lines by themselves, so that a date or an address can be quoted; the subject is
the heading over all; attachments stand below headings with their names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pincite.loaders import formats
from pincite.loaders.composer import Composer, Piece
from pincite.loaders.extracted import Extracted, LoadSettings, UnreadableContent
from pincite.loaders.text.plain import find_blocks
from pincite.places import MessagePlace, Place
from pincite.records import BlockKind, Need

SHOWN_FIELDS = ("From", "To", "Cc", "Bcc", "Reply-To", "Date", "Subject")
"""Of a header, in the order in which they are shown."""

_NAMED_PICTURES = 5
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


class Letter:
    """The text of a message so far; `number` is that of the message in its mailbox."""

    def __init__(self, number: int, subject: str, message_id: str, settings: LoadSettings) -> None:
        self.settings, _ = settings.inside()
        """For what is inside of this message."""
        self._subject = subject
        self._place = MessagePlace(number, "body", subject=subject, message_id=message_id)
        self._composer = Composer()
        self._notes: list[str] = []
        self._needs: set[Need] = set()
        self._pictures: list[str] = []

    def note(self, words: str) -> None:
        """Add what a person should know of the message, once."""
        if words not in self._notes:
            self._notes.append(words)

    def add_header(self, fields: Iterable[tuple[str, str]]) -> None:
        """The subject as a heading, then the fields, each on a line."""
        title = replace(self._place, part="header", name="Subject")
        self._composer.heading([(self._subject, title)], 1)
        group = self._composer.new_group()
        for name, value in fields:
            place = replace(self._place, part="header", name=name)
            if value.strip():
                pieces: list[Piece] = [(f"{name}: ", None), (value, place)]
                self._composer.add(BlockKind.TABLE_ROW, pieces, group=group)

    def add_words(self, text: str) -> None:
        """A body of plain text, or one more part of it."""
        blocks = find_blocks(text, may_have_title=False)
        self._composer.embed(Extracted(text, tuple(blocks)), lambda _: self._place)

    def add_body(self, part: Extracted) -> None:
        """A body that was read as the web page or document it is."""
        for words in part.notes:
            self.note(words)
        # Where in the page it stands helps no one: a mail program does not show that.
        self._composer.embed(replace(part, marks=()), lambda _: self._place)

    def read_body(self, data: bytes, name: str) -> Extracted:
        """What a body holds that is a file called `name`; nothing, and a note, if that fails."""
        try:
            return formats.extract(data, name, self.settings)[1]
        except UnreadableContent as error:
            self._fail(f"the body: {error}", error)
            return Extracted("", ())

    def add_attachment(self, data: bytes, name: str, media_type: str) -> None:
        """A file attached; `name` may be empty."""
        named = name or f"part{_SUFFIXES.get(media_type, '')}"
        try:
            _, found = formats.extract(data, named, self.settings)
        except UnreadableContent as error:
            if media_type.startswith("image/") and error.need is None:
                self._pictures.append(name or media_type)
            else:
                self._fail(f"attachment {name or media_type}: {error}", error)
            return
        self.attach(name or media_type, found)

    def attach(self, name: str, found: Extracted) -> None:
        """An attachment that has been read."""
        place = replace(self._place, part="attachment", name=name)
        for words in found.notes:
            self.note(f"attachment {name}: {words}")
        if not found.text.strip():
            self._needs.update(found.needs)
            return
        self._composer.close_headings(2)
        # A message names itself.
        if name != found.title:
            self._composer.heading([(name, place)], 2)

        def within(inner: Place | None) -> Place:
            return replace(place, within=inner)

        self._composer.embed(found, within)

    def add_lines(self, name: str, lines: Iterable[str]) -> None:
        """A part called `name` that programs wrote, line by line."""
        place = replace(self._place, part="attachment", name=name)
        group = self._composer.new_group()
        for line in lines:
            self._composer.add(BlockKind.TABLE_ROW, [(line, place)], group=group)

    def is_too_deep(self) -> bool:
        """Whether a message inside of this one is not read any more; then that is noted."""
        if self.settings.depth <= formats.MAXIMUM_DEPTH:
            return False
        self.note(f"messages inside more than {formats.MAXIMUM_DEPTH} others are not read")
        return True

    def extracted(self) -> Extracted:
        """All of it."""
        if self._pictures:
            named = ", ".join(self._pictures[:_NAMED_PICTURES])
            more = len(self._pictures) - _NAMED_PICTURES
            self.note(f"pictures are not read: {named}" + (f" and {more} more" if more > 0 else ""))
        return self._composer.extracted(title=self._subject, notes=self._notes, needs=self._needs)

    def _fail(self, words: str, error: UnreadableContent) -> None:
        self.note(words)
        if error.need is not None:
            self._needs.add(error.need)
