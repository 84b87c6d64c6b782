"""The published records: valid against their schemas, and the same bytes every time."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from pincite.records import (
    Answer,
    Citation,
    Excerpt,
    Extraction,
    IndexInfo,
    IndexReport,
    IndexState,
    Lines,
    Problem,
    Quote,
    Refusal,
    RefusalReason,
    Retrieved,
    Role,
    Source,
    Span,
)
from pincite.render import dumps, error_to_json, load_schema, search_to_json, to_json
from pincite.render.record import SCHEMAS

SOURCE = Source("a/returns.md", "Returns", "text/markdown", "a" * 64, "2026-01-02T03:04:05Z")
EXTRACTION = Extraction("markdown", "1", "b" * 64)
STATE = IndexState(generation=3, fingerprint="c" * 64)
CITATION = Citation(
    role=Role.ANSWER,
    document=SOURCE,
    text=EXTRACTION,
    quote=Quote("Thirty days.", prefix="How long? ", suffix=" After that"),
    position=Span(10, 22),
    lines=Lines(3, 3),
    pages=(),
    place=None,
    heading_path=("Returns", "Time"),
    score=1.23456789,
)
RETRIEVED = Retrieved(
    rank=1,
    score=7.0,
    used=True,
    document=SOURCE,
    position=Span(0, 40),
    lines=Lines(1, 4),
    place=None,
    heading_path=("Returns",),
    text="How long? Thirty days. After that",
)
ANSWER = Answer(
    question="How long?",
    text="Thirty days.",
    confidence=0.875,
    citations=(CITATION,),
    retrieved=(RETRIEVED,),
    index=STATE,
    stale=("old.md",),
)
REFUSAL = Refusal(
    question="Why?",
    text="The documents do not say.",
    confidence=0.125,
    reason=RefusalReason.NOT_STATED,
    retrieved=(replace(RETRIEVED, used=False),),
    index=STATE,
    missing=("gift",),
    explanation="Some passages come near.",
    advice="Ask in other words.",
)
EXCERPT = Excerpt(
    document=SOURCE,
    text=EXTRACTION,
    heading_path=("Returns",),
    excerpt="How long? Thirty days.",
    position=Span(0, 22),
    lines=Lines(1, 1),
    marked=Span(10, 22),
    marked_lines=Lines(1, 1),
    place=None,
    stale=False,
)
INFO = IndexInfo(
    folder="/documents",
    store="/documents/.pincite",
    state=STATE,
    document_count=1,
    passage_count=2,
    sentence_count=5,
    unencoded_count=0,
    languages=(("en", 1),),
    documents=(SOURCE,),
    problems=(Problem("b.bin", "not text"),),
    forgotten=("private",),
    store_bytes=4096,
)
REPORT = IndexReport(
    state=STATE,
    added=("a/returns.md",),
    changed=(),
    removed=("old.md",),
    unchanged=4,
    problems=(Problem("b.bin", "not text"),),
    text_bytes=100,
)
RECORDS: list[tuple[str, dict[str, Any]]] = [
    ("answer-1", to_json(ANSWER)),
    ("answer-1", to_json(REFUSAL)),
    ("answer-1", {"id": "q1", **to_json(ANSWER)}),
    ("error-1", error_to_json("q1", "no question")),
    ("error-1", error_to_json(None, "not JSON")),
    ("index-1", to_json(REPORT)),
    ("info-1", to_json(INFO)),
    ("search-1", search_to_json("How long?", [RETRIEVED], STATE)),
    ("search-1", search_to_json("How long?", [], STATE, stale=["a/returns.md"])),
    ("show-1", to_json(EXCERPT)),
]


def validate(name: str, record: dict[str, Any]) -> None:
    Draft202012Validator(load_schema(name)).validate(record)


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_valid_and_name_the_record_they_are_for(name: str) -> None:
    schema = load_schema(name)
    Draft202012Validator.check_schema(schema)
    kind, number = name.split("-")
    assert schema["properties"]["schema"] == {"const": f"pincite.{kind}/{number}"}


def test_the_same_definition_is_the_same_in_every_schema() -> None:
    seen: dict[str, Any] = {}
    for name in SCHEMAS:
        for definition, body in load_schema(name)["$defs"].items():
            assert seen.setdefault(definition, body) == body


def test_there_is_no_schema_of_an_unknown_name() -> None:
    with pytest.raises(ValueError, match="no schema 'answer-9'"):
        load_schema("answer-9")


@pytest.mark.parametrize(("name", "record"), RECORDS)
def test_records_validate_and_survive_json(name: str, record: dict[str, Any]) -> None:
    validate(name, record)
    assert json.loads(dumps(record)) == record
    assert json.loads(dumps(record, pretty=True)) == record


@pytest.mark.parametrize(("name", "record"), RECORDS)
def test_schemas_refuse_unknown_and_missing_fields(name: str, record: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        validate(name, {**record, "surprise": 1})
    for field in record.keys() - {"id"}:
        with pytest.raises(ValidationError):
            validate(name, {key: value for key, value in record.items() if key != field})


@pytest.mark.parametrize(
    "wrong",
    [
        {"citations": to_json(ANSWER)["citations"]},
        {"retrieved": to_json(ANSWER)["retrieved"]},
        {"reason": "bored"},
        {"confidence": 1.5},
        {"explanation": ""},
        {"unanswered_parts": []},
    ],
    ids=[
        *("with a citation", "with a used passage", "unknown reason", "confidence above 1"),
        *("no explanation", "unanswered parts"),
    ],
)
def test_the_schema_refuses_a_refusal_that_is_none(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        validate("answer-1", {**to_json(REFUSAL), **wrong})


@pytest.mark.parametrize(
    "wrong",
    [{"citations": []}, {"text": ""}, {"reason": "not_stated"}, {"missing": []}],
    ids=["no citation", "no text", "a reason", "missing words"],
)
def test_the_schema_refuses_an_answer_that_is_none(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        validate("answer-1", {**to_json(ANSWER), **wrong})


def test_an_answer_is_written_in_a_fixed_order_and_rounded() -> None:
    written = dumps(to_json(ANSWER))
    assert list(json.loads(written)) == [
        "schema",
        "question",
        "status",
        "text",
        "confidence",
        "citations",
        "retrieved",
        "index",
        "stale",
        "scorer",
        "encoder",
        "unanswered_parts",
        "calibration",
        "pincite",
    ]
    assert '"score":1.234568}' in written
    assert "\n" not in written


def test_negative_zero_is_zero() -> None:
    written = dumps(to_json(replace(ANSWER, confidence=-0.0)))
    assert '"confidence":0.0' in written


def test_numbers_json_does_not_have_are_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        dumps(to_json(replace(ANSWER, confidence=float("nan"))))


@pytest.mark.parametrize(
    "text",
    ["\ud800 alone", "bell \x07, escape \x1b[31m, C1 \x9b", "\u2028\u2029", "\u202egnp", "ä 中 𝕏"],
)
def test_any_text_is_kept_exactly_and_can_be_written_as_utf8_on_one_line(text: str) -> None:
    written = dumps({"text": text})
    assert json.loads(written.encode().decode()) == {"text": text}
    assert len(written.splitlines()) == 1
    assert not {"\x1b", "\x9b", "\u202e"} & set(written)


def test_letters_are_written_as_they_are() -> None:
    assert dumps({"text": "Größe 中"}) == '{"text":"Größe 中"}'


def test_an_explanation_holds_an_answer_as_it_is_published() -> None:
    published, held = load_schema("answer-1"), load_schema("explain-1")["$defs"]["answer"]
    apart = ("$schema", "$id", "title", "$defs")
    assert held == {key: value for key, value in published.items() if key not in apart}
