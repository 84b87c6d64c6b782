"""Checks that the same documents and questions give the same bytes, whatever differs else."""

from __future__ import annotations

import json
import os
import tempfile
from itertools import zip_longest
from pathlib import Path
from typing import Any

from bench import folder as folders
from bench.ask import question_lines
from bench.child import PINCITE, run
from bench.data import DataSet

HASH_SEEDS = ("0", "12345")


def measure(data: DataSet) -> dict[str, Any]:
    """How many answers differ between hash seeds, and between folders filled in other orders."""
    paths = folders.file_names(data.documents)
    questions = question_lines([*data.questions, *data.off_topic], paths)
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as temporary:
        batch = Path(temporary, "questions.jsonl")
        batch.write_text(questions, "utf-8")
        forwards, backwards = Path(temporary, "one"), Path(temporary, "two")
        folders.write(data.documents, forwards, paths)
        folders.write(data.documents, backwards, paths, backwards=True)
        first = _answers(forwards, batch, HASH_SEEDS[0])
        seed = _answers(forwards, batch, HASH_SEEDS[1])
        order = _answers(backwards, batch, HASH_SEEDS[1])
    return {
        "name": data.name,
        "answers": len(first),
        "answered": sum(json.loads(line).get("status") == "answered" for line in first),
        "differ_by_hash_seed": _differing(first, seed),
        "differ_by_order_of_files": _differing(first, order),
    }


def _answers(folder: Path, batch: Path, hash_seed: str) -> list[str]:
    store = folder.with_suffix(".store")
    command = [*PINCITE, "ask", "--json", "--store", str(store), "--batch", str(batch), str(folder)]
    ran = run(command, environment={**os.environ, "PYTHONHASHSEED": hash_seed})
    return ran.output.splitlines(keepends=True)


def _differing(one: list[str], other: list[str]) -> int:
    return sum(a != b for a, b in zip_longest(one, other))
