"""Where sentences of prose end: the rules for stops, abbreviations, numbers and quotes."""

from __future__ import annotations

import re

from pincite.text.abbreviations import (
    ALWAYS_LAST,
    BEFORE_NUMBER,
    INTRODUCERS,
    LETTERED,
    MONTHS_AND_DAYS,
    SENTENCE_STARTERS,
    SOMETIMES_LAST,
    SOMETIMES_LAST_CAPITALISED,
    TITLES,
)

_STOPS = ".!?…؟۔։።‼⁇⁈⁉।॥。！？｡．"
_FULL_STOPS = frozenset("。！？｡।॥؟۔։።")
"""Stops that end a sentence whatever stands around them."""


# Begins with one set of characters, which `re` skips to quickly. Then either a line end that
# shows (two spaces or a backslash before it, or an empty line after it), or a run of stops and
# what may stand between them and the end of the sentence: closing quotes and brackets, Markdown
# emphasis and link targets, notes such as [1], tags. Possessive: nothing is read twice.
def _candidates(stops: str) -> re.Pattern[str]:
    return re.compile(
        rf"[{stops}\r\n](?:"
        r"(?<=[\r\n])((?:(?<=[ \t][ \t].)|(?<=\\.)|(?<=<br>.)|(?<=<br/>.)|(?<=<br />.)"
        r"|(?=(?:(?<=\r)\n)?+[ \t>]*+[\r\n]))\s*+)"
        rf"|(?<![\r\n])[{stops}]*+"
        r"((?:[\"'”’»›)}*_`~」』）】》〉〕｝〗〙\u00b9\u00b2\u00b3\u2070-\u2079]"
        r"|\]\([^()\s]{0,500}\)|\[\^?\w{1,8}\]|\]|</?\w[^<>]{0,200}>)*+)(\s*+))",
        re.S,
    )


_CANDIDATES = _candidates(_STOPS)
_CANDIDATES_GREEK = _candidates(_STOPS + ";\u037e")
# French sets a space before »; text that was cut into tokens has one before each closing sign.
_SPACED_CLOSER = re.compile(r"[»”](?=\s|$)\s*+")
_TOKEN_CLOSER = re.compile(r"(?:(?:' )?''|[»”)]|’’|-RRB-)(?=\s|$)\s*+")
_OPENERS = frozenset("\"'“‘„«‹([{*_`~<¿¡「『（【《〈#>|–—- \\")
_WORD_BEFORE = re.compile(r"[^\s\"'“”‘’„«»()\[\]{}*_`~<>/|,;:–—]+$")
_WORD_AFTER = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]{1,2}")
_YEAR = re.compile(r"[(\[]\s?\d{4}\b")
_ROMAN = re.compile(r"[IVXLC]+")
_ENUMERATOR = re.compile(
    r"\W*(?:(?:section|sec|article|art|chapter|clause|part|step|rule|item|note|annex|appendix"
    r"|exhibit|schedule|abschnitt|artikel|kapitel|§)\W{0,2}\s*)?"
    r"(?:\d{1,4}(?:\.\d{1,4})*|[ivxlc]{1,6}|[a-z])\\?\.",
    re.I,
)
_GOES_ON = frozenset("、，,")
_THAI_SPACE = re.compile("(?<=[\u0e00-\u0e7f])[ \\t]+(?=[\u0e00-\u0e7f])")

_ORDINAL_LANGUAGES = frozenset({"de", "da", "no", "fi", "cs", "hu", "sv", "pl", "tr"})
"""Where 3. may mean third."""
_ABBREVIATING_LANGUAGES = frozenset({"hi"})
"""Where a sentence ends in its own stop and the full stop is for abbreviations."""
_ABBREVIATIONS = TITLES | INTRODUCERS | BEFORE_NUMBER | SOMETIMES_LAST | SOMETIMES_LAST_CAPITALISED
_LOOK_BACK = 40
_EAST_ASIAN = "\u2e80"
_THAI_LENGTH = 80


def find_ends(text: str, start: int, end: int, language: str) -> list[tuple[int, int]]:
    """Where sentences end inside [start, end), rising: (end of the words, begin of the next).

    White space after a stop is between the two. The end of the last sentence is not given.
    """
    ends: list[tuple[int, int]] = []
    begin = start
    candidates = _CANDIDATES_GREEK if language == "el" else _CANDIDATES
    for match in candidates.finditer(text, start, end):
        position = match.end()
        if position >= end:
            break
        if match.lastindex == 1:
            if not text[position].islower() and match.start() > begin:
                ends.append((_trim(text, begin, match.start()), position))
                begin = position
            continue
        words_end = match.end(2)
        if position == words_end:
            if not _ends_unspaced(text, match, language):
                continue
        else:
            stop_start = match.start()
            is_token = stop_start > begin and text[stop_start - 1].isspace()
            closer = (_TOKEN_CLOSER if is_token else _SPACED_CLOSER).match(text, position, end)
            if closer is not None:
                position = closer.end()
                if position >= end:
                    break
                words_end = _trim(text, begin, position)
            if text[match.start(2) - 1] not in _FULL_STOPS and not _ends_spaced(
                text, begin, match, position, end, language
            ):
                continue
        ends.append((words_end, position))
        begin = position
    if language == "th":
        return _with_thai_spaces(text, start, end, ends)
    return ends


def _trim(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1].isspace():
        end -= 1
    return end


def _ends_unspaced(text: str, match: re.Match[str], language: str) -> bool:
    """Whether a stop with no white space after it ends a sentence."""
    stop = text[match.start(2) - 1]
    following = text[match.end()]
    if stop in _FULL_STOPS:
        # 「はい。」と答えた。 goes on after the quotation.
        is_closed = match.end(2) > match.start(2)
        return not (is_closed and (following in _GOES_ON or "\u3041" <= following <= "\u309f"))
    before = text[match.start() - 1 : match.start()]
    if stop == "．":
        return not before.isdigit()
    return following >= _EAST_ASIAN and before >= _EAST_ASIAN and following not in _GOES_ON


def _ends_spaced(
    text: str, begin: int, match: re.Match[str], position: int, end: int, language: str
) -> bool:
    """Whether a stop with white space after it ends the sentence that began at `begin`."""
    stop_start, stop_end = match.start(), match.start(2)
    following = text[position]
    before = text[stop_start - 1] if stop_start > begin else " "
    is_full_stop = stop_end == stop_start + 1 and text[stop_start] == "."
    if following.isupper():
        if is_full_stop:
            space = text.rfind(" ", max(begin, stop_start - _LOOK_BACK), stop_start)
            word = text[space + 1 : stop_start] if space >= 0 else ""
            if len(word) > 1 and word.isalpha() and word.lower() not in _ABBREVIATIONS:
                return not (language in _ORDINAL_LANGUAGES and _ROMAN.fullmatch(word))
    elif following.islower():
        return _ends_before_small(text, begin, match, before)
    elif following in ",;:":
        return False
    if before in "([" or _YEAR.match(text, position, end):
        return False
    word_start = position
    limit = min(end, position + 8)
    while word_start < limit and text[word_start] in _OPENERS:
        word_start += 1
    if word_start < limit and text[word_start].islower():
        # A small letter after an opening sign goes on; code may begin a sentence.
        return "`" in text[position:word_start]
    if before.isspace():
        if is_full_stop or text[stop_start] not in ".…":
            return True
        # Spaced dots leave something out.
        return _next_word(text, word_start, end).lower() in SENTENCE_STARTERS
    if not is_full_stop:
        return True
    return _ends_after_word(text, begin, match, _next_word(text, word_start, end), language)


def _next_word(text: str, start: int, end: int) -> str:
    found = _WORD_AFTER.match(text, start, end)
    return found.group() if found is not None else ""


def _ends_before_small(text: str, begin: int, match: re.Match[str], before: str) -> bool:
    """Whether a stop before a small letter ends a sentence: in text without capitals it may."""
    if match.end(2) > match.start(2) or match.start(2) > match.start() + 1:
        return False
    stop = text[match.start()]
    if stop == "?":
        return before.isalnum()
    if stop != "." or not text[begin].islower():
        return False
    found = _WORD_BEFORE.search(text, max(begin, match.start() - _LOOK_BACK), match.start())
    word = found.group() if found is not None else ""
    return len(word) > 3 and word.isalpha() and word.lower() not in _ABBREVIATIONS


def _ends_after_word(
    text: str, begin: int, match: re.Match[str], next_word: str, language: str
) -> bool:
    """Whether a single full stop ends a sentence, by the words around it."""
    stop_start = match.start()
    found = _WORD_BEFORE.search(text, max(begin, stop_start - _LOOK_BACK), stop_start)
    word = found.group().rstrip("\\") if found is not None else ""
    if not word:
        return True
    if stop_start - begin < 24 and _ENUMERATOR.fullmatch(text, begin, stop_start + 1):
        return False
    lower = word.lower()
    next_lower = next_word.lower()
    begins = next_lower in SENTENCE_STARTERS
    is_number_next = next_word[:1].isdigit()
    if word.isdigit() or (language in _ORDINAL_LANGUAGES and _ROMAN.fullmatch(word)):
        is_ordinal = language in _ORDINAL_LANGUAGES and len(word) <= (2 if word.isdigit() else 5)
        return not (is_ordinal and next_word and not begins and not is_number_next)
    if lower in BEFORE_NUMBER and (
        is_number_next
        or (word[0].isupper() and (len(next_word) == 1 or _ROMAN.fullmatch(next_word)))
    ):
        return False
    if len(word) == 1:
        return _ends_after_letter(text, begin, stop_start, word, next_word)
    if language in _ABBREVIATING_LANGUAGES and len(word) <= 3:
        return False
    is_capitalised = word[0].isupper()
    if lower in INTRODUCERS or (is_capitalised and lower in TITLES):
        return False
    if lower in ALWAYS_LAST:
        return True
    if lower in ("a.m", "p.m"):
        return next_lower not in MONTHS_AND_DAYS
    if (
        lower in SOMETIMES_LAST
        or (is_capitalised and lower in SOMETIMES_LAST_CAPITALISED)
        or _INITIALS.fullmatch(word)
    ):
        return begins
    return True


def _ends_after_letter(text: str, begin: int, stop_start: int, letter: str, next_word: str) -> bool:
    """Whether the full stop after a single letter ends a sentence: J. K. Rowling, plan B."""
    begins = next_word.lower() in SENTENCE_STARTERS
    if letter.isupper():
        before = text[max(begin, stop_start - _LOOK_BACK) : stop_start - 1].split()
        word = before[-1] if before else ""
        if word.lower() in LETTERED or (letter == "I" and word.islower()):
            return True
        return begins and not (len(next_word) == 1 and next_word != "A")
    if not letter.islower() and not letter.isdigit():
        # A script without capitals: a letter by itself is an initial or a title.
        return not letter.isalpha()
    lower = letter.lower()
    if lower in INTRODUCERS or (len(next_word) == 1 and not next_word.isdigit()):
        return False
    return begins or lower not in SOMETIMES_LAST


def _with_thai_spaces(
    text: str, start: int, end: int, ends: list[tuple[int, int]]
) -> list[tuple[int, int]]:
    """`ends`, and spaces between Thai words: Thai has no stop, a space ends a clause.

    Only where at least `_THAI_LENGTH` code points came before: spaces also set names apart.
    """
    found: list[tuple[int, int]] = []
    begin = start
    for limit, following in [*ends, (end, end)]:
        for space in _THAI_SPACE.finditer(text, begin, limit):
            if space.start() - begin >= _THAI_LENGTH and limit - space.end() >= _THAI_LENGTH // 2:
                found.append((space.start(), space.end()))
                begin = space.end()
        if following < end:
            found.append((limit, following))
            begin = following
    return found
