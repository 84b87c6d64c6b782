"""The places that a saved record cites, to be shown again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pincite.records import Extraction


class BadRecordError(Exception):
    """What was read is no record with citations; the message says what it is."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A place in a document, and the text it was a place in."""

    locator: str
    text: Extraction


def cited_in(data: bytes) -> list[Cited]:
    """The places cited in a saved record: an answer, in order; or one citation, or an excerpt.

    Empty for a refusal. BadRecordError for anything else.
    """
    try:
        record = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BadRecordError(f"it is not JSON in UTF-8: {error}") from error
    if isinstance(record, dict) and isinstance(record.get("citations"), list):
        return [_cited(citation) for citation in record["citations"]]
    if isinstance(record, dict) and isinstance(record.get("marked"), dict):
        return [_cited({**record, "position": record["marked"].get("position")})]
    return [_cited(record)]


def _cited(citation: Any) -> Cited:
    match citation:
        case {
            "document": {"path": str(path)},
            "text": {
                "extractor": str(extractor),
                "extractor_version": str(version),
                "sha256": str(sha256),
            },
            "position": {"start": int(start), "end": int(end)},
        } if 0 <= start <= end:
            text = Extraction(extractor, version, sha256)
            return Cited(f"{path}#char={start},{end}", text)
    raise BadRecordError(
        "it is no record of an answer, a citation or an excerpt as `--json` prints them"
    )
