"""Annotations as the Responses API of OpenAI gives them: places in the answer's own text.

A file is cited behind the words that are from it (`index`); a web page over them. Where in the file
they stand this format cannot say. Indices count code points of the answer's text.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from pincite.exporting.exported import Exported, Json, label_of
from pincite.exporting.links import link_of
from pincite.records import Citation, Role, Span

_WEB = "text/html"


def export(answer: Exported) -> Json:
    """A message with one text and its annotations; a refusal where nothing is cited.

    Annotations have no place for what has to be read with a quote: it is the field `pincite`.
    """
    if not answer.citations:
        return _message({"type": "refusal", "refusal": answer.text})
    annotations: list[Json] = []
    spans = {id(citation): span for citation, span in answer.quoted()}
    last = Span(0, 0)
    for citation in answer.citations:
        # The same words elsewhere are cited where those before them stand.
        last = last if citation.role is Role.ALSO else spans.get(id(citation), last)
        annotations.append(annotation(citation, last, link=link_of(citation, answer.texts)))
    said = {"type": "output_text", "text": answer.text, "annotations": annotations}
    return {**_message(said), **answer.noted()}


def _message(content: Json) -> Json:
    return {"type": "message", "role": "assistant", "status": "completed", "content": [content]}


def annotation(citation: Citation, span: Span, *, link: str) -> Json:
    """One citation of the words that stand at `span` in the answer's text.

    `link` leads to the place, for a document that is a web page.
    """
    if citation.document.media_type == _WEB:
        return url_citation(citation, span, link=link)
    return {
        "type": "file_citation",
        "index": span.end,
        "file_id": citation.document.sha256,
        "filename": PurePosixPath(citation.document.path).name,
    }


def url_citation(citation: Citation, span: Span, *, link: str) -> Json:
    """The citation as that of a page on the web, whatever its document is."""
    return {
        "type": "url_citation",
        "start_index": span.start,
        "end_index": span.end,
        "url": link,
        "title": label_of(citation.document),
    }
