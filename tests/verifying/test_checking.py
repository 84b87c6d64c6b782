"""What becomes of a citation as its document changes, by the package and by the single file."""

from __future__ import annotations

import importlib.util
import json
import random
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import RecordUnusable
from pincite.loaders import document_of_text
from pincite.places import CellPlace, Mark
from pincite.records import Document
from pincite.render.record import citation_to_json
from pincite.render.saved import citation_from_json, read_records
from pincite.verifications import Change, Status
from pincite.verifying.checking import changes, verify
from pincite.verifying.matching import occurrences

from .vectors import CARDS, FILE, REFUND, RETURN, TERMS, citation_of, document, vectors

ROOT = Path(__file__).parent.parent.parent
VECTORS = json.loads(FILE.read_text("utf-8"))


@pytest.fixture(scope="module")
def single_file() -> ModuleType:
    """`tools/verify_citation.py`, which imports nothing of the package."""
    spec = importlib.util.spec_from_file_location(
        "verify_citation", ROOT / "tools" / "verify_citation.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["verify_citation"] = module
    spec.loader.exec_module(module)
    return module


def test_the_published_vectors_are_those_of_the_tests() -> None:
    assert vectors() == VECTORS


@pytest.mark.parametrize("vector", VECTORS["citations"], ids=lambda one: one["name"])
def test_a_citation_has_the_status_of_its_vector(vector: dict[str, Any]) -> None:
    citation = citation_from_json(vector["citation"], name="vector")
    found = verify(citation, document(vector["text"]))
    assert found.status.value == vector["status"]
    assert (found.position is None) == (vector["position"] is None)


@pytest.mark.parametrize("vector", VECTORS["matching"], ids=lambda one: one["name"])
def test_a_quote_is_found_where_its_vector_says(vector: dict[str, Any]) -> None:
    found = occurrences(vector["quote"], vector["text"])
    assert [[span.start, span.end] for span in found] == vector["places"]


@pytest.mark.parametrize("vector", VECTORS["records"], ids=lambda one: one["name"])
def test_a_record_holds_where_its_vector_says(vector: dict[str, Any]) -> None:
    record = {"schema": "pincite.answer/1", "question": "What?", **vector["record"]}
    (saved,) = read_records(json.dumps(record).encode(), name="vector")
    assert (saved.fault == "") == vector["holds"]


@pytest.mark.parametrize("vector", VECTORS["unreadable"], ids=lambda one: one["name"])
def test_what_is_no_whole_record_is_refused(vector: dict[str, Any]) -> None:
    with pytest.raises(RecordUnusable):
        read_records(vector["json"].encode(), name="vector")


def test_the_single_file_agrees_on_every_vector(single_file: ModuleType) -> None:
    assert single_file.failed_vectors(VECTORS) == []


@settings(deadline=None)
@given(st.integers(0, 2**32), st.sampled_from([RETURN, REFUND, CARDS]))
def test_both_agree_on_any_edit_and_neither_takes_other_words_for_the_quote(
    single_file: ModuleType, seed: int, words: str
) -> None:
    draw = random.Random(seed)
    pieces = TERMS.split(" ")
    for _ in range(draw.randint(1, 6)):
        place = draw.randrange(len(pieces))
        change = draw.choice(["drop", "swap", "say", "wrap"])
        if change == "drop":
            del pieces[place]
        elif change == "swap":
            other = draw.randrange(len(pieces))
            pieces[place], pieces[other] = pieces[other], pieces[place]
        elif change == "say":
            pieces[place] = draw.choice(["not", "7", "unless", "\n\n", "-", "may", "5", "weeks."])
        else:
            pieces[place] += "\n"
    text = " ".join(pieces)
    citation = citation_of(words, TERMS)
    one = verify(citation, document(text))
    other = single_file.verify(citation_to_json(citation), text)
    place = None if one.position is None else {"start": one.position.start, "end": one.position.end}
    assert (other["status"], other["position"]) == (one.status.value, place)
    if one.status in (Status.VALID, Status.MOVED):
        assert one.position is not None
        assert " ".join(one.position.of(text).split()) == words


def test_what_changed_is_told_word_by_word() -> None:
    found = verify(citation_of(RETURN, TERMS), document(TERMS.replace("45", "30")))
    assert found.now == "You may return a lamp within 30 days."
    assert [(one.kind, one.words) for one in found.changes] == [
        ("same", "You may return a lamp within "),
        ("removed", "45"),
        ("added", "30"),
        ("same", " days."),
    ]
    assert found.position is not None
    assert found.lines is not None
    assert found.lines.start == 5


def test_of_long_texts_that_repeat_themselves_the_difference_is_told_in_one_piece() -> None:
    before, after = "You may return it now. " * 500, "You can return it soon. " * 500
    assert changes(f"Here. {before}End.", f"Here. {after}End.") == (
        Change("same", "Here. You "),
        Change("removed", before[len("You ") : -len(". ")]),
        Change("added", after[len("You ") : -len(". ")]),
        Change("same", ". End."),
    )


def test_a_quote_of_a_text_that_repeats_itself_is_found_where_it_is_cited(
    single_file: ModuleType,
) -> None:
    text = "You may return it now. " * 2_000
    cited = citation_of("You may return it now.", text, number=1_000)
    for now in (text, text + "More."):
        assert verify(cited, document(now)).status is Status.VALID
        assert single_file.verify(citation_to_json(cited), now)["status"] == "valid"
    gone = text.replace("may", "can")
    found = verify(cited, document(gone))
    assert found.status is Status.CHANGED
    told = single_file.verify(citation_to_json(cited), gone)
    assert (told["status"], told["now"]) == ("changed", found.now)


def test_what_was_looked_at_is_told() -> None:
    found = verify(citation_of(RETURN, TERMS), document(TERMS))
    assert [(check.name, check.passed) for check in found.checks] == [
        (name, True)
        for name in (
            "file",
            "extractor",
            "text",
            "position",
            "quote",
            "context",
            "complete",
            "place",
            "stated",
            "warnings",
        )
    ]
    assert found.not_compared == ("modified", "parts", "score")


FEES = (
    "# Fees\n\n## Parcels\n\n| Parcel | Fee |\n|---|---|\n| small | 4.50 |\n\n## Letters\n\nFree.\n"
)
ROW = "| small | 4.50 |"
CELLS = "Parcel: small; Fee: 4.50"


@pytest.mark.parametrize(
    ("words", "fields", "wrong"),
    [
        (ROW, {"heading_path": ("Fees", "Parcels"), "cells": CELLS}, ""),
        ("Free.", {"heading_path": ("Fees", "Letters")}, ""),
        ("Free.", {"heading_path": ()}, ""),
        ("# Fees"[2:], {"heading_path": ("Fees", "Parcels")}, ""),
        ("Free.", {"heading_path": ("Fees", "Parcels")}, "headings"),
        ("Free.", {"heading_path": ("Fees", "Letters", "Gold customers")}, "headings"),
        (ROW, {"cells": "Parcel: small; Fee: 0.00"}, "cells"),
        ("Free.", {"cells": "Parcel: small; Fee: free"}, "cells"),
        (ROW, {"heading_path": ("Fines",), "cells": "Fine: 4.50"}, "headings, cells"),
    ],
)
def test_headings_and_cells_that_a_record_states_are_those_of_the_document(
    words: str, fields: dict[str, Any], wrong: str
) -> None:
    found = verify(replace(citation_of(words, FEES), **fields), document(FEES))
    assert found.status is (Status.CHANGED if wrong else Status.VALID)
    check = next(one for one in found.checks if one.name == "stated")
    assert check.passed is not bool(wrong)
    assert check.found == (f"not so: {wrong}" if wrong else "")


def test_a_title_that_a_record_states_is_that_of_the_file_cited() -> None:
    right = citation_of(RETURN, TERMS)
    forged = replace(right, document=replace(right.document, title="Terms of 2030"))
    assert verify(forged, document(TERMS)).status is Status.CHANGED
    # Of a file that changed the title may be another one now.
    later = TERMS.replace("# Terms", "# Usage").replace("Express fees", "Fees")
    assert verify(right, document(later)).status is Status.VALID


def test_the_same_words_on_another_sheet_have_moved() -> None:
    text = "Fee 5 EUR"

    def sheet(name: str) -> Document:
        plain = document_of_text(text, name="fees.csv")
        mark = Mark(0, len(text), CellPlace(name, 1, 1, 1, 1))
        return Document(plain.source, plain.extraction, text, plain.blocks, "en", (mark,))

    record = {
        **citation_to_json(citation_of(text, text)),
        "place": {"kind": "cells", "sheet": "A", "left": 1, "top": 1, "right": 1, "bottom": 1}
        | {"row": "", "column": "", "cells": "A1"},
    }
    citation = citation_from_json(record, name="record")
    assert verify(citation, sheet("A")).status is Status.VALID
    assert verify(citation, sheet("B")).status is Status.MOVED
