"""Text to search terms: what counts as a word, a number, a code, and what they are matched by.

- Words are casefolded, NFKC-normalised and stemmed by the Snowball stemmer of their language;
  stop words yield no term.
- Codes (LMP-204, E27, max_connections, 4.2.1) are one term, never cut: a part of a code is
  noise. A code is matched without its hyphens, so LMP-204 meets lmp204. What is joined to a
  code but is not part of it is separate: E12/E13, LMP-204's, E27-Fassung.
- A number with a word after a hyphen (30-day) is a number and a word, and so is a number with
  its unit (3.5mm). A letter and a word (e-mail) are one word.
- Scripts written without spaces between words, and Korean, yield overlapping pairs of characters.
"""

from __future__ import annotations

import functools
import itertools
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import Stemmer

from pincite.text.languages import LANGUAGES
from pincite.text.stop_words import stop_words

# Combining marks that belong to words but not to \w: Latin and Greek accents, Hebrew points,
# Arabic vowels, and the vowel signs of the Indic scripts and Thai; and what is invisible inside
# a word, the soft hyphen and the joiner.
# The Devanagari range leaves out the danda and double danda, which end sentences.
_MARKS = (
    "\u00ad\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u064b-\u065f\u0670"
    "\u0900-\u0963\u0966-\u0dff\u0e31-\u0e4e\u200d"
)
# Possessive where nothing can be gained by looking again: a quarter faster.
# A backslash before a sign is Markdown's way to write the sign.
_CHUNK = re.compile(rf"[\w{_MARKS}]++(?:(?:\\?[-./_'’:,+@&‐‑–])++[\w{_MARKS}]++)*+")
_UNSPACED = (
    "\u0e00-\u0e7f\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3130-\u318f"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_UNSPACED_RUN = re.compile(f"[{_UNSPACED}]+")
_UNSPACED_OR_OTHER = re.compile(f"([{_UNSPACED}]+)")
_SEPARATOR = re.compile(r"[-./_'’:,+@&‐‑]+")
_BREAK = re.compile(r"[/'’+&]+|(?<!\d)[:,]+|[:,]+(?!\d)")
"""Ends a code; a comma or colon between digits does not, it may be part of a number or time."""
_JOINT = re.compile(r"[-._:,‐‑]+")
_HYPHEN = re.compile(r"[-_‐‑]+")
_CODE_JOINT = re.compile(r"[-_‐‑]")
_DIGIT = re.compile(r"\d")
_LIST = re.compile("[,:]+")
_DIGIT_GROUPS = re.compile(r"\d+(?:[-‐‑]\d+){2,}")
_DATE = re.compile(r"\d{4}([-‐‑])\d\d?\1\d\d?|\d\d?([-‐‑])\d\d?\2\d{4}")
_POSSESSIVE = re.compile(r"['’]s$")
_GROUPED_NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_MEASURE = re.compile(
    r"(\d+(?:,\d{3})*)"
    r"(mm|cm|km|kg|mg|ml|cl|k?wh?|m?ah|[kmgt]b|[kmg]?hz|lm|min|sec|v)"
    r"|(\d+[.,]\d+)([^\W\d_]{1,4})"
)
_VERSION = re.compile(r"\d+(?:\.\d+)+\.\d*[a-z]\w*(?:[-.]\w+)*|\d+(?:\.\d+){2,}-\w+(?:[-.]\w+)*")
_LABELLED_NUMBER = re.compile(r"([^\W\d_]+)\.(\d\w*)|(pre|post|mid|early|late|top)[-‐‑](\d\w*)")
_CODE_WITH_WORDS = re.compile(r"(.*\d\w*?)((?:[-‐‑][^\W\d_]{4,})+)")
_LETTER_AND_WORD = re.compile(r"([^\W\d_])[-‐‑]([^\W\d_]{2,})((?:[-‐‑][^\W\d_]+)*)")
_LETTERS_AND_LETTERS = re.compile(r"[^\W\d_]{1,2}&[^\W\d_]{1,2}")
_FILE_NAME = re.compile(r"[^./]*[^\W\d][^./]*\.[a-z][a-z0-9]{1,4}")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]")
_FOOTNOTE = re.compile("(?<=[^\\W\\d_][^\\W\\d_][^\\W\\d_])[\u00b9\u00b2\u00b3\u2070-\u2079]+$")
_ZEROS = "\u0660\u06f0\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0e50\u0ed0"
_FOLDED = {
    **{ord(zero) + digit: str(digit) for zero in _ZEROS for digit in range(10)},
    **dict.fromkeys([*range(0x0591, 0x05BE), *range(0x05BF, 0x05C8)]),  # Hebrew points
    **dict.fromkeys([0x0640, *range(0x064B, 0x0653), 0x0670]),  # Arabic vowels and stretching
    **dict.fromkeys([0x00AD, 0x200D, 0x0307]),  # invisible; the dot of a lower-cased Turkish İ
}


class Token(NamedTuple):
    """A word, number or code of a text, and the terms it is searched by (often one, or none)."""

    start: int
    end: int
    terms: tuple[str, ...]


class _Analyser(dict[str, tuple[str, ...]]):
    """Remembers the terms of each chunk seen: text repeats its words."""

    SIZE = 200_000

    def __init__(self, language: str) -> None:
        super().__init__()
        stemmer = LANGUAGES.get(language)
        self._stem = Stemmer.Stemmer(stemmer).stemWord if stemmer else str
        self._stop_words = stop_words(language)

    def __missing__(self, chunk: str) -> tuple[str, ...]:
        if len(self) >= self.SIZE:
            self.clear()
        if chunk.isascii() and chunk.isalpha():  # most of English, at a third of the time
            terms = tuple(self._word(chunk.lower()))
        else:
            terms = tuple(self._analyse(chunk))
        if len(chunk) <= 64:
            self[chunk] = terms
        return terms

    def _analyse(self, chunk: str) -> Iterator[str]:
        # An en dash is what a word processor makes of the hyphen of a code.
        chunk = chunk.replace("\\", "").replace("–", "-")
        if not chunk.isascii():
            for word in _fold(chunk).split():  # a few signs stand for a phrase, as U+FDFA
                yield from self._folded(word)
        else:
            yield from self._folded(chunk.casefold())

    def _folded(self, folded: str) -> Iterator[str]:
        if not folded.isascii() and _UNSPACED_RUN.search(folded):
            for part in _UNSPACED_OR_OTHER.split(folded):
                if _UNSPACED_RUN.match(part):
                    yield from _pairs(part)
                else:
                    yield from self._spaced(part.strip("-./_'’:,+@&"))
        else:
            yield from self._spaced(folded)

    def _spaced(self, folded: str) -> Iterator[str]:
        if folded[:1] == "_" or folded[-1:] == "_":
            folded = _without_emphasis(folded)
        if folded.isalnum() or not _SEPARATOR.search(folded):
            yield from self._plain(folded)
        elif "@" in folded:
            yield folded
            yield from self._parts(_SEPARATOR.split(folded))
        elif "&" in folded and _LETTERS_AND_LETTERS.fullmatch(folded):
            yield folded.replace("&", "")
        else:
            for part in _BREAK.split(_POSSESSIVE.sub("", folded)):
                if part.isalnum() or not _SEPARATOR.search(part):
                    yield from self._plain(part)
                elif _DIGIT.search(part):
                    yield from self._with_digits(part)
                else:
                    yield from self._compound(part)

    def _with_digits(self, part: str) -> Iterator[str]:
        """Terms of a number, a code, or what is joined to one by hyphens, dots, underscores."""
        starts_with_digit = part[0].isdigit()
        if starts_with_digit and _NUMBER.fullmatch(part):
            yield _number(part)
        elif starts_with_digit and (measure := _MEASURE.fullmatch(part)):
            yield from self._measure(measure)
        elif starts_with_digit and (_VERSION.fullmatch(part) or _is_number_code(part)):
            yield _CODE_JOINT.sub("", part)
        elif starts_with_digit:
            yield from self._compound(part)
        elif label := _LABELLED_NUMBER.fullmatch(part):
            yield from self._parts(label.groups())
        elif tail := _CODE_WITH_WORDS.fullmatch(part):
            yield _CODE_JOINT.sub("", tail[1])
            yield from self._parts(_JOINT.split(tail[2]))
        else:
            for code in _LIST.split(part):
                yield _CODE_JOINT.sub("", code)

    def _compound(self, part: str) -> Iterator[str]:
        """Terms of words joined by hyphens, dots, underscores; a number may come first."""
        if "." in part and _INITIALS.fullmatch(part):
            yield part.replace(".", "")
        elif word := _LETTER_AND_WORD.fullmatch(part):
            yield from self._word(word[1] + word[2])
            yield from self._parts(_JOINT.split(word[3]))
        else:
            if "_" in part or ("." in part and _FILE_NAME.fullmatch(part)):
                yield part
            for piece in _HYPHEN.split(part):
                if "." in piece and _INITIALS.fullmatch(piece.rstrip(".")):
                    yield piece.replace(".", "")
                elif _NUMBER.fullmatch(piece):
                    yield _number(piece)
                else:
                    yield from self._parts(_JOINT.split(piece))

    def _parts(self, parts: Iterable[str | None]) -> Iterator[str]:
        for part in parts:
            if part:
                yield from self._plain(part)

    def _plain(self, part: str) -> Iterator[str]:
        """Terms of what holds no separator at all."""
        if part.isalpha() or not _DIGIT.search(part):
            if part:
                yield from self._word(part)
        elif measure := _MEASURE.fullmatch(part):
            yield from self._measure(measure)
        else:
            yield part

    def _measure(self, measure: re.Match[str]) -> Iterator[str]:
        yield (measure[1] or measure[3]).replace(",", "" if measure[1] else ".")
        yield from self._word(measure[2] or measure[4])

    def _word(self, word: str) -> Iterator[str]:
        # Some stemmers leave nothing of a word that is all ending.
        if word not in self._stop_words and (stem := self._stem(word)):
            yield stem


def _fold(chunk: str) -> str:
    chunk = _FOOTNOTE.sub("", chunk)
    folded = unicodedata.normalize("NFKC", chunk).casefold().translate(_FOLDED)
    return unicodedata.normalize("NFC", folded)


def _number(number: str) -> str:
    return number.replace(",", "" if _GROUPED_NUMBER.fullmatch(number) else ".")


def _is_number_code(part: str) -> bool:
    """Three groups of digits or more are a telephone number or an ISBN, unless they are a date."""
    return bool(_DIGIT_GROUPS.fullmatch(part) and not _DATE.fullmatch(part))


def _without_emphasis(folded: str) -> str:
    """A name may begin with an underscore; on both sides it is emphasis or a line to fill in."""
    stripped = folded.strip("_")
    return stripped if not stripped or (folded[0] == folded[-1] == "_") else folded


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
    of_chunk = _analyser(language).__getitem__
    return list(itertools.chain.from_iterable(map(of_chunk, _CHUNK.findall(text))))


def tokens(text: str, language: str) -> list[Token]:
    """The words, numbers and codes of `text` with their places, stop words included."""
    of_chunk = _analyser(language).__getitem__
    # Past the named tuple's own __new__, which is Python: half the time of an often-used function.
    new = tuple.__new__
    return [new(Token, (*match.span(), of_chunk(match[0]))) for match in _CHUNK.finditer(text)]
