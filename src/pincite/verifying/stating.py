"""What a citation states besides its words: title, headings, cells of a row, warnings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pincite.records import Citation, CitationWarning, Document, Passage, Span
from pincite.text.rows import cells_of
from pincite.verifying.warning import warnings_of

Passages = Callable[[], Sequence[Passage]]
"""Those of a document: to cut it into them takes longer than all else."""


def misstated(citation: Citation, document: Document, found: Span, passages: Passages) -> list[str]:
    """What it states that is not so of the words at `found`, of the very text that is cited.

    What is left empty is not stated. Only for a text that the same extractor in the same version
    made: of another one the same file may have other headings.
    """
    wrong: list[str] = []
    is_same_file = citation.document.sha256 == document.source.sha256
    if is_same_file and citation.document.title != document.source.title:
        wrong.append("title")
    if is_same_file and citation.document.media_type != document.source.media_type:
        wrong.append("kind of file")
    passage: Passage | None = None
    if citation.heading_path and citation.heading_path != _headings_at(document, found.start):
        passage = _passage_at(passages, found)
        if passage is None or citation.heading_path != passage.heading_path:
            wrong.append("headings")
    if citation.cells:
        passage = passage or _passage_at(passages, found)
        if passage is None or citation.cells != cells_of(passage, found):
            wrong.append("cells")
    return wrong


def warnings_at(
    document: Document, found: Span, passages: Passages
) -> tuple[CitationWarning, ...] | None:
    """What should be known of the words at `found`; None where they are of several passages."""
    passage = _passage_at(passages, found)
    return None if passage is None else warnings_of(passage, found, beginning=document.text)


def _headings_at(document: Document, offset: int) -> tuple[str, ...]:
    """The headings that the block at a place stands under."""
    now: tuple[str, ...] = ()
    for block in document.blocks:
        if block.span.start > offset:
            break
        now = block.heading_path
    return now


def _passage_at(passages: Passages, found: Span) -> Passage | None:
    """The passage that is cited when these words are."""
    for passage in passages():
        if passage.span.start <= found.start and found.end <= passage.span.end:
            return passage
    return None
