"""The files of a folder read one after another, most kinds of them in processes of their own.

A process is limited in time and memory for each file, so that a hostile file costs itself and
nothing else. Files of text that is read as it stands need none of that, nor the time a process
takes to start. However many processes read, the files come in the order asked for.
"""

from __future__ import annotations

import math
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from pincite.loaders.extracted import DEFAULT, LoadSettings
from pincite.loaders.sniffing import SAMPLE, is_light, looks_light
from pincite.reading import ReadDocument, Reading, ReadingStopped, read
from pincite.records import Need, Problem
from pincite.serving import Ended
from pincite.store.files import FoundFile
from pincite.store.known import KnownProblem
from pincite.store.packing import PackedPassages

_WORTH_A_PROCESS = 3_000_000
"""Bytes of text; a process takes about as long to start as these take to read."""
_HEAVINESS = 5
"""How much longer a byte of other files takes, about."""
_READ_HERE = 1_000_000
"""Bytes; a larger file of text is read in a process of its own as well."""
_MOST_PROCESSES = 3
"""More would wait for the one that writes; each takes memory, up to 130 MB."""
_FILES_AHEAD = 2
"""Files begun for each process, the one that is being written included."""
_PARTS_AHEAD = 2
"""Parts of a file that wait to be written."""
_POLL_SECONDS = 0.1
_TEXT_SPEED = 1_000_000
"""Bytes a second; large files of text have as much time as they take at this speed."""
_PATIENCE = 4
_RECOGNITION = 10
"""How much more time a file has whose pictures are read too."""
_CRASHES = frozenset(
    number
    for name in ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL", "SIGABRT")
    if (number := getattr(signal, name, None)) is not None
)
"""What ends a process through its own doing."""


def read_all(
    folder: Path,
    files: Sequence[FoundFile],
    settings: LoadSettings = DEFAULT,
    *,
    seconds: float | None = None,
) -> Generator[Reading, None, None]:
    """Read `files` in their order; in other processes where they could do harm, or to be quicker.

    After so many `seconds`, if given, what other processes have not read is given up.
    Close the iterator when leaving it early: that ends the processes.
    """
    possible = _can_start_processes()
    count = _process_count(files) if possible else 1
    with _Readers(folder, settings, seconds) as readers:
        begun: deque[_Job | FoundFile] = deque()
        for file in files:
            if possible and (count > 1 or not _is_harmless(folder, file)):
                begun.append(readers.begin(file, at_most=count))
            else:
                begun.append(file)
            if len(begun) == count * _FILES_AHEAD:
                yield _reading(folder, begun.popleft(), settings)
        while begun:
            yield _reading(folder, begun.popleft(), settings)


def _can_start_processes() -> bool:
    # A program that is not Python itself would start itself anew.
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def _process_count(files: Sequence[FoundFile]) -> int:
    """How many processes it is worth reading in; the first of them may be this one."""
    work = sum(file.stamp.size * (1 if looks_light(file.path) else _HEAVINESS) for file in files)
    return max(1, min(_MOST_PROCESSES, _cores(), len(files), work // _WORTH_A_PROCESS))


def _cores() -> int:
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _is_harmless(folder: Path, file: FoundFile) -> bool:
    """Whether the file can be read in this process."""
    if file.stamp.size > _READ_HERE:
        return False
    try:
        with open(folder / file.path, "rb", opener=_open_at_once) as opened:
            return is_light(opened.read(SAMPLE), file.path)
    except OSError:
        # Which reading it will tell.
        return True


def _open_at_once(path: str, flags: int) -> int:
    # Without waiting for a writer: it may have become a pipe since it was listed.
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


@dataclass(frozen=True, slots=True)
class _Unstarted:
    """There is no process to read the file in."""


_Reply = ReadDocument | KnownProblem | PackedPassages | BaseException | Ended | _Unstarted


@dataclass(frozen=True, slots=True)
class _Job:
    file: FoundFile
    replies: queue.Queue[_Reply]
    """Of one file: its outcome, its passages in parts, `Ended`; or what was raised instead."""


def _reading(folder: Path, begun: _Job | FoundFile, settings: LoadSettings) -> Reading:
    if isinstance(begun, FoundFile):
        return read(folder, begun.path, settings)
    path = begun.file.path
    reply = begun.replies.get()
    if isinstance(reply, (ReadDocument, KnownProblem)):
        return Reading(path, reply, _passages(begun))
    if isinstance(reply, Ended):
        return Reading(path, _stopped(begun.file, reply), iter(()))
    if isinstance(reply, BaseException):
        raise reply
    return read(folder, path, settings)


def _passages(job: _Job) -> Iterator[PackedPassages]:
    while isinstance(reply := job.replies.get(), PackedPassages):
        yield reply
    if isinstance(reply, BaseException):
        raise reply
    if isinstance(reply, Ended) and reply.reason:
        raise ReadingStopped(_stopped(job.file, reply))


def _stopped(file: FoundFile, end: Ended) -> KnownProblem:
    # Without a stamp the next run tries again: it may have been another's fault.
    problem = Problem(file.path, end.reason, need=end.need)
    return KnownProblem(problem, file.stamp if end.own_fault else None)


def _time_used(pid: int) -> float | None:
    """Seconds of work that the processors have done for a process; None where that is not told."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class _Process:
    """A process that reads, and the moment by which it has to answer."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self.popen = popen
        self.is_late = False
        self._allowed: float | None = None
        self._since = 0.0
        self._used = 0.0
        self._lock = threading.Lock()

    def reply(self, seconds: float | None = None) -> Any:
        """Its next reply; raises one of `_GONE` where there is none, within `seconds` if given."""
        assert self.popen.stdout is not None
        self._expect_within(seconds)
        try:
            return pickle.load(self.popen.stdout)
        finally:
            self._expect_within(None)

    def _expect_within(self, seconds: float | None) -> None:
        with self._lock:
            if self.is_late:
                raise EOFError
            self._allowed = seconds
            self._since = time.monotonic()
            self._used = 0.0 if seconds is None else _time_used(self.popen.pid) or 0.0

    def kill_if_late(self, *, at_once: bool = False) -> None:
        """End it if it has not answered in time, or `at_once` if it is to answer.

        On a machine with much else to do it has more time, up to four times as much.
        """
        with self._lock:
            if self._allowed is None:
                return
            passed = time.monotonic() - self._since
            if passed <= self._allowed and not at_once:
                return
            used = _time_used(self.popen.pid)
            if (
                at_once
                or used is None
                or used - self._used > passed / 2
                or passed > _PATIENCE * self._allowed
            ):
                self.is_late = True
                self.popen.kill()

    def end(self) -> int:
        """Wait for its end; its exit code, or the signal that ended it, negative."""
        for stream in (self.popen.stdin, self.popen.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()
        return self.popen.wait()


class _Readers:
    """Processes that read files, each with a thread that waits for it; started when needed."""

    def __init__(self, folder: Path, settings: LoadSettings, seconds: float | None) -> None:
        self._folder = folder
        self._settings = settings
        self._in_all = seconds or math.inf
        self._end = time.monotonic() + self._in_all
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._processes: list[_Process] = []
        self._threads: list[threading.Thread] = []
        self._watch = threading.Thread(target=self._kill_late, name="pincite-watch", daemon=True)

    def __enter__(self) -> _Readers:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopped.set()
        for _ in self._threads:
            self._jobs.put(None)
        for process in list(self._processes):
            process.popen.kill()
        for thread in self._threads:
            thread.join()
        if self._threads:
            self._watch.join()

    def begin(self, file: FoundFile, *, at_most: int) -> _Job:
        """Have a file read by the next process that is free, of `at_most` so many."""
        if not self._threads:
            self._watch.start()
        if len(self._threads) < at_most:
            name = f"pincite-reader-{len(self._threads)}"
            self._threads.append(threading.Thread(target=self._work, name=name, daemon=True))
            self._threads[-1].start()
        job = _Job(file, queue.Queue(_PARTS_AHEAD))
        self._jobs.put(job)
        return job

    def _kill_late(self) -> None:
        while not self._stopped.wait(_POLL_SECONDS):
            is_over = self._is_over()
            for process in list(self._processes):
                process.kill_if_late(at_once=is_over)

    def _is_over(self) -> bool:
        return time.monotonic() > self._end

    def _work(self) -> None:
        process = self._start()
        try:
            while (job := self._jobs.get()) is not None and not self._stopped.is_set():
                if process is None:
                    self._pass_on(job, _Unstarted())
                elif not self._have_read(process, job):
                    self._forget(process)
                    process = self._start()
        finally:
            if process is not None:
                process.end()

    def _start(self) -> _Process | None:
        """A process that is ready to read; None where there can be none."""
        if self._stopped.is_set():
            return None
        try:
            popen = subprocess.Popen(
                [sys.executable, "-c", _SERVE.format([p for p in sys.path if isinstance(p, str)])],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                # Nothing is multiplied there; threads for it would only take memory.
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )
        except OSError:
            return None
        process = _Process(popen)
        # In this order: whoever stops sets the event first and then kills what is in the list.
        self._processes.append(process)
        try:
            ready = not self._stopped.is_set() and bool(process.reply())
        except _GONE:
            ready = False
        if ready:
            return process
        self._forget(process)
        return None

    def _forget(self, process: _Process) -> None:
        process.end()
        self._processes.remove(process)

    def _have_read(self, process: _Process, job: _Job) -> bool:
        """Have a file read and its replies passed on; False if the process ended over it."""
        path, settings = job.file.path, self._settings
        allowed = _seconds(job.file, settings)
        left = allowed
        if self._is_over():
            self._pass_on(job, _all_late(self._in_all))
            return True
        try:
            assert process.popen.stdin is not None
            pickle.dump((os.fspath(self._folder), path, settings), process.popen.stdin)
            process.popen.stdin.flush()
            while True:
                begun = time.monotonic()
                reply = process.reply(left)
                # Not the time that the one who writes takes.
                left -= time.monotonic() - begun
                self._pass_on(job, reply)
                if isinstance(reply, (Ended, BaseException)):
                    return not (isinstance(reply, Ended) and reply.is_last)
        except _GONE:
            code = process.end()
            if process.is_late:
                late = _all_late(self._in_all) if self._is_over() else _late(allowed)
                self._pass_on(job, late)
            else:
                self._pass_on(job, _died(code))
            return False

    def _pass_on(self, job: _Job, reply: _Reply) -> None:
        while not self._stopped.is_set():
            with suppress(queue.Full):
                job.replies.put(reply, timeout=_POLL_SECONDS)
                return


def _seconds(file: FoundFile, settings: LoadSettings) -> float:
    """How long a file may take to be read."""
    seconds = settings.seconds * (_RECOGNITION if settings.recognise else 1)
    return max(seconds, file.stamp.size / _TEXT_SPEED) if looks_light(file.path) else seconds


def _late(seconds: float) -> Ended:
    return Ended(
        f"took longer than {seconds:g} seconds to read and was given up: it may be damaged, or "
        "made to do harm; if you trust it, give it more time with --time-limit",
        need=Need.TIME,
        own_fault=True,
    )


def _all_late(seconds: float) -> Ended:
    return Ended(f"the files took longer than {seconds:g} seconds to read together: give fewer")


def _died(code: int) -> Ended:
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    found = f"the process that was reading it ended ({how})"
    if -code in _CRASHES:
        reason = f"{found}: it may be damaged; save it anew with the program it is from"
        return Ended(reason, own_fault=True)
    return Ended(f"{found}: it is tried again at the next run")


_GONE = (OSError, EOFError, pickle.UnpicklingError)
"""What talking to a process raises that is no more."""
# Not by multiprocessing: it would run the caller's own script anew in each process. What there
# is to import is handed over, as the caller may have changed it.
_SERVE = "import sys; sys.path[:] = {!r}; from pincite.serving import serve; serve()"
