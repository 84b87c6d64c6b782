"""Measures which passages and documents are found for a question, before any sentence is chosen."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pincite
from bench import folder as folders
from bench.data import DataSet, Gold, Question

PASSAGES = 50
"""Asked for of each question: enough that ten documents are among them."""
DOCUMENTS = 10
FIRST = (1, 5)


def measure(data: DataSet) -> dict[str, Any]:
    """Figures for the corpus of `data`, found by words alone and by words and vectors."""
    questions = [q for q in data.questions if q.relevant and not q.scope and not q.history]
    paths = folders.file_names(data.documents)
    ids = {path: doc_id for doc_id, path in paths.items()}
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as temporary:
        folder, store = Path(temporary, "documents"), Path(temporary, "store")
        folders.write(data.documents, folder, paths)
        with pincite.Index.open_or_build(folder, store=store) as index:
            index.encode()
        ways = {}
        for name, lexical in (("words", True), ("words and vectors", False)):
            with pincite.Index.open(folder, store=store, lexical=lexical) as index:
                found = [index.search(q.text, limit=PASSAGES) for q in questions]
            ways[name] = figures(questions, found, ids)
    return {"name": data.name, "documents": len(data.documents), "ways": ways}


def figures(
    questions: Sequence[Question],
    found: Sequence[Sequence[pincite.Retrieved]],
    ids: dict[str, str],
) -> dict[str, Any]:
    """Of what was `found` for each question, best first, how much is what was looked for.

    `ids` gives the id of the document at a path. None where no question tells.
    """
    gains, passages = [], {first: list[bool]() for first in FIRST}
    for question, retrieved in zip(questions, found, strict=True):
        order = list(dict.fromkeys(ids[one.document.path] for one in retrieved))
        gains.append(gain(order[:DOCUMENTS], question.relevant))
        if question.gold:
            hits = [_holds(one, question.gold, ids) for one in retrieved]
            for first, seen in passages.items():
                seen.append(any(hits[:first]))
    return {
        "questions": len(gains),
        f"ndcg_{DOCUMENTS}": math.fsum(gains) / len(gains) if gains else None,
        **{f"passage_{first}": _percent(seen) for first, seen in passages.items()},
    }


def gain(order: Sequence[str], relevant: frozenset[str]) -> float:
    """Normalised discounted cumulative gain of documents that are relevant or not.

    Järvelin and Kekäläinen, 2002, with a gain of 1 and the logarithm to base 2.
    """
    own = math.fsum(
        1 / math.log2(place + 2) for place, doc_id in enumerate(order) if doc_id in relevant
    )
    most = min(len(relevant), DOCUMENTS)
    return own / math.fsum(1 / math.log2(place + 2) for place in range(most))


def rows(results: Sequence[dict[str, Any]]) -> list[tuple[str, Any]]:
    """The figures of all sets as (name, value), for a table."""
    return [
        (f"{one['name']}, by {way}: {name}", f"{value:.3f}" if name.startswith("ndcg") else value)
        for one in results
        for way, got in one["ways"].items()
        for name, value in got.items()
    ]


def _holds(one: pincite.Retrieved, gold: Sequence[Gold], ids: dict[str, str]) -> bool:
    doc_id = ids[one.document.path]
    return any(
        place.doc_id == doc_id and place.start < one.position.end and place.end > one.position.start
        for place in gold
    )


def _percent(seen: Sequence[bool]) -> float | None:
    return 100 * sum(seen) / len(seen) if seen else None
