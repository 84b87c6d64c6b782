"""Exact BM25F over the catalogue's own counts.

Robertson, Zaragoza: The Probabilistic Relevance Framework: BM25 and Beyond (2009), section 3.6:
the term frequencies of the fields, each normalised by its length, are added up before they
saturate. The search engine only proposes candidates, because its own scores depend on how its
segments happen to lie; these do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite.protocols import Corpus
from pincite.records import ScoredPassage, TermFrequencies
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
    keys = candidates(terms, corpus, document=document, settings=settings)
    if not keys:
        return []
    scores = score(keys, terms, weights, corpus, settings=settings)
    places = [(path, ordinal) for path, ordinal, _ in corpus.locations(keys)]
    best = top_k(keys, scores, places, limit)
    passages = corpus.passages([key for key, _ in best])
    return [
        ScoredPassage(passage, score, words=score)
        for passage, (_, score) in zip(passages, best, strict=True)
        if score > 0
    ]


def candidates(
    terms: Mapping[str, Sequence[str]],
    corpus: Corpus,
    *,
    document: str | None = None,
    settings: Bm25Settings = DEFAULT,
) -> list[int]:
    """Keys of passages with any of the terms, the best of them certainly among them."""
    every_term = _all(terms)
    if not every_term:
        return []
    return corpus.candidates(every_term, limit=settings.candidates, document=document)


def score(
    keys: Sequence[int],
    terms: Mapping[str, Sequence[str]],
    weights: Mapping[str, float],
    corpus: Corpus,
    *,
    settings: Bm25Settings = DEFAULT,
) -> list[float]:
    """The score of each passage; 0 for one that has no term of the question."""
    every_term = _all(terms)
    frequencies = corpus.term_frequencies(keys, every_term)
    applying = {
        language: [weights.get(term, 0.0) if term in found else 0.0 for term in every_term]
        for language, found in terms.items()
    }
    nothing = [0.0] * len(every_term)
    matched = [applying.get(language, nothing) for _, _, language in corpus.locations(keys)]
    return _scores(frequencies, matched, corpus.statistics().mean_lengths, settings)


def highest(
    terms: Sequence[str], weights: Mapping[str, float], settings: Bm25Settings = DEFAULT
) -> float:
    """What no passage's score for these terms can exceed; 1 where there are none."""
    total = sum(weights.get(term, 0.0) for term in dict.fromkeys(terms))
    return total * (settings.k1 + 1.0) or 1.0


def _all(terms: Mapping[str, Sequence[str]]) -> list[str]:
    return sorted({term for found in terms.values() for term in found})


def _scores(
    frequencies: TermFrequencies,
    weights: Sequence[Sequence[float]],
    means: tuple[float, float, float],
    settings: Bm25Settings,
) -> list[float]:
    """The score of each passage; `weights` are those of the terms that its language asks for."""
    # Numbers one by one: for 200 passages numpy is no quicker, and takes long to load.
    in_title, in_headings, in_body = settings.field_weights
    b_title, b_headings, b_body = settings.length_normalisation
    mean_title, mean_headings, mean_body = (max(mean, 1.0) for mean in means)
    k1 = settings.k1
    scores = []
    for counts, (title, headings, body), own in zip(
        frequencies.counts, frequencies.lengths, weights, strict=True
    ):
        title_norm = 1.0 - b_title + b_title * title / mean_title
        headings_norm = 1.0 - b_headings + b_headings * headings / mean_headings
        body_norm = 1.0 - b_body + b_body * body / mean_body
        score = 0.0
        for (titled, headed, said), weight in zip(counts, own, strict=True):
            if weight and (said or titled or headed):
                frequency = in_body * said / body_norm
                if titled or headed:
                    frequency += (
                        in_title * titled / title_norm + in_headings * headed / headings_norm
                    )
                score += weight * (frequency * (k1 + 1.0) / (frequency + k1))
        scores.append(score)
    return scores
