"""`pincite verify`: exit codes, records that are none, and files that are not to be looked at."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pincite.render import load_schema

from .conftest import QUESTION, QUOTE, REFUND, UNANSWERED, Pincite


@pytest.fixture
def saved(pincite: Pincite, folder: Path, tmp_path: Path) -> Path:
    """A saved answer."""
    file = tmp_path / "answer.json"
    file.write_bytes(pincite("ask", folder, QUESTION, "--json", "--lexical").stdout)
    return file


def changed(saved: Path, **fields: Any) -> Path:
    """The saved answer with fields of its citation set to something else."""
    record = json.loads(saved.read_text("utf-8"))
    for name, value in fields.items():
        place = record["citations"][0]
        *path, last = name.split("__")
        for step in path:
            place = place[step]
        place[last] = value
    saved.write_text(json.dumps(record), "utf-8")
    return saved


def test_a_citation_that_holds_is_valid(pincite: Pincite, folder: Path, saved: Path) -> None:
    verified = pincite("verify", saved, "--root", folder)
    assert verified.returncode == 0
    assert verified.stdout.decode().splitlines() == [
        "valid          returns.md:5",
        f"               {QUOTE}",
        "1 of 1 citation valid",
        "Not compared: calibration, confidence, encoder, index, modified, parts, question, "
        "retrieved, score, scorer, stale, unanswered parts",
    ]


def test_a_folder_that_has_none_of_the_files_is_told_to_look_like_the_wrong_one(
    pincite: Pincite, folder: Path, saved: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    verified = pincite("verify", saved, "--root", other)
    assert verified.returncode == 3
    assert verified.stdout.startswith(b"gone ")
    told = verified.stderr.decode()
    assert f"none of the files that are cited is in {other}" in told
    assert "name that with --root FOLDER" in told
    assert b"none of the files" not in pincite("verify", saved, "--root", folder).stderr


def test_a_changed_document_is_told_with_what_it_says_now(
    pincite: Pincite, folder: Path, saved: Path
) -> None:
    file = folder / "returns.md"
    file.write_text(file.read_text("utf-8").replace("45", "30"), "utf-8")
    verified = pincite("verify", saved, "--root", folder, "--json")
    assert verified.returncode == 3
    record = json.loads(verified.stdout)
    Draft202012Validator(load_schema("verify-1")).validate(record)
    (one,) = record["citations"]
    assert (one["status"], one["now"]) == ("changed", QUOTE.replace("45", "30"))
    assert record["holds"] is False


def test_an_answer_in_other_words_than_its_citations_does_not_hold(
    pincite: Pincite, folder: Path, saved: Path
) -> None:
    record = json.loads(saved.read_text("utf-8"))
    for fields, said in (
        ({"text": "You may never return it."}, "record 1: the text of the answer is not"),
        ({"citations": []}, "record 1: it is answered and cites nothing"),
    ):
        saved.write_text(json.dumps({**record, **fields}), "utf-8")
        verified = pincite("verify", saved, "--root", folder)
        assert verified.returncode == 3
        assert f"not valid      {said}" in verified.stdout.decode()
    verified = pincite("verify", saved, "--root", folder, "--json")
    Draft202012Validator(load_schema("verify-1")).validate(json.loads(verified.stdout))
    assert json.loads(verified.stdout)["holds"] is False


def test_what_has_to_be_read_with_words_that_hold_is_told_with_them(
    pincite: Pincite, folder: Path, saved: Path
) -> None:
    file = folder / "returns.md"
    text = file.read_text("utf-8")
    file.write_text(text.replace(QUOTE, f"{QUOTE} This does not apply to sofas."), "utf-8")
    verified = pincite("verify", saved, "--root", folder)
    assert verified.returncode == 0
    assert verified.stdout.decode().splitlines()[:3] == [
        "valid          returns.md:5",
        f"               {QUOTE}",
        "               but: This does not apply to sofas.",
    ]
    told = pincite("verify", saved, "--root", folder, "--json").stdout
    Draft202012Validator(load_schema("verify-1")).validate(json.loads(told))
    # Such a warning as the record has to give, had it been so when it was asked.
    again = pincite("ask", folder, QUESTION, "--json", "--lexical").stdout
    record = json.loads(again)
    del record["citations"][0]["warnings"]
    saved.write_text(json.dumps(record), "utf-8")
    verified = pincite("verify", saved, "--root", folder)
    assert verified.returncode == 3
    assert "the record does not warn of what the document gives cause for" in (
        verified.stdout.decode()
    )


def test_of_errors_alone_nothing_is_checked(pincite: Pincite, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "errors.jsonl"
    file.write_text('{"schema": "pincite.error/1"}\n', "utf-8")
    verified = pincite("verify", file, "--root", folder)
    assert verified.returncode == 3
    assert b"nothing was checked" in verified.stdout


def test_without_the_folder_it_is_told_where_was_looked(
    pincite: Pincite, saved: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    verified = pincite("verify", saved, "--root", elsewhere)
    assert f"no such file in {elsewhere}: --root names" in verified.stdout.decode()


def test_a_unit_is_refused_by_a_format_that_takes_none(pincite: Pincite, saved: Path) -> None:
    exported = pincite("export", saved, "--as", "web-annotation", "--unit", "byte")
    assert (exported.returncode, exported.stdout) == (2, b"")
    assert b"web-annotation has its own unit" in exported.stderr


def test_moved_words_are_accepted_on_demand(pincite: Pincite, folder: Path, saved: Path) -> None:
    file = folder / "returns.md"
    file.write_text("New here.\n\n" + file.read_text("utf-8"), "utf-8")
    assert pincite("verify", saved, "--root", folder).returncode == 3
    moved = pincite("verify", saved, "--root", folder, "--allow-moved")
    assert moved.returncode == 0
    assert moved.stdout.decode().startswith("moved          returns.md:7\n")


def test_of_a_refusal_there_is_nothing_to_check(
    pincite: Pincite, folder: Path, saved: Path
) -> None:
    saved.write_bytes(pincite("ask", folder, UNANSWERED, "--json", "--lexical").stdout)
    verified = pincite("verify", saved, "--root", folder)
    assert verified.returncode == 0
    first, *_ = verified.stdout.decode().splitlines()
    assert first == "nothing is quoted, so there is nothing to check"


def test_a_batch_and_a_refusal_can_be_verified(
    pincite: Pincite, folder: Path, tmp_path: Path
) -> None:
    lines = [{"id": n, "question": one} for n, one in enumerate([QUESTION, UNANSWERED, REFUND])]
    asked = "\n".join([*map(json.dumps, lines), "no question"]).encode()
    batch = pincite("ask", folder, "--batch", "-", "--lexical", stdin=asked)
    file = tmp_path / "answers.jsonl"
    file.write_bytes(batch.stdout)
    verified = pincite("verify", file, "--root", folder, "--json")
    assert verified.returncode == 0
    places = [(one["record"], one["citation"]) for one in json.loads(verified.stdout)["citations"]]
    assert places == [(1, 1), (3, 1)]


def test_a_document_that_went_or_cannot_be_read_is_told(
    pincite: Pincite, folder: Path, saved: Path
) -> None:
    (folder / "returns.md").write_bytes(b"%PDF-1.7 no pages at all")
    assert pincite("verify", saved, "--root", folder).stdout.startswith(b"unreadable ")
    (folder / "returns.md").unlink()
    gone = pincite("verify", saved, "--root", folder)
    assert (gone.returncode, gone.stdout[:5]) == (3, b"gone ")
    (folder / "returns.md").mkdir()
    assert pincite("verify", saved, "--root", folder).stdout.startswith(b"unreadable ")


@pytest.mark.parametrize("path", ["../secret.md", "/etc/passwd", "a/../../secret.md", "a\0b", ""])
def test_nothing_outside_of_the_folder_is_looked_at(
    path: str, pincite: Pincite, folder: Path, saved: Path, tmp_path: Path
) -> None:
    (tmp_path / "secret.md").write_bytes((folder / "returns.md").read_bytes())
    verified = pincite("verify", changed(saved, document__path=path), "--root", folder)
    assert (verified.returncode, verified.stdout[:13]) == (3, b"not checkable")


def test_links_are_followed_inside_of_the_folder_and_not_out_of_it(
    pincite: Pincite, folder: Path, saved: Path, tmp_path: Path
) -> None:
    inside = folder / "kept.md"
    (folder / "returns.md").rename(inside)
    (folder / "returns.md").symlink_to(inside)
    assert pincite("verify", saved, "--root", folder).returncode == 0
    inside.rename(tmp_path / "kept.md")
    (folder / "returns.md").unlink()
    (folder / "returns.md").symlink_to(tmp_path / "kept.md")
    verified = pincite("verify", saved, "--root", folder)
    assert (verified.returncode, verified.stdout[:13]) == (3, b"not checkable")


@pytest.mark.parametrize(
    ("record", "said"),
    [
        (b"", "it is empty"),
        (b"\xff\xfe", "it is not UTF-8"),
        (b"{", "it is not whole JSON"),
        (b"[]", "it is no record"),
        (b'{"schema": "pincite.answer/2"}', "it is of the kind 'pincite.answer/2'"),
        (b'{"schema": "pincite.search/1"}', "it is of the kind 'pincite.search/1'"),
        (b'{"schema": "pincite.answer/1", "schema": "pincite.answer/1"}', "stands twice"),
        (b'{"schema": "pincite.answer/1", "status": "answered"}', "it is no whole record"),
        (b'{"quote": {}}', "a citation in it is not whole"),
        (b"[" * 100_000, "recursion"),
    ],
)
def test_what_is_no_record_is_refused(
    record: bytes, said: str, pincite: Pincite, folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(record)
    verified = pincite("verify", file, "--root", folder)
    assert (verified.returncode, verified.stdout) == (1, b"")
    assert said in verified.stderr.decode()
    assert verified.stderr.count(b"\n") == 1


def test_a_record_cut_off_anywhere_is_never_taken_for_valid(
    pincite: Pincite, folder: Path, saved: Path
) -> None:
    whole = saved.read_bytes().rstrip()
    for length in range(1, len(whole), len(whole) // 7):
        saved.write_bytes(whole[:length])
        assert pincite("verify", saved, "--root", folder).returncode == 1


@pytest.mark.parametrize(
    "fields",
    [
        {"position__unit": "byte"},
        {"position__start": -1},
        {"position__end": "9"},
        {"quote__exact": ""},
        {"quote__prefix": None},
        {"text__sha256": "x"},
        {"score": 10**400},
        {"place": {"kind": "nowhere"}},
    ],
)
def test_a_citation_that_is_not_whole_is_refused(
    fields: dict[str, Any], pincite: Pincite, folder: Path, saved: Path
) -> None:
    verified = pincite("verify", changed(saved, **fields), "--root", folder)
    assert (verified.returncode, verified.stdout) == (1, b"")
