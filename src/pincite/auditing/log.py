"""A log in a directory: written line by line, each on disk before the next.

`log` holds the lines; `head` says which was the last, so that a log cut short is seen; `lock` keeps
writers apart; every `CHECKPOINT_EVERY` entries the head is kept in `checkpoints` as well.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pincite.auditing.entries import ERASURE, FIRST, RECOVERY, Entry, Line, canonical, parsed
from pincite.auditing.locking import locked
from pincite.errors import AuditDamaged, AuditNotWritable

CHECKPOINT_EVERY = 100
LOG, HEAD, LOCK, CHECKPOINTS = "log", "head", "lock", "checkpoints"
_CHUNK = 1 << 16
_HEAD_LENGTH = 192


class AuditLog:
    """The log in a directory, which is made when it is first written to.

    Any number of processes and threads may write. Raises `AuditNotWritable` where a line cannot be
    brought to disk, and leaves the log as it was; `AuditDamaged` where its last line is not whole
    in itself, which `pincite audit verify` tells more of.
    """

    def __init__(self, directory: Path, clock: Callable[[], datetime] | None = None) -> None:
        self.directory = directory
        self._clock = clock or (lambda: datetime.now(UTC))
        self._known: tuple[int, Entry | None] | None = None
        """The size of the log after this process wrote its last line, and that."""

    def append(self, kind: str, content: dict[str, Any]) -> Entry:
        """Write an entry with this content, and return when it is on disk."""
        data = _encoded({"nonce": os.urandom(16).hex(), **content})
        with self._writing():
            return self._append(kind, data)

    def lines(self) -> Iterator[Line]:
        """Every line, oldest first; `AuditDamaged` at the first that is not as it was written."""
        for number, line in enumerate(self.raw_lines(), start=1):
            try:
                yield parsed(line)
            except ValueError as error:
                raise AuditDamaged(self.directory, detail=f"line {number}: {error}") from error

    def raw_lines(self) -> Iterator[bytes]:
        """Every line as it stands in the file."""
        path = self.directory / LOG
        if path.exists():
            with path.open("rb") as file:
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
            made = self._append(
                ERASURE, _encoded({"erased": sorted(set(sequences)), "reason": reason})
            )
            kept = (
                line.entry.line(b"" if line.entry.sequence in sequences else line.content)
                for line in self.lines()
            )
            self._replace(b"".join(kept))
            return made

    def head(self) -> dict[str, Any] | None:
        """What the log itself says its last entry is; None where it has none."""
        path = self.directory / HEAD
        return json.loads(path.read_bytes()) if path.exists() else None

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            if self._known is None:
                self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
            with locked(self.directory / LOCK):
                yield
        except OSError as error:
            raise AuditNotWritable(self.directory, reason=str(error)) from error

    def _append(self, kind: str, content: bytes) -> Entry:
        path = self.directory / LOG
        is_new = not path.exists()
        with path.open("r+b" if not is_new else "x+b", buffering=0) as file:
            size, last = self._last(file)
            if torn := _torn(file, size):
                file.truncate(size)
                told = {"bytes": len(torn), "sha256": hashlib.sha256(torn).hexdigest()}
                last = self._write(file, size, self._next(last, RECOVERY, _encoded(told)))
                size = self._size
            entry = self._write(file, size, self._next(last, kind, content))
        if is_new:
            _sync_directory(self.directory)
        self._note(entry)
        return entry

    def _next(self, last: Entry | None, kind: str, content: bytes) -> tuple[Entry, bytes]:
        entry = Entry(
            sequence=last.sequence + 1 if last else 1,
            kind=kind,
            time=self._clock().astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ"),
            content_sha256=hashlib.sha256(content).hexdigest(),
            previous=last.sha256 if last else FIRST,
        )
        return entry, entry.line(content)

    def _write(self, file: Any, size: int, made: tuple[Entry, bytes]) -> Entry:
        entry, line = made
        try:
            file.seek(size)
            written = 0
            while written < len(line):
                written += file.write(line[written:])
            os.fsync(file.fileno())
        except OSError:
            # Such as a full disk: half a line would be in the way of the next.
            with contextlib.suppress(OSError):
                file.truncate(size)
            raise
        self._known = (size + len(line), entry)
        return entry

    @property
    def _size(self) -> int:
        assert self._known is not None
        return self._known[0]

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

    def _note(self, entry: Entry) -> None:
        """Keep which entry is the last; the log is complete without, so nothing waits for it."""
        head = canonical({"sequence": entry.sequence, "sha256": entry.sha256, "time": entry.time})
        # Over the old one, as long as it: a process that is killed leaves the one or the other.
        file = os.open(self.directory / HEAD, os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            os.write(file, head.ljust(_HEAD_LENGTH))
        finally:
            os.close(file)
        if entry.sequence % CHECKPOINT_EVERY == 0:
            (self.directory / CHECKPOINTS).mkdir(exist_ok=True)
            (self.directory / CHECKPOINTS / f"{entry.sequence:012}").write_bytes(head)

    def _replace(self, data: bytes) -> None:
        new = self.directory / (LOG + ".new")
        with new.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, self.directory / LOG)
        _sync_directory(self.directory)
        self._known = None


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
