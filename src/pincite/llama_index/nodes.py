"""Passages as LlamaIndex's nodes, and what is known for certain of where a node stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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

PATH = "file_path"
HEADINGS = "headings"
SHOWN = (PATH, HEADINGS)
"""The metadata of a passage that a model is shown."""
USED = "used"
"""The metadata that says whether an answer uses a node."""
KEPT = "pincite"
"""The metadata of a document, or of the relation to it, that holds what Pincite knows of it."""

_LINE = "first_line"


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
    name: str = "",
    metadata: Mapping[str, Any] | None = None,
    hidden: Sequence[str] = (),
) -> TextNode:
    """A node whose offsets are exact.

    Its id is the same for the same place of the same document, whenever it is made; `name` stands
    for the document in it, its path where there is none. No metadata is embedded; a model is shown
    the path and the headings, and of `metadata` what is not `hidden`.
    """
    named = {
        PATH: anchor.source.path,
        "title": anchor.source.title,
        HEADINGS: " > ".join(heading_path),
        "place": place_text(place) if place else _lines_text(lines),
        **(metadata or {}),
    }
    known = {key: value for key, value in named.items() if value != ""}
    node = TextNode(
        id_=f"{name or anchor.source.path}#char={anchor.start},{anchor.start + len(text)}",
        text=text,
        metadata=known,
        excluded_embed_metadata_keys=[*known, USED],
        excluded_llm_metadata_keys=[
            *(key for key in known if key in hidden or key not in (*SHOWN, *(metadata or ()))),
            USED,
        ],
    )
    set_anchor(node, anchor, document_id or anchor.source.path)
    return node


def set_anchor(node: TextNode, anchor: Anchor, document_id: str) -> None:
    """Keep with a node where it stands, so that it is known wherever the node goes."""
    node.start_char_idx = anchor.start
    node.end_char_idx = anchor.start + len(node.text)
    node.relationships[NodeRelationship.SOURCE] = RelatedNodeInfo(
        node_id=document_id,
        node_type=ObjectType.DOCUMENT,
        metadata={KEPT: {**kept(anchor.source, anchor.extraction), _LINE: anchor.first_line}},
        hash=anchor.source.sha256,
    )


def anchor_of(node: BaseNode) -> Anchor | None:
    """Where a node stands; None where nobody made sure of it, or its text was changed since."""
    origin = node.source_node
    if not isinstance(node, TextNode) or origin is None or KEPT not in origin.metadata:
        return None
    start, end = node.start_char_idx, node.end_char_idx
    if start is None or end is None or end - start != len(node.text):
        return None
    known = origin.metadata[KEPT]
    return Anchor(*known_of(known), start, known[_LINE])


def kept(source: Source, extraction: Extraction) -> dict[str, Any]:
    """What is known of a document, as it is kept in metadata."""
    return {"source": asdict(source), "extraction": asdict(extraction)}


def known_of(metadata: Mapping[str, Any]) -> tuple[Source, Extraction]:
    """What is known of a document, from metadata."""
    return Source(**metadata["source"]), Extraction(**metadata["extraction"])


def path_of(node: BaseNode) -> str:
    """The file a node is of, as its metadata calls it; its id where nothing says."""
    for key in (PATH, "file_name", "source", "filename"):
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
