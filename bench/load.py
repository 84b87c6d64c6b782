"""A server under load: many clients, indexing going on, each answer compared, kills in between."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from pincite import Index
from pincite.indexing import update
from pincite.render import to_json

NAME = "bench"
EXTRA = "notes/notice.md"
VARIANTS = (
    "",
    "# Notice\n\nThe car park behind the house is closed from Monday to Wednesday.\n",
    "# Notice\n\nThe car park behind the house is open again; the lift is repaired in May.\n",
)
"""What the file that keeps changing holds; empty where it is not there."""
MIX = ("ask", "ask", "search", "ask", "documents", "ask", "text", "ask", "healthz", "events")
"""What a client does, one after another, each beginning elsewhere."""
WARM = 40
PLACES = 200
FIXED = 1_780_000_000
"""Time of the changing file, for the same record of it here and there."""


@dataclass
class Seen:
    """What the clients saw."""

    times: dict[str, list[float]] = field(default_factory=dict)
    errors: Counter[str] = field(default_factory=Counter)
    records: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Each record that differs from all others, by its text."""
    answered: int = 0

    def take(self, kind: str, seconds: float) -> None:
        """Count a request that ended well."""
        self.times.setdefault(kind, []).append(seconds)

    def keep(self, record: dict[str, Any]) -> None:
        """Keep a record to be compared later."""
        record["index"]["generation"] = 0
        self.answered += 1
        self.records.setdefault(json.dumps(record, sort_keys=True), record)


def measure(
    folder: Path, questions: Sequence[str], *, clients: int, seconds: float, pause: float
) -> dict[str, Any]:
    """Load a server over a copy of `folder`, and compare what it says with what an index says."""
    with tempfile.TemporaryDirectory(prefix="pincite-load-") as temporary:
        work = Path(temporary)
        ignored = shutil.ignore_patterns(".pincite")
        shutil.copytree(folder, work / "documents", ignore=ignored, copy_function=shutil.copy2)
        Index.open_or_build(work / "documents").close()
        return asyncio.run(_measure(work, questions, clients, seconds, pause))


def rows(record: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The figures as (name, value), for a table."""
    yield from (
        (name.replace("_", " "), value) for name, value in record.items() if name != "machine"
    )


def holds(record: dict[str, Any]) -> bool:
    """No error, no wrong answer, nothing lost."""
    return not (record["errors"] or record["wrong_answers"] or not record["log_whole"])


async def _measure(
    work: Path, questions: Sequence[str], clients: int, seconds: float, pause: float
) -> dict[str, Any]:
    found: dict[str, Any] = {
        "documents": len(_documents(work / "documents")),
        "questions": len(questions),
        "clients": clients,
        "seconds": seconds,
        "pause_between_requests_s": pause,
    }
    seen = Seen()
    with _server(work) as server:
        await server.ready()
        async with server.client() as http:
            first = [await _timed(http, seen, question) for question in questions[:WARM]]
            again = [await _timed(http, seen, question) for question in questions[:WARM]]
        found["single_client_first_ask_median_ms"] = _ms(statistics.median(first))
        found["single_client_same_ask_median_ms"] = _ms(statistics.median(again))
        found["memory_at_start_mb"] = server.memory()
        seen.times.clear()
        runs, memory = await _loaded(server, work, questions, seen, clients, seconds, pause)
        found["memory_each_quarter_mb"] = memory
        found["memory_at_end_mb"] = server.memory()
        found["runs_of_indexing"] = runs
        found |= _figures(seen, seconds)
        found["restart_after_kill_under_load_s"] = await _killed_under_load(
            server, questions, clients
        )
        found["restart_after_kill_while_indexing_s"] = await _killed_while_indexing(server, work)
        async with server.client() as http:
            checked = (await http.get("/audit/verify")).json()
            await _timed(http, seen, questions[0])
        found["log_whole"] = checked["whole"]
        found["log_entries"] = checked["entries"]
        # Of those that were cut off, some are in the log as well.
        found["answers_not_in_the_log"] = max(0, seen.answered - 1 - checked["entries"])
    found["answers_compared"] = seen.answered
    wrong, stale = _compared(work, seen)
    found["different_records"] = len(seen.records)
    found["of_them_with_a_changed_file"] = stale
    found["wrong_answers"] = wrong
    return found


async def _loaded(
    server: Server,
    work: Path,
    questions: Sequence[str],
    seen: Seen,
    clients: int,
    seconds: float,
    pause: float,
) -> tuple[int, list[float]]:
    end = time.monotonic() + seconds
    memory: list[float] = []
    runs = 0

    async def one(number: int) -> None:
        async with server.client() as http:
            paths = await _paths(http)
            for step in itertools.count(number * 7):
                if time.monotonic() > end:
                    return
                question = questions[step * 13 % len(questions)]
                await _request(http, seen, MIX[step % len(MIX)], question, paths)
                # No two clients keep step with each other.
                await asyncio.sleep(pause * (0.5 + (step * 7919 % 1000) / 1000))

    async def changing() -> None:
        nonlocal runs
        async with server.client() as http:
            for variant in itertools.cycle((1, 2, 0)):
                if time.monotonic() > end:
                    return
                _put(work / "documents", VARIANTS[variant])
                await http.post("/index", json={"collection": NAME})
                while (await http.get("/index")).json()["collections"][0]["running"]:
                    await asyncio.sleep(0.2)
                runs += 1
                await asyncio.sleep(1)

    async def watching() -> None:
        for _ in range(4):
            await asyncio.sleep(seconds / 4)
            memory.append(server.memory())

    await asyncio.gather(*(one(number) for number in range(clients)), changing(), watching())
    return runs, memory


async def _request(
    http: httpx.AsyncClient, seen: Seen, kind: str, question: str, paths: Sequence[str]
) -> None:
    body = {"question": question}
    began = time.perf_counter()
    try:
        match kind:
            case "ask":
                reply = await http.post("/ask", json=body)
            case "events":
                events = {"Accept": "text/event-stream"}
                reply = await http.post("/ask", json=body, headers=events)
            case "search":
                reply = await http.post("/search", json={**body, "limit": 5})
            case "text":
                path = paths[len(question) * 31 % len(paths)]
                reply = await http.get(f"/texts/{NAME}/{path}")
            case _:
                reply = await http.get(f"/{kind}")
    except httpx.HTTPError as error:
        seen.errors[f"{kind}: {type(error).__name__}"] += 1
        return
    if reply.status_code != 200:
        seen.errors[f"{kind}: {reply.status_code}"] += 1
        return
    seen.take(kind, time.perf_counter() - began)
    if kind == "ask":
        seen.keep(reply.json())
    elif kind == "events":
        seen.keep(json.loads(reply.text.rpartition("event: record\ndata: ")[2]))


async def _timed(http: httpx.AsyncClient, seen: Seen, question: str) -> float:
    before = time.perf_counter()
    await _request(http, seen, "ask", question, ())
    return time.perf_counter() - before


async def _paths(http: httpx.AsyncClient) -> list[str]:
    (listing,) = (await http.get("/documents")).json()["collections"]
    return [one["path"] for one in listing["documents"] if one["path"] != EXTRA][:PLACES]


async def _killed_under_load(server: Server, questions: Sequence[str], clients: int) -> float:
    """Seconds from the start of a server that was killed at work until it answers again."""

    async def one(number: int) -> None:
        async with server.client() as http:
            with contextlib.suppress(httpx.HTTPError):
                for question in questions[number:]:
                    await http.post("/ask", json={"question": question})

    tasks = [asyncio.create_task(one(number)) for number in range(clients)]
    await asyncio.sleep(2)
    server.kill()
    await asyncio.gather(*tasks)
    return await server.restarted(questions[0])


async def _killed_while_indexing(server: Server, work: Path) -> float:
    _put(work / "documents", VARIANTS[1] * 2_000)
    async with server.client() as http:
        await http.post("/index", json={"collection": NAME})
        await asyncio.sleep(0.7)
    server.kill()
    _put(work / "documents", "")
    return await server.restarted("Is the car park closed?")


def _documents(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*.*") if path.is_file() and ".pincite" not in path.parts]


def _put(folder: Path, text: str) -> None:
    path = folder / EXTRA
    if not text:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(exist_ok=True)
    new = path.with_name(".new")
    new.write_text(text)
    os.utime(new, (FIXED, FIXED))
    os.replace(new, path)


def _compared(work: Path, seen: Seen) -> tuple[int, int]:
    """How many records are not what an index of the same state says; how many cannot be compared.

    Where a file changed before it was indexed, the answer hangs on the moment: what it quotes is
    checked against the documents by every answer that is compared.
    """
    expected: dict[tuple[str, str, str], dict[str, Any]] = {}
    for number, variant in enumerate(VARIANTS):
        folder = work / f"state-{number}"
        ignored = shutil.ignore_patterns(".pincite", "notes")
        shutil.copytree(work / "documents", folder, ignore=ignored, copy_function=shutil.copy2)
        _put(folder, variant)
        update(folder)
        with Index.open(folder) as index:
            fingerprint = index.state.fingerprint
            for has_vectors in (False, True):
                if has_vectors:
                    index.encode()
                for record in seen.records.values():
                    if record["index"]["fingerprint"] == fingerprint and not record["stale"]:
                        encoder = record["encoder"]
                        key = (fingerprint, encoder, record["question"])
                        if bool(encoder) == has_vectors and key not in expected:
                            answer = to_json(index.ask(record["question"]))
                            answer["index"]["generation"] = 0
                            expected[key] = answer
    wrong = stale = 0
    for record in seen.records.values():
        if record["stale"]:
            stale += 1
            continue
        key = (record["index"]["fingerprint"], record["encoder"], record["question"])
        wrong += expected.get(key) != record
    return wrong, stale


def _figures(seen: Seen, seconds: float) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for kind, times in sorted(seen.times.items()):
        ordered = sorted(times)
        found[f"{kind}_p50_ms"] = _ms(ordered[len(ordered) // 2])
        found[f"{kind}_p99_ms"] = _ms(ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)])
    count = sum(map(len, seen.times.values()))
    found["requests"] = count
    found["requests_a_second"] = round(count / seconds, 1)
    found["errors"] = sum(seen.errors.values())
    found["kinds_of_errors"] = dict(seen.errors)
    return found


class Server:
    """`pincite serve` over the documents of a directory, in a process that is killed at the end."""

    def __init__(self, work: Path) -> None:
        self._work = work
        self._process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        command = (sys.executable, "-m", "pincite", "serve", f"{NAME}={self._work / 'documents'}")
        process = subprocess.Popen(
            [*command, "--port", "0", "--state", str(self._work / "state")],
            stderr=subprocess.PIPE,
            text=True,
        )
        assert process.stderr is not None
        line = process.stderr.readline()
        self.address = line.rpartition(" on ")[2].strip()
        return process

    @contextlib.asynccontextmanager
    async def client(self) -> AsyncIterator[httpx.AsyncClient]:
        """A client with connections of its own."""
        async with httpx.AsyncClient(base_url=self.address, timeout=60, trust_env=False) as http:
            yield http

    async def ready(self) -> None:
        """Wait until every collection can be asked and none is being indexed."""
        async with self.client() as http:
            while (await http.get("/readyz")).status_code != 200:
                await asyncio.sleep(0.02)
            while (await http.get("/index")).json()["collections"][0]["running"]:
                await asyncio.sleep(0.1)

    async def restarted(self, question: str) -> float:
        """Start it anew; the seconds until it answers a question."""
        began = time.perf_counter()
        self._process = self._start()
        async with self.client() as http:
            while (await http.post("/ask", json={"question": question})).status_code != 200:
                await asyncio.sleep(0.02)
        seconds = time.perf_counter() - began
        await self.ready()
        return round(seconds, 2)

    def kill(self) -> None:
        """End it without a word."""
        self._process.send_signal(signal.SIGKILL)
        self._process.communicate()

    def memory(self) -> float:
        """Its resident memory, without those it started."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return round(int(line.split()[1]) / 1024, 1)


@contextlib.contextmanager
def _server(work: Path) -> Iterator[Server]:
    server = Server(work)
    try:
        yield server
    finally:
        server.kill()


def _ms(seconds: float) -> float:
    return round(seconds * 1000, 1)
