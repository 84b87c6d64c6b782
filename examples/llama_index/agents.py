"""Agents without a key: the tool is called, and what it gives back is quoted."""

import asyncio
from pathlib import Path

from llama_index.core import SimpleDirectoryReader, VectorStoreIndex
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.tools import QueryEngineTool

from pincite.llama_index import ExtractiveFunctionCallingLLM, ExtractiveLLM, LocalEmbedding

folder = Path(__file__).parents[1] / "helpcentre" / "documents" / "account"
documents = SimpleDirectoryReader(str(folder)).load_data()
index = VectorStoreIndex.from_documents(documents, embed_model=LocalEmbedding())
tool = QueryEngineTool.from_defaults(
    index.as_query_engine(llm=ExtractiveLLM()),
    name="help_centre",
    description="Gift cards, accounts and payment",
)


async def main() -> None:
    agent = FunctionAgent(tools=[tool], llm=ExtractiveFunctionCallingLLM())
    print(await agent.run("How long is a gift card valid?"))


asyncio.run(main())
