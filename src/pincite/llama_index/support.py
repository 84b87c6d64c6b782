"""Which words of some texts an answer stands on, sentence by sentence.

A sentence that a text has word for word is quoted. One in other words is supported where a sentence
or two that stand together have nearly all its words; all its numbers, names and codes, the names in
the same order; the same words that bind or limit, as "must", "may", "only", "unless"; and are
negated as it is. That is a rule, not a proof: nothing is concluded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pincite.answering.negation import negates
from pincite.loaders import document_of_text
from pincite.records import BlockKind, Sentence, Span
from pincite.text.languages import detect
from pincite.text.passages import split_passages
from pincite.text.tokens import terms
from pincite.verifying.content import Content, content_of
from pincite.verifying.governing import left_out
from pincite.verifying.matching import occurrences_in


class Standing(StrEnum):
    """How a sentence of an answer stands to the texts."""

    QUOTED = "quoted"
    SUPPORTED = "supported"
    UNSUPPORTED = "unsupported"


_NOWHERE = Span(0, 0)


@dataclass(frozen=True, slots=True)
class Supported:
    """A sentence, or a paragraph that is quoted as a whole, and the words it stands on."""

    words: str
    standing: Standing
    text_index: int = -1
    """Which of the texts; -1 for none."""
    span: Span = _NOWHERE
    """Into that text."""
    left_out: str = ""
    """The rest of the sentence that is quoted, where that limits or denies what is quoted of it."""


_NEARLY_ALL = 0.8
_BINDING = re.compile(
    r"\b(?:all|every|each|any|some|only|most|many|few|both|either|neither|half|must|shall|may|can|"
    r"could|might|should|always|unless|except|until|if|before|after|more|less|least|under|over|"
    r"above|below|within|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|"
    r"forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|billion|twice|first|last)\b",
    re.IGNORECASE,
)
_LIMITING = frozenset(("only", "unless", "except", "until", "if"))
_NAME = re.compile(r"(?<=[^\W_] )[A-Z][\w'’-]*|(?<=[,(] )[A-Z][\w'’-]*")
_FEWEST_TERMS = 3
_NUMBERS = re.compile(r"(?: ?\[\d+\])+")
_LABELS = re.compile(r"^Response \d+: |^-{3,}$", re.MULTILINE)
_PARAGRAPHS = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class _Window:
    """A sentence or two of a text."""

    text_index: int
    span: Span
    ordered: tuple[str, ...]
    terms: frozenset[str]
    negates: bool
    binding: frozenset[str]


def supports(answer: str, texts: Sequence[str]) -> list[Supported]:
    """The sentences of `answer`, each with what it stands on; the first text that has it counts."""
    contents = [(text, content_of(text)) for text in texts]
    windows: list[_Window] | None = None
    found: list[Supported] = []
    for paragraph in _PARAGRAPHS.split(_LABELS.sub("", _NUMBERS.sub("", answer))):
        words = paragraph.strip()
        if not words:
            continue
        if quoted := _quoted(words, contents):
            found.append(quoted)
            continue
        for sentence in _sentences(words):
            said = sentence.quote.of(words)
            quoted = _quoted(said, contents)
            if quoted is None:
                windows = _windows(texts) if windows is None else windows
                quoted = _in_other_words(said, windows)
            found.append(quoted)
    return found


def _quoted(words: str, contents: Sequence[tuple[str, Content]]) -> Supported | None:
    """Where the words stand, rather where nothing around limits them; None where nowhere."""
    first: Supported | None = None
    for index, (text, content) in enumerate(contents):
        for place in occurrences_in(words, content):
            rest = left_out(text, place)
            if rest is None:
                return Supported(words, Standing.QUOTED, index, place)
            if first is None:
                limits = " ".join(rest.of(text).split())
                first = Supported(words, Standing.QUOTED, index, place, limits)
    return first


def _in_other_words(words: str, windows: Sequence[_Window]) -> Supported:
    said = set(terms(words, _language(words)))
    language = _language(words)
    names = [term for name in _NAME.findall(words) for term in terms(name, language)]
    exact = {term for term in said if any(map(str.isdigit, term))} | set(names)
    binding = _binding(words)
    in_order = [term for term in dict.fromkeys(terms(words, language)) if term in exact]
    best: _Window | None = None
    most = 0.0
    for window in windows:
        if len(said) < _FEWEST_TERMS or not exact <= window.terms:
            continue
        if not _come_in_order(in_order, window.ordered):
            continue
        if not binding <= window.binding or (window.binding & _LIMITING) - binding:
            continue
        share = round(len(said & window.terms) / len(said), 6)
        if share > most and negates(words) == window.negates:
            best, most = window, share
    if best is None or most < _NEARLY_ALL:
        return Supported(words, Standing.UNSUPPORTED)
    return Supported(words, Standing.SUPPORTED, best.text_index, best.span)


def _windows(texts: Sequence[str]) -> list[_Window]:
    """Single sentences first, so that of equals the shorter is taken."""
    single: list[_Window] = []
    double: list[_Window] = []
    for index, text in enumerate(texts):
        language = _language(text)
        sentences = _sentences(text)
        for number, sentence in enumerate(sentences):
            single.append(_window(index, text, sentence.quote, language))
            if number + 1 < len(sentences):
                both = Span(sentence.quote.start, sentences[number + 1].quote.end)
                double.append(_window(index, text, both, language))
    return [*single, *double]


def _window(index: int, text: str, span: Span, language: str) -> _Window:
    words = span.of(text)
    ordered = tuple(terms(words, language))
    return _Window(index, span, ordered, frozenset(ordered), negates(words), _binding(words))


def _come_in_order(names: Sequence[str], words: Sequence[str]) -> bool:
    """Whether names come one after the other somewhere: who did what to whom hangs on it."""
    rest = iter(words)
    return all(name in rest for name in names)


def _binding(words: str) -> frozenset[str]:
    return frozenset(word.casefold() for word in _BINDING.findall(words))


def _language(text: str) -> str:
    found = detect(text)
    return "en" if found == "und" else found


def _sentences(text: str) -> list[Sentence]:
    document = document_of_text(text, name="text.md")
    return [
        sentence
        for passage in split_passages(document)
        for sentence in passage.sentences
        if sentence.kind is not BlockKind.MARKUP and sentence.quote.of(text).strip()
    ]
