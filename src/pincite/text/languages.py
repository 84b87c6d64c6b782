"""Which language a text is in, and what Pincite knows of each language."""

from __future__ import annotations

import functools
import re
from collections import Counter
from dataclasses import dataclass

from py3langid.langid import MODEL_FILE, LanguageIdentifier
from stop_words import get_stop_words

UNDETERMINED = "und"
DETECTION_LENGTH = 1_000
"""Code points looked at; more does not change the outcome on whole documents."""


@dataclass(frozen=True, slots=True)
class Language:
    """What is known of a language; None where Snowball or the stop-word lists have nothing."""

    code: str
    stemmer: str | None
    stop_words: str | None


LANGUAGES: dict[str, Language] = {
    language.code: language
    for language in (
        Language("ar", "arabic", "ar"),
        Language("bg", None, "bg"),
        Language("ca", "catalan", "ca"),
        Language("cs", "czech", "cs"),
        Language("da", "danish", "da"),
        Language("de", "german", "de"),
        Language("el", "greek", "el"),
        Language("en", "english", None),
        Language("es", "spanish", "es"),
        Language("fa", "persian", "fa"),
        Language("fi", "finnish", "fi"),
        Language("fr", "french", "fr"),
        Language("he", None, "he"),
        Language("hi", "hindi", "hi"),
        Language("hu", "hungarian", "hu"),
        Language("id", "indonesian", "id"),
        Language("it", "italian", "it"),
        Language("ja", None, None),
        Language("ko", None, None),
        Language("nl", "dutch", "nl"),
        Language("no", "norwegian", "nb"),
        Language("pl", "polish", "pl"),
        Language("pt", "portuguese", "pt"),
        Language("ro", "romanian", "ro"),
        Language("ru", "russian", "ru"),
        Language("sv", "swedish", "sv"),
        Language("th", None, None),
        Language("tr", "turkish", "tr"),
        Language("uk", None, "uk"),
        Language("vi", None, "vi"),
        Language("zh", None, None),
    )
}
"""The languages a document can be found to be in; all others are `und`: matched unstemmed."""

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

_WORDS_LOOKED_AT = 80
_WORDS_TO_BE_SURE = 8
"""So many common words of one language, and twice as many as of any other, settle it."""


@functools.cache
def _identifier() -> LanguageIdentifier:
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    identifier.set_languages([*sorted(LANGUAGES), "nn"])
    return identifier


@functools.cache
def _common_words() -> dict[str, tuple[str, ...]]:
    """Each common word and the languages it is common in."""
    languages: dict[str, tuple[str, ...]] = {}
    for code, language in LANGUAGES.items():
        if name := "en" if code == "en" else language.stop_words:
            for word in sorted(set(map(str.lower, get_stop_words(name)))):
                languages[word] = (*languages.get(word, ()), code)
    return languages


def _by_common_words(sample: str) -> str | None:
    """The language whose common words clearly prevail in `sample`; quick, and often undecided."""
    common = _common_words()
    words = _WORD.findall(sample.lower())[:_WORDS_LOOKED_AT]
    counts = Counter([code for word in words if word in common for code in common[word]])
    ranked = counts.most_common(2)
    if not ranked or ranked[0][1] < max(_WORDS_TO_BE_SURE, len(words) // 4):
        return None
    return ranked[0][0] if len(ranked) == 1 or ranked[0][1] >= 2 * ranked[1][1] else None


def detect(text: str) -> str:
    """The language of `text` as ISO 639-1, `und` where there is nothing to tell it by.

    Looks at the first letters only (`DETECTION_LENGTH`). Deterministic. Norwegian in both
    written forms is `no`. Text of a few words is a guess.
    """
    sample = text[:DETECTION_LENGTH]
    letters = sum(map(str.isalpha, sample))
    if letters < 3:
        return UNDETERMINED
    if not sample.isascii():
        for code, script, tenths in _SCRIPTS:
            if len(script.findall(sample)) * 10 >= letters * tenths:
                return code
    code = _by_common_words(sample) or _identifier().classify(sample)[0]
    code = _ALIASES.get(code, code)
    return code if code in LANGUAGES else UNDETERMINED
