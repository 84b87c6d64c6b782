"""`pincite bundle`: what it writes, what it warns of, and what it is not given."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import QUESTION, QUOTE, REFUND, UNANSWERED, Pincite


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture
def saved(pincite: Pincite, folder: Path, tmp_path: Path, log: Path) -> Path:
    """A saved answer, which is entry 1 of the log."""
    file = tmp_path / "answer.json"
    answer = pincite("ask", folder, QUESTION, "--json", "--lexical", "--audit", log)
    file.write_bytes(answer.stdout)
    return file


def test_an_answer_is_bundled_with_its_evidence(
    pincite: Pincite, folder: Path, saved: Path, log: Path, tmp_path: Path
) -> None:
    out = tmp_path / "bundle.html"
    run = pincite(
        "bundle", saved, "--out", out, "--root", folder, "--audit", log, "--entry", "1"
    )  # fmt: skip
    assert (run.returncode, run.stderr) == (0, b"")
    assert run.stdout.decode().startswith(f"{out}: 1 quote, record ")
    html = out.read_text("utf-8")
    assert QUOTE in html
    assert "The entry in the audit log" in html
    again = tmp_path / "again.html"
    pincite("bundle", saved, "--out", again, "--root", folder, "--audit", log, "--entry", "1")
    assert again.read_bytes() == out.read_bytes()


def test_a_document_that_changed_is_warned_of_and_the_bundle_is_written(
    pincite: Pincite, folder: Path, saved: Path, tmp_path: Path
) -> None:
    file = folder / "returns.md"
    file.write_text(file.read_text("utf-8").replace("45", "30"), "utf-8")
    out = tmp_path / "bundle.html"
    run = pincite("bundle", saved, "--out", out, "--root", folder)
    assert run.returncode == 3
    assert run.stderr.decode().startswith("pincite: quote 1 of returns.md is changed:")
    assert "within 30 days" in out.read_text("utf-8")


def test_without_a_folder_it_is_said_that_no_document_was_looked_at(
    pincite: Pincite, saved: Path, tmp_path: Path
) -> None:
    run = pincite("bundle", saved, "--out", tmp_path / "bundle.html")
    assert run.returncode == 0
    assert "no document was looked at: give --root FOLDER" in run.stderr.decode()


def test_a_refusal_is_bundled_too(pincite: Pincite, folder: Path, tmp_path: Path) -> None:
    record = tmp_path / "refusal.json"
    record.write_bytes(pincite("ask", folder, UNANSWERED, "--json", "--lexical").stdout)
    run = pincite("bundle", record, "--out", tmp_path / "bundle.html", "--root", folder)
    assert (run.returncode, run.stderr) == (0, b"")


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (b"", "it is empty"),
        (b"{", "it is not whole JSON"),
        (b'{"schema": "pincite.answer/9"}', "it is of the kind 'pincite.answer/9'"),
    ],
)
def test_what_is_no_record_is_not_bundled(
    pincite: Pincite, tmp_path: Path, record: bytes, told: str
) -> None:
    file, out = tmp_path / "record.json", tmp_path / "bundle.html"
    file.write_bytes(record)
    run = pincite("bundle", file, "--out", out)
    assert run.returncode == 1
    assert told in run.stderr.decode()
    assert not out.exists()


def test_several_answers_are_not_one_bundle(pincite: Pincite, saved: Path, tmp_path: Path) -> None:
    twice = tmp_path / "twice.jsonl"
    line = b" ".join(saved.read_bytes().split(b"\n"))
    twice.write_bytes(line + b"\n" + line + b"\n")
    run = pincite("bundle", twice, "--out", tmp_path / "bundle.html")
    assert run.returncode == 1
    assert "it holds 2 records of answers: a bundle is of one" in run.stderr.decode()


def test_an_entry_of_another_answer_is_not_taken(
    pincite: Pincite, folder: Path, saved: Path, log: Path, tmp_path: Path
) -> None:
    pincite("ask", folder, REFUND, "--lexical", "--audit", log)
    out = tmp_path / "bundle.html"
    for entry, told in (("2", "entry 2 is of another record"), ("3", "there is no entry 3")):
        run = pincite("bundle", saved, "--out", out, "--audit", log, "--entry", entry)
        assert run.returncode == 2
        assert told in run.stderr.decode()
    run = pincite("bundle", saved, "--out", out, "--audit", log)
    assert run.returncode == 2
    assert "--audit and --entry go together" in run.stderr.decode()
    run = pincite("bundle", saved, "--out", out, "--audit", folder, "--entry", "1")
    assert "holds no audit log" in run.stderr.decode()
    assert not out.exists()
