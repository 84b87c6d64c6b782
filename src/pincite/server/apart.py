"""Work on a file done in a process of its own: a hostile file costs itself and nothing else."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from pincite.errors import PinciteError
from pincite.server.errors import TookTooLong
from pincite.serving import limit_memory

T = TypeVar("T")


class WorkFailed(PinciteError):
    """The process ended without a result."""


def apart(work: Callable[..., T], *arguments: Any, seconds: float, memory: int) -> T:
    """What `work`, a function of a module, returns for these arguments in another process.

    `TookTooLong` where that takes more time, `WorkFailed` where it needs more memory or fails.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pincite.server.apart"],
            input=pickle.dumps((memory, work, arguments)),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise TookTooLong(f"it took more than {seconds:g} seconds") from error
    if done.returncode:
        raise WorkFailed("the process that was to do it ended")
    result: T = pickle.loads(done.stdout)
    return result


def main() -> None:
    """Do the work that comes on standard input."""
    results = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Whatever prints must not print into the result.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    memory, work, arguments = pickle.load(sys.stdin.buffer)
    limit_memory(memory)
    with results:
        pickle.dump(work(*arguments), results, protocol=pickle.HIGHEST_PROTOCOL)


if __name__ == "__main__":
    main()
