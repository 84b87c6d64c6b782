"""Runs a command and says what it took: `python -m bench.child COMMAND ...`.

A process's peak memory is inherited from the one that started it, until it is larger by itself.
So commands are started from this one, which is small, and not from the bench, which is not.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

PINCITE = (sys.executable, "-c", "import sys; from pincite.cli import main; sys.exit(main())")


@dataclass(frozen=True, slots=True)
class Ran:
    """A finished command: what it printed, and what it took."""

    output: str
    seconds: float
    cpu_seconds: float
    """On all cores, user and system: what is left of a time when the machine is busy."""
    peak_bytes: int


def run(
    command: Sequence[str],
    *,
    given: str = "",
    environment: Mapping[str, str] | None = None,
    codes: Sequence[int] = (0,),
) -> Ran:
    """Run `command` with `given` on its stdin; RuntimeError unless it exits with one of `codes`."""
    finished = subprocess.run(
        [sys.executable, "-m", "bench.child", *command],
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=environment,
        check=False,
    )
    if finished.returncode != 0:
        raise RuntimeError(f"could not run {command}:\n{finished.stderr}")
    report: dict[str, Any] = json.loads(finished.stdout)
    if report["code"] not in codes:
        raise RuntimeError(f"{command} exited with {report['code']}:\n{report['errors']}")
    return Ran(report["output"], report["seconds"], report["cpu_seconds"], report["peak_bytes"])


def main() -> None:
    started = time.perf_counter()
    finished = subprocess.run(
        sys.argv[1:],
        stdin=sys.stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    seconds = time.perf_counter() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Linux counts kibibytes, macOS bytes.
    unit = 1 if sys.platform == "darwin" else 1024
    report = {
        "code": finished.returncode,
        "output": finished.stdout,
        "errors": finished.stderr,
        "seconds": seconds,
        "cpu_seconds": used.ru_utime + used.ru_stime,
        "peak_bytes": used.ru_maxrss * unit,
    }
    print(json.dumps(report))


if __name__ == "__main__":
    main()
