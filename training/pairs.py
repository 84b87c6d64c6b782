"""Writes question and sentence pairs for training the close reader, with negatives of a corpus.

    python -m training.pairs DIR OUT.jsonl [--most N]

DIR holds the training sets (see `training.examples`). A line of OUT is one question with the
sentences that Pincite's own retrieval and scorer put forward from the set's whole corpus:
{set, question, kind, sentences: [{text, around, right, answer?}]}; right ones first. `answer` is
where the words asked for stand in `text`, where the set marks less than the sentence.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pincite.answering.close_reading import context_of, words_of
from pincite.answering.scorer import LinearScorer
from pincite.engine import DEFAULT, judge, understand
from pincite.protocols import ScoredCandidate
from pincite.retrieval.bm25 import retrieve
from training.examples import FINE, SCOPED, QuestionSet, load_set

SETS = {
    "squad2_dev_rest": 5000,
    "squad_train_part": 7000,
    "squadshifts_wiki": 5000,
    "squad_train_paras": 2500,
    "squad_train_paras2": 2500,
    "nq_gold": 1600,
    "selqa": 2400,
    "bioasq": 1500,
    "quoref_contrast": 1200,
    "ms_faq": 450,
    "conditionalqa_part": 1200,
    "fairytaleqa": 1200,
    "tatqa_dev": 780,
    "cuad_rest": 1500,
    "contractnli_train": 400,
    "qamr": 3000,
}
"""How many questions are taken from each set, at most."""
_MADE_NAME = re.compile(r"^rl [0-9a-f]{12} \d+$| \d+$")
"""What `load_set` and the sets themselves put into titles that are no names."""
FORWARD = 10
"""Wrong sentences kept, those the scorer likes best."""
MOST_OF_A_SENTENCE = 0.6
"""Evidence that is more of its sentence marks no answer inside it."""


def pairs(question_set: QuestionSet, record: dict[str, Any]) -> dict[str, Any] | None:
    """One question as a line; None when nothing is found, or its evidence marks no sentence."""
    corpus = question_set.corpus
    scope = record.get("scope_doc_id")
    if question_set.name in SCOPED:
        scope = record["doc_id"]
    query = understand(record["question"], corpus, ())
    found = retrieve(
        query.terms,
        query.weights,
        corpus,
        limit=DEFAULT.passages_read,
        document=question_set.paths[scope] if scope else None,
    )
    spans = [
        (question_set.paths[e["doc_id"]], e["start"], e["end"])
        for e in record.get("evidence") or ()
        if e.get("kind", "").split(" (")[0] in FINE or len(record["evidence"]) == 1
    ]
    if record["answerable"] and not spans:
        return None
    right: list[dict[str, Any]] = []
    wrong: list[dict[str, Any]] = []
    for scored in judge(query, found, corpus, LinearScorer()):
        marked = _marked(scored, spans) if record["answerable"] else None
        kept = wrong if marked is None else right
        if len(kept) < FORWARD:
            kept.append(_sentence(question_set, scored, marked))
    if record["answerable"] and not right:
        return None
    return {
        "set": question_set.name,
        "question": record["question"],
        "kind": "own" if record["answerable"] else "near_miss",
        "sentences": right + wrong,
    }


def _marked(scored: ScoredCandidate, spans: Sequence[tuple[str, int, int]]) -> str | None:
    """The words of the sentence that the evidence marks; None when it marks none of them."""
    passage = scored.candidate.passage
    quote = passage.sentences[scored.candidate.sentence_index].quote
    for path, start, end in spans:
        if path == passage.path and start < quote.end and end > quote.start:
            first = passage.span.start
            return passage.text[max(start, quote.start) - first : min(end, quote.end) - first]
    return None


def _sentence(
    question_set: QuestionSet, scored: ScoredCandidate, marked: str | None
) -> dict[str, Any]:
    candidate = scored.candidate
    known = question_set.corpus.source(candidate.passage.path)
    title = _MADE_NAME.sub("", known[0].title) if known else ""
    text = words_of(candidate)
    sentence = {"text": text, "around": context_of(candidate, title), "right": marked is not None}
    # The text was tidied: where the answer stands twice in it, either will do to learn from.
    words = " ".join((marked or "").split())
    start = text.find(words)
    if words and start >= 0 and len(words) <= MOST_OF_A_SENTENCE * len(text):
        sentence["answer"] = [start, start + len(words)]
    return sentence


def lines(directory: Path, most: int) -> Iterator[dict[str, Any]]:
    """The lines of every set, sampled the same way every time."""
    for name, limit in SETS.items():
        question_set = load_set(directory / name)
        chance = random.Random(name)
        questions = question_set.questions
        chosen = chance.sample(questions, min(limit, most, len(questions)))
        for record in chosen:
            line = pairs(question_set, record)
            if line is not None:
                yield line


def main() -> None:
    """Write the pairs."""
    parser = argparse.ArgumentParser(prog="python -m training.pairs")
    parser.add_argument("directory", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--most", type=int, default=1_000_000)
    parser.add_argument("--only", help="one set", action="append")
    options = parser.parse_args()
    if options.only:
        for name in list(SETS):
            if name not in options.only:
                del SETS[name]
    with options.out.open("w", encoding="utf-8") as out:
        for line in lines(options.directory, options.most):
            out.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
