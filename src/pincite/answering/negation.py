"""Whether words say that something is not so."""

from __future__ import annotations

import re

# One line a language; scripts without spaces between words have no \\b.
_NEGATION = re.compile(
    "|".join(
        (
            r"\b(?:not|never|no|none|nobody|nothing|neither|nor|cannot|without|unable|\w+n['’]t)\b",
            r"\b(?:fail(?:s|ed)?|lack(?:s|ed)?|refus(?:e|es|ed)|except|unless)\b",
            r"\b(?:nicht|kein\w*|nie(?:mals)?|ohne)\b",
            r"\b(?:pas|jamais|sans|aucun\w*)\b|\bn['’]",
            r"\b(?:nunca|sin|ning[uú]n\w*|non|mai|senza|não|sem|nenhum\w*)\b",
            r"\b(?:niet|geen|nooit|zonder|ikke|aldri|ingen|uten)\b",
            r"\b(?:не|нет|никогда|без|ни)\b",
            r"\b(?:değil|yok|δεν|μην|όχι|không|chưa|nu|bukan|tidak|tanpa)\b",
            r"(?<!\w)(?:لا|ليس|ليست|لم|لن|غير|بدون)(?!\w)|(?<!\w)(?:नहीं|बिना|मत)(?!\w)",
            r"不|没|沒|无|無|未|ない|ません|なかった|없|않|못",
        )
    ),
    re.IGNORECASE,
)


def negates(words: str) -> bool:
    """Whether `words` hold a word of negation or exception, in any of the languages known here."""
    return bool(_NEGATION.search(words))
