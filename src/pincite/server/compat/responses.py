"""Responses of OpenAI: a question from items, an answer as a response or as events.

A file is cited behind the words that are from it, a web page over them; indices are code points of
the response's text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pydantic import ConfigDict, Field

from pincite.exporting.openai import annotation
from pincite.records import Citation, Turn
from pincite.server.bodies import QUESTION, Body, Several, examples
from pincite.server.compat.asked import MODEL, Asked, Extension, Rejected, asked_in, only_without
from pincite.server.compat.chat import Format, Part, text_of_parts
from pincite.server.compat.said import Json, Said

_LEFT_ASIDE = frozenset(
    "reasoning function_call function_call_output custom_tool_call custom_tool_call_output "
    "file_search_call web_search_call mcp_call mcp_list_tools compaction".split()
)
"""Items of earlier turns that other models made: nothing in them is asked."""


class Item(Body):
    """One item of the input."""

    model_config = ConfigDict(extra="allow")

    type: str = "message"
    role: str | None = None
    content: str | Several[Part] | None = None


class Text(Body):
    """How the text of the response is to be."""

    format: Format | None = None
    verbosity: str | None = None


class ResponseRequest(Body):
    """A request for a response. What is said to a generator of words has no effect."""

    model_config = examples(
        {"model": MODEL, "input": QUESTION}, {"model": MODEL, "input": QUESTION, "stream": True}
    )

    model: str
    input: str | Several[Item]
    stream: bool | None = None
    previous_response_id: str | None = None
    store: bool | None = None
    max_output_tokens: int | None = Field(default=None, ge=1)
    metadata: dict[str, str] | None = None
    instructions: str | None = None
    text: Text | None = None
    tools: list[Any] | None = None
    tool_choice: Any = None
    include: Several[str] | None = None
    top_logprobs: int | None = None
    background: bool | None = None
    conversation: Any = None
    prompt: Any = None
    moderation: Any = None
    pincite: Extension | None = None
    # Without effect.
    access_programs: Any = None
    background_options: Any = None
    context_management: Any = None
    image: Any = None
    max_tool_calls: int | None = None
    parallel_tool_calls: bool | None = None
    prompt_cache_key: str | None = None
    prompt_cache_options: Any = None
    prompt_cache_retention: str | None = None
    reasoning: Any = None
    safety_identifier: str | None = None
    service_tier: str | None = None
    stream_options: Any = None
    temperature: float | None = None
    top_p: float | None = None
    truncation: str | None = None
    user: str | None = None


def asked_by(request: ResponseRequest, earlier: Sequence[Turn] = ()) -> Asked:
    """The last message of the input, asked after `earlier` and the others.

    `Rejected` for what cannot be honoured.
    """
    only_without(
        tools=request.tools if request.tool_choice != "none" else None,
        top_logprobs=request.top_logprobs,
        background=request.background,
        conversation=request.conversation,
        prompt=request.prompt,
        moderation=request.moderation,
        include="message.output_text.logprobs" in (request.include or ()),
    )
    form = request.text and request.text.format
    if form and form.type != "text":
        raise Rejected(
            f"The format {form.type!r} is not supported: answers are quoted as they stand.",
            param="text.format",
            code="unsupported_parameter",
        )
    return asked_in(
        [*earlier, *_turns(request.input)],
        model=request.model,
        extension=request.pincite,
        most=request.max_output_tokens,
        where="input",
    )


def _turns(given: str | list[Item]) -> list[Turn]:
    if isinstance(given, str):
        return [Turn("user", given)]
    turns = []
    for number, item in enumerate(given):
        if item.type in _LEFT_ASIDE:
            continue
        where = f"input.{number}"
        if item.type != "message" or item.role is None:
            raise Rejected(f"An item of the type {item.type!r} is not supported.", param=where)
        if item.role not in ("user", "assistant", "system", "developer"):
            raise Rejected(f"There is no role {item.role!r}.", param=f"{where}.role")
        content = item.content
        text = text_of_parts(content, where) if isinstance(content, list) else content or ""
        if item.role in ("user", "assistant"):
            turns.append(Turn(item.role, text))
    return turns


def response(
    said: Said,
    request: ResponseRequest,
    *,
    prompt_tokens: int,
    envelope: Json,
    message_id: str,
    link: Callable[[Citation], str],
) -> Json:
    """The answer as a response; `envelope` holds its id and when it was made."""
    return {
        **_frame(request, envelope),
        "status": "incomplete" if said.is_cut else "completed",
        "completed_at": None if said.is_cut else envelope["created_at"],
        "incomplete_details": {"reason": "max_output_tokens"} if said.is_cut else None,
        "output": [_message(said, message_id, [_content(said, link)])],
        "usage": {
            "input_tokens": prompt_tokens,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
            "output_tokens": said.token_count,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": prompt_tokens + said.token_count,
        },
        "pincite": said.extension,
    }


def events(
    said: Said,
    request: ResponseRequest,
    *,
    prompt_tokens: int,
    envelope: Json,
    message_id: str,
    link: Callable[[Citation], str],
) -> Iterator[Json]:
    """The same as the events of a stream: its words a quote at a time, then each citation once."""
    whole = response(
        said,
        request,
        prompt_tokens=prompt_tokens,
        envelope=envelope,
        message_id=message_id,
        link=link,
    )
    content = _content(said, link)
    for number, event in enumerate(_unnumbered(said, whole, content, message_id)):
        yield {**event, "sequence_number": number}


def _unnumbered(said: Said, whole: Json, content: Json, message_id: str) -> Iterator[Json]:
    begun = {key: value for key, value in whole.items() if key != "pincite"} | {
        "status": "in_progress",
        "completed_at": None,
        "incomplete_details": None,
        "output": [],
        "usage": None,
    }
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    empty = {"id": message_id, "type": "message", "role": "assistant", "content": []}
    yield {
        "type": "response.output_item.added",
        "output_index": 0,
        "item": {**empty, "status": "in_progress"},
    }
    place = {"item_id": message_id, "output_index": 0, "content_index": 0}
    spoken = "refusal" if said.is_refusal else "text"
    kind = "refusal" if said.is_refusal else "output_text"
    logprobs: Json = {} if said.is_refusal else {"logprobs": []}
    started = {**content, spoken: ""} | ({} if said.is_refusal else {"annotations": []})
    yield {"type": "response.content_part.added", **place, "part": started}
    for delta in said.deltas():
        yield {"type": f"response.{kind}.delta", **place, "delta": delta, **logprobs}
    for number, one in enumerate(content.get("annotations", [])):
        yield {
            "type": "response.output_text.annotation.added",
            **place,
            "annotation_index": number,
            "annotation": one,
        }
    yield {"type": f"response.{kind}.done", **place, spoken: content[spoken], **logprobs}
    yield {"type": "response.content_part.done", **place, "part": content}
    yield {"type": "response.output_item.done", "output_index": 0, "item": whole["output"][0]}
    yield {"type": f"response.{whole['status']}", "response": whole}


def _frame(request: ResponseRequest, envelope: Json) -> Json:
    return {
        **envelope,
        "object": "response",
        "model": request.model,
        "error": None,
        "instructions": request.instructions,
        "max_output_tokens": request.max_output_tokens,
        "metadata": request.metadata or {},
        "parallel_tool_calls": False,
        "previous_response_id": request.previous_response_id,
        "store": request.store is not False,
        "temperature": request.temperature,
        "text": {"format": {"type": "text"}},
        "tool_choice": "none",
        "tools": [],
        "top_p": request.top_p,
        "truncation": "disabled",
    }


def _message(said: Said, message_id: str, content: list[Json]) -> Json:
    return {
        "id": message_id,
        "type": "message",
        "role": "assistant",
        "status": "incomplete" if said.is_cut else "completed",
        "content": content,
    }


def _content(said: Said, link: Callable[[Citation], str]) -> Json:
    if said.is_refusal:
        return {"type": "refusal", "refusal": said.text}
    cited = [
        annotation(citation, piece.span, link=link(citation))
        for piece in said.pieces
        for citation in piece.citations
    ]
    return {"type": "output_text", "text": said.text, "annotations": cited, "logprobs": []}
