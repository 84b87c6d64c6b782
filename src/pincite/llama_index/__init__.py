"""Pincite for LlamaIndex: a model that can only quote, and an embedding that needs no download."""

from pincite.errors import MissingExtra

try:
    import llama_index.core  # noqa: F401
except ImportError as error:
    raise MissingExtra(
        "the LlamaIndex adapter", install="pip install 'pincite[llama-index]'"
    ) from error

from pincite.llama_index.blocks import citation_blocks
from pincite.llama_index.cited_engines import (
    CitedChatEngine,
    CitedQueryEngine,
    CitedSynthesizer,
)
from pincite.llama_index.cited_sources import CitedSources, Sources
from pincite.llama_index.cutoff import NodesDroppedEvent, SupportedCutoff
from pincite.llama_index.embedding import LocalEmbedding
from pincite.llama_index.events import SourcesUsedEvent
from pincite.llama_index.function_calling import ExtractiveFunctionCallingLLM
from pincite.llama_index.llm import ExtractiveLLM
from pincite.llama_index.node_parser import PinciteNodeParser
from pincite.llama_index.query_engine import PinciteQueryEngine
from pincite.llama_index.reader import PinciteReader
from pincite.llama_index.retriever import PinciteRetriever

__all__ = [
    "CitedChatEngine",
    "CitedQueryEngine",
    "CitedSources",
    "CitedSynthesizer",
    "ExtractiveFunctionCallingLLM",
    "ExtractiveLLM",
    "LocalEmbedding",
    "NodesDroppedEvent",
    "PinciteNodeParser",
    "PinciteQueryEngine",
    "PinciteReader",
    "PinciteRetriever",
    "Sources",
    "SourcesUsedEvent",
    "SupportedCutoff",
    "citation_blocks",
]
