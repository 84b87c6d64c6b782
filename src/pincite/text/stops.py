"""Where sentences of prose end: the rules for stops, abbreviations, numbers and quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from pincite.text.abbreviations import (
    BEFORE_NUMBER,
    MONTHS_AND_DAYS,
    NEVER_LAST,
    SENTENCE_STARTERS,
    SOMETIMES_LAST,
)

# What may stand between a stop and the end of its sentence: closing quotes and brackets,
# Markdown emphasis and link targets, notes such as [1], tags.
_CLOSERS = (
    r"(?:[\"'”’»›)}*_`~」』）】》〉〕｝〗〙\u00b9\u00b2\u00b3\u2070-\u2079]"
    r"|\]\([^()\s]{0,500}\)|\[\^?\w{1,8}\]|\]|</?\w[^<>]{0,200}>)*+"
)
# The alternatives that stand for themselves: hard line breaks and empty lines.
_CANDIDATE = re.compile(
    r"(?P<stop>[.!?…؟۔։።!?‼⁇⁈⁉।॥。！？｡．]++)(?P<close>" + _CLOSERS + r")(?P<space>\s*+)"
    r"|(?P<hard>(?:[ \t]{2,}|\\|<br\s*/?>)(?:\r\n?|\n)|(?:\r\n?|\n)[ \t>]*(?:\r\n?|\n))\s*+"
)
# Stops that need no white space after them.
_FULL_STOPS = frozenset("。！？｡।॥؟۔։።")
_SPACED_CLOSER = re.compile(r"(?:''|”|’’|\)|-RRB-)(?=\s|$)\s*+")
_OPENERS = "\"'“‘„«‹([{*_`~<¿¡「『（【《〈#>|–—- "
_WORD_BEFORE = re.compile(r"[^\s\"'“”‘’„«»()\[\]{}*_`~<>/|,;:–—]+$")
_WORD_AFTER = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,4}\.)+[^\W\d_]{1,4}")
_ENUMERATOR = re.compile(
    r"\W*(?:(?:section|sec|article|art|chapter|clause|part|step|rule|item|note|annex|appendix"
    r"|exhibit|schedule|abschnitt|artikel|kapitel|§)\W{0,2}\s*)?"
    r"(?:\d{1,4}(?:\.\d{1,4})*|[ivxlc]{1,6}|[a-z])\.",
    re.I,
)
_HIRAGANA_OR_COMMA = re.compile("[\u3041-\u309f、，,]")
_ORDINAL_LANGUAGES = frozenset({"de", "da", "no", "fi", "cs", "hu", "sv", "pl", "tr", "sk"})
_LOOK_BACK = 40
_EAST_ASIAN = "\u2e80"


def find_ends(text: str, start: int, end: int, language: str) -> Iterator[int]:
    """Offsets in [start, end) at which a new sentence begins, rising.

    White space after a stop belongs to the sentence it ends. Never yields `start` or `end`.
    """
    begin = start
    position = start
    while True:
        match = _CANDIDATE.search(text, position, end)
        if match is None:
            return
        position = match.end()
        if position >= end:
            return
        stop = match["stop"]
        if stop is None:
            if not text[position].islower():
                yield position
                begin = position
            continue
        if not match["space"]:
            if not _ends_unspaced(text, match, language):
                continue
        else:
            stop_start = match.start()
            if stop_start > start and text[stop_start - 1].isspace():
                # Tokenised text has spaces before stops and closing quotes.
                closer = _SPACED_CLOSER.match(text, position, end)
                if closer is not None:
                    position = closer.end()
                    if position >= end:
                        return
            if stop[-1] not in _FULL_STOPS and not _ends_spaced(
                text, begin, stop_start, stop, match["close"], position, end, language
            ):
                continue
        yield position
        begin = position


def _ends_unspaced(text: str, match: re.Match[str], language: str) -> bool:
    """Whether a stop with no white space after it ends a sentence."""
    stop = match["stop"]
    following = text[match.end()]
    if stop[-1] in _FULL_STOPS:
        if match["close"]:
            # 「はい。」と答えた。 goes on after the quotation.
            return not _HIRAGANA_OR_COMMA.match(following)
        return True
    before = text[match.start() - 1 : match.start()]
    if stop[-1] == "．":
        return not before.isdigit()
    return following >= _EAST_ASIAN and before >= _EAST_ASIAN and following not in "、，"


def _ends_spaced(
    text: str, begin: int, stop_start: int, stop: str, close: str, position: int, end: int,
    language: str,
) -> bool:  # fmt: skip
    """Whether a stop with white space after it ends the sentence that began at `begin`."""
    following = text[position]
    if following.islower():
        return False
    if following in ",;:":
        return False
    before = text[stop_start - 1] if stop_start > begin else " "
    if before in "([" and close[:1] in (")", "]", ""):
        return False
    next_word = _WORD_AFTER.match(text, position, end)
    if next_word is None:
        word_start = position
        limit = min(end, position + 8)
        while word_start < limit and text[word_start] in _OPENERS:
            word_start += 1
        if word_start < end and text[word_start].islower() and "`" not in text[position:word_start]:
            return False
        next_word = _WORD_AFTER.match(text, word_start, end)
    if stop != ".":
        return True
    if before.isspace():
        return True
    return _ends_after_word(
        text, begin, stop_start, bool(close), next_word.group() if next_word else "", language
    )


def _ends_after_word(
    text: str, begin: int, stop_start: int, is_closed: bool, next_word: str, language: str
) -> bool:
    """Whether the single full stop at `stop_start` ends a sentence, by the words around it."""
    found = _WORD_BEFORE.search(text, max(begin, stop_start - _LOOK_BACK), stop_start)
    if found is None:
        return True
    word = found.group().rstrip("\\")
    if not word:
        return True
    if stop_start - begin < 24 and _ENUMERATOR.fullmatch(text, begin, stop_start + 1):
        return False
    if is_closed and len(word) > 3 and "." not in word:
        return True
    lower = word.lower()
    begins = next_word.lower() in SENTENCE_STARTERS
    if word.isdigit():
        return not (
            language in _ORDINAL_LANGUAGES and len(word) <= 2 and next_word and not begins
            and not next_word[0].isdigit()
        )  # fmt: skip
    if next_word[:1].isdigit() and lower in BEFORE_NUMBER:
        return False
    if len(word) == 1:
        if word.isupper():
            return begins
        return lower not in NEVER_LAST
    if lower in NEVER_LAST:
        return False
    if lower in SOMETIMES_LAST or _DOTTED.fullmatch(word):
        if lower in ("etc", "usw", "ecc"):
            return True
        return begins and next_word.lower() not in MONTHS_AND_DAYS
    return True
