"""How much a pair of characters says, where words are not set apart.

Questions in Chinese, Japanese, Korean and Thai are searched by overlapping pairs. Those in the
middle of a word name something; those that reach from one word into the next, or into an ending,
only look rare.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

GRAMMAR = 0.4
"""What a pair with a sign of grammar counts, beside one without."""
SEAM = 0.3
"""What a pair counts that the documents do not have, though they have the pairs on both sides."""

_PAIR = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}")
# Hiragana; Chinese particles, prepositions, and signs of asking; Korean particles after a noun.
_GRAMMAR = re.compile(
    "[\u3041-\u309f]"
    "|[的了是在和与與於于之其為为以而所被把将將也都就并並吗嗎呢吧么麼什哪几幾誰谁個个]"
    "|.[은는을를의에와과]"
)


def pair_discounts(terms: Sequence[str], frequencies: Mapping[str, int]) -> dict[str, float]:
    """What to multiply the weights of the pairs among `terms` by, where it is not 1.

    `terms` are those of a question in order; `frequencies` says in how many passages each occurs.
    """
    discounts = {term: GRAMMAR for term in terms if _PAIR.fullmatch(term) and _GRAMMAR.search(term)}
    for before, term, after in zip(terms, terms[1:], terms[2:], strict=False):
        if (
            not frequencies.get(term)
            and frequencies.get(before)
            and frequencies.get(after)
            and before[-1:] == term[:1]
            and term[-1:] == after[:1]
            and all(map(_PAIR.fullmatch, (before, term, after)))
        ):
            discounts[term] = SEAM
    return discounts
