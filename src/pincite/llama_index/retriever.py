"""The passages of a Pincite index, for LlamaIndex."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.callbacks import CallbackManager
from llama_index.core.schema import NodeWithScore, QueryBundle

from pincite.errors import DocumentNotFound
from pincite.index import Index
from pincite.llama_index.nodes import Anchor, node_of
from pincite.records import Retrieved


class PinciteRetriever(BaseRetriever):
    """The passages of an index that fit a question best, best first, as nodes with exact offsets.

    `limit` is how many; `document` stays inside one document, by its path in the folder. None for
    a blank question. The index stays the caller's, who closes it.
    """

    def __init__(
        self,
        index: Index,
        *,
        limit: int = 10,
        document: str | None = None,
        callback_manager: CallbackManager | None = None,
    ) -> None:
        if limit < 1:
            raise ValueError(f"a limit of {limit} passages: ask for at least 1")
        self._index = index
        self._limit = limit
        self._document = document
        super().__init__(callback_manager=callback_manager)

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        question = query_bundle.query_str
        if not question.strip():
            return []
        found = self._index.search(question, limit=self._limit, document=self._document)
        return nodes_of(self._index, found)

    async def _aretrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        return await asyncio.to_thread(self._retrieve, query_bundle)


def nodes_of(index: Index, found: Sequence[Retrieved]) -> list[NodeWithScore]:
    """The passages as nodes; those that went from the index meanwhile are left out."""
    return list(_nodes(index, found))


def _nodes(index: Index, found: Iterable[Retrieved]) -> Iterable[NodeWithScore]:
    for passage in found:
        path, position = passage.document.path, passage.position
        try:
            excerpt = index.show(f"{path}#char={position.start},{position.end}")
        except DocumentNotFound:
            continue
        anchor = Anchor(passage.document, excerpt.text, position.start, passage.lines.start)
        node = node_of(
            passage.text,
            anchor,
            heading_path=passage.heading_path,
            place=passage.place,
            lines=passage.lines,
        )
        yield NodeWithScore(node=node, score=passage.score)
