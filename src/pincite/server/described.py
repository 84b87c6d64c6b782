"""What the OpenAPI document says of replies: the published schemas, and what can go wrong."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from pincite.render import load_schema
from pincite.server.problems import MEDIA_TYPE
from pincite.server.problems import SCHEMA as PROBLEM

Responses = dict[int | str, dict[str, Any]]

RECORDS = ("answer-1", "audit-1", "search-1", "show-1", "verify-1")
"""The published schemas that replies have."""
_COMPONENTS = "#/components/schemas/"
COLLECTION_HEADER = "Pincite-Collection"
_COLLECTION = {
    COLLECTION_HEADER: {
        "description": "The collection it is from.",
        "schema": {"type": "string"},
    }
}


def record_of(name: str, description: str) -> dict[str, Any]:
    """A 200 that is a published record, with the collection it is from in a header."""
    schema = {"$ref": f"{_COMPONENTS}{name}"}
    content = {"application/json": {"schema": schema}}
    return {"description": description, "content": content, "headers": _COLLECTION}


def json_of(description: str, schema: dict[str, Any]) -> dict[str, Any]:
    """A 200 that is JSON of this schema."""
    return {"description": description, "content": {"application/json": {"schema": schema}}}


def bytes_of(description: str, media_type: str) -> dict[str, Any]:
    """A 200 that is a file."""
    content = {media_type: {"schema": {"type": "string", "format": "binary"}}}
    return {"description": description, "content": content}


def events_of(description: str) -> dict[str, Any]:
    """What a stream is, in the place of a media type; no schema fits both it and one event."""
    return {"schema": {"description": description}}


def problems_of(*statuses: int) -> Responses:
    """What can go wrong, besides what can everywhere."""
    every = sorted({*statuses, *EVERYWHERE})
    content = {MEDIA_TYPE: {"schema": {"$ref": f"{_COMPONENTS}problem"}}}
    return {
        status: {"description": HTTPStatus(status).phrase, "content": content} for status in every
    }


EVERYWHERE = (400, 401, 403, 404, 405, 408, 413, 415, 422, 500, 503, 504)


def components() -> dict[str, Any]:
    """The schemas that replies refer to."""
    found: dict[str, Any] = {"problem": PROBLEM}
    for name in RECORDS:
        schema = load_schema(name)
        # In a document of many schemas, a reference begins at the document.
        for own in ("$schema", "$id"):
            schema.pop(own, None)
        found[name] = _within(schema, f"{_COMPONENTS}{name}/")
    return found


def _within(schema: Any, place: str) -> Any:
    if isinstance(schema, dict):
        return {
            key: value.replace("#/", place, 1)
            if key == "$ref" and isinstance(value, str)
            else _within(value, place)
            for key, value in schema.items()
        }
    if isinstance(schema, list):
        return [_within(one, place) for one in schema]
    return schema
