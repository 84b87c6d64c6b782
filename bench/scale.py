"""Measures an index of many passages: building, keeping up, asking, memory and disk."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench import ask
from bench import folder as folders
from bench.child import PINCITE, run
from bench.data import DataSet, Question, SourceText
from bench.peers import sentence_places

PASSAGE_WORDS = 100
PASSAGES_PER_FILE = 50
SEED = 20_240_229
_SENTENCE_WORDS = range(4, 60)


def invented(sets: Sequence[DataSet], passages: int) -> list[SourceText]:
    """Files of passages, each of real sentences of the sets drawn at random; same every time."""
    sentences = [
        " ".join(document.text[start:end].split())
        for data in sets
        for document in data.documents
        for _, start, end in sentence_places(document.doc_id, document.text)
    ]
    sentences = [text for text in sentences if len(text.split()) in _SENTENCE_WORDS]
    if not sentences:
        raise ValueError("the corpus has no sentence of 4 to 59 words to make passages of")
    choose = random.Random(SEED)
    files = []
    for first in range(0, passages, PASSAGES_PER_FILE):
        count = min(PASSAGES_PER_FILE, passages - first)
        text = "\n\n".join(_passage(sentences, choose) for _ in range(count)) + "\n"
        name = f"part {first // PASSAGES_PER_FILE:06}"
        files.append(SourceText(name, name, text))
    return files


def measure(sets: Sequence[DataSet], *, passages: int) -> dict[str, Any]:
    """Figures for a folder of about `passages` passages, asked the questions of the sets."""
    documents = invented(sets, passages)
    questions = [
        Question(question.id, question.text, question.answerable)
        for data in sets
        for question in data.questions
    ]
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as temporary:
        folder, store = Path(temporary, "documents"), Path(temporary, "store")
        paths = folders.file_names(documents)
        text_bytes = folders.write(documents, folder, paths)
        whole = run([*PINCITE, "index", "--lexical", "--json", "--store", str(store), str(folder)])
        again, kept = ask.worker("build", folder, store)
        outcomes, asking = ask.answers(questions, folder, store, paths)
        return {
            "files": len(documents),
            "text_bytes": text_bytes,
            "passages_written": passages,
            "passages": kept["passages"],
            "index_seconds": whole.seconds,
            "index_cpu_seconds": whole.cpu_seconds,
            "index_megabytes_per_second": text_bytes / 1e6 / whole.seconds,
            "index_passages_per_second": kept["passages"] / whole.seconds,
            "index_peak_bytes": whole.peak_bytes,
            "files_read_again": kept["read"],
            "again_seconds": kept["seconds"],
            "again_process_seconds": again.seconds,
            "questions": len(outcomes),
            "refused": sum(outcome.refused for outcome in outcomes),
            **asking,
            **ask.cold(questions, folder, store, paths),
            "lexical": ask.answers(questions, folder, store, paths, lexical=True)[1]
            | ask.cold(questions, folder, store, paths, lexical=True),
            "store_bytes": sum(p.stat().st_size for p in store.rglob("*") if p.is_file()),
        }


def rows(got: dict[str, Any]) -> list[tuple[str, Any]]:
    """The figures for reading, with their units."""
    return [
        ("files", got["files"]),
        ("text MB", got["text_bytes"] / 1e6),
        ("passages", got["passages"]),
        ("`pincite index`, whole process, s", got["index_seconds"]),
        ("`pincite index`, CPU s", got["index_cpu_seconds"]),
        ("index MB/s of text", got["index_megabytes_per_second"]),
        ("index passages/s", got["index_passages_per_second"]),
        ("index peak memory MB", got["index_peak_bytes"] / 1e6),
        ("store MB", got["store_bytes"] / 1e6),
        ("run again with nothing changed s", got["again_seconds"]),
        ("files read again by it", got["files_read_again"]),
        ("questions asked", got["questions"]),
        ("first ask in a new process ms", got["ask_cold_seconds_p50"] * 1000),
        ("warm ask p50 ms", got["ask_warm_seconds_p50"] * 1000),
        ("warm ask p50, CPU ms", got["ask_warm_cpu_seconds_p50"] * 1000),
        ("warm ask p99 ms", got["ask_warm_seconds_p99"] * 1000),
        ("ask peak memory MB", got["ask_peak_bytes"] / 1e6),
        ("`pincite ask`, whole process, s", got["process_seconds_p50"]),
        ("`pincite ask`, CPU s", got["process_cpu_seconds_p50"]),
        ("`pincite ask` peak memory MB", got["process_peak_bytes"] / 1e6),
        ("`--lexical`: warm ask p50 ms", got["lexical"]["ask_warm_seconds_p50"] * 1000),
        ("`--lexical`: warm ask p50, CPU ms", got["lexical"]["ask_warm_cpu_seconds_p50"] * 1000),
        ("`--lexical`: warm ask p99 ms", got["lexical"]["ask_warm_seconds_p99"] * 1000),
        ("`--lexical`: ask peak memory MB", got["lexical"]["ask_peak_bytes"] / 1e6),
        ("`pincite ask --lexical`, whole process, s", got["lexical"]["process_seconds_p50"]),
        ("`pincite ask --lexical`, CPU s", got["lexical"]["process_cpu_seconds_p50"]),
    ]


def _passage(sentences: Sequence[str], choose: random.Random) -> str:
    chosen: list[str] = []
    words = 0
    while words < PASSAGE_WORDS:
        chosen.append(choose.choice(sentences))
        words += len(chosen[-1].split())
    return " ".join(chosen)
