"""Citations as content blocks of a message, for applications that pass those on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from llama_index.core.base.llms.types import CitationBlock, TextBlock


def citation_blocks(metadata: Mapping[str, Any]) -> list[CitationBlock]:
    """The citations in the metadata of a response, each as a `CitationBlock`.

    Its location has `start` and `end`, in characters, and `first_line` and `last_line` of the
    document; nothing where the place is not known for certain.
    """
    citations: Sequence[Mapping[str, Any]] = metadata.get("citations", ())
    return [
        CitationBlock(
            cited_content=TextBlock(text=citation["quote"]["exact"]),
            source=citation["document"]["path"],
            title=citation["document"].get("title", citation["document"]["path"]),
            additional_location_info=_location(citation),
        )
        for citation in citations
    ]


def _location(citation: Mapping[str, Any]) -> dict[str, int]:
    position, lines = citation["position"], citation["lines"]
    if position is None or lines is None:
        return {}
    return {
        "start": position["start"],
        "end": position["end"],
        "first_line": lines["start"],
        "last_line": lines["end"],
    }
