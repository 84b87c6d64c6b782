"""Citations for answers of any model, made from the nodes that were retrieved."""

import asyncio
import json
from typing import Any

import pytest
from llama_index.core import Document, SummaryIndex, VectorStoreIndex, get_response_synthesizer
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.base.response.schema import Response
from llama_index.core.bridge.pydantic import BaseModel
from llama_index.core.indices.query.query_transform.base import StepDecomposeQueryTransform
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.llms import CompletionResponse, CompletionResponseGen, CustomLLM, LLMMetadata
from llama_index.core.llms.callbacks import llm_completion_callback
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.query_engine import MultiStepQueryEngine, SubQuestionQueryEngine
from llama_index.core.question_gen import LLMQuestionGenerator
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.core.tools import QueryEngineTool

from pincite.llama_index import (
    CitedChatEngine,
    CitedQueryEngine,
    CitedSources,
    CitedSynthesizer,
    ExtractiveLLM,
    LocalEmbedding,
    PinciteNodeParser,
    SourcesUsedEvent,
    citation_blocks,
)
from pincite.llama_index.prompts import REFUSAL
from pincite.llama_index.support import Standing, supports

REFUNDS = (
    "# Refunds\n\nThe money goes back to the card\nyou paid with within 5 working days.\n\n"
    "## Vouchers\n\nVouchers are never refunded.\n"
)
LAMPS = "# Lamps\n\nThe LMP-204 desk lamp has a known cable fault.\n"
QUESTION = "How long until my refund money reaches my card?"
ANSWER = "The money goes back to the card you paid with within 5 working days."
DOCUMENTS = [
    Document(text=REFUNDS, id_="r", metadata={"file_path": "refunds.md"}),
    Document(text=LAMPS, id_="l", metadata={"file_path": "lamps.md"}),
]


class Talker(CustomLLM):
    """A model that says always the same, in its own words."""

    said: str

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata()

    @llm_completion_callback()
    def complete(self, prompt: str, formatted: bool = False, **kwargs: Any) -> CompletionResponse:
        return CompletionResponse(text=self.said)

    @llm_completion_callback()
    def stream_complete(
        self, prompt: str, formatted: bool = False, **kwargs: Any
    ) -> CompletionResponseGen:
        for end in range(1, len(self.said) + 1):
            yield CompletionResponse(text=self.said[:end], delta=self.said[end - 1])


@pytest.fixture(scope="module")
def index() -> VectorStoreIndex:
    nodes = PinciteNodeParser().get_nodes_from_documents(DOCUMENTS)
    return VectorStoreIndex(nodes, embed_model=LocalEmbedding())


def check(metadata: dict[str, Any], nodes: list[NodeWithScore]) -> None:
    """The answer is cited once, from the refunds, and the node that says it is marked."""
    (citation,) = metadata["citations"]
    start, end = citation["position"]["start"], citation["position"]["end"]
    assert REFUNDS[start:end] == citation["quote"]["exact"]
    assert " ".join(citation["quote"]["exact"].split()) == ANSWER
    assert citation["document"]["path"] == "refunds.md"
    assert citation["lines"] == {"start": 3, "end": 4}
    used = [one.node.node_id for one in nodes if one.node.metadata["used"]]
    assert used == [citation["node_id"]]
    json.dumps(metadata)


def test_a_query_engine_says_what_each_answer_used(index: VectorStoreIndex) -> None:
    engine = CitedQueryEngine(index.as_query_engine(llm=ExtractiveLLM(), similarity_top_k=3))
    for response in (engine.query(QUESTION), asyncio.run(engine.aquery(QUESTION))):
        assert str(response) == ANSWER
        check(response.metadata, response.source_nodes)


def test_a_stream_has_its_citations_at_its_end(index: VectorStoreIndex) -> None:
    inner = index.as_query_engine(llm=ExtractiveLLM(), similarity_top_k=3, streaming=True)
    response = CitedQueryEngine(inner).query(QUESTION)
    assert "citations" not in response.metadata
    assert "".join(response.response_gen) == ANSWER
    check(response.metadata, response.source_nodes)
    assert str(response) == ANSWER

    async def run() -> None:
        response = await CitedQueryEngine(inner).aquery(QUESTION)
        pieces = [piece async for piece in response.async_response_gen()]
        assert "".join(pieces) == ANSWER
        check(response.metadata, response.source_nodes)

    asyncio.run(run())


@pytest.mark.parametrize("mode", ["context", "condense_question", "condense_plus_context"])
def test_a_chat_engine_says_what_each_answer_used(index: VectorStoreIndex, mode: str) -> None:
    def engine() -> CitedChatEngine:
        memory = ChatMemoryBuffer.from_defaults(token_limit=10_000)
        return CitedChatEngine(
            index.as_chat_engine(
                chat_mode=mode, llm=ExtractiveLLM(), memory=memory, similarity_top_k=3
            )
        )

    response = engine().chat(QUESTION)
    check(response.metadata, response.source_nodes)
    stream = engine().stream_chat(QUESTION)
    assert "".join(stream.response_gen) == ANSWER
    check(stream.metadata, stream.source_nodes)

    async def run() -> None:
        response = await engine().achat(QUESTION)
        check(response.metadata, response.source_nodes)
        stream = await engine().astream_chat(QUESTION)
        assert "".join([piece async for piece in stream.async_response_gen()]) == ANSWER
        check(stream.metadata, stream.source_nodes)

    asyncio.run(run())


def test_a_synthesizer_cites_for_any_retriever(index: VectorStoreIndex) -> None:
    synthesizer = CitedSynthesizer(get_response_synthesizer(ExtractiveLLM()))
    engine = index.as_query_engine(
        llm=ExtractiveLLM(), response_synthesizer=synthesizer, similarity_top_k=3
    )
    for response in (engine.query(QUESTION), asyncio.run(engine.aquery(QUESTION))):
        check(response.metadata, response.source_nodes)


def test_what_another_model_says_is_matched_sentence_by_sentence(index: VectorStoreIndex) -> None:
    said = (
        "The money goes back to the card you paid with within 5 working days [1]. "
        "Vouchers never are refunded. Vouchers are refunded. It is paid in 9 days."
    )
    response = CitedQueryEngine(index.as_query_engine(llm=Talker(said=said))).query(QUESTION)
    standings = [one["standing"] for one in response.metadata["sentences"]]
    assert standings == ["quoted", "supported", "unsupported", "unsupported"]
    assert len(response.metadata["citations"]) == 2


def test_answers_to_parts_of_a_question_are_no_sources(index: VectorStoreIndex) -> None:
    inner = index.as_query_engine(llm=ExtractiveLLM(), similarity_top_k=3)
    tool = QueryEngineTool.from_defaults(inner, name="help", description="refunds and lamps")
    llm = ExtractiveLLM()
    parts = SubQuestionQueryEngine.from_defaults(
        [tool], llm, question_gen=LLMQuestionGenerator.from_defaults(llm), verbose=False
    )
    steps = MultiStepQueryEngine(
        inner,
        StepDecomposeQueryTransform(llm, verbose=False),
        response_synthesizer=get_response_synthesizer(llm),
    )
    for engine in (parts, steps):
        response = CitedQueryEngine(engine).query(QUESTION)
        assert str(response) == ANSWER
        (citation,) = response.metadata["citations"]
        assert citation["document"]["path"] == "refunds.md"
        assert [one.node.node_id for one in response.source_nodes if one.metadata["used"]] == [
            citation["node_id"]
        ]
    # What a model said before is no document: nobody quotes it.
    made_up = TextNode(text="Sub question: How long?\nResponse: It takes nine days.")
    given = [NodeWithScore(node=one) for one in (made_up, TextNode(text=LAMPS))]
    found = CitedSources().sources("It takes nine days.", given)
    assert [one["standing"] for one in found.sentences] == ["unsupported"]


def test_a_refusal_has_no_citations_and_keeps_the_nodes(index: VectorStoreIndex) -> None:
    engine = CitedQueryEngine(index.as_query_engine(llm=ExtractiveLLM(), similarity_top_k=3))
    response = engine.query("Who painted the ceiling of the chapel?")
    assert str(response) == REFUSAL
    assert (response.metadata["citations"], response.metadata["sentences"]) == ([], [])
    assert [one.node.metadata["used"] for one in response.source_nodes] == [False] * 3


def test_the_nodes_of_the_store_stay_as_they_are(index: VectorStoreIndex) -> None:
    CitedQueryEngine(index.as_query_engine(llm=ExtractiveLLM())).query(QUESTION)
    assert not any("used" in node.metadata for node in index.docstore.docs.values())


def test_a_node_whose_place_is_not_known_is_cited_as_text_only() -> None:
    node = TextNode(text=LAMPS, metadata={"file_path": "lamps.md"}, start_char_idx=7)
    engine = SummaryIndex([node]).as_query_engine(llm=ExtractiveLLM())
    response = CitedQueryEngine(engine).query("Is the LMP-204 lamp safe?")
    (citation,) = response.metadata["citations"]
    assert citation["position"] is None
    assert citation["quote"]["exact"] == "The LMP-204 desk lamp has a known cable fault."
    assert citation["document"] == {"path": "lamps.md"}


def test_citations_become_blocks_of_a_message(index: VectorStoreIndex) -> None:
    engine = CitedQueryEngine(index.as_query_engine(llm=ExtractiveLLM(), similarity_top_k=3))
    metadata = engine.query(QUESTION).metadata
    (block,) = citation_blocks(metadata)
    place = block.additional_location_info
    assert REFUNDS[place["start"] : place["end"]] == block.cited_content.text
    assert (block.source, block.title) == ("refunds.md", "Refunds")
    assert (place["first_line"], place["last_line"]) == (3, 4)
    ChatMessage(role="assistant", blocks=[block])
    metadata["citations"][0] |= {"position": None, "lines": None}
    assert citation_blocks(metadata)[0].additional_location_info == {}
    assert citation_blocks({}) == []


class Told(BaseModel):
    """An answer as an object."""

    answer: str
    kind_of_answer: str | None = None
    several_other_answers: str | None = None


@pytest.mark.parametrize("mode", ["compact", "refine", "tree_summarize"])
def test_an_answer_that_is_an_object_is_cited_by_the_texts_in_it(
    index: VectorStoreIndex, mode: str
) -> None:
    inner = index.as_query_engine(
        llm=ExtractiveLLM(), output_cls=Told, response_mode=mode, similarity_top_k=3
    )
    response = CitedQueryEngine(inner).query(QUESTION)
    assert response.response == Told(answer=ANSWER)
    check(response.metadata, response.source_nodes)


def test_a_response_alone_and_a_text_alone_are_cited_too(index: VectorStoreIndex) -> None:
    nodes = index.as_retriever(similarity_top_k=3).retrieve(QUESTION)
    response = CitedSources()(Response(ANSWER, nodes))
    check(response.metadata or {}, response.source_nodes)
    found = CitedSources().sources(ANSWER, nodes)
    check(found.metadata, found.nodes)


class _Handler(BaseEventHandler):
    seen: list[SourcesUsedEvent] = []  # noqa: RUF012

    def handle(self, event: object, **kwargs: object) -> None:
        if isinstance(event, SourcesUsedEvent):
            self.seen.append(event)


def test_instrumentation_is_told_once_which_nodes_are_used(index: VectorStoreIndex) -> None:
    dispatcher, handler = get_dispatcher(), _Handler()
    dispatcher.add_event_handler(handler)
    try:
        engine = CitedQueryEngine(index.as_query_engine(llm=ExtractiveLLM(), similarity_top_k=3))
        engine.query(QUESTION)
    finally:
        dispatcher.event_handlers.remove(handler)
    (event,) = handler.seen
    assert (event.query, len(event.used), len(event.unused)) == (QUESTION, 1, 2)


@pytest.mark.parametrize(
    ("said", "standing"),
    [
        ("Vouchers are never refunded.", Standing.QUOTED),
        ("vouchers are  never\nrefunded.", Standing.SUPPORTED),
        ("The money goes back within 15 working days.", Standing.UNSUPPORTED),
        ("Paris is the capital of France.", Standing.UNSUPPORTED),
    ],
)
def test_a_sentence_stands_on_a_text_or_not(said: str, standing: Standing) -> None:
    assert [one.standing for one in supports(said, [REFUNDS])] == [standing]


RETURNS = (
    "Acme sold its lamps to Bolt. You must pay the fee within five days. You can return items "
    "unless they were worn."
)


@pytest.mark.parametrize(
    ("said", "standing"),
    [
        ("Within five days you must pay the fee.", Standing.SUPPORTED),
        ("You may pay the fee within five days.", Standing.UNSUPPORTED),
        ("You must pay the fee within ten days.", Standing.UNSUPPORTED),
        ("Its lamps Bolt sold to Acme.", Standing.UNSUPPORTED),
        ("Items that were worn you can return.", Standing.UNSUPPORTED),
    ],
)
def test_what_binds_limits_and_counts_has_to_be_the_same(said: str, standing: Standing) -> None:
    assert [one.standing for one in supports(said, [RETURNS])] == [standing]


def test_a_quote_tells_what_its_sentence_says_against_it() -> None:
    (half,) = supports("You can return items", [RETURNS])
    assert (half.standing, half.left_out) == (Standing.QUOTED, "unless they were worn")
    # The same words stand elsewhere with nothing behind them.
    (whole,) = supports("You can return items", [RETURNS, "You can return items."])
    assert (whole.text_index, whole.left_out) == (1, "")


def test_a_node_of_a_page_is_cited_with_the_label_of_its_page() -> None:
    node = TextNode(
        text="Holiday is 28 days.", metadata={"file_path": "h.pdf", "page_label": "xii"}
    )
    found = CitedSources().sources("Holiday is 28 days.", [NodeWithScore(node=node)])
    (citation,) = found.citations
    assert (citation["page_label"], citation["document"]) == ("xii", {"path": "h.pdf"})
