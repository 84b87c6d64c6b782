"""Where the place of a quote is in a text that has changed, or what is most like it there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pincite.records import Quote, Span
from pincite.verifying.content import UNSPACED

LEAST_CONTEXT = 8
"""Letters and digits of the context that tell a place from others."""
ALIKE = 0.7
"""The share of words that a sentence has in common with the quote if it is the quote reworded."""
ALIKE_BESIDE = 0.4
"""The same, next to the words that stood beside the quote."""
WIDEST = 4
"""What stands between the words around the quote is in its place up to so many times its length."""

_REACH = 256
_MOST_SENTENCES = 60
"""That are looked at together."""
_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.!?](?=\S))*(?:[.!?。！？]+|\n|\Z)")
_WORD = re.compile(rf"{UNSPACED}|\w+")


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place that says the quote, and on how many sides it stands by what it stood by."""

    span: Span
    sides: int


def by_context(spans: Sequence[Span], quote: Quote, text: str, near: int) -> list[Occurrence]:
    """The places, those first that stand by what the quote stood by, then by nearness to `near`."""
    found = [Occurrence(span, sides(span, quote, text)) for span in spans]
    return sorted(found, key=lambda one: (-one.sides, abs(one.span.start - near), one.span.start))


def sides(span: Span, quote: Quote, text: str) -> int:
    """On how many sides of `span` stands what stood beside the quote: 0, 1 or 2."""
    return _is_beside(
        quote.prefix, text[max(0, span.start - _REACH) : span.start], str.endswith
    ) + _is_beside(quote.suffix, text[span.end : span.end + _REACH], str.startswith)


def _is_beside(context: str, there: str, test: Callable[[str, str], bool]) -> bool:
    """Whether the words are there; where nothing stood beside the quote, whether nothing does."""
    if not context:
        return not there.strip()
    letters = _letters(context)
    return test(there, context) or bool(letters and test(_letters(there), letters))


def between_context(quote: Quote, text: str) -> Span | None:
    """What stands now between the words that stood around the quote; empty where nothing does.

    None where those words are not there, or say too little to tell.
    """
    prefix, suffix = _letters(quote.prefix), _letters(quote.suffix)
    if not (_tells(quote.prefix, prefix) and _tells(quote.suffix, suffix)):
        return None
    places = [index for index, character in enumerate(text) if character.isalnum()]
    letters = "".join([text[index] for index in places])
    length = len(_letters(quote.exact))
    best: tuple[int, int, int] | None = None
    end = 0 if suffix else len(letters)
    for start in _ends_of(prefix, letters) if prefix else (0,):
        # Where both stand many times, nothing is looked for twice.
        if suffix and end <= start:
            end = letters.find(suffix, start)
        if end < 0:
            break
        if end - start <= WIDEST * length:
            gap = (abs(end - start - length), start, end)
            best = gap if best is None else min(best, gap)
    if best is None:
        return None
    _, start, end = best
    begin = places[start - 1] + 1 if start else 0
    if start == end:
        return Span(begin, begin)
    return _trimmed(Span(begin, places[end] if end < len(places) else len(text)), text)


def _tells(context: str, letters: str) -> bool:
    """Whether it tells a place: so many letters, or nothing, as at either end of a text."""
    return not context or len(letters) >= LEAST_CONTEXT


def most_alike(quote: Quote, text: str, near: int) -> Span | None:
    """The sentences that have most words in common with the quote; None where all have too few."""
    wanted = Counter(_WORD.findall(quote.exact))
    if not wanted:
        return None
    sentences = list(_sentences(text))
    words = [Counter(_WORD.findall(span.of(text))) for span in sentences]
    count = min(_MOST_SENTENCES, max(1, len(list(_sentences(quote.exact)))))
    best: tuple[float, int, int] | None = None
    found: Span | None = None
    for first in range(len(sentences)):
        held: Counter[str] = Counter()
        for last in range(first, min(first + count + 1, len(sentences))):
            held += words[last]
            share = _share(wanted, held)
            if share < ALIKE_BESIDE:
                continue
            span = Span(sentences[first].start, sentences[last].end)
            if share < ALIKE and not sides(span, quote, text):
                continue
            # Rounded, so that equal shares are equal however they were added up.
            rank = (-round(share, 6), abs(span.start - near), span.start)
            if best is None or rank < best:
                best, found = rank, span
    return found


def is_alike(words: str, quote: Quote) -> bool:
    """Whether the words, which stand where the quote stood, are the quote reworded."""
    return (
        _share(Counter(_WORD.findall(quote.exact)), Counter(_WORD.findall(words))) >= ALIKE_BESIDE
    )


def _share(one: Counter[str], other: Counter[str]) -> float:
    return 2 * (one & other).total() / max(1, one.total() + other.total())


def _sentences(text: str) -> Iterator[Span]:
    for match in _SENTENCE.finditer(text):
        span = _trimmed(Span(*match.span()), text)
        if span.start < span.end:
            yield span


def _trimmed(span: Span, text: str) -> Span:
    words = span.of(text)
    start = span.start + len(words) - len(words.lstrip())
    return Span(start, max(start, span.start + len(words.rstrip())))


def _ends_of(words: str, text: str) -> Iterator[int]:
    start = text.find(words)
    while start >= 0:
        yield start + len(words)
        start = text.find(words, start + 1)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
