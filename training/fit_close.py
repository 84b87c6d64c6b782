"""Fits how the features of a sentence and its close reading are weighed.

    python -m training.fit_close DIR [--most 250] [--cache FILE]

DIR holds the training sets. The questions are those about the documents that `training.pairs`
holds out, of sets that the reader was trained on, so that its numbers are what they are on new
documents. Writes src/pincite/answering/close_parameters.json, and prints how each set fares when
the rest are fitted on.
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

from pincite.answering.candidates import may_answer
from pincite.answering.close_reading import (
    CLOSE_CONFIDENCE_NAMES,
    RANKING_NAMES,
    UNREAD,
    chosen_to_read,
    pair_text,
    reading_features,
    titles_of,
)
from pincite.answering.scorer import (
    LinearScorer,
    confidence_features,
    feature_rows,
    shipped_parameters,
)
from pincite.encoder.read import CloseReader
from pincite.engine import DEFAULT, understand
from pincite.retrieval.bm25 import retrieve
from training.examples import FINE, SCOPED, QuestionSet, load_set, read_lines
from training.fit_scorer import CODE_MISSING, bounds
from training.held_out import is_held_out

TARGET = Path(__file__).parents[1] / "src/pincite/answering/close_parameters.json"
SETS = (
    "squad2_dev_rest squad_train_part squadshifts_wiki nq_gold selqa ms_faq quoref_contrast "
    "conditionalqa_part fairytaleqa tatqa_dev cuad_rest contractnli_train squad_train_paras2 bioasq"
).split()
KIND_WEIGHTS = {"own": 1.0, "near_miss": 0.8, "removed": 0.6, "off_topic": 0.3}
OFF_TOPIC = 40


@dataclass(frozen=True)
class Read:
    """One question as both judges saw it."""

    set_name: str
    kind: str
    rows: NDArray[np.float32]
    """Features of every candidate."""
    readings: dict[int, float]
    right: NDArray[np.bool_]
    language: str
    passage_count: int

    def with_reading(self) -> NDArray[np.float64]:
        """The features of every candidate in the order of `RANKING_NAMES`."""
        unread = min(self.readings.values()) + UNREAD
        reading = [self.readings.get(i, unread) for i in range(len(self.rows))]
        return np.column_stack([self.rows.astype(np.float64), reading])


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
    candidates = may_answer(query, found)
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
    rows = feature_rows(query, candidates, corpus)
    chosen = chosen_to_read(candidates, LinearScorer().ranking(rows))
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
        np.array(rows, np.float32),
        dict(zip(chosen, readings, strict=True)),
        right,
        candidates[0].passage.language,
        corpus.statistics().passage_count,
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


RIDGE = 3e-3
"""Pull of each weight to where it starts from: that of the words alone, halved."""


def fit_ranking(found: Sequence[Read]) -> NDArray[np.float64]:
    """Weights of `RANKING_NAMES`: softmax over the sentences read, every set weighing alike."""
    own = [one for one in found if one.kind == "own" and _can_be_right(one)]
    sizes = {name: sum(one.set_name == name for one in own) for name in SETS}
    held = []
    for one in own:
        read = sorted(one.readings)
        held.append((one.with_reading()[read], one.right[read], 1.0 / sizes[one.set_name]))
    sets = len([size for size in sizes.values() if size])
    start = np.array([0.5 * weight for weight in shipped_parameters().ranking] + [0.7])

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        total, slope = 0.0, np.zeros_like(weights)
        for rows, right, share in held:
            logits = rows @ weights
            shares = np.exp(logits - logits.max())
            shares /= shares.sum()
            good = shares[right].sum()
            total -= share * np.log(max(1e-9, good))
            wanted = np.where(right, shares / max(1e-9, good), 0.0)
            slope += share * (rows.T @ (shares - wanted))
        pull = weights - start
        return (
            total / sets + RIDGE * float(pull @ pull),
            slope / sets + 2 * RIDGE * pull,
        )

    within = bounds(RANKING_NAMES)
    fitted = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=within)
    return np.asarray(fitted.x, np.float64)


def _can_be_right(one: Read) -> bool:
    return bool(one.right[sorted(one.readings)].any())


def winner(one: Read, weights: NDArray[np.float64]) -> tuple[int, list[float]]:
    """The sentence chosen, and all scores."""
    scores = (one.with_reading() @ weights).tolist()
    return int(np.argmax(scores)), scores


def fit_confidence(
    found: Sequence[Read], weights: NDArray[np.float64]
) -> tuple[NDArray[np.float64], float]:
    """Logistic regression of the winner being right, of questions that it is not wrong about.

    Where the documents do answer and another sentence was chosen, there is nothing to learn about
    refusing: with those, confidence hung on the lead, which tells how sure the choice is and says
    nothing of whether there is an answer.
    """
    rows, marks, importance, names = [], [], [], []
    for one in found:
        values, right = confidence_row(one, weights)
        if one.kind == "own" and not right:
            continue
        rows.append(values)
        marks.append(float(right))
        importance.append(KIND_WEIGHTS[one.kind])
        names.append(one.set_name)
    x, y, w = np.array(rows), np.array(marks), np.array(importance)
    sets = np.array(names)
    for name in SETS:
        if (sets == name).any():
            w[sets == name] /= (sets == name).sum() ** 0.5

    def loss(parameters: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        logits = x @ parameters[:-1] + parameters[-1]
        fit = np.logaddexp(0, logits) - y * logits
        off = w * (1 / (1 + np.exp(-logits)) - y) / w.sum()
        slope = np.append(x.T @ off + 2e-3 * parameters[:-1], off.sum())
        return float((w * fit).sum() / w.sum() + 1e-3 * (parameters[:-1] ** 2).sum()), slope

    within = [*bounds(CLOSE_CONFIDENCE_NAMES), (None, None)]
    fitted = minimize(loss, np.zeros(x.shape[1] + 1), jac=True, method="L-BFGS-B", bounds=within)
    confidence = np.asarray(fitted.x[:-1], np.float64)
    confidence[CLOSE_CONFIDENCE_NAMES.index("code_missing")] = CODE_MISSING
    return confidence, float(fitted.x[-1])


def confidence_row(one: Read, weights: NDArray[np.float64]) -> tuple[list[float], bool]:
    """The values of `CLOSE_CONFIDENCE_NAMES` for the winner, and whether it is right."""
    chosen, scores = winner(one, weights)
    rows = one.rows.astype(np.float64).tolist()
    values = confidence_features(rows, chosen, one.language, one.passage_count)
    values += reading_features(one.readings, chosen, scores)
    return values, one.kind == "own" and bool(one.right[chosen])


def report(found: Sequence[Read]) -> None:
    """Print the share of right sentences and the AUROC of each set, fitted on the others."""
    words = np.array([*shipped_parameters().ranking, 0.0])
    reading = np.array([0.0] * (len(RANKING_NAMES) - 1) + [1.0])
    for name in SETS:
        rest = [one for one in found if one.set_name != name]
        here = [one for one in found if one.set_name == name]
        own = [one for one in here if one.kind == "own"]
        if not own:
            continue
        weights = fit_ranking(rest)
        confidence, _ = fit_confidence(rest, weights)
        shares = [
            np.mean([one.right[winner(one, w)[0]] for one in own])
            for w in (words, reading, weights)
        ]
        sure = {kind: [] for kind in KIND_WEIGHTS}
        for one in here:
            sure[one.kind].append(float(np.dot(confidence, confidence_row(one, weights)[0])))
        apart = " ".join(
            f"{kind} {_auroc(sure['own'], sure[kind]):.3f}" for kind in sure if kind != "own"
        )
        print(
            f"{name}: words {shares[0]:.3f} reading {shares[1]:.3f} both {shares[2]:.3f} "
            f"of {len(own)}; AUROC against {apart}",
            flush=True,
        )


def _auroc(higher: Sequence[float], lower: Sequence[float]) -> float:
    if not higher or not lower:
        return float("nan")
    pairs = np.subtract.outer(np.array(higher), np.array(lower))
    return float((pairs > 0).mean() + 0.5 * (pairs == 0).mean())


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
    weights = fit_ranking(found)
    confidence, intercept = fit_confidence(found, weights)
    record = {
        "ranking": {n: round(float(w), 4) for n, w in zip(RANKING_NAMES, weights, strict=True)},
        "confidence": {
            n: round(float(w), 4) for n, w in zip(CLOSE_CONFIDENCE_NAMES, confidence, strict=True)
        },
        "intercept": round(intercept, 4),
    }
    TARGET.write_text(json.dumps(record, indent=1) + "\n")
    print(json.dumps(record))
    report(found)


if __name__ == "__main__":
    main()
