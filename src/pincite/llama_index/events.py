"""What LlamaIndex's instrumentation is told: which of the retrieved nodes an answer uses."""

from __future__ import annotations

from collections.abc import Sequence

from llama_index.core.schema import NodeWithScore
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.base.event import BaseEvent

from pincite.llama_index.nodes import USED

_dispatcher = get_dispatcher(__name__)


class SourcesUsedEvent(BaseEvent):
    """Which of the nodes that were retrieved for a question its answer uses."""

    query: str
    used: list[str]
    """The ids of the nodes, in the order they were retrieved."""
    unused: list[str]

    @classmethod
    def class_name(cls) -> str:
        """The name handlers tell this event by."""
        return "SourcesUsedEvent"


def tell_used(question: str, nodes: Sequence[NodeWithScore]) -> None:
    """Dispatch the event for nodes whose metadata says whether they are used."""
    used = [one.node.node_id for one in nodes if one.node.metadata.get(USED)]
    unused = [one.node.node_id for one in nodes if not one.node.metadata.get(USED)]
    _dispatcher.event(SourcesUsedEvent(query=question, used=used, unused=unused))
