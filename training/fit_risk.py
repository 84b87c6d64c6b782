"""Fits the thresholds that come with the package: for each risk, how sure an answer has to be.

    python -m training.fit_risk SET... [--most 300] [--scorer close|words] [--cache DIR]

A SET is a folder with corpus.jsonl and questions.jsonl (see training/examples.py), or one with
documents/ and questions.jsonl as `pincite eval` reads them. From each set the same number of
questions is taken, at even distances, so that all weigh alike; the best sentence of each is judged
as `pincite eval` judges it, and the threshold is found as `pincite calibrate` finds it
(`pincite.evaluation.fitting`). Where no threshold is vouched for, null is written, and
`ask --risk` says so. Writes src/pincite/answering/risk.json, in which the other scorer's stays.
"""

from __future__ import annotations

import argparse
import json
import pickle
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pincite.answering.close_reading import CloseScorer
from pincite.answering.scorer import LinearScorer
from pincite.encoder.read import CloseReader
from pincite.engine import AskSettings, ask
from pincite.evaluation.fitting import ASSURANCE, RISKS, Judged, lowest_vouched
from pincite.evaluation.statistics import calibration_error, reliability, risk_curve
from pincite.loaders import load
from pincite.protocols import Scorer
from pincite.records import Answer
from pincite.store import MemoryCorpus
from pincite.text.passages import split_passages
from training.examples import SCOPED, QuestionSet, load_set, read_lines

TARGET = Path(__file__).parents[1] / "src/pincite/answering/risk.json"
FIRST = AskSettings(threshold=0.0)
"""Whatever its confidence, the best sentence is the answer."""


def read_set(folder: Path) -> QuestionSet:
    """A set of either form, ready to be asked."""
    documents_in = folder / "documents"
    if not documents_in.is_dir():
        return load_set(folder)
    names = sorted(
        path.relative_to(documents_in).as_posix()
        for path in documents_in.rglob("*")
        if path.is_file() and path.suffix in (".md", ".txt")
    )
    documents = [load(documents_in / name, name=name) for name in names]
    passages = [passage for document in documents for passage in split_passages(document)]
    corpus = MemoryCorpus(documents, passages)
    questions = [
        {**entry, "evidence": [{**e, "doc_id": e["document"]} for e in entry["evidence"]]}
        for entry in read_lines(folder, "questions")
    ]
    return QuestionSet(folder.name, corpus, {name: name for name in names}, questions)


def judged(
    question_set: QuestionSet, records: Sequence[dict[str, Any]], scorer: Scorer
) -> list[Judged]:
    """How sure the scorer was of its best sentence, and whether that was right."""
    found = []
    for record in records:
        scope = record.get("scope_doc_id")
        if question_set.name in SCOPED:
            scope = record["doc_id"]
        best = ask(
            record["question"],
            question_set.corpus,
            document=question_set.paths[scope] if scope else None,
            scorer=scorer,
            settings=FIRST,
        )
        if not isinstance(best, Answer):
            found.append(Judged(0.0, False))
            continue
        is_right = record["answerable"] and any(
            question_set.paths[e["doc_id"]] == citation.document.path
            and e["start"] < citation.position.end
            and citation.position.start < e["end"]
            for e in record["evidence"]
            for citation in best.citations
        )
        found.append(Judged(best.confidence, is_right))
    return found


def main() -> None:
    """Ask, fit, write, and print what each risk leaves answered."""
    parser = argparse.ArgumentParser(prog="python -m training.fit_risk")
    parser.add_argument("sets", type=Path, nargs="+", metavar="SET")
    parser.add_argument("--most", type=int, default=300)
    parser.add_argument("--scorer", choices=("close", "words"), default="close")
    parser.add_argument("--cache", type=Path, help="keeps what was judged, for other experiments")
    options = parser.parse_args()
    scorer: Scorer = CloseScorer(CloseReader()) if options.scorer == "close" else LinearScorer()
    sets = [read_set(folder) for folder in options.sets]
    most = min(options.most, *(len(one.questions) for one in sets))
    by_set = {}
    for one in sets:
        chosen = [one.questions[i * len(one.questions) // most] for i in range(most)]
        by_set[one.name] = judged(one, chosen, scorer)
        print(one.name, len(one.questions), sum(j.is_right for j in by_set[one.name]), flush=True)
        if options.cache:
            options.cache.mkdir(parents=True, exist_ok=True)
            path = options.cache / f"{options.scorer}-{one.name}.pickle"
            path.write_bytes(pickle.dumps(by_set[one.name]))
    everything = [one for found in by_set.values() for one in found]
    curve = risk_curve(
        [one.confidence for one in everything], [not one.is_right for one in everything]
    )
    thresholds: dict[str, float | None] = {}
    for risk in RISKS:
        point = lowest_vouched(curve, risk)
        thresholds[f"{risk:.2f}"] = None if point is None else point.threshold
        told = "none" if point is None else f"{point.threshold} answers {point.coverage:.1%}"
        print(f"risk {risk:.2f}: {told}")
    answered = [one for one in everything if one.confidence >= scorer.threshold]
    bins = reliability([o.confidence for o in answered], [o.is_right for o in answered])
    wrong = sum(not one.is_right for one in answered)
    print(f"at {scorer.threshold}: {wrong} of {len(answered)} wrong, ECE {calibration_error(bins)}")
    known = json.loads(TARGET.read_text("utf-8")) if TARGET.exists() else {}
    known[scorer.name] = {
        "thresholds": thresholds,
        "questions": len(everything),
        "assurance": ASSURANCE,
        "data": f"{most} questions each of {', '.join(by_set)}",
    }
    TARGET.write_text(json.dumps(dict(sorted(known.items())), indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
