"""A lexical engine in memory: exact, small, with nothing to install."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pincite.protocols import FieldTerms

_WEIGHTS = {"title": 2.0, "headings": 1.5, "body": 1.0}


class PostingsEngine:
    """Keeps who has which term in dictionaries; for corpora that are held in memory anyway.

    Passages that share rarer terms with the question come first: enough to choose candidates.
    """

    def __init__(self) -> None:
        self._weights: dict[int, dict[str, float]] = {}
        self._documents: dict[int, int] = {}
        self._holders: dict[str, set[int]] = {}

    def upsert(self, entries: Iterable[tuple[int, int, FieldTerms]]) -> None:
        """Add passages; replaces equal keys."""
        for key, document_key, fields in entries:
            self.delete((key,))
            weights: dict[str, float] = {}
            for terms, weight in (
                (fields.title, _WEIGHTS["title"]),
                (fields.headings, _WEIGHTS["headings"]),
                (fields.body, _WEIGHTS["body"]),
            ):
                for term, count in Counter(terms).items():
                    # Repeats count less and less, as in BM25, without regard to length.
                    weights[term] = weights.get(term, 0.0) + weight * count / (count + 1.0)
            self._weights[key] = weights
            self._documents[key] = document_key
            for term in weights:
                self._holders.setdefault(term, set()).add(key)

    def delete(self, keys: Iterable[int]) -> None:
        """Remove passages; unknown keys are ignored."""
        for key in keys:
            self._documents.pop(key, None)
            for term in self._weights.pop(key, ()):
                holders = self._holders[term]
                holders.discard(key)
                if not holders:
                    del self._holders[term]

    def commit(self) -> None:
        """Everything written is seen at once."""

    def candidates(
        self, terms: Sequence[str], *, limit: int, document_key: int | None = None
    ) -> tuple[list[int], list[int]]:
        """Keys of the `limit` passages that fit best: the certain ones, then the tied last."""
        scores: dict[int, float] = {}
        for term in dict.fromkeys(terms):
            holders = self._holders.get(term, ())
            for key in holders:
                if document_key is None or self._documents[key] == document_key:
                    gain = self._weights[key][term] / len(holders)
                    scores[key] = scores.get(key, 0.0) + gain
        if len(scores) <= limit:
            return sorted(scores), []
        last = sorted(scores.values(), reverse=True)[limit - 1]
        better = sorted(key for key, score in scores.items() if score > last)
        return better, sorted(key for key, score in scores.items() if score == last)

    def passage_count(self) -> int:
        """Number of passages held."""
        return len(self._weights)
