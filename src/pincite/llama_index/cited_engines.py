"""Engines and synthesizers whose every response has its sources."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator, Sequence
from typing import Any

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.base.response.schema import RESPONSE_TYPE
from llama_index.core.chat_engine.types import (
    AGENT_CHAT_RESPONSE_TYPE,
    AgentChatResponse,
    BaseChatEngine,
    StreamingAgentChatResponse,
)
from llama_index.core.prompts.mixin import PromptMixinType
from llama_index.core.response_synthesizers import BaseSynthesizer
from llama_index.core.schema import NodeWithScore, QueryBundle, QueryType
from llama_index.core.types import RESPONSE_TEXT_TYPE

from pincite.llama_index.cited_sources import CitedSources


class CitedQueryEngine(BaseQueryEngine):
    """A query engine with the sources of each answer in `response.metadata`: see `CitedSources`."""

    def __init__(self, engine: BaseQueryEngine, sources: CitedSources | None = None) -> None:
        self._engine = engine
        self._sources = sources or CitedSources()
        super().__init__(callback_manager=engine.callback_manager)

    def _get_prompt_modules(self) -> PromptMixinType:
        return {"engine": self._engine}

    def _query(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        return self._sources(self._engine.query(query_bundle), query=query_bundle.query_str)

    async def _aquery(self, query_bundle: QueryBundle) -> RESPONSE_TYPE:
        response = await self._engine.aquery(query_bundle)
        # Matching takes a while, and the loop has other things to do.
        return await asyncio.to_thread(self._sources, response, query=query_bundle.query_str)


class CitedSynthesizer(BaseSynthesizer):
    """A response synthesizer with the sources of each answer: for any retriever and any model."""

    def __init__(self, synthesizer: BaseSynthesizer, sources: CitedSources | None = None) -> None:
        super().__init__(llm=synthesizer._llm)
        self._synthesizer = synthesizer
        self._sources = sources or CitedSources()

    def _get_prompt_modules(self) -> PromptMixinType:
        return {"synthesizer": self._synthesizer}

    def _get_prompts(self) -> dict[str, Any]:
        return {}

    def _update_prompts(self, prompts: dict[str, Any]) -> None:
        pass

    def get_response(
        self, query_str: str, text_chunks: Sequence[str], **response_kwargs: Any
    ) -> RESPONSE_TEXT_TYPE:
        """What the synthesizer says to texts; nodes alone have sources."""
        return self._synthesizer.get_response(query_str, text_chunks, **response_kwargs)

    async def aget_response(
        self, query_str: str, text_chunks: Sequence[str], **response_kwargs: Any
    ) -> RESPONSE_TEXT_TYPE:
        """The same, in async."""
        return await self._synthesizer.aget_response(query_str, text_chunks, **response_kwargs)

    def synthesize(
        self,
        query: QueryType,
        nodes: list[NodeWithScore],
        additional_source_nodes: Sequence[NodeWithScore] | None = None,
        **response_kwargs: Any,
    ) -> RESPONSE_TYPE:
        """The answer from nodes, with its sources."""
        response = self._synthesizer.synthesize(
            query, nodes, additional_source_nodes, **response_kwargs
        )
        return self._sources(response, query=_words(query))

    async def asynthesize(
        self,
        query: QueryType,
        nodes: list[NodeWithScore],
        additional_source_nodes: Sequence[NodeWithScore] | None = None,
        **response_kwargs: Any,
    ) -> RESPONSE_TYPE:
        """The answer from nodes, with its sources."""
        response = await self._synthesizer.asynthesize(
            query, nodes, additional_source_nodes, **response_kwargs
        )
        return await asyncio.to_thread(self._sources, response, query=_words(query))


class CitedChatEngine(BaseChatEngine):
    """A chat engine with the sources of each answer in `response.metadata`: see `CitedSources`."""

    def __init__(self, engine: BaseChatEngine, sources: CitedSources | None = None) -> None:
        self._engine = engine
        self._sources = sources or CitedSources()

    def reset(self) -> None:
        """Forget the conversation."""
        self._engine.reset()

    @property
    def chat_history(self) -> list[ChatMessage]:
        """What was said so far."""
        return self._engine.chat_history

    def chat(
        self, message: str, chat_history: list[ChatMessage] | None = None
    ) -> AGENT_CHAT_RESPONSE_TYPE:
        """The answer, with its sources."""
        response = self._engine.chat(message, chat_history)
        return self._sources(response, query=message) if _is_whole(response) else response

    async def achat(
        self, message: str, chat_history: list[ChatMessage] | None = None
    ) -> AGENT_CHAT_RESPONSE_TYPE:
        """The answer, with its sources."""
        response = await self._engine.achat(message, chat_history)
        if not _is_whole(response):
            return response
        return await asyncio.to_thread(self._sources, response, query=message)

    def stream_chat(
        self, message: str, chat_history: list[ChatMessage] | None = None
    ) -> StreamingAgentChatResponse:
        """The answer word by word; its sources are there after the last."""
        response = self._engine.stream_chat(message, chat_history)
        return _CitedStream(response, self._sources, message)

    async def astream_chat(
        self, message: str, chat_history: list[ChatMessage] | None = None
    ) -> StreamingAgentChatResponse:
        """The answer word by word; its sources are there after the last."""
        response = await self._engine.astream_chat(message, chat_history)
        return _CitedStream(response, self._sources, message)


class _CitedStream(StreamingAgentChatResponse):
    """A chat response that streams, and has its sources once it has ended."""

    def __init__(
        self, inner: StreamingAgentChatResponse, sources: CitedSources, message: str
    ) -> None:
        super().__init__(sources=inner.sources, source_nodes=inner.source_nodes)
        self.metadata: dict[str, Any] = dict(getattr(inner, "metadata", None) or {})
        self._inner = inner
        self._cited = sources
        self._message = message

    def __str__(self) -> str:
        return str(self._inner)

    @property
    def response_gen(self) -> Generator[str, None, None]:
        yield from self._inner.response_gen
        self._settle()

    async def async_response_gen(self) -> AsyncGenerator[str, None]:
        async for piece in self._inner.async_response_gen():
            yield piece
        await asyncio.to_thread(self._settle)

    def _settle(self) -> None:
        self.response = self._inner.response
        self.unformatted_response = self._inner.unformatted_response
        self.is_done = True
        self.source_nodes = self._inner.source_nodes
        self._cited.settle(self, self.response, self._message)


def _is_whole(response: AGENT_CHAT_RESPONSE_TYPE) -> bool:
    return isinstance(response, AgentChatResponse)


def _words(query: QueryType) -> str:
    return query if isinstance(query, str) else query.query_str
