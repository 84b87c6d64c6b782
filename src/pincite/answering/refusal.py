"""When the best sentence is not good enough, and what to say then."""

from __future__ import annotations

from collections.abc import Iterable

from pincite.protocols import Query
from pincite.records import Passage, RefusalReason
from pincite.text.tokens import terms, tokens

RELATED_SHARE = 0.34
"""Passages that together hold less than this share of the question's weight are not related."""

REFUSAL_TEXT = "The documents do not say."


def missing_words(query: Query, passages: Iterable[Passage], asked: str) -> tuple[str, ...]:
    """The question's words, as it writes them, that none of the passages has; in its order."""
    near = list(passages)
    languages = sorted({passage.language for passage in near}) or sorted(query.terms)
    held = {
        language: frozenset[str]().union(
            *(_terms_held(passage) for passage in near if passage.language == language)
        )
        for language in languages
    }
    # A word is missing where it is in every language: "what" is one to look for in German only.
    lacking = [
        {
            (token.start, token.end)
            for token in tokens(asked, language)
            if token.terms and not any(_is_met(term, held, query, language) for term in token.terms)
        }
        for language in languages
    ]
    places = sorted(set.intersection(*lacking)) if lacking else []
    return tuple(dict.fromkeys(asked[start:end] for start, end in places))


def _is_met(term: str, held: dict[str, frozenset[str]], query: Query, language: str) -> bool:
    return term in held[language] or term not in query.terms.get(language, ())


def _terms_held(passage: Passage) -> frozenset[str]:
    return frozenset(terms(" ".join((passage.text, *passage.heading_path)), passage.language))


def reason_for(query: Query, passages: Iterable[Passage]) -> RefusalReason:
    """Nothing related, or something near that does not say it."""
    best = 0.0
    for passage in passages:
        sought = query.terms.get(passage.language, ())
        total = sum(query.weights.get(term, 0.0) for term in dict.fromkeys(sought))
        held = _terms_held(passage)
        met = sum(query.weights.get(term, 0.0) for term in dict.fromkeys(sought) if term in held)
        best = max(best, met / total if total else 0.0)
    return RefusalReason.NOT_STATED if best >= RELATED_SHARE else RefusalReason.NOTHING_RELATED
