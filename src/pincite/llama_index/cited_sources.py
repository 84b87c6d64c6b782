"""Citations for the answers of any engine and any model: what of the retrieved nodes they use."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from llama_index.core.base.response.schema import (
    AsyncStreamingResponse,
    PydanticResponse,
    Response,
    StreamingResponse,
)
from llama_index.core.bridge.pydantic import BaseModel
from llama_index.core.chat_engine.types import AgentChatResponse, StreamingAgentChatResponse
from llama_index.core.schema import BaseNode, Document, NodeWithScore

from pincite.citing.cite import cite
from pincite.llama_index.anchoring import anchored
from pincite.llama_index.contexts import is_step
from pincite.llama_index.events import tell_used
from pincite.llama_index.nodes import USED, anchor_of, path_of, text_of
from pincite.llama_index.prompts import REFUSAL
from pincite.llama_index.support import Standing, Supported, supports
from pincite.records import Passage, Role, Span
from pincite.render.record import Json, citation_to_json

Cited = (
    Response
    | PydanticResponse
    | StreamingResponse
    | AsyncStreamingResponse
    | AgentChatResponse
    | StreamingAgentChatResponse
)
Answered = TypeVar("Answered", bound=Cited)
_NO_ANSWER = frozenset(("", "None", "Empty Response", REFUSAL))
_CONTEXT = 32


@dataclass(frozen=True, slots=True)
class Sources:
    """What an answer stands on."""

    nodes: list[NodeWithScore]
    """As they were retrieved, `used` in the metadata of each."""
    citations: list[Json]
    """In the form of a citation of Pincite's record, with the `node_id` it stands in, and the
    `page_label` of that where it has one; `position` and `lines` are null where it is not known for
    certain where the node stands."""
    sentences: list[Json]
    """Of the answer: `text`, `standing` (quoted, supported or unsupported), `node_id`, and as
    `left_out` what the sentence that is quoted says further, where that limits or denies it."""

    @property
    def metadata(self) -> dict[str, Any]:
        """What is kept with a response."""
        return {"citations": self.citations, "sentences": self.sentences}


class CitedSources:
    """Says which words of the retrieved nodes an answer stands on, whoever wrote it.

    Called with a response, it puts `citations` and `sentences` into its metadata, and `used` into
    the metadata of each of its source nodes, of which it makes copies. A response that streams has
    both once its last word is there. `CitedQueryEngine`, `CitedChatEngine` and `CitedSynthesizer`
    do so for every response. What is said in none of the nodes is `unsupported` and has no
    citation; a refusal has none either. With the `documents` that the nodes were made of, offsets
    of the nodes of any parser are made sure of first, and given where they are certain.
    """

    def __init__(self, documents: Sequence[Document] = ()) -> None:
        self._documents = list(documents)

    def __call__(self, response: Answered, *, query: str = "") -> Answered:
        """The same response, with its sources."""
        if isinstance(response, StreamingResponse):
            response.metadata = dict(response.metadata or {})
            response.response_gen = self._stream(response, response.response_gen, query)
        elif isinstance(response, AsyncStreamingResponse):
            response.metadata = dict(response.metadata or {})
            response.response_gen = self._stream_async(response, response.response_gen, query)
        elif isinstance(response, StreamingAgentChatResponse):
            raise ValueError(
                "a chat that streams is cited by its engine: put that into a CitedChatEngine"
            )
        else:
            self.settle(response, _text(response), query)
        return response

    def sources(self, text: str, nodes: Sequence[NodeWithScore], *, query: str = "") -> Sources:
        """What a text stands on, for a workflow of one's own."""
        plain = [one.node for one in nodes]
        known = anchored(plain, self._documents) if self._documents else plain
        said = [] if text.strip() in _NO_ANSWER else _supports(text, known)
        used = {one.text_index for one in said if one.text_index >= 0}
        marked = [
            NodeWithScore(node=_marked(node, index in used), score=given.score)
            for index, (node, given) in enumerate(zip(known, nodes, strict=True))
        ]
        tell_used(query, marked)
        return Sources(
            nodes=marked,
            citations=[
                _citation(known[one.text_index], one) for one in said if one.text_index >= 0
            ],
            sentences=[_sentence(known, one) for one in said],
        )

    def settle(
        self,
        response: Cited,
        text: str,
        query: str,
    ) -> None:
        """Put the sources of `text` into a response that ended with it."""
        found = self.sources(text, _retrieved(response), query=query)
        response.source_nodes = found.nodes
        kept = getattr(response, "metadata", None) or {}
        kept |= found.metadata
        response.metadata = kept  # type: ignore[union-attr]

    def _stream(
        self, response: StreamingResponse, pieces: Generator[str, None, None], query: str
    ) -> Generator[str, None, None]:
        text = ""
        for piece in pieces:
            text += piece
            yield piece
        response.response_txt = text
        self.settle(response, text, query)

    async def _stream_async(
        self, response: AsyncStreamingResponse, pieces: AsyncGenerator[str, None], query: str
    ) -> AsyncGenerator[str, None]:
        text = ""
        async for piece in pieces:
            text += piece
            yield piece
        response.response_txt = text
        await asyncio.to_thread(self.settle, response, text, query)


def _supports(text: str, nodes: Sequence[BaseNode]) -> list[Supported]:
    """What of the nodes a text stands on: on no answer to a part of the question, as long as there
    are others. Such a node holds what a model said, and not what a document says."""
    real = [index for index, one in enumerate(nodes) if not _is_answer(one)] or range(len(nodes))
    return [
        replace(one, text_index=real[one.text_index]) if one.text_index >= 0 else one
        for one in supports(text, [text_of(nodes[index]) for index in real])
    ]


def _is_answer(node: BaseNode) -> bool:
    return node.source_node is None and not node.metadata and is_step(text_of(node))


def _text(response: Response | PydanticResponse | AgentChatResponse) -> str:
    """What a response says; of an object the texts in it, a paragraph each."""
    said = response.response
    if not isinstance(said, BaseModel):
        return str(response)
    return "\n\n".join(_texts_in(said.model_dump()))


def _texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts_in(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts_in(one)


def _retrieved(response: Cited) -> list[NodeWithScore]:
    """The nodes of a response; a chat that streams in async leaves them with its tool."""
    outputs = getattr(response, "sources", ())
    return response.source_nodes or [
        node for output in outputs for node in getattr(output.raw_output, "source_nodes", ())
    ]


def _marked(node: BaseNode, used: bool) -> BaseNode:
    """A copy: the node itself may stand in a store, whose prompts it would change."""
    return node.model_copy(
        update={
            "metadata": {**node.metadata, USED: used},
            "excluded_embed_metadata_keys": _with_used(node.excluded_embed_metadata_keys),
            "excluded_llm_metadata_keys": _with_used(node.excluded_llm_metadata_keys),
        }
    )


def _with_used(keys: Sequence[str]) -> list[str]:
    return [*(key for key in keys if key != USED), USED]


def _sentence(nodes: Sequence[BaseNode], said: Supported) -> Json:
    node_id = nodes[said.text_index].node_id if said.text_index >= 0 else None
    return {
        "text": said.words,
        "standing": said.standing.value,
        "node_id": node_id,
        "left_out": said.left_out,
    }


def _citation(node: BaseNode, said: Supported) -> Json:
    text, span = text_of(node), said.span
    before, after = text[: span.start], text[span.end :]
    verbatim = {"standing": said.standing.value, "node_id": node.node_id}
    # Of readers that make a document of each page.
    if label := str(node.metadata.get("page_label") or ""):
        verbatim["page_label"] = label
    anchor = anchor_of(node)
    if anchor is None:
        quote = {"exact": span.of(text), "prefix": before[-_CONTEXT:], "suffix": after[:_CONTEXT]}
        return {
            "role": Role.ANSWER.value,
            "document": {"path": path_of(node)},
            "quote": quote,
            "position": None,
            "lines": None,
            **verbatim,
        }
    headings = node.metadata.get("headings", "")
    passage = Passage(
        path=anchor.source.path,
        ordinal=0,
        span=Span(anchor.start, anchor.start + len(text)),
        text=text,
        first_line=anchor.first_line,
        heading_path=tuple(headings.split(" > ")) if headings else (),
        language="und",
        sentences=(),
    )
    found = cite(
        passage,
        Span(anchor.start + span.start, anchor.start + span.end),
        anchor.source,
        anchor.extraction,
        before=before,
        after=after,
        score=1.0 if said.standing is Standing.QUOTED else 0.0,
    )
    return {**citation_to_json(found), **verbatim}
