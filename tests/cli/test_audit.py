"""`ask --audit` and `pincite audit`."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from pincite.auditing.log import AuditLog
from pincite.render import load_schema

from ..logs import said
from .conftest import QUESTION, REFUND, UNANSWERED, Pincite


@pytest.fixture
def log(pincite: Pincite, folder: Path, tmp_path: Path) -> Path:
    """A log of three answers, one of them a refusal."""
    log = tmp_path / "log"
    for question, caller in ((QUESTION, "anna"), (UNANSWERED, "bob"), (REFUND, "bob")):
        pincite("ask", folder, question, "--lexical", "--audit", log, "--caller", caller)
    return log


def test_answers_are_logged_and_the_log_is_whole(pincite: Pincite, log: Path) -> None:
    listed = pincite("audit", "list", log).stdout.decode().splitlines()
    assert [line.split("  ")[::2] for line in listed] == [
        ["1", "answer"],
        ["2", "refusal"],
        ["3", "answer"],
    ]
    assert listed[0].endswith(f"  anna: {QUESTION}")
    assert listed[1].endswith(f"  bob: {UNANSWERED}")
    verified = pincite("audit", "verify", log)
    assert (verified.returncode, verified.stdout) == (0, b"3 entries: whole\n")


def test_an_entry_holds_the_whole_record_and_who_asked(
    pincite: Pincite, folder: Path, log: Path
) -> None:
    entry = json.loads(pincite("audit", "show", log, "2").stdout)
    assert entry["kind"] == "refusal"
    assert entry["content"]["caller"] == "bob"
    asked = json.loads(pincite("ask", folder, UNANSWERED, "--lexical", "--json").stdout)
    assert entry["content"]["record"] == asked
    exported = pincite("audit", "export", log).stdout.decode().splitlines()
    for line in exported:
        Draft202012Validator(load_schema("answer-1")).validate(json.loads(line))
    assert [json.loads(line)["id"] for line in exported] == [1, 2, 3]


def test_what_was_altered_is_found_with_exit_code_3(pincite: Pincite, log: Path) -> None:
    file = log / "log"
    file.write_bytes(file.read_bytes().replace(b"45 days", b"54 days"))
    verified = pincite("audit", "verify", log, "--json")
    assert verified.returncode == 3
    report = json.loads(verified.stdout)
    Draft202012Validator(load_schema("audit-1")).validate(report)
    assert (report["whole"], report["faults"][0]["line"]) == (False, 1)


def test_answers_are_the_same_when_asked_again_after_the_documents_changed(
    pincite: Pincite, folder: Path, log: Path
) -> None:
    (folder / "returns.md").write_text("Nothing is taken back.\n", "utf-8")
    pincite("ask", folder, QUESTION, "--lexical", "--audit", log)
    replayed = pincite("audit", "replay", log)
    assert (replayed.returncode, replayed.stdout) == (0, b"4 of 4 byte-identical\n")


def test_a_kept_document_that_was_altered_is_told(pincite: Pincite, log: Path) -> None:
    for document in (log / "documents").iterdir():
        document.write_bytes(document.read_bytes() + b"More.\n")
    replayed = pincite("audit", "replay", log, "1")
    assert replayed.returncode == 3
    assert "does not keep" in replayed.stdout.decode()
    assert "or not as it was" in replayed.stdout.decode()


def test_a_document_that_is_not_kept_any_more_is_told(pincite: Pincite, log: Path) -> None:
    for document in (log / "documents").iterdir():
        document.unlink()
    replayed = pincite("audit", "replay", log, "1")
    assert replayed.returncode == 3
    assert "does not keep" in replayed.stdout.decode()


def test_a_person_and_a_document_can_be_erased(pincite: Pincite, log: Path, tmp_path: Path) -> None:
    erased = pincite("audit", "erase", log, "--caller", "bob", "--reason", "a request")
    assert erased.stdout == b"2 entries erased\n"
    assert REFUND.encode() not in (log / "log").read_bytes()
    verified = pincite("audit", "verify", log)
    assert verified.stdout == b"4 entries, 2 erased: whole\n"
    assert pincite("audit", "replay", log).stdout == b"1 of 1 byte-identical\n"
    pincite("audit", "erase", log, "--document", "returns.md", "--reason", "the document")
    assert list((log / "documents").iterdir()) == []
    assert pincite("audit", "verify", log).returncode == 0


def test_a_batch_is_logged(pincite: Pincite, folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    lines = b'{"question": "%b"}\n{"question": "%b"}\n' % (QUESTION.encode(), REFUND.encode())
    asked = pincite("ask", folder, "--batch", "-", "--lexical", "--audit", log, stdin=lines)
    assert asked.returncode == 0
    assert len((log / "log").read_bytes().splitlines()) == 2


def test_what_cannot_be_logged_is_not_answered(
    pincite: Pincite, folder: Path, tmp_path: Path
) -> None:
    (tmp_path / "log").write_bytes(b"no directory")
    asked = pincite("ask", folder, QUESTION, "--lexical", "--audit", tmp_path / "log" / "in")
    assert (asked.returncode, asked.stdout) == (1, b"")
    assert b"cannot write the log" in asked.stderr


def test_a_log_among_the_documents_is_a_usage_error(pincite: Pincite, folder: Path) -> None:
    asked = pincite("ask", folder, QUESTION, "--lexical", "--audit", folder / "log")
    assert asked.returncode == 2
    assert not (folder / "log").exists()


def test_a_checkpoint_kept_elsewhere_shows_a_log_cut_short(
    pincite: Pincite, log: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "checkpoint.json"
    kept.write_bytes(pincite("audit", "checkpoint", log).stdout)
    assert pincite("audit", "verify", log, "--checkpoint", kept).returncode == 0
    lines = (log / "log").read_bytes().splitlines(keepends=True)
    (log / "log").write_bytes(b"".join(lines[:2]))
    (log / "head").unlink()
    cut = pincite("audit", "verify", log, "--checkpoint", kept)
    assert cut.returncode == 3
    assert b"cut off" in cut.stdout


def test_an_answer_does_not_hide_that_the_log_was_cut_off(
    pincite: Pincite, folder: Path, log: Path
) -> None:
    lines = (log / "log").read_bytes().splitlines(keepends=True)
    (log / "log").write_bytes(b"".join(lines[:2]))
    asked = pincite("ask", folder, QUESTION, "--lexical", "--audit", log)
    assert (asked.returncode, asked.stdout) == (1, b"")
    assert b"names entry 3, and it ends with 2: cut off" in asked.stderr
    assert pincite("audit", "verify", log).returncode == 3
    erased = pincite("audit", "erase", log, "--document", "returns.md", "--reason", "any")
    assert erased.returncode == 1


@pytest.mark.parametrize("given", ["yesterday", "", "2026-13-01", "0001-01-01T00:00+14:00"])
def test_erasing_before_what_is_no_time_is_a_usage_error(
    given: str, pincite: Pincite, log: Path
) -> None:
    before = (log / "log").read_bytes()
    erased = pincite("audit", "erase", log, "--before", given, "--reason", "old")
    assert erased.returncode == 2
    assert (log / "log").read_bytes() == before


def test_erasing_before_a_time_knows_its_offset(pincite: Pincite, log: Path) -> None:
    first, second, _ = (
        datetime.fromisoformat(json.loads(line)["time"])
        for line in pincite("audit", "list", log, "--json").stdout.splitlines()
    )
    between = first + (second - first) / 2
    east = (between.replace(tzinfo=timezone(timedelta(hours=9))) - timedelta(hours=1)).isoformat()
    erased = pincite("audit", "erase", log, "--before", east, "--reason", "old")
    assert erased.stdout == b"0 entries erased\n"
    naive = between.replace(tzinfo=None).isoformat()
    erased = pincite("audit", "erase", log, "--before", naive, "--reason", "old")
    assert erased.stdout == b"1 entry erased\n"
    west = between.astimezone(timezone(timedelta(hours=-9))) + timedelta(days=1)
    erased = pincite("audit", "erase", log, "--before", west.isoformat(), "--reason", "old")
    assert erased.stdout == b"2 entries erased\n"


def test_a_write_that_never_ended_is_in_no_ones_way(pincite: Pincite, log: Path) -> None:
    with (log / "log").open("ab") as file:
        file.write(b'{"content_sha256":"')
    assert len(pincite("audit", "list", log).stdout.splitlines()) == 3
    assert pincite("audit", "replay", log).stdout == b"3 of 3 byte-identical\n"
    erased = pincite("audit", "erase", log, "--caller", "nobody", "--reason", "a request")
    assert erased.stdout == b"0 entries erased\n"
    assert pincite("audit", "verify", log).stdout == b"4 entries: whole\n"


@pytest.mark.parametrize("broken", [b"{", b"[" * 100_000, b"[]", b"\xff", b"{}", b"[[1]]"])
def test_what_is_no_checkpoint_or_generation_is_told(
    broken: bytes, pincite: Pincite, log: Path, tmp_path: Path
) -> None:
    (tmp_path / "kept").write_bytes(broken)
    verified = pincite("audit", "verify", log, "--checkpoint", tmp_path / "kept")
    assert verified.returncode in (1, 3)
    assert b"kept" in verified.stderr + verified.stdout or b"not written as" in verified.stdout
    (generation,) = (log / "generations").iterdir()
    if broken != b"[]":
        generation.write_bytes(broken)
        assert pincite("audit", "replay", log).returncode == 3
        erased = pincite("audit", "erase", log, "1", "--reason", "any")
        assert erased.returncode == 1
        assert b"does not keep a list of generation" in erased.stderr
    (log / "head").write_bytes(broken)
    assert pincite("audit", "verify", log).returncode == 3
    assert pincite("audit", "checkpoint", log).returncode == 1


@pytest.mark.parametrize("content", [{}, {"record": 5}, {"record": {}}, {"caller": {}}])
def test_an_entry_that_is_no_record_is_told(
    content: dict[str, object], pincite: Pincite, log: Path
) -> None:
    AuditLog(log).append("answer", content)
    for command in (["export"], ["replay"], ["erase", "1", "--reason", "any"]):
        told = pincite("audit", command[0], log, *command[1:])
        assert told.returncode == 1
        assert b"is damaged" in told.stderr
    assert pincite("audit", "verify", log).returncode == 3


def test_checkpoints_in_a_folder_are_gone_on_with_and_compared(
    pincite: Pincite, log: Path, tmp_path: Path
) -> None:
    kept = tmp_path / "elsewhere"
    first = pincite("audit", "checkpoint", log, "--into", kept)
    (file,) = kept.iterdir()
    assert file.read_bytes() == first.stdout
    assert pincite("audit", "verify", log, "--checkpoint", kept).returncode == 0
    lines = (log / "log").read_bytes().splitlines(keepends=True)
    # Another log, whole in itself, in the place of this one.
    other = AuditLog(tmp_path / "other")
    for number in range(len(lines) + 1):
        other.append("answer", said(f"Forged {number}"))
    assert pincite("audit", "verify", other.directory).returncode == 0
    assert pincite("audit", "verify", other.directory, "--checkpoint", kept).returncode == 3
    told = pincite("audit", "checkpoint", other.directory, "--into", kept)
    assert told.returncode == 1
    assert b"is not the one that" in told.stderr
    assert [one.name for one in kept.iterdir()] == [file.name]
    (tmp_path / "none").mkdir()
    told = pincite("audit", "verify", log, "--checkpoint", tmp_path / "none")
    assert told.returncode == 2
    assert b"there is no *.json in that folder" in told.stderr


def test_a_key_without_a_checkpoint_that_it_signed_is_a_usage_error(
    pincite: Pincite, log: Path, tmp_path: Path
) -> None:
    AuditLog(log).append("erasure", {"erased": []})
    key = tmp_path / "key.pem"
    key.write_text("any")
    told = pincite("audit", "verify", log, "--public-key", key)
    assert told.returncode == 2
    assert b"give one with --checkpoint" in told.stderr


def test_an_erasure_of_no_numbers_is_told(pincite: Pincite, log: Path) -> None:
    AuditLog(log).append("erasure", {"erased": [[1], "2"]})
    assert pincite("audit", "verify", log).returncode == 3


def test_an_entry_that_is_not_there_is_not_asked_again(pincite: Pincite, log: Path) -> None:
    told = pincite("audit", "replay", log, "999")
    assert (told.returncode, told.stdout) == (2, b"")
    assert b"there is no answer 999" in told.stderr


def test_checkpoints_of_an_older_key_are_still_known(
    pincite: Pincite, log: Path, tmp_path: Path
) -> None:
    pytest.importorskip("cryptography")
    from pincite.auditing.ed25519_keys import ed25519, serialization

    kept = tmp_path / "kept"
    publics = []
    for name in ("old", "new", "foreign"):
        key = ed25519.Ed25519PrivateKey.generate()
        private, public = tmp_path / f"{name}.pem", tmp_path / f"{name}.pub"
        private.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        public.write_bytes(
            key.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
            )
        )
        publics.append(public)
        if name != "foreign":
            AuditLog(log).append("erasure", {"erased": []})
            made = pincite("audit", "checkpoint", log, "--sign", private, "--into", kept)
            assert made.returncode == 0
    old, new, foreign = (("--public-key", public) for public in publics)
    verify = ("audit", "verify", log, "--checkpoint", kept)
    assert pincite(*verify, *old, *new).returncode == 0
    assert pincite(*verify, *new, *old).returncode == 0
    for keys in (old, new, (*new, *foreign)):
        told = pincite(*verify, *keys)
        assert told.returncode == 1
        assert b"not signed with that key" in told.stderr
