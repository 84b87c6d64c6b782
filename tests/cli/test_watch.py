"""`pincite watch` as a person runs it: a process of its own, and files that really change."""

from __future__ import annotations

import functools
import json
import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from pincite import Index, planning
from pincite import watching as watching_module
from pincite.encoder.encode import Encoder
from pincite.errors import StoreNotFound
from pincite.render import load_schema
from pincite.store import store_directory
from pincite.store.writer import open_writer

pytest.importorskip("watchfiles")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")

Watcher = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def watching(folder: Path) -> Iterator[Watcher]:
    started: list[subprocess.Popen[str]] = []
    timers: list[threading.Timer] = []

    def start(*options: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "pincite", "watch", str(folder), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            # As in a terminal, however these tests were started.
            preexec_fn=functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        )
        started.append(process)
        # A hang ends here, and the line waited for is missing.
        timers.append(threading.Timer(120, process.kill))
        timers[-1].start()
        return process

    yield start
    for timer in timers:
        timer.cancel()
    for process in started:
        process.kill()
        process.communicate()


def next_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def test_each_change_is_a_line_and_is_answered_from(watching: Watcher, folder: Path) -> None:
    process = watching()
    assert {next_line(process), next_line(process)} == {
        "added: products/lamp.txt\n",
        "added: returns.md\n",
    }
    (folder / "opera.txt").write_text("Beethoven composed the opera Fidelio.")
    assert next_line(process) == "added: opera.txt\n"
    with Index.open(folder) as index:
        assert "Beethoven" in index.ask("Who composed the opera Fidelio?").text
    (folder / "opera.txt").write_text("Mozart composed the opera Figaro.")
    assert next_line(process) == "changed: opera.txt\n"
    (folder / "new").mkdir()
    (folder / "opera.txt").rename(folder / "new" / "opera.txt")
    assert next_line(process) == "added: new/opera.txt\n"
    assert next_line(process) == "removed: opera.txt\n"
    (folder / ".pinciteignore").write_text("new\n")
    assert next_line(process) == "removed: new/opera.txt\n"
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=60) == ("", "")
    assert process.returncode == 0


@pytest.mark.skipif(sys.platform == "darwin", reason="names are UTF-8 there")
def test_a_name_in_no_encoding_does_not_end_it(watching: Watcher, folder: Path) -> None:
    process = watching()
    next_line(process), next_line(process)
    with open(os.fsencode(folder) + b"/caf\xe9.txt", "w") as file:
        file.write("The café opens at noon.")
    assert next_line(process) == "added: caf\\udce9.txt\n"
    (folder / "opera.txt").write_text("Beethoven composed the opera Fidelio.")
    assert next_line(process) == "added: opera.txt\n"


def test_as_json_each_run_is_a_record_on_a_line(watching: Watcher, folder: Path) -> None:
    process = watching("--json")
    validator = Draft202012Validator(load_schema("index-1"))
    first = json.loads(next_line(process))
    validator.validate(first)
    (folder / "returns.md").unlink()
    second = json.loads(next_line(process))
    validator.validate(second)
    assert (first["index"]["generation"], second["index"]["generation"]) == (1, 2)
    assert second["removed"] == ["returns.md"]


def test_while_another_process_writes_it_waits(watching: Watcher, folder: Path) -> None:
    process = watching()
    next_line(process), next_line(process)
    with open_writer(store_directory(folder)):
        (folder / "opera.txt").write_text("Beethoven composed the opera Fidelio.")
        assert process.stderr is not None
        assert "another process is writing" in process.stderr.readline()
    assert next_line(process) == "added: opera.txt\n"


def test_when_the_folder_goes_it_ends_and_says_so(watching: Watcher, folder: Path) -> None:
    process = watching()
    next_line(process), next_line(process)
    shutil.rmtree(folder)
    output = process.communicate(timeout=60)
    assert process.returncode == 1
    assert f"{folder} does not exist" in output[1]


def test_once_it_is_quiet_the_words_that_went_are_wiped_from_a_large_index_too(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "_SOON_WRITTEN", 1)
    monkeypatch.setattr(watching_module, "_QUIET_LOOKS", 2)
    stop = threading.Event()
    reports: queue.Queue[object] = queue.Queue()

    def run() -> None:
        for report in watching_module.watch(folder, stop=stop):
            reports.put(report)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        reports.get(timeout=120)
        (folder / "returns.md").write_text("Ask us.")
        reports.get(timeout=120)
        with Index.open(folder) as index:
            wait_until(index.holds_nothing_else)
    finally:
        stop.set()
        thread.join()
    stored = [path.read_bytes() for path in (folder / ".pincite").rglob("*") if path.is_file()]
    assert not any(b"deliveri" in data or b"delivery" in data for data in stored)


def test_passages_get_their_vectors_while_nothing_changes(folder: Path) -> None:
    stop = threading.Event()
    thread = threading.Thread(
        target=lambda: list(watching_module.watch(folder, encoder=Encoder(), stop=stop))
    )
    thread.start()
    try:
        wait_until(lambda: (folder / ".pincite").is_dir() and unencoded(folder) == 0)
        (folder / "more.md").write_text("Islands take two extra days.")
        wait_until(lambda: unencoded(folder) == 0 and "more.md" in documents(folder))
    finally:
        stop.set()
        thread.join()


def unencoded(folder: Path) -> int:
    try:
        with Index.open(folder) as index:
            return index.unencoded
    except StoreNotFound:
        return -1


def documents(folder: Path) -> list[str]:
    with Index.open(folder) as index:
        return [document.path for document in index.info().documents]


def wait_until(holds: Callable[[], bool]) -> None:
    for _ in range(1200):
        if holds():
            return
        time.sleep(0.1)
    raise TimeoutError
