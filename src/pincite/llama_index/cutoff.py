"""Which retrieved nodes are kept: those with a sentence that answers, not those that look near."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from llama_index.core.bridge.pydantic import Field
from llama_index.core.postprocessor.types import BaseNodePostprocessor
from llama_index.core.schema import NodeWithScore, QueryBundle
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.base.event import BaseEvent

from pincite.answering.scorer import LinearScorer
from pincite.engine import DEFAULT, judge, threshold_of, understand
from pincite.llama_index.nodes import text_of
from pincite.loaders import document_of_text
from pincite.prompted import closest_scorer
from pincite.protocols import Scorer
from pincite.records import ScoredPassage
from pincite.retrieval.combining import find
from pincite.store.memory import MemoryCorpus
from pincite.text.passages import split_passages

_dispatcher = get_dispatcher(__name__)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a node is kept, and why."""

    node_id: str
    kept: bool
    confidence: float
    """That its best sentence answers the question, 0 to 1."""
    reason: str


class NodesDroppedEvent(BaseEvent):
    """Which nodes a `SupportedCutoff` dropped, and why."""

    query: str
    reasons: dict[str, str]
    """By the id of the node."""

    @classmethod
    def class_name(cls) -> str:
        """The name handlers tell this event by."""
        return "NodesDroppedEvent"


class SupportedCutoff(BaseNodePostprocessor):
    """Keeps the nodes that hold a sentence which answers the question, surely enough.

    In place of a cutoff by similarity, whose scale is another for every retriever. How sure is the
    confidence of Pincite, which questions with known answers calibrated. Scores stay as they were
    retrieved; one that is not a number is taken away. `verdicts` says why a node is kept or not,
    and so does `NodesDroppedEvent` to instrumentation.
    """

    close_reading: bool = Field(
        default=False,
        description="Whether the best sentences are read by the model too, as the engine does: "
        "20 to 60 times the work for each node.",
    )
    minimum: float | None = Field(
        default=None,
        description="The least confidence of a node that is kept; None for that of an answer.",
    )
    similarity_cutoff: float | None = Field(
        default=None,
        description="The least score as well; nodes without one, or with NaN, are dropped then.",
    )

    @classmethod
    def class_name(cls) -> str:
        """The name LlamaIndex stores this postprocessor under."""
        return "SupportedCutoff"

    def verdicts(self, nodes: Sequence[NodeWithScore], query: str) -> list[Verdict]:
        """For each node whether it is kept, and why; all are, where there is no question."""
        if not query.strip():
            return [Verdict(one.node.node_id, True, 0.0, "there is no question") for one in nodes]
        scorer = closest_scorer() if self.close_reading else LinearScorer()
        confidences = _confidences(query, [text_of(one.node) for one in nodes], scorer)
        return [
            Verdict(one.node.node_id, not why, confidence, why or "it holds an answer")
            for one, (confidence, threshold) in zip(nodes, confidences, strict=True)
            for least in [threshold if self.minimum is None else self.minimum]
            for why in [_against(one.score, self.similarity_cutoff, confidence, least)]
        ]

    def _postprocess_nodes(
        self, nodes: list[NodeWithScore], query_bundle: QueryBundle | None = None
    ) -> list[NodeWithScore]:
        query = query_bundle.query_str if query_bundle else ""
        verdicts = self.verdicts(nodes, query)
        dropped = {one.node_id: one.reason for one in verdicts if not one.kept}
        if dropped:
            _dispatcher.event(NodesDroppedEvent(query=query, reasons=dropped))
        return [
            NodeWithScore(node=given.node, score=_number(given.score))
            for given, verdict in zip(nodes, verdicts, strict=True)
            if verdict.kept
        ]


def _against(score: float | None, cutoff: float | None, confidence: float, least: float) -> str:
    """Why a node is dropped; empty where it is kept."""
    if cutoff is not None:
        if score is None:
            return "it has no score"
        if math.isnan(score):
            return "its score is not a number"
        if score < cutoff:
            return f"its score {score:.3f} is below {cutoff:.3f}"
    if confidence < least:
        if not confidence:
            return "no sentence of it has to do with the question"
        return f"its best sentence answers with a confidence of {confidence:.2f}, below {least:.2f}"
    return ""


def _number(score: float | None) -> float | None:
    return None if score is None or math.isnan(score) else score


def _confidences(question: str, texts: Sequence[str], scorer: Scorer) -> list[tuple[float, float]]:
    """For each text the confidence of its best sentence, as if it alone had been found, and that
    of an answer.

    How telling a word is, all texts say together.
    """
    # The same text twice would make its words less telling.
    names = {text: f"{number:06}.md" for number, text in enumerate(dict.fromkeys(texts))}
    documents = [document_of_text(text, name=name) for text, name in names.items()]
    passages = [passage for document in documents for passage in split_passages(document)]
    best = dict.fromkeys(names.values(), (0.0, scorer.threshold))
    if passages:
        corpus = MemoryCorpus(documents, passages)
        query = understand(question, corpus, ())
        of_text: dict[str, list[ScoredPassage]] = {}
        if query.weights:
            for scored in find(query, corpus, None, limit=len(passages)):
                of_text.setdefault(scored.passage.path, []).append(scored)
        for path, found in of_text.items():
            # One at a time: among others only the best sentence of all gets a confidence.
            for first in judge(query, found, corpus, scorer)[:1]:
                best[path] = first.confidence, threshold_of(scorer, DEFAULT, first)
    return [best[names[text]] for text in texts]
