"""A log of answers: what it costs, whether every altered byte is found, answers asked again."""

from __future__ import annotations

import json
import random
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pincite
from bench import folder as folders
from bench.data import DataSet
from pincite.auditing.checking import check
from pincite.auditing.entries import parsed
from pincite.auditing.log import LOG, AuditLog
from pincite.rechecking import verify_in
from pincite.recording import Asked, record_answer
from pincite.replaying import replay
from pincite.verifications import Status

SEED = 20_260_104
SHORT = {
    "caller": "",
    "asked": {"document": None, "history": [], "risk": None, "lexical": True},
    "record": {
        "question": "How long is a gift card valid?",
        "status": "answered",
        "text": "Five years.",
        "encoder": "",
        "index": {"fingerprint": "", "generation": 1},
        "citations": [],
        "retrieved": [],
    },
}


def measure(sets: Sequence[DataSet], *, entries: int, answers: int) -> dict[str, Any]:
    """What is found of a log of so many entries, and of so many answers of the sets."""
    with tempfile.TemporaryDirectory(prefix="pincite-bench-") as temporary:
        found = _altered(Path(temporary, "log"), entries)
        return found | _asked(sets, Path(temporary), answers)


def rows(record: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The figures as (name, value), for a table."""
    names = ("machine", "sets")
    yield from ((key.replace("_", " "), value) for key, value in record.items() if key not in names)


def holds(record: dict[str, Any]) -> bool:
    """Every altered byte found, every citation valid, every answer the same again."""
    return (
        record["bytes_altered"] == record["of_them_found"]
        and record["answers"] == record["byte_identical_again"]
        and record["citations"] == record["of_them_valid"]
    )


def _altered(directory: Path, entries: int) -> dict[str, Any]:
    """Alter each byte of a log, one at a time.

    Whether a line is as it was written is told by the line alone, so for each byte its line is
    read; that the log is then not whole is checked for the whole log with some of them.
    """
    log = AuditLog(directory)
    for number in range(entries):
        log.append("answer", {**SHORT, "number": number})
    path = directory / LOG
    whole = path.read_bytes()
    draw = random.Random(SEED)
    altered = found = 0
    for line in whole.splitlines(keepends=True):
        for place, byte in enumerate(line):
            other = (byte + draw.randrange(1, 256)) % 256
            altered += 1
            try:
                parsed(line[:place] + bytes([other]) + line[place + 1 :])
            except ValueError:
                found += 1
    seen = 0
    for _ in range(20):
        place = draw.randrange(len(whole))
        other = (whole[place] + draw.randrange(1, 256)) % 256
        path.write_bytes(whole[:place] + bytes([other]) + whole[place + 1 :])
        seen += bool(check(log).faults)
    path.write_bytes(whole)
    begun = time.perf_counter()
    report = check(log)
    return {
        "entries": entries,
        "bytes_altered": altered,
        "of_them_found": found,
        "whole_logs_with_one_byte_altered": 20,
        "of_those_found": seen,
        "whole_log_faults": len(report.faults),
        "seconds_to_verify": round(time.perf_counter() - begun, 2),
    }


def _asked(sets: Sequence[DataSet], directory: Path, answers: int) -> dict[str, Any]:
    log = AuditLog(directory / "answers")
    soon = AuditLog(directory / "soon", sync_seconds=1.0)
    later: list[float] = []
    per_set = -(-answers // len(sets))
    costs: list[float] = []
    work: list[float] = []
    verified = valid = 0
    for data in sets:
        folder = directory / f"{data.name}-documents"
        folders.write(data.documents, folder, folders.file_names(data.documents))
        store = directory / f"{data.name}-store"
        with pincite.Index.open_or_build(folder, store=store, lexical=True) as index:
            for number, question in enumerate(data.questions):
                if number == per_set or len(costs) == answers:
                    break
                answer = index.ask(question.text)
                begun, begun_work = time.perf_counter(), time.process_time()
                record_answer(log, index, answer, Asked(lexical=True))
                costs.append(1000 * (time.perf_counter() - begun))
                work.append(1000 * (time.process_time() - begun_work))
                begun = time.perf_counter()
                record_answer(soon, index, answer, Asked(lexical=True))
                later.append(1000 * (time.perf_counter() - begun))
                if isinstance(answer, pincite.Answer):
                    statuses = [one.status for one in verify_in(folder, answer.citations)]
                    verified += len(statuses)
                    valid += statuses.count(Status.VALID)
    replayed = list(replay(log))
    soon.sync()
    return {
        "sets": [data.name for data in sets],
        "answers": len(costs),
        "cost_of_the_log_ms_median": round(statistics.median(costs), 2),
        "of_that_processor_time_ms_median": round(statistics.median(work), 2),
        "cost_of_the_log_ms_p10": round(sorted(costs)[len(costs) // 10], 2),
        "cost_of_the_log_ms_p90": round(sorted(costs)[len(costs) * 9 // 10], 2),
        "cost_ms_median_when_on_disk_a_second_later": round(statistics.median(later), 2),
        "cost_ms_p90_when_on_disk_a_second_later": round(sorted(later)[len(later) * 9 // 10], 2),
        "bytes_an_answer": (directory / "answers" / LOG).stat().st_size // len(costs),
        "citations": verified,
        "of_them_valid": valid,
        "byte_identical_again": sum(one.identical for one in replayed),
        "not_identical": json.dumps(
            sorted({one.problem or ", ".join(one.differs) for one in replayed if not one.identical})
        ),
    }
