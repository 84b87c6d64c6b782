"""Fits the parameters of `pincite.answering.scorer` on question sets.

    python -m training.fit_scorer DIR [--most 800]

DIR holds the training sets. Ranking: one linear model, softmax over the candidate sentences of
each question (all passages retrieved from the set's whole corpus, so negatives come from the
corpus and not only from the right paragraph), every set weighing the same. Confidence: logistic
regression on the winner's features against right / not right, with near-miss and off-topic
questions among the negatives. Writes src/pincite/answering/parameters.json.
"""

from __future__ import annotations

import argparse
import json
import pickle
import random
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from pincite.answering.features import FEATURE_NAMES
from pincite.answering.scorer import CONFIDENCE_FEATURE_NAMES, confidence_features
from training.examples import Example, examples, read_lines

TARGET = Path(__file__).parents[1] / "src/pincite/answering/parameters.json"
SETS = (
    "squad2_dev_rest squad_train_part squadshifts_wiki nq_gold selqa conditionalqa_part ms_faq "
    "quoref_contrast bioasq cuad_rest contractnli_train tatqa_dev fairytaleqa cmrc2018_trial "
    "jaquad_train squad_es idk_mrc norquad_rest"
).split()
OFF_TOPIC_FROM = ("nq_gold", "selqa", "ms_faq", "bioasq", "squad_train_paras")
WRONG_SENTENCE = 0.5
KIND_WEIGHTS = {"own": 1.0, "near_miss": 0.6, "off_topic": 0.3, "removed": 0.6}
"""What the kinds of questions of a set weigh in fitting the confidence."""
EVEN_AT = 0.1
ALIKE = (
    ("squad_train_part", "squadshifts_wiki", "squad2_dev_rest"),
    ("squad_es", "norquad_rest"),
    ("jaquad_train", "cmrc2018_trial"),
)
"""The share of answerable questions by which languages are made alike, and the sets of one kind
(questions written for encyclopaedia articles) in English, in other languages with spaces between
words, and in languages without."""
HELPS = frozenset(
    "covered covered_exactly covered_by_neighbours covered_by_headings covered_by_passage "
    "row_precision "
    "sentence_bm25 pairs tightness passage_relative passage_rank passage_match type_found "
    "name_found reason_found method_found names_in_sentence all_covered defines "
    "leans_on_covered bm25_relative covered_relative follows_matching_question best_evidence "
    "best_passage_match".split()
)
HURTS = frozenset(
    "missing rarest_missing rarest_not_in_sentence very_short heading asks label leads_in "
    "asked_not corpus_size type_missing name_missing number_mismatch name_mismatch "
    "code_missing".split()
)
"""Features whose weight may not have the other sign, which a fit to few sets can give it."""


CODE_MISSING = -3.0
"""Set by hand: no set asks for codes, and what is said of KLR-118 does not answer for KLR-117."""
STRUCTURE = frozenset({"code", "list_item", "table_row"})
MOST_OF_STRUCTURE = 0.3
"""Tables and lists stand in one or two of the sets, where they answer more than elsewhere."""


def bounds(names: Sequence[str]) -> list[tuple[float | None, float | None]]:
    """The range of each feature's weight."""
    return [
        (
            0.0 if name in HELPS else None,
            0.0 if name in HURTS else MOST_OF_STRUCTURE if name in STRUCTURE else None,
        )
        for name in names
    ]


def collect(data: Path, most: int, cache: Path) -> list[Example]:
    """Examples of every set; each set is kept in `cache` between runs."""
    cache.mkdir(parents=True, exist_ok=True)
    pool = {
        name: [q["question"] for q in read_lines(data / name, "questions")]
        for name in OFF_TOPIC_FROM
    }
    jobs = []
    for name in SETS:
        chance = random.Random(name)
        others = sorted(q for source, found in pool.items() if source != name for q in found)
        jobs.append((data / name, chance.sample(others, 100), cache / f"{name}-{most}.pickle"))
    with ProcessPoolExecutor(2) as workers:
        every = workers.map(partial(_collect_one, most=most), jobs)
        return [one for some in every for one in some]


def _collect_one(job: tuple[Path, list[str], Path], *, most: int) -> list[Example]:
    folder, off_topic, kept = job
    if kept.exists():
        found: list[Example] = pickle.loads(kept.read_bytes())
    else:
        found = examples(folder, most=most, off_topic=off_topic)
        kept.write_bytes(pickle.dumps(found))
    reached = np.mean([one.right.any() for one in found if one.answerable])
    print(
        f"{folder.name:20} {len(found):5} questions, answer retrieved for {reached:.3f}", flush=True
    )
    return found


def fit_ranking(found: list[Example], strength: float = 2e-4) -> NDArray[np.float64]:
    """Weights that put right sentences first: softmax cross-entropy with L2, features scaled."""
    lists = [e for e in found if e.answerable and e.right.any() and not e.right.all()]
    per_set = Counter(e.set_name for e in lists)
    weight = np.array([1.0 / per_set[e.set_name] for e in lists])
    weight /= weight.sum()
    rows = np.concatenate([e.rows for e in lists]).astype(np.float64)
    right = np.concatenate([e.right for e in lists])
    starts = np.cumsum([0, *[len(e.rows) for e in lists]])[:-1]
    owner = np.repeat(np.arange(len(lists)), [len(e.rows) for e in lists])
    scale = rows.std(axis=0)
    scale[scale == 0] = 1.0
    scaled = rows / scale

    def loss(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        s = scaled @ w
        s -= np.maximum.reduceat(s, starts)[owner]
        e = np.exp(s)
        z = np.add.reduceat(e, starts)
        zr = np.add.reduceat(e * right, starts)
        p, pr = e / z[owner], e * right / zr[owner]
        value = float((weight * (np.log(z) - np.log(zr))).sum() + strength * (w @ w))
        gradient = scaled.T @ ((p - pr) * weight[owner]) + 2 * strength * w
        return value, gradient

    best = minimize(
        loss,
        np.zeros(rows.shape[1]),
        jac=True,
        method="L-BFGS-B",
        bounds=[
            (low, None if high is None else high * width)
            for (low, high), width in zip(bounds(FEATURE_NAMES), scale, strict=True)
        ],
        options={"maxiter": 500},
    )
    print("ranking loss", round(best.fun, 4))
    weights: NDArray[np.float64] = best.x / scale
    return weights


def winners(
    found: list[Example], ranking: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """For each example the features of the confidence, and whether the winner is right."""
    rows, right = [], []
    for e in found:
        best = int(np.argmax(e.rows.astype(np.float64) @ ranking))
        rows.append(confidence_features(e.rows.tolist(), best, e.languages[best], e.passage_count))
        right.append(bool(e.right[best]))
    return np.array(rows), np.array(right)


def fit_confidence(
    found: list[Example],
    rows: NDArray[np.float64],
    right: NDArray[np.bool_],
    strength: float = 2e-4,
) -> tuple[NDArray[np.float64], float]:
    """Logistic regression: 1 where the winner is right, 0 where nothing is to be found.

    An answerable question whose winner is wrong counts half: the documents do say, elsewhere.
    """
    counts = Counter((e.set_name, e.kind) for e in found)
    weight = np.array([KIND_WEIGHTS[e.kind] / max(60, counts[e.set_name, e.kind]) for e in found])
    weight /= weight.sum()
    answerable = np.array([e.answerable for e in found])
    target = np.where(right, 1.0, np.where(answerable, WRONG_SENTENCE, 0.0))
    scale = rows.std(axis=0)
    scale[scale == 0] = 1.0
    scaled = np.hstack([rows / scale, np.ones((len(rows), 1))])

    def loss(w: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        s = scaled @ w
        value = (weight * (np.logaddexp(0, s) - target * s)).sum() + strength * (w[:-1] @ w[:-1])
        gradient = scaled.T @ (weight * (1 / (1 + np.exp(-s)) - target))
        gradient[:-1] += 2 * strength * w[:-1]
        return float(value), gradient

    best = minimize(
        loss,
        np.zeros(scaled.shape[1]),
        jac=True,
        method="L-BFGS-B",
        bounds=[*bounds(CONFIDENCE_FEATURE_NAMES), (None, None)],
        options={"maxiter": 500},
    )
    print("confidence loss", round(best.fun, 4))
    weights = best.x[:-1] / scale
    weights[list(CONFIDENCE_FEATURE_NAMES).index("code_missing")] = CODE_MISSING
    _even_out(weights, rows, found)
    return weights, float(best.x[-1])


def _even_out(
    weights: NDArray[np.float64], rows: NDArray[np.float64], found: list[Example]
) -> None:
    """Set the weights of the two language features so that all languages refuse alike.

    Words are met less often where no background tells rare from common, and pairs of characters
    less often than words. Left to the fit, these weights would say how many unanswerable
    questions the sets of a language happen to hold.
    """
    names = list(CONFIDENCE_FEATURE_NAMES)
    no_background, unspaced = names.index("no_background"), names.index("unspaced")
    weights[[no_background, unspaced]] = 0.0
    evidence = rows @ weights

    def reached(sets: Sequence[str]) -> float:
        """The evidence that all but `EVEN_AT` of the answerable questions reach."""
        levels = [
            np.quantile(evidence[[e.answerable and e.set_name == name for e in found]], EVEN_AT)
            for name in sets
        ]
        return float(np.mean(levels))

    english, spaced, others = (reached(sets) for sets in ALIKE)
    weights[no_background] = english - spaced
    weights[unspaced] = spaced - others


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("data", type=Path)
    arguments.add_argument("--most", type=int, default=800)
    arguments.add_argument("--cache", type=Path, required=True)
    options = arguments.parse_args()
    found = collect(options.data, options.most, options.cache)
    ranking = fit_ranking(found).round(5)
    rows, right = winners(found, ranking)
    confidence, intercept = fit_confidence(found, rows, right)
    for name in SETS:
        mine = np.array([e.set_name == name and e.answerable for e in found])
        if mine.any():
            print(f"{name:20} right {right[mine].mean():.3f}")
    TARGET.write_text(
        json.dumps(
            {
                "ranking": dict(zip(FEATURE_NAMES, ranking.tolist(), strict=True)),
                "confidence": dict(
                    zip(
                        CONFIDENCE_FEATURE_NAMES,
                        confidence.round(5).tolist(),
                        strict=True,
                    )
                ),
                "intercept": round(intercept, 5),
            },
            indent=1,
        )
        + "\n"
    )


if __name__ == "__main__":
    main()
