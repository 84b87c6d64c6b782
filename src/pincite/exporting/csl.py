"""CSL-JSON: citations with a locator, as reference managers and citation processors take them."""

from __future__ import annotations

from pincite.exporting.exported import Exported, Json, innermost, label_of
from pincite.places import CellPlace, ChapterPlace, ParagraphPlace, TimePlace
from pincite.records import Citation
from pincite.render.places import place_text

SCHEMA = "https://resource.citationstyles.org/schema/latest/input/json/csl-citation.json"


def export(answer: Exported) -> Json:
    """One citation of all the places, in the order of the answer, with the items they are of."""
    return {
        "schema": SCHEMA,
        "citationID": "1",
        "citationItems": [_item(citation, answer) for citation in answer.citations],
        "properties": {"noteIndex": 0},
    }


def locator_of(citation: Citation) -> tuple[str, str]:
    """The CSL label and the locator."""
    place = innermost(citation.place)
    if citation.pages:
        return "page", _range(citation.pages[0], citation.pages[-1])
    match place:
        case None:
            return "line", _range(citation.lines.start, citation.lines.end)
        case ParagraphPlace():
            return "paragraph", _range(place.first, place.last)
        case ChapterPlace():
            return "chapter", str(place.number)
        case CellPlace() | TimePlace():
            return "section", place_text(place)
    return "section", place_text(place)


def _item(citation: Citation, answer: Exported) -> Json:
    label, locator = locator_of(citation)
    source = citation.document
    return {
        "id": source.sha256,
        "label": label,
        "locator": locator,
        "itemData": {
            "id": source.sha256,
            "type": "document",
            "title": label_of(source),
            "archive_location": source.path,
            "note": "; ".join([f"SHA-256 {source.sha256}", *answer.notes(citation)]),
        },
    }


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
