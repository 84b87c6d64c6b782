"""In place of a stand-in model that splits prompts at their markers."""

from pathlib import Path

from llama_index.core import Settings, SimpleDirectoryReader, VectorStoreIndex

# Before: class ExtractiveLLM(CustomLLM), which cut the prompt at "---" and at "Query:".
from pincite.llama_index import CitedQueryEngine, ExtractiveLLM, LocalEmbedding

Settings.embed_model = LocalEmbedding()

folder = Path(__file__).parents[1] / "helpcentre" / "documents" / "products"
documents = SimpleDirectoryReader(str(folder)).load_data()
index = VectorStoreIndex.from_documents(documents)

engine = CitedQueryEngine(index.as_query_engine(llm=ExtractiveLLM(), similarity_top_k=2))
response = engine.query("What is the BRM-22 rated?")

# Before: sorted({node.metadata["file_name"] for node in response.source_nodes}), all retrieved.
retrieved = sorted({node.metadata["file_name"] for node in response.source_nodes})
used = sorted({n.metadata["file_name"] for n in response.source_nodes if n.metadata["used"]})
print(response)
print("retrieved:", ", ".join(retrieved))
print("used:", ", ".join(used))
