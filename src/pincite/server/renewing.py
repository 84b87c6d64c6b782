"""Indexing in a process of its own, as seen by the server that started it."""

from __future__ import annotations

import json
import logging
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from pincite.loaders.extracted import LoadSettings
from pincite.records import Progress
from pincite.server.renewer import PROGRESS
from pincite.server.settings import NamedFolder

_END_SECONDS = 5
_log = logging.getLogger("pincite.server")


class Renewal:
    """Brings the index of one folder up to date when told to, or whenever a file changes.

    The process takes no time from the requests but what the machine has left, and ends with the
    server, however that ends. `done` is called with the name after each finished run.
    """

    def __init__(
        self,
        folder: NamedFolder,
        reading: LoadSettings,
        *,
        lexical: bool,
        watch: bool,
        done: Callable[[str], None],
    ) -> None:
        self._folder = folder
        self._reading = reading
        self._lexical = lexical
        self._watch = watch
        self._done = done
        self._lock = threading.Lock()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._threads: list[threading.Thread] = []
        self._running = 0
        self._closed = False
        self.report: dict[str, Any] | None = None
        """The record of the last run that found something to do or was asked for."""
        self.progress: Progress | None = None
        """How far the run is with the files; None where none is being read."""
        self.problem = ""
        """Why the last run failed; empty where it did not."""

    @property
    def is_running(self) -> bool:
        """Whether a run that was asked for is going on."""
        return self._running > 0

    def start(self) -> bool:
        """Begin a run, unless one is going on; whether it began."""
        with self._lock:
            if self._closed or self._running:
                return False
            self._running += 1
            self._begin(watch=False)
            if self._watch:
                self._watch = False
                self._begin(watch=True)
            return True

    def close(self) -> None:
        """End what is going on; nothing that was finished is lost."""
        with self._lock:
            self._closed = True
            processes, threads = list(self._processes), list(self._threads)
        for process in processes:
            process.terminate()
        for process in processes:
            try:
                process.wait(_END_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
        for thread in threads:
            thread.join(_END_SECONDS)

    def _begin(self, *, watch: bool) -> None:
        process = subprocess.Popen(
            [sys.executable, "-m", "pincite.server.renewer"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        thread = threading.Thread(
            target=self._follow, args=(process, watch), name=f"pincite-index-{self._folder.name}"
        )
        self._processes.append(process)
        self._threads.append(thread)
        thread.start()

    def _follow(self, process: subprocess.Popen[bytes], watch: bool) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        task = (
            self._folder.folder,
            self._folder.store,
            self._reading,
            self._lexical,
            watch,
        )
        problem = "" if watch else "the run of indexing was ended"
        # It stays open: the process ends where it is closed.
        with process.stdin, process.stdout:
            with suppress(BrokenPipeError):
                pickle.dump(task, process.stdin)
                process.stdin.flush()
            for line in process.stdout:
                record = json.loads(line)
                if PROGRESS in record:
                    self.progress = Progress(**record[PROGRESS])
                    continue
                self.progress = None
                problem = record.get("error", "")
                if not problem:
                    self.report = record
                    self._done(self._folder.name)
                self.problem = problem
        process.wait()
        with self._lock:
            if problem and not self._closed:
                _log.warning("indexing %s failed: %s", self._folder.name, problem)
            self.problem = problem
            if not watch:
                self._running -= 1
                self.progress = None
            self._processes.remove(process)
            self._threads.remove(threading.current_thread())
