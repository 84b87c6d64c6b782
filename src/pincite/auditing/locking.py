"""One writer at a time, across processes; the system takes the lock back from one that ends."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_WAIT_SECONDS = 0.01
_LONGEST_WAIT = 30.0

if sys.platform == "win32":
    import msvcrt

    def _try(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)

    def _release(file: int) -> None:
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _release(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the lock in the file at `path`; TimeoutError where another holds it for too long."""
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        until = time.monotonic() + _LONGEST_WAIT
        while True:
            try:
                _try(file)
                break
            except OSError as error:
                if time.monotonic() > until:
                    raise TimeoutError(f"another process keeps {path} locked") from error
                time.sleep(_WAIT_SECONDS)
        try:
            yield
        finally:
            _release(file)
    finally:
        os.close(file)
