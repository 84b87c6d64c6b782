"""Annotations as the Responses API of OpenAI gives them: places in the answer's own text.

A file is cited behind the words that are from it (`index`); a web page over them. Where in the file
they stand this format cannot say. Indices count code points of the answer's text.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from pincite.exporting.exported import Exported, Json
from pincite.exporting.links import link_of
from pincite.records import Citation, Role, Span

_WEB = "text/html"


def export(answer: Exported) -> Json:
    """A message with one text and its annotations; a refusal where nothing is cited."""
    if not answer.citations:
        return _message({"type": "refusal", "refusal": answer.text})
    annotations: list[Json] = []
    spans = {id(citation): span for citation, span in answer.quoted()}
    last = Span(0, 0)
    for citation in answer.citations:
        # The same words elsewhere are cited where those before them stand.
        last = last if citation.role is Role.ALSO else spans.get(id(citation), last)
        annotations.append(_annotation(answer, citation, last))
    return _message({"type": "output_text", "text": answer.text, "annotations": annotations})


def _message(content: Json) -> Json:
    return {"type": "message", "role": "assistant", "status": "completed", "content": [content]}


def _annotation(answer: Exported, citation: Citation, span: Span) -> Json:
    if citation.document.media_type == _WEB:
        return {
            "type": "url_citation",
            "start_index": span.start,
            "end_index": span.end,
            "url": link_of(citation, answer.texts),
            "title": citation.document.title,
        }
    return {
        "type": "file_citation",
        "index": span.end,
        "file_id": citation.document.sha256,
        "filename": PurePosixPath(citation.document.path).name,
    }
