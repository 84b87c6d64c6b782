"""Reads a question and a sentence together and says how well the one answers the other.

The same numbers for a pair whatever it is read with: every pair runs through the model by itself,
on one thread, and what comes out is rounded far above the last bits of a float.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from pincite.encoder.session import READER, open_model, processors, word_pieces

if TYPE_CHECKING:
    import onnxruntime

PAIR_TOKENS = 96
"""Word pieces read of a pair; the longer of the two, as a rule the text, is cut off."""
DECIMALS = 3


class CloseReader:
    """A small transformer trained to tell sentences that answer; safe to share among threads.

    Loads the model (23 MB) on first use, not before. `threads` is how many pairs run at once, by
    default one for each processor this process may use; it changes no result.
    """

    def __init__(self, *, threads: int | None = None) -> None:
        if threads is not None and threads < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        self._threads = threads or processors()
        self._lock = threading.Lock()
        self._session: onnxruntime.InferenceSession | None = None

    def read(self, question: str, texts: Sequence[str]) -> list[float]:
        """For each text the log-odds that it answers, rounded; empty for no texts.

        Raises MissingExtra where onnxruntime or the model files are not installed.
        """
        if not texts:
            return []
        # Not at the top: judging by words alone needs no numpy.
        import numpy as np

        session = self._load()
        pieces = word_pieces()

        def run(row: int) -> float:
            ids, types = pieces.pair(question, texts[row], PAIR_TOKENS)
            inputs = {
                "token_ids": np.array([ids], np.int64),
                "types": np.array([types], np.int64),
            }
            return round(float(session.run(["answers"], inputs)[0][0][0]), DECIMALS)

        if self._threads == 1 or len(texts) == 1:
            return [run(row) for row in range(len(texts))]
        with ThreadPoolExecutor(self._threads, "pincite-reader") as pool:
            return list(pool.map(run, range(len(texts))))

    def _load(self) -> onnxruntime.InferenceSession:
        with self._lock:
            if self._session is None:
                self._session = open_model(READER)
            return self._session
