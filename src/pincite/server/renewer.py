"""A process that indexes for a server, told what on standard input, and ends with it."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

from pincite.embedding import give_vectors
from pincite.encoder.encode import Encoder
from pincite.errors import PinciteError
from pincite.indexing import update
from pincite.loaders.extracted import LoadSettings
from pincite.protocols import ProgressCallback
from pincite.records import IndexReport, Progress
from pincite.render import dumps, error_to_json, to_json
from pincite.store import store_directory

PROGRESS = "progress"
"""Under this key a line says how far the run is."""
_NICE = 10
"""How much less time it takes than those who answer, where both want it."""
_TELL_SECONDS = 0.2


def main() -> None:
    """Read a task, and do it; a line of JSON for each run."""
    # Ctrl-C reaches every process of a terminal; the server ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICE)
    # Not through a buffer, which would be held by the thread that waits for the end.
    with open(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as given:
        folder, store, settings, lexical, is_watching = pickle.load(given)
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    try:
        if is_watching:
            _watch(folder, store, settings, lexical)
        else:
            _index(folder, store, settings, lexical)
    except PinciteError as error:
        _tell(error)


def _end_with_the_server() -> None:
    # Whatever ends the server closes this; a run that is killed changes nothing.
    with suppress(OSError):
        os.read(sys.stdin.fileno(), 1)
    os._exit(0)


def _index(folder: Path, store: Path | None, settings: LoadSettings, lexical: bool) -> None:
    report = update(folder, store=store, settings=settings, progress=_teller())
    _tell(report)
    if not lexical:
        for _ in give_vectors(folder, store_directory(folder, store), Encoder()):
            pass
        _tell(report)


def _watch(folder: Path, store: Path | None, settings: LoadSettings, lexical: bool) -> None:
    # Nothing else needs the library that it is built on.
    from pincite.watching import watch

    encoder = None if lexical else Encoder()
    for outcome in watch(folder, store=store, settings=settings, encoder=encoder):
        _tell(outcome)


def _teller() -> ProgressCallback:
    """Tells how far the run is, not more often than somebody would look."""
    told = -inf

    def tell(progress: Progress) -> None:
        nonlocal told
        if progress.file_count == progress.files_in_all or monotonic() - told > _TELL_SECONDS:
            told = monotonic()
            _write({PROGRESS: asdict(progress)})

    return tell


def _tell(outcome: IndexReport | PinciteError) -> None:
    if isinstance(outcome, IndexReport):
        _write(to_json(outcome))
    else:
        _write(error_to_json(None, str(outcome)))


def _write(record: Mapping[str, Any]) -> None:
    sys.stdout.write(dumps(record) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
