"""`eval`, `calibrate` and `explain` on the command line: what they print, keep and return."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from playwright.sync_api import Browser

from pincite.cli.entry import run
from pincite.render import load_schema

from .conftest import QUESTION, QUOTE, REFUND, UNANSWERED, Pincite

LINES: tuple[dict[str, Any], ...] = (
    {
        "id": "return",
        "question": QUESTION,
        "answerable": True,
        "evidence": [{"document": "returns.md", "text": QUOTE}],
    },
    {"id": "refund", "question": REFUND, "answerable": True, "answers": ["5 working days"]},
    {"id": "opera", "question": UNANSWERED, "answerable": False},
)


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    return written(tmp_path / "questions.jsonl", LINES)


@pytest.fixture
def many(tmp_path: Path) -> Path:
    lines = [{**line, "id": f"{line['id']}{copy}"} for copy in range(20) for line in LINES]
    return written(tmp_path / "many.jsonl", lines)


def written(path: Path, lines: Any) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def ran(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = run([*map(str, arguments), "--lexical"])
    return code, *capsys.readouterr()


def record(name: str, output: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(output)
    Draft202012Validator(load_schema(name)).validate(found)
    return found


def test_eval_counts_and_writes_its_reports(
    folder: Path, questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, page = tmp_path / "report.json", tmp_path / "report.html"
    code, text, _ = ran(capsys, "eval", folder, questions, "--out", out, "--html", page)
    assert code == 0
    assert "right              2  100.0 %" in text
    report = record("eval-1", out.read_text("utf-8"))
    assert [one["result"] for one in report["outcomes"]] == ["right", "right", "refused"]
    assert report["questions"]["name"] == "questions.jsonl"
    code, printed, _ = ran(capsys, "eval", folder, questions, "--json")
    assert printed == out.read_text("utf-8")


class Tags(HTMLParser):
    """What a page would load from elsewhere, and which elements it has."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[str] = []
        self.loaded: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(tag)
        self.loaded += [value or "" for name, value in attrs if name in ("src", "href")]


def test_the_page_holds_its_plots_and_loads_nothing(
    folder: Path, questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "report.html"
    ran(capsys, "eval", folder, questions, "--html", page)
    tags = Tags(page.read_text("utf-8"))
    assert tags.elements.count("svg") == 3
    assert tags.loaded == []
    assert {"script", "link", "img"}.isdisjoint(tags.elements)


def test_the_column_of_questions_on_the_page_is_wide_enough_to_be_read(
    folder: Path,
    questions: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    browser: Browser,
) -> None:
    file = tmp_path / "report.html"
    ran(capsys, "eval", folder, questions, "--html", file)
    with browser.new_context(viewport={"width": 700, "height": 800}) as context:
        page = context.new_page()
        page.goto(file.as_uri())
        box = page.locator(".question").first.bounding_box()
    assert box is not None
    assert box["width"] >= 200


def test_eval_holds_against_a_baseline(
    folder: Path, questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "old.json"
    ran(capsys, "eval", folder, questions, "--out", old)
    assert ran(capsys, "eval", folder, questions, "--baseline", old)[0] == 0
    (folder / "returns.md").write_text("# Returns\n\nNothing.\n", encoding="utf-8")
    lines = [{**LINES[0], "evidence": None, "answers": ["45 days"]}, *LINES[1:]]
    written(questions, lines)
    code, text, told = ran(capsys, "eval", folder, questions, "--baseline", old)
    assert code == 3
    assert "Since old.json: 0 fixed, 2 broken, 0 changed otherwise, 1 unchanged" in text
    assert "not as good as demanded: 2 broken, 0 fixed" in told
    assert ran(capsys, "eval", folder, questions, "--baseline", old, "--allow", 2)[0] == 0
    code, printed, _ = ran(capsys, "eval", folder, questions, "--baseline", old, "--json")
    assert len(record("eval-1", printed)["comparison"]["broken"]) == 2


@pytest.mark.parametrize(
    ("demand", "code"),
    [
        (("--min-right", 100), 0),
        (("--max-wrong", 0), 0),
        (
            (
                "--min-right",
                100,
                "--document-gone",
            ),
            3,
        ),
    ],
)
def test_eval_holds_against_demands(
    demand: tuple[object, ...],
    code: int,
    folder: Path,
    questions: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    if "--document-gone" in demand:
        demand = demand[:-1]
        written(questions, [LINES[1], {**LINES[1], "id": "other", "answers": ["6 days"]}])
    assert ran(capsys, "eval", folder, questions, *demand)[0] == code


def test_a_baseline_that_is_no_report_is_told(
    folder: Path, questions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for content in ("{}", "[", '{"schema": "pincite.answer/1"}'):
        old = tmp_path / "old.json"
        old.write_text(content, encoding="utf-8")
        code, _, told = ran(capsys, "eval", folder, questions, "--baseline", old)
        assert code == 1
        assert "old.json: it is no report as `pincite eval --out` writes them" in told


def test_bad_questions_are_told_with_their_lines(
    folder: Path, questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    questions.write_text('{"question": "x"\n', encoding="utf-8")
    code, printed, told = ran(capsys, "eval", folder, questions, "--json")
    assert code == 1
    assert "questions.jsonl: line 1: not JSON" in told
    record("error-1", printed)
    questions.write_text("\n", encoding="utf-8")
    assert ran(capsys, "eval", folder, questions)[0] == 1
    assert ran(capsys, "eval", folder)[0] == 2
    assert ran(capsys, "eval", folder, questions, "--suggest")[0] == 2


def test_suggestions_can_be_asked_as_they_are(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, lines, told = ran(capsys, "eval", folder, "--suggest", "--count", 3)
    assert code == 0
    assert "these are drafts" in told
    drafts = tmp_path / "drafts.jsonl"
    drafts.write_text(lines, encoding="utf-8")
    code, _, told = ran(capsys, "eval", folder, drafts)
    assert code == 0
    assert "3 of 3 questions are drafts that nobody corrected" in told


def test_calibrating_changes_what_ask_tells_until_it_is_reset(
    folder: Path, many: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, before, _ = ran(capsys, "ask", folder, QUESTION, "--json")
    assert record("answer-1", before)["calibration"] is None
    code, printed, _ = ran(capsys, "calibrate", folder, many, "--json")
    assert code == 0
    learnt = record("calibrate-1", printed)["calibration"]
    assert learnt["question_count"] == 60
    (folder / "new.md").write_text("# New\n\nOther words stand here.\n", encoding="utf-8")
    _, printed, _ = ran(capsys, "ask", folder, QUESTION, "--json")
    answer = record("answer-1", printed)
    assert answer["calibration"]["name"] == "many.jsonl"
    assert answer["calibration"]["holds"]
    assert run(["info", str(folder)]) == 0
    assert (
        "calibrated  words/2: by 60 questions of many.jsonl, to a risk of 0.1\n"
        in capsys.readouterr().out
    )
    assert run(["info", str(folder), "--json"]) == 0
    assert record("info-1", capsys.readouterr().out)["calibrations"] == [learnt]
    assert ran(capsys, "calibrate", folder, "--reset")[:2] == (0, "forgotten\n")
    assert ran(capsys, "calibrate", folder, "--reset")[:2] == (0, "nothing had been learnt\n")
    (folder / "new.md").unlink()
    _, printed, _ = ran(capsys, "ask", folder, QUESTION, "--json")
    after = record("answer-1", printed)
    assert (after["calibration"], after["confidence"]) == (
        None,
        record("answer-1", before)["confidence"],
    )


def test_a_risk_that_the_questions_do_not_vouch_for_is_said_so(
    folder: Path, many: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, text, told = ran(capsys, "calibrate", folder, many, "--risk", 0.01)
    assert code == 3
    assert "at most 1 % wrong: answers from" in text
    assert "does not hold" in text
    assert "do not show that at most 1% of the answers are wrong" in told
    _, printed, _ = ran(capsys, "ask", folder, QUESTION, "--json")
    assert not record("answer-1", printed)["calibration"]["holds"]
    _, printed, _ = ran(capsys, "ask", folder, QUESTION, "--json", "--risk", 0.1)
    assert record("answer-1", printed)["calibration"]["holds"]


def test_calibrating_wants_fifty_questions(
    folder: Path, questions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, told = ran(capsys, "calibrate", folder, questions)
    assert code == 1
    assert "questions.jsonl: 3 questions are too few: give 50 or more" in told
    assert ran(capsys, "calibrate", folder)[0] == 2


def test_a_damaged_calibration_is_told_and_can_be_reset(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran(capsys, "ask", folder, QUESTION)
    for content in ("{", '{"format": 99}', '{"format": 1, "calibrations": [{}]}', "[]"):
        (folder / ".pincite" / "calibration.json").write_text(content, encoding="utf-8")
        code, _, told = ran(capsys, "ask", folder, QUESTION)
        assert code == 1
        assert "--reset to go back" in told
    assert ran(capsys, "calibrate", folder, "--reset")[0] == 0
    assert ran(capsys, "ask", folder, QUESTION)[0] == 0


def test_a_risk_without_a_known_threshold_is_told(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, told = ran(capsys, "ask", folder, QUESTION, "--risk", 0.123)
    assert code == 1
    assert "no threshold of words/2 is known that keeps to a risk of 0.123" in told


def test_explain_says_why_on_one_screen(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "why.html"
    code, text, _ = ran(capsys, "explain", folder, QUESTION, "--html", page)
    assert code == 0
    assert text.splitlines()[0] == QUESTION
    assert text.splitlines()[1].startswith("answered: confidence 0.")
    assert "The first has over the second: " in text
    assert len(text.splitlines()) < 40
    assert QUOTE in page.read_text("utf-8")
    code, printed, _ = ran(capsys, "explain", folder, UNANSWERED, "--json")
    assert code == 3
    assert record("explain-1", printed)["answer"]["status"] == "refused"


def test_a_risk_that_is_no_number_is_a_mistake_of_usage(folder: Path, pincite: Pincite) -> None:
    run = pincite("ask", str(folder), "Any?", "--risk", "nan")
    assert run.returncode == 2
    assert b"nan is no number" in run.stderr
