"""What a sentence and its surroundings have in common with a question, as numbers.

All features are relative to the question's own weight (the sum of its terms' inverse document
frequencies), so that long and short questions are comparable. `FEATURE_NAMES` is their order in
the scorer's parameters.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Mapping, Sequence

from pincite.answering import answer_types
from pincite.answering.negation import negates
from pincite.protocols import Candidate, Query
from pincite.records import BlockKind, Passage, Sentence
from pincite.text.tokens import Token, terms, tokens

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
PREFIX = 5
"""Words that share their first letters are taken as forms of one word, at a discount."""
PREFIX_DISCOUNT = 0.6

_PRONOUN = re.compile(
    r"(?:it|its|this|that|these|those|they|their|them|he|his|she|her|such|both|another|however|"
    r"also|then|otherwise|sie|es|er|dies\w*|diese|il|elle|ils|elles|ce|cela|esto?a?s?|él|ella|он|она|оно|они|это\w*)\b",
    re.IGNORECASE,
)
# A number that names a thing: of the thing with another number nothing follows.
_NUMBERED = re.compile(
    r"\b(?:clause|section|article|chapter|paragraph|rule|error|code|version|release|step|room|line|"
    r"iso|din|en|form|model|no\.?|number|nr\.?|ziffer|abschnitt|artikel|fehler|"
    r"código|erreur|version|статья|пункт|ошибка)\s*#?(\d[\w.]*)",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_CAPITALISED = re.compile(r"(?<!\w)[^\W\d_a-zß-öø-ÿ]\w+")
# Capital letters mark names in these; not in German, where every noun has one.
_CAPITALISED_NAMES = frozenset(
    {"bg", "ca", "cs", "da", "el", "en", "es", "fi", "fr", "hu", "id", "it", "nl", "no", "pl"}
    | {"pt", "ro", "ru", "sv", "tr", "uk", "vi", "und"}
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
_LEAD_IN = re.compile(r"[:：]\W*$")
_QUESTION_END = re.compile(r"[?？؟]\W*$")


class _Reading:
    """A sentence of a passage, taken apart as far as needed."""

    def __init__(self, words: str, language: str) -> None:
        self.words = words
        self.language = language
        self.ordered = terms(words, language)
        self.terms = frozenset(self.ordered)
        self.prefixes = _prefixes(self.terms)

    @functools.cached_property
    def asks(self) -> bool:
        """Whether it ends with a question mark."""
        # Most sentences hold none, which is told at once; the pattern has to read them all.
        return any(mark in self.words for mark in "?？؟") and bool(_QUESTION_END.search(self.words))

    @functools.cached_property
    def leads_in(self) -> bool:
        """Whether it ends with a colon."""
        return any(mark in self.words for mark in ":：") and bool(_LEAD_IN.search(self.words))

    @functools.cached_property
    def tokens(self) -> list[Token]:
        """Where its words stand: costs more than the rest, and few sentences need it."""
        return tokens(self.words, self.language)


class QuestionReader:
    """Holds a question against sentences; reads each passage once for all of its sentences."""

    def __init__(self, query: Query, titles: Mapping[str, str]) -> None:
        self._query = query
        self._titles = titles
        self._met: dict[tuple[str, int], _Met] = {}
        self._numbers = frozenset(_DIGITS.findall(query.text))
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
        shares = met.shares[index]
        before = met.shares[index - 1] if index else met.nothing
        after = met.shares[index + 1] if index + 1 < len(met.shares) else met.nothing

        covered = exact = by_neighbours = by_headings = by_passage = missing = 0.0
        rarest_missing = rarest_outside = bm25 = 0.0
        length = own.words.count(" ") + 1
        if not own.words.isascii():
            length += len(_UNSPACED.findall(own.words)) // 2
        saturation = 1.2 * (0.3 + 0.7 * length / 22.0)
        for i, weight in enumerate(met.weights):
            share = shares[i]
            if share:
                covered += weight * share
                bm25 += weight * share * 2.2 / (share + saturation)
                if share == 1.0:
                    exact += weight
                    continue
            rest = weight * (1.0 - share)
            near = max(before[i], after[i])
            above = met.headings[i]
            close = max(near, above)
            around = met.around[i]
            by_neighbours += rest * near
            by_headings += rest * above
            by_passage += rest * around * (1.0 - close)
            left = rest * (1.0 - max(close, around))
            missing += left
            rarest_outside = max(rarest_outside, rest)
            rarest_missing = max(rarest_missing, left)

        total = met.total
        pairs, tightness = _order(met.asked, own)
        follows = 0.0
        if index and met.sentences[index - 1].asks:
            follows = math.fsum(w * s for w, s in zip(met.weights, before, strict=True))
        leans_on = 0.0
        if index and _PRONOUN.match(own.words):
            leans_on = math.fsum(
                w * s * (1.0 - o) for w, s, o in zip(met.weights, before, shares, strict=True)
            )
        expects = self._query.expects
        type_found = False
        if self._hard:
            type_found = any(
                # Without the question's words only where there is something at all: it is dearer.
                answer_types.holds(kind, own.words)
                and answer_types.holds(kind, _new_words(own, met.known))
                for kind in self._hard
            )
        names = self._wants_name and passage.language in _CAPITALISED_NAMES
        name_found = names and _has_new_name(own, met.known)
        return [
            covered / total,
            exact / total,
            by_neighbours / total,
            by_headings / total,
            by_passage / total,
            missing / total,
            rarest_missing / met.heaviest,
            rarest_outside / met.heaviest,
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
            float(sentence.kind is BlockKind.TABLE_ROW),
            _precision(own, met.known) if sentence.kind in _ENTRIES else 0.0,
            float(own.asks),
            follows / total,
            float(bool(_PRONOUN.match(own.words))),
            float(index == 0),
            float(bool(self._hard) and type_found),
            float(bool(self._hard) and not type_found),
            float(names and name_found),
            float(names and not name_found),
            float(
                answer_types.REASON in expects
                and answer_types.holds(answer_types.REASON, own.words)
            ),
            float(
                answer_types.METHOD in expects
                and answer_types.holds(answer_types.METHOD, own.words)
            ),
            float(bool(self._numbers) and not self._numbers <= met.numbers),
            met.names_missing,
            met.names_here(own),
            met.codes_missing(own),
            float(self._negates and not negates(own.words)),
            float(index == 0 and passage.ordinal == 0),
            float(bool(shares) and all(shares)),
            float(self._asks_what_is and _defines(own, met.known)),
            float(len(own.words) <= LONGEST_LABEL and bool(_LABEL.fullmatch(own.words))),
            float(own.leads_in),
            leans_on / total,
            bm25,
            covered,
        ]

    def _meet(self, passage: Passage) -> _Met:
        place = (passage.path, passage.ordinal)
        found = self._met.get(place)
        if found is None:
            title = self._titles.get(passage.path, "")
            found = self._met[place] = _Met(self._query, passage, title)
        return found


class _Met:
    """Which of the question's terms a passage has, by sentence; one list a sentence, in order."""

    def __init__(self, query: Query, passage: Passage, title: str) -> None:
        self.asked = list(dict.fromkeys(query.terms.get(passage.language, ())))
        self.known = frozenset(self.asked)
        self.weights = [query.weights.get(term, 0.0) for term in self.asked]
        self.total = math.fsum(self.weights) or 1.0
        self.heaviest = max(self.weights, default=1.0) or 1.0
        self.nothing = [0.0] * len(self.asked)

        self.sentences = [_read(passage, sentence) for sentence in passage.sentences]
        self.shares = [_shares(self.asked, s.terms, s.prefixes) for s in self.sentences]
        self.around = [max(column) for column in zip(*self.shares, strict=True)]
        name = passage.path.rpartition("/")[2]
        above = frozenset(
            terms(" \n ".join((title, name, *passage.heading_path)), passage.language)
        )
        self.headings = _shares(self.asked, above, _prefixes(above))
        self.numbers = frozenset(_DIGITS.findall(passage.text)) | frozenset(
            number for line in (title, *passage.heading_path) for number in _DIGITS.findall(line)
        )
        self.above = above
        numbered = frozenset(
            term
            for found in _NUMBERED.findall(query.text)
            for term in terms(found, passage.language)
        )
        self.codes = [term for term in self.asked if term in numbered or _is_code(term)]
        self.names = _names(query.text, passage.language)
        met = {
            term
            for term, around, over in zip(self.asked, self.around, self.headings, strict=True)
            if around or over
        }
        missing = sum(1 for name in self.names if met.isdisjoint(name))
        self.names_missing = missing / (1.0 + len(self.names))

    def names_here(self, own: _Reading) -> float:
        """Share of the names in the question that a sentence has; 0 where it names none."""
        found = sum(1 for name in self.names if not own.terms.isdisjoint(name))
        return found / len(self.names) if self.names else 0.0

    def codes_missing(self, own: _Reading) -> float:
        """Share of the codes in the question that neither a sentence nor its headings have."""
        missing = [c for c in self.codes if c not in own.terms and c not in self.above]
        return len(missing) / len(self.codes) if self.codes else 0.0


def _is_code(term: str) -> bool:
    """Letters with digits, a version or clause of several numbers, the name of a file."""
    if any(map(str.isdigit, term)):
        return term[0].isalpha() or "." in term
    return "." in term


def _names(question: str, language: str) -> list[tuple[str, ...]]:
    """The terms of each capitalised word of the question but the first."""
    if language not in _CAPITALISED_NAMES:
        return []
    return [
        token.terms
        for token in tokens(question, language)
        if token.start and token.terms and _CAPITALISED.match(question, token.start)
    ]


def _precision(own: _Reading, known: frozenset[str]) -> float:
    """Share of the terms that the question has: of two entries with its words, the shorter."""
    return len(own.terms & known) / len(own.terms) if own.terms else 0.0


def _defines(own: _Reading, known: frozenset[str]) -> bool:
    start = own.words[:_DEFINITION_START]
    return bool(_SAYS_WHAT_IS.search(start)) and not known.isdisjoint(terms(start, own.language))


def _read(passage: Passage, sentence: Sentence) -> _Reading:
    if sentence.kind is BlockKind.MARKUP:
        # What may not be quoted is no evidence for what is.
        return _Reading("", passage.language)
    start = passage.span.start
    words = passage.text[sentence.quote.start - start : sentence.quote.end - start]
    return _Reading(words, passage.language)


def _prefixes(held: frozenset[str]) -> frozenset[str]:
    return frozenset([term[:PREFIX] for term in held if len(term) >= PREFIX])


def _shares(asked: Sequence[str], held: frozenset[str], prefixes: frozenset[str]) -> list[float]:
    """For each term asked for: 1 where it is held, less where only a form of it is, else 0."""
    return [
        1.0
        if term in held
        else PREFIX_DISCOUNT
        if len(term) >= PREFIX and term[:PREFIX] in prefixes and term.isalpha()
        else 0.0
        for term in asked
    ]


def _order(asked: Sequence[str], own: _Reading) -> tuple[float, float]:
    """How far the sentence keeps the question's neighbours together, and its terms close."""
    if len(asked) < 2 or len(own.terms.intersection(asked)) < 2:
        return 0.0, 0.0
    places: dict[str, list[int]] = {term: [] for term in asked}
    for position, term in enumerate(own.ordered):
        if term in places:
            places[term].append(position)
    together = sum(
        1
        for first, second in itertools.pairwise(asked)
        if any(0 < b - a <= 2 for a in places[first] for b in places[second])
    )
    met = [found[0] for found in places.values() if found]
    return together / (len(asked) - 1), min(1.0, len(met) / (max(met) - min(met) + 1))


def _new_words(own: _Reading, known: frozenset[str]) -> str:
    """The sentence without the words the question already has."""
    pieces = []
    last = 0
    for token in own.tokens:
        if token.terms and known.issuperset(token.terms):
            pieces.append(own.words[last : token.start])
            last = token.end
    pieces.append(own.words[last:])
    return " ".join(pieces)


def _has_new_name(own: _Reading, known: frozenset[str]) -> bool:
    """Whether a capitalised word, not the first, is none of the question's."""
    for found in _CAPITALISED.finditer(own.words, 1):
        held = terms(found.group(), own.language)
        if held and known.isdisjoint(held):
            return True
    return False
