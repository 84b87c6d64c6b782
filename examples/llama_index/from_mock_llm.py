"""In place of MockLLM, which says the prompt back."""

from llama_index.core import Document, MockEmbedding, SummaryIndex
from llama_index.core.llms import MockLLM

from pincite.llama_index import ExtractiveLLM

text = "Returns are free. A refund takes 5 working days."
index = SummaryIndex.from_documents([Document(text=text)], embed_model=MockEmbedding(8))
question = "How long does a refund take?"

# Before: a test can say no more than that there was an answer.
before = str(index.as_query_engine(llm=MockLLM()).query(question))
print(len(before.splitlines()), "lines, beginning with:", before.splitlines()[0])

# After: it can say which.
print(index.as_query_engine(llm=ExtractiveLLM()).query(question))
