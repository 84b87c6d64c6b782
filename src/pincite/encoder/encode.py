"""Text to sentence vectors, the same bytes for a text whatever it is encoded with.

A float32 sum depends on its order, and kernels choose the order by the shape of a batch and the
number of threads: vectors of one text differ by up to 9e-8 between batch sizes. So every text
runs through the model by itself, on one thread; several cores take several texts.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from pincite.encoder.session import ENCODER, open_model, processors, word_pieces
from pincite.protocols import VECTOR_LENGTH, VECTOR_UNIT

if TYPE_CHECKING:
    import numpy as np
    import onnxruntime
    from numpy.typing import NDArray

DIMENSIONS = VECTOR_LENGTH
MAX_TOKENS = 256
"""Word pieces the model reads of a text, the two that frame it included; the rest is cut off."""


class Encoder:
    """all-MiniLM-L6-v2 with int8 weights and float32 arithmetic; safe to share among threads.

    Loads the model (23 MB) on first use, not before. `threads` is how many texts run at once,
    by default one for each processor this process may use; it changes no result.
    """

    name = "minilm/1"

    def __init__(self, *, threads: int | None = None) -> None:
        if threads is not None and threads < 1:
            raise ValueError(f"threads must be at least 1, not {threads}")
        self._threads = threads or processors()
        self._lock = threading.Lock()
        self._session: onnxruntime.InferenceSession | None = None

    def __reduce__(self) -> tuple[object, ...]:
        # A copy, as for another process, loads the model itself.
        return functools.partial(Encoder, threads=self._threads), ()

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of `DIMENSIONS` numbers for each text, each of length 1, in the given order.

        An empty text has a vector too; no texts give an array of no rows. Raises MissingExtra
        where onnxruntime or the model files are not installed.
        """
        if isinstance(texts, str):
            raise ValueError("encode takes a sequence of texts, not one text")
        import numpy as np  # Asking by words alone does without.

        vectors = np.empty((len(texts), DIMENSIONS), np.float32)
        if not len(texts):
            return vectors
        session = self._load()
        pieces = word_pieces()

        def run(row: int) -> None:
            tokens = np.array([pieces.framed(texts[row], MAX_TOKENS)], np.int64)
            vectors[row] = session.run(["embedding"], {"token_ids": tokens})[0][0]

        if self._threads == 1 or len(texts) == 1:
            for row in range(len(texts)):
                run(row)
        else:
            with ThreadPoolExecutor(self._threads, "pincite-encoder") as pool:
                for _ in pool.map(run, range(len(texts))):
                    pass
        return vectors

    def encode_packed(self, texts: Sequence[str]) -> list[bytes]:
        """For each text its vector in signed bytes, for search; raises like `encode`.

        A number is rounded to a whole of `VECTOR_UNIT` parts. The few that are too large for a
        byte are cut off.
        """
        import numpy as np

        whole = np.rint(self.encode(texts) * np.float32(VECTOR_UNIT))
        rows = np.clip(whole, -127, 127).astype(np.int8)
        return [row.tobytes() for row in rows]

    def token_ids(self, text: str) -> list[int]:
        """The word pieces the model reads for `text`, framed by [CLS] and [SEP]."""
        return word_pieces().framed(text, MAX_TOKENS)

    def _load(self) -> onnxruntime.InferenceSession:
        with self._lock:
            if self._session is None:
                self._session = open_model(ENCODER)
            return self._session
