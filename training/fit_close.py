"""Fits how words and close reading are weighed, on questions that the reader never saw.

    python -m training.fit_close DIR [--most 300] [--cache FILE]

DIR holds the training sets. The questions are those about the documents that `training.pairs`
holds out, of sets that the reader was trained on, so that its numbers are what they are on new
documents. Writes src/pincite/answering/close_parameters.json.
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from pincite.answering.close_reading import (
    CONFIDENCE_NAMES,
    chosen_to_read,
    close_confidence_values,
    pair_text,
    titles_of,
)
from pincite.answering.composition import is_quotable
from pincite.answering.scorer import LinearScorer
from pincite.encoder.read import CloseReader
from pincite.engine import DEFAULT, understand
from pincite.protocols import Candidate
from pincite.retrieval.bm25 import retrieve
from training.examples import FINE, SCOPED, QuestionSet, load_set, read_lines
from training.held_out import is_held_out

TARGET = Path(__file__).parents[1] / "src/pincite/answering/close_parameters.json"
SETS = (
    "squad2_dev_rest squad_train_part squadshifts_wiki nq_gold selqa ms_faq quoref_contrast "
    "conditionalqa_part fairytaleqa tatqa_dev cuad_rest contractnli_train squad_train_paras2 bioasq"
).split()
KIND_WEIGHTS = {"own": 1.0, "near_miss": 0.8, "removed": 0.6, "off_topic": 0.3}
WRONG_SENTENCE = 0.7
OFF_TOPIC = 40


@dataclass(frozen=True)
class Read:
    """One question as both judges saw it."""

    set_name: str
    kind: str
    words: NDArray[np.float64]
    """The score of every candidate by its words."""
    confidence: float
    readings: dict[int, float]
    right: NDArray[np.bool_]


def read_question(
    question_set: QuestionSet, record: dict[str, Any], kind: str, reader: CloseReader
) -> Read | None:
    """The question read; None when nothing is found, or its evidence marks no sentence."""
    corpus = question_set.corpus
    scope = record.get("scope_doc_id")
    if question_set.name in SCOPED and kind != "off_topic":
        scope = record["doc_id"]
    query = understand(record["question"], corpus, ())
    found = retrieve(
        query.terms,
        query.weights,
        corpus,
        limit=DEFAULT.passages_read * (4 if kind == "removed" else 1),
        document=question_set.paths[scope] if scope else None,
    )
    if kind == "removed":
        gone = {question_set.paths[e["doc_id"]] for e in record["evidence"]}
        found = [one for one in found if one.passage.path not in gone][: DEFAULT.passages_read]
    candidates = [
        Candidate(scored.passage, rank, scored.score, index)
        for rank, scored in enumerate(found)
        for index, sentence in enumerate(scored.passage.sentences)
        if is_quotable(sentence)
    ]
    if not candidates:
        return None
    spans = []
    if kind == "own":
        spans = [
            (question_set.paths[e["doc_id"]], e["start"], e["end"])
            for e in record["evidence"]
            if e.get("kind", "").split(" (")[0] in FINE or len(record["evidence"]) == 1
        ]
        if not spans:
            return None
    by_words = LinearScorer().score(query, candidates, corpus)
    chosen = chosen_to_read(by_words)
    if not chosen:
        return None
    titles = titles_of(candidates, corpus)
    readings = reader.read(record["question"], [pair_text(candidates[i], titles) for i in chosen])
    right = np.array(
        [
            any(
                path == c.passage.path
                and start < c.passage.sentences[c.sentence_index].quote.end
                and end > c.passage.sentences[c.sentence_index].quote.start
                for path, start, end in spans
            )
            for c in candidates
        ]
    )
    return Read(
        question_set.name,
        kind,
        np.array([one.score for one in by_words]),
        max(one.confidence for one in by_words),
        dict(zip(chosen, readings, strict=True)),
        right,
    )


def held_out(question_set: QuestionSet, records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The questions about documents that the reader was not trained on."""
    titles = {
        path: question_set.corpus.source(path)[0].title  # type: ignore[index]
        for path in question_set.paths.values()
    }
    kept = []
    for record in records:
        if question_set.name == "tatqa_dev":
            name = record["question"]
        elif record.get("doc_id") in question_set.paths:
            name = titles[question_set.paths[record["doc_id"]]]
        else:
            continue
        name = name.rstrip("0123456789").rstrip()
        if is_held_out(question_set.name, name):
            kept.append(record)
    return kept


def reads(folder: Path, most: int, off_topic: Sequence[str], reader: CloseReader) -> list[Read]:
    """The held-out questions of one set, read; some with their document taken away."""
    question_set = load_set(folder)
    chance = random.Random(folder.name)
    kept = held_out(question_set, question_set.questions)
    own = [q for q in kept if q["answerable"] and q.get("evidence")]
    other = [q for q in kept if not q["answerable"]]
    asked = [(q, "own") for q in chance.sample(own, min(most, len(own)))]
    asked += [(q, "near_miss") for q in chance.sample(other, min(most, len(other)))]
    if folder.name not in SCOPED:
        asked += [(q, "removed") for q in chance.sample(own, min(most // 3, len(own)))]
        asked += [({"question": q}, "off_topic") for q in off_topic]
    found = (read_question(question_set, record, kind, reader) for record, kind in asked)
    return [one for one in found if one is not None]


def fit_ranking(found: Sequence[Read]) -> tuple[float, float]:
    """Weights of words and reading: softmax over the sentences read, every set weighing alike."""
    own = [one for one in found if one.kind == "own" and _can_be_right(one)]
    sizes = {name: sum(one.set_name == name for one in own) for name in SETS}

    def loss(weights: NDArray[np.float64]) -> float:
        total = 0.0
        for one in own:
            numbers = sorted(one.readings)
            logits = weights[0] * one.words[numbers] + weights[1] * np.array(
                [one.readings[i] for i in numbers]
            )
            logits -= logits.max()
            shares = np.exp(logits) / np.exp(logits).sum()
            total -= np.log(max(1e-9, shares[one.right[numbers]].sum())) / sizes[one.set_name]
        return total / len([size for size in sizes.values() if size])

    fitted = minimize(loss, np.array([0.5, 0.5]), method="Nelder-Mead")
    return float(fitted.x[0]), float(fitted.x[1])


def _can_be_right(one: Read) -> bool:
    return bool(one.right[sorted(one.readings)].any())


def winner(one: Read, words: float, reading: float) -> tuple[int, list[float]]:
    """The sentence chosen, and all scores, as `close_reading.combined` gives them."""
    floor = min(one.readings.values()) - 2.0
    scores = [
        words * score + reading * one.readings.get(i, floor) for i, score in enumerate(one.words)
    ]
    return int(np.argmax(scores)), scores


def fit_confidence(
    found: Sequence[Read], words: float, reading: float
) -> tuple[NDArray[np.float64], float]:
    """Logistic regression of the winner being right."""
    rows, marks, weights = [], [], []
    for one in found:
        chosen, scores = winner(one, words, reading)
        rows.append(close_confidence_values(one.confidence, one.readings, chosen, scores))
        right = one.kind == "own" and bool(one.right[chosen])
        marks.append(float(right))
        weights.append(
            WRONG_SENTENCE if one.kind == "own" and not right else KIND_WEIGHTS[one.kind]
        )
    x, y, w = np.array(rows), np.array(marks), np.array(weights)
    sets = np.array([one.set_name for one in found])
    for name in SETS:
        if (sets == name).any():
            w[sets == name] /= (sets == name).sum() ** 0.5

    def loss(parameters: NDArray[np.float64]) -> float:
        logits = x @ parameters[:-1] + parameters[-1]
        fit = np.logaddexp(0, logits) - y * logits
        return float((w * fit).sum() / w.sum() + 1e-3 * (parameters[:-1] ** 2).sum())

    fitted = minimize(loss, np.zeros(x.shape[1] + 1), method="L-BFGS-B")
    return fitted.x[:-1], float(fitted.x[-1])


def main() -> None:
    """Read, fit, write, and print what each set gives."""
    parser = argparse.ArgumentParser(prog="python -m training.fit_close")
    parser.add_argument("directory", type=Path)
    parser.add_argument("--most", type=int, default=250)
    parser.add_argument("--cache", type=Path)
    options = parser.parse_args()
    if options.cache and options.cache.exists():
        found = pickle.loads(options.cache.read_bytes())
    else:
        reader = CloseReader()
        chance = random.Random(5)
        pool = [
            q["question"] for q in read_lines(options.directory / "squad_train_paras", "questions")
        ]
        found = []
        for name in SETS:
            chosen = chance.sample(pool, OFF_TOPIC)
            found += reads(options.directory / name, options.most, chosen, reader)
            print(name, len(found), flush=True)
        if options.cache:
            options.cache.write_bytes(pickle.dumps(found))
    words, reading = fit_ranking(found)
    weights, intercept = fit_confidence(found, words, reading)
    record = {
        "words": round(words, 4),
        "reading": round(reading, 4),
        "confidence": {
            n: round(float(w), 4) for n, w in zip(CONFIDENCE_NAMES, weights, strict=True)
        },
        "intercept": round(intercept, 4),
    }
    TARGET.write_text(json.dumps(record, indent=2) + "\n")
    print(json.dumps(record))
    for name in SETS:
        own = [one for one in found if one.set_name == name and one.kind == "own"]
        if own:
            both = np.mean([one.right[winner(one, words, reading)[0]] for one in own])
            alone = np.mean([one.right[int(np.argmax(one.words))] for one in own])
            read = np.mean([one.right[winner(one, 0.0, 1.0)[0]] for one in own])
            print(f"{name}: words {alone:.3f} reading {read:.3f} both {both:.3f} of {len(own)}")


if __name__ == "__main__":
    main()
