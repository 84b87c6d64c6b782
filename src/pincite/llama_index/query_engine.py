"""Pincite's own answers as a query engine of LlamaIndex."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator
from typing import Any

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.response.schema import (
    RESPONSE_TYPE,
    AsyncStreamingResponse,
    Response,
    StreamingResponse,
)
from llama_index.core.callbacks import CallbackManager
from llama_index.core.prompts.mixin import PromptMixinType
from llama_index.core.schema import NodeWithScore, QueryBundle

from pincite.index import Index
from pincite.llama_index.events import tell_used
from pincite.llama_index.nodes import USED
from pincite.llama_index.prompts import REFUSAL
from pincite.llama_index.retriever import nodes_of
from pincite.llama_index.words import words_of
from pincite.records import Answer, Refusal
from pincite.render.record import to_json


class PinciteQueryEngine(BaseQueryEngine):
    """Answers from a Pincite index with the exact words, or refuses; no LLM is asked.

    `response.metadata` holds `citations`, as in the record of an answer, and `record`, all of it.
    `response.source_nodes` are the passages that were found, `used` in the metadata of each says
    whether the answer quotes it. A refusal is `I could not find that in the documents.`; it has
    no citations. In a stream the metadata is there once the last word is. The index stays the
    caller's, who closes it.
    """

    def __init__(
        self,
        index: Index,
        *,
        document: str | None = None,
        streaming: bool = False,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        self._index = index
        self._document = document
        self._streaming = streaming
        super().__init__(callback_manager=callback_manager)

    def _get_prompt_modules(self) -> PromptMixinType:
        return {}

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        text, nodes, metadata = self._answer(query_bundle.query_str)
        if self._streaming:
            told: dict[str, Any] = {}
            return StreamingResponse(_pieces(text, told, metadata), nodes, told)
        return Response(text, nodes, metadata)

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        text, nodes, metadata = await asyncio.to_thread(self._answer, query_bundle.query_str)
        if self._streaming:
            told: dict[str, Any] = {}
            return AsyncStreamingResponse(_pieces_async(text, told, metadata), nodes, told)
        return Response(text, nodes, metadata)

    def _answer(self, question: str) -> tuple[str, list[NodeWithScore], dict[str, Any]]:
        if not question.strip():
            return REFUSAL, [], {"citations": [], "record": None}
        found = self._index.ask(question, document=self._document)
        nodes = nodes_of(self._index, found.retrieved)
        used = {(one.document.path, one.position.start) for one in found.retrieved if one.used}
        for scored in nodes:
            node = scored.node
            place = (node.metadata["file_path"], getattr(node, "start_char_idx", None))
            node.metadata[USED] = place in used
        tell_used(question, nodes)
        record = to_json(found)
        metadata = {"citations": record.get("citations", []), "record": record}
        return _said(found), nodes, metadata


def _said(found: Answer | Refusal) -> str:
    return found.text if isinstance(found, Answer) else REFUSAL


def _pieces(
    text: str, told: dict[str, Any], metadata: dict[str, Any]
) -> Generator[str, None, None]:
    yield from words_of(text)
    told |= metadata


async def _pieces_async(
    text: str, told: dict[str, Any], metadata: dict[str, Any]
) -> AsyncGenerator[str, None]:
    for piece in words_of(text):
        yield piece
    told |= metadata
