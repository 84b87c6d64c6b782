"""Exports have the form published for each: by the types of the official clients where there are
such, else by schemas written here by hand from what is published.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from anthropic.types import TextBlock
from jsonschema import Draft202012Validator
from openai.types.responses import (
    ResponseOutputMessage,
    ResponseOutputRefusal,
    ResponseOutputText,
)

from pincite.exporting import FORMATS, Exported
from pincite.places import (
    CellPlace,
    ChapterPlace,
    ElementPlace,
    NotebookPlace,
    Page,
    PagePlace,
    ParagraphPlace,
    Place,
    SlidePlace,
    TimePlace,
)
from pincite.records import Citation, CitationWarning, Role, WarningKind

from ..verifying.vectors import citation_of

TEXT = "# Fees\n\nYou pay 5 € & more, a well-known fee. It is <b>due</b> at once.\n"
QUOTE = "You pay 5 € & more, a well-known fee."
PLACES: list[Place | None] = [
    None,
    PagePlace((Page(3), Page(4))),
    CellPlace("Fees", 1, 2, 3, 2, row="Lamp"),
    SlidePlace(2, 3, "Fees"),
    ParagraphPlace(4, 5),
    ElementPlace("/html/body/p[2]", "fees", 10, 20),
    NotebookPlace(1, 2, "code"),
    TimePlace(61_000, 62_500, "Anna"),
    ChapterPlace(7, "Fees", "c7.xhtml", ElementPlace("/html/body/p")),
]


def cited(place: Place | None) -> Citation:
    pages = (3, 4) if isinstance(place, PagePlace) else ()
    return replace(citation_of(QUOTE, TEXT), place=place, pages=pages)


def exported(name: str, *places: Place | None) -> Any:
    citations = [cited(place) for place in places]
    also = [replace(one, role=Role.ALSO) for one in citations[1:]]
    text = QUOTE if citations else "The documents do not say."
    return FORMATS[name](Exported("What is the fee?", text, (*citations[:1], *also)))


@pytest.mark.parametrize("place", PLACES, ids=lambda one: type(one).__name__)
def test_content_is_what_the_client_of_anthropic_takes(place: Place | None) -> None:
    (block,) = exported("anthropic", place)["content"]
    read = TextBlock.model_validate_json(json.dumps(block), strict=True)
    assert read.citations is not None
    (citation,) = read.citations
    assert citation.type == block["citations"][0]["type"]
    assert citation.cited_text == QUOTE


@pytest.mark.parametrize("media_type", ["text/markdown", "text/html"])
def test_a_message_is_what_the_client_of_openai_takes(media_type: str) -> None:
    one = cited(PLACES[5])
    one = replace(one, document=replace(one.document, media_type=media_type))
    message = FORMATS["openai"](Exported("What is the fee?", QUOTE, (one,)))
    assert isinstance(message, dict)
    (content,) = message["content"]
    read = ResponseOutputText.model_validate_json(json.dumps(content), strict=True)
    assert [a.type for a in read.annotations] == [content["annotations"][0]["type"]]
    (refusal,) = exported("openai")["content"]
    assert ResponseOutputRefusal.model_validate_json(json.dumps(refusal), strict=True)


STRING = {"type": "string", "minLength": 1}
COUNT = {"type": "integer", "minimum": 0}
TEXT_QUOTE = {
    "type": "object",
    "properties": {
        "type": {"const": "TextQuoteSelector"},
        "exact": STRING,
        "prefix": {"type": "string"},
        "suffix": {"type": "string"},
    },
    "required": ["type", "exact"],
    "additionalProperties": False,
}
TEXTUAL_BODY = {
    "type": "object",
    "properties": {
        "type": {"const": "TextualBody"},
        "value": STRING,
        "purpose": {"enum": ["questioning", "describing", "commenting"]},
    },
    "required": ["type", "value"],
    "additionalProperties": False,
}
ANNOTATION = {
    # Of the Web Annotation Data Model (W3C Recommendation, 23 February 2017), sections 3 and 4:
    # what it requires, and of what it allows what is written here.
    "type": "object",
    "properties": {
        "@context": {"const": "http://www.w3.org/ns/anno.jsonld"},
        "id": {"type": "string", "pattern": "^[a-z][a-z0-9+.-]*:"},
        "type": {"const": "Annotation"},
        "motivation": {"enum": ["linking"]},
        "body": {"oneOf": [TEXTUAL_BODY, {"type": "array", "minItems": 1, "items": TEXTUAL_BODY}]},
        "target": {
            "type": "object",
            "properties": {
                "type": {"const": "SpecificResource"},
                "source": {
                    "type": "object",
                    "properties": {
                        "id": STRING,
                        "type": {"enum": ["Dataset", "Image", "Video", "Sound", "Text"]},
                        "format": {"type": "string", "pattern": "^[a-z]+/[a-z0-9.+-]+$"},
                    },
                    "required": ["id"],
                    "additionalProperties": False,
                },
                "state": {
                    "type": "object",
                    "properties": {
                        "type": {"const": "TimeState"},
                        "sourceDate": {
                            "type": "string",
                            "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$",
                        },
                    },
                    "required": ["type", "sourceDate"],
                    "additionalProperties": False,
                },
                "selector": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "oneOf": [
                            TEXT_QUOTE,
                            {
                                "type": "object",
                                "properties": {
                                    "type": {"const": "TextPositionSelector"},
                                    "start": COUNT,
                                    "end": COUNT,
                                },
                                "required": ["type", "start", "end"],
                                "additionalProperties": False,
                            },
                            {
                                "type": "object",
                                "properties": {
                                    "type": {"const": "FragmentSelector"},
                                    "value": STRING,
                                    "conformsTo": {"type": "string", "pattern": "^https?://"},
                                    "refinedBy": TEXT_QUOTE,
                                },
                                "required": ["type", "value"],
                                "additionalProperties": False,
                            },
                        ]
                    },
                },
            },
            "required": ["source"],
            "additionalProperties": False,
        },
    },
    "required": ["@context", "id", "type", "target"],
    "additionalProperties": False,
}
CSL = {
    # What the published schema of citations (csl-citation.json) and of items (csl-data.json)
    # require and allow of the fields that are written here.
    "type": "object",
    "properties": {
        "schema": {
            "const": "https://resource.citationstyles.org/schema/latest/input/json/csl-citation.json"
        },
        "citationID": {"type": ["string", "number"]},
        "citationItems": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": ["string", "number"]},
                    "itemData": {
                        "type": "object",
                        "properties": {
                            "id": {"type": ["string", "number"]},
                            "type": {"const": "document"},
                            "title": {"type": "string"},
                            "archive_location": {"type": "string"},
                            "note": {"type": "string"},
                        },
                        "required": ["type", "id"],
                        "additionalProperties": False,
                    },
                    "locator": {"type": "string"},
                    "label": {"enum": ["chapter", "line", "page", "paragraph", "section"]},
                },
                "required": ["id"],
                "additionalProperties": False,
            },
        },
        "properties": {
            "type": "object",
            "properties": {"noteIndex": {"type": "number"}},
            "additionalProperties": False,
        },
    },
    "required": ["schema", "citationID"],
    "additionalProperties": False,
}


@pytest.mark.parametrize("place", PLACES, ids=lambda one: type(one).__name__)
def test_annotations_are_those_of_the_recommendation(place: Place | None) -> None:
    made = exported("web-annotation", place, None)
    assert (made["type"], len(made["items"])) == ("AnnotationPage", 2)
    for one in made["items"]:
        assert list(Draft202012Validator(ANNOTATION).iter_errors(one)) == []


@pytest.mark.parametrize("place", PLACES, ids=lambda one: type(one).__name__)
def test_a_csl_citation_is_that_of_its_schema(place: Place | None) -> None:
    made = exported("csl-json", place, None)
    assert list(Draft202012Validator(CSL).iter_errors(made)) == []


@pytest.mark.parametrize("place", PLACES, ids=lambda one: type(one).__name__)
def test_ris_is_lines_of_known_tags_from_a_type_to_an_end(place: Place | None) -> None:
    lines = exported("ris", place, None).split("\r\n")
    tags = [line[:2] for line in lines if line]
    assert all(re.fullmatch(r"[A-Z][A-Z0-9]  - .*", line) for line in lines if line)
    assert set(tags) <= {"TY", "TI", "M1", "SP", "EP", "L1", "N1", "ID", "ER"}
    assert (tags[0], tags[-1], tags.count("TY")) == ("TY", "ER", tags.count("ER"))


FRAGMENTS = [
    r"char=\d+(,\d+)?",  # RFC 5147, section 3, as far as it is written here.
    r"line=\d+(,\d+)?",
    r"page=[1-9]\d*",  # RFC 8118, section 3.
    r":~:text=([^&,-]+-,)?[^&,-]+(,[^&,-]+)?(,-[^&,-]+)?",  # URL Fragment Text Directives, 3.2.
]


@pytest.mark.parametrize("place", PLACES, ids=lambda one: type(one).__name__)
def test_links_have_a_fragment_of_a_published_form_or_none(place: Place | None) -> None:
    (link,) = exported("links", place)["links"]
    path, _, fragment = link["url"].partition("#")
    assert path == "terms.md"
    has_fragment = place is None or isinstance(place, (PagePlace, ElementPlace))
    assert bool(fragment) == has_fragment
    assert not fragment or sum(bool(re.fullmatch(one, fragment)) for one in FRAGMENTS) == 1


NOTE = "but: This does not apply to <b>chairs</b>."
DIFFER = "The documents differ: fees.md (2026) says otherwise than old.md (2025)."


def with_notes(name: str) -> Any:
    """An export of two quotes; the first has an exception, and the documents differ."""
    words = "This does not apply\nto <b>chairs</b>."
    first = replace(cited(None), warnings=(CitationWarning(WarningKind.QUALIFIED, words),))
    second = replace(citation_of("It is <b>due</b> at once.", TEXT))
    text = f"{QUOTE}\n\n{second.quote.exact}"
    return FORMATS[name](Exported("What is the fee?", text, (first, second), conflicts=(DIFFER,)))


@pytest.mark.parametrize("name", [one for one in FORMATS if one not in ("markdown", "html")])
def test_what_has_to_be_read_with_a_quote_is_in_every_form_and_without_it_nothing_is(
    name: str,
) -> None:
    made = with_notes(name)
    shown = made if isinstance(made, str) else json.dumps(made, ensure_ascii=False)
    assert NOTE in shown
    assert DIFFER in shown
    plain = exported(name, None)
    shown = plain if isinstance(plain, str) else json.dumps(plain)
    assert not re.search("but:|differ|pincite|warnings|conflicts|commenting", shown)


def test_a_note_stands_where_each_form_has_a_place_for_it_and_the_form_stays_valid() -> None:
    for one in with_notes("web-annotation")["items"]:
        assert list(Draft202012Validator(ANNOTATION).iter_errors(one)) == []
    one, other = with_notes("web-annotation")["items"]
    assert [body["value"] for body in one["body"]] == ["What is the fee?", NOTE, DIFFER]
    assert [body["purpose"] for body in other["body"]] == ["questioning", "commenting"]
    made = with_notes("csl-json")
    assert list(Draft202012Validator(CSL).iter_errors(made)) == []
    assert made["citationItems"][0]["itemData"]["note"].endswith(f"; {NOTE}; {DIFFER}")
    lines = with_notes("ris").split("\r\n")
    assert [line for line in lines if line.startswith("N1")] == [
        f"N1  - {QUOTE}",
        f"N1  - {NOTE}",
        f"N1  - {DIFFER}",
        "N1  - It is <b>due</b> at once.",
        f"N1  - {DIFFER}",
    ]
    beside = {"warnings": [{"citation": 0, "note": NOTE}], "conflicts": [DIFFER]}
    message = with_notes("openai")
    assert message.pop("pincite") == beside
    read = ResponseOutputMessage.model_validate({"id": "msg_1", **message}, strict=True)
    assert read.status == "completed"
    content = with_notes("anthropic")
    assert content["pincite"] == beside
    for block in content["content"]:
        TextBlock.model_validate_json(json.dumps(block), strict=True)
    links = with_notes("links")
    assert [link.get("warnings") for link in links["links"]] == [[NOTE], None]
    assert links["conflicts"] == [DIFFER]


def test_a_document_whose_time_is_not_known_has_no_state() -> None:
    one = cited(None)
    one = replace(one, document=replace(one.document, modified=""))
    made: Any = FORMATS["web-annotation"](Exported("What is the fee?", QUOTE, (one,)))
    assert list(Draft202012Validator(ANNOTATION).iter_errors(made["items"][0])) == []
