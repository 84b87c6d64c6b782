"""`pincite serve` as a person runs it: a process of its own, and clients of it."""

from __future__ import annotations

import functools
import json
import os
import signal
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pincite import Index
from tests.cli.conftest import QUESTION, Pincite

pytest.importorskip("fastapi")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")

LONG = 120


class Served:
    """A server and where it is."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        assert process.stderr is not None
        self.told = process.stderr.readline()
        self.address = self.told.rpartition(" on ")[2].strip()

    def get(self, path: str) -> bytes:
        with urllib.request.urlopen(self.address + path, timeout=LONG) as reply:
            return bytes(reply.read())

    def ask(self, question: str) -> bytes:
        request = urllib.request.Request(
            f"{self.address}/ask",
            json.dumps({"question": question}).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=LONG) as reply:
            return bytes(reply.read())

    def end(self, number: int) -> int:
        self.process.send_signal(number)
        return self.process.wait(LONG)


Serve = Callable[..., Served]


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    started: list[subprocess.Popen[str]] = []
    timers: list[threading.Timer] = []

    command, state = (sys.executable, "-m", "pincite", "serve"), str(tmp_path / "state")

    def start(*arguments: str | Path) -> Served:
        process = subprocess.Popen(
            [*command, *map(str, arguments), "--lexical", "--port", "0", "--state", state],
            stderr=subprocess.PIPE,
            text=True,
            # As in a terminal, however these tests were started.
            preexec_fn=functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )
        started.append(process)
        # A hang ends here, and what was waited for is missing.
        timers.append(threading.Timer(LONG, process.kill))
        timers[-1].start()
        return Served(process)

    yield start
    for timer in timers:
        timer.cancel()
    for process in started:
        process.kill()
        process.communicate()


def until_ready(served: Served) -> None:
    deadline = time.monotonic() + LONG
    while time.monotonic() < deadline:
        try:
            served.get("/readyz")
            return
        except urllib.error.HTTPError:
            time.sleep(0.05)
    raise AssertionError("it was not ready in time")


def test_a_folder_is_indexed_and_answers_as_the_command_line_does(
    serve: Serve, folder: Path, pincite: Pincite
) -> None:
    served = serve(folder)
    until_ready(served)
    assert served.told.startswith("pincite: serving documents on http://127.0.0.1:")
    answer = served.ask(QUESTION)
    assert answer == pincite("ask", folder, QUESTION, "--json", "--lexical").stdout
    assert served.end(signal.SIGTERM) == 0


def test_ctrl_c_ends_it_without_a_word(serve: Serve, folder: Path) -> None:
    served = serve(folder)
    until_ready(served)
    assert served.end(signal.SIGINT) == 0
    assert served.process.stderr is not None
    assert served.process.stderr.read() == ""


def test_collections_are_named_or_go_by_their_folders(serve: Serve, folder: Path) -> None:
    served = serve(f"shop={folder}", folder / "products")
    until_ready(served)
    me = json.loads(served.get("/me"))
    assert me["collections"] == [{"name": "products"}, {"name": "shop"}]


def test_after_a_kill_it_answers_again_from_the_same_index_and_log(
    serve: Serve, folder: Path
) -> None:
    first = serve(folder)
    until_ready(first)
    answer = first.ask(QUESTION)
    assert first.end(signal.SIGKILL) == -signal.SIGKILL
    second = serve(folder)
    assert second.ask(QUESTION) == answer
    audit = json.loads(second.get("/audit/verify"))
    assert (audit["whole"], audit["entries"]) == (True, 2)


def test_what_indexes_ends_with_a_server_that_is_killed(serve: Serve, folder: Path) -> None:
    if not Path("/proc").is_dir():
        pytest.skip("children are looked for in /proc")
    served = serve(folder, "--watch")
    until_ready(served)
    children = children_of(served.process.pid)
    assert children
    served.end(signal.SIGKILL)
    deadline = time.monotonic() + LONG
    while any(map(is_alive, children)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(map(is_alive, children))


def test_a_changed_file_answers_anew_where_the_server_watches(serve: Serve, folder: Path) -> None:
    served = serve(folder, "--watch")
    until_ready(served)
    deadline = time.monotonic() + LONG
    text = ""
    days = 45
    while "2 years" not in text and time.monotonic() < deadline:
        days += 1
        # Again and again, as it may not listen to the file system yet.
        (folder / "warranty.md").write_text(f"The warranty of a lamp is 2 years. See {days}.\n")
        time.sleep(1)
        text = json.loads(served.ask("How long is the warranty of a lamp?"))["text"]
    assert text == "The warranty of a lamp is 2 years."


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["missing"], 1, "missing does not exist: give the folder that holds your documents"),
        (["a=documents", "a=documents/products"], 2, "two collections are called 'a'"),
        (["a/b=documents"], 2, "'b=documents' is no name of a collection"),
        (["=documents"], 2, "'=documents' is no name of a collection"),
        (["documents", "--host", "0.0.0.0"], 2, "there are no tokens"),
        (["documents", "--port", "65536"], 2, "65536 is not in the range"),
        ([], 2, "Missing argument 'FOLDER...'"),
    ],
)
def test_what_cannot_be_served_is_said(
    pincite: Pincite,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(folder.parent)
    done = pincite("serve", *arguments)
    assert (done.returncode, done.stdout) == (code, b"")
    assert message in done.stderr.decode()
    assert "Traceback" not in done.stderr.decode()


def test_a_port_that_is_taken_is_said(serve: Serve, folder: Path, pincite: Pincite) -> None:
    Index.open_or_build(folder, lexical=True).close()
    taken = serve(folder).address.rpartition(":")[2]
    done = pincite("serve", folder, "--port", taken, "--lexical")
    assert done.returncode == 1
    told = f"cannot serve at port {taken}: Address already in use: choose another with --port"
    assert told in done.stderr.decode()


def children_of(parent: int) -> list[int]:
    """The processes that it started."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == parent:
            found.append(int(status.parent.name))
    return found


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:1]
    except OSError:
        return False
