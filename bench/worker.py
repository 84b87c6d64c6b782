"""Pincite at work in a process of its own, so that its time and memory are its own.

`python -m bench.worker JOB FOLDER STORE`, where the job is `build`, `encode`, `ask` or
`ask-lexical`, the last two with questions as JSON lines on stdin; each prints one JSON object.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import pincite


def build(folder: Path, store: Path) -> dict[str, Any]:
    """Build the index, or bring it up to date."""
    started = time.perf_counter()
    index = pincite.Index.open_or_build(folder, store=store)
    seconds = time.perf_counter() - started
    with index:
        info = index.info()
        report = index.report
        return {
            "seconds": seconds,
            "passages": info.passage_count,
            "sentences": info.sentence_count,
            "documents": info.document_count,
            "read": len(report.added) + len(report.changed) if report else 0,
            "problems": [[problem.path, problem.reason] for problem in info.problems],
        }


def encode(folder: Path, store: Path) -> dict[str, Any]:
    """Give all passages that have none their vectors."""
    started = time.perf_counter()
    with pincite.Index.open(folder, store=store) as index:
        index.encode()
    return {"seconds": time.perf_counter() - started}


def ask(folder: Path, store: Path, lines: list[str], *, lexical: bool) -> dict[str, Any]:
    """Ask every question of the index as it is; the first one is cold."""
    started = time.perf_counter()
    index = pincite.Index.open(folder, store=store, lexical=lexical)
    opened = time.perf_counter() - started
    answers = []
    with index:
        for line in lines:
            asked = json.loads(line)
            history = [pincite.Turn(turn["role"], turn["text"]) for turn in asked["history"]]
            started, used = time.perf_counter(), time.process_time()
            answer = index.ask(asked["question"], document=asked["document"], history=history)
            took = {
                "seconds": time.perf_counter() - started,
                "cpu_seconds": time.process_time() - used,
            }
            answers.append({**took, **_outcome(answer)})
    return {"open_seconds": opened, "answers": answers}


def _outcome(answer: pincite.Answer | pincite.Refusal) -> dict[str, Any]:
    if isinstance(answer, pincite.Refusal):
        return {"refused": True, "confidence": answer.confidence, "quotes": []}
    return {
        "refused": False,
        "confidence": answer.confidence,
        "quotes": [
            {
                "path": citation.document.path,
                "start": citation.position.start,
                "end": citation.position.end,
                "exact": citation.quote.exact,
                "lines": [citation.lines.start, citation.lines.end],
            }
            for citation in answer.citations
            if citation.role is not pincite.Role.ALSO
        ],
    }


def main() -> None:
    job, folder, store = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    if job == "build":
        result = build(folder, store)
    elif job == "encode":
        result = encode(folder, store)
    else:
        questions = sys.stdin.buffer.read().decode("utf-8").split("\n")
        asked = [line for line in questions if line]
        result = ask(folder, store, asked, lexical=job == "ask-lexical")
    print(json.dumps(result))


if __name__ == "__main__":
    main()
