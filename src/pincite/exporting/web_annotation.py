"""W3C Web Annotations: the form in which citations are exchanged.

The question is the body of each, the place in the file its target; what has to be read with the
words is a body more, a comment. Positions are code points into
the extracted text, as the recommendation counts them.
"""

from __future__ import annotations

import hashlib

from pincite.exporting.exported import Exported, Json
from pincite.exporting.links import path_url
from pincite.records import Citation

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
_PDF_FRAGMENTS = "http://tools.ietf.org/rfc/rfc3778"


def export(answer: Exported) -> Json:
    """An annotation a citation, in a page of them."""
    items = [_annotation(answer, citation) for citation in answer.citations]
    return {
        "@context": CONTEXT,
        "id": _urn(*(item["id"] for item in items), "page"),
        "type": "AnnotationPage",
        "items": items,
    }


def _annotation(answer: Exported, citation: Citation) -> Json:
    position, notes = citation.position, answer.notes(citation)
    body: Json = {
        "type": "TextualBody",
        "value": answer.question or citation.quote.exact,
        "purpose": "questioning" if answer.question else "describing",
    }
    comments = [{"type": "TextualBody", "value": note, "purpose": "commenting"} for note in notes]
    key = (
        citation.document.sha256,
        citation.text.sha256,
        f"{position.start},{position.end}",
        citation.quote.exact,
        answer.question,
        *notes,
    )
    return {
        "@context": CONTEXT,
        "id": _urn(*key),
        "type": "Annotation",
        "motivation": "linking",
        "body": [body, *comments] if comments else body,
        "target": {
            "type": "SpecificResource",
            "source": {
                "id": path_url(citation.document.path),
                "type": "Text",
                "format": citation.document.media_type,
            },
            **_state(citation.document.modified),
            "selector": _selectors(citation),
        },
    }


def _state(modified: str) -> Json:
    return {"state": {"type": "TimeState", "sourceDate": modified}} if modified else {}


def _selectors(citation: Citation) -> list[Json]:
    exact: Json = {
        "type": "TextQuoteSelector",
        "exact": citation.quote.exact,
        "prefix": citation.quote.prefix,
        "suffix": citation.quote.suffix,
    }
    position: Json = {
        "type": "TextPositionSelector",
        "start": citation.position.start,
        "end": citation.position.end,
    }
    pages: list[Json] = [
        {
            "type": "FragmentSelector",
            "conformsTo": _PDF_FRAGMENTS,
            "value": f"page={page}",
            "refinedBy": exact,
        }
        for page in citation.pages[:1]
    ]
    return [*pages, exact, position]


def _urn(*parts: str) -> str:
    joined = "\0".join(parts).encode("utf-8", "surrogatepass")
    return f"urn:sha256:{hashlib.sha256(joined).hexdigest()}"
