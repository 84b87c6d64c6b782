"""Which language a text is in, and what Pincite knows of each language."""

from __future__ import annotations

import functools
import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from pincite.text.stop_words import stop_words

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

UNDETERMINED = "und"
DETECTION_LENGTH = 1_000
"""Code points looked at; more does not change the outcome on whole documents."""


LANGUAGES: dict[str, str | None] = {
    "ar": "arabic",
    "bg": None,
    "ca": "catalan",
    "cs": "czech",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "english",
    "es": "spanish",
    "fa": "persian",
    "fi": "finnish",
    "fr": "french",
    "he": None,
    "hi": "hindi",
    "hu": "hungarian",
    "id": "indonesian",
    "it": "italian",
    "ja": None,
    "ko": None,
    "nl": "dutch",
    "no": "norwegian",
    "pl": "polish",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "th": None,
    "tr": "turkish",
    "uk": None,
    "vi": None,
    "zh": None,
}
"""ISO 639-1 code to Snowball stemmer, None where there is none, of the languages told apart.

All others are `und`: matched unstemmed."""

_ALIASES = {"nn": "no"}

# Scripts that name their language outright, and the tenths of the letters that must be theirs.
# One is enough where a sign is a syllable or a word: Japanese is a third kana, and Latin names
# stand in any text. Alphabets need half: Greek letters stand in any formula.
# Kana is looked for before Han: Japanese has both.
_SCRIPTS: tuple[tuple[str, re.Pattern[str], int], ...] = (
    ("ja", re.compile("[\u3040-\u30ff]"), 1),
    ("ko", re.compile("[\uac00-\ud7af]"), 1),
    ("zh", re.compile("[\u4e00-\u9fff\u3400-\u4dbf]"), 1),
    ("th", re.compile("[\u0e00-\u0e7f]"), 3),
    ("el", re.compile("[\u0370-\u03ff]"), 5),
    ("he", re.compile("[\u0590-\u05ff]"), 5),
)
_WORD = re.compile(r"[^\W\d_]+")
_THREE_LETTERS = re.compile(r"[A-Za-z](?:[^A-Za-z]*+[A-Za-z]){2}")

_WORDS_LOOKED_AT = 80
_WORDS_TO_TRUST_LETTERS = 30
_WORDS_TO_BE_SURE = 8
"""So many common words of one language, and twice as many as of any other, settle it."""


@functools.cache
def _identifier() -> LanguageIdentifier:
    # Imported here because asking never needs it, and a command should start at once.
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages([*sorted(LANGUAGES), "nn"])
    return identifier


@functools.cache
def _common_words() -> dict[str, tuple[str, ...]]:
    """Each common word and the languages it is common in."""
    languages: dict[str, tuple[str, ...]] = {}
    for code in LANGUAGES:
        for word in sorted(stop_words(code)):
            languages[word] = (*languages.get(word, ()), code)
    return languages


def _guess(sample: str) -> str:
    """By common words where they are many and clear, else by the letters; English in doubt."""
    common = _common_words()
    words = [match[0] for match in islice(_WORD.finditer(sample.lower()), _WORDS_LOOKED_AT)]
    counts = Counter([code for word in words if word in common for code in common[word]])
    ranked = counts.most_common(2)
    if (
        ranked
        and ranked[0][1] >= max(_WORDS_TO_BE_SURE, len(words) // 4)
        and (len(ranked) == 1 or ranked[0][1] >= 2 * ranked[1][1])
    ):
        return ranked[0][0]
    guessed = str(_identifier().classify(sample)[0])
    code = _ALIASES.get(guessed, guessed)
    # The letters of a line or two say little; one "the" says more.
    if len(words) < _WORDS_TO_TRUST_LETTERS and sample.isascii() and counts["en"] >= counts[code]:
        return "en"
    return code


def detect(text: str) -> str:
    """The language of `text` as ISO 639-1, `und` where there is nothing to tell it by.

    Looks at the first letters only (`DETECTION_LENGTH`). Deterministic. Norwegian in both
    written forms is `no`. Text of a few words is a guess.
    """
    sample = text[:DETECTION_LENGTH]
    if sample.isascii():
        if _THREE_LETTERS.search(sample) is None:
            return UNDETERMINED
    else:
        letters = sum(map(str.isalpha, sample))
        if letters < 3:
            return UNDETERMINED
        for code, script, tenths in _SCRIPTS:
            if len(script.findall(sample)) * 10 >= letters * tenths:
                return code
    code = _guess(sample)
    return code if code in LANGUAGES else UNDETERMINED
