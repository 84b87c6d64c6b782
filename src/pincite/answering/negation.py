"""Whether words say that something is not so."""

from __future__ import annotations

import re

from pincite.answering.patterns import whole_words

# One line a language; scripts without spaces between words have no \\b.
_WORDS = "|".join(
    (
        r"not|never|no|none|nobody|nothing|neither|nor|cannot|without|unable",
        r"fail(?:s|ed)?|lack(?:s|ed)?|refus(?:e|es|ed)|except|unless",
        r"nicht|kein\w*|nie(?:mals)?|ohne",
        r"pas|jamais|sans|aucun\w*",
        r"nunca|sin|ning[uú]n\w*|non|mai|senza|não|sem|nenhum\w*",
        r"niet|geen|nooit|zonder|ikke|aldri|ingen|uten",
        r"не|нет|никогда|без|ни",
        r"değil|yok|δεν|μην|όχι|không|chưa|nu|bukan|tidak|tanpa",
    )
)
_NEGATION = re.compile(
    "|".join(
        (
            whole_words(_WORDS),
            r"(?<=\w)n['’]t\b|\bn['’]",
            r"(?<!\w)(?:لا|ليس|ليست|لم|لن|غير|بدون)(?!\w)|(?<!\w)(?:नहीं|बिना|मत)(?!\w)",
            r"不|没|沒|无|無|未|ない|ません|なかった|없|않|못",
        )
    ),
    re.IGNORECASE,
)


def negates(words: str) -> bool:
    """Whether `words` hold a word of negation or exception, in any of the languages known here."""
    return bool(_NEGATION.search(words))
