"""`python -m bench.kills`: a server killed in the middle of things, again and again.

Each round starts `pincite serve` over a copy of the example documents, with clients that ask all
the time; changes documents, so that a run of indexing goes on; kills the process with SIGKILL at
some moment of it, and starts it again. Told is how long the new one takes until it is ready and
until it has answered, and what was lost: answers that a client had got and the log has not,
documents, and answers that differ from those before.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite import Index
from pincite.auditing.checking import check
from pincite.auditing.log import AuditLog

EXAMPLES = Path(__file__).parents[1] / "examples" / "helpcentre"
RESULTS = Path(__file__).parent / "results"
CLIENTS = 8
_TEXT = "The store room is empty, and nobody keeps anything there. " * 120


@dataclass(slots=True)
class Counted:
    """What was seen in all rounds."""

    ready: list[float] = field(default_factory=list)
    ready_work: list[float] = field(default_factory=list)
    """Of it, what the server's own processor time was."""
    answered: list[float] = field(default_factory=list)
    answers: int = 0
    changed_answers: int = 0
    lost_documents: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)


class Server:
    """A server in a process of its own, at a port that stays the same."""

    def __init__(self, folder: Path, kept: Path, options: list[str]) -> None:
        with socket.socket() as bound:
            bound.bind(("127.0.0.1", 0))
            self.port: int = bound.getsockname()[1]
        self._command = [sys.executable, "-m", "pincite", "serve", "--port", str(self.port)]
        self._command += ["--state", str(kept / "state"), "--tokens", str(kept / "tokens.json")]
        self._command += [*options, f"docs={folder}"]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> float:
        """Start it; the seconds until it is ready."""
        began = time.perf_counter()
        self._process = subprocess.Popen(self._command, stderr=subprocess.DEVNULL)
        while not self.is_ready():
            if self._process.poll() is not None:
                raise RuntimeError("the server ended")
            time.sleep(0.01)
        return time.perf_counter() - began

    def work(self) -> float:
        """The seconds of processor time that it has taken."""
        assert self._process is not None
        stat = Path(f"/proc/{self._process.pid}/stat").read_text("ascii").rpartition(")")[2].split()
        return (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")

    def is_ready(self) -> bool:
        """Whether it can be asked."""
        try:
            return self.request("GET", "/readyz")[0] == 200
        except OSError:
            return False

    def kill(self) -> None:
        """SIGKILL: it is told nothing."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def request(self, method: str, path: str, content: Any = None) -> tuple[int, bytes]:
        """One request; status and body. OSError where the server is not there."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            body = None if content is None else json.dumps(content).encode()
            connection.request(method, path, body, {"Content-Type": "application/json"})
            reply = connection.getresponse()
            return reply.status, reply.read()
        except http.client.HTTPException as error:
            raise ConnectionError(str(error)) from error
        finally:
            connection.close()

    def ask(self, question: str) -> tuple[str, str] | None:
        """Status and text of an answer; None where there is none."""
        status, body = self.request("POST", "/ask", {"question": question})
        if status != 200:
            return None
        record = json.loads(body)
        return record["status"], record["text"]


def measure(rounds: int, options: list[str], documents: int) -> dict[str, Any]:
    """The figures of so many rounds, with so many documents changed in each."""
    chance = random.Random(7)
    counted = Counted()
    questions = [
        json.loads(line)["question"]
        for line in (EXAMPLES / "questions.jsonl").read_text("utf-8").splitlines()
    ][:20]
    with tempfile.TemporaryDirectory() as place:
        kept = Path(place)
        folder = kept / "docs"
        shutil.copytree(EXAMPLES / "documents", folder, ignore=shutil.ignore_patterns(".pincite"))
        for number in range(documents):
            write(folder, number, 0)
        Index.open_or_build(folder).close()
        server = Server(folder, kept, options)
        server.start()
        expected = {question: server.ask(question) for question in questions}
        counted.answers += len(expected)
        for round_number in range(1, rounds + 1):
            clients = [
                threading.Thread(target=_ask_until_gone, args=(server, seed, expected, counted))
                for seed in range(CLIENTS)
            ]
            for client in clients:
                client.start()
            for number in range(documents):
                write(folder, number, round_number)
            server.request("POST", "/index", {"collection": "docs"})
            time.sleep(chance.uniform(0.2, 4.0))
            server.kill()
            for client in clients:
                client.join()
            began = time.perf_counter()
            counted.ready.append(server.start())
            counted.ready_work.append(server.work())
            question = chance.choice(questions)
            _compare(question, server.ask(question), expected, counted)
            counted.answered.append(time.perf_counter() - began)
        server.kill()
        with Index.open_or_build(folder) as index:
            known = {source.path for source in index.info().documents}
        counted.lost_documents = len(
            {f"rooms/{number:04}.md" for number in range(documents)} - known
        )
        log = AuditLog(kept / "state" / "audit")
        found = check(log)
    return {
        "rounds": rounds,
        "documents changed in each": documents,
        "clients": CLIENTS,
        "other load of the machine": f"{os.getloadavg()[2]:.0f} processes at work, with this",
        "precedence of the server over it (nice)": os.nice(0),
        "ready again s median": round(statistics.median(counted.ready), 2),
        "ready again s most": round(max(counted.ready), 2),
        "of that processor time s median": round(statistics.median(counted.ready_work), 2),
        "of that processor time s most": round(max(counted.ready_work), 2),
        "first answer s median": round(statistics.median(counted.answered), 2),
        "first answer s most": round(max(counted.answered), 2),
        "answers given": counted.answers,
        "entries in the log": found.entries,
        "answers missing in the log": max(0, counted.answers - found.entries),
        "faults of the log": len(found.faults),
        "answers that differ": counted.changed_answers,
        "documents lost": counted.lost_documents,
    }


def write(folder: Path, number: int, version: int) -> None:
    """A document of the folder, as it is in this round."""
    path = folder / "rooms" / f"{number:04}.md"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"# Store room {number}\n\nAs of round {version}.\n\n{_TEXT}\n", "utf-8")


def _ask_until_gone(
    server: Server, seed: int, expected: dict[str, tuple[str, str] | None], counted: Counted
) -> None:
    chance = random.Random(seed)
    questions = sorted(expected)
    while True:
        question = chance.choice(questions)
        try:
            answer = server.ask(question)
        except OSError:
            return
        if answer is not None:
            _compare(question, answer, expected, counted)


def _compare(
    question: str,
    answer: tuple[str, str] | None,
    expected: dict[str, tuple[str, str] | None],
    counted: Counted,
) -> None:
    with counted.lock:
        counted.answers += 1
        counted.changed_answers += answer != expected[question]


def main() -> int:
    """Measure, print and write the table; 1 where anything was lost or differs."""
    parser = argparse.ArgumentParser(prog="python -m bench.kills")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--documents", type=int, default=200)
    parser.add_argument("--lexical", action="store_true")
    parser.add_argument("--out", type=Path, default=RESULTS)
    given = parser.parse_args()
    figures = measure(given.rounds, ["--lexical"] if given.lexical else [], given.documents)
    lines = [
        "# A server that is killed",
        "",
        f"Python {sys.version.split()[0]}, {sys.platform}, {os.cpu_count()} CPUs.",
        "",
        "| what | figure |",
        "| --- | --- |",
        *(f"| {name} | {value} |" for name, value in figures.items()),
    ]
    text = "\n".join(lines) + "\n"
    sys.stdout.write(text)
    (given.out / "kills.md").write_text(text, "utf-8")
    (given.out / "kills.json").write_text(json.dumps(figures, indent=1) + "\n", "utf-8")
    lost = ("answers missing in the log", "faults of the log", "answers that differ")
    return int(any(figures[name] for name in (*lost, "documents lost")))


if __name__ == "__main__":
    sys.exit(main())
