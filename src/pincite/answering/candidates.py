"""Which sentences of the passages found may answer at all.

Not layout and the head of a table, and not the lines that say nothing by themselves: a heading
written once more above its text, a line of a table of contents, a field that holds what was asked
about ("Position: Director of Sales", where somebody asks who that director reports to), the thanks
and hopes that close a text. Nor what is said of tier 1 where tier 2 is asked about.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set

from pincite.answering.composition import is_quotable
from pincite.answering.numbered import Named, is_of_another, numbered
from pincite.protocols import Candidate, Query
from pincite.records import BlockKind, Passage, ScoredPassage
from pincite.text.tokens import terms

LONGEST_LINE = 100
"""Code points of a line that may be a heading or a field."""

_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’»)\]]*\W*$")
_FIELD = re.compile(r"[^:：]{1,40}[:：]\s+")
_CONTENTS = re.compile(
    r"(?:\.[ \t\u00a0]?){4,}\s*[\divxlc]+\W*$|…{2,}\s*[\divxlc]+\W*$", re.IGNORECASE
)

_COURTESY = re.compile(
    r"\W*(?:(?:we|i) (?:(?:sincerely|truly) )?hope (?:that )?(?:this|these|the|"
    r"you(?: have)? (?:found|find|enjoy))\b"
    r"|thank you for (?:reading|choosing|taking|your (?:time|interest|attention))\b)",
    re.IGNORECASE,
)
"""What closes a text and says nothing: it has the words of all that was said before."""


def may_answer(query: Query, found: Sequence[ScoredPassage]) -> list[Candidate]:
    """The sentences of the passages that may answer, in the order of the passages."""
    named = numbered(query.text)
    others = _of_others(named, [scored.passage for scored in found]) if named else frozenset()
    return [
        Candidate(scored.passage, rank, scored.words, index)
        for rank, scored in enumerate(found)
        if rank not in others
        for index in _speaking(query, named, scored.passage)
    ]


def _of_others(named: Named, passages: Sequence[Passage]) -> frozenset[int]:
    """Passages about other numbers of a kind, where none is about the one asked about."""
    said = [numbered(" \n ".join((*one.heading_path, one.text))) for one in passages]
    unknown = [
        kind
        for kind, numbers in named.items()
        if all(numbers.isdisjoint(one.get(kind, frozenset())) for one in said)
    ]
    return frozenset(
        number for number, one in enumerate(said) if any(kind in one for kind in unknown)
    )


def _speaking(query: Query, named: Named, passage: Passage) -> list[int]:
    language = passage.language
    asked = frozenset(query.terms.get(language, ()))
    above: frozenset[str] | None = None
    kept = []
    for index, sentence in enumerate(passage.sentences):
        if not is_quotable(sentence):
            continue
        start = passage.span.start
        words = passage.text[sentence.quote.start - start : sentence.quote.end - start]
        if named and is_of_another(named, words, " \n ".join(passage.heading_path)):
            continue
        if sentence.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM):
            if _CONTENTS.search(words) or _COURTESY.match(words):
                continue
            if len(words) <= LONGEST_LINE and not _SENTENCE_END.search(words):
                if above is None:
                    above = frozenset(terms(" \n ".join(passage.heading_path), language))
                if _only_names(words, language, asked=asked, above=above):
                    continue
        kept.append(index)
    return kept


def _only_names(words: str, language: str, *, asked: Set[str], above: frozenset[str]) -> bool:
    """Whether a line has but the words of its headings, or is a field of what was asked about."""
    if above.issuperset(terms(words, language)):
        return True
    field = _FIELD.match(words)
    if field is None:
        return False
    value = frozenset(terms(words[field.end() :], language))
    return not value.isdisjoint(asked) and value <= asked | above
