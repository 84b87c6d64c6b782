"""Reads question sets and turns them into feature rows with marks, by Pincite's own retrieval.

A set is a folder with corpus.jsonl(.gz) and questions.jsonl(.gz):
{doc_id, title, text} and {id, question, answerable, evidence: [{doc_id, start, end, kind?}]}.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pincite.answering.candidates import may_answer
from pincite.answering.features import FEATURE_NAMES, QuestionReader
from pincite.engine import DEFAULT, understand
from pincite.loaders import document_of_text
from pincite.records import Document, Passage
from pincite.retrieval.bm25 import retrieve
from pincite.store import MemoryCorpus
from pincite.text.passages import split_passages

FINE = ("", "span", "sentence", "short answer")
"""Kinds of evidence that point at a sentence; others (section, clause) only at its region."""


MANY_DOCUMENTS = 100
FEW_DOCUMENTS = 20
SMALL_CORPORA = 3
SCOPED = ("cuad_rest", "contractnli_train", "tatqa_dev", "qamr")
"""Sets whose questions are asked inside one document."""


@dataclass(frozen=True)
class Example:
    """One question with its candidate sentences."""

    set_name: str
    question: str
    languages: tuple[str, ...]
    """Of each candidate's passage."""
    rows: NDArray[np.float32]
    right: NDArray[np.bool_]
    """Which candidates overlap a marked span; none for unanswerable questions."""
    passage_count: int
    """Of the corpus."""
    answerable: bool
    kind: str
    """`own`, `near_miss`, `off_topic`, or `removed`: its own document was taken away."""


def read_lines(folder: Path, name: str) -> Iterator[dict[str, Any]]:
    """The records of a JSON Lines file, zipped or not, in order."""
    plain = folder / f"{name}.jsonl"
    zipped = folder / f"{name}.jsonl.gz"
    with plain.open() if plain.exists() else gzip.open(zipped, "rt") as lines:
        for line in lines:
            yield json.loads(line)


@dataclass
class QuestionSet:
    """A corpus ready to be asked, and its questions."""

    name: str
    corpus: MemoryCorpus
    paths: dict[str, str]
    questions: list[dict[str, Any]]


def load_set(folder: Path, *, only: Set[str] | None = None) -> QuestionSet:
    """The set in `folder`; with `only`, as if its corpus held no other documents."""
    documents: list[Document] = []
    passages: list[Passage] = []
    paths: dict[str, str] = {}
    for number, record in enumerate(read_lines(folder, "corpus")):
        if only is not None and record["doc_id"] not in only:
            continue
        title = (record.get("title") or "").replace("/", " ").replace("_", " ")[:80]
        suffix = "md" if record["doc_id"].endswith(".md") else "txt"
        name = f"{title} {number}.{suffix}" if title else f"{number}.{suffix}"
        document = document_of_text(record["text"], name=name)
        paths[record["doc_id"]] = name
        documents.append(document)
        passages += split_passages(document)
    questions = [q for q in read_lines(folder, "questions") if q["question"].strip()]
    return QuestionSet(folder.name, MemoryCorpus(documents, passages), paths, questions)


def example(question_set: QuestionSet, record: dict[str, Any], *, kind: str) -> Example | None:
    """The feature rows of one question; None when nothing is found for it."""
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
        found = [scored for scored in found if scored.passage.path not in gone]
        found = found[: DEFAULT.passages_read]
    candidates = may_answer(query, found)
    if not candidates:
        return None
    paths = {c.passage.path for c in candidates}
    titles = {path: corpus.source(path)[0].title for path in sorted(paths)}
    found_features = QuestionReader(query, titles).features(candidates)
    rows = np.array(found_features, dtype=np.float32).reshape(len(candidates), len(FEATURE_NAMES))
    answerable = bool(record["answerable"]) and kind == "own"
    right = np.zeros(len(candidates), dtype=bool)
    if answerable:
        spans = [
            (question_set.paths[e["doc_id"]], e["start"], e["end"])
            for e in record["evidence"]
            if e.get("kind", "").split(" (")[0] in FINE
            or "kind" not in e
            or len(record["evidence"]) == 1
        ]
        if not spans:
            return None
        for i, candidate in enumerate(candidates):
            quote = candidate.passage.sentences[candidate.sentence_index].quote
            right[i] = any(
                path == candidate.passage.path and start < quote.end and end > quote.start
                for path, start, end in spans
            )
    if kind == "own" and not answerable:
        kind = "near_miss"
    languages = tuple(candidate.passage.language for candidate in candidates)
    size = corpus.statistics().passage_count
    return Example(
        question_set.name, record["question"], languages, rows, right, size, answerable, kind
    )


def examples(folder: Path, *, most: int, off_topic: Sequence[str], seed: int = 0) -> list[Example]:
    """Up to `most` answerable and as many unanswerable examples of a set, and made ones.

    Made are the off-topic ones and, in sets of many documents, answerable questions whose
    document is taken away (the rest of the corpus is of the same kind and does not say), and
    questions asked of a corpus of a few of its documents, the size of a person's folder.
    """
    question_set = load_set(folder)
    chance = random.Random(f"{seed}{folder.name}")
    many = len(question_set.paths) >= MANY_DOCUMENTS and folder.name not in SCOPED
    answerable = [q for q in question_set.questions if q["answerable"] and q.get("evidence")]
    unanswerable = [q for q in question_set.questions if not q["answerable"]]
    chosen = [
        *((q, "own") for q in chance.sample(answerable, min(most, len(answerable)))),
        *((q, "own") for q in chance.sample(unanswerable, min(most, len(unanswerable)))),
        *(({"question": q, "answerable": False}, "off_topic") for q in off_topic),
    ]
    if many:
        taken = chance.sample(answerable, min(most // 2, len(answerable)))
        chosen += [(q, "removed") for q in taken]
    asked = [(question_set, record, kind) for record, kind in chosen]
    if many:
        for _ in range(SMALL_CORPORA):
            few = {
                e["doc_id"]
                for q in chance.sample(answerable, min(FEW_DOCUMENTS, len(answerable)))
                for e in q["evidence"]
            }
            small = load_set(folder, only=few)
            own = [q for q in answerable if all(e["doc_id"] in few for e in q["evidence"])]
            share = most // (2 * SMALL_CORPORA)
            asked += [(small, q, "own") for q in chance.sample(own, min(share, len(own)))]
            others = chance.sample(list(off_topic), len(off_topic) // SMALL_CORPORA)
            asked += [(small, {"question": q, "answerable": False}, "off_topic") for q in others]
    found = (example(within, record, kind=kind) for within, record, kind in asked)
    return [one for one in found if one is not None]
