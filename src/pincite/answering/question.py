"""A question as it is worked on: its terms, by language, and the kind of answer it wants."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answering.answer_types import expected_types
from pincite.records import Turn
from pincite.text.languages import detect
from pincite.text.stop_words import stop_words
from pincite.text.tokens import tokens

CARRIED_WEIGHT = 0.3
"""What a word taken over from an earlier turn counts, beside one the question has itself."""
SHORT_FOLLOW_UP = 3
"""A question with fewer terms than this is read together with the turn before it."""

_REFERS_BACK = re.compile(
    r"^\W*(?:and|but|what about|how about|und|aber|et|y|e)\b"
    r"|\b(?:it|its|they|them|their|this|that|these|those|he|him|his|she|her|there|one)\b",
    re.IGNORECASE,
)
# Words that say what kind of answer is wanted, not what it is about.
_ASKING = re.compile(
    r"\bhow (?:long|many|much|often|far|soon|quickly|old|tall|big|large)\b"
    r"|\bwhat (?:kind|type|sort) of\b|\bdo you know\b"
    r"|\b(?:can|could) you (?:please )?(?:tell|explain|describe)\b"
    r"|\bi (?:want|need|would like) to (?:know|find)\b",
    re.IGNORECASE,
)


def question_terms(question: str, language: str) -> tuple[str, ...]:
    """The terms of `question` as a text in `language` would have them, in order.

    Words too common in the question's own language are left out as well: to a French document
    the English "the" is a rare word, and would be looked for.
    """
    common = stop_words(detect(question))
    for asked in (_ASKING.sub(" ", question), question):
        found = [
            term
            for token in tokens(asked, language)
            if asked[token.start : token.end].casefold() not in common
            for term in token.terms
        ]
        if found:
            return tuple(found)
    return ()


def carried_terms(question: str, history: Sequence[Turn], language: str) -> tuple[str, ...]:
    """Terms the question leaves to be understood from the user's earlier turn; often none."""
    own = question_terms(question, language)
    asked_before = [turn.text for turn in history if turn.role == "user" and turn.text.strip()]
    if not asked_before or not (len(own) < SHORT_FOLLOW_UP or _REFERS_BACK.search(question)):
        return ()
    return tuple(
        term
        for term in dict.fromkeys(question_terms(asked_before[-1], language))
        if term not in own
    )


__all__ = ["CARRIED_WEIGHT", "carried_terms", "expected_types", "question_terms"]
