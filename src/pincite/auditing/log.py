"""A log in a directory: written line by line, each on disk before the next.

`log` holds the lines; `head` says which was the last, so that a log cut short is seen, and not
written on; `lock` keeps writers apart; every `CHECKPOINT_EVERY` entries the head is kept in
`checkpoints` as well. Threads that write at once wait for the disk together.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pincite.auditing.entries import (
    ANSWER,
    ERASURE,
    FIRST,
    RECOVERY,
    REFUSAL,
    Entry,
    Line,
    canonical,
    parsed,
)
from pincite.auditing.locking import locked
from pincite.auditing.private import make_private, private
from pincite.errors import AuditDamaged, AuditNotWritable, PinciteError

CHECKPOINT_EVERY = 100
LOG, HEAD, LOCK, CHECKPOINTS = "log", "head", "lock", "checkpoints"
_CHUNK = 1 << 16
_HEAD_LENGTH = 192
_LONGEST_WAIT = 60
_FIRST_WRITE = 2
"""The most entries that are written before there is a head: a recovery, and what came after it."""


class AuditLog:
    """The log in a directory, which is made when it is first written to.

    Any number of processes and threads may write. Raises `AuditNotWritable` where a line cannot be
    brought to disk, and leaves the log as it was; `AuditDamaged` where its last line is not whole
    in itself or not the one that the head names, which `pincite audit verify` tells more of.

    Each entry is on disk before `append` returns. With `sync_seconds` the operating system alone
    has it by then, and the disk at most so many seconds later, or at `sync`: a process that is
    killed loses nothing either way, a machine without power loses what is not on disk.
    """

    def __init__(
        self,
        directory: Path,
        clock: Callable[[], datetime] | None = None,
        *,
        sync_seconds: float = 0.0,
    ) -> None:
        if not 0 <= sync_seconds <= _LONGEST_WAIT:
            raise ValueError(
                f"entries are brought to disk within 0 to {_LONGEST_WAIT} seconds, "
                f"not {sync_seconds:g}"
            )
        self.directory = directory
        self._sync_seconds = sync_seconds
        self._timer: threading.Timer | None = None
        self._timer_lock = threading.Lock()
        self._unnoted: list[Entry] = []
        """Entries that the head does not name yet, for they may not be on disk."""
        self._fault: AuditNotWritable | None = None
        """Why what was written before could not be brought to disk."""
        self._clock = clock or (lambda: datetime.now(UTC))
        self._known: tuple[int, Entry | None] | None = None
        """The size of the log after this process wrote its last line, and that."""
        self._queue: deque[_Waiting] = deque()
        self._turn = threading.Lock()

    def append(self, kind: str, content: dict[str, Any]) -> Entry:
        """Write an entry with this content, and return when it is as safe as was asked for."""
        if self._fault is not None:
            raise self._fault
        data = _encoded({"nonce": os.urandom(16).hex(), **content})
        waiting = _Waiting(kind, data)
        self._queue.append(waiting)
        with self._turn:
            # Whoever had the turn before may have written this one with its own.
            if waiting.entry is None and waiting.error is None:
                self._write_queue()
        if waiting.entry is None:
            raise waiting.error or AssertionError("nothing was written")
        return waiting.entry

    def sync(self) -> None:
        """Bring to disk what the operating system alone has; nothing is left after it."""
        with self._timer_lock:
            timer, self._timer = self._timer, None
        if timer is None:
            return
        timer.cancel()
        with self._turn, self._writing():
            with open(self.directory / LOG, "rb") as file:
                os.fsync(file.fileno())
            entries, self._unnoted = self._unnoted, []
            head = self.head()
            # Another process may have written on since.
            if entries and (head is None or head["sequence"] < entries[-1].sequence):
                self._note(entries)

    def _sync_soon(self, entries: Sequence[Entry]) -> None:
        # The head is kept behind what is on disk: after a loss of power it must not name more.
        self._unnoted += entries
        with self._timer_lock:
            if self._timer is None:
                self._timer = threading.Timer(self._sync_seconds, self._sync_later)
                self._timer.daemon = True
                self._timer.start()

    def _sync_later(self) -> None:
        try:
            self.sync()
        except (PinciteError, OSError) as error:
            self._fault = AuditNotWritable(self.directory, reason=str(error))

    def _write_queue(self) -> None:
        """Write all that waits, to be brought to disk at once."""
        batch = [self._queue.popleft() for _ in range(len(self._queue))]
        try:
            with self._writing():
                entries = self._append([(one.kind, one.content) for one in batch])
        except Exception as error:
            for one in batch:
                one.error = error
        except BaseException as error:
            for one in batch:
                one.error = AuditNotWritable(self.directory, reason=f"ended by {error!r}")
            raise
        else:
            for one, entry in zip(batch, entries, strict=True):
                one.entry = entry

    def lines(self) -> Iterator[Line]:
        """Every line, oldest first; `AuditDamaged` at the first that is not as it was written.

        A last write that never ended, or has not yet, is no line.
        """
        for number, line in enumerate(self.raw_lines(), start=1):
            if not line.endswith(b"\n"):
                return
            try:
                whole = parsed(line)
                whole.record()
            except ValueError as error:
                raise AuditDamaged(self.directory, detail=f"line {number}: {error}") from error
            yield whole

    def answers(self) -> Iterator[Line]:
        """Every answer and refusal, also those that were erased; `AuditDamaged` as for `lines`."""
        for line in self.lines():
            if line.entry.kind in (ANSWER, REFUSAL):
                if line.content and not line.is_answered():
                    found = f"entry {line.entry.sequence} holds no whole record of an answer"
                    raise AuditDamaged(self.directory, detail=found)
                yield line

    def raw_lines(self, after: int = 0) -> Iterator[bytes]:
        """Every line as it stands in the file, behind so many bytes."""
        path = self.directory / LOG
        if path.exists():
            with path.open("rb") as file:
                file.seek(after)
                yield from file

    def erase(self, sequences: Sequence[int], *, reason: str) -> Entry:
        """Remove the content of entries for good; the chain stays, and an entry says so.

        ValueError for entries that are not there, or are no answers or refusals.
        """
        with self._writing():
            lines = list(self.lines())
            known = {line.entry.sequence: line for line in lines}
            for sequence in sequences:
                if sequence not in known or known[sequence].entry.kind in (ERASURE, RECOVERY):
                    raise ValueError(f"there is no answer or refusal {sequence} in this log")
            # The entry first: content that is gone without one would be a fault.
            told = _encoded({"erased": sorted(set(sequences)), "reason": reason})
            (made,) = self._append([(ERASURE, told)])
            kept = (
                line.entry.line(b"" if line.entry.sequence in sequences else line.content)
                for line in self.lines()
            )
            self._replace(b"".join(kept))
            return made

    def recover(self) -> None:
        """Clear away a last write that never ended; an entry says so."""
        with self._writing(), self._opened() as file:
            self._settle(file)

    def head(self) -> dict[str, Any] | None:
        """What the log itself says its last entry is; None where it has none.

        ValueError where that is no JSON.
        """
        path = self.directory / HEAD
        try:
            return json.loads(path.read_bytes()) if path.exists() else None
        except RecursionError as error:
            raise ValueError("it is no head: nested too deep") from error

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            if self._known is None:
                make_private(self.directory)
            with locked(self.directory / LOCK):
                yield
        except OSError as error:
            raise AuditNotWritable(self.directory, reason=str(error)) from error

    @contextlib.contextmanager
    def _opened(self) -> Iterator[Any]:
        path = self.directory / LOG
        is_new = not path.exists()
        with open(path, "r+b" if not is_new else "x+b", buffering=0, opener=private) as file:
            yield file
        if is_new:
            _sync_directory(self.directory)

    def _append(self, contents: Sequence[tuple[str, bytes]]) -> list[Entry]:
        entries: list[Entry] = []
        with self._opened() as file:
            size, last = self._settle(file)
            # Of a new log the first is written by itself: a longer one has a head.
            for part in (contents[:1], contents[1:]) if last is None else (contents,):
                made = []
                for kind, content in part:
                    last, line = self._next(last, kind, content)
                    made.append((last, line))
                if made:
                    size = self._write(file, size, made)
                    written = [entry for entry, _ in made]
                    entries += written
                    if self._sync_seconds and (self.directory / HEAD).exists():
                        self._sync_soon(written)
                    else:
                        self._note(written)
        return entries

    def _settle(self, file: Any) -> tuple[int, Entry | None]:
        """Where the next line goes, and the entry before it; behind it there is nothing more."""
        size, last = self._last(file)
        self._compare_with_head(last)
        if torn := _torn(file, size):
            file.truncate(size)
            told = {"bytes": len(torn), "sha256": hashlib.sha256(torn).hexdigest()}
            made = self._next(last, RECOVERY, _encoded(told))
            size, last = self._write(file, size, [made]), made[0]
            self._note([last])
        return size, last

    def _compare_with_head(self, last: Entry | None) -> None:
        """Refuse to write on where lines are missing: a new head would hide that they are.

        The head may be behind, where a process ended between the two; it never is ahead.
        """
        sequence = last.sequence if last else 0
        try:
            head = self.head()
        except ValueError as error:
            if sequence <= _FIRST_WRITE:
                return
            raise self._not_to_go_on("its head cannot be read") from error
        if head is None:
            if sequence > _FIRST_WRITE:
                raise self._not_to_go_on("its head is gone")
            return
        match head:
            case {"sequence": int(named), "sha256": str(sha256)}:
                pass
            case _:
                raise self._not_to_go_on("its head is not written as it was")
        if named > sequence:
            raise self._not_to_go_on(
                f"its head names entry {named}, and it ends with {sequence}: cut off"
            )
        if last and named == sequence and sha256 != last.sha256:
            raise self._not_to_go_on(f"entry {sequence} is not the one that its head names")

    def _not_to_go_on(self, found: str) -> AuditDamaged:
        return AuditDamaged(
            self.directory,
            detail=f"{found}; put the whole log back, or keep this one as it is and begin another",
        )

    def _next(self, last: Entry | None, kind: str, content: bytes) -> tuple[Entry, bytes]:
        entry = Entry(
            sequence=last.sequence + 1 if last else 1,
            kind=kind,
            time=self._clock().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            content_sha256=hashlib.sha256(content).hexdigest(),
            previous=last.sha256 if last else FIRST,
        )
        return entry, entry.line(content)

    def _write(self, file: Any, size: int, made: Sequence[tuple[Entry, bytes]]) -> int:
        """Bring lines to disk from `size` on; where the log then ends."""
        data = b"".join(line for _, line in made)
        try:
            file.seek(size)
            written = 0
            while written < len(data):
                written += file.write(data[written:])
            if not self._sync_seconds:
                os.fsync(file.fileno())
        except OSError:
            # Such as a full disk: half a line would be in the way of the next.
            with contextlib.suppress(OSError):
                file.truncate(size)
            raise
        self._known = (size + len(data), made[-1][0])
        return size + len(data)

    def _last(self, file: Any) -> tuple[int, Entry | None]:
        """Where the last whole line ends, and its entry."""
        size = file.seek(0, os.SEEK_END)
        if self._known and self._known[0] == size:
            return self._known
        end, tail = size, b""
        while end > 0 and tail.count(b"\n") < 2:
            start = max(0, end - _CHUNK)
            file.seek(start)
            tail = file.read(end - start) + tail
            end = start
        whole = tail.rfind(b"\n") + 1
        if not whole:
            return 0, None
        line = tail[tail.rfind(b"\n", 0, whole - 1) + 1 : whole]
        try:
            return size - len(tail) + whole, parsed(line).entry
        except ValueError as error:
            raise AuditDamaged(self.directory, detail=f"its last line: {error}") from error

    def _note(self, entries: Sequence[Entry]) -> None:
        """Keep which entry is the last; the log is complete without, so nothing waits for it."""
        # Over the old one, as long as it: a process that is killed leaves the one or the other.
        file = os.open(self.directory / HEAD, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            is_new = not os.fstat(file).st_size
            os.write(file, _head_of(entries[-1]).ljust(_HEAD_LENGTH))
            if is_new:
                # Without power, an empty file would be left, which no later write could compare.
                os.fsync(file)
        finally:
            os.close(file)
        for entry in entries:
            if entry.sequence % CHECKPOINT_EVERY == 0:
                make_private(self.directory / CHECKPOINTS)
                path = self.directory / CHECKPOINTS / f"{entry.sequence:012}"
                with open(path, "wb", opener=private) as checkpoint:
                    checkpoint.write(_head_of(entry))

    def _replace(self, data: bytes) -> None:
        path, new = self.directory / LOG, self.directory / (LOG + ".new")
        try:
            with open(new, "wb", opener=private) as file:
                # Whoever was let read it on purpose still may.
                shutil.copymode(path, new)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, path)
        finally:
            # Such as on a full disk: what is to be erased must not lie about in another file.
            new.unlink(missing_ok=True)
        _sync_directory(self.directory)
        self._known = None


@dataclass(slots=True)
class _Waiting:
    """What a thread wants to have written, and what came of it."""

    kind: str
    content: bytes
    entry: Entry | None = None
    error: Exception | None = None


def _head_of(entry: Entry) -> bytes:
    return canonical({"sequence": entry.sequence, "sha256": entry.sha256, "time": entry.time})


def _encoded(content: dict[str, Any]) -> bytes:
    # ASCII: a lone surrogate, which a path may have, has no UTF-8; and no line end can come in.
    return json.dumps(content, separators=(",", ":"), allow_nan=False).encode("ascii")


def _torn(file: Any, size: int) -> bytes:
    """What stands behind the last whole line: a write that never ended."""
    file.seek(size)
    return bytes(file.read())


def _sync_directory(directory: Path) -> None:
    if os.name == "posix":
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
