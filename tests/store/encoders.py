"""A stand-in for the model: texts that share words have vectors near each other."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence

from pincite.protocols import VECTOR_LENGTH


class WordEncoder:
    """A `TextEncoder` that takes no time; `same` maps words to those that mean the same."""

    def __init__(self, name: str = "words", same: dict[str, str] | None = None) -> None:
        self.name = name
        self.given: list[str] = []
        self._same = same or {}

    def encode_packed(self, texts: Sequence[str]) -> list[bytes]:
        self.given += texts
        return [self._packed(text) for text in texts]

    def _packed(self, text: str) -> bytes:
        counts = [0] * VECTOR_LENGTH
        for word in re.findall(r"\w+", text.lower()):
            digest = hashlib.sha256(self._same.get(word, word).encode()).digest()
            # Spread, so that no number is too large for a byte.
            for at in range(0, len(digest), 2):
                counts[int.from_bytes(digest[at : at + 2], "big") % VECTOR_LENGTH] += 1
        length = sum(count * count for count in counts) ** 0.5 or 1.0
        return bytes(min(127, round(count / length * 512)) for count in counts)
