"""Subtitles and transcripts (SRT, VTT): speech as paragraphs, each word at its time.

Cues are cut to fit a screen; here they are joined until the speaker changes or pauses, so that a
sentence that runs over several stays whole.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pincite.loaders.composer import Composer, Piece, Repeated
from pincite.loaders.data.nodes import as_plain_text
from pincite.loaders.decoding import decoded_text
from pincite.loaders.extracted import Extracted, LoadSettings
from pincite.places import TimePlace
from pincite.records import BlockKind

_CLOCK = r"(?:(\d{1,5}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?"
_TIMING = re.compile(rf"\s*{_CLOCK}\s*-->\s*{_CLOCK}")
_ARROW_LINE = re.compile(r"\s*[\d:][^<>\s]*\s*-->")
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]*)>")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<\d[\d:.]*>|\{\\[^{}]*\}|</?>")
_NOT_SPOKEN = re.compile(r"(?:NOTE|STYLE|REGION)(?:\s|$)")
_DASH = re.compile(r"\s*[-–—]\s*(?=\S)")
_STOP = re.compile(r"[.!?…。！？♪\])\"”’]\s*$")
_PAUSE = 2_000
"""Milliseconds of silence after a stop that end a paragraph."""
_LONG_PAUSE = 8_000
_LENGTH = 700
"""Code points after which a paragraph ends at the next stop."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One line of a cue as it is shown."""

    words: str
    start: int
    end: int
    speaker: str
    is_turn: bool
    """It begins with a dash, as where two people speak in one cue."""


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The speech; a file without a single cue is read as plain text, with a note."""
    text = decoded_text(data)
    reader = _Reader(text)
    lines = list(reader.lines())
    if not reader.cues:
        if not text.strip() or text.lstrip("\ufeff").startswith("WEBVTT"):
            return Extracted("", ())
        return as_plain_text(text, "has no cue with a time")
    composer = Composer()
    for paragraph in _paragraphs(lines):
        _add(composer, paragraph)
    notes: list[str] = []
    if reader.broken:
        notes.append(
            f"has {reader.broken} cue{'s' if reader.broken > 1 else ''} whose time cannot be read:"
            " they stand at the time of the one before"
        )
    if reader.comments:
        notes.append(
            f"comments that are not shown were left out ({reader.comments} of them)"
            if reader.comments > 1
            else "a comment that is not shown was left out"
        )
    return composer.extracted(notes=notes)


class _Reader:
    """Takes the lines of each cue; counts what is wrong."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.cues = self.broken = self.comments = 0

    def lines(self) -> Iterator[_Line]:
        """The lines that are shown, without those that a rolling display shows again."""
        shown: list[str] = []
        shown_until = start = end = 0
        for timing, payload in self._parts():
            match = _TIMING.match(timing)
            if match is None:
                self.broken += 1
                start = end
            else:
                start, end = _milliseconds(match.groups()[:4]), _milliseconds(match.groups()[4:])
                end = max(start, end)
            self.cues += 1
            lines = list(_shown(payload, start, end))
            texts = [line.words for line in lines]
            repeated = 0
            if start <= shown_until + 100:
                for count in range(min(len(texts), len(shown)), 0, -1):
                    if shown[-count:] == texts[:count]:
                        repeated = count
                        break
            yield from lines[repeated:]
            if texts:
                shown, shown_until = texts, end

    def _parts(self) -> Iterator[tuple[str, list[str]]]:
        """The line with the times and the lines below it, of each cue."""
        timing: str | None = None
        payload: list[str] = []
        is_comment = is_after_blank = False
        for line in self._text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
            if _ARROW_LINE.match(line):
                if timing is not None:
                    if payload and payload[-1].strip().isdigit() and not is_after_blank:
                        payload.pop()  # The number of this cue, after no empty line.
                    yield timing, payload
                timing, payload, is_comment = line, [], False
            elif not line.strip():
                is_after_blank = True
                if is_comment:
                    is_comment = False
                continue
            elif is_after_blank and _NOT_SPOKEN.match(line):
                self.comments += line.startswith("NOTE")
                is_comment = True
            elif timing is not None and not is_comment:
                if is_after_blank and payload:
                    # A name or number of the next cue, or a cue whose text has an empty line.
                    payload.append("")
                payload.append(line)
            is_after_blank = False
        if timing is not None:
            yield timing, payload


def _shown(payload: list[str], start: int, end: int) -> Iterator[_Line]:
    if "" in payload:
        # What follows an empty line is the name of the next cue; more than one line is speech.
        rest = payload[payload.index("") + 1 :]
        if len(rest) == 1:
            payload = payload[: payload.index("")]
    turns = sum(bool(_DASH.match(_TAG.sub("", line))) for line in payload)
    speaker = ""
    for line in payload:
        parts = _VOICE.split(line)
        for index in range(0, len(parts), 2):
            if index:
                speaker = " ".join(html.unescape(parts[index - 1]).split())
            words = " ".join(html.unescape(_TAG.sub("", parts[index])).split())
            words = words.replace("\u200e", "").replace("\u200f", "")
            is_turn = turns > 1 and _DASH.match(words) is not None
            if words:
                yield _Line(words, start, end, speaker, is_turn)


def _paragraphs(lines: list[_Line]) -> Iterator[list[_Line]]:
    paragraph: list[_Line] = []
    length = 0
    for line in lines:
        if paragraph and _begins(paragraph[-1], line, length):
            yield paragraph
            paragraph, length = [], 0
        paragraph.append(line)
        length += len(line.words) + 1
    if paragraph:
        yield paragraph


def _begins(before: _Line, line: _Line, length: int) -> bool:
    """Whether `line` begins a new paragraph after `length` code points that end with `before`."""
    if line.is_turn or before.speaker != line.speaker:
        return True
    silence = line.start - before.end
    is_stop = _STOP.search(before.words) is not None
    return silence > _LONG_PAUSE or (is_stop and (silence > _PAUSE or length > _LENGTH))


def _add(composer: Composer, paragraph: list[_Line]) -> None:
    pieces: list[Piece] = []
    for line in paragraph:
        if pieces:
            pieces.append((" ", None))
        pieces.append((line.words, TimePlace(line.start, line.end, line.speaker)))
    first = paragraph[0]
    named = Repeated(TimePlace(first.start, first.end, first.speaker))
    lead: list[Piece] = [(first.speaker, named), (": ", None)] if first.speaker else []
    composer.add(BlockKind.PARAGRAPH, pieces, lead=lead)


def _milliseconds(clock: tuple[str | None, ...]) -> int:
    hours, minutes, seconds, rest = clock
    whole = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(seconds or 0)
    return whole * 1000 + int((rest or "0").ljust(3, "0"))
