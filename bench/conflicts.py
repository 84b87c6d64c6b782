"""Documents that contradict each other, made of real ones: whether an answer says so."""

from __future__ import annotations

import random
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pincite
from bench.data import DataSet, Question

SEED = 20_260_105
OLDER, NEWER = "2020", "2026"
_DIGIT = re.compile(r"\d")


def measure(sets: Sequence[DataSet], *, questions: int) -> dict[str, Any]:
    """Of questions whose answer holds a number: how many conflicts are told, and how many falsely.

    Each document about which one is asked is there twice, dated in its name: once as it is and once
    with another number in the answer; or, to see what is told falsely, twice as it is.
    """
    draw = random.Random(SEED)
    told: Counter[str] = Counter()
    for data in sets:
        chosen = _with_numbers(data, -(-questions // len(sets)), draw)
        for name, altered in (("contradicting", True), ("equal", False)):
            with tempfile.TemporaryDirectory(prefix="pincite-bench-") as temporary:
                folder = Path(temporary, "documents")
                folder.mkdir()
                numbers = _write(data, chosen, folder, altered, draw)
                store = Path(temporary, "store")
                with pincite.Index.open_or_build(folder, store=store, lexical=True) as index:
                    for question in chosen:
                        answer = index.ask(question.text)
                        told[f"{name}: asked"] += 1
                        if isinstance(answer, pincite.Refusal):
                            told[f"{name}: refused"] += 1
                            continue
                        pair = numbers[question.gold[0].doc_id]
                        cited = {one.document.path for one in answer.citations} & set(pair)
                        told[f"{name}: right document cited"] += bool(cited)
                        told[f"{name}: a conflict told"] += bool(answer.conflicts)
                        told[f"{name}: of these two documents, the newer first"] += any(
                            (one.newer.document.path, one.older.document.path) == pair
                            for one in answer.conflicts
                        )
    return {"sets": [data.name for data in sets], "told": dict(told)}


def rows(record: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The figures as (name, value), for a table."""
    yield from record["told"].items()


def _with_numbers(data: DataSet, count: int, draw: random.Random) -> list[Question]:
    """Questions with a number in their gold span, one a document."""
    texts = {one.doc_id: one.text for one in data.documents}
    found: dict[str, Question] = {}
    for question in data.questions:
        if question.answerable and not question.history and len(question.gold) == 1:
            gold = question.gold[0]
            if _DIGIT.search(texts[gold.doc_id][gold.start : gold.end]):
                found.setdefault(gold.doc_id, question)
    return draw.sample(list(found.values()), min(count, len(found)))


def _write(
    data: DataSet,
    chosen: Sequence[Question],
    folder: Path,
    altered: bool,
    draw: random.Random,
) -> dict[str, tuple[str, str]]:
    """Write the pairs of documents; by id, the names of the newer and the older."""
    texts = {one.doc_id: one.text for one in data.documents}
    names = {}
    for number, question in enumerate(chosen):
        gold = question.gold[0]
        text = other = texts[gold.doc_id]
        if altered:
            places = [found.start() for found in _DIGIT.finditer(text, gold.start, gold.end)]
            place = draw.choice(places)
            digit = draw.choice([one for one in "123456789" if one != text[place]])
            other = text[:place] + digit + text[place + 1 :]
        newer, older = f"{number:03}-{NEWER}.txt", f"{number:03}-{OLDER}.txt"
        (folder / newer).write_text(other, "utf-8", newline="")
        (folder / older).write_text(text, "utf-8", newline="")
        names[gold.doc_id] = (newer, older)
    return names
