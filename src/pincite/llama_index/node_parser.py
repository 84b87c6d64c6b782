"""Nodes that follow the structure of a document, and whose offsets are exact."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
from collections.abc import Sequence
from typing import Any

from llama_index.core.node_parser.interface import NodeParser
from llama_index.core.schema import BaseNode, Document, NodeRelationship, TextNode

from pincite.llama_index.anchoring import described
from pincite.llama_index.nodes import KEPT, Anchor, node_of, path_of, text_of
from pincite.loaders import document_of_text
from pincite.text.lines import lines_in
from pincite.text.passages import split_passages

_LONGEST_MARK = 8


class PinciteNodeParser(NodeParser):
    """Cuts documents where Pincite cuts them: at headings, lists and sentences.

    `document.text[node.start_char_idx:node.end_char_idx] == node.text`, and the nodes of a document
    are all of its text. Ids are the same whenever the same document is parsed. Each node has its
    document as SOURCE, and its headings and lines as metadata, which are not embedded.
    """

    @classmethod
    def class_name(cls) -> str:
        """The name LlamaIndex stores this parser under."""
        return "PinciteNodeParser"

    def _parse_nodes(
        self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any
    ) -> list[BaseNode]:
        found: list[BaseNode] = []
        names: dict[str, str] = {}
        for given in nodes:
            document = _as_document(given)
            name = _name(document)
            if names.setdefault(name, document.text) != document.text:
                digest = hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()
                name = f"{name}~{digest[:_LONGEST_MARK]}"
            found += _nodes(document, name)
        return found

    async def _aparse_nodes(
        self, nodes: Sequence[BaseNode], show_progress: bool = False, **kwargs: Any
    ) -> list[BaseNode]:
        return await asyncio.to_thread(self._parse_nodes, nodes, show_progress)

    def _postprocess_parsed_nodes(
        self, nodes: list[BaseNode], parent_doc_map: dict[str, Document]
    ) -> list[BaseNode]:
        # LlamaIndex's own would search for each text anew, and of repeated words find the wrong.
        if self.include_prev_next_rel:
            for before, after in itertools.pairwise(nodes):
                if before.ref_doc_id == after.ref_doc_id:
                    before.relationships[NodeRelationship.NEXT] = after.as_related_node_info()
                    after.relationships[NodeRelationship.PREVIOUS] = before.as_related_node_info()
        return nodes


def _nodes(document: Document, name: str) -> list[TextNode]:
    source, extraction = described(document)
    read = document_of_text(document.text, name=source.path)
    own = {key: value for key, value in document.metadata.items() if key != KEPT}
    return [
        node_of(
            passage.text,
            Anchor(source, extraction, passage.span.start, passage.first_line),
            heading_path=passage.heading_path,
            lines=lines_in(passage, passage.span),
            document_id=document.doc_id,
            name=name,
            metadata=own,
            hidden=document.excluded_llm_metadata_keys,
        )
        for passage in split_passages(read)
        if passage.text.strip()
    ]


def _as_document(given: BaseNode) -> Document:
    if isinstance(given, Document):
        return given
    return Document(text=text_of(given), id_=given.node_id, metadata=given.metadata)


def _name(document: Document) -> str:
    """What stands for the document in the ids of its nodes: readers give new ids every time."""
    path = path_of(document)
    page = document.metadata.get("page_label")
    return f"{path}:{page}" if page else path
