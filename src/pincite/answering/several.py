"""Which other sentences answer as well, and where the same words stand again."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answering import answer_types
from pincite.protocols import Query, ScoredCandidate
from pincite.records import Passage

MOST_ANSWERS = 3
"""Quotes of one answer, the first included."""
MOST_PLACES = 5
"""Other places told of one quote."""
SURE = 0.58
"""The first answer has to be so sure: beside a doubtful one stands a guess."""
MARGIN = 1.0
"""Scores are log-odds: within this, another is at least a third as likely to answer."""
LIST_MARGIN = 1.5
"""The same, where several things are asked for."""

_SEVERAL_THINGS = re.compile(
    r"\b(?:which|what)(?: (?:kinds?|types?|sorts?) of)? (?:[\w-]+ ){0,2}?"
    r"(?!is\b|was\b|does\b|has\b)[a-z]{2,}(?<![suiy])s (?:\w+ )?"
    r"(?:are|were|do|did|can|could|may|must|should|will|have|need|"
    r"count|apply|belong|exist|i|you|we)\b"
    r"|\bwhat are (?:the|all|some)\b|\bwho are\b|\b(?:list|name) (?:all|the|some|every)\b"
    r"|\bwelche (?:\w+ )?[A-ZÄÖÜ]\w+(?:en|er|e|s)\b|\bquel(?:le)?s \w+s\b|\bqu[eé] \w+s\b"
    r"|\bcu[aá]les\b|\bquali\b|\bquais\b|\bwelke \w+en\b|\bhvilke\b|\bкакие\b",
    re.IGNORECASE,
)
_NOT_WORDS = re.compile(r"[\W_]+")


def asks_for_several(question: str) -> bool:
    """Whether the question asks for things in the plural: "Which countries do you ship to?"."""
    return bool(_SEVERAL_THINGS.search(question))


def further_answers(
    query: Query, best: ScoredCandidate, scored: Sequence[ScoredCandidate]
) -> list[ScoredCandidate]:
    """The sentences of other passages that answer about as surely as the best; often none.

    Beside a best one that is not sure itself only those under the same heading of another document:
    of two booklets of one kind the question did not say which. None that lacks the kind of answer
    asked for (a date, an amount), and one a passage. `scored` is best first.
    """
    sure = best.confidence >= SURE
    margin = LIST_MARGIN if asks_for_several(query.text) else MARGIN
    kinds = answer_types.hard_types(query.expects)
    found: list[ScoredCandidate] = []
    taken = [best.candidate.passage]
    said = {same_words(_words(best))}
    for other in scored:
        passage = other.candidate.passage
        if best.score - other.score > margin or len(found) + 1 == MOST_ANSWERS:
            break
        words = _words(other)
        if passage in taken or same_words(words) in said:
            continue
        if not sure and not _is_twin(passage, best.candidate.passage):
            continue
        if kinds and not any(answer_types.holds(kind, words, passage.language) for kind in kinds):
            continue
        found.append(other)
        taken.append(passage)
        said.add(same_words(words))
    return found


def _is_twin(passage: Passage, other: Passage) -> bool:
    """Whether both stand under a heading of the same words, in two documents."""
    return (
        passage.path != other.path
        and bool(passage.heading_path and other.heading_path)
        and same_words(passage.heading_path[-1]) == same_words(other.heading_path[-1])
    )


def same_words_elsewhere(
    chosen: ScoredCandidate, scored: Sequence[ScoredCandidate]
) -> list[ScoredCandidate]:
    """The other places of the sentence among those scored, in reading order."""
    words = same_words(_words(chosen))
    others = [
        other
        for other in scored
        if _place(other) != _place(chosen) and same_words(_words(other)) == words
    ]
    return sorted(others, key=_place)[:MOST_PLACES]


def same_words(words: str) -> str:
    """The words without case, spaces, signs and markup: equal where two quotes say the same."""
    return _NOT_WORDS.sub(" ", words.casefold()).strip()


def _words(scored: ScoredCandidate) -> str:
    passage = scored.candidate.passage
    quote = passage.sentences[scored.candidate.sentence_index].quote
    return passage.text[quote.start - passage.span.start : quote.end - passage.span.start]


def _place(scored: ScoredCandidate) -> tuple[str, int]:
    candidate = scored.candidate
    return candidate.passage.path, candidate.passage.sentences[candidate.sentence_index].start
