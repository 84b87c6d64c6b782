"""YAML as text: each value with its key can be quoted, at its JSON Pointer; aliases stay aliases.

The text is the decoded file. Events are read, never values built: no tag is acted on and no alias
expanded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pincite.loaders.data.nodes import (
    DEEPEST,
    MAXIMUM_VALUES,
    RECORD_LENGTH,
    NodeBlocks,
    NotStructured,
    as_plain_text,
    is_prose,
)
from pincite.loaders.decoding import decoded_text
from pincite.loaders.extracted import Extracted, LoadSettings
from pincite.records import BlockKind

if TYPE_CHECKING:
    from yaml.events import Event

_COMMENT = re.compile(r"(?:^|(?<=[ \t]))#+[ \t]*(.*)$", re.M)
_FRAMING = re.compile(r"[\s\[\]{},:?-]*")
_SHORT_LIST = 300


def extract(data: bytes, name: str, settings: LoadSettings) -> Extracted:
    """The text with a block for each value; what is no YAML is read as plain text with a note."""
    return structure(decoded_text(data))


def structure(text: str) -> Extracted:
    """The same for a text that is decoded."""
    try:
        return _Builder(text).build(_events(text))
    except NotStructured as error:
        return as_plain_text(text, f"is not read as YAML ({error})")


def _events(text: str) -> list[Event]:
    # Not at the top: asking an index that is up to date should not pay for loading it.
    import yaml

    parser: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    events: list[Event] = []
    depth = 0
    try:
        for event in yaml.parse(text, Loader=parser):
            events.append(event)
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            if depth > DEEPEST:
                raise NotStructured(f"it is nested more than {DEEPEST} deep")
            if len(events) > 3 * MAXIMUM_VALUES:
                raise NotStructured("it holds too many values")
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark is not None else 0
        raise NotStructured(f"line {line}: {error.problem}") from error
    except (yaml.YAMLError, ValueError) as error:
        # ValueError: signs that YAML does not allow.
        raise NotStructured(" ".join(str(error).split())[:120]) from error
    return events


@dataclass(slots=True)
class _Frame:
    """A mapping or list that is open."""

    is_mapping: bool
    path: str
    group: int
    is_flow: bool
    index: int = 0
    key: tuple[int, int] | None = None
    key_name: str = ""


class _Builder:
    def __init__(self, text: str) -> None:
        self._text = text
        self._blocks = NodeBlocks(text)
        self._stack: list[_Frame] = []
        self._document = 0
        self._is_stream = False
        self._title = ""
        self._reached = 0

    def build(self, events: list[Event]) -> Extracted:
        from yaml import events as kinds

        starts = sum(isinstance(event, kinds.DocumentStartEvent) for event in events)
        self._is_stream = starts > 1
        position = 0
        while position < len(events):
            event = events[position]
            position += 1
            start, end = event.start_mark.index, event.end_mark.index
            if isinstance(event, (kinds.ScalarEvent, kinds.AliasEvent)):
                is_key = bool(self._stack) and self._stack[-1].is_mapping
                if is_key and self._stack[-1].key is None:
                    self._stack[-1].key = start, end
                    name = event.value if isinstance(event, kinds.ScalarEvent) else ""
                    self._stack[-1].key_name = name
                else:
                    self._value(event, start, end)
            elif isinstance(event, kinds.CollectionStartEvent):
                closing = self._short_end(events, position) if event.flow_style else None
                record = self._record_end(events, position)
                if record is not None:
                    self._record(events, position, record)
                    position = record + 1
                elif closing is not None and self._stack and not self._is_at_key():
                    self._value(None, start, events[closing].end_mark.index)
                    position = closing + 1
                else:
                    is_mapping = isinstance(event, kinds.MappingStartEvent)
                    self._open(start, is_mapping, bool(event.flow_style))
            elif isinstance(event, kinds.CollectionEndEvent):
                self._close()
            elif isinstance(event, kinds.DocumentEndEvent):
                self._document += 1
        self._comments(len(self._text), "")
        return self._blocks.extracted(title=self._title)

    def _is_at_key(self) -> bool:
        return bool(self._stack) and self._stack[-1].is_mapping and self._stack[-1].key is None

    def _short_end(self, events: list[Event], position: int) -> int | None:
        """Where a short flow list of plain values closes; None for others."""
        from yaml import events as kinds

        opened = events[position - 1].start_mark.index
        while position < len(events) and isinstance(events[position], kinds.ScalarEvent):
            if events[position].end_mark.index - opened > _SHORT_LIST:
                return None
            position += 1
        is_list = isinstance(events[position], kinds.SequenceEndEvent)
        return position if is_list else None

    def _record_end(self, events: list[Event], position: int) -> int | None:
        """Where a small mapping in a list ends, one of plain values only; None for others."""
        from yaml import events as kinds

        is_mapping = isinstance(events[position - 1], kinds.MappingStartEvent)
        if not is_mapping or not self._stack or self._stack[-1].is_mapping:
            return None
        first = position
        opened = events[position - 1].start_mark.index
        while isinstance(events[position], kinds.ScalarEvent):
            event = events[position]
            if event.end_mark.index - opened > RECORD_LENGTH or is_prose(event.value):
                return None
            position += 1
        is_end = isinstance(events[position], kinds.MappingEndEvent)
        has_comment = self._text.find("#", opened, events[position].start_mark.index) >= 0
        return position if is_end and not has_comment and position - first >= 4 else None

    def _record(self, events: list[Event], position: int, closing: int) -> None:
        path, _ = self._place()
        start, end = events[position - 1].start_mark.index, events[closing].end_mark.index
        self._comments(start, path)
        values: list[tuple[int, int, str]] = []
        for key, value in zip(
            events[position:closing:2], events[position + 1 : closing : 2], strict=True
        ):
            name = key.value.replace("~", "~0").replace("/", "~1")
            stop = max(key.end_mark.index, value.end_mark.index)
            values.append((key.start_mark.index, stop, f"{path}/{name}"))
        # A block mapping is told to end where the next thing begins.
        self._blocks.add_record((start, min(end, values[-1][1] + 1)), values, self._stack[-1].group)
        self._reached = values[-1][1]

    def _place(self) -> tuple[str, tuple[int, int] | None]:
        """The path of the value at hand, and where its key stands."""
        if not self._stack:
            return (f"/{self._document}" if self._is_stream else ""), None
        frame = self._stack[-1]
        if not frame.is_mapping:
            frame.index += 1
            return f"{frame.path}/{frame.index - 1}", None
        key, frame.key = frame.key, None
        name = frame.key_name.replace("~", "~0").replace("/", "~1")
        return f"{frame.path}/{name}", key

    def _open(self, start: int, is_mapping: bool, is_flow: bool) -> None:
        if self._is_at_key():  # A list or mapping as a key: no name can be made of it.
            self._stack[-1].key, self._stack[-1].key_name = (start, start), "?"
        path, key = self._place()
        self._comments(key[0] if key is not None else start, path)
        if key is not None and key[1] > key[0]:
            self._blocks.open_heading(self._text[slice(*key)].strip("\"'"), len(self._stack))
            colon = self._text.find(":", key[1], start + 1)
            end = colon + 1 if colon >= 0 else key[1]
            self._blocks.add(BlockKind.HEADING, (key[0], end), path, content=key, mark=key)
            self._reached = end
        self._stack.append(_Frame(is_mapping, path, self._blocks.new_group(), is_flow))

    def _close(self) -> None:
        self._stack.pop()
        self._blocks.close_headings(len(self._stack))

    def _value(self, event: Event | None, start: int, end: int) -> None:
        path, key = self._place()
        first = key[0] if key is not None else start
        self._comments(first, path)
        style = getattr(event, "style", None)
        name = self._text[slice(*key)].strip("\"'") if key is not None else ""
        value = getattr(event, "value", "")
        if name.lower() == "title" and len(self._stack) == 1 and not self._title:
            self._title = value if len(value) <= 200 else ""
        if end <= start and key is None:
            return
        stop = max(end, key[1] if key is not None else end)
        group = self._stack[-1].group if self._stack else 0
        if event is not None and is_prose(value):
            content = self._inside(start, end, style)
            self._blocks.add_paragraphs((first, stop), path, content)
        elif key is not None:
            mark = first, stop
            self._blocks.add(BlockKind.TABLE_ROW, mark, path, group=group)
        else:
            self._blocks.add(BlockKind.LIST_ITEM, (start, end), path, group=group)
        self._reached = stop

    def _inside(self, start: int, end: int, style: str | None) -> tuple[int, int]:
        """The words of a text without its quotation marks, or its `|` or `>` and what follows."""
        if style in ("'", '"'):
            return start + 1, end - 1
        if style in ("|", ">"):
            line_end = self._text.find("\n", start, end)
            return (line_end + 1 if line_end >= 0 else start), end
        return start, end

    def _comments(self, end: int, path: str) -> None:
        """Add the comments between what was added before and `end`, a paragraph for each run."""
        if self._text.find("#", self._reached, end) < 0:
            return
        for first, last, content in _runs(self._text, self._reached, end):
            around = path.rpartition("/")[0]
            self._blocks.add(BlockKind.PARAGRAPH, (first, last), around, content=(content, last))
            self._reached = last


def _runs(text: str, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """Comments of neighbouring lines: start, end, start of their words."""
    run: tuple[int, int, int] | None = None
    for match in _COMMENT.finditer(text, start, end):
        if not match.group(1).strip():
            continue
        between = text[run[1] : match.start()] if run is not None else ""
        if run is not None and between.count("\n") == 1 and not between.strip():
            run = run[0], match.end(), run[2]
            continue
        if run is not None:
            yield run
        run = match.start(), match.end(), match.start(1)
    if run is not None:
        yield run
