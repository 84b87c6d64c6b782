"""Measures whether answers from a folder of real files cite the page that holds the answer.

The data set has `files/` beside `questions.jsonl`, whose evidence names pages of them. Of its
questions those count that a page's words can answer.
"""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pincite
from pincite.places import PagePlace, Place

WORDS_ON_PAGES = 0.6
"""Share of the written answer's words on its pages below which no quote from there could do."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, with the pages that answer it as (file, page number)."""

    text: str
    pages: frozenset[tuple[str, int]]


def read_questions(directory: Path) -> list[Asked]:
    """The questions of the set that the words on their pages answer."""
    lines = (directory / "questions.jsonl").read_text("utf-8").split("\n")
    found = [json.loads(line) for line in lines if line.strip()]
    return [
        Asked(
            question["question"],
            frozenset((one["doc_id"], one["page"]) for one in question["evidence"]),
        )
        for question in found
        if question["answer_words_on_cited_pages"] >= WORDS_ON_PAGES
    ]


def measure(directory: Path) -> dict[str, Any]:
    """What the questions of the set come to, asked over the whole folder of files."""
    questions = read_questions(directory)
    right = refused = near = 0
    wrong: list[str] = []
    with (
        tempfile.TemporaryDirectory(prefix="pincite-bench-") as store,
        pincite.Index.open_or_build(directory / "files", store=Path(store, "store")) as index,
    ):
        index.encode()
        for question in questions:
            answer = index.ask(question.text)
            if isinstance(answer, pincite.Refusal):
                refused += 1
                wrong.append(f"{question.text}\n  refused: {answer.explanation}")
                continue
            cited = {
                (citation.document.path, page)
                for citation in answer.citations
                for page in _pages(citation.place)
            }
            right += bool(cited & question.pages)
            near += any((path, page + step) in question.pages for path, page in cited
                        for step in (-1, 0, 1))  # fmt: skip
            if not cited & question.pages:
                wrong.append(
                    f"{question.text}\n  wanted {sorted(question.pages)}, cited {sorted(cited)}:"
                    f" {answer.text[:300]}"
                )
    return {
        "name": directory.resolve().name,
        "questions": len(questions),
        "right": right,
        "near": near,
        "refused": refused,
        "wrong": wrong,
    }


def rows(got: dict[str, Any]) -> list[tuple[str, Any]]:
    """The figures for reading."""
    share = 100 / max(1, got["questions"])
    return [
        (f"{got['name']}: questions", got["questions"]),
        (f"{got['name']}: right page cited %", got["right"] * share),
        (f"{got['name']}: right page or the next one %", got["near"] * share),
        (f"{got['name']}: refused %", got["refused"] * share),
    ]


def _pages(place: Place | None) -> list[int]:
    return [page.number for page in place.pages] if isinstance(place, PagePlace) else []
