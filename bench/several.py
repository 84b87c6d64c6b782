"""Measures answers of several quotes: what stands beside the first, and questions of two parts."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pincite
from bench import folder as folders
from bench.ask import answers, worker
from bench.data import DataSet
from bench.measure import is_right

SEED = 20_260_101
PAIRS = 60
_QUESTION_WORDS = frozenset(
    "how what which who whom where when why is are do does can may will".split()
)


def beside_the_first(data: DataSet) -> dict[str, Any]:
    """How many answers of a set have more than one quote, and how many of those are right.

    Right as for the first quote: it shares a character with a gold span.
    """
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as temporary:
        folder, store = Path(temporary, "documents"), Path(temporary, "store")
        paths = folders.file_names(data.documents)
        folders.write(data.documents, folder, paths)
        worker("build", folder, store)
        outcomes, _ = answers(data.questions, folder, store, paths)
    pairs = list(zip(data.questions, outcomes, strict=True))
    answered = [(question, one) for question, one in pairs if one.quotes]
    several = [one for _, one in answered if len(one.quotes) > 1]
    extra = [
        is_right([quote], question.gold)
        for question, one in answered
        if question.answerable
        for quote in one.quotes[1:]
    ]
    return {
        "set": data.name,
        "answered": len(answered),
        "with_several": len(several),
        "further_quotes_of_answerable": len(extra),
        "of_them_right": sum(extra),
        "first_right": sum(is_right(one.quotes[:1], question.gold) for question, one in answered),
        "any_right": sum(is_right(one.quotes, question.gold) for question, one in answered),
    }


def two_parts(examples: Path) -> dict[str, Any]:
    """Questions made by joining two of `examples` with "and", a seeded choice of them.

    An example is asked by itself too: a part can be answered no better than that.
    """
    rows = [
        json.loads(line)
        for line in (examples / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    chosen = [row for row in rows if row["answerable"] and _joins(row["question"])]
    draw = random.Random(SEED)
    pairs = [draw.sample(chosen, 2) for _ in range(PAIRS)]
    counts = dict.fromkeys(
        ("split", "parts_right_alone", "parts_right_joined", "both_right", "parts_not_answered"), 0
    )
    with (
        tempfile.TemporaryDirectory(prefix="pincite-bench-") as temporary,
        pincite.Index.open_or_build(examples / "documents", store=temporary) as index,
    ):
        for first, second in pairs:
            joined = f"{first['question'].rstrip('?')} and {_lower(second['question'])}"
            answer = index.ask(joined)
            right = [_is_right(answer, one["evidence"]) for one in (first, second)]
            alone = [_is_right(index.ask(o["question"]), o["evidence"]) for o in (first, second)]
            if isinstance(answer, pincite.Answer):
                parts = {part for one in answer.citations for part in one.parts}
                counts["split"] += len(parts | set(answer.unanswered_parts)) == 2
                counts["parts_not_answered"] += len(answer.unanswered_parts)
            counts["parts_right_alone"] += sum(alone)
            counts["parts_right_joined"] += sum(right)
            counts["both_right"] += all(right)
    return {"questions": PAIRS, "parts": 2 * PAIRS, **counts}


def rows(record: dict[str, Any]) -> Sequence[tuple[str, Any]]:
    """The figures as (name, value), for a table."""
    found = [
        (f"{one['set']}: {name.replace('_', ' ')}", value)
        for one in record["sets"]
        for name, value in one.items()
        if name != "set"
    ]
    return [
        *found,
        *((f"two parts: {k.replace('_', ' ')}", v) for k, v in record["two_parts"].items()),
    ]


def _joins(question: str) -> bool:
    """Whether the question is one sentence that begins as a question does."""
    words = question.casefold().split()
    return words[0] in _QUESTION_WORDS and question.endswith("?") and ". " not in question


def _lower(question: str) -> str:
    return question[0].lower() + question[1:]


def _is_right(answer: pincite.Answer | pincite.Refusal, evidence: list[dict[str, Any]]) -> bool:
    return isinstance(answer, pincite.Answer) and any(
        citation.document.path == span["document"]
        and citation.position.start < span["end"]
        and span["start"] < citation.position.end
        for citation in answer.citations
        for span in evidence
    )
