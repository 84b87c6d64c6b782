"""Which of a question's terms the sentences of a passage have."""

from __future__ import annotations

import functools
import math
import re

from pincite.protocols import Query
from pincite.records import BlockKind, Passage, Sentence
from pincite.text.tokens import Token, terms, tokens

PREFIX = 5
"""Words that share their first letters are taken as forms of one word, at a discount."""
PREFIX_DISCOUNT = 0.6

# A number that names a thing: of the thing with another number nothing follows.
_NUMBERED = re.compile(
    r"\b(?:clause|section|article|chapter|paragraph|rule|error|code|version|release|step|room|line|"
    r"iso|din|en|form|model|no\.?|number|nr\.?|ziffer|abschnitt|artikel|fehler|"
    r"código|erreur|version|статья|пункт|ошибка)\s*#?(\d[\w.]*)",
    re.IGNORECASE,
)
DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
CAPITALISED = re.compile(r"(?<!\w)[^\W\d_a-zß-öø-ÿ]\w+")
# Capital letters mark names in these; not in German, where every noun has one.
CAPITALISED_NAMES = frozenset(
    {"bg", "ca", "cs", "da", "el", "en", "es", "fi", "fr", "hu", "id", "it", "nl", "no", "pl"}
    | {"pt", "ro", "ru", "sv", "tr", "uk", "vi", "und"}
)
COMPOUNDING = frozenset({"da", "de", "fi", "hu", "nl", "no", "sv"})
"""Where words are joined to longer ones: the end of a compound is what it is."""
SHORTEST_PART = 5
CLITICS = {"ar": re.compile("(?:[وف]?(?:ال|لل|بال|كال)|[وف]?[بلك]|[وف])(?=...)")}
"""What is written together with the word after it, and may be left on it by the stemmer."""
_QUESTION_END = re.compile(r"[?？؟]\W*$")
_LEAD_IN = re.compile(r"[:：]\W*$")


class Reading:
    """A sentence of a passage, taken apart as far as needed."""

    __slots__ = ("__dict__", "language", "ordered", "terms", "words")

    def __init__(self, words: str, language: str) -> None:
        self.words = words
        self.language = language
        self.ordered = terms(words, language)
        self.terms = frozenset(self.ordered)

    @functools.cached_property
    def asks(self) -> bool:
        """Whether it ends with a question mark."""
        # Most sentences hold none, which is told at once; the pattern has to read them all.
        words = self.words
        return ("?" in words or "？" in words or "؟" in words) and bool(_QUESTION_END.search(words))

    @property
    def leads_in(self) -> bool:
        """Whether it ends with a colon."""
        words = self.words
        return (":" in words or "：" in words) and bool(_LEAD_IN.search(words))

    @functools.cached_property
    def tokens(self) -> list[Token]:
        """Where its words stand: costs more than the rest, and few sentences need it."""
        return tokens(self.words, self.language)


class Asked:
    """What a question looks for in passages of one language."""

    def __init__(self, query: Query, language: str) -> None:
        self.language = language
        self.terms = list(dict.fromkeys(query.terms.get(language, ())))
        self.known = frozenset(self.terms)
        self.weights = [query.weights.get(term, 0.0) for term in self.terms]
        self.total = math.fsum(self.weights) or 1.0
        self.heaviest = max(self.weights, default=1.0) or 1.0
        self.nothing = [0.0] * len(self.terms)
        self._places = {term: place for place, term in enumerate(self.terms)}
        self._beginnings: dict[str, list[int]] = {}
        for place, term in enumerate(self.terms):
            if len(term) >= PREFIX and term.isalpha():
                self._beginnings.setdefault(term[:PREFIX], []).append(place)
        self._joins = [
            (place, term)
            for place, term in enumerate(self.terms)
            if language in COMPOUNDING and len(term) >= SHORTEST_PART and term.isalpha()
        ]
        self._clitics = CLITICS.get(language)
        self._bare = {self._without_clitics(term): place for term, place in self._places.items()}
        self._bare |= self._places
        self._alike: dict[str, tuple[int, ...]] = {}
        self._unlike: set[str] = set()
        numbered = frozenset(
            term for found in _NUMBERED.findall(query.text) for term in terms(found, language)
        )
        self.codes = [term for term in self.terms if term in numbered or _is_code(term)]
        self.names = _names(query.text, language)

    def shares(self, held: frozenset[str]) -> list[float]:
        """For each term: 1 where it is among `held`, less where only a form of it is, else 0.

        To be read only: `nothing` itself where nothing is met.
        """
        for term in held.difference(self._alike, self._unlike):
            alike = self._forms_of(term)
            if alike:
                self._alike[term] = alike
            else:
                self._unlike.add(term)
        met = self._alike.keys() & held
        if not met:
            return self.nothing
        shares = self.nothing.copy()
        for term in met:
            for place in self._alike[term]:
                if not shares[place]:
                    shares[place] = PREFIX_DISCOUNT
            if term in self.known:
                shares[self._places[term]] = 1.0
        return shares

    def _forms_of(self, term: str) -> tuple[int, ...]:
        """The places of the question's terms that `term` is, or may be a form or a part of."""
        found = {self._places[term]} if term in self._places else set()
        found.update(self._beginnings.get(term[:PREFIX], ()))
        if self._joins and len(term) >= SHORTEST_PART:
            found.update(
                place
                for place, asked in self._joins
                if term.endswith(asked) or (term.isalpha() and asked.endswith(term))
            )
        if self._clitics is not None:
            for bare in (term, self._without_clitics(term)):
                if bare in self._bare:
                    found.add(self._bare[bare])
        return tuple(sorted(found))

    def _without_clitics(self, term: str) -> str:
        begins = self._clitics.match(term) if self._clitics is not None else None
        return term[begins.end() :] if begins is not None else term


class Met:
    """Which of the question's terms a passage has, by sentence; one list a sentence, in order."""

    def __init__(self, asked: Asked, passage: Passage, title: str) -> None:
        self.asked = asked
        language = passage.language
        self.sentences = [_read(passage, sentence) for sentence in passage.sentences]
        self.shares = [asked.shares(own.terms) for own in self.sentences]
        self.around = [max(column) for column in zip(*self.shares, strict=True)]
        name = passage.path.rpartition("/")[2]
        above = " \n ".join((title, name, *passage.heading_path))
        self._above = frozenset(terms(above, language))
        self.headings = asked.shares(self._above)
        self._passage = passage
        self._title = title
        self.names_missing = 0.0
        if asked.names:
            met = {
                term
                for term, around, over in zip(asked.terms, self.around, self.headings, strict=True)
                if around or over
            }
            missing = sum(1 for name in asked.names if met.isdisjoint(name))
            self.names_missing = missing / (1.0 + len(asked.names))

    @functools.cached_property
    def numbers(self) -> frozenset[str]:
        """Every number of the passage, its title and its headings."""
        lines = (self._passage.text, self._title, *self._passage.heading_path)
        return frozenset(number for line in lines for number in DIGITS.findall(line))

    def names_here(self, own: Reading) -> float:
        """Share of the names in the question that a sentence has; 0 where it names none."""
        names = self.asked.names
        if not names:
            return 0.0
        return sum(1 for name in names if not own.terms.isdisjoint(name)) / len(names)

    def codes_missing(self, own: Reading) -> float:
        """Share of the codes in the question that neither a sentence nor its headings have."""
        codes = self.asked.codes
        if not codes:
            return 0.0
        missing = [c for c in codes if c not in own.terms and c not in self._above]
        return len(missing) / len(codes)


def _is_code(term: str) -> bool:
    """Letters with digits, a version or clause of several numbers, the name of a file."""
    if any(map(str.isdigit, term)):
        return term[0].isalpha() or "." in term
    return "." in term


def _names(question: str, language: str) -> list[tuple[str, ...]]:
    """The terms of each capitalised word of the question but the first."""
    if language not in CAPITALISED_NAMES:
        return []
    return [
        token.terms
        for token in tokens(question, language)
        if token.start and token.terms and CAPITALISED.match(question, token.start)
    ]


def _read(passage: Passage, sentence: Sentence) -> Reading:
    if sentence.kind is BlockKind.MARKUP:
        # What may not be quoted is no evidence for what is.
        return Reading("", passage.language)
    start = passage.span.start
    quote = sentence.quote
    return Reading(passage.text[quote.start - start : quote.end - start], passage.language)
