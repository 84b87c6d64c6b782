"""What each command prints, on which stream, and its exit code."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pincite.cli.entry import run
from pincite.index import Index
from pincite.records import FittedCalibration, RiskLevel
from pincite.render import load_schema

from .conftest import QUESTION, QUOTE, REFUND, RETURNS, UNANSWERED, Pincite


def record(name: str, output: bytes | str) -> dict[str, Any]:
    """The one JSON record in `output`, checked against its schema."""
    found: dict[str, Any] = json.loads(output)
    Draft202012Validator(load_schema(name)).validate(found)
    return found


def test_ask_indexes_and_prints_the_sentence_and_its_place(pincite: Pincite, folder: Path) -> None:
    asked = pincite("ask", folder, QUESTION)
    assert asked.returncode == 0
    answer, _, others = asked.stdout.decode().partition("Also found, not used:\n")
    start = (folder / "returns.md").read_text(encoding="utf-8").index(QUOTE)
    assert answer.split("\n\n")[:2] == [
        QUOTE,
        "  returns.md:5  Returns > How long you have\n"
        f"  returns.md#char={start},{start + len(QUOTE)}",
    ]
    assert "  returns.md:9-11  " in others
    assert asked.stderr.decode() == "pincite: 2 documents in the index (2 new)\n"


def test_ask_of_an_unchanged_folder_is_silent_on_stderr(pincite: Pincite, folder: Path) -> None:
    first = pincite("ask", folder, QUESTION)
    second = pincite("ask", folder, QUESTION)
    assert second.stdout == first.stdout
    assert second.stderr == b""


def test_ask_refuses_with_exit_code_3_and_says_why(pincite: Pincite, folder: Path) -> None:
    asked = pincite("ask", folder, UNANSWERED)
    assert asked.returncode == 3
    shown = asked.stdout.decode().splitlines()
    assert shown[0] == "The documents do not say."
    assert shown[2].startswith("Why: ")


def test_a_refusal_says_each_time_that_files_were_not_read(pincite: Pincite, folder: Path) -> None:
    (folder / "scan.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR" + bytes(range(256)))
    pincite("index", folder)
    told = f"what could not be read may say it: 1 file not read: `pincite info {folder} --problems`"
    assert pincite("ask", folder, UNANSWERED).stderr.decode() == f"pincite: {told}\n"
    assert pincite("ask", folder, QUESTION).stderr == b""


def test_a_refusal_that_is_owed_to_the_risk_asked_for_says_so(
    pincite: Pincite, folder: Path
) -> None:
    with Index.open_or_build(folder, lexical=True) as index:
        levels = (RiskLevel(0.1, 0.0, 9, 0, holds=True), RiskLevel(0.2, 0.999, 9, 0, holds=True))
        index.calibrate(
            FittedCalibration(index.scorer, "q", "0" * 64, 9, 1.0, 0.0, 0.1, 0.9, levels)
        )
    asked = ("ask", folder, QUESTION, "--lexical")
    confidence = json.loads(pincite(*asked, "--json").stdout)["confidence"]
    refused = pincite(*asked, "--risk", "0.2")
    assert refused.returncode == 3
    assert refused.stderr.decode() == (
        f"pincite: without --risk it is answered: its confidence is {confidence:.3f}, and "
        "--risk 0.2 asks for 0.999\n"
    )
    assert pincite(*asked, "--risk", "0.1").stderr == b""


def test_what_is_near_a_refused_question_is_labelled_as_no_answer(
    pincite: Pincite, folder: Path
) -> None:
    asked = pincite("ask", folder, "What does error E15 mean?")
    assert asked.returncode == 3
    assert "Nearest passages (not an answer):\n  products/lamp.txt:1" in asked.stdout.decode()


def test_a_question_of_stop_words_is_refused(pincite: Pincite, folder: Path) -> None:
    asked = pincite("ask", folder, "What are you?", "--json")
    assert asked.returncode == 3
    assert record("answer-1", asked.stdout)["reason"] == "nothing_to_look_for"
    asked = pincite("ask", folder, "What is it?", "--json")
    assert asked.returncode == 3
    assert record("answer-1", asked.stdout)["reason"] == "unclear"


def test_ask_json_is_the_published_record(pincite: Pincite, folder: Path) -> None:
    answered = pincite("ask", folder, QUESTION, "--json")
    assert answered.returncode == 0
    answer = record("answer-1", answered.stdout)
    (citation,) = answer["citations"]
    text = (folder / citation["document"]["path"]).read_text(encoding="utf-8")
    position = citation["position"]
    assert text[position["start"] : position["end"]] == citation["quote"]["exact"] == QUOTE
    assert answer["text"] == QUOTE
    refused = pincite("ask", folder, UNANSWERED, "--json")
    assert refused.returncode == 3
    assert record("answer-1", refused.stdout)["citations"] == []


def test_json_is_the_same_bytes_in_every_process(pincite: Pincite, folder: Path) -> None:
    pincite("index", folder)
    for question in (QUESTION, UNANSWERED, "What does error E14 mean?"):
        outputs = {
            pincite("ask", folder, question, "--json", environment={"PYTHONHASHSEED": seed}).stdout
            for seed in ("1", "2", "random")
        }
        assert len(outputs) == 1


def test_json_is_utf8_in_any_locale(pincite: Pincite, folder: Path) -> None:
    (folder / "cafe.txt").write_text("The Café 中 opens at 9 o'clock.", encoding="utf-8")
    latin = {"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    question = "When does the Café 中 open?"
    asked = pincite("ask", folder, question, "--json", environment=latin)
    assert record("answer-1", asked.stdout)["text"] == "The Café 中 opens at 9 o'clock."
    shown = pincite("ask", folder, question, environment=latin)
    assert shown.stdout.startswith(b"The Caf\xe9 \\u4e2d opens at 9 o'clock.\n")


def test_ask_inside_one_document(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["ask", str(folder), REFUND, "--document"]
    assert run([*arguments, "returns.md"]) == 0
    capsys.readouterr()
    assert run([*arguments, "products/lamp.txt"]) == 3
    assert "returns.md" not in capsys.readouterr().out
    assert run([*arguments, "nowhere.md"]) == 1
    assert "pincite: error: no document 'nowhere.md'" in capsys.readouterr().err


def test_no_update_asks_the_last_finished_index(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["ask", str(folder), QUESTION, "--no-update"]) == 1
    assert "is not indexed yet" in capsys.readouterr().err
    run(["index", str(folder)])
    (folder / "opera.txt").write_text("Beethoven composed the opera Fidelio.", encoding="utf-8")
    assert run(["ask", str(folder), UNANSWERED, "--no-update"]) == 3
    assert run(["ask", str(folder), UNANSWERED]) == 0
    assert "Beethoven composed the opera Fidelio." in capsys.readouterr().out


def test_a_changed_document_is_not_quoted_and_named_on_stderr(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["index", str(folder)])
    (folder / "returns.md").write_text("You may return nothing, ever.", encoding="utf-8")
    capsys.readouterr()
    assert run(["ask", str(folder), QUESTION, "--no-update"]) == 3
    shown = capsys.readouterr()
    assert "45 days" not in shown.out
    assert "pincite: changed, removed or unreadable since indexed: returns.md;" in shown.err


def test_a_file_read_in_part_is_not_said_to_be_unread(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "fees.html").write_text("<p>The fee is 5.<p hidden>Not shown.", encoding="utf-8")
    assert run(["index", str(folder)]) == 0
    assert capsys.readouterr().err.startswith("pincite: in part: fees.html: left out: 2 words ")


def test_showing_a_document_without_text_says_that_it_has_none(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "empty.md").write_bytes(b"")
    assert run(["index", str(folder)]) == 0
    assert run(["show", str(folder), "empty.md"]) == 1
    assert "empty.md holds no text; `pincite info " in capsys.readouterr().err
    assert run(["show", str(folder), "returns.md:999"]) == 1
    assert "returns.md has 12 lines" in capsys.readouterr().err


def test_index_reports_what_it_did(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR" + bytes(range(256)))
    assert run(["index", str(folder)]) == 0
    shown = capsys.readouterr()
    not_read = f"1 file not read: `pincite info {folder} --problems`\n"
    assert shown.out == f"2 documents in the index (2 new); {not_read}"
    assert shown.err.startswith("pincite: not read: photo.png: ")
    (folder / "returns.md").unlink()
    assert run(["index", str(folder), "--json"]) == 0
    report = record("index-1", capsys.readouterr().out)
    assert report["removed"] == ["returns.md"]
    assert report["unchanged_count"] == 1
    assert run(["index", str(folder)]) == 0
    assert capsys.readouterr().out == f"1 document in the index (unchanged); {not_read}"


def test_forget_takes_a_document_out_until_it_is_remembered(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["index", str(folder)])
    assert run(["forget", str(folder), "returns.md"]) == 0
    assert "1 document in the index (1 removed)" in capsys.readouterr().out
    run(["ask", str(folder), QUESTION])
    assert QUOTE not in capsys.readouterr().out
    assert run(["info", str(folder)]) == 0
    assert "forgotten   returns.md\n" in capsys.readouterr().out
    assert run(["info", str(folder), "--json"]) == 0
    assert record("info-1", capsys.readouterr().out)["forgotten"] == ["returns.md"]
    assert run(["forget", str(folder), "nowhere.md"]) == 1
    assert "pincite: error: no document 'nowhere.md'" in capsys.readouterr().err
    assert run(["index", str(folder), "--remember", "returns.md"]) == 0
    assert run(["ask", str(folder), QUESTION]) == 0


def test_search_lists_passages_by_rank(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["search", str(folder), "refund card", "--limit", "1"]) == 0
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("1. returns.md:")
    assert run(["search", str(folder), "refund card", "--json"]) == 0
    found = record("search-1", capsys.readouterr().out)
    assert [passage["rank"] for passage in found["retrieved"]] == list(
        range(1, len(found["retrieved"]) + 1)
    )
    assert "5 working days" in found["retrieved"][0]["text"]


def test_a_search_that_finds_nothing_exits_with_3(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", str(folder), "zeppelin"]) == 3
    assert capsys.readouterr().out == "No passage has to do with the question.\n"


def test_search_without_update_names_what_changed_since(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["search", str(folder), "refund card", "--json"]) == 0
    assert record("search-1", capsys.readouterr().out)["stale"] == []
    (folder / "returns.md").write_text("You may return nothing, ever.", encoding="utf-8")
    (folder / "products" / "lamp.txt").unlink()
    for options in ([], ["--json"]):
        assert run(["search", str(folder), "refund card", "--no-update", *options]) == 3
        shown = capsys.readouterr()
        note = (
            "pincite: changed, removed or unreadable since indexed: products/lamp.txt, returns.md; "
        )
        assert shown.err.startswith(note)
    found = record("search-1", shown.out)
    assert found["stale"] == ["products/lamp.txt", "returns.md"]
    assert found["retrieved"] == []


def test_show_takes_the_places_that_ask_prints(pincite: Pincite, folder: Path) -> None:
    shown = pincite("ask", folder, QUESTION).stdout.decode().splitlines()
    by_line, address = shown[2].split()[0], shown[3].strip()
    for locator in (by_line, address):
        excerpt = pincite("show", folder, locator)
        assert excerpt.returncode == 0
        assert f"> 5  {QUOTE}" in excerpt.stdout.decode()
    exact = record("show-1", pincite("show", folder, address, "--json").stdout)
    start = exact["marked"]["position"]["start"] - exact["position"]["start"]
    end = exact["marked"]["position"]["end"] - exact["position"]["start"]
    assert exact["excerpt"][start:end] == QUOTE


def test_show_takes_a_saved_answer_and_says_when_its_text_is_another_one_now(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["ask", str(folder), QUESTION, "--json"])
    saved = tmp_path / "answer.json"
    saved.write_text(capsys.readouterr().out, encoding="utf-8")
    shown = ["show", str(folder), "--record", str(saved)]
    assert run(shown) == 0
    assert f"> 5  {QUOTE}" in capsys.readouterr().out
    assert run([*shown, "--json"]) == 0
    assert record("show-1", capsys.readouterr().out)["marked"]["lines"] == {"start": 5, "end": 5}
    (folder / "returns.md").write_text("New. " + RETURNS, encoding="utf-8")
    run(["index", str(folder)])
    capsys.readouterr()
    assert run(shown) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert "returns.md says something else now than when it was cited: ask again" in output.err
    earlier = json.loads(saved.read_text(encoding="utf-8"))
    earlier["citations"][0]["text"]["extractor_version"] = "0"
    saved.write_text(json.dumps(earlier), encoding="utf-8")
    assert run([*shown, "--json"]) == 1
    output = capsys.readouterr()
    assert "was read by markdown 0 when it was cited, and by markdown " in output.err
    assert record("error-1", output.out)["error"] in output.err


@pytest.mark.parametrize(
    "saved", [b"", b"[]", b"{}", b'{"citations": [{}]}', b"\xff", b"[" * 99999]
)
def test_show_of_what_is_no_record_is_a_usage_error(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], saved: bytes
) -> None:
    run(["index", str(folder)])
    (tmp_path / "answer.json").write_bytes(saved)
    assert run(["show", str(folder), "--record", str(tmp_path / "answer.json")]) == 2
    assert "--record" in capsys.readouterr().err
    assert run(["show", str(folder)]) == 2
    assert run(["show", str(folder), "x", "--record", str(tmp_path / "answer.json")]) == 2


def test_show_of_a_place_that_is_not_there(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["index", str(folder)])
    capsys.readouterr()
    assert run(["show", str(folder), "nowhere.md:1"]) == 1
    assert "pincite: error: no document 'nowhere.md'" in capsys.readouterr().err
    for locator in ("returns.md:999", "returns.md#char=5,99999"):
        assert run(["show", str(folder), locator]) == 1
        assert f"pincite: error: no place {locator!r} in " in capsys.readouterr().err


def test_show_says_that_the_file_has_changed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["index", str(folder)])
    (folder / "returns.md").write_text("New.", encoding="utf-8")
    capsys.readouterr()
    assert run(["show", str(folder), "returns.md:5"]) == 0
    assert "changed, removed or unreadable since indexed: returns.md" in capsys.readouterr().err
    assert run(["show", str(folder), "returns.md:5", "--json"]) == 0
    shown = capsys.readouterr()
    assert record("show-1", shown.out)["stale"] is True
    assert "changed, removed or unreadable since indexed: returns.md" in shown.err


def test_info_says_what_the_index_holds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "broken.md").write_bytes(b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)))
    run(["index", str(folder)])
    capsys.readouterr()
    assert run(["info", str(folder)]) == 0
    shown = capsys.readouterr().out
    assert "documents   2\n" in shown
    assert "\nreturns.md  Returns\n" in shown
    assert run(["info", str(folder), "--problems"]) == 0
    assert capsys.readouterr().out.startswith("broken.md: ")
    assert run(["info", str(folder), "--json"]) == 0
    info = record("info-1", capsys.readouterr().out)
    assert [source["path"] for source in info["documents"]] == ["products/lamp.txt", "returns.md"]
    assert [problem["path"] for problem in info["problems"]] == ["broken.md"]


def test_info_calls_a_language_it_cannot_tell_unknown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "codes.txt").write_text("4411 8822 0031\n", encoding="utf-8")
    run(["index", str(folder)])
    capsys.readouterr()
    assert run(["info", str(folder)]) == 0
    assert ", unknown 1\n" in capsys.readouterr().out
    assert run(["info", str(folder), "--json"]) == 0
    languages = record("info-1", capsys.readouterr().out)["languages"]
    assert {"language": "und", "document_count": 1} in languages


def test_problems_of_a_folder_without_an_index_point_to_indexing(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["info", str(folder), "--problems"]) == 1
    shown = capsys.readouterr().err
    assert f"run `pincite index {folder}`, which also names the files" in shown


def test_the_store_can_be_elsewhere(folder: Path, tmp_path: Path) -> None:
    store = tmp_path / "elsewhere"
    assert run(["index", str(folder), "--store", str(store)]) == 0
    assert not (folder / ".pincite").exists()
    assert run(["ask", str(folder), QUESTION, "--store", str(store), "--no-update"]) == 0


def test_escape_sequences_of_a_document_are_shown_and_kept_in_json(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quote = "The zeppelin \x1b[31mflies\x1b[0m at noon."
    (folder / "hostile.txt").write_text(quote, encoding="utf-8")
    assert run(["ask", str(folder), "When does the zeppelin fly at noon?"]) == 0
    assert "The zeppelin \\x1b[31mflies\\x1b[0m at noon." in capsys.readouterr().out
    assert run(["ask", str(folder), "When does the zeppelin fly at noon?", "--json"]) == 0
    output = capsys.readouterr().out
    assert "\x1b" not in output
    assert record("answer-1", output)["text"] == quote


def test_the_progress_bar_is_drawn_on_a_terminal_only(pincite: Pincite, folder: Path) -> None:
    assert b"Indexing" not in pincite("index", folder, "--store", folder / "a").stderr
    terminal, other_end = pty.openpty()
    command = [sys.executable, "-m", "pincite", "index", str(folder), "--store", str(folder / "b")]
    indexed = subprocess.run(command, stdout=subprocess.PIPE, stderr=other_end, check=True)
    os.close(other_end)
    drawn = os.read(terminal, 10_000)
    os.close(terminal)
    assert b"Indexing" in drawn
    assert b"100%" in drawn
    assert b"2/2 files, 0.0/0.0 MB" in drawn
    assert b"Indexing" not in indexed.stdout


def test_a_reader_that_leaves_early_is_no_error_message(pincite: Pincite, folder: Path) -> None:
    pincite("index", folder)
    command = [sys.executable, "-m", "pincite", "info", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


def test_an_interrupt_is_one_line_and_exit_code_130(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Index, "ask", interrupted)
    run(["index", str(folder)])
    capsys.readouterr()
    assert run(["ask", str(folder), QUESTION]) == 130
    assert capsys.readouterr().err == "pincite: interrupted\n"


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["--version"]) == 0
    assert capsys.readouterr().out.startswith("pincite 0.")
    assert run(["--help"]) == 0
    shown = capsys.readouterr().out
    for command in ("ask", "index", "info", "search", "show"):
        assert f"\n  {command} " in shown
