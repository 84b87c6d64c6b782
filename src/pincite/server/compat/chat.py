"""Chat completions of OpenAI: a question from messages, an answer as a message or as chunks.

Their annotations know pages on the web only, so every citation is one: with the place in the text
of the message that is quoted, in code points, and a link to the place in the document.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal

from pydantic import ConfigDict, Field

from pincite.exporting.openai import url_citation
from pincite.records import Citation, Turn
from pincite.server.bodies import Body, Several, examples
from pincite.server.compat.asked import EXAMPLE, Asked, Extension, Rejected, asked_in, only_without
from pincite.server.compat.said import Json, Said

_OTHER_ROLES = ("system", "developer", "tool", "function")
"""What they say is neither asked nor quoted, nor followed."""


class Part(Body):
    """One part of a message's content."""

    model_config = ConfigDict(extra="allow")

    type: str
    text: str | None = None
    refusal: str | None = None


class ChatMessage(Body):
    """One message of a conversation."""

    model_config = ConfigDict(extra="allow")

    role: Literal["user", "assistant", "system", "developer", "tool", "function"]
    content: str | Several[Part] | None = None
    refusal: str | None = None


class Format(Body):
    """The form that the answer is to have."""

    model_config = ConfigDict(extra="allow")

    type: str = "text"


class StreamOptions(Body):
    """What a stream is to hold besides the answer."""

    include_usage: bool | None = None
    include_obfuscation: bool | None = None


class ChatRequest(Body):
    """A request for a chat completion.

    What is said to a generator of words (temperature, seed, penalties, effort) has no effect, as
    no words are generated.
    """

    model_config = examples(EXAMPLE, {**EXAMPLE, "stream": True})

    model: str
    messages: Several[ChatMessage] = Field(min_length=1)
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    max_tokens: int | None = Field(default=None, ge=1)
    max_completion_tokens: int | None = Field(default=None, ge=1)
    n: int | None = Field(default=None, ge=1)
    response_format: Format | None = None
    tools: list[Any] | None = None
    tool_choice: Any = None
    functions: list[Any] | None = None
    function_call: Any = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    logit_bias: dict[str, float] | None = None
    stop: str | Several[str] | None = None
    modalities: Several[str] | None = None
    audio: Any = None
    web_search_options: Any = None
    store: bool | None = None
    moderation: Any = None
    pincite: Extension | None = None
    # Without effect.
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    reasoning_effort: str | None = None
    verbosity: str | None = None
    parallel_tool_calls: bool | None = None
    prediction: Any = None
    metadata: dict[str, str] | None = None
    user: str | None = None
    safety_identifier: str | None = None
    service_tier: str | None = None
    prompt_cache_key: str | None = None
    prompt_cache_options: Any = None
    prompt_cache_retention: str | None = None


def asked_by(request: ChatRequest) -> Asked:
    """The last message, asked after the others. `Rejected` for what cannot be honoured."""
    only_without(
        tools=request.tools if request.tool_choice != "none" else None,
        functions=request.functions if request.function_call != "none" else None,
        logprobs=request.logprobs,
        top_logprobs=request.top_logprobs,
        logit_bias=request.logit_bias,
        stop=request.stop,
        audio=request.audio,
        web_search_options=request.web_search_options,
        store=request.store,
        moderation=request.moderation,
        modalities=set(request.modalities or ()) - {"text"},
        response_format=request.response_format and request.response_format.type != "text",
        n=request.n is not None and request.n > 1,
    )
    limits = (request.max_tokens, request.max_completion_tokens)
    return asked_in(
        [
            Turn(one.role, _text(one, f"messages.{number}.content"))
            for number, one in enumerate(request.messages)
            if one.role not in _OTHER_ROLES
        ],
        model=request.model,
        extension=request.pincite,
        most=min((one for one in limits if one is not None), default=None),
    )


def text_of_parts(parts: list[Part], where: str) -> str:
    """The text of the parts, one a line; `Rejected` for a part that is no text."""
    texts = []
    for number, part in enumerate(parts):
        text = part.refusal if part.type == "refusal" else part.text
        if part.type not in ("text", "input_text", "output_text", "refusal") or text is None:
            raise Rejected(
                f"A part of the type {part.type!r} is not supported: only text is read here.",
                param=f"{where}.{number}",
            )
        texts.append(text)
    return "\n".join(texts)


def _text(message: ChatMessage, where: str) -> str:
    if isinstance(message.content, list):
        return text_of_parts(message.content, where)
    return message.content or message.refusal or ""


def completion(
    said: Said,
    *,
    prompt_tokens: int,
    envelope: Json,
    link: Callable[[Citation], str],
) -> Json:
    """The answer as a chat completion; `envelope` holds its id, model and when it was made."""
    message: Json = {
        "role": "assistant",
        "content": None if said.is_refusal else said.text,
        "refusal": said.text if said.is_refusal else None,
        "annotations": url_citations(said, link),
        "pincite": said.extension,
    }
    return {
        **envelope,
        "object": "chat.completion",
        "choices": [
            {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(said)}
        ],
        "usage": usage(said, prompt_tokens),
    }


def chunks(
    said: Said,
    *,
    prompt_tokens: int,
    envelope: Json,
    link: Callable[[Citation], str],
    include_usage: bool = False,
) -> Iterator[Json]:
    """The same in parts: its words a quote at a time, then all citations, then how it ended."""
    spoken = "refusal" if said.is_refusal else "content"
    deltas: list[Json] = [
        {"role": "assistant", spoken: ""},
        *({spoken: delta} for delta in said.deltas()),
        {"annotations": url_citations(said, link), "pincite": said.extension},
    ]
    for delta in deltas:
        yield _chunk(envelope, [_choice(delta, None)], include_usage)
    yield _chunk(envelope, [_choice({}, _finish(said))], include_usage)
    if include_usage:
        yield {**_chunk(envelope, [], True), "usage": usage(said, prompt_tokens)}


def url_citations(said: Said, link: Callable[[Citation], str]) -> list[Json]:
    """A citation each, in the order of the record."""
    found = []
    for piece in said.pieces:
        for citation in piece.citations:
            cited = url_citation(citation, piece.span, link=link(citation))
            kind = cited.pop("type")
            found.append({"type": kind, kind: cited})
    return found


def usage(said: Said, prompt_tokens: int) -> Json:
    """What was read and what was said, in tokens."""
    return {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": said.token_count,
        "total_tokens": prompt_tokens + said.token_count,
    }


def _finish(said: Said) -> str:
    return "length" if said.is_cut else "stop"


def _choice(delta: Json, finish: str | None) -> Json:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}


def _chunk(envelope: Json, choices: list[Json], include_usage: bool) -> Json:
    chunk = {**envelope, "object": "chat.completion.chunk", "choices": choices}
    return {**chunk, "usage": None} if include_usage else chunk
