"""When the best sentence is not good enough, and what to say then."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from pincite.answering.follow_up import has_topic, points_back
from pincite.answering.question import common_words, question_terms
from pincite.protocols import Query
from pincite.records import Passage, RefusalReason
from pincite.text.tokens import terms, tokens

RELATED_SHARE = 0.34
"""Passages that together hold less than this share of the question's weight are not related."""

REFUSAL_TEXT = "The documents do not say."

_NO_SPELLING: Mapping[str, str] = MappingProxyType({})

MISSING_NAMED = 3
"""Missing words that an explanation names; the record has them all."""

# What no document says, by what is asked for: how things are now, an opinion, a sum, what will be.
# A question of such a form is only called so when it was refused, and the documents do not have
# the words of the form themselves: they may well give a forecast, an opinion or a total.
_NOT_FOR_DOCUMENTS: dict[str, re.Pattern[str]] = {
    "how things are now": re.compile(
        r"\b(?:weather|forecast|news|headlines|traffic|stock price|exchange rate)\b"
        r"(?=.*\b(?:today|tonight|tomorrow|now|currently|this (?:week|weekend|morning))\b)"
        r"|\bwhat (?:time|day|date) is it\b|\b(?:today|tonight|right now)['’]s? \w+"
        r"|\bwetter\b|\bwie spät ist es\b|\bquelle heure est-il\b|\bqué hora es\b",
        re.IGNORECASE,
    ),
    "an opinion": re.compile(
        r"\b(?:do|would|did|what do) you (?:like|love|hate|prefer|think|believe|feel|enjoy|agree)\b"
        r"|\b(?:what|which) (?:one )?(?:do|would|can|should) you (?:recommend|suggest|choose)\b"
        r"|\byour (?:opinion|favou?rite|view)\b|\b(?:what|which|who) (?:\w+ ){0,3}(?:best|better|"
        r"nicest|prettiest|coolest|worst)\b|\b(?:gefällt|magst|findest) (?:dir|du)\b",
        re.IGNORECASE,
    ),
    "a sum or a count over many places": re.compile(
        r"\b(?:total|sum|average|mean|median) (?:\w+ )?(?:of|number|amount|for|over) "
        r"(?:all|the|each|every)\b"
        r"|\bhow (?:many|much)\b.*\b(?:in total|altogether|all together|combined|overall)\b"
        r"|\b\d+(?:[.,]\d+)?\s*[-+*/×÷]\s*\d+|\b(?:plus|minus|times|divided by) \d",
        re.IGNORECASE,
    ),
    "what will be": re.compile(
        r"\bwill\b.*\b(?:tomorrow|next (?:day|week|month|year|decade)|in the future|some ?day|"
        r"in \d+ years)\b|\bwhat will (?:\w+ ){1,4}(?:be|cost|look)\b|\bpredict\b",
        re.IGNORECASE,
    ),
}


_NO_CONTENT = frozenset(("per", "via", "vs", "etc"))
"""Words that a passage may lack and still answer."""


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
    words = dict.fromkeys(asked[start:end] for start, end in places)
    return tuple(word for word in words if word not in _NO_CONTENT)


def _is_met(term: str, held: dict[str, frozenset[str]], query: Query, language: str) -> bool:
    return term in held[language] or term not in query.terms.get(language, ())


def _terms_held(passage: Passage) -> frozenset[str]:
    return frozenset(terms(" ".join((passage.text, *passage.heading_path)), passage.language))


def is_unclear(query: Query) -> bool:
    """Whether the question says "it" or the like, and neither it nor an earlier turn says what."""
    return points_back(query.text) and not has_topic(query.text)


def reason_for(query: Query, passages: Sequence[Passage]) -> RefusalReason:
    """What no document says, nothing related, or something near that does not say it."""
    if _beyond(query, passages):
        return RefusalReason.NOT_FOR_DOCUMENTS
    best = 0.0
    for passage in passages:
        sought = query.terms.get(passage.language, ())
        total = sum(query.weights.get(term, 0.0) for term in dict.fromkeys(sought))
        held = _terms_held(passage)
        met = sum(query.weights.get(term, 0.0) for term in dict.fromkeys(sought) if term in held)
        best = max(best, met / total if total else 0.0)
    return RefusalReason.NOT_STATED if best >= RELATED_SHARE else RefusalReason.NOTHING_RELATED


def _beyond(query: Query, passages: Iterable[Passage]) -> str:
    """What the question asks for that no document says; empty where one may."""
    near = list(passages)
    for what, form in _NOT_FOR_DOCUMENTS.items():
        found = form.search(query.text)
        if found is None:
            continue
        common = common_words(query.text, ("en",))
        words = {
            passage.language: question_terms(found.group(), passage.language, common=common)
            for passage in near
        }
        if not any(
            words[passage.language] and _terms_held(passage).issuperset(words[passage.language])
            for passage in near
        ):
            return what
    return ""


def _misspelt(spelt: Mapping[str, str]) -> tuple[str, str]:
    words = list(spelt.items())[:MISSING_NAMED]
    told = " ".join(
        f'No document has the word "{word}"; they have "{near}".' for word, near in words
    )
    meant = ", ".join(f'"{near}"' for _, near in words)
    return told, f"If you mean {meant}, ask again with that spelling."


def explained(
    reason: RefusalReason,
    query: Query,
    passages: Sequence[Passage],
    missing: Sequence[str],
    spelt: Mapping[str, str] = _NO_SPELLING,
    elsewhere: Sequence[str] = (),
) -> tuple[str, str]:
    """The reason in a sentence, and what to do next in another.

    `spelt` gives for words that no document has one that is spelt nearly so; `elsewhere` are the
    missing words that other passages have.
    """
    if spelt and reason in (RefusalReason.NOTHING_RELATED, RefusalReason.NOT_STATED):
        return _misspelt(spelt)
    match reason:
        case RefusalReason.NOTHING_TO_LOOK_FOR:
            return (
                "The question has no word that could be looked for.",
                "Name in a word or two what you want to know.",
            )
        case RefusalReason.UNCLEAR:
            return (
                "The question does not say what is meant, and no earlier question does.",
                'Name it: not "How much is it?" but "How much is express delivery?".',
            )
        case RefusalReason.NOT_FOR_DOCUMENTS:
            return (
                f"The question asks for {_beyond(query, passages)}, which these documents do not "
                "give; Pincite only quotes.",
                "Ask for what the documents state, and conclude from the quotes yourself.",
            )
        case RefusalReason.NOTHING_RELATED:
            return (
                "Nothing in the documents is about this.",
                "Ask in other words, or add a document that says it.",
            )
        case RefusalReason.NOT_STATED:
            named = ", ".join(f'"{word}"' for word in missing[:MISSING_NAMED])
            lack = f"mentions {named}" if named else "states it"
            advice = "Read the nearest passages, or ask in the words that the documents use"
            if elsewhere:
                other = ", ".join(f'"{word}"' for word in elsewhere[:MISSING_NAMED])
                advice += f"; other passages have {other}"
            return f"Some passages come near, but none of them {lack}.", f"{advice}."
        case RefusalReason.STALE:
            return (
                "What came nearest stands in files that were changed or removed since they were "
                "indexed, or that cannot be read any more.",
                "Bring the index up to date and ask again.",
            )
