"""Where the nodes of any parser stand in their documents, where that is certain.

LlamaIndex finds offsets by searching, and of words that stand twice it takes the wrong place. Here
a node has offsets where its text stands in its document once, or where all its other places lie
inside other nodes, whose places are certain. Any other node has none, and is cited as text only.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from llama_index.core.schema import BaseNode, Document, TextNode

from pincite.llama_index.nodes import KEPT, Anchor, anchor_of, known_of, path_of, set_anchor
from pincite.loaders import document_of_text
from pincite.records import Extraction, Source, Span
from pincite.text.lines import count_lines_before

_MOST_PLACES = 1000
"""A text that stands more often than that is no text to cite by its place."""


def anchored(nodes: Sequence[BaseNode], documents: Iterable[Document]) -> list[BaseNode]:
    """The nodes, in their order, as copies whose offsets are exact or None.

    Nodes whose place is known already, and those of no document that is given, stay as they are.
    """
    known = {document.doc_id: document for document in documents}
    found = list(nodes)
    of_document: dict[str, list[int]] = {}
    for index, node in enumerate(nodes):
        origin = node.ref_doc_id
        if origin in known and isinstance(node, TextNode) and anchor_of(node) is None:
            of_document.setdefault(origin, []).append(index)
    for origin, indices in of_document.items():
        document = known[origin]
        texts = [nodes[index].get_content() for index in indices]
        source, extraction = described(document)
        for index, start in zip(indices, _starts(document.text, texts), strict=True):
            node = nodes[index].model_copy(deep=True)
            assert isinstance(node, TextNode)
            if start is None:
                node.start_char_idx = node.end_char_idx = None
            else:
                first_line = count_lines_before(document.text, start) + 1
                set_anchor(node, Anchor(source, extraction, start, first_line), origin)
            found[index] = node
    return found


def described(document: Document) -> tuple[Source, Extraction]:
    """What is known of a document: what Pincite's reader kept with it, or what its text tells."""
    if KEPT in document.metadata:
        return known_of(document.metadata[KEPT])
    found = document_of_text(document.text, name=path_of(document))
    return found.source, found.extraction


def _starts(text: str, wanted: Sequence[str]) -> list[int | None]:
    places = [_places(text, one) for one in wanted]
    starts = [found[0] if len(found) == 1 else None for found in places]
    # Who is certain rules out places for the others, and those, once certain, for still others.
    while True:
        certain = [
            Span(start, start + len(one))
            for start, one in zip(starts, wanted, strict=True)
            if start is not None
        ]
        changed = False
        for index, one in enumerate(wanted):
            if starts[index] is not None or not places[index]:
                continue
            free = [place for place in places[index] if not _is_inside(place, len(one), certain)]
            if len(free) == 1 and wanted.count(one) == 1:
                starts[index], changed = free[0], True
        if not changed:
            return starts


def _places(text: str, words: str) -> list[int]:
    found: list[int] = []
    start = text.find(words) if words.strip() else -1
    while start >= 0:
        if len(found) == _MOST_PLACES:
            return []
        found.append(start)
        start = text.find(words, start + 1)
    return found


def _is_inside(start: int, length: int, spans: Sequence[Span]) -> bool:
    return any(one.start <= start and start + length <= one.end for one in spans)
