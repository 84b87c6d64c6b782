"""Reads one file as indexing would, in a process of its own, and checks what comes of it.

`python -m bench.format_child FILE NAME` prints two JSON lines: what reading took and gave, and,
when there is a document, what the checks found. While the file is read, whatever opens a
connection, starts a program or writes a file fails, and is told.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from bench import format_checks
from pincite.errors import UnreadableDocument
from pincite.loaders import load
from pincite.text.languages import detect
from pincite.text.passages import split_passages

_FORBIDDEN = (
    *("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.gethostbyname"),
    *("socket.sendto", "subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork"),
    *("os.startfile", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "os.link", "os.symlink"),
    *("os.truncate", "os.chmod", "os.chown", "os.utime", "shutil.", "tempfile."),
    *("webbrowser.open", "urllib.Request", "ftplib.connect", "smtplib.connect"),
)
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Guard:
    """Raises PermissionError for what reading a file may not do, and keeps what was tried."""

    def __init__(self) -> None:
        self.tried: list[str] = []
        self._is_on = False
        sys.addaudithook(self._hear)

    def __enter__(self) -> Guard:
        # Libraries that are not Python are not heard; what they would write comes to nothing.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        self._is_on = True
        return self

    def __exit__(self, *_: object) -> None:
        self._is_on = False
        with suppress(ValueError, OSError):
            resource.setrlimit(
                resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
            )

    def _hear(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self._is_on:
            return
        if event == "open":
            flags = arguments[2] if isinstance(arguments[2], int) else 0
            if not flags & _WRITES:
                return
        elif not event.startswith(_FORBIDDEN):
            return
        self.tried.append(f"{event} {arguments!r}"[:200])
        raise PermissionError(f"not while a file is read: {event}")


def peak_bytes() -> int:
    """The most memory this process has taken; not what started it, where that can be told."""
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def main() -> None:
    path, name = Path(sys.argv[1]), sys.argv[2]
    # Once a process, whatever it reads: the language identifier unpacks its model by way of a
    # temporary file.
    detect("Lorem ipsum dolor sit amet")
    guard = Guard()
    started, used = time.perf_counter(), time.process_time()
    document = None
    reason = need = ""
    passages = 0
    with guard:
        try:
            document = load(path, name=name)
            passages = sum(1 for _ in split_passages(document))
        except UnreadableDocument as error:
            reason, need = error.reason, str(error.need or "")
    record: dict[str, Any] = {
        "outcome": "refused" if document is None else "read",
        "seconds": round(time.perf_counter() - started, 3),
        "cpu_seconds": round(time.process_time() - used, 3),
        "peak_bytes": peak_bytes(),
        "forbidden": guard.tried[: format_checks.SHOWN],
    }
    if document is None:
        _print(record | {"reason": reason, "need": need})
        return
    _print(
        record
        | {
            "extractor": document.extraction.extractor,
            "characters": len(document.text),
            "blocks": len(document.blocks),
            "marks": len(document.marks),
            "passages": passages,
            "language": document.language,
            "notes": list(document.notes),
            "needs": [str(one) for one in document.needs],
        }
    )
    wanted = json.loads(sys.stdin.read() or "{}")
    recall, missed = format_checks.recall_in_order(document.text, wanted.get("expected", ""))
    has_marks = bool(document.marks)
    _print(
        {
            "structure": format_checks.structure_faults(document),
            "missing": format_checks.missing_strings(document, wanted.get("must_contain", [])),
            "recall": recall,
            "missed": missed,
            "uncovered": format_checks.uncovered(document) if has_marks else None,
            "places": format_checks.reread_places(document, path.read_bytes(), name)
            if has_marks
            else None,
            "is_the_file": None
            if has_marks or not document.text.strip()
            else format_checks.is_the_file(document.text, path),
        }
    )


def _print(record: dict[str, Any]) -> None:
    print(json.dumps(record), flush=True)


if __name__ == "__main__":
    main()
