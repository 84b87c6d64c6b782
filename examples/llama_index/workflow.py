"""A workflow of one's own: the answer as a stream, its citations once at the end."""

import asyncio
from pathlib import Path
from typing import Any

from llama_index.core import VectorStoreIndex, get_response_synthesizer
from llama_index.core.base.response.schema import AsyncStreamingResponse
from llama_index.core.schema import NodeWithScore
from llama_index.core.workflow import Context, Event, StartEvent, StopEvent, Workflow, step

from pincite.llama_index import (
    CitedSynthesizer,
    ExtractiveLLM,
    LocalEmbedding,
    PinciteNodeParser,
    PinciteReader,
)

folder = Path(__file__).parents[1] / "helpcentre" / "documents" / "account"
nodes = PinciteNodeParser().get_nodes_from_documents(PinciteReader().load_data(folder))
index = VectorStoreIndex(nodes, embed_model=LocalEmbedding())


class Found(Event):
    """What was retrieved."""

    query: str
    nodes: list[NodeWithScore]


class Said(Event):
    """A piece of the answer."""

    piece: str


class Cited(Event):
    """What the answer stands on."""

    citations: list[dict[str, Any]]


class Answering(Workflow):
    """Retrieves, then answers."""

    @step
    async def retrieve(self, event: StartEvent) -> Found:
        """Look for the question."""
        retriever = index.as_retriever(similarity_top_k=4)
        return Found(query=event.query, nodes=await retriever.aretrieve(event.query))

    @step
    async def answer(self, context: Context, event: Found) -> StopEvent:
        """Say the words as they come, then what they stand on."""
        # Any other model does as well.
        inner = get_response_synthesizer(ExtractiveLLM(), streaming=True)
        response = await CitedSynthesizer(inner).asynthesize(event.query, event.nodes)
        assert isinstance(response, AsyncStreamingResponse)
        async for piece in response.async_response_gen():
            context.write_event_to_stream(Said(piece=piece))
        # Citations are there once the last word is.
        context.write_event_to_stream(Cited(citations=response.metadata["citations"]))
        return StopEvent(result=response)


async def main() -> None:
    handler = Answering(timeout=60).run(query="How long is a gift card valid?")
    async for event in handler.stream_events():
        if isinstance(event, Said):
            print(event.piece, end="")
        elif isinstance(event, Cited):
            print()
            for one in event.citations:
                print(one["document"]["path"], "line", one["lines"]["start"])
    response = await handler
    print([node.node.node_id for node in response.source_nodes if node.metadata["used"]])


asyncio.run(main())
