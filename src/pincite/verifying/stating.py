"""What a citation states besides its words: title, headings above it, cells of its row."""

from __future__ import annotations

from pincite.records import Citation, Document, Passage, Span
from pincite.text.passages import split_passages
from pincite.text.rows import cells_of


def misstated(citation: Citation, document: Document, found: Span) -> list[str]:
    """What it states that is not so of the words at `found`, of the very text that is cited.

    What is left empty is not stated. Only for a text that the same extractor in the same version
    made: of another one the same file may have other headings.
    """
    wrong: list[str] = []
    is_same_file = citation.document.sha256 == document.source.sha256
    if is_same_file and citation.document.title != document.source.title:
        wrong.append("title")
    passage: Passage | None = None
    # To cut a document into passages takes longer than all else, and is seldom needed.
    if citation.heading_path and citation.heading_path != _headings_at(document, found.start):
        passage = _passage_at(document, found)
        if passage is None or citation.heading_path != passage.heading_path:
            wrong.append("headings")
    if citation.cells:
        passage = passage or _passage_at(document, found)
        if passage is None or citation.cells != cells_of(passage, found):
            wrong.append("cells")
    return wrong


def _headings_at(document: Document, offset: int) -> tuple[str, ...]:
    """The headings that the block at a place stands under."""
    now: tuple[str, ...] = ()
    for block in document.blocks:
        if block.span.start > offset:
            break
        now = block.heading_path
    return now


def _passage_at(document: Document, found: Span) -> Passage | None:
    """The passage that is cited when these words are."""
    for passage in split_passages(document):
        if passage.span.start <= found.start and found.end <= passage.span.end:
            return passage
    return None
