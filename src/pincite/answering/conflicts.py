"""Whether two sentences answer the same differently, and which document is the newer one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from pincite.answering.negation import negates
from pincite.protocols import ScoredCandidate
from pincite.records import BlockKind, ConflictKind

MARGIN = 3.0
"""Scores are log-odds: another document's sentence may be so much less likely the answer."""
ALIKE = 0.6
"""Share of words that two sentences have in common if they speak of the same."""
SAME = 0.85
"""The same, if one only says "not" besides."""
_FEWEST_WORDS = 4

_AMOUNT = re.compile(r"\d+(?:[.,]\d+)*")
_WORD = re.compile(r"[^\W\d_]+")
_DAY = re.compile(
    r"(?<!\d)((?:19|20)\d\d)[-_./](0[1-9]|1[0-2])(?:[-_./](0[1-9]|[12]\d|3[01]))?(?!\d)"
)
_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)(?!\d)")
_DATED = re.compile(
    r"\b(?:effective|version|valid from|in force|as of|last (?:updated|changed|revised)|updated|"
    r"revised|date|stand|gültig ab)\b[^\n]{0,40}",
    re.IGNORECASE,
)


def contradicting(
    best: ScoredCandidate, scored: Sequence[ScoredCandidate]
) -> ScoredCandidate | None:
    """The sentence of another document that answers otherwise, if there is one; `scored` is best
    first.
    """
    words = _words(best)
    for other in scored:
        if best.score - other.score > MARGIN:
            return None
        is_elsewhere = other.candidate.passage.path != best.candidate.passage.path
        # Rows of two tables may look alike and be about different things.
        if (
            is_elsewhere
            and _is_prose(best)
            and _is_prose(other)
            and difference(words, _words(other)) is not None
        ):
            return other
    return None


def difference(one: str, other: str) -> ConflictKind | None:
    """In what two sentences that speak of the same differ; None where they do not, or speak of
    something else.
    """
    words = [Counter(word.casefold() for word in _WORD.findall(each)) for each in (one, other)]
    count = words[0].total() + words[1].total()
    if min(each.total() for each in words) < _FEWEST_WORDS:
        return None
    share = 2 * (words[0] & words[1]).total() / count
    amounts = [Counter(_AMOUNT.findall(each)) for each in (one, other)]
    # One amount of several that is another: more of them in one is only more that it tells.
    if share >= ALIKE and amounts[0].total() == amounts[1].total() and amounts[0] != amounts[1]:
        return ConflictKind.AMOUNT
    if share >= SAME and amounts[0] == amounts[1] and negates(one) != negates(other):
        return ConflictKind.NEGATION
    return None


def date_of(path: str, title: str, beginning: str) -> str:
    """The date of a document as its name, title or beginning give it: `2026-05`; else empty."""
    for said in (path, title, *(found[0] for found in _DATED.finditer(beginning))):
        if day := _DAY.search(said):
            return "-".join(part for part in day.groups() if part)
        if year := _YEAR.search(said):
            return year[1]
    return ""


def _is_prose(scored: ScoredCandidate) -> bool:
    kind = scored.candidate.passage.sentences[scored.candidate.sentence_index].kind
    return kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.QUOTATION)


def _words(scored: ScoredCandidate) -> str:
    passage = scored.candidate.passage
    quote = passage.sentences[scored.candidate.sentence_index].quote
    return passage.text[quote.start - passage.span.start : quote.end - passage.span.start]
