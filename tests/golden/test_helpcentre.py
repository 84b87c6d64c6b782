"""Whole answers over the example help centre: byte for byte, and as a whole no worse than before.

`helpcentre/ID.json` holds what `ask` gives for one question of `questions.jsonl`. When an answer
was meant to change, write the files anew and read the difference before committing it:

    PINCITE_REGENERATE_GOLDEN=1 python -m pytest tests/golden

The floors below are what was measured when they were set, less a little; raise them with it.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite import Answer, Index, Refusal
from pincite.render import dumps, to_json

EXAMPLES = Path(__file__).parents[2] / "examples" / "helpcentre"
GOLDEN = Path(__file__).parent / "helpcentre"
REGENERATE = bool(os.environ.get("PINCITE_REGENERATE_GOLDEN"))
MODIFIED = 1_767_225_600
"""1 January 2026, for every file: a checkout does not keep times."""

SCORES = {"score", "confidence"}

QUESTIONS: dict[str, dict[str, Any]] = {
    question["id"]: question
    for question in map(
        json.loads, (EXAMPLES / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    )
}
KEPT_WHOLE = (
    *("hc-001", "hc-003", "hc-007", "hc-010", "hc-014", "hc-021", "hc-024", "hc-027", "hc-031"),
    *("hc-036", "hc-039", "hc-040", "hc-045", "hc-053", "hc-059", "hc-065", "hc-069", "hc-072"),
    *("hc-078", "hc-081", "hc-083", "hc-089", "hc-098", "hc-100", "hc-102", "hc-116"),
)

RIGHT_SENTENCES_AT_LEAST = 60  # of 82; 62 measured
WRONGLY_REFUSED_AT_MOST = 12  # of 82; 10 measured
OFF_TOPIC_REFUSED_AT_LEAST = 16  # of 17; 16 measured
NEAR_MISSES_REFUSED_AT_LEAST = 8  # of 17; 9 measured


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("helpcentre") / "documents"
    shutil.copytree(EXAMPLES / "documents", folder, ignore=shutil.ignore_patterns(".*"))
    for path in folder.rglob("*"):
        if path.is_file():
            os.utime(path, (MODIFIED, MODIFIED))
    return folder


@pytest.fixture(scope="module")
def index(folder: Path) -> Iterator[Index]:
    with Index.open_or_build(folder, store=folder.parent / "store") as index:
        yield index


@pytest.fixture(scope="module")
def results(index: Index) -> dict[str, Answer | Refusal]:
    return {name: index.ask(question["question"]) for name, question in QUESTIONS.items()}


@pytest.mark.parametrize("name", KEPT_WHOLE)
def test_the_whole_record_is_what_it_was(name: str, results: dict[str, Answer | Refusal]) -> None:
    record = to_json(results[name])
    record["pincite"]["version"] = "0.0.0"
    found = (dumps(record, pretty=True) + "\n").encode("utf-8")
    path = GOLDEN / f"{name}.json"
    if REGENERATE:
        GOLDEN.mkdir(exist_ok=True)
        path.write_bytes(found)
    wanted = json.loads(path.read_bytes())
    assert without_scores(record) == without_scores(wanted)
    # Processors of different kinds differ in the last digits of what a model says.
    assert scores_in(record) == pytest.approx(scores_in(wanted), abs=0.0002)


def without_scores(record: Any) -> Any:
    if isinstance(record, dict):
        return {key: without_scores(one) for key, one in record.items() if key not in SCORES}
    return [without_scores(one) for one in record] if isinstance(record, list) else record


def scores_in(record: Any) -> list[float]:
    if isinstance(record, dict):
        own = [float(record[key]) for key in sorted(SCORES & record.keys())]
        return own + [one for key in sorted(record) for one in scores_in(record[key])]
    return [one for part in record for one in scores_in(part)] if isinstance(record, list) else []


def test_no_golden_file_is_left_over() -> None:
    assert sorted(path.stem for path in GOLDEN.glob("*.json")) == sorted(KEPT_WHOLE)


def test_every_quote_of_every_answer_stands_where_it_says(
    folder: Path, results: dict[str, Answer | Refusal]
) -> None:
    answers = [result for result in results.values() if isinstance(result, Answer)]
    assert answers
    for answer in answers:
        assert answer.citations, answer.question
        for citation in answer.citations:
            text = (folder / citation.document.path).read_bytes().decode("utf-8")
            position, quote = citation.position, citation.quote
            assert text[position.start : position.end] == quote.exact
            assert text[: position.start].endswith(quote.prefix)
            assert text[position.end :].startswith(quote.suffix)
            assert text[: position.start].count("\n") + 1 == citation.lines.start
            assert text[: position.end].count("\n") + 1 == citation.lines.end


def test_an_answer_is_made_of_its_quotes_and_nothing_else(
    results: dict[str, Answer | Refusal],
) -> None:
    for result in results.values():
        if isinstance(result, Answer):
            rest = result.text
            for citation in result.citations:
                assert citation.quote.exact in rest, result.question
                rest = rest.replace(citation.quote.exact, "", 1)
            assert rest.strip() == "", result.question


def test_a_refusal_cites_nothing(results: dict[str, Answer | Refusal]) -> None:
    refusals = [to_json(result) for result in results.values() if isinstance(result, Refusal)]
    assert refusals
    for record in refusals:
        assert record["status"] == "refused"
        assert record.get("citations", []) == []
        assert not any(result["used"] for result in record["retrieved"])


def _is_right(result: Answer | Refusal, question: dict[str, Any]) -> bool:
    return isinstance(result, Answer) and any(
        citation.document.path == span["document"]
        and citation.position.start < span["end"]
        and span["start"] < citation.position.end
        for citation in result.citations
        for span in question["evidence"]
    )


def _names(*kinds: str) -> list[str]:
    return [name for name, question in QUESTIONS.items() if question["kind"] in kinds]


def _refused(names: list[str], results: dict[str, Answer | Refusal]) -> list[str]:
    return [name for name in names if isinstance(results[name], Refusal)]


def test_answerable_questions_are_answered_with_the_right_sentence(
    results: dict[str, Answer | Refusal],
) -> None:
    answerable = [name for name, question in QUESTIONS.items() if question["answerable"]]
    right = [name for name in answerable if _is_right(results[name], QUESTIONS[name])]
    assert len(right) >= RIGHT_SENTENCES_AT_LEAST, sorted(set(answerable) - set(right))
    refused = _refused(answerable, results)
    assert len(refused) <= WRONGLY_REFUSED_AT_MOST, refused


def test_questions_about_other_things_are_refused(results: dict[str, Answer | Refusal]) -> None:
    off_topic = _names("off_topic")
    refused = _refused(off_topic, results)
    assert len(refused) >= OFF_TOPIC_REFUSED_AT_LEAST, sorted(set(off_topic) - set(refused))


def test_questions_the_documents_nearly_answer_are_refused(
    results: dict[str, Answer | Refusal],
) -> None:
    near_misses = _names("near_miss")
    refused = _refused(near_misses, results)
    assert len(refused) >= NEAR_MISSES_REFUSED_AT_LEAST, sorted(set(near_misses) - set(refused))
