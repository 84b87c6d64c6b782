"""Every response mode and chat engine says the sentence that Pincite's own engine says."""

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from llama_index.core import get_response_synthesizer
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.chat_engine import (
    CondensePlusContextChatEngine,
    CondenseQuestionChatEngine,
    ContextChatEngine,
)
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.query_engine import CitationQueryEngine, RetrieverQueryEngine
from llama_index.core.schema import NodeWithScore, QueryBundle

import pincite
from pincite.llama_index import ExtractiveLLM, PinciteQueryEngine, PinciteRetriever
from pincite.llama_index.prompts import REFUSAL

HELPCENTRE = Path(__file__).parents[2] / "examples" / "helpcentre"
QUESTIONS = [
    json.loads(line)["question"]
    for line in (HELPCENTRE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
][::2][:44]
WANTED = 0.95
NOTHING_FOUND = "Empty Response"
"""What LlamaIndex says when no node was retrieved."""


class Remembering(BaseRetriever):
    """A retriever that retrieves for each question once."""

    def __init__(self, retriever: BaseRetriever) -> None:
        self._retriever = retriever
        self._found: dict[str, list[NodeWithScore]] = {}
        super().__init__()

    def _retrieve(self, query_bundle: QueryBundle) -> list[NodeWithScore]:
        question = query_bundle.query_str
        if question not in self._found:
            self._found[question] = self._retriever.retrieve(question)
        return self._found[question]


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pincite.Index]:
    store = tmp_path_factory.mktemp("store")
    folder = HELPCENTRE / "documents"
    with pincite.Index.open_or_build(folder, store=store, lexical=True) as opened:
        yield opened


@pytest.fixture(scope="module")
def retriever(index: pincite.Index) -> BaseRetriever:
    return Remembering(PinciteRetriever(index, limit=8))


@pytest.fixture(scope="module")
def own(index: pincite.Index) -> dict[str, str]:
    answers = {question: index.ask(question) for question in QUESTIONS}
    return {
        question: " ".join(answer.text.split()) if isinstance(answer, pincite.Answer) else REFUSAL
        for question, answer in answers.items()
    }


def memory() -> ChatMemoryBuffer:
    return ChatMemoryBuffer.from_defaults(token_limit=100_000)


def share_of_the_same(ask: Callable[[str], object], own: dict[str, str]) -> float:
    same = 0
    for question, words in own.items():
        said = re.sub(r" \[\d+\]", "", str(ask(question)).removeprefix("Response 1: "))
        said = REFUSAL if said == NOTHING_FOUND else " ".join(said.split())
        same += said == words
    return same / len(own)


@pytest.mark.parametrize(
    "mode",
    ["compact", "refine", "tree_summarize", "simple_summarize", "compact_accumulate"],
)
def test_response_modes(
    index: pincite.Index, retriever: BaseRetriever, own: dict[str, str], mode: str
) -> None:
    synthesizer = get_response_synthesizer(ExtractiveLLM(index), response_mode=mode)  # type: ignore[arg-type]
    engine = RetrieverQueryEngine(retriever, synthesizer)
    assert len(own) >= 40
    assert share_of_the_same(engine.query, own) >= WANTED


def test_query_engines(index: pincite.Index, retriever: BaseRetriever, own: dict[str, str]) -> None:
    cited = CitationQueryEngine(retriever, ExtractiveLLM(index), citation_chunk_size=4096)
    assert share_of_the_same(cited.query, own) >= WANTED
    assert share_of_the_same(PinciteQueryEngine(index).query, own) == 1.0


def test_chat_engines(index: pincite.Index, retriever: BaseRetriever, own: dict[str, str]) -> None:
    llm = ExtractiveLLM(index)
    query_engine = RetrieverQueryEngine(retriever, get_response_synthesizer(llm))

    def context(question: str) -> object:
        return ContextChatEngine.from_defaults(retriever, llm=llm, memory=memory()).chat(question)

    def condensed(question: str) -> object:
        return CondensePlusContextChatEngine.from_defaults(
            retriever, llm=llm, memory=memory()
        ).chat(question)

    def asked_again(question: str) -> object:
        return CondenseQuestionChatEngine.from_defaults(
            query_engine=query_engine, llm=llm, memory=memory()
        ).chat(question)

    for ask in (context, condensed, asked_again):
        assert share_of_the_same(ask, own) >= WANTED
