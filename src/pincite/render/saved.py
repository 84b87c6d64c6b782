"""Records that were printed with `--json`, read again and checked in every field that is used."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from pincite.answering.combining import text_of
from pincite.answering.several import same_words
from pincite.errors import RecordUnusable
from pincite.place_forms import place_from_json
from pincite.records import (
    Citation,
    CitationWarning,
    ConflictKind,
    Extraction,
    Lines,
    Quote,
    Role,
    Source,
    Span,
    WarningKind,
)
from pincite.render.noted import differ_text

ANSWER, CITATION = "pincite.answer/1", "pincite.citation/1"
MAXIMUM_BYTES = 64 * 1024 * 1024
"""Of a file of records."""

_COMPARED = {"schema", "id", "status", "text", "citations", "pincite"}
"""Fields of an answer that are compared with documents, or say what the record itself is."""
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class SavedAnswer:
    """What can be used of a record of an answer or refusal that was kept."""

    question: str
    text: str
    status: str
    citations: tuple[Citation, ...]
    record: Mapping[str, Any]
    """As it was read."""
    fault: str = ""
    """Why the record does not hold, whatever its citations do; mostly empty."""
    conflicts: tuple[str, ...] = ()
    """That documents differ, a sentence each."""
    version: str = ""
    """Of the Pincite that wrote it, where it says so."""


def read_records(data: bytes, *, name: str) -> list[SavedAnswer]:
    """The records in a file called `name`: one, or one a line as of a batch; errors are left out.

    A citation alone, as it stands in a record, counts as an answer without a question.
    `RecordUnusable` where any of them is no such record, is of a later version, or is cut off.
    """
    if len(data) > MAXIMUM_BYTES:
        raise RecordUnusable(name, detail=f"it holds more than {MAXIMUM_BYTES // 1_000_000} MB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordUnusable(name, detail=f"it is not UTF-8: {error}") from error
    if not text.strip():
        raise RecordUnusable(name, detail="it is empty")
    try:
        return _of([_parsed(text)], name)
    except json.JSONDecodeError as error:
        lines = [line for line in text.split("\n") if line.strip()]
        # A record over several lines begins with a line that is no JSON by itself.
        if len(lines) < 2 or not _is_json(lines[0]):
            raise RecordUnusable(name, detail=f"it is not whole JSON: {error}") from error
    except (ValueError, RecursionError) as error:
        raise RecordUnusable(name, detail=str(error)) from error
    records = []
    for number, line in enumerate(lines, start=1):
        try:
            records.append(_parsed(line))
        except json.JSONDecodeError as error:
            detail = f"record {number} is not whole JSON: {error}"
            raise RecordUnusable(name, detail=detail) from error
        except (ValueError, RecursionError) as error:
            raise RecordUnusable(name, detail=f"record {number}: {error}") from error
    return _of(records, name)


def not_compared(saved: Sequence[SavedAnswer]) -> tuple[str, ...]:
    """What these records say that no document is compared with: how it was asked and chosen."""
    names = {name for one in saved if one.status for name in one.record}
    return tuple(sorted(names - _COMPARED))


def citation_from_json(record: Any, *, name: str) -> Citation:
    """The citation that stands so in a record; `RecordUnusable` where it is none."""
    try:
        return _citation(record)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, OverflowError) as error:
        what = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise RecordUnusable(name, detail=f"a citation in it is not whole: {what}") from error


def _of(records: Sequence[Any], name: str) -> list[SavedAnswer]:
    saved = []
    for record in records:
        if not isinstance(record, dict):
            raise RecordUnusable(name, detail="it is no record of an answer or a citation")
        schema = record.get("schema", CITATION)
        if schema == "pincite.error/1":
            continue
        if schema == CITATION:
            saved.append(SavedAnswer("", "", "", (citation_from_json(record, name=name),), record))
        elif schema == ANSWER:
            saved.append(_answer(record, name))
        else:
            detail = f"it is of the kind {schema!r}, and {ANSWER} is what can be read"
            raise RecordUnusable(name, detail=detail)
    return saved


def _answer(record: dict[str, Any], name: str) -> SavedAnswer:
    match record:
        case {
            "question": str(question),
            "text": str(text),
            "status": ("answered" | "refused") as status,
            "citations": list(citations),
        } if status == "answered" or not citations:
            cited = tuple(citation_from_json(one, name=name) for one in citations)
            differ = record.get("conflicts", [])
            differing = _conflicts(differ, name)
            fault = _fault(text, cited, differ) if status == "answered" else ""
            version = _version(record)
            return SavedAnswer(question, text, status, cited, record, fault, differing, version)
    raise RecordUnusable(name, detail="it is no whole record of an answer or refusal")


def _conflicts(records: Any, name: str) -> tuple[str, ...]:
    try:
        for one in _list(records):
            ConflictKind(one["kind"])
        return tuple(
            differ_text(_dated(newer), _dated(older))
            for newer, older in (one["documents"] for one in records)
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        detail = "what it says of documents that differ is not whole"
        raise RecordUnusable(name, detail=detail) from error


def _dated(document: Any) -> tuple[str, str]:
    if document["citation"] is not None:
        _whole(document["citation"])
    _words(document["quote"])
    return _words(document["path"]), _words(document["date"])


def _version(record: Mapping[str, Any]) -> str:
    match record.get("pincite"):
        case {"version": str(version)}:
            return version
    return ""


def _fault(text: str, citations: Sequence[Citation], conflicts: Sequence[Any]) -> str:
    if not citations:
        return "it is answered and cites nothing"
    if text != text_of(citations):
        return "the text of the answer is not what its citations say"
    said = [same_words(one.quote.exact) for one in citations if one.role is not Role.ALSO]
    for one in citations:
        # What answers two parts is cited once, and may be in more words than what says it again.
        if one.role is Role.ALSO and not any(same_words(one.quote.exact) in held for held in said):
            return "words are cited as said again that the answer does not say"
    every = [document for conflict in conflicts for document in conflict["documents"]]
    if not all(_is_cited(document, citations) for document in every):
        return "documents are said to differ in words that are not cited"
    return ""


def _is_cited(document: Mapping[str, Any], citations: Sequence[Citation]) -> bool:
    """Whether the words of a document that differs are those of the citation that it names.

    Words that are a part of a longer quote are cited by that, and name none.
    """
    number, path, words = document["citation"], document["path"], document["quote"]
    if number is None:
        return any(one.document.path == path and words in one.quote.exact for one in citations)
    if not 0 <= number < len(citations):
        return False
    cited = citations[number]
    return (path, words) == (cited.document.path, cited.quote.exact)


def _citation(record: Any) -> Citation:
    document, text, quote = record["document"], record["text"], record["quote"]
    position, lines = record["position"], record["lines"]
    if position["unit"] != "codepoint":
        raise ValueError(f"the position counts {position['unit']!r}, not code points")
    span = Span(_whole(position["start"]), _whole(position["end"]))
    exact = _words(quote["exact"])
    if not exact:
        raise ValueError("the quote is empty")
    place = record["place"]
    return Citation(
        role=Role(record["role"]),
        document=Source(
            _words(document["path"]),
            _words(document["title"]),
            _words(document["media_type"]),
            _hash(document["sha256"]),
            _words(document["modified"]),
        ),
        text=Extraction(
            _words(text["extractor"]), _words(text["extractor_version"]), _hash(text["sha256"])
        ),
        quote=Quote(exact, _words(quote["prefix"]), _words(quote["suffix"])),
        position=span,
        lines=Lines(_whole(lines["start"]), _whole(lines["end"])),
        pages=tuple(_whole(page) for page in _list(record["pages"])),
        place=None if place is None else place_from_json(place),
        heading_path=tuple(_words(one) for one in _list(record["heading_path"])),
        score=_number(record["score"]),
        parts=tuple(_words(one) for one in _list(record["parts"])),
        cells=_words(record["cells"]),
        warnings=tuple(
            CitationWarning(WarningKind(one["kind"]), _words(one["words"]))
            for one in _list(record.get("warnings", []))
        ),
    )


def _words(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a string")
    return value


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is not a list")
    return value


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _number(value: Any) -> float:
    number = float(value)
    if isinstance(value, (str, bool)) or not math.isfinite(number):
        raise TypeError(f"{value!r} is not a number")
    return number


def _hash(value: Any) -> str:
    if not _SHA256.fullmatch(_words(value)):
        raise ValueError(f"{value!r} is not a SHA-256 in hexadecimal")
    return _words(value)


def _is_json(line: str) -> bool:
    try:
        _parsed(line)
    except (ValueError, RecursionError):
        return False
    return True


def _parsed(text: str) -> Any:
    return json.loads(text, parse_constant=_no_number, object_pairs_hook=_without_twins)


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _without_twins(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    # Of two values under one name, two readers could take one each.
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return record
