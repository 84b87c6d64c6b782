"""The documentation is run: what it shows is what happens."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import pytest

import pincite
from pincite.cli.auditing import audit_commands
from pincite.cli.commands import commands
from pincite.records import RefusalReason
from pincite.render import load_schema, to_json
from pincite.render.record import SCHEMAS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
RECORD_FORMAT = (ROOT / "docs" / "record-format.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(ROOT.glob("docs/**/*.md"))]


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)


def printed_by(command: str, directory: Path) -> str:
    """What a command of the README puts on stdout."""
    program, *arguments = shlex.split(command)
    assert program == "pincite"
    run = subprocess.run(
        [sys.executable, "-m", "pincite", *arguments], cwd=directory, capture_output=True
    )
    return run.stdout.decode()


TRANSCRIPTS = [
    (command, output)
    for block in blocks(README, "console")
    for command, output in re.findall(r"^\$ (.+)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE)
]


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a copy of the examples, so that no index is left in the repository."""
    directory = tmp_path_factory.mktemp("docs")
    shutil.copytree(
        ROOT / "examples", directory / "examples", ignore=shutil.ignore_patterns(".pincite")
    )
    return directory


def test_the_readme_shows_an_answer_and_a_refusal() -> None:
    outputs = [output for _, output in TRANSCRIPTS]
    assert any("#char=" in output for output in outputs)
    assert any(output.startswith("The documents do not say.") for output in outputs)


@pytest.mark.parametrize(("command", "output"), TRANSCRIPTS)
def test_the_commands_of_the_readme_print_what_it_shows(
    command: str, output: str, elsewhere: Path
) -> None:
    assert printed_by(command, elsewhere).rstrip() == output.rstrip()


def test_the_python_of_the_readme_runs(elsewhere: Path) -> None:
    code, *_ = blocks(README, "python")
    printed = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=elsewhere, capture_output=True, text=True
    )
    assert printed.stderr == ""
    quote, place = printed.stdout.strip().rsplit("\n", 1)
    path, line = place.split()
    lines = (elsewhere / "examples/helpcentre/documents" / path).read_text("utf-8").splitlines()
    assert lines[int(line) - 1].strip().startswith(quote.splitlines()[0])


def test_the_ranking_of_the_readme_runs() -> None:
    pytest.importorskip("onnxruntime")
    (code,) = (one for one in blocks(README, "python") if "rank_sentences" in one)
    known: dict[str, list[float]] = {}
    exec(code, known)
    colour, cable, price = known["scores"]
    assert cable > max(colour, price)


def test_the_llama_index_example_of_the_readme_runs(elsewhere: Path) -> None:
    pytest.importorskip("llama_index.core")
    pytest.importorskip("onnxruntime")
    *_, code = blocks(README, "python")
    printed = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=elsewhere, capture_output=True, text=True
    )
    assert printed.stderr == ""
    quote = printed.stdout.strip()
    document = elsewhere / "examples/helpcentre/documents/account/gift-cards.md"
    assert quote.startswith("Gift cards cannot be returned.")
    assert " ".join(quote.split()) in " ".join(document.read_text(encoding="utf-8").split())


def test_the_python_of_the_page_on_measuring_runs(elsewhere: Path, tmp_path: Path) -> None:
    (code,) = blocks((ROOT / "docs" / "measuring.md").read_text(encoding="utf-8"), "python")
    asked = tmp_path / "questions.jsonl"
    line = {"question": "How long is a gift card valid?", "answers": ["5 years"]}
    asked.write_text(json.dumps(line) + "\n", encoding="utf-8")
    folder = elsewhere / "examples/helpcentre/documents"
    printed = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, folder, asked], capture_output=True, text=True
    )
    assert (printed.stderr, printed.stdout) == ("", "1.0 0.0\n")


def measured_rows(directory: Path) -> list[str]:
    """The rows of the table in the README, from the examples in `directory`."""
    examples = directory / "examples" / "helpcentre"
    counts: Counter[tuple[str, str]] = Counter()
    with pincite.Index.open_or_build(examples / "documents") as index:
        for line in (examples / "questions.jsonl").read_text(encoding="utf-8").splitlines():
            question = json.loads(line)
            group = "answerable" if question["answerable"] else question["kind"]
            counts[group, ""] += 1
            counts[group, outcome(index.ask(question["question"]), question["evidence"])] += 1
    return [
        f"| {counts[group, '']} {described} | "
        f"{counts[group, 'right'] if group == 'answerable' else '–'} | "
        f"{counts[group, 'wrong']} | {counts[group, 'refused']} |"
        for group, described in (
            ("answerable", "that the documents answer"),
            ("near_miss", "near misses, one detail not in the documents"),
            ("off_topic", "about something else"),
        )
    ]


def outcome(answer: pincite.Answer | pincite.Refusal, evidence: list[dict[str, Any]]) -> str:
    if isinstance(answer, pincite.Refusal):
        return "refused"
    touches = any(
        citation.document.path == span["document"]
        and citation.position.start < span["end"]
        and span["start"] < citation.position.end
        for citation in answer.citations
        for span in evidence
    )
    return "right" if touches else "wrong"


def test_the_readme_says_how_good_the_answers_are(elsewhere: Path) -> None:
    rows = measured_rows(elsewhere)
    assert [line for line in README.splitlines() if line in rows] == rows, rows


def test_every_command_and_option_is_in_the_readme() -> None:
    for name, command in commands.commands.items():
        if isinstance(command, click.Group):
            continue
        first = next(one for one in command.params if one.param_type_name == "argument")
        assert f"`pincite {name} {first.human_readable_name.upper()}" in README
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert parameter.opts[0] in README


def test_every_command_for_logs_and_its_options_are_on_their_page() -> None:
    page = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    for name, command in audit_commands.commands.items():
        assert f"`pincite audit {name} LOG" in page
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert parameter.opts[0] in page


def example_index(directory: Path) -> pincite.Index:
    """The folder of the example in docs/record-format.md, with the time of modification it has."""
    document = directory / "returns.md"
    (text,) = blocks(RECORD_FORMAT, "markdown")
    document.write_bytes(text.encode())
    modified = datetime(2026, 5, 4, 9, 30, tzinfo=UTC).timestamp()
    os.utime(document, (modified, modified))
    return pincite.Index.open_or_build(directory)


def without_scores(record: Any) -> Any:
    """The record with every number that a better scorer would change set to 0."""
    if isinstance(record, dict):
        return {
            key: 0 if key in {"score", "confidence"} else without_scores(value)
            for key, value in record.items()
        }
    return [without_scores(value) for value in record] if isinstance(record, list) else record


def test_the_example_record_is_what_comes_out(tmp_path: Path) -> None:
    shown = json.loads(blocks(RECORD_FORMAT, "json")[0])
    with example_index(tmp_path) as index:
        record = to_json(index.ask(shown["question"]))
    record["pincite"] = shown["pincite"]
    assert without_scores(record) == without_scores(shown)
    assert list(record) == list(shown)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_check_of_a_citation_in_the_docs_works(encoding: str, tmp_path: Path) -> None:
    (code,) = blocks(RECORD_FORMAT, "python")
    checks: dict[str, Any] = {}
    exec(code, checks)
    document = tmp_path / "returns.md"
    words = "You have 45 days to return a lamp – in its “own” box, at the Café."
    document.write_bytes(f"# Über uns\r\n\r\n{words}\r\n".encode(encoding))
    with pincite.Index.open_or_build(tmp_path) as index:
        asked = index.ask("How many days do I have to return a lamp?")
    (citation,) = to_json(asked)["citations"]
    assert citation["quote"]["exact"] == words
    assert checks["holds"](tmp_path, citation)
    assert checks["holds_without_pincite"](tmp_path, citation, encoding)
    assert not checks["holds_without_pincite"](tmp_path, citation, "latin-1")
    moved = {**citation, "position": {"unit": "codepoint", "start": 0, "end": len(words)}}
    assert not checks["holds"](tmp_path, moved)
    document.write_text("Something else.", encoding="utf-8")
    assert not checks["holds"](tmp_path, citation)


def test_every_field_of_an_answer_and_every_reason_is_explained() -> None:
    schema = load_schema("answer-1")
    fields = set(schema["properties"]) | set(schema["$defs"]["citation"]["properties"])
    explained = set(re.findall(r"`(\w+)`", RECORD_FORMAT)) | set(
        re.findall(r'"(\w+)":', RECORD_FORMAT)
    )
    assert fields | {reason.value for reason in RefusalReason} <= explained


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_named_in_the_docs(name: str) -> None:
    assert f"`{name}.schema.json`" in RECORD_FORMAT
    assert f"`pincite.{name.replace('-', '/')}`" in RECORD_FORMAT


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_files_of_the_architecture_page_exist() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("## Which file to open")[2]
    named = re.findall(r"`((?:docs/)?[\w-]+(?:/[\w-]+)*(?:/|\.py|\.md))`", table)
    assert len(named) > 10
    for name in named:
        base = ROOT if name.startswith("docs/") else ROOT / "src" / "pincite"
        assert (base / name).exists(), name


def rewrite_transcripts() -> None:
    """Put into the README what its commands print and what is measured now.

    Read the difference before committing it.
    """
    with tempfile.TemporaryDirectory() as directory:
        shutil.copytree(ROOT / "examples", Path(directory) / "examples")
        page = README
        for block in blocks(README, "console"):
            commands_in_block = re.findall(r"^\$ (.+)$", block, re.MULTILINE)
            shown = [f"$ {one}\n{printed_by(one, Path(directory))}" for one in commands_in_block]
            page = page.replace(block, "\n".join(shown))
        for row in measured_rows(Path(directory)):
            described = re.escape(row.split(" ", 2)[2].split(" | ")[0])
            page = re.sub(rf"^\| \d+ {described} \|.*$", row, page, flags=re.MULTILINE)
    (ROOT / "README.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    rewrite_transcripts()
