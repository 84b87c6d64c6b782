"""A Pincite index inside LlamaIndex: its passages as nodes, its answers as responses."""

import asyncio
import copy
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from llama_index.core import get_response_synthesizer
from llama_index.core.chat_engine import CondenseQuestionChatEngine
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.schema import MetadataMode, TextNode

import pincite
from pincite.llama_index import (
    ExtractiveLLM,
    PinciteQueryEngine,
    PinciteRetriever,
    SourcesUsedEvent,
)
from pincite.llama_index.nodes import anchor_of
from pincite.llama_index.prompts import REFUSAL

REFUNDS = (
    "# Refunds\n\nThe money reaches your card within 5 working days.\n\n## Vouchers\n\nNever.\n"
)
LAMPS = "# Lamps\r\n\r\nThe LMP-310 weighs 2.4 kg. 🙂 ランプ。\r\n"
QUESTION = "How much does the LMP-310 weigh?"
ANSWER = "The LMP-310 weighs 2.4 kg."
OFF_TOPIC = "Who painted the ceiling of the chapel?"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pincite.Index]:
    folder: Path = tmp_path_factory.mktemp("documents")
    (folder / "refunds.md").write_bytes(REFUNDS.encode())
    (folder / "lamps.md").write_bytes(LAMPS.encode())
    with pincite.Index.open_or_build(folder, lexical=True) as opened:
        yield opened


def test_nodes_are_the_text_at_their_offsets_and_know_their_document(index: pincite.Index) -> None:
    found = PinciteRetriever(index).retrieve("money card LMP-310 weighs vouchers")
    texts = {"refunds.md": REFUNDS, "lamps.md": LAMPS}
    assert {one.node.ref_doc_id for one in found} == set(texts)
    for one in found:
        node = one.node
        assert isinstance(node, TextNode)
        text = texts[node.metadata["file_path"]]
        assert text[node.start_char_idx : node.end_char_idx] == node.text
        assert anchor_of(node) is not None
        assert node.get_content(MetadataMode.EMBED) == node.text
        again = TextNode.from_json(node.to_json())
        assert anchor_of(again) == anchor_of(node)
    ids = [one.node.node_id for one in found]
    repeated = PinciteRetriever(index).retrieve("money card LMP-310 weighs vouchers")
    assert [one.node.node_id for one in repeated] == ids


def test_a_limit_a_document_and_a_blank_question_are_kept_to(index: pincite.Index) -> None:
    assert len(PinciteRetriever(index, limit=1).retrieve("money LMP-310")) == 1
    inside = PinciteRetriever(index, document="lamps.md").retrieve("money LMP-310")
    assert {one.node.metadata["file_path"] for one in inside} == {"lamps.md"}
    assert PinciteRetriever(index).retrieve(" ") == []
    assert asyncio.run(PinciteRetriever(index).aretrieve(QUESTION))
    with pytest.raises(ValueError, match="limit of 0"):
        PinciteRetriever(index, limit=0)


def test_an_answer_has_its_citations_and_marks_the_passage_it_quotes(index: pincite.Index) -> None:
    response = PinciteQueryEngine(index).query(QUESTION)
    assert str(response) == ANSWER
    (citation,) = response.metadata["citations"]
    start, end = citation["position"]["start"], citation["position"]["end"]
    assert LAMPS[start:end] == citation["quote"]["exact"] == ANSWER
    assert response.metadata["record"]["schema"] == "pincite.answer/1"
    json.dumps(response.metadata)
    used = [one.node.metadata["file_path"] for one in response.source_nodes if one.metadata["used"]]
    assert used == ["lamps.md"]


def test_a_refusal_has_no_citations_and_uses_no_passage(index: pincite.Index) -> None:
    for question in (OFF_TOPIC, ""):
        response = PinciteQueryEngine(index).query(question)
        assert str(response) == REFUSAL
        assert response.metadata["citations"] == []
        assert not any(one.metadata["used"] for one in response.source_nodes)


def test_a_stream_ends_with_its_citations(index: pincite.Index) -> None:
    response = PinciteQueryEngine(index, streaming=True).query(QUESTION)
    assert response.metadata == {}
    assert "".join(response.response_gen) == ANSWER
    assert len(response.metadata["citations"]) == 1

    async def run() -> tuple[str, int]:
        response = await PinciteQueryEngine(index, streaming=True).aquery(QUESTION)
        words = "".join([piece async for piece in response.async_response_gen()])
        return words, len(response.metadata["citations"])

    assert asyncio.run(run()) == (ANSWER, 1)
    assert str(asyncio.run(PinciteQueryEngine(index).aquery(QUESTION))) == ANSWER


def test_chat_and_other_models_take_the_engine_and_the_retriever(index: pincite.Index) -> None:
    chat = CondenseQuestionChatEngine.from_defaults(
        query_engine=PinciteQueryEngine(index),
        llm=ExtractiveLLM(),
        memory=ChatMemoryBuffer.from_defaults(token_limit=10_000),
    )
    assert str(chat.chat(QUESTION)) == ANSWER
    engine = RetrieverQueryEngine(
        PinciteRetriever(index), get_response_synthesizer(ExtractiveLLM())
    )
    assert str(engine.query(QUESTION)) == ANSWER


def test_a_copy_of_a_model_has_the_same_index(index: pincite.Index) -> None:
    nodes = PinciteRetriever(index).retrieve(QUESTION)
    copied = copy.deepcopy(ExtractiveLLM(index))
    assert str(get_response_synthesizer(copied).synthesize(QUESTION, nodes)) == ANSWER


class _Handler(BaseEventHandler):
    seen: list[SourcesUsedEvent] = []  # noqa: RUF012

    def handle(self, event: object, **kwargs: object) -> None:
        if isinstance(event, SourcesUsedEvent):
            self.seen.append(event)


def test_instrumentation_is_told_which_nodes_are_used(index: pincite.Index) -> None:
    dispatcher, handler = get_dispatcher(), _Handler()
    dispatcher.add_event_handler(handler)
    try:
        response = PinciteQueryEngine(index).query(QUESTION)
    finally:
        dispatcher.event_handlers.remove(handler)
    (event,) = handler.seen
    assert event.query == QUESTION
    assert event.used == [one.node.node_id for one in response.source_nodes if one.metadata["used"]]
    assert event.used
