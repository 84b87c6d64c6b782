"""Measures Pincite and its peers on data sets: answers, refusals, quotes, time and memory."""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench import folder as folders
from bench.child import PINCITE, Ran, run
from bench.data import DataSet, Question
from bench.measure import Outcome, Quoted, Verifier, figures, is_right, percentile
from bench.peers import Lesson, Peer, SentenceBm25, ask_all, text_at

COLD_RUNS = 5
NO_ANSWER = 3
"""Exit code of `pincite ask` for a refusal."""


def measure(data: DataSet, *, names: str = "title", details: Path | None = None) -> dict[str, Any]:
    """The figures of one data set, for Pincite and both peers.

    `details` is a folder for a file of JSON lines with what became of each question.
    """
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as temporary:
        folder, store = Path(temporary, "documents"), Path(temporary, "store")
        paths = folders.file_names(data.documents, names=names)
        text_bytes = folders.write(data.documents, folder, paths)
        verifier = Verifier(folder, paths)
        cost, building = built(folder, store, text_bytes)
        asked, asking = answers([*data.questions, *data.off_topic], folder, store, paths)
        cost |= asking
        cost |= cold(data.questions, folder, store, paths)
        outcomes = {"pincite": asked}
        texts = text_at(data)
        peers: dict[str, Peer] = {
            "lesson": Lesson(data.documents, paths),
            "sentence-bm25": SentenceBm25(folder, paths),
        }
        for name, peer in peers.items():
            outcomes[name] = ask_all(peer, [*data.questions, *data.off_topic], texts)
        if details is not None:
            _write_details(details / f"{data.name}.jsonl", data, outcomes)
        count = len(data.questions)
        return {
            "name": data.name,
            "sizes": {
                "documents": len(data.documents),
                "text_bytes": text_bytes,
                "answerable": sum(question.answerable for question in data.questions),
                "unanswerable": sum(not question.answerable for question in data.questions),
                "off_topic": len(data.off_topic),
                "passages": building["passages"],
                "sentences": building["sentences"],
            },
            "problems": building["problems"],
            "systems": {
                name: figures(
                    data.questions,
                    found[:count],
                    verifier,
                    off_topic=found[count:],
                    probabilities=name == "pincite",
                )
                for name, found in outcomes.items()
            },
            "cost": cost,
        }


def built(folder: Path, store: Path, text_bytes: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Index `folder` in a process of its own: what it cost, and what the index holds."""
    ran, building = worker("build", folder, store)
    seconds = building["seconds"]
    _, encoding = worker("encode", folder, store)
    return {
        "index_seconds": seconds,
        "index_cpu_seconds": ran.cpu_seconds,
        "index_megabytes_per_second": text_bytes / 1e6 / seconds,
        "index_passages_per_second": building["passages"] / seconds,
        "index_peak_bytes": ran.peak_bytes,
        "encode_seconds": encoding["seconds"],
    }, building


def answers(
    questions: Sequence[Question],
    folder: Path,
    store: Path,
    paths: dict[str, str],
    *,
    lexical: bool = False,
) -> tuple[list[Outcome], dict[str, Any]]:
    """What Pincite does with the questions, asked one after the other in one process."""
    job = "ask-lexical" if lexical else "ask"
    ran, result = worker(job, folder, store, question_lines(questions, paths))
    doc_ids = {path: doc_id for doc_id, path in paths.items()}
    outcomes = [
        Outcome(
            refused=answer["refused"],
            confidence=answer["confidence"],
            quotes=tuple(
                Quoted(
                    doc_ids[quote["path"]],
                    quote["start"],
                    quote["end"],
                    quote["exact"],
                    (quote["lines"][0], quote["lines"][1]),
                )
                for quote in answer["quotes"]
            ),
            seconds=answer["seconds"],
        )
        for answer in result["answers"]
    ]
    warm = [outcome.seconds for outcome in outcomes[1:]]
    return outcomes, {
        "ask_warm_seconds_p50": percentile(warm, 50),
        "ask_warm_seconds_p99": percentile(warm, 99),
        "ask_warm_cpu_seconds_p50": percentile(
            [answer["cpu_seconds"] for answer in result["answers"][1:]], 50
        ),
        "ask_peak_bytes": ran.peak_bytes,
    }


def cold(
    questions: Sequence[Question],
    folder: Path,
    store: Path,
    paths: dict[str, str],
    *,
    lexical: bool = False,
) -> dict[str, Any]:
    """Time of the first question in a new process, and of `pincite ask` from start to end."""
    chosen = [questions[index * len(questions) // COLD_RUNS] for index in range(COLD_RUNS)]
    first, whole = [], []
    for question in chosen:
        job = "ask-lexical" if lexical else "ask"
        _, result = worker(job, folder, store, question_lines([question], paths))
        first.append(result["open_seconds"] + result["answers"][0]["seconds"])
        scope = ["--document", paths[question.scope]] if question.scope else []
        command = [*PINCITE, "ask", *scope, "--json", "--store", str(store), str(folder)]
        command += ["--lexical", "--"] if lexical else ["--"]
        whole.append(run([*command, question.text], codes=(0, NO_ANSWER)))
    return {
        "ask_cold_seconds_p50": percentile(first, 50),
        "ask_cold_seconds_max": max(first),
        "process_seconds_p50": percentile([ran.seconds for ran in whole], 50),
        "process_cpu_seconds_p50": percentile([ran.cpu_seconds for ran in whole], 50),
        "process_seconds_max": max(ran.seconds for ran in whole),
        "process_peak_bytes": max(ran.peak_bytes for ran in whole),
    }


def worker(job: str, folder: Path, store: Path, given: str = "") -> tuple[Ran, dict[str, Any]]:
    """Run `bench.worker` and read what it printed."""
    command = [sys.executable, "-m", "bench.worker", job, str(folder), str(store)]
    ran = run(command, given=given)
    result: dict[str, Any] = json.loads(ran.output)
    return ran, result


def question_lines(questions: Sequence[Question], paths: dict[str, str]) -> str:
    """The questions as `pincite ask --batch` reads them."""
    return "".join(
        json.dumps(
            {
                "id": question.id,
                "question": question.text,
                "document": paths[question.scope] if question.scope else None,
                "history": [{"role": role, "text": text} for role, text in question.history],
            }
        )
        + "\n"
        for question in questions
    )


def _write_details(path: Path, data: DataSet, outcomes: dict[str, list[Outcome]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = text_at(data)
    with path.open("w", encoding="utf-8") as lines:
        for number, question in enumerate([*data.questions, *data.off_topic]):
            row = {
                "id": question.id,
                "question": question.text,
                "answerable": question.answerable,
                "gold": [texts((place.doc_id, place.start, place.end)) for place in question.gold],
                "documents": sorted({place.doc_id for place in question.gold}),
            }
            for name, found in outcomes.items():
                outcome = found[number]
                row[name] = {
                    "right": is_right(outcome.quotes, question.gold),
                    "refused": outcome.refused,
                    "confidence": outcome.confidence,
                    "quotes": [[quote.doc_id, quote.exact] for quote in outcome.quotes],
                }
            lines.write(json.dumps(row, ensure_ascii=False) + "\n")
