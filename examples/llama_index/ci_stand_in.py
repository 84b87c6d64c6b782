"""Tests of a LlamaIndex application without a key, a network or chance."""

from pathlib import Path

from llama_index.core import Settings, SimpleDirectoryReader, VectorStoreIndex

from pincite.llama_index import ExtractiveLLM, LocalEmbedding

# In the application these are a model and an embedding of a provider.
Settings.llm = ExtractiveLLM()
Settings.embed_model = LocalEmbedding()

folder = Path(__file__).parents[1] / "helpcentre" / "documents" / "account"
documents = SimpleDirectoryReader(str(folder)).load_data()
index = VectorStoreIndex.from_documents(documents)

for mode in ("compact", "refine", "tree_summarize"):
    engine = index.as_query_engine(response_mode=mode)
    assert str(engine.query("How long is a gift card valid?")).startswith("A gift card is valid")

print(index.as_query_engine().query("How long is a gift card valid?"))
print(index.as_query_engine().query("Who painted the ceiling of the chapel?"))
