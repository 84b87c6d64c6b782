"""Passages as LlamaIndex's nodes, and what is known for certain of where a node stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from llama_index.core.schema import (
    BaseNode,
    MetadataMode,
    NodeRelationship,
    ObjectType,
    RelatedNodeInfo,
    TextNode,
)

from pincite.places import Place
from pincite.records import Extraction, Lines, Source
from pincite.render.places import place_text

SHOWN = "file_path"
"""The metadata of a passage that a model is shown; none of it is embedded."""
USED = "used"
"""The metadata that says whether an answer uses a node."""
_SOURCE, _EXTRACTION, _LINE = "source", "extraction", "first_line"


@dataclass(frozen=True, slots=True)
class Anchor:
    """Where a node stands: its text is that of the document from `start` on."""

    source: Source
    extraction: Extraction
    start: int
    first_line: int


def node_of(
    text: str,
    anchor: Anchor,
    *,
    heading_path: tuple[str, ...] = (),
    place: Place | None = None,
    lines: Lines | None = None,
    document_id: str = "",
    metadata: Mapping[str, Any] | None = None,
) -> TextNode:
    """A node whose offsets are exact.

    Its id is the same for the same place of the same document, whenever it is made.
    """
    named = {
        SHOWN: anchor.source.path,
        "title": anchor.source.title,
        "headings": " > ".join(heading_path),
        "place": place_text(place) if place else _lines_text(lines),
        **(metadata or {}),
    }
    known = {key: value for key, value in named.items() if value != ""}
    origin = document_id or anchor.source.path
    node = TextNode(
        id_=f"{origin}#char={anchor.start},{anchor.start + len(text)}",
        text=text,
        metadata=known,
        excluded_embed_metadata_keys=[*known, USED],
        excluded_llm_metadata_keys=[*(key for key in known if key != SHOWN), USED],
    )
    set_anchor(node, anchor, origin)
    return node


def set_anchor(node: TextNode, anchor: Anchor, document_id: str) -> None:
    """Keep with a node where it stands, so that it is known wherever the node goes."""
    node.start_char_idx = anchor.start
    node.end_char_idx = anchor.start + len(node.text)
    node.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(
        node_id=document_id,
        node_type=ObjectType.DOCUMENT,
        metadata={
            _SOURCE: asdict(anchor.source),
            _EXTRACTION: asdict(anchor.extraction),
            _LINE: anchor.first_line,
        },
        hash=anchor.source.sha256,
    )


def anchor_of(node: BaseNode) -> Anchor | None:
    """Where a node stands; None where nobody made sure of it, or its text was changed since."""
    origin = node.source_node
    if not isinstance(node, TextNode) or origin is None or _EXTRACTION not in origin.metadata:
        return None
    start, end = node.start_char_idx, node.end_char_idx
    if start is None or end is None or end - start != len(node.text):
        return None
    known = origin.metadata
    source, extraction = Source(**known[_SOURCE]), Extraction(**known[_EXTRACTION])
    return Anchor(source, extraction, start, known[_LINE])


def path_of(node: BaseNode) -> str:
    """The file a node is of, as its metadata calls it; its id where nothing says."""
    for key in (SHOWN, "file_name", "source", "filename"):
        if isinstance(found := node.metadata.get(key), str) and found:
            return found
    return node.ref_doc_id or node.node_id


def text_of(node: BaseNode) -> str:
    """The text of a node, without metadata."""
    return node.get_content(MetadataMode.NONE)


def _lines_text(lines: Lines | None) -> str:
    if lines is None:
        return ""
    return f"line {lines.start}" if lines.start == lines.end else f"lines {lines.start}-{lines.end}"
