"""What a sentence and its surroundings have in common with a question, as numbers.

All features are relative to the question's own weight (the sum of its terms' inverse document
frequencies), so that long and short questions are comparable. `FEATURE_NAMES` is their order in
the scorer's parameters.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence

from pincite.answering import answer_types
from pincite.answering.meeting import CAPITALISED, CAPITALISED_NAMES, DIGITS, Asked, Met, Reading
from pincite.answering.negation import negates
from pincite.protocols import Candidate, Query
from pincite.records import BlockKind, Passage
from pincite.text.tokens import terms

FEATURE_NAMES = (
    "covered",
    "covered_exactly",
    "covered_by_neighbours",
    "covered_by_headings",
    "covered_by_passage",
    "missing",
    "rarest_missing",
    "rarest_not_in_sentence",
    "sentence_bm25",
    "pairs",
    "tightness",
    "log_length",
    "very_short",
    "very_long",
    "passage_relative",
    "passage_rank",
    "passage_match",
    "heading",
    "code",
    "list_item",
    "table_row",
    "row_precision",
    "asks",
    "follows_matching_question",
    "starts_with_pronoun",
    "first_in_passage",
    "type_found",
    "type_missing",
    "name_found",
    "name_missing",
    "reason_found",
    "method_found",
    "number_mismatch",
    "name_mismatch",
    "names_in_sentence",
    "code_missing",
    "asked_not",
    "first_in_document",
    "all_covered",
    "defines",
    "label",
    "leads_in",
    "leans_on_covered",
    "bm25_relative",
    "covered_relative",
)

_ENTRIES = (BlockKind.TABLE_ROW, BlockKind.LIST_ITEM)
_PRONOUN = re.compile(
    r"(?:it|its|this|that|these|those|they|their|them|he|his|she|her|such|both|another|however|"
    r"also|then|otherwise|sie|es|er|dies\w*|diese|il|elle|ils|elles|ce|cela|esto?a?s?|él|ella|он|она|оно|они|это\w*)\b",
    re.IGNORECASE,
)
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ASKS_WHAT_IS = re.compile(
    r"^\W*(?:what|who)(?:'s| is| are| was| were| does \w+ mean)\b", re.IGNORECASE
)
_SAYS_WHAT_IS = re.compile(
    r"(?:is|are|was|were|means?|refers? to|stands? for|consists? of|describes?)\b", re.IGNORECASE
)
_DEFINITION_START = 60
"""Code points within which a defining sentence names its subject and says "is"."""
LONGEST_LABEL = 70
_LABEL = re.compile(r"\W*(?:\*\*|__)[^*_]{1,60}(?:\*\*|__)\W*|[^.!?]{1,60}:")


class QuestionReader:
    """Holds a question against sentences; reads each passage once for all of its sentences."""

    def __init__(self, query: Query, titles: Mapping[str, str]) -> None:
        self._query = query
        self._titles = titles
        self._asked: dict[str, Asked] = {}
        self._met: dict[tuple[str, int], Met] = {}
        self._numbers = frozenset(DIGITS.findall(query.text))
        self._negates = negates(query.text)
        self._asks_what_is = bool(_ASKS_WHAT_IS.match(query.text))
        self._hard = answer_types.hard_types(query.expects)
        self._wants_name = bool(query.expects & {answer_types.NAME, answer_types.PLACE})

    def features(self, candidates: Sequence[Candidate]) -> list[list[float]]:
        """The values of `FEATURE_NAMES` for each candidate; the last two relative to the best."""
        best = max((candidate.passage_score for candidate in candidates), default=0.0)
        rows = [self._features(candidate, best_passage_score=best) for candidate in candidates]
        for column in (-2, -1):
            most = max((row[column] for row in rows), default=0.0) or 1.0
            for row in rows:
                row[column] /= most
        return rows

    def _features(self, candidate: Candidate, *, best_passage_score: float) -> list[float]:
        passage = candidate.passage
        met = self._meet(passage)
        index = candidate.sentence_index
        sentence = passage.sentences[index]
        own = met.sentences[index]
        words = own.words
        asked = met.asked
        shares = met.shares[index]
        before = met.shares[index - 1] if index else asked.nothing
        length = words.count(" ") + 1
        if not words.isascii():
            length += len(_UNSPACED.findall(words)) // 2
        bm25, covered, exact, *elsewhere, rarest_missing, rarest_outside = _coverage(
            met, index, length
        )
        total = asked.total
        pairs, tightness = _order(asked, own)
        follows = 0.0
        if index and met.sentences[index - 1].asks:
            follows = math.fsum(w * s for w, s in zip(asked.weights, before, strict=True))
        starts_with_pronoun = bool(_PRONOUN.match(words))
        leans_on = 0.0
        if index and starts_with_pronoun and before is not asked.nothing:
            leans_on = math.fsum(
                w * s * (1.0 - o) for w, s, o in zip(asked.weights, before, shares, strict=True)
            )
        expects = self._query.expects
        hard = bool(self._hard)
        type_found = hard and self._has_hard_type(own, asked.known, passage.language)
        names = self._wants_name and passage.language in CAPITALISED_NAMES
        name_found = names and _has_new_name(own, asked.known)
        kind = sentence.kind
        return [
            covered / total,
            exact / total,
            *(share / total for share in elsewhere),
            rarest_missing / asked.heaviest,
            rarest_outside / asked.heaviest,
            bm25 / total,
            pairs,
            tightness,
            math.log1p(length),
            float(length < 5),
            float(length > 45),
            candidate.passage_score / best_passage_score if best_passage_score else 0.0,
            1.0 / (1.0 + candidate.passage_rank),
            candidate.passage_score / (2.2 * total),
            float(kind is BlockKind.HEADING),
            float(kind is BlockKind.CODE),
            float(kind is BlockKind.LIST_ITEM),
            float(kind is BlockKind.TABLE_ROW),
            _precision(own, asked.known) if kind in _ENTRIES else 0.0,
            float(own.asks),
            follows / total,
            float(starts_with_pronoun),
            float(index == 0),
            float(type_found),
            float(hard and not type_found),
            float(names and name_found),
            float(names and not name_found),
            float(
                answer_types.REASON in expects
                and answer_types.holds(answer_types.REASON, words, passage.language)
            ),
            float(
                answer_types.METHOD in expects
                and answer_types.holds(answer_types.METHOD, words, passage.language)
            ),
            float(bool(self._numbers) and not self._numbers <= met.numbers),
            met.names_missing,
            met.names_here(own),
            met.codes_missing(own),
            float(self._negates and not negates(words)),
            float(index == 0 and passage.ordinal == 0),
            float(bool(shares) and all(shares)),
            float(self._asks_what_is and _defines(own, asked.known)),
            float(len(words) <= LONGEST_LABEL and bool(_LABEL.fullmatch(words))),
            float(own.leads_in),
            leans_on / total,
            bm25,
            covered,
        ]

    def _has_hard_type(self, own: Reading, known: frozenset[str], language: str) -> bool:
        """Whether a sentence holds an answer of a type asked for that is not the question's own."""
        for kind in self._hard:
            # Without the question's words only where there is something at all: it is dearer.
            if answer_types.holds(kind, own.words, language) and (
                own.terms.isdisjoint(known)
                or answer_types.holds(kind, _new_words(own, known), language)
            ):
                return True
        return False

    def _meet(self, passage: Passage) -> Met:
        place = (passage.path, passage.ordinal)
        found = self._met.get(place)
        if found is None:
            language = passage.language
            asked = self._asked.get(language)
            if asked is None:
                asked = self._asked[language] = Asked(self._query, language)
            title = self._titles.get(passage.path, "")
            found = self._met[place] = Met(asked, passage, title)
        return found


def _coverage(met: Met, index: int, length: int) -> tuple[float, ...]:
    """How much of the question's weight a sentence of `length` words covers, and what the rest has.

    In order: BM25 of the sentence; covered, and by the very terms; of what is not, covered by the
    neighbours, by the headings, by the rest of the passage, and missing; the weight of the heaviest
    term that is missing, and of the heaviest that is not in the sentence.
    """
    asked = met.asked
    shares = met.shares[index]
    before = met.shares[index - 1] if index else asked.nothing
    after = met.shares[index + 1] if index + 1 < len(met.shares) else asked.nothing
    covered = exact = by_neighbours = by_headings = by_passage = missing = 0.0
    rarest_missing = rarest_outside = bm25 = 0.0
    saturation = 1.2 * (0.3 + 0.7 * length / 22.0)
    # A hot loop: comparisons stand where max would be called.
    for weight, share, near, then, above, around in zip(
        asked.weights, shares, before, after, met.headings, met.around, strict=True
    ):
        if share:
            covered += weight * share
            bm25 += weight * share * 2.2 / (share + saturation)
            if share == 1.0:
                exact += weight
                continue
        rest = left = weight * (1.0 - share)
        if around or above:
            if then > near:
                near = then
            close = near if near > above else above
            by_neighbours += rest * near
            by_headings += rest * above
            by_passage += rest * around * (1.0 - close)
            left = rest * (1.0 - (close if close > around else around))
        missing += left
        if rest > rarest_outside:
            rarest_outside = rest
        if left > rarest_missing:
            rarest_missing = left
    return (
        bm25,
        covered,
        exact,
        by_neighbours,
        by_headings,
        by_passage,
        missing,
        rarest_missing,
        rarest_outside,
    )


def _precision(own: Reading, known: frozenset[str]) -> float:
    """Share of the terms that the question has: of two entries with its words, the shorter."""
    return len(own.terms & known) / len(own.terms) if own.terms else 0.0


def _defines(own: Reading, known: frozenset[str]) -> bool:
    start = own.words[:_DEFINITION_START]
    return bool(_SAYS_WHAT_IS.search(start)) and not known.isdisjoint(terms(start, own.language))


def _order(asked: Asked, own: Reading) -> tuple[float, float]:
    """How far the sentence keeps the question's neighbours together, and its terms close."""
    if len(asked.known & own.terms) < 2:
        return 0.0, 0.0
    places: dict[str, list[int]] = {term: [] for term in asked.terms}
    for position, term in enumerate(own.ordered):
        if term in places:
            places[term].append(position)
    together = sum(
        1
        for first, second in itertools.pairwise(asked.terms)
        if any(0 < b - a <= 2 for a in places[first] for b in places[second])
    )
    met = [found[0] for found in places.values() if found]
    return together / (len(asked.terms) - 1), min(1.0, len(met) / (max(met) - min(met) + 1))


def _new_words(own: Reading, known: frozenset[str]) -> str:
    """The sentence without the words the question already has."""
    pieces = []
    last = 0
    for token in own.tokens:
        if token.terms and known.issuperset(token.terms):
            pieces.append(own.words[last : token.start])
            last = token.end
    pieces.append(own.words[last:])
    return " ".join(pieces)


def _has_new_name(own: Reading, known: frozenset[str]) -> bool:
    """Whether a capitalised word, not the first, is none of the question's."""
    for found in CAPITALISED.finditer(own.words, 1):
        held = terms(found.group(), own.language)
        if held and known.isdisjoint(held):
            return True
    return False
