"""Where a text has a quote: its content, whole, and not as a part of other words or amounts."""

from __future__ import annotations

import re
import unicodedata

from pincite.records import Span
from pincite.verifying.content import MAYBE_HYPHEN, Content, content_of, is_unspaced, words_of

_OF_NUMBERS = ",\u066b\u066c\uff0c\uff0e"
"""Between two digits these make one number."""
_JOINERS = "-'._/@&\\:\u00b7\u2044\u2215\uff0f" + _OF_NUMBERS + MAYBE_HYPHEN
"""Between two word characters, without a space, these make one word, number, name or code."""
_BEFORE_AMOUNTS = "+-±~≈<>≤≥=×÷·*^#§№%‰/\\\u2014\u2015"
"""Before a number these say something else of it."""
_NO_SIGNS = "|\uffe8\u2190\u2191\u2192\u2193\u2194"
"""Of the mathematical ones: they part cells, or point."""
_UNSEEN = "\u061c\u180e\u200c\u200d\u202a\u202b\u202c\u202d\u202e\u2061\u2062\u2063\u2064" + (
    "\u2066\u2067\u2068\u2069\u206a\u206b\u206c\u206d\u206e\u206f"
)
"""Content, but they part nothing: what stands behind them touches what stands before."""
_BEHIND_AMOUNTS = "%‰‱\u066a\ufe6a\uff05°′″'\"+±×÷^²³¹⁰⁴⁵⁶⁷⁸⁹*½¼¾⅓⅔"
_CURRENCIES = "EUR|USD|GBP|CHF|JPY|CNY|INR|AUD|CAD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RUB|BRL|ZAR|KRW"
_COMPARED_BEFORE = re.compile(
    r"(?:\b(?i:minus|negative|plus|than|least|most|under|over|above|below|about|around|nearly|almost|"
    r"approximately|roughly|exceeding|up to|(?:minimum|maximum|total|"
    r"average) of|(?:\d|between )[^\s]* (?:and|to|or|through|until)|"
    r"not|no|Rs\.?|approx\.|ca\.|max\.|min\.|"
    rf"{_CURRENCIES})|[±~≈<>≤≥=+×-]|(?P<money>[^\w\s])) $"
)
_UNIT_BEHIND = re.compile(
    r" ?(?:[%‰‱\u066a\ufe6a\uff05°±×÷½¼¾⅓⅔]|(?P<money>[^\w\s])|"
    r"(?:percent|per cent|percentage|pct|hundred|thousand|million|billion|trillion|dozen|mn|bn|"
    r"degrees?|euros?|dollars?|pounds|cents?|pence|francs?|yen|rupees?|yuan|kronor|kroner|"
    r"milliseconds?|seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|"
    r"quarters?|working|business|calendar|consecutive|"
    r"grams?|kilograms?|kilos?|tons?|tonnes?|ounces?|lbs?|metres?|meters?|kilomet(?:re|er)s?|"
    r"centimet(?:re|er)s?|millimet(?:re|er)s?|miles?|feet|foot|inch(?:es)?|yards?|acres?|hectares?|"
    r"lit(?:re|er)s?|gallons?|volts?|watts?|amps?|hertz|bytes?|bits?|pixels?|times|fold|"
    r"[munkcdMGTP]?(?:g|m|l|L|s|W|V|A|Hz|B|b|J|N|Pa|bit)|[kMGT]?Wh|mph|kph|rpm|dpi|ppm|"
    rf"{_CURRENCIES}|am|pm|a\.m\.|p\.m\.|AD|BC|BCE|CE|"
    r"or (?:more|less|fewer|over|under|older|younger|above|below|higher|lower|later|earlier)|"
    r"and (?:over|under|above|below|older|younger))(?![^\W_])|"
    r"(?:(?:to|or|through|until) |- ?)[\d€$£¥])"
)
_NUMBERS = (
    "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|"
    "sixty|seventy|eighty|ninety|hundred"
)
_BEGINS_WITH_NUMBER = re.compile(rf"(?i:{_NUMBERS})\b")
_COMPARED_IN_WORDS = re.compile(
    r"\b(?i:than|least|most|under|over|above|below|about|around|nearly|almost|approximately|roughly|"
    r"exceeding|up to|(?:minimum|maximum|total|average) of|between \S+ and|not|minus|"
    rf"(?:\d+|{_NUMBERS}) (?:to|or)) $"
)
_RANGE_BEGUN = re.compile(r"\b(?i:between) \S+$")
_AROUND = 96
"""Code points that are looked at on either side."""
_SPACE = re.compile(r"\s+")
_LINE_END = re.compile(r"[\r\n]")
_BEGINS = re.compile(
    r"(?:(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)|(?:\A|[\r\n])[ \t]*(?:[-*+•][ \t]+|[ \t]{20}))[ \t]*\Z"
)
"""Behind an empty line, as under a heading, behind a list marker, and far in on a line something
else begins."""
_EMPTY_LINE = re.compile(r"(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)")
_GROUP_BEHIND = re.compile(r" \d{3}(?!\d)| \d+/\d| [½¼¾⅓⅔]")
_GROUPED = re.compile(r"(?<!\d)\d{1,3}(?: \d{3})*$")
_DIGITS_BEFORE = re.compile(r"(?<!\d)\d{1,3} $")
_BARE_AMOUNT = re.compile(r"[^A-Za-z]*\d[^A-Za-z]*")


def occurrences(quote: str, text: str) -> list[Span]:
    """Every place of `text` that says exactly `quote`, in reading order.

    Layout may differ, content may not, and a place is not one where the quote is a part of a longer
    word, number, amount, name or code. None for a quote without a word or number.
    """
    return occurrences_in(quote, content_of(text))


def occurrences_in(quote: str, content: Content) -> list[Span]:
    """`occurrences` in a text whose content is known."""
    words = words_of(quote)
    if not any(map(_is_word, words)):
        return []
    places = (content.source_of(start, end) for start, end in _places(words, content.characters))
    return [place for place in places if is_whole(content.text, place)]


def says_the_same(one: str, other: str) -> bool:
    """Whether two texts have the same content."""
    return bool(_pattern(words_of(one)).fullmatch(words_of(other)))


def _places(words: str, characters: str) -> list[tuple[int, int]]:
    """Where `words` stand in `characters`."""
    if MAYBE_HYPHEN not in characters and MAYBE_HYPHEN not in words:
        places = []
        start = characters.find(words)
        while start >= 0:
            places.append((start, start + len(words)))
            start = characters.find(words, start + 1)
        return places
    return [found.span() for found in _pattern(words).finditer(characters)]


def _pattern(words: str) -> re.Pattern[str]:
    """Matches `words`, whether a hyphen at a line end belongs to the word or not, in either."""
    parts: list[str] = []
    for index, character in enumerate(words):
        before = words[index - 1] if index else ""
        if character == MAYBE_HYPHEN:
            parts.append(f"[-{MAYBE_HYPHEN}]?")
        elif character == "-":
            parts.append(f"[-{MAYBE_HYPHEN}]")
        elif before.isalpha() and character.islower():
            parts.append(f"{MAYBE_HYPHEN}?{re.escape(character)}")
        else:
            parts.append(re.escape(character))
    return re.compile("".join(parts))


def is_whole(text: str, place: Span) -> bool:
    """Whether what stands around the words leaves them what they are: no part of a longer word,
    amount, name or code.
    """
    words = place.of(text)
    before = text[max(0, place.start - _AROUND) : place.start]
    after = text[place.end : place.end + _AROUND]
    gap = _SPACE.match(after)
    if _BEGINS.search(before):
        before = ""
    if gap and _EMPTY_LINE.search(gap[0]):
        after = ""
    elif gap and _LINE_END.search(gap[0]) and _is_currency(after[gap.end() : gap.end() + 1]):
        after = ""  # Of what the next line begins with.
    quote = content_of(words).characters
    # With the sign that it touches, as a hyphen at a line end joins two.
    first, last = words[:1], words[-1:]
    before = content_of(before + first).characters
    before = before[: len(before) - len(content_of(first).characters)]
    after = content_of(last + after).characters[len(content_of(last).characters) :]
    before, after = before.rstrip(_UNSEEN), after.lstrip(_UNSEEN)
    quote = quote.strip(_UNSEEN)
    return not (
        _joined(before, quote)
        or _joined(quote, after)
        or _changes_first_amount(before, quote)
        or _changes_last_amount(quote, after)
        or (before[-1:] == "(" and after[:1] == ")" and _BARE_AMOUNT.fullmatch(quote))
    )


def _joined(left: str, right: str) -> bool:
    """Whether the end of `left` and the beginning of `right` are in one word or number."""
    if not left or not right:
        return False
    if _is_word(left[-1]) and _is_word(right[0]):
        return _runs_on(left[-1], right[0])
    if left[-1] in _JOINERS and _is_word(right[0]):
        return _is_joint(left[-2:-1], left[-1], right[0])
    if _is_word(left[-1]) and right[0] in _JOINERS:
        return _is_joint(left[-1], right[0], right[1:2])
    return False


def _runs_on(left: str, right: str) -> bool:
    if is_unspaced(left) or is_unspaced(right):
        return left.isdigit() and right.isdigit()
    return True


def _is_joint(left: str, joiner: str, right: str) -> bool:
    if not (left and right and _is_word(left) and _is_word(right)):
        return False
    if joiner in _OF_NUMBERS:
        return left.isdigit() and right.isdigit()
    if joiner in ".:":
        # Two sentences without a space between them are two.
        return right.isdigit() or right.islower()
    return _runs_on(left, right)


def _changes_first_amount(before: str, quote: str) -> bool:
    if _BEGINS_WITH_NUMBER.match(quote) and _COMPARED_IN_WORDS.search(before):
        return True
    if not before or not _begins_with_amount(quote):
        return False
    last = before[-1]
    if last in _BEFORE_AMOUNTS or _is_sign(last) or _is_currency(last):
        return True
    if _is_currency(quote[0]) and last.isalpha() and not is_unspaced(last):
        return True
    if quote[0] in "+-.,'" and _is_word(last):
        return True
    if quote[:1].isdigit() and _DIGITS_BEFORE.search(before) and _GROUP_BEHIND.match(f" {quote}"):
        return True
    found = _COMPARED_BEFORE.search(before)
    if not found or found["money"] is None:
        return bool(found)
    return _is_sign(found["money"]) or _is_currency(found["money"])


def _changes_last_amount(quote: str, after: str) -> bool:
    if not after or not quote:
        return False
    if quote[-1] in _JOINERS and quote[-2:-1].isdigit() and _is_word(after[0]):
        return True
    if _is_currency(quote[-1]) and after[0].isdigit():
        return True
    if not quote[-1].isdigit():
        return False
    if after.startswith(" and ") and _RANGE_BEGUN.search(quote):
        return True
    first = after[0]
    if first in _BEHIND_AMOUNTS or _is_currency(first):
        return True
    if re.match(r"\(\w{1,4}\)", after):
        return True
    if _GROUPED.search(quote) and _GROUP_BEHIND.match(after):
        return True
    found = _UNIT_BEHIND.match(after)
    return bool(found and (found["money"] is None or _is_currency(found["money"])))


def _begins_with_amount(quote: str) -> bool:
    first = quote[:3].lstrip("+-.'(" + "\u2014\u2015")[:1]
    return bool(first) and (first.isdigit() or _is_currency(first))


def _is_currency(character: str) -> bool:
    return bool(character) and unicodedata.category(character) == "Sc"


def _is_sign(character: str) -> bool:
    return unicodedata.category(character) == "Sm" and character not in _NO_SIGNS


def _is_word(character: str) -> bool:
    # Marks too: a vowel sign makes another word of what stands before it.
    return character.isalnum() or character == "_" or unicodedata.category(character)[0] == "M"
