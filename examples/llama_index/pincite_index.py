"""A Pincite index in LlamaIndex: its answers, and a chat over it."""

import tempfile
from pathlib import Path

from llama_index.core.chat_engine import CondensePlusContextChatEngine
from llama_index.core.memory import ChatMemoryBuffer

import pincite
from pincite.llama_index import ExtractiveLLM, PinciteQueryEngine, PinciteRetriever

folder = Path(__file__).parents[1] / "helpcentre" / "documents"

with (
    tempfile.TemporaryDirectory() as store,
    pincite.Index.open_or_build(folder, store=store, lexical=True) as index,
):
    response = PinciteQueryEngine(index).query("What does error E14 mean?")
    print(response)
    print(response.metadata["citations"][0]["document"]["path"])

    chat = CondensePlusContextChatEngine.from_defaults(
        PinciteRetriever(index),
        llm=ExtractiveLLM(index),
        memory=ChatMemoryBuffer.from_defaults(token_limit=10_000),
    )
    print(chat.chat("How long is a gift card valid?"))
    print(chat.chat("And can I return it?"))
