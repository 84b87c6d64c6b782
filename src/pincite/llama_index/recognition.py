"""Which of LlamaIndex's prompts a text or a conversation is, and what was put into it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from llama_index.core.base.llms.types import ChatMessage, MessageRole
from llama_index.core.output_parsers.pydantic import PYDANTIC_FORMAT_TMPL
from llama_index.core.output_parsers.selection import FORMAT_STR

from pincite.llama_index.catalogue import CONVERSATION, catalogue
from pincite.llama_index.contexts import described_texts
from pincite.llama_index.prompts import PromptKind, Recognised
from pincite.llama_index.shapes import best_match, match_messages
from pincite.records import Turn

_QUESTIONS = ("query_str", "question", "query", "orig_query_str")
_CONTEXTS = ("context_str", "context_msg", "context", "reference_contexts", "text")
_ROLE = re.compile(r"(?:^|\n)(user|assistant|tool): ")
_USER, _REPLY = "user: ", "\nassistant:"
"""Around a message that became a text."""
_CONVERSATION_HEAD = "<current_conversation>"
_THOUGHT = "Thought: "
"""What the steps of a ReAct agent begin with, which stand before its answer."""
_CONVERSATION_TAIL = "format the output according to the provided schema."
_SAID = re.compile(
    r"^\t<(?P<role>user|assistant|tool)>\s*<message>(?P<text>.*?)</message>\s*^\t</(?P=role)>$",
    re.MULTILINE | re.DOTALL,
)
"""What agents with an `output_cls` send once they have answered."""
_SCHEMA_HEAD, _SCHEMA_TAIL = (part.strip() for part in PYDANTIC_FORMAT_TMPL.split("{schema}"))
# As the parser of choices appends it, with its braces doubled.
_SELECTION_FORMAT = FORMAT_STR.replace("{", "{{").replace("}", "}}").strip()


def recognise(prompt: str, *, system_prompt: str = "") -> Recognised:
    """Take apart a prompt given as one text; `system_prompt` is what the model puts before it."""
    prompt = prompt.removeprefix(system_prompt).strip() if system_prompt else prompt.strip()
    said = prompt.removesuffix(_REPLY)
    plain, schema = _without_format(said.strip())
    if schema is None:
        return _of_text(plain if said == prompt else prompt)
    # The form of the reply stands inside the last message.
    return replace(_of_text(plain if said == prompt else f"{plain}{_REPLY}"), schema=schema)


def recognise_messages(messages: Sequence[ChatMessage]) -> Recognised:
    """Take apart a conversation; the question is the last message of the user."""
    schema: Mapping[str, object] | None = None
    plain: list[ChatMessage] = []
    for message in messages:
        content, found = _without_format((message.content or "").strip())
        schema = found or schema
        plain.append(ChatMessage(role=message.role, content=content))
    return replace(_of_messages(plain), schema=schema)


def by_names(text: Recognised, values: Mapping[str, object]) -> Recognised:
    """What `text` is by the names of the fields that were filled in, where it is not known else.

    So an application's own templates are understood as long as they keep LlamaIndex's names.
    """
    fields = {name: value for name, value in values.items() if isinstance(value, str)}
    has_context = any(name in fields for name in _CONTEXTS)
    if text.kind is not PromptKind.BARE or not any(name in fields for name in _QUESTIONS):
        return text
    if has_context:
        kind = PromptKind.REFINE if "existing_answer" in fields else PromptKind.ANSWER
    elif "chat_history" in fields:
        kind = PromptKind.CONDENSE
    else:
        return text
    return replace(_recognised(kind, fields, text.history), schema=text.schema)


def turns_of(messages: Sequence[ChatMessage]) -> tuple[Turn, ...]:
    """What the user and the assistant said."""
    return tuple(
        Turn(message.role.value, message.content or "")
        for message in messages
        if message.role in (MessageRole.USER, MessageRole.ASSISTANT, MessageRole.TOOL)
    )


def _of_text(prompt: str) -> Recognised:
    if found := best_match(catalogue().texts, prompt):
        return _recognised(*found)
    if found := best_match(catalogue().system_texts, prompt):
        kind, fields = found
        turns = _turns(fields.pop(CONVERSATION))
        if asked := _last_asked(turns):
            return _recognised(kind, fields, turns[:asked], turns[asked - 1].text)
    if prompt.startswith(_USER) and prompt.endswith(_REPLY):
        alone = prompt[len(_USER) : -len(_REPLY)].strip()
        if found := best_match(catalogue().texts, alone):
            return _recognised(*found)
    return _unknown(prompt)


def _of_messages(messages: Sequence[ChatMessage]) -> Recognised:
    turns = turns_of(messages)
    asked = _last_asked(turns)
    question = turns[asked - 1].text if asked else ""
    if messages and messages[-1].role == MessageRole.USER:
        if (said := _said_to_an_agent(question)) is not None:
            return said
        for kind, shapes in catalogue().messages:
            if (fields := match_messages(shapes, messages)) is not None:
                return _recognised(kind, fields, turns[: -len(shapes)])
        if found := best_match(catalogue().texts, question):
            return _recognised(*found, turns[:-1])
    for message in messages:
        if message.role == MessageRole.SYSTEM and (
            found := best_match(catalogue().systems, message.content or "")
        ):
            return _recognised(*found, turns, question)
    return Recognised(PromptKind.BARE, question, history=turns[:-1])


def _said_to_an_agent(given: str) -> Recognised | None:
    """A conversation of an agent, whose last answer is to be made an object."""
    if not (given.startswith(_CONVERSATION_HEAD) and given.endswith(_CONVERSATION_TAIL)):
        return None
    turns = tuple(Turn(one["role"], one["text"].strip()) for one in _SAID.finditer(given))
    asked = _last_asked(turns)
    if not asked:
        return None
    answer = next((one.text for one in reversed(turns) if one.role == "assistant"), "")
    if answer.startswith(_THOUGHT):
        answer = answer.rpartition("\nAnswer: ")[2]
    kind, question = PromptKind.TELL_RESULT, turns[asked - 1].text
    return _recognised(kind, {"question": question, "context": answer}, turns[: asked - 1])


def _unknown(prompt: str) -> Recognised:
    """A text that is of no known template: a question, or a conversation that ends in one."""
    said = prompt.removesuffix(_REPLY)
    conversation = said[said.find(_CONVERSATION_HEAD) :]
    if said != prompt and (found := _said_to_an_agent(conversation)) is not None:
        return found
    turns = _turns(said) if said != prompt else ()
    asked = _last_asked(turns)
    if not asked:
        return Recognised(PromptKind.BARE, prompt)
    return Recognised(PromptKind.BARE, turns[asked - 1].text, history=turns[: asked - 1])


def _last_asked(turns: Sequence[Turn]) -> int:
    """How many turns there are up to the last of the user, that one included."""
    users = [number for number, turn in enumerate(turns, start=1) if turn.role == "user"]
    return users[-1] if users else 0


def _recognised(
    kind: PromptKind,
    fields: Mapping[str, str],
    history: tuple[Turn, ...] = (),
    question: str | None = None,
) -> Recognised:
    if question is None:
        question = next((fields[name] for name in _QUESTIONS if name in fields), "")
    elif kind not in (PromptKind.REASON, PromptKind.CODE):
        # The rest read on from the question themselves.
        history = history[: max(0, _last_asked(history) - 1)]
    if "chat_history" in fields:
        history = _turns(fields["chat_history"])
    given = next((fields[name] for name in _CONTEXTS if name in fields), "")
    described = described_texts(_listed(given))
    return Recognised(
        kind=kind,
        question=question.strip(),
        contexts=tuple(text for text, _ in described),
        about=tuple(about for _, about in described),
        existing_answer=fields.get("existing_answer", "").strip(),
        history=history,
        fields=fields,
    )


def _without_format(prompt: str) -> tuple[str, Mapping[str, object] | None]:
    """A prompt without what LlamaIndex appends on the form of the reply, and its schema."""
    if prompt.endswith(_SCHEMA_TAIL):
        head = prompt.rfind(f"\n{_SCHEMA_HEAD}\n")
        if head >= 0:
            given = prompt[head + len(_SCHEMA_HEAD) + 2 : -len(_SCHEMA_TAIL)].strip()
            # LlamaIndex doubles the braces, and nobody halves them again.
            for text in (given, given.replace("{{", "{").replace("}}", "}")):
                try:
                    schema = json.loads(text)
                except json.JSONDecodeError:
                    continue
                if isinstance(schema, dict):
                    return prompt[:head].strip(), schema
    # Some selectors append it twice.
    while prompt.endswith(_SELECTION_FORMAT):
        prompt = prompt.removesuffix(_SELECTION_FORMAT).strip()
    return prompt, None


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
    parts = _ROLE.split(conversation.strip())
    turns = [Turn(role, text.strip()) for role, text in zip(parts[1::2], parts[2::2], strict=True)]
    return tuple(turns)
