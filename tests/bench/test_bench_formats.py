"""The checks of `python -m bench formats`: what holds passes, what does not is told."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from bench.format_child import Guard
from bench.formats import (
    Known,
    failures,
    known_files,
    measure_packed,
    read_in_process,
    without_excerpts,
)

from bench import format_checks
from pincite.loaders import document_of_bytes
from pincite.places import ElementPlace, Mark
from pincite.records import Document

PAGE = b"<h1>Opening hours</h1><p>We open at eight &amp; close at six.</p><p>Tea is free.</p>"


def page() -> Document:
    return document_of_bytes(PAGE, name="page.html")


def wrong(document: Document) -> int:
    found = format_checks.reread_places(document, PAGE, "page.html")
    return sum(counted.get("wrong", 0) for counted in found["outcomes"].values())


def moved(marks: Sequence[Mark], by: int) -> tuple[Mark, ...]:
    places = [(mark, mark.place) for mark in marks]
    return tuple(
        replace(mark, place=replace(place, start=place.start + by, end=place.end + by))
        for mark, place in places
        if isinstance(place, ElementPlace)
    )


def test_places_that_are_right_are_found_right():
    assert wrong(page()) == 0


@pytest.mark.parametrize("by", [-1, 1])
def test_places_that_are_one_sign_off_are_found_wrong(by: int):
    document = page()
    assert wrong(replace(document, marks=moved(document.marks, by))) > 100


def test_marks_that_overlap_and_blocks_that_leave_words_out_are_faults():
    document = page()
    first, second, *rest = document.marks
    overlapping = (first, replace(second, start=first.start), *rest)
    assert format_checks.structure_faults(document) == []
    assert format_checks.structure_faults(replace(document, marks=overlapping))
    assert format_checks.structure_faults(replace(document, blocks=document.blocks[1:]))


def test_words_of_the_file_without_a_mark_are_told():
    document = page()
    without = format_checks.uncovered(replace(document, marks=document.marks[1:]))
    assert format_checks.uncovered(document)["unexplained"] == 0
    assert without["examples"] == ["Opening hours"]


def test_strings_are_found_across_white_space_and_rows_by_their_cells():
    table = b"<table><tr><th>Item</th><th>Fee</th></tr><tr><td>Lamp</td><td>12</td></tr></table>"
    document = document_of_bytes(table, name="fees.html")
    wanted = ["Lamp   12", "12   Lamp", "Lamp 13"]
    missing = format_checks.missing_strings(document, wanted)
    assert [one["string"] for one in missing] == ["12   Lamp", "Lamp 13"]


def test_recall_counts_the_words_found_in_order():
    recall, missed = format_checks.recall_in_order("one two four", "# one **two** three four")
    assert (recall, missed) == (75.0, ["three"])


def test_what_reading_may_not_do_fails_and_is_kept(tmp_path: Path):
    guard = Guard()
    with guard, pytest.raises(PermissionError):
        (tmp_path / "left").write_text("x")
    assert not (tmp_path / "left").exists()
    assert [tried.split()[0] for tried in guard.tried] == ["open"]
    (tmp_path / "later").write_text("x")


def test_a_file_is_read_in_a_process_and_its_checks_come_back(tmp_path: Path):
    (tmp_path / "page.html").write_bytes(PAGE)
    known = Known("page.html", must_contain=("Tea is free.", "Coffee"))
    result = read_in_process(tmp_path / "page.html", known)
    assert (result["outcome"], result["extractor"]) == ("read", "html")
    assert failures(result) == ["does not contain 'Coffee'"]


def test_a_file_that_is_refused_is_no_failure(tmp_path: Path):
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.4 nothing")
    result = read_in_process(tmp_path / "a.pdf", Known("a.pdf"))
    assert (result["outcome"], failures(result)) == ("refused", [])


def test_a_process_that_ends_without_a_word_is_a_crash(tmp_path: Path):
    kill = [sys.executable, "-c", "import os; os.abort()"]
    result = read_in_process(tmp_path / "a", Known("a"), prefix=kill)
    assert result["outcome"] == "crash"
    assert failures(result)[0].startswith("crash")


def test_files_are_those_of_the_manifest_or_all(tmp_path: Path):
    for name in ("b.txt", "a.txt"):
        (tmp_path / name).write_text("x")
    assert [file.path for file in known_files(tmp_path)] == ["a.txt", "b.txt"]
    entry = {"path": "b.txt", "must_contain": ["x"], "expected_md": "a.txt"}
    (tmp_path / "manifest.json").write_text(json.dumps([entry, {"path": "gone.txt"}]))
    assert known_files(tmp_path) == [Known("b.txt", must_contain=("x",), expected="x")]


def test_what_is_kept_counts_excerpts_instead_of_quoting_the_file():
    result = {"path": "a", "checks": {"missing": [{"string": "secret"}], "recall": 90.0}}
    assert without_excerpts(result) == {"path": "a", "checks": {"missing": 1, "recall": 90.0}}


def test_a_file_of_each_kind_is_read_again_in_archives(tmp_path: Path):
    (tmp_path / "fees.csv").write_text("Item,Fee\nLamp,9 euros\nDesk,80 euros\n", "utf-8")
    (tmp_path / "longer.csv").write_text("Item,Fee\n" + "Chair,12 euros\n" * 9, "utf-8")
    (tmp_path / "tides.html").write_text("<h1>Tides</h1><p>The tide turns at six.</p>", "utf-8")
    results = measure_packed(tmp_path, known_files(tmp_path))
    assert [result["path"] for result in results] == ["(packed).zip", "(packed).tar.gz"]
    for result in results:
        assert not failures(result)
        assert result["checks"]["places"]["kinds"] == [
            "member",
            "member > cells",
            "member > elements",
        ]
