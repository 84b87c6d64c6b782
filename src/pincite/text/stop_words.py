"""Words too common to search for, by language."""

from __future__ import annotations

import functools

from stop_words import get_stop_words

_LISTS = {
    code: code
    for code in (
        "ar bg ca cs da de el es fa fi fr he hi hu id it nl pl pt ro ru sv tr uk vi".split()
    )
} | {"no": "nb"}
"""ISO 639-1 code to the name of the list in the package stop-words."""

# The package's English list holds words people ask about: bill, computer, date, fire.
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


@functools.cache
def stop_words(language: str) -> frozenset[str]:
    """Words of `language` (ISO 639-1) too common to search for; empty where none are known."""
    if language == "en":
        return _ENGLISH_STOP_WORDS
    if language not in _LISTS:
        return frozenset()
    return frozenset(word.casefold() for word in get_stop_words(_LISTS[language]))
