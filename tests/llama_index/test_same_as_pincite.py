"""Every response mode and chat engine says the sentence that Pincite's own engine says.

`python -m tests.llama_index.test_same_as_pincite` writes the table of the page anew, with the model
that has no index beside the one that has it.
"""

from __future__ import annotations

import functools
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from llama_index.core import VectorStoreIndex, get_response_synthesizer
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.chat_engine import (
    CondensePlusContextChatEngine,
    CondenseQuestionChatEngine,
    ContextChatEngine,
)
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.query_engine import CitationQueryEngine, RetrieverQueryEngine
from llama_index.core.response_synthesizers import ResponseMode
from llama_index.core.schema import NodeWithScore, QueryBundle

import pincite
from pincite.llama_index import (
    ExtractiveLLM,
    LocalEmbedding,
    PinciteNodeParser,
    PinciteQueryEngine,
    PinciteReader,
    PinciteRetriever,
)
from pincite.llama_index.prompts import REFUSAL, PromptKind, Recognised
from pincite.records import Answer, Refusal, Turn

HELPCENTRE = Path(__file__).parents[2] / "examples" / "helpcentre"
PAGE = Path(__file__).parents[2] / "docs" / "llama_index" / "pincite_index.md"
ASKED = [
    json.loads(line)
    for line in (HELPCENTRE / "questions.jsonl").read_text(encoding="utf-8").splitlines()
]
QUESTIONS = [one["question"] for one in ASKED]
WANTED = 0.95
NOTHING_FOUND = "Empty Response"
"""What LlamaIndex says when no node was retrieved."""
WITHOUT_MODEL = {"no_text", "context_only"}
"""Modes that ask no model, and say nothing or all."""
WITHOUT_CONTEXT = {"generation"}
"""Modes whose prompt holds no document: there is nothing to quote."""
ANSWERING = [
    mode.value for mode in ResponseMode if mode.value not in WITHOUT_MODEL | WITHOUT_CONTEXT
]
CHATS = ["context", "condense_question", "condense_plus_context", "best"]
_RESPONSE = re.compile(r"^Response \d+: ")
_NUMBER = re.compile(r" \[\d+\]")

Ask = Callable[[str], object]


class RememberingIndex(pincite.Index):
    """An index that works out the answer to each question once."""

    _said: dict[tuple[str, tuple[Turn, ...]], Answer | Refusal]

    def ask(
        self, question: str, *, history: Sequence[Turn] = (), **settings: Any
    ) -> Answer | Refusal:
        said = self.__dict__.setdefault("_said", {})
        asked = (question, tuple(history))
        if settings:
            return super().ask(question, history=history, **settings)
        if asked not in said:
            said[asked] = super().ask(question, history=history)
        return said[asked]


class RememberingLLM(ExtractiveLLM):
    """A model that works out the answer to each question and context once."""

    def _reply(self, prompt: Recognised) -> str:
        if prompt.kind is not PromptKind.ANSWER:
            return super()._reply(prompt)
        said = self.__dict__.setdefault("_said", {})
        asked = (prompt.question, prompt.contexts, prompt.about, prompt.history)
        if asked not in said:
            said[asked] = super()._reply(prompt)
        return said[asked]


class RememberingRetriever(BaseRetriever):
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


def opened(store: Path) -> RememberingIndex:
    """The index as it comes: with vectors, and with sentences read closely."""
    found = RememberingIndex.open_or_build(HELPCENTRE / "documents", store=store)
    assert isinstance(found, RememberingIndex)
    return found


def vectors() -> VectorStoreIndex:
    documents = PinciteReader().load_data(HELPCENTRE / "documents")
    nodes = PinciteNodeParser().get_nodes_from_documents(documents)
    return VectorStoreIndex(nodes, embed_model=LocalEmbedding())


def own_words(index: pincite.Index, question: str) -> str:
    found = index.ask(question)
    return " ".join(found.text.split()) if isinstance(found, Answer) else REFUSAL


def said(ask: Ask, question: str) -> str:
    """What was said, without what LlamaIndex puts around it; each thing once."""
    parts = [_RESPONSE.sub("", part) for part in str(ask(question)).split("\n" + "-" * 21 + "\n")]
    kept = [part for part in dict.fromkeys(parts) if part not in (REFUSAL, NOTHING_FOUND)]
    return " ".join(_NUMBER.sub("", " ".join(kept)).split()) or REFUSAL


def share_of_the_same(ask: Ask, index: pincite.Index) -> float:
    same = [said(ask, question) == own_words(index, question) for question in QUESTIONS]
    return sum(same) / len(same)


def count_right(ask: Ask) -> int:
    """Of the questions that the documents answer, those whose reply quotes the words that do."""
    right = 0
    for one in ASKED:
        reply = said(ask, one["question"])
        wanted = [" ".join(where["text"].split()) for where in one["evidence"]]
        right += any(words in reply or reply in words for words in wanted)
    return right


def mode_of(mode: str, retriever: BaseRetriever, llm: ExtractiveLLM) -> Ask:
    synthesizer = get_response_synthesizer(llm, response_mode=mode)  # type: ignore[arg-type]
    return RetrieverQueryEngine(retriever, synthesizer).query


def cited(retriever: BaseRetriever, llm: ExtractiveLLM) -> Ask:
    return CitationQueryEngine(retriever, llm, citation_chunk_size=4096).query


def chat_of(
    mode: str, retriever: BaseRetriever, nodes: VectorStoreIndex, llm: ExtractiveLLM
) -> Ask:
    """A chat of this mode, begun anew for each question."""

    def ask(question: str) -> object:
        memory = ChatMemoryBuffer.from_defaults(token_limit=100_000)
        given: dict[str, Any] = {"llm": llm, "memory": memory}
        match mode:
            case "context":
                chat = ContextChatEngine.from_defaults(retriever, **given)
            case "condense_plus_context":
                chat = CondensePlusContextChatEngine.from_defaults(retriever, **given)
            case "condense_question":
                engine = RetrieverQueryEngine(retriever, get_response_synthesizer(llm))
                chat = CondenseQuestionChatEngine.from_defaults(query_engine=engine, **given)
            case _:
                chat = nodes.as_chat_engine(chat_mode=mode, similarity_top_k=10, **given)
        return chat.chat(question)

    return ask


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Iterator[pincite.Index]:
    with opened(tmp_path_factory.mktemp("store")) as found:
        yield found


@pytest.fixture(scope="module")
def retriever(index: pincite.Index) -> BaseRetriever:
    return RememberingRetriever(PinciteRetriever(index))


@pytest.fixture(scope="module")
def nodes() -> VectorStoreIndex:
    return vectors()


def test_there_are_questions_enough_and_most_are_answered(index: pincite.Index) -> None:
    refused = [one for one in QUESTIONS if own_words(index, one) == REFUSAL]
    assert len(QUESTIONS) >= 40
    assert len(refused) < len(QUESTIONS) / 2


@pytest.mark.parametrize("mode", ANSWERING)
def test_response_modes(index: pincite.Index, retriever: BaseRetriever, mode: str) -> None:
    assert share_of_the_same(mode_of(mode, retriever, ExtractiveLLM(index)), index) >= WANTED


def test_query_engines(index: pincite.Index, retriever: BaseRetriever) -> None:
    assert share_of_the_same(cited(retriever, ExtractiveLLM(index)), index) >= WANTED
    assert share_of_the_same(PinciteQueryEngine(index).query, index) == 1.0


@pytest.mark.parametrize("mode", CHATS)
def test_chat_engines(
    index: pincite.Index, retriever: BaseRetriever, nodes: VectorStoreIndex, mode: str
) -> None:
    ask = chat_of(mode, retriever, nodes, ExtractiveLLM(index))
    assert share_of_the_same(ask, index) >= WANTED


def test_nodes_in_a_vector_store_do_as_well(index: pincite.Index, nodes: VectorStoreIndex) -> None:
    engine = nodes.as_query_engine(llm=ExtractiveLLM(index), similarity_top_k=10)
    assert share_of_the_same(engine.query, index) >= WANTED


def main() -> None:
    with tempfile.TemporaryDirectory() as store, opened(Path(store)) as index:
        retriever, nodes = RememberingRetriever(PinciteRetriever(index)), vectors()
        models = ExtractiveLLM(index), RememberingLLM()
        ways: dict[str, list[Ask]] = {
            f"`{mode}`": [mode_of(mode, retriever, llm) for llm in models] for mode in ANSWERING
        }
        ways["`CitationQueryEngine`"] = [cited(retriever, llm) for llm in models]
        for mode in CHATS:
            ways[f"chat, `{mode}`"] = [chat_of(mode, retriever, nodes, llm) for llm in models]
        ways["`compact` over a `VectorStoreIndex`"] = [
            nodes.as_query_engine(llm=llm, similarity_top_k=10).query for llm in models
        ]
        rows = [
            "| Asked by | same, with the index | same, without | right, with | right, without |",
            "| --- | --- | --- | --- | --- |",
        ]
        for name, asks in ways.items():
            # Each is asked everything once, for what is counted and for what is compared.
            once = [functools.cache(functools.partial(said, ask)) for ask in asks]
            shares = [f"{share_of_the_same(ask, index):.0%}" for ask in once]
            rows.append(
                " | ".join((f"| {name}", *shares, *map(str, map(count_right, once)))) + " |"
            )
            print(rows[-1], flush=True)
    table = re.compile(r"\| Asked by \|.*?(?=\n\n)", re.DOTALL)
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(table.sub("\n".join(rows), page, count=1), encoding="utf-8")


if __name__ == "__main__":
    main()
