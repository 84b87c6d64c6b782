"""Words of the documents that are spelt nearly like one that no document has."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from pincite.protocols import Corpus
from pincite.retrieval.weighting import is_common
from pincite.text.tokens import terms, tokens

SHORTEST = 5
"""Letters of a word that is looked at: nearly every shorter one is a letter away from another."""
LONGEST = 24
_LETTERS = {
    "LATIN": "abcdefghijklmnopqrstuvwxyzàáâäåæçèéêëìíîïñòóôöøùúûüß",
    "CYRILLIC": "абвгдежзийклмнопрстуфхцчшщъыьэюяё",
    "GREEK": "αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώ",
}


def nearly_spelt(words: Iterable[str], corpus: Corpus) -> dict[str, str]:
    """For each of `words` that no document has, one of the documents' that is a letter away.

    A letter added, left out, changed, or two that changed places. As a document writes it; of
    several the one in most passages. Words that are common in general are taken as meant.
    """
    languages = corpus.statistics().languages
    found = {}
    for word in words:
        if SHORTEST <= len(word) <= LONGEST and word.isalpha() and not word.isupper():
            near = _nearest(word.casefold(), languages, corpus)
            if near:
                found[word] = near
    return found


def _nearest(word: str, languages: Sequence[str], corpus: Corpus) -> str:
    own = sorted({term for language in languages for term in terms(word, language)})
    if any(is_common(term, language) for term in own for language in languages):
        return ""
    if any(corpus.document_frequencies(own).values()):
        return ""
    stems = [
        (stem, language, spelt)
        for spelt in sorted(set(_a_letter_away(word)))
        for language in languages
        for stem in terms(spelt, language)
    ]
    held = corpus.document_frequencies([stem for stem, _, _ in stems])
    best = sorted(
        (-held[stem], spelt, stem, language) for stem, language, spelt in stems if held[stem]
    )
    for _, spelt, stem, language in best:
        if written := _as_written(spelt, stem, language, corpus):
            return written
    return ""


_LOOKED_AT = 20
"""Passages with a form of the word in which it is looked for itself."""


def _as_written(spelt: str, stem: str, language: str, corpus: Corpus) -> str:
    """The word as a passage has it, in small letters where one does; empty where none has it.

    Some may have other forms of it only, which are no better spelling of what was asked.
    """
    written = {
        text[token.start : token.end]
        for passage in corpus.passages(corpus.candidates([stem], limit=_LOOKED_AT))
        for text in (passage.text, *passage.heading_path)
        for token in tokens(text, language)
        if stem in token.terms and text[token.start : token.end].casefold() == spelt
    }
    return max(written, default="")


def _a_letter_away(word: str) -> Iterator[str]:
    script = unicodedata.name(word[0], "").partition(" ")[0]
    letters = _LETTERS.get(script, "")
    for place in range(len(word) + 1):
        before, after = word[:place], word[place:]
        for letter in letters:
            yield before + letter + after
        if after:
            yield before + after[1:]
            for letter in letters:
                yield before + letter + after[1:]
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]
