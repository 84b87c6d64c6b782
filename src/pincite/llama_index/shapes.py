"""Prompts as fixed text with fields between, and how a text is taken apart by them.

Only one field of a prompt, the anchor, holds text of documents. Its borders are found from
outside: what comes before it ends at the first place it can, what comes after it begins at the
last. Whatever a document says, a rule of dashes or a whole forged prompt, stays inside the anchor.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.prompts import BasePromptTemplate, PromptTemplate

ANCHORS = (
    "context_str context_msg context_list context text chat_history reference_contexts tool_desc "
    "sql_response_str kg_response_str json_path_value tools_str query_answer_pairs existing_facts "
    "info_str schema response generated_answer answer_1"
).split()
"""Fields by how likely a document stands in them; the first of these is a prompt's anchor."""

Kind = TypeVar("Kind")
_OPEN, _CLOSE = "\ue000", "\ue001"
_MARK = re.compile(f"{_OPEN}(.*?){_CLOSE}")
# The templates that go through messages leave blank lines around them, more or fewer.
_BLANK_AROUND = re.compile(f"\n+({_OPEN}context_str{_CLOSE})\n\n+")


@dataclass(frozen=True, slots=True)
class Shape:
    """Fixed texts and the fields between them: fixed[0] field[0] fixed[1] … fixed[-1]."""

    fixed: tuple[str, ...]
    fields: tuple[str, ...]
    anchor: int

    @property
    def length(self) -> int:
        """Of all fixed text: how much has to agree."""
        return sum(map(len, self.fixed))

    def match(self, text: str) -> dict[str, str] | None:
        """What stands in each field, or None when `text` is not of this shape."""
        first, last = self.fixed[0], self.fixed[-1]
        start, end = len(first), len(text) - len(last)
        if start > end or not (text.startswith(first) and text.endswith(last)):
            return None
        found: dict[str, str] = {}
        for index in range(self.anchor):
            border = text.find(self.fixed[index + 1], start, end)
            if border < 0:
                return None
            found.setdefault(self.fields[index], text[start:border])
            start = border + len(self.fixed[index + 1])
        for index in range(len(self.fields) - 1, self.anchor, -1):
            border = text.rfind(self.fixed[index], start, end)
            if border < 0:
                return None
            found.setdefault(self.fields[index], text[border + len(self.fixed[index]) : end])
            end = border
        found.setdefault(self.fields[self.anchor], text[start:end])
        return found


def best_match(
    shapes: Sequence[tuple[Kind, Shape]], text: str
) -> tuple[Kind, dict[str, str]] | None:
    """Of the shapes that a text has, the one that leaves most to its anchor, the first of equals.

    What a document forges of another shape would make the other fields longer.
    """
    best: tuple[Kind, dict[str, str]] | None = None
    fewest = len(text) + 1
    for kind, shape in shapes:
        fields = shape.match(text)
        if fields is None:
            continue
        anchor = shape.fields[shape.anchor]
        rest = sum(len(value) for name, value in fields.items() if name != anchor)
        if rest < fewest:
            best, fewest = (kind, fields), rest
    return best


def marked(name: str) -> str:
    """Stands for the field `name` in the text `shape_of` takes."""
    return f"{_OPEN}{name}{_CLOSE}"


def shape_of(text: str) -> Shape | None:
    """The shape of a text with marked fields; None where it has none, or nothing around them.

    White space at the ends says nothing, as callers trim prompts.
    """
    parts = _MARK.split(_BLANK_AROUND.sub(r"\n\1\n", text))
    fixed, fields = parts[::2], parts[1::2]
    fixed[0], fixed[-1] = fixed[0].lstrip(), fixed[-1].rstrip()
    if not fields or not any(fixed):
        return None
    anchor = next((fields.index(name) for name in ANCHORS if name in fields), 0)
    return Shape(tuple(fixed), tuple(fields), anchor)


@dataclass(frozen=True, slots=True)
class Forms:
    """A template as it arrives: as one text, and as messages of roles."""

    texts: tuple[Shape, ...]
    """One alone, or another for a template of one message: with the names of the roles around."""
    messages: tuple[tuple[str, Shape], ...]
    """Of a template of several messages, those after the system's."""


def forms_of(template: BasePromptTemplate | str) -> Forms:
    """The forms of a template of LlamaIndex, or of the text of one, as LlamaIndex fills it."""
    if isinstance(template, str):
        template = PromptTemplate(template)
    filling = _filling(template)
    whole = shape_of(template.format(None, **filling))
    messages = [one for one in template.format_messages(None, **filling) if one.role != "system"]
    shapes = [(one.role.value, shape_of(one.content or "")) for one in messages]
    if len(shapes) == 1:
        alone = (whole, shapes[0][1])
        return Forms(texts=tuple(dict.fromkeys(one for one in alone if one)), messages=())
    return Forms(
        texts=(whole,) if whole else (),
        messages=tuple((role, shape or _whole(role)) for role, shape in shapes),
    )


def _whole(role: str) -> Shape:
    """A message that is one field: the user asks, the assistant has answered."""
    return Shape(("", ""), ("query_str" if role == "user" else "existing_answer",), 0)


def _filling(template: BasePromptTemplate) -> dict[str, Any]:
    filling: dict[str, Any] = {name: marked(name) for name in template.template_vars}
    if "context_messages" in filling:
        filling["context_messages"] = [ChatMessage(content=marked("context_str"))]
    return filling


def match_messages(
    shapes: Sequence[tuple[str, Shape]], messages: Sequence[ChatMessage]
) -> dict[str, str] | None:
    """What stands in the fields of a conversation that ends in messages of these shapes."""
    if not shapes or len(messages) < len(shapes):
        return None
    found: dict[str, str] = {}
    for (role, shape), message in zip(shapes, messages[-len(shapes) :], strict=True):
        fields = shape.match((message.content or "").strip())
        if message.role.value != role or fields is None:
            return None
        found |= fields
    return found
