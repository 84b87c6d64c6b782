"""Citations as the Messages API of Anthropic gives them: blocks of text, each with its citations.

Ends are exclusive; characters and blocks count from 0, pages from 1.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pincite.exporting.exported import Exported, Json, innermost, label_of
from pincite.places import NotebookPlace, ParagraphPlace, SlidePlace
from pincite.records import Citation, Role


def export(answer: Exported) -> Json:
    """The content of a message, the documents in the order of their indices, and what else to read.

    A message has no place for what has to be read with a quote: it stands beside, under `pincite`.
    """
    numbers = answer.numbers()
    content: list[Json] = []
    for citation in answer.citations:
        located = location(
            citation,
            number=numbers[citation.document.path],
            offset=partial(answer.offset, citation),
        )
        if citation.role is Role.ALSO and content:
            content[-1]["citations"].append(located)
        else:
            content.append({"type": "text", "text": citation.quote.exact, "citations": [located]})
    documents = {one.document.path: one.document for one in answer.citations}
    return {
        "role": "assistant",
        "content": content or [{"type": "text", "text": answer.text}],
        "documents": [
            {
                "document_index": number,
                "title": label_of(documents[path]),
                "path": path,
                "media_type": documents[path].media_type,
            }
            for path, number in numbers.items()
        ],
        **answer.noted(),
    }


def location(citation: Citation, *, number: int, offset: Callable[[int], int]) -> Json:
    """One citation of the document with that number; `offset` counts a place in it in the unit."""
    of_all: Json = {
        "cited_text": citation.quote.exact,
        "document_index": number,
        "document_title": label_of(citation.document),
    }
    place = innermost(citation.place)
    if citation.pages:
        return {
            "type": "page_location",
            **of_all,
            "start_page_number": citation.pages[0],
            "end_page_number": citation.pages[-1] + 1,
        }
    if isinstance(place, (SlidePlace, ParagraphPlace, NotebookPlace)):
        return {
            "type": "content_block_location",
            **of_all,
            "start_block_index": place.first - 1,
            "end_block_index": place.last,
        }
    return {
        "type": "char_location",
        **of_all,
        "start_char_index": offset(citation.position.start),
        "end_char_index": offset(citation.position.end),
    }
