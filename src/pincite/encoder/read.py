"""Reads a question and a sentence together and says how well the one answers the other.

The same numbers for a pair whatever it is read with: every pair runs through the model by itself,
on one thread, and what comes out is rounded far above the last bits of a float.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from pincite.encoder.session import processors, sound, tokenizer_and_session

if TYPE_CHECKING:
    import onnxruntime
    import tokenizers

PAIR_TOKENS = 96
"""Word pieces read of a pair; the question is read whole, the text is cut off."""
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
        self._loaded: tuple[tokenizers.Tokenizer, onnxruntime.InferenceSession] | None = None

    def read(self, question: str, texts: Sequence[str]) -> list[float]:
        """For each text the log-odds that it answers, rounded; empty for no texts.

        Raises MissingExtra where onnxruntime, tokenizers or the model files are not installed.
        """
        if not texts:
            return []
        # Not at the top: judging by words alone needs no numpy.
        import numpy as np

        tokenizer, session = self._load()
        asked = sound(question)
        encoded = tokenizer.encode_batch([(asked, sound(text)) for text in texts])

        def run(row: int) -> float:
            pair = encoded[row]
            inputs = {
                "token_ids": np.array([pair.ids], np.int64),
                "types": np.array([pair.type_ids], np.int64),
            }
            return round(float(session.run(["answers"], inputs)[0][0][0]), DECIMALS)

        if self._threads == 1 or len(texts) == 1:
            return [run(row) for row in range(len(texts))]
        with ThreadPoolExecutor(self._threads, "pincite-reader") as pool:
            return list(pool.map(run, range(len(texts))))

    def _load(self) -> tuple[tokenizers.Tokenizer, onnxruntime.InferenceSession]:
        with self._lock:
            if self._loaded is None:
                tokenizer, session = tokenizer_and_session("reader.onnx")
                # A question longer than this leaves no room for a text: it is cut as well.
                tokenizer.enable_truncation(PAIR_TOKENS, strategy="longest_first")
                self._loaded = tokenizer, session
            return self._loaded
