"""What a sentence and its surroundings have in common with a question, as numbers.

All features are relative to the question's own weight (the sum of its terms' inverse document
frequencies), so that long and short questions are comparable. `FEATURE_NAMES` is their order in
the scorer's parameters.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite.answering import answer_types
from pincite.protocols import Candidate, Query
from pincite.records import BlockKind, Passage, Sentence
from pincite.text.tokens import Token, tokens

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
    "novelty",
    "first_in_document",
    "all_covered",
)

PREFIX = 5
"""Words that share their first letters are taken as forms of one word, at a discount."""
PREFIX_DISCOUNT = 0.6

_PRONOUN = re.compile(
    r"(?:it|its|this|that|these|those|they|their|them|he|his|she|her|such|both|another|however|"
    r"also|then|otherwise|sie|es|er|dies\w*|diese|il|elle|ils|elles|ce|cela|esto?a?s?|él|ella|он|она|оно|они|это\w*)\b",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_CAPITALISED = re.compile(r"[^\W\d_a-zß-öø-ÿ]\w+")
_SPACED_NAME_LANGUAGES = frozenset(
    "bg ca cs da el en es fi fr hu id it nl no pl pt ro ru sv tr uk vi und".split()
)
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_QUESTION_END = re.compile(r"[?？؟]\W*$")


@dataclass(frozen=True, slots=True)
class _Reading:
    """A sentence of a passage, taken apart."""

    words: str
    tokens: tuple[Token, ...]
    terms: frozenset[str]
    prefixes: frozenset[str]


class PassageReader:
    """Reads each passage once for all its sentences, for one question."""

    def __init__(self, query: Query, titles: Mapping[str, str]) -> None:
        self._query = query
        self._titles = titles
        self._read: dict[tuple[str, int], _PassageReading] = {}

    def read(self, passage: Passage) -> _PassageReading:
        place = (passage.path, passage.ordinal)
        found = self._read.get(place)
        if found is None:
            title = self._titles.get(passage.path, "")
            found = self._read[place] = _PassageReading(passage, title)
        return found


class _PassageReading:
    """A passage's sentences and headings as sets of terms."""

    def __init__(self, passage: Passage, title: str) -> None:
        self.sentences = [_read(passage, sentence) for sentence in passage.sentences]
        headings = " \n ".join((title, passage.path.rpartition("/")[2], *passage.heading_path))
        self.heading_terms = frozenset(
            term for token in tokens(headings, passage.language) for term in token.terms
        )
        self.heading_prefixes = _prefixes(self.heading_terms)
        self.terms = frozenset().union(*(s.terms for s in self.sentences))
        self.prefixes = _prefixes(self.terms)


def _read(passage: Passage, sentence: Sentence) -> _Reading:
    start = passage.span.start
    words = passage.text[sentence.quote.start - start : sentence.quote.end - start]
    found = tuple(tokens(words, passage.language))
    terms = frozenset(term for token in found for term in token.terms)
    return _Reading(words, found, terms, _prefixes(terms))


def _prefixes(terms: frozenset[str]) -> frozenset[str]:
    return frozenset(term[:PREFIX] for term in terms if len(term) >= PREFIX and term.isalpha())


def _share(term: str, terms: frozenset[str], prefixes: frozenset[str]) -> float:
    if term in terms:
        return 1.0
    if len(term) >= PREFIX and term[:PREFIX] in prefixes and term.isalpha():
        return PREFIX_DISCOUNT
    return 0.0


def features(
    query: Query, candidate: Candidate, reader: PassageReader, *, best_passage_score: float
) -> list[float]:
    """The values of `FEATURE_NAMES` for one candidate."""
    passage = candidate.passage
    reading = reader.read(passage)
    index = candidate.sentence_index
    sentence = passage.sentences[index]
    own = reading.sentences[index]
    asked = list(dict.fromkeys(query.terms.get(passage.language, ())))
    weights = [query.weights.get(term, 0.0) for term in asked]
    total = sum(weights) or 1.0

    neighbours = [reading.sentences[i] for i in (index - 1, index + 1) if 0 <= i < len(reading.sentences)]
    in_sentence = [_share(term, own.terms, own.prefixes) for term in asked]
    covered = exact = by_neighbours = by_headings = by_passage = missing = 0.0
    rarest_missing = rarest_outside = 0.0
    heaviest = max(weights, default=1.0) or 1.0
    for term, weight, share in zip(asked, weights, in_sentence, strict=True):
        covered += weight * share
        exact += weight * (share == 1.0)
        rest = 1.0 - share
        rarest_outside = max(rarest_outside, weight * rest)
        near = max((_share(term, n.terms, n.prefixes) for n in neighbours), default=0.0)
        above = _share(term, reading.heading_terms, reading.heading_prefixes)
        around = _share(term, reading.terms, reading.prefixes)
        by_neighbours += weight * rest * near
        by_headings += weight * rest * above
        by_passage += weight * rest * around * (1.0 - max(near, above))
        left = rest * (1.0 - max(near, above, around))
        missing += weight * left
        rarest_missing = max(rarest_missing, weight * left)

    length = len(own.tokens)
    unspaced = len(_UNSPACED.findall(own.words))
    length += unspaced // 2
    bm25 = sum(
        weight * share * 2.2 / (share + 1.2 * (0.3 + 0.7 * length / 22.0))
        for weight, share in zip(weights, in_sentence, strict=True)
    )
    pairs, tightness = _order(asked, own)
    new_words = _new_words(own, asked, passage.language)
    previous = reading.sentences[index - 1] if index else None
    follows = 0.0
    if previous is not None and _QUESTION_END.search(previous.words):
        follows = sum(
            w * _share(t, previous.terms, previous.prefixes) for t, w in zip(asked, weights, strict=True)
        )
    expected = query.expects
    hard = answer_types.hard_types(expected)
    type_found = any(answer_types.holds(kind, new_words) for kind in hard)
    wants_name = bool(expected & {answer_types.NAME, answer_types.PLACE})
    names = wants_name and passage.language in _SPACED_NAME_LANGUAGES
    name_found = names and _has_new_name(own, asked)
    question_numbers = set(_DIGITS.findall(query.text))
    numbers_here = set(_DIGITS.findall(own.words))
    names_asked = [
        token for token in tokens(query.text, passage.language)
        if token.start and token.terms and _CAPITALISED.match(query.text[token.start : token.end])
    ]
    around_terms = reading.terms | reading.heading_terms
    name_mismatch = sum(
        1 for token in names_asked
        if not any(_share(t, around_terms, reading.prefixes | reading.heading_prefixes) for t in token.terms)
    )
    return [
        covered / total,
        exact / total,
        by_neighbours / total,
        by_headings / total,
        by_passage / total,
        missing / total,
        rarest_missing / heaviest,
        rarest_outside / heaviest,
        bm25 / total,
        pairs,
        tightness,
        math.log1p(length),
        float(length < 5),
        float(length > 45),
        candidate.passage_score / best_passage_score if best_passage_score else 0.0,
        1.0 / (1.0 + candidate.passage_rank),
        candidate.passage_score / (2.2 * total),
        float(sentence.kind is BlockKind.HEADING),
        float(sentence.kind is BlockKind.CODE),
        float(sentence.kind is BlockKind.LIST_ITEM),
        float(sentence.kind in (BlockKind.TABLE_ROW, BlockKind.TABLE_HEADER)),
        float(bool(_QUESTION_END.search(own.words))),
        follows / total,
        float(bool(_PRONOUN.match(own.words))),
        float(index == 0),
        float(bool(hard) and type_found),
        float(bool(hard) and not type_found),
        float(names and name_found),
        float(names and not name_found),
        float(answer_types.REASON in expected and answer_types.holds(answer_types.REASON, own.words)),
        float(answer_types.METHOD in expected and answer_types.holds(answer_types.METHOD, own.words)),
        float(bool(question_numbers - numbers_here)) if question_numbers else 0.0,
        name_mismatch / (1.0 + len(names_asked)),
        min(1.0, len(new_words) / 100.0),
        float(index == 0 and passage.ordinal == 0),
        float(all(share > 0 for share in in_sentence)) if asked else 0.0,
    ]


def _order(asked: Sequence[str], own: _Reading) -> tuple[float, float]:
    """How far the sentence keeps the question's neighbours together, and its terms close."""
    places: dict[str, list[int]] = {}
    for position, token in enumerate(own.tokens):
        for term in token.terms:
            places.setdefault(term, []).append(position)
    together = 0
    for first, second in zip(asked, asked[1:], strict=False):
        here = places.get(second)
        if here and any(0 < b - a <= 3 for a in places.get(first, ()) for b in here):
            together += 1
    met = [places[term][0] for term in asked if term in places]
    spread = (max(met) - min(met) + 1) if met else 0
    tightness = (len(met) / spread) if len(met) > 1 else 0.0
    return together / max(1, len(asked) - 1), min(1.0, tightness)


def _new_words(own: _Reading, asked: Sequence[str], language: str) -> str:
    """The sentence without the words the question already has."""
    known = frozenset(asked)
    pieces = []
    last = 0
    for token in own.tokens:
        if token.terms and all(term in known for term in token.terms):
            pieces.append(own.words[last : token.start])
            last = token.end
    pieces.append(own.words[last:])
    return " ".join(pieces)


def _has_new_name(own: _Reading, asked: Sequence[str]) -> bool:
    known = frozenset(asked)
    for token in own.tokens:
        if (
            token.start > 0
            and token.terms
            and _CAPITALISED.match(own.words, token.start)
            and not any(term in known for term in token.terms)
        ):
            return True
    return False
