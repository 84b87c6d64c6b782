"""The encoder that ships in the package, as a LlamaIndex embedding model."""

from __future__ import annotations

import asyncio
from typing import Any

from llama_index.core.base.embeddings.base import BaseEmbedding, Embedding
from llama_index.core.bridge.pydantic import PrivateAttr

from pincite.encoder.encode import Encoder


class LocalEmbedding(BaseEmbedding):
    """all-MiniLM-L6-v2 from the package itself: no key, no download, no network.

    384 numbers for each text, of length 1, the same for a question as for a passage; only the
    first 256 word pieces of a text are read. Raises MissingExtra on first use where the model
    is not installed.
    """

    _encoder: Encoder = PrivateAttr(default_factory=Encoder)

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{"model_name": "all-MiniLM-L6-v2", "embed_batch_size": 64, **settings})

    @classmethod
    def class_name(cls) -> str:
        """The name LlamaIndex stores this model under."""
        return "pincite_local_embedding"

    def _encode(self, texts: list[str]) -> list[Embedding]:
        vectors: list[Embedding] = self._encoder.encode(texts).tolist()
        return vectors

    def _get_query_embedding(self, query: str) -> Embedding:
        return self._encode([query])[0]

    def _get_text_embedding(self, text: str) -> Embedding:
        return self._encode([text])[0]

    def _get_text_embeddings(self, texts: list[str]) -> list[Embedding]:
        return self._encode(texts)

    async def _aget_query_embedding(self, query: str) -> Embedding:
        return await asyncio.to_thread(self._get_query_embedding, query)

    async def _aget_text_embedding(self, text: str) -> Embedding:
        return await asyncio.to_thread(self._get_text_embedding, text)

    async def _aget_text_embeddings(self, texts: list[str]) -> list[Embedding]:
        return await asyncio.to_thread(self._get_text_embeddings, texts)
