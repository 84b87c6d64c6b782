"""Messages of Anthropic: a question from messages, an answer as blocks of text with citations.

Where documents come with the request they are asked, and nothing else is. Characters are code
points and count from 0, as blocks do, pages from 1; ends are exclusive.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pydantic import ConfigDict, Field

from pincite.exporting.anthropic import location
from pincite.records import Citation, Turn
from pincite.server.bodies import Body, Several, examples
from pincite.server.compat.asked import EXAMPLE, Asked, Extension, Rejected, asked_in, only_without
from pincite.server.compat.said import Json, Said
from pincite.server.compat.sent import Form, Sent, place, text_of_blocks

_LEFT_ASIDE = frozenset(
    "thinking redacted_thinking tool_use tool_result server_tool_use web_search_tool_result "
    "web_fetch_tool_result code_execution_tool_result bash_code_execution_tool_result "
    "text_editor_code_execution_tool_result tool_search_tool_result compaction".split()
)
"""Blocks of earlier turns that other models made: nothing in them is asked."""


class Citing(Body):
    """Whether a document is to be cited."""

    enabled: bool = False


class Block(Body):
    """One block of a message's content."""

    model_config = ConfigDict(extra="allow")

    type: str
    text: str | None = None
    title: str | None = None
    citations: Citing | list[Any] | None = None
    source: Any = None
    """Of a document what it is made of, of a search result what it is called."""
    content: Any = None


class Message(Body):
    """One message of a conversation."""

    model_config = ConfigDict(extra="allow")

    role: Literal["user", "assistant", "system"]
    content: str | Several[Block]


class Output(Body):
    """How the answer is to be."""

    model_config = ConfigDict(extra="allow")

    format: Any = None


class CountRequest(Body):
    """What would be asked. What is said to a generator of words has no effect."""

    model_config = examples(EXAMPLE)

    model: str
    messages: Several[Message] = Field(min_length=1)
    tools: list[Any] | None = None
    tool_choice: dict[str, Any] | None = None
    output_config: Output | None = None
    pincite: Extension | None = None
    # Without effect.
    system: Any = None
    cache_control: Any = None
    speed: str | None = None
    thinking: Any = None


class MessageRequest(CountRequest):
    """A request for a message."""

    model_config = examples(
        {**EXAMPLE, "max_tokens": 500}, {**EXAMPLE, "max_tokens": 500, "stream": True}
    )

    max_tokens: int = Field(ge=0)
    stream: bool | None = None
    stop_sequences: Several[str] | None = None
    container: Any = None
    # Without effect.
    diagnostics: Any = None
    inference_geo: str | None = None
    metadata: Any = None
    service_tier: str | None = None
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None
    user_profile_id: str | None = None
    workspace_id: str | None = None


def asked_by(request: CountRequest) -> Asked:
    """The last message, asked after the others. `Rejected` for what cannot be honoured."""
    only_without(
        tools=request.tools if (request.tool_choice or {}).get("type") != "none" else None,
        output_config=request.output_config and request.output_config.format,
    )
    most = None
    if isinstance(request, MessageRequest):
        only_without(stop_sequences=request.stop_sequences, container=request.container)
        most = request.max_tokens
    turns: list[Turn] = []
    for number, message in enumerate(request.messages):
        text = _text(message, f"messages.{number}.content")
        if message.role == "system":
            continue
        if turns and turns[-1].role == message.role:
            both = "\n".join(filter(None, (turns[-1].text, text)))
            turns[-1] = Turn(message.role, both)
        else:
            turns.append(Turn(message.role, text))
    return asked_in(turns, model=request.model, extension=request.pincite, most=most)


def sent_with(request: CountRequest) -> tuple[Sent, ...]:
    """The documents of all messages, in their order. `Rejected` for what is never fetched."""
    sent: list[Sent] = []
    counts = {"document": 0, "search_result": 0}
    for number, message in enumerate(request.messages):
        if isinstance(message.content, str):
            continue
        for position, block in enumerate(message.content):
            if block.type in counts:
                where = f"messages.{number}.content.{position}"
                sent.append(_sent(block, where, counts[block.type]))
                counts[block.type] += 1
    if len({one.is_cited for one in sent}) > 1:
        raise Rejected("Citations are enabled on all documents or on none.", param="messages")
    return tuple(sent)


def _text(message: Message, where: str) -> str:
    if isinstance(message.content, str):
        return message.content
    texts = []
    for number, block in enumerate(message.content):
        if block.type == "text" and block.text is not None:
            texts.append(block.text)
        elif block.type not in _LEFT_ASIDE and block.type not in ("document", "search_result"):
            raise Rejected(
                f"A block of the type {block.type!r} is not supported: text, documents and search "
                f"results are read here.",
                param=f"{where}.{number}",
            )
    # An answer's blocks are one text; what is asked stands on lines of its own.
    return ("" if message.role == "assistant" else "\n").join(texts)


def _sent(block: Block, where: str, number: int) -> Sent:
    is_cited = isinstance(block.citations, Citing) and block.citations.enabled
    title = block.title or ""
    if block.type == "search_result":
        texts = _texts(block.content, where)
        source = block.source if isinstance(block.source, str) else ""
        return Sent(
            Form.SEARCH_RESULT,
            where,
            number,
            is_cited,
            title,
            text=text_of_blocks(texts),
            blocks=texts,
            source=source,
        )
    match block.source:
        case {"type": "text", "data": str(data)}:
            return Sent(Form.TEXT, where, number, is_cited, title, text=data)
        case {"type": "base64", "media_type": "application/pdf", "data": str(data)}:
            return Sent(Form.PDF, where, number, is_cited, title, data=data)
        case {"type": "content", "content": str(words)}:
            return Sent(Form.BLOCKS, where, number, is_cited, title, text=words, blocks=(words,))
        case {"type": "content", "content": list(parts)}:
            texts = _texts(parts, f"{where}.source")
            text = text_of_blocks(texts)
            return Sent(Form.BLOCKS, where, number, is_cited, title, text=text, blocks=texts)
    raise Rejected(
        "A document is plain text, content of text blocks, or a PDF in base64; nothing is fetched "
        "from elsewhere.",
        param=f"{where}.source",
    )


def _texts(content: Any, where: str) -> tuple[str, ...]:
    texts = []
    for number, block in enumerate(content if isinstance(content, list) else [None]):
        text = block.get("text") if isinstance(block, dict) else None
        if not isinstance(text, str):
            raise Rejected("Only blocks of text are read.", param=f"{where}.content.{number}")
        texts.append(text)
    return tuple(texts)


def message(said: Said, sent: Sequence[Sent], *, input_tokens: int, envelope: Json) -> Json:
    """The answer as a message; `envelope` holds its id and model.

    Joined, the texts of the blocks are that of the answer: all but the first begin with what
    stands between two quotes.
    """
    cited = _cited(said, sent)
    return {
        **_frame(said, envelope),
        "content": [
            {"type": "text", "text": text, "citations": places or None}
            for text, places in zip(said.deltas(), cited, strict=True)
        ],
        **_stop(said),
        "usage": {"input_tokens": input_tokens, "output_tokens": said.token_count},
    }


def events(
    said: Said, sent: Sequence[Sent], *, input_tokens: int, envelope: Json
) -> Iterator[Json]:
    """The same as the events of a stream; the record comes with the first."""
    yield {
        "type": "message_start",
        "message": {
            **_frame(said, envelope),
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": input_tokens, "output_tokens": 0},
        },
    }
    for index, (text, places) in enumerate(zip(said.deltas(), _cited(said, sent), strict=True)):
        block: Json = {"type": "text", "text": "", "citations": [] if places else None}
        deltas = [
            {"type": "text_delta", "text": text},
            *({"type": "citations_delta", "citation": one} for one in places),
        ]
        yield {"type": "content_block_start", "index": index, "content_block": block}
        for delta in deltas:
            yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    yield {
        "type": "message_delta",
        "delta": _stop(said),
        "usage": {"input_tokens": input_tokens, "output_tokens": said.token_count},
    }
    yield {"type": "message_stop"}


def _cited(said: Said, sent: Sequence[Sent]) -> list[list[Json]]:
    """The places of each piece, none where citations are not wanted."""
    if sent and not sent[0].is_cited:
        return [[] for _ in said.pieces]
    paths = dict.fromkeys(
        citation.document.path for piece in said.pieces for citation in piece.citations
    )
    numbers = {path: number for number, path in enumerate(paths)}

    def placed(citation: Citation) -> Json:
        if sent:
            return place(citation, sent)
        cited = location(
            citation, number=numbers[citation.document.path], offset=lambda offset: offset
        )
        return {**cited, "file_id": citation.document.sha256}

    return [[placed(citation) for citation in piece.citations] for piece in said.pieces]


def _frame(said: Said, envelope: Json) -> Json:
    return {**envelope, "type": "message", "role": "assistant", "pincite": said.extension}


def _stop(said: Said) -> Json:
    reason = "refusal" if said.is_refusal else "max_tokens" if said.is_cut else "end_turn"
    details = {
        "type": "refusal",
        "category": None,
        "explanation": said.record.get("explanation"),
    }
    return {
        "stop_reason": reason,
        "stop_sequence": None,
        "stop_details": details if said.is_refusal else None,
    }
