"""A process that reads files for another one, within the memory it is allowed."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import traceback
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from pincite.reading import read
from pincite.records import Need
from pincite.text.languages import detect


@dataclass(frozen=True, slots=True)
class Ended:
    """No more of this file: it is all there, or `reason` says why it is not."""

    reason: str = ""
    need: Need | None = None
    own_fault: bool = False
    """Reading the same file again would end the same way."""
    is_last: bool = False
    """The process ends as well."""


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
    # What the first file needs is loaded before its time begins to count.
    detect("It is of the things that are to be had and to be in for, and not on, with or by it.")
    _send(replies, True)
    while True:
        try:
            folder, path, settings = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        limit_memory(settings.memory)
        try:
            reading = read(Path(folder), path, settings)
            _send(replies, reading.outcome)
            for some in reading.passages:
                _send(replies, some)
        except BrokenPipeError:
            return
        except MemoryError:
            # What is left may be in pieces: the next file is read in a fresh process.
            _send(replies, _too_large(settings.memory))
            return
        except Exception as error:
            _send(replies, _portable(error))
        else:
            is_worn = _memory_used() > settings.memory // 2
            _send(replies, Ended(is_last=is_worn))
            if is_worn:
                return


def _too_large(memory: int) -> Ended:
    return Ended(
        f"takes more than {memory // 1_000_000} MB of memory to read and was given up: split it "
        "if it is large; if you trust it, allow more memory with --memory-limit",
        need=Need.MEMORY,
        own_fault=True,
        is_last=True,
    )


def limit_memory(memory: int) -> None:
    """Have the system refuse this process more memory than that."""
    if sys.platform == "win32":
        return
    # Not there on Windows.
    import resource

    # What a process writes to, without the libraries and files it has mapped. Only Linux counts
    # all of that as data; elsewhere the whole address space is the next best.
    kind = resource.RLIMIT_DATA if sys.platform == "linux" else resource.RLIMIT_AS
    with suppress(OSError, ValueError):
        _, most = resource.getrlimit(kind)
        resource.setrlimit(kind, (memory if most < 0 else min(memory, most), most))


def _memory_used() -> int:
    """The memory this process has, in bytes; 0 where that is not told."""
    # Not by getrusage: what that tells begins with what the process had that started this one.
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


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
