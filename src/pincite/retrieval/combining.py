"""The passages that are read for a question: by its words, and by what it means where it can be.

Both say something: words find names, codes and rare terms; vectors find what is said in other
words. The sum of both finds more than either (`docs/decisions/0024-vectors.md`).
"""

from __future__ import annotations

from dataclasses import dataclass

from pincite.protocols import VECTOR_UNIT, Corpus, Query, TextEncoder
from pincite.records import BlockKind, Passage, ScoredPassage
from pincite.retrieval import bm25
from pincite.retrieval.ranking import SCORE_DECIMALS, top_k

READABLE = frozenset({"en", "und"})
"""Languages that the encoder was trained on; passages in others are found by their words."""
_HEADINGS = 2


@dataclass(frozen=True, slots=True)
class CombinedSettings:
    """How words and nearness are weighed against each other."""

    words: float = 0.6
    """Of the score by words, as a share of the highest there can be; the rest is the cosine's."""
    nearest: int = 50
    """How many of the nearest passages are looked at besides those found by words."""
    least: float = 0.3
    """Cosine below which a passage without a word of the question has nothing to do with it."""


DEFAULT = CombinedSettings()


def find(
    query: Query,
    corpus: Corpus,
    encoder: TextEncoder | None = None,
    *,
    limit: int,
    document: str | None = None,
    settings: CombinedSettings = DEFAULT,
) -> list[ScoredPassage]:
    """The `limit` passages that fit best, best first.

    By words alone without an encoder, and where not every passage has a vector of it.
    """
    if encoder is None or not uses_vectors(corpus, encoder):
        return bm25.retrieve(query.terms, query.weights, corpus, limit=limit, document=document)
    (vector,) = encoder.encode_packed([query.text])
    proposed = bm25.candidates(query.terms, corpus, document=document)
    products = corpus.nearness(vector, limit=settings.nearest, keys=proposed, document=document)
    least = settings.least * VECTOR_UNIT**2
    by_words = set(proposed)
    keys = sorted(key for key, product in products.items() if key in by_words or product >= least)
    if not keys:
        return []
    words = bm25.score(keys, query.terms, query.weights, corpus)
    nearness = [products[key] / VECTOR_UNIT**2 for key in keys]
    locations = corpus.locations(keys)
    highest = {
        language: bm25.highest(query.terms.get(language, ()), query.weights)
        for language in sorted({language for _, _, language in locations})
    }
    scores = [
        settings.words * own / highest[language] + (1.0 - settings.words) * near
        for own, near, (_, _, language) in zip(words, nearness, locations, strict=True)
    ]
    places = [(path, ordinal) for path, ordinal, _ in locations]
    best = top_k(range(len(keys)), scores, places, limit)
    passages = corpus.passages([keys[row] for row, _ in best])
    return [
        ScoredPassage(passage, score, words=_rounded(words[row]), nearness=_rounded(nearness[row]))
        for passage, (row, score) in zip(passages, best, strict=True)
    ]


def _rounded(score: float) -> float:
    return round(score, SCORE_DECIMALS)


def uses_vectors(corpus: Corpus, encoder: TextEncoder | None) -> bool:
    """Whether passages are found by vectors as well: where each of them has one."""
    return encoder is not None and corpus.encoder() == encoder.name


def encoded_text(title: str, passage: Passage) -> str:
    """What the vector of a passage is made of: title, last headings, and what can be quoted.

    Empty for a passage in a language that the encoder does not know.
    """
    if passage.language not in READABLE:
        return ""
    start = passage.span.start
    body = " ".join(
        passage.text[sentence.start - start : sentence.end - start].strip()
        for sentence in passage.sentences
        if sentence.kind is not BlockKind.MARKUP
    )
    names = dict.fromkeys((title, *passage.heading_path[-_HEADINGS:]))
    return "\n".join(filter(None, (*names, body))) if body else ""
