"""From files to what the store keeps of them; many files are read in processes of their own.

Whatever may be limited or go wrong while a file is read stays behind this module: its caller sees
the files one by one, in the order asked for, however many processes read them.
"""

from __future__ import annotations

import gc
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import traceback
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from pincite.errors import UnreadableDocument
from pincite.loaders import load
from pincite.records import Extraction, Problem, Source
from pincite.store.files import FoundFile, Stamp, stamp_of, steady
from pincite.store.known import KnownProblem
from pincite.store.packing import PackedPassages, pack_passages
from pincite.text.passages import split_passages

_WORTH_A_PROCESS = 3_000_000
"""Bytes; a process takes about as long to start as these take to read."""
_MOST_PROCESSES = 3
"""More would wait for the one that writes; each takes memory, up to 130 MB."""
_FILES_AHEAD = 2
"""Files begun for each process, the one that is being written included."""
_PARTS_AHEAD = 2
"""Parts of a file that wait to be written."""
_POLL_SECONDS = 0.1


class ReadingStopped(Exception):
    """The process that was reading a file ended; the message says how."""


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document as the store keeps it, but for its passages."""

    source: Source
    extraction: Extraction
    language: str
    stamp: Stamp
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """What came of one file: a document and its passages, or a problem."""

    path: str
    outcome: ReadDocument | KnownProblem
    passages: Iterator[PackedPassages]
    """To be taken before the next file; raises `ReadingStopped`, after which there are no more."""


def read(folder: Path, path: str) -> Reading:
    """Read the file at `path` in `folder`, in this process. Raises OSError where that is not the
    file's fault.
    """
    place = folder / path
    try:
        stamp = stamp_of(place)
    except OSError as error:
        problem = Problem(path, f"cannot be read: {error.strerror}")
        return Reading(path, KnownProblem(problem), iter(()))
    try:
        document = load(place, name=path)
    except UnreadableDocument as error:
        # What the system refuses it may grant next time, without a trace on the file.
        refused = isinstance(error.__cause__, OSError)
        known = KnownProblem(Problem(path, error.reason), None if refused else stamp)
        return Reading(path, known, iter(()))
    passages = split_passages(document)
    outcome = ReadDocument(
        document.source,
        document.extraction,
        document.language,
        steady(stamp, place),
        document.notes,
    )
    packed = pack_passages(document.source.title, passages, document.marks)
    return Reading(path, outcome, packed)


def read_all(folder: Path, files: Sequence[FoundFile]) -> Generator[Reading, None, None]:
    """Read `files` in their order; in several processes where it is worth starting them.

    Close the iterator when leaving it early: that ends the processes.
    """
    count = _process_count(files)
    if count < 2:
        for file in files:
            yield read(folder, file.path)
        return
    with _Readers(folder, count) as readers:
        begun: deque[_Job] = deque()
        for file in files:
            begun.append(readers.begin(file.path))
            if len(begun) == count * _FILES_AHEAD:
                yield _reading(folder, begun.popleft())
        while begun:
            yield _reading(folder, begun.popleft())


def _process_count(files: Sequence[FoundFile]) -> int:
    """How many processes to read in; 1 is this one."""
    # A program that is not Python itself would start itself anew.
    if not sys.executable or getattr(sys, "frozen", False):
        return 1
    worth = sum(file.stamp.size for file in files) // _WORTH_A_PROCESS
    return min(_MOST_PROCESSES, _cores(), len(files), worth)


def _cores() -> int:
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class _Ended:
    """No more of this file: it is all there, or `reason` says why it is not."""

    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Unstarted:
    """There is no process to read the file in."""


_Reply = ReadDocument | KnownProblem | PackedPassages | BaseException | _Ended | _Unstarted


@dataclass(frozen=True, slots=True)
class _Job:
    path: str
    replies: queue.Queue[_Reply]
    """Of one file: its outcome, its passages in parts, `_Ended`; or what was raised instead."""


def _reading(folder: Path, job: _Job) -> Reading:
    reply = job.replies.get()
    if isinstance(reply, (ReadDocument, KnownProblem)):
        return Reading(job.path, reply, _passages(job))
    if isinstance(reply, _Ended):
        # Without a stamp, so that the next run tries again: it may have been another's fault.
        return Reading(job.path, KnownProblem(Problem(job.path, reply.reason)), iter(()))
    if isinstance(reply, BaseException):
        raise reply
    return read(folder, job.path)


def _passages(job: _Job) -> Iterator[PackedPassages]:
    while isinstance(reply := job.replies.get(), PackedPassages):
        yield reply
    if isinstance(reply, BaseException):
        raise reply
    if isinstance(reply, _Ended) and reply.reason:
        raise ReadingStopped(reply.reason)


class _Readers:
    """Processes that read files, each with a thread that waits for it."""

    def __init__(self, folder: Path, count: int) -> None:
        self._folder = folder
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._stopped = threading.Event()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._threads = [
            threading.Thread(target=self._work, name=f"pincite-reader-{number}", daemon=True)
            for number in range(count)
        ]

    def __enter__(self) -> _Readers:
        for thread in self._threads:
            thread.start()
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
            process.kill()
        for thread in self._threads:
            thread.join()

    def begin(self, path: str) -> _Job:
        """Have a file read by the next process that is free."""
        job = _Job(path, queue.Queue(_PARTS_AHEAD))
        self._jobs.put(job)
        return job

    def _work(self) -> None:
        process = self._start()
        try:
            while (job := self._jobs.get()) is not None and not self._stopped.is_set():
                if process is None:
                    self._pass_on(job, _Unstarted())
                elif not self._have_read(process, job):
                    _end(process)
                    process = self._start()
        finally:
            if process is not None:
                _end(process)

    def _start(self) -> subprocess.Popen[bytes] | None:
        """A process that is ready to read; None where there can be none."""
        if self._stopped.is_set():
            return None
        try:
            process = subprocess.Popen(
                [sys.executable, "-c", _SERVE.format([p for p in sys.path if isinstance(p, str)])],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError:
            return None
        # In this order: whoever stops sets the event first and then kills what is in the list.
        self._processes.append(process)
        try:
            ready = not self._stopped.is_set() and bool(_next_reply(process))
        except _GONE:
            ready = False
        if ready:
            return process
        _end(process)
        return None

    def _have_read(self, process: subprocess.Popen[bytes], job: _Job) -> bool:
        """Have a file read and its replies passed on; False if the process ended over it."""
        try:
            assert process.stdin is not None
            pickle.dump((os.fspath(self._folder), job.path), process.stdin)
            process.stdin.flush()
            while True:
                reply = _next_reply(process)
                self._pass_on(job, reply)
                if isinstance(reply, (_Ended, BaseException)):
                    return True
        except _GONE:
            code = _end(process)
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            self._pass_on(job, _Ended(f"the process that was reading it ended ({how})"))
            return False

    def _pass_on(self, job: _Job, reply: _Reply) -> None:
        while not self._stopped.is_set():
            with suppress(queue.Full):
                job.replies.put(reply, timeout=_POLL_SECONDS)
                return


_GONE = (OSError, EOFError, pickle.UnpicklingError)
"""What talking to a process raises that is no more."""
# Not by multiprocessing: it would run the caller's own script anew in each process. What there
# is to import is handed over, as the caller may have changed it.
_SERVE = "import sys; sys.path[:] = {!r}; from pincite.reading import serve; serve()"


def _next_reply(process: subprocess.Popen[bytes]) -> Any:
    assert process.stdout is not None
    return pickle.load(process.stdout)


def _end(process: subprocess.Popen[bytes]) -> int:
    """End `process`; its exit code, or the signal that ended it, negative."""
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):
                stream.close()
    return process.wait()


def serve() -> None:
    """Be a reading process: read the files asked for on standard input until that ends."""
    # Ctrl-C reaches every process of a terminal; the one that writes ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Much is made here and all of it without cycles: looking for those costs a fifth of the time.
    gc.freeze()
    gc.set_threshold(200_000)
    # Whatever prints must not print between the replies.
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    _send(replies, True)
    while True:
        try:
            folder, path = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            reading = read(Path(folder), path)
            _send(replies, reading.outcome)
            for some in reading.passages:
                _send(replies, some)
        except BrokenPipeError:
            return
        except Exception as error:
            _send(replies, _portable(error))
        else:
            _send(replies, _Ended())


def _send(replies: BinaryIO, reply: object) -> None:
    pickle.dump(reply, replies, protocol=pickle.HIGHEST_PROTOCOL)
    replies.flush()


def _portable(error: Exception) -> Exception:
    """`error`, or its description where it cannot be sent to another process."""
    error.add_note("".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError("".join(traceback.format_exception(error)))
    return error
