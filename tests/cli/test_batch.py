"""A batch: a line of JSON in, a line of JSON out, in order, whatever the lines hold."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pincite.cli.batch import BadLineError, parse_line
from pincite.records import Turn
from pincite.render import load_schema

from .conftest import QUESTION, QUOTE, REFUND, UNANSWERED, Pincite


def jsonl(*lines: Any) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in lines)


def records(output: bytes) -> list[dict[str, Any]]:
    found = [json.loads(line) for line in output.decode().splitlines()]
    for record in found:
        name = "error-1" if record["status"] == "error" else "answer-1"
        Draft202012Validator(load_schema(name)).validate(record)
    return found


def test_every_line_is_answered_or_refused_in_order(pincite: Pincite, folder: Path) -> None:
    lines = jsonl(
        {"id": "b", "question": UNANSWERED, "answerable": False},
        {"id": "a", "question": QUESTION},
        {"id": 7, "question": REFUND, "document": "products/lamp.txt"},
        {"question": QUESTION, "history": [{"role": "user", "text": "Hello"}]},
    )
    asked = pincite("ask", folder, "--batch", "-", "--json", stdin=lines)
    assert asked.returncode == 0
    assert [(record["id"], record["status"]) for record in records(asked.stdout)] == [
        ("b", "refused"),
        ("a", "answered"),
        (7, "refused"),
        (None, "answered"),
    ]


def test_a_batch_answers_as_single_questions_do(pincite: Pincite, folder: Path) -> None:
    (batched,) = records(
        pincite("ask", folder, "--batch", "-", stdin=jsonl({"id": 1, "question": QUESTION})).stdout
    )
    alone = json.loads(pincite("ask", folder, QUESTION, "--json").stdout)
    assert batched == {"id": 1, **alone}
    assert list(batched) == ["id", *alone]


def test_bad_lines_are_reported_in_their_place_and_the_rest_is_answered(
    pincite: Pincite, folder: Path, tmp_path: Path
) -> None:
    batch = tmp_path / "questions.jsonl"
    batch.write_bytes(
        b"\xef\xbb\xbf"
        + jsonl({"id": 1, "question": QUESTION})
        + b'not JSON\r\n\r\n"\xff"\n'
        + jsonl(
            {"id": 2},
            {"id": 3, "question": "  "},
            {"id": 4, "question": QUESTION, "document": "nowhere.md"},
            {"id": 5, "question": QUESTION},
        )
    )
    asked = pincite("ask", folder, "--batch", batch)
    assert asked.returncode == 1
    found = records(asked.stdout)
    assert [(record["id"], record["status"]) for record in found] == [
        (1, "answered"),
        (None, "error"),
        (None, "error"),
        (2, "error"),
        (3, "error"),
        (4, "error"),
        (5, "answered"),
    ]
    assert "not a line of JSON" in found[1]["error"]
    assert "nowhere.md" in found[5]["error"]
    last = asked.stderr.decode().splitlines()[-1]
    assert last == "pincite: 5 of 7 lines could not be answered: their records say why"


def test_an_empty_batch_is_no_error(pincite: Pincite, folder: Path) -> None:
    asked = pincite("ask", folder, "--batch", "-", stdin=b"\n")
    assert (asked.returncode, asked.stdout) == (0, b"")


def test_answers_come_while_the_batch_is_still_open(folder: Path) -> None:
    command = [sys.executable, "-m", "pincite", "ask", str(folder), "--batch", "-"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in range(2):
            process.stdin.write(jsonl({"id": number, "question": QUESTION}))
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            assert (answer["id"], answer["text"]) == (number, QUOTE)
        process.stdin.close()
        assert process.wait() == 0


@pytest.mark.parametrize(
    ("line", "fault", "line_id"),
    [
        (b"[1]", "not a JSON object", None),
        (b'{"id": NaN, "question": "a"}', "NaN is not JSON", None),
        (b'{"id": [1], "question": "a"}', '"id" is neither', None),
        (b'{"id": 1.5, "question": "a"}', '"id" is neither', None),
        (b'{"id": true, "question": "a"}', '"id" is neither', None),
        (b'{"id": 1, "question": 5}', '"question" is missing', 1),
        (b'{"id": 1, "question": "a", "document": 5}', '"document" is not', 1),
        (b'{"id": 1, "question": "a", "history": "b"}', '"history" is not', 1),
        (b'{"id": 1, "question": "a", "history": [{"role": "me"}]}', '"history" is not', 1),
        (b"[" * 100_000, "not a line of JSON", None),
        ('{"question": "a"}'.encode("utf-16"), "not a line of JSON", None),
    ],
)
def test_a_line_that_is_no_question_is_told_what_is_wrong(
    line: bytes, fault: str, line_id: int | None
) -> None:
    with pytest.raises(BadLineError, match=fault) as raised:
        parse_line(line)
    assert raised.value.line_id == line_id


def test_history_is_read_oldest_first() -> None:
    line = jsonl(
        {
            "question": "And by card?",
            "history": [
                {"role": "user", "text": "How long does a refund take?"},
                {"role": "assistant", "text": "5 days."},
            ],
        }
    )
    assert parse_line(line).history == (
        Turn("user", "How long does a refund take?"),
        Turn("assistant", "5 days."),
    )
