"""The published records: plain dicts in a fixed order, and the bytes they are written as.

`docs/record-format.md` explains every field; `schemas/*.schema.json` states them for machines.
A record names its schema (`pincite.answer/1`); the number rises when a reader would break.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pincite.place_forms import place_to_json
from pincite.places import Place
from pincite.records import (
    Answer,
    Calibration,
    Citation,
    Conflict,
    Excerpt,
    Extraction,
    FittedCalibration,
    IndexInfo,
    IndexReport,
    IndexState,
    Lines,
    Problem,
    Refusal,
    Retrieved,
    Source,
    Span,
)
from pincite.version import __version__

SCHEMAS = (
    "answer-1",
    "audit-1",
    "calibrate-1",
    "error-1",
    "eval-1",
    "explain-1",
    "index-1",
    "info-1",
    "search-1",
    "show-1",
    "verify-1",
)
"""Names of the JSON Schema files in the package."""

Json = dict[str, Any]

_DECIMALS = 6
"""Scores are rounded so that the bytes do not hang on the last bit of a float."""

# JSON may hold these raw, but a terminal obeys some of them, some readers take some for a line
# end, and lone surrogates have no UTF-8. Escaped, the value read back is the same.
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def to_json(record: Answer | Refusal | Excerpt | IndexInfo | IndexReport) -> Json:
    """The published form of a record: only dicts, lists, strings, numbers, booleans.

    Keys are in a fixed order. A search has no record of its own: see `search_to_json`.
    """
    match record:
        case Answer():
            return _answer(record)
        case Refusal():
            return _refusal(record)
        case Excerpt():
            return _excerpt(record)
        case IndexInfo():
            return _info(record)
        case IndexReport():
            return _report(record)


def search_to_json(
    question: str, results: Sequence[Retrieved], state: IndexState, *, stale: Sequence[str] = ()
) -> Json:
    """The published form of a search: the ranked passages, best first; may be none.

    `stale` holds the paths of documents that changed or went since they were indexed.
    """
    return {
        "schema": "pincite.search/1",
        "question": question,
        "retrieved": [_retrieved(result) for result in results],
        "index": state_to_json(state),
        "stale": list(stale),
        "pincite": pincite_to_json(),
    }


def error_to_json(line_id: str | int | None, error: str) -> Json:
    """What is said in place of a record; `line_id` is that of a line of a batch, else None."""
    return {
        "id": line_id,
        "schema": "pincite.error/1",
        "status": "error",
        "error": error,
        "pincite": pincite_to_json(),
    }


def dumps(record: Mapping[str, Any], *, pretty: bool = False) -> str:
    """The record as JSON, without a final line end: one line, or indented when `pretty`.

    The same record gives the same characters, all of which UTF-8 can hold. ValueError for
    numbers JSON does not have (NaN, infinities).
    """
    text = json.dumps(
        record,
        ensure_ascii=False,
        allow_nan=False,
        indent=2 if pretty else None,
        separators=None if pretty else (",", ":"),
    )
    return _ESCAPED.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def load_schema(name: str) -> Json:
    """One of `SCHEMAS` as JSON Schema, draft 2020-12; ValueError for other names."""
    if name not in SCHEMAS:
        raise ValueError(f"no schema {name!r}, there are {', '.join(SCHEMAS)}")
    from importlib import resources  # Long to load, and seldom needed.

    path = resources.files("pincite") / "schemas" / f"{name}.schema.json"
    schema: Json = json.loads(path.read_text(encoding="utf-8"))
    return schema


def _answer(answer: Answer) -> Json:
    record: Json = {
        "schema": "pincite.answer/1",
        "question": answer.question,
        "status": "answered",
        "text": answer.text,
        "confidence": rounded(answer.confidence),
        "citations": [citation_to_json(citation) for citation in answer.citations],
        "retrieved": [_retrieved(result) for result in answer.retrieved],
        "index": state_to_json(answer.index),
        "stale": list(answer.stale),
        "scorer": answer.scorer,
        "encoder": answer.encoder,
        "unanswered_parts": list(answer.unanswered_parts),
        "calibration": calibration_to_json(answer.calibration),
        "pincite": pincite_to_json(),
    }
    # Left out where there is nothing, as mostly.
    if answer.conflicts:
        record["conflicts"] = [_conflict(one, answer) for one in answer.conflicts]
    return record


def _conflict(conflict: Conflict, answer: Answer) -> Json:
    places = [(one.document.path, one.position) for one in answer.citations]
    return {
        "kind": conflict.kind.value,
        "documents": [
            {
                "path": cited.document.path,
                "date": date,
                "quote": cited.quote.exact,
                "citation": places.index((cited.document.path, cited.position))
                if (cited.document.path, cited.position) in places
                else None,
            }
            for cited, date in (
                (conflict.newer, conflict.newer_date),
                (conflict.older, conflict.older_date),
            )
        ],
    }


def _refusal(refusal: Refusal) -> Json:
    return {
        "schema": "pincite.answer/1",
        "question": refusal.question,
        "status": "refused",
        "text": refusal.text,
        "confidence": rounded(refusal.confidence),
        "reason": refusal.reason.value,
        "missing": list(refusal.missing),
        "explanation": refusal.explanation,
        "advice": refusal.advice,
        "citations": [],
        "retrieved": [_retrieved(result) for result in refusal.retrieved],
        "index": state_to_json(refusal.index),
        "stale": list(refusal.stale),
        "scorer": refusal.scorer,
        "encoder": refusal.encoder,
        "calibration": calibration_to_json(refusal.calibration),
        "pincite": pincite_to_json(),
    }


def _excerpt(excerpt: Excerpt) -> Json:
    return {
        "schema": "pincite.show/1",
        "document": source_to_json(excerpt.document),
        "text": extraction_to_json(excerpt.text),
        "heading_path": list(excerpt.heading_path),
        "excerpt": excerpt.excerpt,
        "position": position_to_json(excerpt.position),
        "lines": lines_to_json(excerpt.lines),
        "marked": {
            "position": position_to_json(excerpt.marked),
            "lines": lines_to_json(excerpt.marked_lines),
            "place": place_or_none(excerpt.place),
        },
        "stale": excerpt.stale,
        "pincite": pincite_to_json(),
    }


def _info(info: IndexInfo) -> Json:
    return {
        "schema": "pincite.info/1",
        "folder": info.folder,
        "store": info.store,
        "store_bytes": info.store_bytes,
        "index": state_to_json(info.state),
        "document_count": info.document_count,
        "passage_count": info.passage_count,
        "sentence_count": info.sentence_count,
        "unencoded_count": info.unencoded_count,
        "languages": [
            {"language": language, "document_count": count} for language, count in info.languages
        ],
        "documents": [source_to_json(source) for source in info.documents],
        "problems": [problem_to_json(problem) for problem in info.problems],
        "forgotten": list(info.forgotten),
        "calibrations": [fitted_to_json(fitted) for fitted in info.calibrations],
        "pincite": pincite_to_json(),
    }


def _report(report: IndexReport) -> Json:
    return {
        "schema": "pincite.index/1",
        "index": state_to_json(report.state),
        "added": list(report.added),
        "changed": list(report.changed),
        "removed": list(report.removed),
        "unchanged_count": report.unchanged,
        "problems": [problem_to_json(problem) for problem in report.problems],
        "text_bytes": report.text_bytes,
        "ignored_count": report.ignored,
        "pincite": pincite_to_json(),
    }


def calibration_to_json(calibration: Calibration | None) -> Json | None:
    """What confidence and threshold were learnt from; None for those of the package."""
    if calibration is None:
        return None
    return {
        "name": calibration.name,
        "sha256": calibration.sha256,
        "question_count": calibration.questions,
        "risk": rounded(calibration.risk),
        "holds": calibration.holds,
        "threshold": rounded(calibration.threshold),
    }


def fitted_to_json(fitted: FittedCalibration) -> Json:
    """All that was learnt for one scorer."""
    return {
        "scorer": fitted.scorer,
        "name": fitted.name,
        "sha256": fitted.sha256,
        "question_count": fitted.questions,
        "slope": rounded(fitted.slope),
        "intercept": rounded(fitted.intercept),
        "risk": rounded(fitted.risk),
        "assurance": rounded(fitted.assurance),
        "levels": [
            {
                "risk": rounded(level.risk),
                "threshold": rounded(level.threshold),
                "answered": level.answered,
                "wrong": level.wrong,
                "holds": level.holds,
            }
            for level in fitted.levels
        ],
    }


def citation_to_json(citation: Citation) -> Json:
    """One citation, as it stands in the record of an answer."""
    record: Json = {
        "role": citation.role.value,
        "parts": list(citation.parts),
        "document": source_to_json(citation.document),
        "text": extraction_to_json(citation.text),
        "quote": {
            "exact": citation.quote.exact,
            "prefix": citation.quote.prefix,
            "suffix": citation.quote.suffix,
        },
        "cells": citation.cells,
        "position": position_to_json(citation.position),
        "lines": lines_to_json(citation.lines),
        "pages": list(citation.pages),
        "place": place_or_none(citation.place),
        "heading_path": list(citation.heading_path),
        "score": rounded(citation.score),
    }
    # Left out where there is nothing, as mostly.
    if citation.warnings:
        record["warnings"] = [
            {"kind": one.kind.value, "words": one.words} for one in citation.warnings
        ]
    return record


def _retrieved(result: Retrieved) -> Json:
    return {
        "rank": result.rank,
        "score": rounded(result.score),
        "used": result.used,
        "document": source_to_json(result.document),
        "position": position_to_json(result.position),
        "lines": lines_to_json(result.lines),
        "place": place_or_none(result.place),
        "heading_path": list(result.heading_path),
        "text": result.text,
    }


def source_to_json(source: Source) -> Json:
    return {
        "path": source.path,
        "title": source.title,
        "media_type": source.media_type,
        "sha256": source.sha256,
        "modified": source.modified,
    }


def extraction_to_json(extraction: Extraction) -> Json:
    return {
        "extractor": extraction.extractor,
        "extractor_version": extraction.extractor_version,
        "sha256": extraction.sha256,
    }


def place_or_none(place: Place | None) -> Json | None:
    """In the file's own units; None where lines say it."""
    return None if place is None else place_to_json(place)


def position_to_json(span: Span) -> Json:
    """Code points into the text."""
    return {"unit": "codepoint", "start": span.start, "end": span.end}


def lines_to_json(lines: Lines) -> Json:
    """First and last line."""
    return {"start": lines.start, "end": lines.end}


def state_to_json(state: IndexState) -> Json:
    """Which state of which documents."""
    return {"generation": state.generation, "fingerprint": state.fingerprint}


def problem_to_json(problem: Problem) -> Json:
    """A file that was not read, or only in part."""
    return {
        "path": problem.path,
        "reason": problem.reason,
        "partial": problem.is_partial,
        "need": None if problem.need is None else problem.need.value,
    }


def pincite_to_json() -> Json:
    """The Pincite that writes the record."""
    return {"version": __version__}


def rounded(number: float) -> float:
    """As numbers stand in records, where the last bits of a float say nothing."""
    # Adding zero turns -0.0 into 0.0.
    return round(float(number), _DECIMALS) + 0.0
