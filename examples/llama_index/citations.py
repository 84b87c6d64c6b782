"""Citations for the answers of an application, whichever model writes them."""

from pathlib import Path

from llama_index.core import VectorStoreIndex

from pincite.llama_index import (
    CitedQueryEngine,
    ExtractiveLLM,
    LocalEmbedding,
    PinciteNodeParser,
    PinciteReader,
    SupportedCutoff,
)

folder = Path(__file__).parents[1] / "helpcentre" / "documents" / "account"
documents = PinciteReader().load_data(folder)
index = VectorStoreIndex(
    PinciteNodeParser().get_nodes_from_documents(documents), embed_model=LocalEmbedding()
)

# Any other model does as well: what it says in words of its own is matched, or is unsupported.
engine = index.as_query_engine(
    llm=ExtractiveLLM(), similarity_top_k=4, node_postprocessors=[SupportedCutoff()]
)
response = CitedQueryEngine(engine).query("How long is a gift card valid?")
print(response)

texts = {document.doc_id: document.text for document in documents}
for citation in response.metadata["citations"]:
    path, position = citation["document"]["path"], citation["position"]
    words = texts[path][position["start"] : position["end"]]
    print(f"{path}:{citation['lines']['start']} says {words!r}")
for node in response.source_nodes:
    print("used" if node.metadata["used"] else "not used", node.node.node_id)
