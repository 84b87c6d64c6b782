"""Fits what a confidence means, and the threshold of each risk that comes with the package.

    python -m training.fit_risk SET... --cache DIR [--most 400] [--scorer close|words]

A SET is a folder with corpus.jsonl and questions.jsonl (see bench/README.md), or one with
documents/ and questions.jsonl as `pincite eval` reads them. Up to `--most` questions of each are
taken, at even distances, and asked of an index of the set; the best sentence is judged as
`pincite eval` judges it. DIR keeps the indexes and what was judged, so that the rest can be tried
again; what another version of the parameters gave is not used.

- Confidence: the map that `pincite calibrate` would learn from all of them, worked into the weights
  of src/pincite/answering/close_parameters.json or parameters.json. Once it is, a second run finds
  next to nothing to do. The scorer's `threshold` and `name` are to be changed by hand.
- Risks: the levels that `pincite calibrate` would find where one question in five is not answered
  by the documents (`UNANSWERABLE`), written to src/pincite/answering/risk.json, in which the other
  scorer's stay. A level that answers next to nothing is null, and `ask --risk` says so.

Printed are the calibration error on one half when the other is learnt from, and what each level
does to each set.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from bench.data import read

from bench import folder as folders
from pincite import Answer, Index, Turn
from pincite.answering.calibration import mapped
from pincite.answering.close_reading import CloseScorer
from pincite.answering.scorer import LinearScorer
from pincite.evaluation.fitting import ASSURANCE, RISKS, Judged, fit_map, risk_level
from pincite.evaluation.statistics import calibration_error, reliability

ANSWERING = Path(__file__).parents[1] / "src/pincite/answering"
TARGET = ANSWERING / "risk.json"
UNANSWERABLE = 0.2
"""The share of questions without an answer that risks are stated for: the sets at hand have far
more of them than people ask, or none."""
LEAST_ANSWERED = 0.01
HALVES = 20


@dataclass(frozen=True, slots=True)
class Asked:
    """A question and what became of it."""

    text: str
    answerable: bool
    document: str | None
    history: tuple[tuple[str, str], ...]
    evidence: tuple[tuple[str, int, int], ...]
    confidence: float = 0.0
    is_right: bool = False

    @property
    def judged(self) -> Judged:
        return Judged(self.confidence, self.is_right)


def questions_of(source: Path, documents: Path) -> list[Asked]:
    """The questions of a set, whose documents are written to `documents` if it keeps them apart."""
    if (source / "documents").is_dir():
        lines = (source / "questions.jsonl").read_text("utf-8").splitlines()
        return [
            Asked(
                row["question"],
                row["answerable"],
                row.get("document"),
                (),
                tuple((e["document"], e["start"], e["end"]) for e in row.get("evidence") or ()),
            )
            for row in map(json.loads, lines)
        ]
    data = read(source)
    paths = folders.file_names(data.documents)
    if not documents.exists():
        documents.mkdir(parents=True)
        folders.write(data.documents, documents, paths)
    return [
        Asked(
            question.text,
            question.answerable,
            paths[question.scope] if question.scope else None,
            question.history,
            tuple((paths[gold.doc_id], gold.start, gold.end) for gold in question.gold),
        )
        for question in data.questions
    ]


def judged(source: Path, cache: Path, *, lexical: bool, most: int, version: str) -> list[Asked]:
    """The best sentence of each question, judged; from the cache where that has it."""
    kept = cache / f"{source.name}-{version}-{most}.json"
    if kept.exists():
        return [Asked(*row) for row in json.loads(kept.read_text("utf-8"))]
    documents = source / "documents"
    if not documents.is_dir():
        documents = cache / source.name / "documents"
    chosen = spread(questions_of(source, documents), most)
    found = []
    store = cache / source.name / "store"
    with Index.open_or_build(documents, store=store, lexical=lexical) as index:
        index.encode()
        for one in chosen:
            best = index.ask(
                one.text,
                document=one.document,
                history=[Turn(*turn) for turn in one.history],
                threshold=0.0,
                calibrated=False,
            )
            is_right = one.answerable and any(
                path == citation.document.path
                and start < citation.position.end
                and citation.position.start < end
                for path, start, end in one.evidence
                for citation in (best.citations if isinstance(best, Answer) else ())
            )
            confidence = best.confidence if isinstance(best, Answer) else 0.0
            found.append(replace(one, confidence=confidence, is_right=is_right))
    rows = [[getattr(one, name) for name in Asked.__slots__] for one in found]
    kept.write_text(json.dumps(rows), "utf-8")
    return found


def spread(questions: Sequence[Asked], count: int) -> list[Asked]:
    """`count` of them at even distances, or all."""
    if len(questions) <= count:
        return list(questions)
    return [questions[i * len(questions) // count] for i in range(count)]


def told(one: Judged, slope: float, intercept: float) -> Judged:
    """The same with the confidence that the map makes of it; where there was no sentence, 0."""
    return Judged(mapped(one.confidence, slope, intercept) if one.confidence else 0.0, one.is_right)


def mixed(sets: Mapping[str, Sequence[Asked]]) -> list[Asked]:
    """All that are answerable, and so many that are not, from all sets that have some alike."""
    found = [one for asked in sets.values() for one in asked if one.answerable]
    left = round(len(found) * UNANSWERABLE / (1.0 - UNANSWERABLE))
    others = [[one for one in asked if not one.answerable] for asked in sets.values()]
    others = sorted(filter(None, others), key=len)
    for number, of_set in enumerate(others):
        taken = spread(of_set, left // (len(others) - number))
        left -= len(taken)
        found += taken
    return found


def error(found: Sequence[Judged]) -> float:
    """The calibration error of those with a sentence."""
    given = [one for one in found if one.confidence]
    bins = reliability([one.confidence for one in given], [one.is_right for one in given])
    return calibration_error(bins) or 0.0


def print_errors(sets: Mapping[str, Sequence[Asked]]) -> None:
    """The error on one half, as it is and with a map learnt from the other half."""
    errors: dict[str, list[tuple[float, float]]] = {}
    for draw in range(HALVES):
        chance = random.Random(draw)
        halves = {name: chance.sample(asked, len(asked)) for name, asked in sets.items()}
        learnt = [o.judged for asked in halves.values() for o in asked[: len(asked) // 2]]
        slope, intercept = fit_map(learnt)
        rest = {n: [o.judged for o in asked[len(asked) // 2 :]] for n, asked in halves.items()}
        rest["all"] = [one for found in rest.values() for one in found]
        for name, found in rest.items():
            better = [told(one, slope, intercept) for one in found]
            errors.setdefault(name, []).append((error(found), error(better)))
    for name, pairs in errors.items():
        before, after = (fmean(values) for values in zip(*pairs, strict=True))
        print(f"calibration error of the other half, {name}: {before:.3f}, mapped {after:.3f}")


def work_in(path: Path, slope: float, intercept: float) -> None:
    """Make the map part of the weights of the confidence."""
    record = json.loads(path.read_text("utf-8"))
    weights = record["confidence"]
    record["confidence"] = {name: round(slope * weight, 5) for name, weight in weights.items()}
    record["intercept"] = round(slope * record["intercept"] + intercept, 5)
    path.write_text(json.dumps(record, indent=1) + "\n", "utf-8")


def main() -> None:
    """Ask, fit, write, and print what it does."""
    parser = argparse.ArgumentParser(prog="python -m training.fit_risk")
    parser.add_argument("sets", type=Path, nargs="+", metavar="SET")
    parser.add_argument("--most", type=int, default=400)
    parser.add_argument("--scorer", choices=("close", "words"), default="close")
    parser.add_argument("--cache", type=Path, required=True)
    options = parser.parse_args()
    scorer: type[Any] = CloseScorer if options.scorer == "close" else LinearScorer
    weights = "close_parameters" if options.scorer == "close" else "parameters"
    path = ANSWERING / f"{weights}.json"
    version = f"{options.scorer}-{hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"
    sets = {
        source.name: judged(
            source,
            options.cache,
            lexical=options.scorer == "words",
            most=options.most,
            version=version,
        )
        for source in options.sets
    }
    print_errors(sets)
    slope, intercept = fit_map([one.judged for asked in sets.values() for one in asked])
    least = mapped(scorer.threshold, slope, intercept)
    print(f"map {slope} {intercept}: a threshold of {scorer.threshold} becomes {least}")
    work_in(path, slope, intercept)
    stated = [told(one.judged, slope, intercept) for one in mixed(sets)]
    levels: dict[str, dict[str, Any] | None] = {}
    for risk in RISKS:
        level = risk_level(stated, risk, least=least)
        answers = level.answered >= LEAST_ANSWERED * len(stated)
        levels[f"{risk:.2f}"] = (
            {
                "threshold": level.threshold,
                "answered": level.answered,
                "wrong": level.wrong,
                "holds": level.holds,
            }
            if answers
            else None
        )
        print(level)
        for name, asked in sets.items():
            given = [
                one
                for one in asked
                if told(one.judged, slope, intercept).confidence >= level.threshold
            ]
            wrong = [one for one in given if not one.is_right]
            print(
                f"  {name}: {len(given)} of {len(asked)} answered, {len(wrong)} wrong; of the "
                f"{sum(one.answerable for one in asked)} answerable "
                f"{sum(one.answerable for one in given)}, {sum(one.answerable for one in wrong)}"
            )
    known = json.loads(TARGET.read_text("utf-8")) if TARGET.exists() else {}
    known[scorer.name] = {
        "levels": levels,
        "questions": len(stated),
        "assurance": ASSURANCE,
        "data": f"up to {options.most} questions each of {', '.join(sets)}; "
        f"{UNANSWERABLE:.0%} of those counted are not answered by the documents",
    }
    TARGET.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
