"""In place of a cutoff by similarity: keep the nodes that answer, and say why others go."""

from pathlib import Path

from llama_index.core import VectorStoreIndex
from llama_index.core.instrumentation import get_dispatcher
from llama_index.core.instrumentation.event_handlers import BaseEventHandler

from pincite.llama_index import (
    ExtractiveLLM,
    LocalEmbedding,
    NodesDroppedEvent,
    PinciteNodeParser,
    PinciteReader,
    SupportedCutoff,
)

folder = Path(__file__).parents[1] / "helpcentre" / "documents" / "account"
nodes = PinciteNodeParser().get_nodes_from_documents(PinciteReader().load_data(folder))
index = VectorStoreIndex(nodes, embed_model=LocalEmbedding())
question = "How can I pay an invoice?"

# Before: SimilarityPostprocessor(similarity_cutoff=0.4), another number for every embedding.
cutoff = SupportedCutoff()

# Which would be kept, and why not.
found = index.as_retriever(similarity_top_k=6).retrieve(question)
for verdict in cutoff.verdicts(found, question):
    print("kept" if verdict.kept else "dropped", verdict.node_id, "-", verdict.reason)

# A retriever that gives no score, or one that is not a number, changes nothing.
for node, score in zip(found, (None, float("nan"), 0.1), strict=False):
    node.score = score
print([node.score for node in cutoff.postprocess_nodes(found, query_str=question)])


class Dropped(BaseEventHandler):
    """Tells of each question how many nodes were dropped."""

    def handle(self, event: object, **kwargs: object) -> None:
        """Called with every event of LlamaIndex."""
        if isinstance(event, NodesDroppedEvent):
            print(len(event.reasons), "dropped for", event.query)


get_dispatcher().add_event_handler(Dropped())
engine = index.as_query_engine(
    llm=ExtractiveLLM(), similarity_top_k=6, node_postprocessors=[cutoff]
)

# Where no node is left LlamaIndex asks no model.
print(engine.query("Who painted the ceiling of the chapel?"))
