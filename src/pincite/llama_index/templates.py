"""Which of LlamaIndex's prompts a text is, and what was put into it.

A prompt is recognised by the fixed text of a whole template, taken from the installed
LlamaIndex, at both of its ends. Only the context holds text of documents, so its borders are
found from outside: what comes before it ends at the first place it can, what comes after it
begins at the last. A document that contains `Query:`, a rule of dashes or a whole forged prompt
stays inside the context.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from string import Formatter

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.chat_engine import condense_plus_context, condense_question, context
from llama_index.core.prompts import chat_prompts, default_prompts

from pincite.llama_index.contexts import quotable_texts
from pincite.records import Turn


class PromptKind(StrEnum):
    """What a prompt asks for."""

    ANSWER = "answer"
    """The answer to a question, from contexts."""
    REFINE = "refine"
    """The answer there is already, or a better one from more context."""
    CONDENSE = "condense"
    """A question that can be understood without the conversation it stands in."""
    BARE = "bare"
    """A question alone, or a prompt that is not known: there are no documents to quote."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """A prompt, taken apart."""

    kind: PromptKind
    question: str
    contexts: tuple[str, ...] = ()
    """What may be quoted: one text for each node where the nodes can be told apart."""
    existing_answer: str = ""
    history: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class _Template:
    """Fixed texts and the fields between them: fixed[0] field[0] fixed[1] … fixed[-1]."""

    kind: PromptKind
    fixed: tuple[str, ...]
    fields: tuple[str, ...]
    anchor: int
    """The field that may hold anything; its neighbours are looked for from the outside in."""

    def match(self, prompt: str) -> dict[str, str] | None:
        """What stands in each field, or None when `prompt` is not of this template."""
        first, last = self.fixed[0], self.fixed[-1]
        if not (prompt.startswith(first) and prompt.endswith(last)):
            return None
        start, end = len(first), len(prompt) - len(last)
        if start > end:
            return None
        found: dict[str, str] = {}
        for index in range(self.anchor):
            border = prompt.find(self.fixed[index + 1], start, end)
            if border < 0:
                return None
            found[self.fields[index]] = prompt[start:border]
            start = border + len(self.fixed[index + 1])
        for index in range(len(self.fields) - 1, self.anchor, -1):
            border = prompt.rfind(self.fixed[index], start, end)
            if border < 0:
                return None
            found[self.fields[index]] = prompt[border + len(self.fixed[index]) : end]
            end = border
        found[self.fields[self.anchor]] = prompt[start:end]
        return found


_QUESTION, _ANSWER, _HISTORY = "query_str", "existing_answer", "chat_history"
_CONTEXTS = ("context_str", "context_msg")
_CONVERSATION = "conversation"


def _template(kind: PromptKind, text: str) -> _Template:
    fixed, fields = [""], []
    for literal, field, _, _ in Formatter().parse(text):
        fixed[-1] += literal
        if field is not None:
            fields.append(_QUESTION if field == "question" else field)
            fixed.append("")
    # Callers trim prompts: white space at the ends says nothing.
    fixed[0], fixed[-1] = fixed[0].lstrip(), fixed[-1].rstrip()
    anchor = next(i for i, field in enumerate(fields) if field in (*_CONTEXTS, _HISTORY))
    return _Template(kind, tuple(fixed), tuple(fields), anchor)


_COMPLETION = (
    _template(PromptKind.ANSWER, default_prompts.DEFAULT_TEXT_QA_PROMPT_TMPL),
    _template(PromptKind.ANSWER, default_prompts.DEFAULT_TREE_SUMMARIZE_TMPL),
    _template(PromptKind.REFINE, default_prompts.DEFAULT_REFINE_PROMPT_TMPL),
    _template(PromptKind.CONDENSE, condense_question.DEFAULT_TEMPLATE),
    _template(PromptKind.CONDENSE, condense_plus_context.DEFAULT_CONDENSE_PROMPT_TEMPLATE),
)
_CHAT = tuple(
    _template(kind, messages[-1].content or "")
    for kind, messages in (
        (PromptKind.ANSWER, chat_prompts.TEXT_QA_PROMPT_TMPL_MSGS),
        (PromptKind.ANSWER, chat_prompts.TREE_SUMMARIZE_PROMPT_TMPL_MSGS),
        (PromptKind.REFINE, chat_prompts.CHAT_REFINE_PROMPT_TMPL_MSGS),
    )
)
# The system message of a chat engine; what was said, and the question, come after it.
_SYSTEM = (
    (PromptKind.ANSWER, context.DEFAULT_CONTEXT_TEMPLATE),
    (PromptKind.REFINE, context.DEFAULT_REFINE_TEMPLATE),
    (PromptKind.ANSWER, condense_plus_context.DEFAULT_CONTEXT_PROMPT_TEMPLATE),
    (PromptKind.REFINE, condense_plus_context.DEFAULT_CONTEXT_REFINE_PROMPT_TEMPLATE),
)
_SYSTEM_MESSAGE = tuple(
    _template(kind, f"{text.rstrip()}{{{_CONVERSATION}}}") for kind, text in _SYSTEM
)
_SYSTEM_TEXT = tuple(
    _template(kind, f"system: {text.rstrip()}{{{_CONVERSATION}}}\nassistant:")
    for kind, text in _SYSTEM
)
_CHAT_TEXT = tuple(
    _template(kind, template.get_template())
    for kind, template in (
        (PromptKind.ANSWER, chat_prompts.CHAT_TEXT_QA_PROMPT),
        (PromptKind.ANSWER, chat_prompts.CHAT_TREE_SUMMARIZE_PROMPT),
        (PromptKind.REFINE, chat_prompts.CHAT_REFINE_PROMPT),
    )
)
_ROLE = re.compile(r"\n(user|assistant): ")


def recognise(prompt: str, *, system_prompt: str = "") -> Recognised:
    """Take apart a prompt given as one text; `system_prompt` is what the model puts before it."""
    prompt = prompt.removeprefix(system_prompt).strip() if system_prompt else prompt.strip()
    for template in (*_COMPLETION, *_CHAT_TEXT):
        if (fields := template.match(prompt)) is not None:
            return _recognised(template.kind, fields)
    for template in _SYSTEM_TEXT:
        if (fields := template.match(prompt)) is not None:
            turns = _turns(fields.pop(_CONVERSATION))
            if turns and turns[-1].role == MessageRole.USER.value:
                question = {_QUESTION: turns[-1].text}
                return _recognised(template.kind, fields | question, turns[:-1])
    return Recognised(PromptKind.BARE, prompt)


def recognise_messages(messages: Sequence[ChatMessage]) -> Recognised:
    """Take apart a conversation; the question is the last message of the user."""
    asked = [i for i, message in enumerate(messages) if message.role == MessageRole.USER]
    if not asked:
        return Recognised(PromptKind.BARE, "")
    question = (messages[asked[-1]].content or "").strip()
    for template in (*_COMPLETION, *_CHAT):
        if (fields := template.match(question)) is not None:
            return _recognised(template.kind, fields)
    turns = tuple(
        Turn(message.role.value, message.content or "")
        for message in messages[: asked[-1]]
        if message.role in (MessageRole.USER, MessageRole.ASSISTANT)
    )
    for message in messages:
        if message.role != MessageRole.SYSTEM:
            continue
        for template in _SYSTEM_MESSAGE:
            if (fields := template.match((message.content or "").strip())) is not None:
                return _recognised(template.kind, fields | {_QUESTION: question}, turns)
    return Recognised(PromptKind.BARE, question, history=turns)


def _recognised(
    kind: PromptKind, fields: Mapping[str, str], history: tuple[Turn, ...] = ()
) -> Recognised:
    given = next((fields[name] for name in _CONTEXTS if name in fields), "")
    return Recognised(
        kind=kind,
        question=fields[_QUESTION].strip(),
        contexts=quotable_texts(_listed(given)),
        existing_answer=fields.get(_ANSWER, "").strip(),
        history=history,
    )


def _listed(given: str) -> str:
    """The text of a context that was formatted as a Python list of one text, as
    simple_summarize does; any other context as it is."""
    if not (given.startswith("[") and given.endswith("]")):
        return given
    try:
        value = ast.literal_eval(given)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return given
    whole = isinstance(value, list) and len(value) == 1 and isinstance(value[0], str)
    return value[0] if whole and repr(value) == given else given


def _turns(conversation: str) -> tuple[Turn, ...]:
    parts = _ROLE.split(conversation)
    return tuple(
        Turn(role, text.strip()) for role, text in zip(parts[1::2], parts[2::2], strict=True)
    )
