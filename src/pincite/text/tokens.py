"""Text to search terms: what counts as a word, a number, a code, and what they are matched by.

- Words are casefolded, NFKC-normalised and stemmed by the Snowball stemmer of their language;
  stop words yield no term.
- Codes (LMP-204, E27, max_connections, 4.2.1) are one term, never cut: a part of a code is
  noise. A code is matched without its hyphens, so LMP-204 meets lmp204.
- A number with a word after a hyphen (30-day) is a number and a word.
- Scripts written without spaces between words, and Korean, yield overlapping pairs of characters.
"""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

import Stemmer
from stop_words import get_stop_words

from pincite.text.languages import LANGUAGES

# Combining marks that belong to words but not to \w: Latin and Greek accents, Hebrew points,
# Arabic vowels, and the vowel signs of the Indic scripts and Thai.
# The Devanagari range leaves out the danda and double danda, which end sentences.
_MARKS = (
    "\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670"
    "\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e"
)
_CHUNK = re.compile(rf"[\w{_MARKS}]+(?:[-./_'’:,+@&‐‑]+[\w{_MARKS}]+)*")
_UNSPACED = (
    "\u0e00-\u0e7f\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3130-\u318f"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_UNSPACED_OR_OTHER = re.compile(f"([{_UNSPACED}]+)")
_SEPARATOR = re.compile(r"[-./_'’:,+@&‐‑]+")
_GROUPED_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_FILE_NAME = re.compile(r"[^./]*[^\W\d][^./]*\.[a-z][a-z0-9]{1,4}")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_CODE_JOINT = re.compile(r"[-_/‐‑]")

_ENGLISH_STOP_WORDS = frozenset(
    """
    a an the this that these those there here it its itself he him his himself she her hers
    herself they them their theirs themselves we our ours ourselves you your yours yourself
    yourselves i me my mine myself who whom whose which what when where why how
    am is are was were be been being do does did doing done have has had having
    will would shall should can could may might must ought
    and or but nor so if then else than as of at by for with about into through during
    to from in out on off over under up down between against
    again further once both each few more most other some such own same too very just
    also because while until although though since whether ever yet
    s t d m ll re ve don didn doesn isn aren wasn weren hasn haven hadn won wouldn couldn shouldn
    dont doesnt didnt isnt arent cant wont
    please tell give got get gets
    """.split()
)


@dataclass(frozen=True, slots=True)
class Token:
    """A word, number or code of a text, and the terms it is searched by (often one, or none)."""

    start: int
    end: int
    terms: tuple[str, ...]


@functools.cache
def stop_words(language: str) -> frozenset[str]:
    """Words of `language` (ISO 639-1) too common to search for; empty where none are known."""
    if language == "en":
        return _ENGLISH_STOP_WORDS
    known = LANGUAGES.get(language)
    if known is None or known.stop_words is None:
        return frozenset()
    return frozenset(word.casefold() for word in get_stop_words(known.stop_words))


class _Analyser(dict[str, tuple[str, ...]]):
    """Remembers the terms of each chunk seen: text repeats its words."""

    SIZE = 200_000

    def __init__(self, language: str) -> None:
        super().__init__()
        known = LANGUAGES.get(language)
        self._stem = Stemmer.Stemmer(known.stemmer).stemWord if known and known.stemmer else str
        self._stop_words = stop_words(language)

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        if len(self) >= self.SIZE:
            self.clear()
        terms = tuple(self._analyse(chunk))
        if len(chunk) <= 64:
            self[chunk] = terms
        return terms

    def _analyse(self, chunk: str) -> Iterator[str]:
        folded = chunk.casefold() if chunk.isascii() else _fold(chunk)
        if not folded.isascii() and _UNSPACED_RUN.search(folded):
            for part in _UNSPACED_OR_OTHER.split(folded):
                if _UNSPACED_RUN.match(part):
                    yield from _pairs(part)
                else:
                    yield from self._spaced(part.strip("-./_'’:,+@&"))
        else:
            yield from self._spaced(folded)

    def _spaced(self, folded: str) -> Iterator[str]:
        has_digit = any(map(str.isdigit, folded))
        if not _SEPARATOR.search(folded):
            if has_digit:
                yield folded
            elif folded:
                yield from self._word(folded)
        elif _GROUPED_NUMBER.fullmatch(folded):
            yield folded.replace(",", "")
        elif _NUMBER.fullmatch(folded):
            yield folded.replace(",", ".")
        elif has_digit and not folded[0].isdigit() and "@" not in folded and "'" not in folded:
            yield _CODE_JOINT.sub("", folded)
        elif _INITIALS.fullmatch(folded):
            yield folded.replace(".", "")
        else:
            if _FILE_NAME.fullmatch(folded) or "_" in folded or "@" in folded:
                yield folded
            for part in _SEPARATOR.split(folded):
                if any(map(str.isdigit, part)):
                    yield part
                elif part:
                    yield from self._word(part)

    def _word(self, word: str) -> Iterator[str]:
        if word not in self._stop_words:
            yield self._stem(word)


def _fold(chunk: str) -> str:
    return unicodedata.normalize("NFKC", chunk).casefold()


def _pairs(run: str) -> Iterator[str]:
    if len(run) == 1:
        yield run
    for start in range(len(run) - 1):
        yield run[start : start + 2]


@functools.cache
def _analyser(language: str) -> _Analyser:
    return _Analyser(language)


def terms(text: str, language: str) -> list[str]:
    """The search terms of `text` in reading order, repeats kept, stop words left out.

    `language` is an ISO 639-1 code; unknown codes mean no stemming and no stop words.
    """
    analyser = _analyser(language)
    found: list[str] = []
    for chunk in _CHUNK.findall(text):
        found += analyser[chunk]
    return found


def tokens(text: str, language: str) -> list[Token]:
    """The words, numbers and codes of `text` with their places, stop words included."""
    analyser = _analyser(language)
    return [
        Token(match.start(), match.end(), analyser[match.group()])
        for match in _CHUNK.finditer(text)
    ]
