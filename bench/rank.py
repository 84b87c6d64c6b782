"""Measures the order in which candidate sentences of a question are put.

A list is one question with its candidate sentences, some of which answer. It comes from a file of
WikiQA's form, or is made of a set's documents: the sentences of the passages around the evidence.
"""

from __future__ import annotations

import csv
import math
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pincite
from bench.data import DataSet, Gold, read
from bench.measure import percentile
from pincite.encoder.encode import Encoder
from pincite.loaders import document_of_text
from pincite.records import BlockKind
from pincite.text.passages import split_passages
from pincite.text.tokens import terms

SEED = 20_260_101
DRAWS = 10
"""Orders drawn for equal scores; what is told is their mean."""
RESAMPLES = 2_000
_UNRANKED = frozenset({BlockKind.HEADING, BlockKind.MARKUP, BlockKind.TABLE_HEADER})

Ranker = Callable[["Candidates"], Sequence[float]]


@dataclass(frozen=True, slots=True)
class Candidates:
    """A question, the title of a document, its sentences, and which of them answer."""

    question: str
    title: str
    sentences: tuple[str, ...]
    right: frozenset[int]


def read_lists(directory: Path) -> list[Candidates]:
    """The lists in `directory` where some sentences answer and others do not.

    From its first `*.tsv`, of WikiQA's columns, or else from `corpus.jsonl` and `questions.jsonl`.
    """
    tables = sorted(directory.glob("*.tsv"))
    found = _from_table(tables[0]) if tables else _from_documents(read(directory))
    return [one for one in found if one.right and len(one.right) < len(one.sentences)]


def _from_table(path: Path) -> Iterator[Candidates]:
    grouped: dict[str, list[dict[str, str]]] = {}
    with path.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            grouped.setdefault(row["QuestionID"], []).append(row)
    for rows in grouped.values():
        yield Candidates(
            rows[0]["Question"],
            rows[0]["DocumentTitle"],
            tuple(row["Sentence"] for row in rows),
            frozenset(number for number, row in enumerate(rows) if row["Label"] == "1"),
        )


def _from_documents(data: DataSet) -> Iterator[Candidates]:
    texts = {document.doc_id: document for document in data.documents}
    passages = {}
    for question in data.questions:
        if not question.answerable or not question.gold:
            continue
        source = texts[question.gold[0].doc_id]
        if source.doc_id not in passages:
            document = document_of_text(source.text, name="a.txt")
            passages[source.doc_id] = split_passages(document)
        found = passages[source.doc_id]
        holding = [number for number, one in enumerate(found) if _meets(one.span, question.gold[0])]
        if not holding:
            continue
        near = found[max(0, holding[0] - 1) : holding[-1] + 2]
        spans = [
            sentence.quote
            for passage in near
            for sentence in passage.sentences
            if sentence.quote.end > sentence.quote.start and sentence.kind not in _UNRANKED
        ]
        gold = [place for place in question.gold if place.doc_id == source.doc_id]
        yield Candidates(
            question.text,
            source.title,
            tuple(source.text[span.start : span.end] for span in spans),
            frozenset(
                number
                for number, span in enumerate(spans)
                if any(_meets(span, place) for place in gold)
            ),
        )


def _meets(span: Any, place: Gold) -> bool:
    return bool(span.start < place.end and place.start < span.end)


def measure(name: str, lists: Sequence[Candidates]) -> dict[str, Any]:
    """The figures of every way of ranking over the same lists."""
    rankers = {"pincite": _pincite, **_simpler(lists)}
    figures = {}
    for system, rank in rankers.items():
        precisions, reciprocals, firsts, seconds = [], [], [], []
        for number, one in enumerate(lists):
            started = time.perf_counter()
            scores = rank(one)
            seconds.append(time.perf_counter() - started)
            drawn = [_order(scores, seed=f"{SEED} {number} {draw}") for draw in range(DRAWS)]
            precisions.append(_mean(average_precision(order, one.right) for order in drawn))
            reciprocals.append(_mean(_reciprocal(order, one.right) for order in drawn))
            firsts.append(_mean(float(order[0] in one.right) for order in drawn))
        figures[system] = {
            "map": _mean(precisions),
            "map_interval": _interval(precisions),
            "mrr": _mean(reciprocals),
            "precision_at_1": _mean(firsts),
            "milliseconds_p50": (percentile(seconds, 50) or 0.0) * 1000,
        }
    return {
        "name": name,
        "lists": len(lists),
        "sentences": sum(len(one.sentences) for one in lists),
        "systems": figures,
    }


def average_precision(order: Sequence[int], right: frozenset[int]) -> float:
    """The mean, over the right ones, of the share of right ones down to each."""
    places = [place for place, number in enumerate(order, start=1) if number in right]
    return _mean(count / place for count, place in enumerate(places, start=1))


def rows(results: Sequence[dict[str, Any]]) -> Iterator[Sequence[Any]]:
    """A row for each set and system."""
    for result in results:
        for system, got in result["systems"].items():
            low, high = got["map_interval"]
            yield (
                result["name"],
                result["lists"],
                result["sentences"],
                system,
                f"{got['map']:.3f} ({low:.3f}–{high:.3f})",
                f"{got['mrr']:.3f}",
                f"{got['precision_at_1']:.3f}",
                f"{got['milliseconds_p50']:.1f}",
            )


def _pincite(one: Candidates) -> Sequence[float]:
    return pincite.rank_sentences(one.question, one.sentences, title=one.title)


def _simpler(lists: Sequence[Candidates]) -> dict[str, Ranker]:
    """Shared stems, BM25, coverage and cosine; what is rare is counted over all the sentences."""
    bags = [frozenset(terms(text, "en")) for one in lists for text in one.sentences]
    holding = Counter(term for bag in bags for term in bag)
    length = _mean(len(terms(text, "en")) for one in lists for text in one.sentences)
    encoder = Encoder()

    def weight(term: str) -> float:
        return math.log1p((len(bags) - holding[term] + 0.5) / (holding[term] + 0.5))

    def stems(one: Candidates) -> list[float]:
        asked = _stems(one.question)
        return [float(len(asked & _stems(text))) for text in one.sentences]

    def bm25(one: Candidates) -> list[float]:
        asked = sorted(set(terms(one.question, "en")))
        scores = []
        for text in one.sentences:
            counts = Counter(terms(text, "en"))
            norm = 1.2 * (0.25 + 0.75 * counts.total() / length)
            shares = [weight(t) * counts[t] * 2.2 / (counts[t] + norm) for t in asked]
            scores.append(math.fsum(shares))
        return scores

    def coverage(one: Candidates) -> list[float]:
        asked = sorted(set(terms(one.question, "en")))
        return [
            math.fsum(weight(term) for term in asked if term in held)
            for held in (set(terms(text, "en")) for text in one.sentences)
        ]

    def cosine(one: Candidates) -> list[float]:
        vectors = encoder.encode([one.question, *one.sentences])
        return [round(float(value), 6) for value in vectors[1:] @ vectors[0]]

    return {"stems": stems, "bm25": bm25, "coverage": coverage, "MiniLM cosine": cosine}


def _stems(text: str) -> set[str]:
    words = "".join(c if c.isalnum() else " " for c in text.casefold()).split()
    return {word[:5] for word in words if len(word) > 3}


def _order(scores: Sequence[float], *, seed: str) -> list[int]:
    """The numbers of the sentences, best first, equal ones in an order drawn by `seed`."""
    order = list(range(len(scores)))
    random.Random(seed).shuffle(order)
    return sorted(order, key=lambda number: -scores[number])


def _reciprocal(order: Sequence[int], right: frozenset[int]) -> float:
    return 1.0 / next(place for place, number in enumerate(order, start=1) if number in right)


def _mean(values: Any) -> float:
    found = list(values)
    return math.fsum(found) / len(found)


def _interval(values: Sequence[float]) -> tuple[float, float]:
    draw = random.Random(SEED)
    means = [_mean(draw.choices(values, k=len(values))) for _ in range(RESAMPLES)]
    low, high = percentile(means, 2.5), percentile(means, 97.5)
    return low or 0.0, high or 0.0
