"""Words too common to search for, by language.

For the languages of `function_words.json` they are the words that only join others: articles,
pronouns, prepositions, conjunctions, auxiliary verbs and question words, written down by hand.
The lists of the package stop-words hold words that people ask about (Spanish *estados*, Italian
*prezzo*, Russian *год*, English *bill*), so they serve only where there is no other list.
"""

from __future__ import annotations

import functools
import json
import pkgutil

from stop_words import get_stop_words

_LISTS = frozenset("bg ca cs da el fa fi he hu id pl ro sv uk vi".split())
"""Languages whose list is that of the package stop-words."""

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
"""Without *not*, *no*, *never*, *only*, *all* and *any*, which change what a sentence says."""


@functools.cache
def _function_words() -> dict[str, list[str]]:
    # `importlib.resources` would take longer to load than all that is read here.
    content = pkgutil.get_data("pincite.text", "function_words.json") or b""
    words: dict[str, list[str]] = json.loads(content)
    return words


@functools.cache
def stop_words(language: str) -> frozenset[str]:
    """Words of `language` (ISO 639-1) too common to search for; empty where none are known."""
    if language == "en":
        return _ENGLISH_STOP_WORDS
    if language in _LISTS:
        return frozenset(word.casefold() for word in get_stop_words(language))
    lines = _function_words().get(language, ())
    return frozenset(word.casefold() for line in lines for word in line.split())
