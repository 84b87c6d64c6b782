"""Exact BM25F over the catalogue's own counts.

Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond (2009), section 3.6:
the term frequencies of the fields, each normalised by its length, are added up before they
saturate. The search engine only proposes candidates, because its own scores depend on how its
segments happen to lie; these do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pincite.protocols import Corpus
from pincite.records import ScoredPassage
from pincite.retrieval.ranking import top_k


@dataclass(frozen=True, slots=True)
class Bm25Settings:
    """Weights and length normalisation of the fields title, headings, body."""

    k1: float = 1.2
    field_weights: tuple[float, float, float] = (2.0, 1.0, 1.0)
    length_normalisation: tuple[float, float, float] = (0.3, 0.3, 0.6)
    candidates: int = 200
    """How many passages the engine proposes; the rest is never looked at."""


DEFAULT = Bm25Settings()


def retrieve(
    terms: Mapping[str, Sequence[str]],
    weights: Mapping[str, float],
    corpus: Corpus,
    *,
    limit: int,
    document: str | None = None,
    settings: Bm25Settings = DEFAULT,
) -> list[ScoredPassage]:
    """The `limit` best passages for the question, best first; none when no term occurs.

    `terms` holds the question's terms by language: a passage is matched by those of its own
    language. `weights` gives each term's weight (inverse document frequency).
    """
    every_term = sorted({term for found in terms.values() for term in found})
    if not every_term:
        return []
    keys = corpus.candidates(every_term, limit=settings.candidates, document=document)
    if not keys:
        return []
    frequencies = corpus.term_frequencies(keys, every_term)
    counts = np.asarray(frequencies.counts, dtype=np.float64).reshape(len(keys), len(every_term), 3)
    lengths = np.asarray(frequencies.lengths, dtype=np.float64).reshape(len(keys), 3)
    locations = corpus.locations(keys)
    means = corpus.statistics().mean_lengths

    saturated = np.zeros((len(keys), len(every_term)))
    for field in range(3):
        b = settings.length_normalisation[field]
        norm = 1.0 - b + b * lengths[:, field] / max(means[field], 1.0)
        saturated += settings.field_weights[field] * counts[:, :, field] / norm[:, None]
    saturated = saturated * (settings.k1 + 1.0) / (saturated + settings.k1)

    scores = np.zeros(len(keys))
    applies = {language: frozenset(found) for language, found in terms.items()}
    languages = [language for _, _, language in locations]
    for column, term in enumerate(every_term):
        mask = np.array([term in applies.get(language, ()) for language in languages])
        scores += weights.get(term, 0.0) * saturated[:, column] * mask
    places = [(path, ordinal) for path, ordinal, _ in locations]
    best = top_k(keys, scores.tolist(), places, limit)
    passages = corpus.passages([key for key, _ in best])
    return [
        ScoredPassage(passage, score)
        for passage, (_, score) in zip(passages, best, strict=True)
        if score > 0
    ]
