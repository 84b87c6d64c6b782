"""With CitationQueryEngine, and in place of it."""

from llama_index.core import Document, VectorStoreIndex
from llama_index.core.query_engine import CitationQueryEngine

from pincite.llama_index import (
    CitedQueryEngine,
    ExtractiveLLM,
    LocalEmbedding,
    PinciteNodeParser,
)

documents = [
    Document(text="Returns are free within 45 days.", metadata={"file_path": "returns.md"}),
    Document(text="A refund takes 5 working days.", metadata={"file_path": "refunds.md"}),
]
nodes = PinciteNodeParser().get_nodes_from_documents(documents)
index = VectorStoreIndex(nodes, embed_model=LocalEmbedding())
question = "How long does a refund take?"

# It works with the stand-in, and gives a number.
print(CitationQueryEngine.from_args(index, llm=ExtractiveLLM()).query(question))

# In place of a number: the file and the exact characters, and which nodes were not used.
response = CitedQueryEngine(index.as_query_engine(llm=ExtractiveLLM())).query(question)
(citation,) = response.metadata["citations"]
print(response)
print(citation["document"]["path"], citation["position"])
