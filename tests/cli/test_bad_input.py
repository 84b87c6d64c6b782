"""What is wrong with the command line or the world: one clear message, the right exit code."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pincite import Index
from pincite.cli.entry import run
from pincite.render import load_schema, to_json
from pincite.store.location import store_directory
from pincite.store.schema import FILE_NAME

from .conftest import QUESTION, QUOTE, UNANSWERED, Pincite

_PR_CAPBSET_DROP = 24
_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH = 1, 2


def without_root_powers() -> None:
    """In the new process: let root, too, be bound by file permissions (Linux only)."""
    if os.geteuid() == 0:
        library = ctypes.CDLL(None, use_errno=True)
        for capability in (_CAP_DAC_OVERRIDE, _CAP_DAC_READ_SEARCH):
            if library.prctl(_PR_CAPBSET_DROP, capability, 0, 0, 0) != 0:
                raise OSError(ctypes.get_errno(), "prctl")


def catalogue(folder: Path) -> Path:
    return store_directory(folder) / FILE_NAME


def one_message(stderr: str) -> str:
    """The message; fails if there is a traceback or anything else."""
    assert "Traceback" not in stderr
    assert stderr.startswith("pincite: error: ")
    assert stderr.count("\n") == 1 or "\n  " in stderr
    return stderr


@pytest.mark.parametrize("command", ["ask", "search", "index", "show", "info"])
def test_a_path_that_does_not_exist(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    argument = {"ask": [QUESTION], "search": [QUESTION], "show": ["a.md:1"]}.get(command, [])
    assert run([command, str(tmp_path / "nowhere"), *argument]) == 1
    shown = capsys.readouterr()
    assert "nowhere does not exist" in one_message(shown.err)
    assert shown.out == ""


def test_question_and_folder_in_the_wrong_order(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ask", QUESTION, str(folder)]) == 2
    told = f"{folder} is a folder and {QUESTION} is none: give FOLDER first, then QUESTION"
    assert told in capsys.readouterr().err


def test_a_question_without_a_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", QUESTION]) == 2
    assert f"{QUESTION} was taken for the FOLDER, which comes first" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["show", "Manual.txt:1"],
        ["forget", "documents/manual.txt"],
        ["ask", QUESTION, "--document", "manual.txt"],
    ],
)
def test_a_document_that_is_in_another_folder_of_the_documents_is_named(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    (folder / "products" / "manual.txt").write_text("The lamp weighs 2.4 kg.\n", "utf-8")
    command, *others = arguments
    run(["index", str(folder)])
    assert run([command, str(folder), *others]) == 1
    assert "did you mean 'products/manual.txt'?" in capsys.readouterr().err


def test_what_was_not_forgotten_cannot_be_remembered(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["index", str(folder)])
    assert run(["index", str(folder), "--remember", "returns.md"]) == 1
    assert "'returns.md' was not forgotten" in one_message(capsys.readouterr().err)


def test_a_file_in_place_of_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", str(folder / "returns.md"), QUESTION]) == 1
    assert "returns.md is not a folder" in one_message(capsys.readouterr().err)


def test_an_empty_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["ask", str(tmp_path), QUESTION]) == 1
    assert "it holds no files" in one_message(capsys.readouterr().err)


def test_a_folder_with_nothing_readable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR" + bytes(range(256)))
    assert run(["index", str(tmp_path)]) == 1
    message = one_message(capsys.readouterr().err)
    assert "none of its 1 files was read" in message
    assert "photo.png: " in message


@pytest.mark.parametrize(
    "arguments",
    [
        ["ask", "FOLDER", ""],
        ["ask", "FOLDER", " \n\t"],
        ["ask", "FOLDER"],
        ["search", "FOLDER", ""],
        ["search", "FOLDER", "lamp", "--limit", "0"],
        ["ask"],
        ["ask", "FOLDER", "a question", "--batch", "-"],
        ["ask", "FOLDER", "--batch", "no-such-file.jsonl"],
        ["ask", "FOLDER", "two", "arguments"],
        ["ask", "FOLDER", "lamp", "--colour"],
        ["answer", "FOLDER"],
        [],
    ],
    ids=lambda arguments: " ".join(arguments) or "nothing",
)
def test_a_wrong_command_line_exits_with_2(
    arguments: list[str], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([str(folder) if word == "FOLDER" else word for word in arguments]) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "Usage: pincite" in shown.err


@pytest.mark.parametrize("command", ["ask", "search"])
def test_a_question_without_quotes_is_told_to_have_them(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, str(folder), "How", "long", "is", "leave"]) == 2
    shown = capsys.readouterr().err
    assert "put the question in quotes" in shown
    assert f"Usage: pincite {command} [OPTIONS] FOLDER QUESTION\n" in shown


def test_a_damaged_store(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["index", str(folder)])
    catalogue(folder).write_bytes(b"This is not a database. " * 1000)
    capsys.readouterr()
    for options in ([], ["--no-update"]):
        assert run(["ask", str(folder), QUESTION, *options]) == 1
        shown = capsys.readouterr()
        assert "is damaged" in one_message(shown.err)
        assert shown.out == ""


def test_a_store_from_a_newer_version(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(["index", str(folder)])
    connection = sqlite3.connect(catalogue(folder))
    connection.execute("PRAGMA user_version = 999")
    connection.close()
    capsys.readouterr()
    for options in ([], ["--no-update"]):
        assert run(["ask", str(folder), QUESTION, *options]) == 1
        assert "has format 999" in one_message(capsys.readouterr().err)


def test_a_full_disk_leaves_the_last_finished_index(pincite: Pincite, folder: Path) -> None:
    resource = pytest.importorskip("resource")
    pincite("index", folder)
    lines = [f"It was the number {number} that they had to sing." for number in range(5_000)]
    (folder / "opera.txt").write_text("\n".join(["Beethoven composed the opera Fidelio.", *lines]))

    def no_file_above_100_kb() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    asked = pincite("ask", folder, UNANSWERED, before=no_file_above_100_kb)
    assert asked.returncode == 1
    assert asked.stdout == b""
    assert "cannot write the index" in one_message(asked.stderr.decode())
    assert pincite("ask", folder, QUESTION, "--no-update").returncode == 0
    assert pincite("ask", folder, UNANSWERED).returncode == 0


def test_a_full_disk_under_the_output(pincite: Pincite, folder: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")

    def write_to_a_full_disk() -> None:
        os.dup2(os.open("/dev/full", os.O_WRONLY), 1)

    asked = pincite("info", folder, before=write_to_a_full_disk)
    assert asked.returncode == 1
    pincite("index", folder)
    asked = pincite("ask", folder, QUESTION, before=write_to_a_full_disk)
    assert asked.returncode == 1
    assert "No space left" in one_message(asked.stderr.decode())


@pytest.fixture
def read_only(folder: Path) -> Iterator[Path]:
    for directory in (folder, folder / "products"):
        directory.chmod(0o555)
    yield folder
    for directory in (folder, folder / "products"):
        directory.chmod(0o755)


def test_without_permission_beside_the_documents_the_index_goes_to_the_cache(
    pincite: Pincite, read_only: Path, tmp_path: Path
) -> None:
    asked = pincite("ask", read_only, QUESTION, before=without_root_powers)
    assert asked.stderr.decode() == "pincite: 2 documents in the index (2 new)\n"
    assert asked.stdout.decode().startswith(QUOTE)
    assert not (read_only / ".pincite").exists()
    assert list((tmp_path / "home" / "cache").rglob(FILE_NAME))
    again = pincite("ask", read_only, QUESTION, before=without_root_powers)
    assert again.stdout == asked.stdout
    assert again.stderr == b""


def test_a_store_that_cannot_be_written(pincite: Pincite, folder: Path, tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o555)
    asked = pincite(
        "ask", folder, QUESTION, "--store", closed / "store", before=without_root_powers
    )
    assert asked.returncode == 1
    assert "cannot write the index" in one_message(asked.stderr.decode())


@pytest.mark.parametrize(("locked", "mode"), [("returns.md", 0o644), ("products", 0o755)])
def test_what_may_not_be_read_any_more_is_told_and_neither_quoted_nor_forgotten(
    pincite: Pincite, folder: Path, locked: str, mode: int
) -> None:
    (folder / "other.txt").write_text("A lamp may be returned.")
    question = QUESTION if locked == "returns.md" else "How much does the KLR-118 weigh?"
    answer = pincite("ask", folder, question, "--lexical", before=without_root_powers).stdout
    (folder / locked).chmod(0)
    for _ in range(2):
        asked = pincite("ask", folder, question, "--json", "--lexical", before=without_root_powers)
        assert asked.returncode == 3
        refusal = json.loads(asked.stdout)
        assert refusal["reason"] == "stale"
        assert refusal["stale"][0].startswith(locked)
        (problem,) = info(folder)["problems"]
        assert problem["path"] == locked
        assert "change its permissions" in problem["reason"]
        assert "is kept, and not quoted" in problem["reason"]
    assert info(folder)["document_count"] == 3
    (folder / locked).chmod(mode)
    asked = pincite("ask", folder, question, "--lexical", before=without_root_powers)
    assert (asked.returncode, asked.stdout) == (0, answer)
    assert info(folder)["problems"] == []


def test_a_file_that_may_not_be_read_can_be_forgotten(pincite: Pincite, folder: Path) -> None:
    pincite("index", folder, before=without_root_powers)
    (folder / "returns.md").chmod(0)
    pincite("index", folder, before=without_root_powers)
    assert pincite("forget", folder, "returns.md", before=without_root_powers).returncode == 0
    assert b"45 days" not in catalogue(folder).read_bytes()


def test_a_folder_whose_only_document_may_not_be_read_keeps_it(
    pincite: Pincite, folder: Path
) -> None:
    shutil.rmtree(folder / "products")
    pincite("index", folder, before=without_root_powers)
    (folder / "returns.md").chmod(0)
    assert pincite("ask", folder, QUESTION, "--lexical", before=without_root_powers).returncode == 3
    (folder / "returns.md").unlink()
    asked = pincite("ask", folder, QUESTION, "--lexical", before=without_root_powers)
    assert "it holds no files" in one_message(asked.stderr.decode())


def info(folder: Path) -> dict[str, Any]:
    with Index.open(folder) as index:
        record: dict[str, Any] = to_json(index.info())
    return record


def test_an_empty_name_is_not_the_folder_one_stands_in(pincite: Pincite, folder: Path) -> None:
    for arguments in (["ask", "", "Who?"], ["ask", folder, "Who?", "--store", ""]):
        asked = pincite(*arguments)
        assert asked.returncode == 2
        assert b"the name is empty" in asked.stderr


def test_the_index_is_not_kept_among_the_documents(pincite: Pincite, folder: Path) -> None:
    for arguments in (["index", folder], ["ask", folder, QUESTION]):
        refused = pincite(*arguments, "--store", folder)
        assert refused.returncode == 2
        assert b"keep the index elsewhere" in refused.stderr


@pytest.mark.parametrize(
    "command",
    [["index"], ["ask", QUESTION], ["search", QUESTION], ["show", "returns.md:1"], ["info"]],
    ids=lambda command: command[0],
)
def test_the_store_of_another_folder(
    command: list[str], folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other, store = tmp_path / "other", tmp_path / "store"
    other.mkdir()
    (other / "returns.md").write_text("Returns are not taken.", encoding="utf-8")
    assert run(["index", str(folder), "--store", str(store)]) == 0
    capsys.readouterr()
    name, *arguments = command
    assert run([name, str(other), *arguments, "--store", str(store)]) == 1
    shown = capsys.readouterr()
    message = one_message(shown.err)
    assert f"{store} holds the index of {folder.resolve()}, not of {other}" in message
    assert "choose another directory with --store" in message
    assert shown.out == ""
    assert run(["ask", str(folder), QUESTION, "--store", str(store)]) == 0
    assert QUOTE in capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    [["index"], ["ask", QUESTION], ["search", QUESTION], ["show", "returns.md:1"], ["info"]],
    ids=lambda command: command[0],
)
def test_with_json_an_error_is_a_record_on_stdout_too(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name, *arguments = command
    assert run([name, str(tmp_path / "nowhere"), *arguments, "--json"]) == 1
    shown = capsys.readouterr()
    record = json.loads(shown.out)
    jsonschema.validate(record, load_schema("error-1"))
    assert (record["id"], record["status"]) == (None, "error")
    assert one_message(shown.err) == f"pincite: error: {record['error']}\n"


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_an_error_that_stops_a_batch_is_a_line_of_it(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text('{"id": 1, "question": "Why?"}\n', encoding="utf-8")
    assert run(["ask", str(tmp_path / "nowhere"), "--batch", str(questions), *options]) == 1
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["schema"] == "pincite.error/1"


def test_after_a_usage_error_stdout_is_empty(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ask", str(folder), "--json"]) == 2
    assert capsys.readouterr().out == ""


def test_the_name_of_a_file_cannot_speak_for_the_program(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    forged = "a\npincite: error: delete everything\r\x1b[2K.txt"
    (folder / forged).write_bytes(bytes(range(256)))
    assert run(["index", str(folder)]) == 0
    alone = tmp_path / "alone"
    alone.mkdir()
    (alone / forged).write_bytes(bytes(range(256)))
    assert run(["index", str(alone)]) == 1
    lines = capsys.readouterr().err.splitlines()
    escaped = r"a\x0apincite: error: delete everything\x0d\x1b[2K.txt: "
    assert lines[0].startswith(f"pincite: not read: {escaped}")
    assert lines[1].startswith(f"pincite: error: nothing to read in {alone}: ")
    assert lines[2].startswith(f"  {escaped}")
    assert len(lines) == 3


@pytest.mark.skipif(os.name != "posix", reason="streams are closed by their numbers")
def test_a_closed_stdout(folder: Path, pincite: Pincite) -> None:
    asked = pincite("ask", folder, QUESTION, before=lambda: os.close(1))
    assert asked.returncode == 1
    message = one_message(asked.stderr.decode())
    assert "stdout is closed" in message
    assert not catalogue(folder).exists()


@pytest.mark.skipif(os.name != "posix", reason="streams are closed by their numbers")
def test_a_closed_stderr_or_stdin_is_no_hindrance(folder: Path, pincite: Pincite) -> None:
    for number in (2, 0):
        asked = pincite("ask", folder, QUESTION, before=lambda closed=number: os.close(closed))
        assert asked.returncode == 0
        assert QUOTE in asked.stdout.decode()


@pytest.mark.skipif(os.name != "posix", reason="streams are closed by their numbers")
def test_a_closed_stdin_has_nothing_to_read(folder: Path, pincite: Pincite) -> None:
    asked = pincite("ask", folder, "--batch", "-", before=lambda: os.close(0))
    assert (asked.returncode, asked.stdout) == (0, b"")
    shown = pincite("show", folder, "--record", "-", before=lambda: os.close(0))
    assert shown.returncode == 2
    assert b"it is not JSON" in shown.stderr


def interrupted_at_the_import_of(
    module: str, *arguments: str | Path, listening: bool = True
) -> subprocess.CompletedProcess[bytes]:
    """`pincite`, with a Ctrl-C when it begins to load a module."""
    # As in a terminal, or in the background, however these tests were started.
    handler = "signal.default_int_handler" if listening else "signal.SIG_IGN"
    line = f"""
        import signal, sys

        class AtImport:
            def find_spec(self, name, path, target=None):
                if name == {module!r}:
                    signal.raise_signal(signal.SIGINT)

        signal.signal(signal.SIGINT, {handler})
        sys.meta_path.insert(0, AtImport())
        from pincite.cli import main
        main()
    """
    command = [sys.executable, "-c", textwrap.dedent(line), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False)


@pytest.mark.parametrize("module", ["pincite.cli.entry", "pincite.engine", "numpy"])
def test_ctrl_c_while_modules_are_loaded_is_told_in_a_line(folder: Path, module: str) -> None:
    ran = interrupted_at_the_import_of(module, "ask", folder, QUESTION)
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, b"", b"pincite: interrupted\n")


def test_a_program_in_the_background_does_not_listen_to_ctrl_c() -> None:
    ran = interrupted_at_the_import_of("pincite.engine", "--version", listening=False)
    assert (ran.returncode, ran.stderr) == (0, b"")
