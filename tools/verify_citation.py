#!/usr/bin/env python3
"""Checks a citation of Pincite without Pincite: one file, Python 3.11 and its standard library.

    python verify_citation.py RECORD.json --root FOLDER [--text FILE] [--json]
    python verify_citation.py --vectors VECTORS.json

RECORD.json is an answer as `pincite ask --json` prints it, one citation of it, or a batch. Where
the text of a document is the decoded file (plain text, Markdown, source code, JSON, YAML, XML)
nothing else is needed. For others give the text that was extracted with --text (UTF-8); without it
they are not checkable here. What is checked, and how, is stated in docs/citation-format.md; what a
record states and nothing here is compared with is named.

Exit codes: 0 every citation is valid, 3 one is not, 1 the record cannot be read, 2 usage.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import html
import json
import math
import re
import sys
import unicodedata
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple, NoReturn

VERSION = "1"
"""Of docs/citation-format.md."""


class Span(NamedTuple):
    """A half-open range of code points."""

    start: int
    end: int

    def of(self, text: str) -> str:
        """The words in it."""
        return text[self.start : self.end]


# What a text says, apart from its layout.

MAYBE_HYPHEN = "\u00ad"
"""In a content: a hyphen at a line end, which may belong to the word or to the line."""

_INVISIBLE = "\u200b\u200e\u200f\u2060\ufeff\u00ad"
_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
_EM_DASHES = "\u2014\u2015"
_HYPHENS = "-\u2010\u00ad"
_LIGATURES = {
    "\ufb00": "ff",
    "\ufb01": "fi",
    "\ufb02": "fl",
    "\ufb03": "ffi",
    "\ufb04": "ffl",
    "\ufb05": "st",
    "\ufb06": "st",
}
_MARKS = {
    **dict.fromkeys("\u2018\u2019\u201a\u201b\u2039\u203a", "'"),
    **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb", '"'),
    **_LIGATURES,
}
UNSPACED = (
    "[\u3000-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff01-\uff60\U00020000-\U0003ffff]"
)
"""Scripts, with their punctuation, that put no space between words."""
_IS_UNSPACED = re.compile(UNSPACED).match
_SPACE = rf"[\s{_INVISIBLE}]"
_LAYOUT = re.compile(
    rf"(?P<wrap>(?<=[^\W_])(?:[{_HYPHENS}]{_SPACE}*\s{_SPACE}*(?=[^\W_])"
    rf"|[{_DASHES}]{_SPACE}*\s{_SPACE}*(?=[^\W_A-ZÀ-ÖØ-Þ])))"
    # Not a single plain space, which is most of them and stays as it is.
    rf"|(?P<gap>(?: (?={_SPACE})|[^\S ]|[{_INVISIBLE}]){_SPACE}*"
    rf"|(?<={UNSPACED}) (?={UNSPACED}))"
    rf"|(?P<dash>[{_DASHES}])"
    rf"|[{''.join(_MARKS)}]"
)


class Content(NamedTuple):
    """The content of a text, and where in the text each stretch of it stands."""

    text: str
    characters: str
    starts: tuple[int, ...]
    """Of the stretches, in `characters`: each is the text itself, or stands for other signs."""
    sources: tuple[Span, ...]
    """Of the stretches, in the text."""

    def source_of(self, start: int, end: int) -> Span:
        """The span of the text that says `characters[start:end]`, which is not empty."""
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, end - 1) - 1
        return Span(self._offset(first, start), self._offset(last, end - 1, behind=True))

    def _offset(self, stretch: int, place: int, *, behind: bool = False) -> int:
        source = self.sources[stretch]
        start = self.starts[stretch]
        end = self.starts[stretch + 1] if stretch + 1 < len(self.starts) else len(self.characters)
        if end - start == source.end - source.start:
            return source.start + place - start + behind
        return source.end if behind else source.start


def content_of(text: str) -> Content:
    """The content of `text`."""
    parts: list[str] = []
    starts: list[int] = []
    sources: list[Span] = []
    length = 0

    def add(said: str, start: int, end: int) -> None:
        nonlocal length
        if said:
            parts.append(said)
            starts.append(length)
            sources.append(Span(start, end))
            length += len(said)

    copied = 0
    for found in _layout_of(text).finditer(text):
        add(text[copied : found.start()], copied, found.start())
        add(_said(found, text), *found.span())
        copied = found.end()
    add(text[copied:], copied, len(text))
    return Content(text, "".join(parts), tuple(starts), tuple(sources))


def words_of(text: str) -> str:
    """The content of `text` alone, without the space around it."""
    return content_of(text).characters.strip(" ")


def is_unspaced(character: str) -> bool:
    """Whether it is of a script that puts no space between words."""
    return bool(_IS_UNSPACED(character))


def _said(found: re.Match[str], text: str) -> str:
    start, end = found.span()
    before, after = text[start - 1 : start], text[end : end + 1]
    if found["wrap"]:
        # Before a small letter the hyphen may be of the line; in `10-` and `12` it is not.
        hyphen = found[0][0]
        broken = hyphen in _HYPHENS and before.isalpha() and after.islower()
        return MAYBE_HYPHEN if broken or hyphen == MAYBE_HYPHEN else "-"
    if found["gap"]:
        spaced = any(character.isspace() for character in found[0])
        unspaced = before and after and is_unspaced(before) and is_unspaced(after)
        if before.isdigit() and after.isdigit():
            unspaced = False  # Two numbers.
        return " " if spaced and not unspaced else ""
    if found["dash"]:
        # A minus may be any short dash; a long one before a number is no sign.
        stays = found[0] in _EM_DASHES and not before.isalnum() and _is_amount(after)
        return found[0] if stays else "-"
    return _MARKS.get(found[0]) or unicodedata.normalize("NFC", found[0])


def _is_amount(character: str) -> bool:
    return character.isdigit() or (bool(character) and unicodedata.category(character) == "Sc")


def _layout_of(text: str) -> re.Pattern[str]:
    return _LAYOUT if unicodedata.is_normalized("NFC", text) else _composing()


@functools.cache
def _composing() -> re.Pattern[str]:
    """`_LAYOUT`, and what NFC writes otherwise: a sign with marks after it, or a twin of another.

    Made when a text needs it: it takes a third of a second.
    """
    joining = "".join(
        character
        for character in map(chr, range(0x300, sys.maxunicode + 1))
        if unicodedata.combining(character) or "\u1160" <= character <= "\u11ff"
    )
    twins = "".join(
        character
        for character in map(chr, range(0x300, sys.maxunicode + 1))
        if not "\ud800" <= character <= "\udfff"
        and character not in joining
        and unicodedata.normalize("NFC", character) != character
    )
    return re.compile(
        rf"{_LAYOUT.pattern}|.[{re.escape(joining)}]+|[{re.escape(twins)}]", re.DOTALL
    )


# Where a text has a quote.

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
_WHOLE_AROUND = 96
"""Code points that are looked at on either side."""
_GAP = re.compile(r"\s+")
_LINE_END = re.compile(r"[\r\n]")
_BEGINS = re.compile(
    r"(?:(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)|(?:\A|[\r\n])[ \t]*(?:[-*+•][ \t]+|[ \t]{20}))[ \t]*\Z"
)
"""Behind an empty line, as under a heading, behind a list marker, and far in on a line something
else begins."""
_BLANK_LINE = re.compile(r"(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)")
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
    places = (content.source_of(start, end) for start, end in _spots(words, content.characters))
    return [place for place in places if is_whole(content.text, place)]


def says_the_same(one: str, other: str) -> bool:
    """Whether two texts have the same content."""
    return bool(_pattern(words_of(one)).fullmatch(words_of(other)))


def _spots(words: str, characters: str) -> list[tuple[int, int]]:
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
    before = text[max(0, place.start - _WHOLE_AROUND) : place.start]
    after = text[place.end : place.end + _WHOLE_AROUND]
    gap = _GAP.match(after)
    if _BEGINS.search(before):
        before = ""
    if gap and _BLANK_LINE.search(gap[0]):
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


# What a quote leaves out of its sentence.

REACH = 1_000
"""Code points that are looked at on either side."""

_LIMITS = (
    r"unless|except(?:ing|ed|ions?)?|exclud(?:ing|ed|es)|exclusive|provided|providing|only|but|"
    r"however|although|though|whereas|if|until|till|without|other than|apart from|save (?:for|that|"
    r"where|as)|subject to|as long as|so long as|notwithstanding|otherwise|where (?:not|no)|"
    r"in which case|instead|barring|never|not (?:counting|including|before|for|in|on|"
    r"to|applicable|valid|available|allowed|permitted)|save (?:in|if|when|on|by)|"
    r"(?:in|under) no (?:case|event|way|circumstances?)|to (?:nobody|no one|none)|nobody"
)
_DENIES = (
    r"not|no|never|none|nobody|nothing|neither|nor|cannot|\w+n['’]t|without|unable|unless|except|"
    r"hardly|rarely|seldom|fail(?:s|ed)?(?: to)?|refus(?:e|es|ed)|den(?:y|ies|ied)|false|untrue|"
    r"incorrect|wrong|myth|if|only|may|might|could|would|should|must|until|before|formerly|"
    r"previously|once|allegedly|supposed(?:ly)?|proposed|draft|example|suppose|assum(?:e|ing)|"
    r"prohibited|forbidden|impossible|illegal|unlawful|banned"
)
_OTHER_LIMITS = (
    r"es sei denn|außer|ausgenommen|jedoch|sofern|wenn|nur|ohne|aber|soweit|sauf|à moins|sans|mais|"
    r"seulement|salvo|excepto|pero|sin|solo|sólo|si|tranne|a meno|ma|senza|exceto|mas|sem|behalve|"
    r"tenzij|maar|zonder|mits|indien|unntatt|men|uten|hvis|кроме|но|если|без"
)
_OTHER_DENIALS = (
    r"nicht|kein\w*|nie(?:mals)?|pas|jamais|aucun\w*|nunca|ning[uú]n\w*|non|mai|não|nem|nenhum\w*|"
    r"niet|geen|nooit|ikke|aldri|ingen|не|нет|никогда"
)
_LIMITING = re.compile(rf"\b(?:{_LIMITS}|{_OTHER_LIMITS}|не)\b", re.IGNORECASE)
_DENYING = re.compile(rf"\b(?:{_DENIES}|{_OTHER_LIMITS}|{_OTHER_DENIALS})\b", re.IGNORECASE)
_UNSPACED_DENIAL = re.compile(r"[不没沒无無未非別别]\s*$")
_UNSPACED_BEHIND = re.compile(r"^\s*(?:ない|ません|なかった|ではな|않|못|除外|除非|但)")

_CLOSERS = r"(?:\s?''|[\"'”’»›)\]]|\[[\w ]{1,20}\])*"
_LINE = r"(?:\r\n|\r(?!\n)|\n)"
_LEADS_ON = (
    # An exception on a line of its own is of the sentence above it, whatever stands around it.
    r"(?![ \t]{0,11}(?:[\"'“‘(\[*_~–—]{0,4} ?(?i:unless|excluding|barring|not counting|"
    r"provided that|except (?:if|for|when|where|that|as|in|on|to|by)|"
    r"save (?:for|in|where|that|if))|\((?:if|only|but|except|not))(?![^\W_]))"
)


def _stop(leads_on: str) -> re.Pattern[str]:
    return re.compile(
        # A mark that ends a sentence: no small letter behind it, or a word before it that is no
        # abbreviation.
        rf"[.!?…]{_CLOSERS}(?=\s+[^\sa-zà-öø-ÿ]|\s*\Z)"
        rf"|(?<=[^\W\d_]{{4}})[.!?]{_CLOSERS}(?=\s)|[。！？]"
        # An empty line; a line end, but before a plain word in small letters, as of a wrapped line.
        rf"|\r?\n[ \t]*\r?\n|{_LINE}{leads_on}"
        r"(?![ \t]{0,11}(?![a-z]{1,4}[.)]\s)[a-zà-öø-ÿ][a-zà-öø-ÿ'’-]*(?:[\s,;:!?.)]|\Z))"
        rf"|(?<=[.!?:;|{{}}=>])[ \t]*{_LINE}{leads_on}|[\u2029\f]|[ \t]*[|\t]"
    )


_STOP, _STOP_BEHIND = _stop(""), _stop(_LEADS_ON)
_ENDS = re.compile(rf"[.!?。！？…]{_CLOSERS}\s*\Z")
_SHORT_END = re.compile(rf"(?:\b[^\W\d_]{{1,3}}|\.[^\W\d_]+)\.{_CLOSERS}\s*\Z")
"""May be an abbreviation."""
_GOES_ON = re.compile(r"\s+[a-zà-öø-ÿ]")
_FIRST_WORD = 40
_MARKUP = re.compile(r"<[^<>]*>|[*`~]+|(?<![^\W_])_+|_+(?![^\W_])")
"""Tags, and the marks of Markdown, which may stand in a word: a name like `is_not` is whole."""
_HIDDEN = re.compile(
    rf"(?<=[^\W\d_])[{_HYPHENS}][ \t{_INVISIBLE}]*{_LINE}[ \t{_INVISIBLE}]*(?=[a-zà-öø-ÿ])"
    rf"|[{_INVISIBLE}]+"
)
"""What parts no words: a hyphen at a line end with the line end, and signs that are not seen."""


def left_out(text: str, quote: Span) -> Span | None:
    """The rest of the sentence around `quote` where that limits or denies it; None where not.

    The sentence is told by its marks alone: it ends at a full stop, unless that may be of an
    abbreviation, at an empty line, and at a line end where a line does not seem to be wrapped.
    """
    if not any(map(str.isalnum, quote.of(text))):
        return None
    sentence = sentence_around(text, quote)
    before, behind = Span(sentence.start, quote.start), Span(quote.end, sentence.end)
    for said in _readings(behind.of(text)):
        if _LIMITING.search(said) or _UNSPACED_BEHIND.search(said):
            return behind
    for said in _readings(before.of(text)):
        if _DENYING.search(said) or _UNSPACED_DENIAL.search(said):
            return before
    return None


def _readings(text: str) -> list[str]:
    """Its content: markup may part words or not, and a hyphen at a line end may count or not."""
    content = content_of(text).characters
    return [
        _MARKUP.sub(between, content.replace(MAYBE_HYPHEN, hyphen))
        for between, hyphen in ((" ", ""), ("", ""), (" ", "-"))
    ]


def sentence_around(text: str, quote: Span) -> Span:
    """The sentence that `quote` is of, or those from its first to its last, as `left_out` sees it.

    Up to `REACH` code points on either side.
    """
    before, befores = _visible(text, max(0, quote.start - REACH), quote.start)
    behind, behinds = _visible(text, quote.end, min(len(text), quote.end + REACH))
    words = quote.of(text)
    here = Span(len(before), len(before) + len(words))
    shown = before + words + behind
    return Span(befores[_begin(shown, here)], behinds[_end(shown, here) - here.end])


def _visible(text: str, start: int, end: int) -> tuple[str, list[int]]:
    """What is not hidden of a stretch, and the offset in `text` of each place in it."""
    kept: list[int] = []
    for found in _HIDDEN.finditer(text, start, end):
        kept += range(start, found.start())
        start = found.end()
    kept += range(start, end)
    return "".join([text[place] for place in kept]), [*kept, end]


def _end(text: str, quote: Span) -> int:
    words, reach = quote.of(text), min(len(text), quote.end + REACH)
    if _ENDS.search(words) and not (_SHORT_END.search(words) and _GOES_ON.match(text, quote.end)):
        return quote.end
    stop = _STOP_BEHIND.search(text, quote.end, reach)
    return quote.end + len(text[quote.end : stop.start() if stop else reach].rstrip())


def _begin(text: str, quote: Span) -> int:
    reach = max(0, quote.start - REACH)
    begin = reach
    # The first word of the quote tells whether a sentence begins there.
    for stop in _STOP.finditer(text, reach, min(len(text), quote.start + _FIRST_WORD)):
        if stop.end() <= quote.start:
            begin = stop.end()
    rest = text[begin : quote.start]
    return begin + len(rest) - len(rest.lstrip())


# Where the place of a quote is in a text that changed.

LEAST_CONTEXT = 8
"""Letters and digits of the context that tell a place from others."""
ALIKE = 0.7
"""The share of words that a sentence has in common with the quote if it is the quote reworded."""
ALIKE_BESIDE = 0.4
"""The same, next to the words that stood beside the quote."""
WIDEST = 4
"""What stands between the words around the quote is in its place up to so many times its length."""

_CONTEXT_REACH = 256
_MOST_SENTENCES = 60
"""That are looked at together."""
_SENTENCE = re.compile(r"(?:[^.!?。！？\n]|[.!?](?=\S))*(?:[.!?。！？]+|\n|\Z)")
_WORD = re.compile(rf"{UNSPACED}|\w+")


def by_context(spans, quote, text, near):
    """The places, those first that stand by what the quote stood by, then by nearness to `near`."""
    found = [
        (-sides(span, quote, text), abs(span.start - near), span.start, span) for span in spans
    ]
    return [(span, -minus) for minus, _, _, span in sorted(found)]


def sides(span: Span, quote: dict, text: str) -> int:
    """On how many sides of `span` stands what stood beside the quote: 0, 1 or 2."""
    before = text[max(0, span.start - _CONTEXT_REACH) : span.start]
    after = text[span.end : span.end + _CONTEXT_REACH]
    return _is_beside(quote["prefix"], before, str.endswith) + _is_beside(
        quote["suffix"], after, str.startswith
    )


def _is_beside(context: str, there: str, test: Callable[[str, str], bool]) -> bool:
    """Whether the words are there; where nothing stood beside the quote, whether nothing does."""
    if not context:
        return not there.strip()
    letters = _letters(context)
    return test(there, context) or bool(letters and test(_letters(there), letters))


def between_context(quote: dict, text: str) -> Span | None:
    """What stands now between the words that stood around the quote; empty where nothing does.

    None where those words are not there, or say too little to tell.
    """
    prefix, suffix = _letters(quote["prefix"]), _letters(quote["suffix"])
    if not (_tells(quote["prefix"], prefix) and _tells(quote["suffix"], suffix)):
        return None
    places = [index for index, character in enumerate(text) if character.isalnum()]
    letters = "".join([text[index] for index in places])
    length = len(_letters(quote["exact"]))
    best: tuple[int, int, int] | None = None
    end = 0 if suffix else len(letters)
    for start in _ends_of(prefix, letters) if prefix else (0,):
        # Where both stand many times, nothing is looked for twice.
        if suffix and end <= start:
            end = letters.find(suffix, start)
        if end < 0:
            break
        if end - start <= WIDEST * length:
            gap = (abs(end - start - length), start, end)
            best = gap if best is None else min(best, gap)
    if best is None:
        return None
    _, start, end = best
    begin = places[start - 1] + 1 if start else 0
    if start == end:
        return Span(begin, begin)
    return _trimmed(Span(begin, places[end] if end < len(places) else len(text)), text)


def _tells(context: str, letters: str) -> bool:
    """Whether it tells a place: so many letters, or nothing, as at either end of a text."""
    return not context or len(letters) >= LEAST_CONTEXT


def most_alike(quote: dict, text: str, near: int) -> Span | None:
    """The sentences that have most words in common with the quote; None where all have too few."""
    wanted = Counter(_WORD.findall(quote["exact"]))
    if not wanted:
        return None
    sentences = list(_sentences(text))
    words = [Counter(_WORD.findall(span.of(text))) for span in sentences]
    count = min(_MOST_SENTENCES, max(1, len(list(_sentences(quote["exact"])))))
    best: tuple[float, int, int] | None = None
    found: Span | None = None
    for first in range(len(sentences)):
        held: Counter[str] = Counter()
        for last in range(first, min(first + count + 1, len(sentences))):
            held += words[last]
            share = _share(wanted, held)
            if share < ALIKE_BESIDE:
                continue
            span = Span(sentences[first].start, sentences[last].end)
            if share < ALIKE and not sides(span, quote, text):
                continue
            # Rounded, so that equal shares are equal however they were added up.
            rank = (-round(share, 6), abs(span.start - near), span.start)
            if best is None or rank < best:
                best, found = rank, span
    return found


def is_alike(words: str, quote: dict) -> bool:
    """Whether the words, which stand where the quote stood, are the quote reworded."""
    return (
        _share(Counter(_WORD.findall(quote["exact"])), Counter(_WORD.findall(words)))
        >= ALIKE_BESIDE
    )


def _share(one: Counter[str], other: Counter[str]) -> float:
    return 2 * (one & other).total() / max(1, one.total() + other.total())


def _sentences(text: str) -> Iterator[Span]:
    for match in _SENTENCE.finditer(text):
        span = _trimmed(Span(*match.span()), text)
        if span.start < span.end:
            yield span


def _trimmed(span: Span, text: str) -> Span:
    words = span.of(text)
    start = span.start + len(words) - len(words.lstrip())
    return Span(start, max(start, span.start + len(words.rstrip())))


def _ends_of(words: str, text: str) -> Iterator[int]:
    start = text.find(words)
    while start >= 0:
        yield start + len(words)
        start = text.find(words, start + 1)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


# What has become of a citation.

LONGEST = 700
_CITED_AROUND = 400
TEXT_IS_THE_FILE = frozenset(
    "markdown plain asciidoc restructuredtext org code json jsonl yaml xml".split()
)
MAXIMUM_BYTES = 512 * 1024 * 1024
"""Of a document."""
LARGEST_RECORD = 64 * 1024 * 1024
WITHOUT_PLACES = frozenset("markdown plain asciidoc restructuredtext org code".split())
"""Extractors whose text stands in lines and nothing else."""
MARKDOWN, MARKDOWN_SUFFIXES = ("markdown", "1"), frozenset(".md .markdown .mdown .mkd".split())
"""Where headings are told here."""
_NEVER_COMPARED = frozenset(
    "cells extractor headings media_type modified parts place score title warnings".split()
)
"""What a citation states and nothing here is compared with; headings and place now and then are."""


def verify(citation: dict, text: str, file_sha256: str | None = None) -> dict:
    """The status of a citation in `text`, the extracted text of its document as it is now."""
    quote = citation["quote"]
    cited = Span(citation["position"]["start"], citation["position"]["end"])
    text_sha256 = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    same_text = text_sha256 == citation["text"]["sha256"]
    checks: dict[str, bool | None] = {
        "file": None if file_sha256 is None else file_sha256 == citation["document"]["sha256"],
        "text": same_text,
    }
    found = _found(quote, cited, text, same_text)
    in_place = found is not None and _is_same_place(found, cited, text)
    checks |= {"position": in_place, "quote": found is not None}
    if found is None:
        now = _now(quote, cited, text, same_text)
        return _result("gone" if now is None else "changed", checks, now, text)
    beside = sides(found, quote, text)
    rest = left_out(text, found)
    sentence = sentence_around(text, found)
    checks["context"] = beside == 2
    checks["complete"] = rest is None
    if rest and sentence.end - sentence.start > LONGEST:
        checks["complete"], rest = None, None
    headings, under = citation["heading_path"], _headings_above(citation, text, found.start)
    checks["place"] = _is_named(citation, text, found)
    if not same_text and under is not None and checks["place"] is not False:
        both = zip(headings, under, strict=False)
        is_elsewhere = not all(_is_heading(one, other) for one, other in both)
        checks["place"] = False if is_elsewhere else checks["place"]
    # What titles, cells and warnings are, and the headings of other formats, is not told here.
    stated = None
    if same_text and under is not None:
        stated = _has_headings(headings, text[: found.end + _PASSAGE])
    checks |= {"stated": stated, "warnings": None}
    unlike = {*_NEVER_COMPARED}
    # By their letters alone they are found, and only told from others; markup may be in them.
    above = under or []
    is_same = len(above) == len(headings) if same_text else under is not None
    is_same = is_same and all(one == other for one, other in zip(headings, above, strict=False))
    if is_same or not headings:
        unlike -= {"headings"}
    if not citation["cells"]:
        unlike -= {"cells"}
    if checks["place"] is not None:
        unlike -= {"place"}
    if rest:
        found = Span(min(found.start, rest.start), max(found.end, rest.end))
    if rest or stated is False or (same_text and in_place and beside < 2):
        return _result("changed", checks, found, text, unlike)
    valid = in_place and checks["place"] is not False
    return _result("valid" if valid else "moved", checks, found, text, unlike)


def _is_named(citation: dict, text: str, found: Span) -> bool | None:
    """Whether lines and pages are those of the words; None where more is stated, or may have to be.

    Where pages, cells or slides are in a file, its text does not say.
    """
    place, extractor = citation["place"], citation["text"]["extractor"]
    lines = {
        "start": _line(text, found.start),
        "end": _line(text, max(found.start, found.end - 1)),
    }
    if citation["lines"] != lines or citation["pages"] != _pages_of(place):
        return False
    if extractor in WITHOUT_PLACES:
        return place is None
    return None


def _pages_of(place: dict | None) -> list[int]:
    while place is not None and "within" in place:
        place = place["within"]
    if place is None or place["kind"] != "pages":
        return []
    return [page["number"] for page in place["pages"]]


def _headings_above(citation: dict, text: str, offset: int) -> list[str] | None:
    """The headings that a place of a Markdown file stands under; None where they are not told."""
    made_by = (citation["text"]["extractor"], citation["text"]["extractor_version"])
    suffix = PurePosixPath(citation["document"]["path"]).suffix.lower()
    if made_by != MARKDOWN or suffix not in MARKDOWN_SUFFIXES:
        return None
    return _headings(text, offset)


def _found(quote: dict, cited: Span, text: str, same_text: bool) -> Span | None:
    if same_text:
        is_inside = cited.end <= len(text)
        if is_inside and cited.of(text) == quote["exact"] and is_whole(text, cited):
            return cited
        start = max(0, cited.start - _CITED_AROUND)
        for span in occurrences(quote["exact"], text[start : cited.end + _CITED_AROUND]):
            here = Span(span.start + start, span.end + start)
            if _is_same_place(here, cited, text):
                return here
    ranked = by_context(occurrences(quote["exact"], text), quote, text, cited.start)
    if not ranked:
        return None
    best, count = ranked[0]
    if count == 2:
        return best
    if same_text:
        return None
    instead = between_context(quote, text)
    if instead is not None and is_alike(instead.of(text), quote):
        within = [span for span, _ in ranked if instead.start <= span.start < instead.end]
        return within[0] if within else None
    return best


def _now(quote: dict, cited: Span, text: str, same_text: bool) -> Span | None:
    """What is said in the place of the quote."""
    if same_text and cited.of(text).strip():
        return Span(cited.start, min(cited.end, len(text)))
    now = between_context(quote, text)
    if now is None or (now.start < now.end and not is_alike(now.of(text), quote)):
        return most_alike(quote, text, cited.start)
    return None if now.start == now.end else now


def _is_same_place(one: Span, other: Span, text: str) -> bool:
    between = (
        text[min(one.start, other.start) : max(one.start, other.start)]
        + text[min(one.end, other.end) : max(one.end, other.end)]
    )
    return one == other or (max(one.end, other.end) <= len(text) and not between.strip())


_HEADING = re.compile(
    r"^ {0,3}(?:(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t\r]*$|(```|~~~))", re.MULTILINE
)
_UNDERLINED = re.compile(r"^[^\S\r\n]*\S.*\r?\n {0,3}(?:=+|-+)[ \t\r]*$", re.MULTILINE)
_TARGET = re.compile(r"\]\([^()]*\)")


def _headings(text: str, offset: int) -> list[str] | None:
    """The headings that a place of a Markdown text stands under; None where any is underlined."""
    if _UNDERLINED.search(text, 0, offset):
        return None
    path: dict[int, str] = {}
    fenced = False
    for found in _HEADING.finditer(text):
        if found.start() > offset:
            break
        fenced ^= bool(found[3])
        if found[1] and not fenced:
            level = len(found[1])
            path = {one: words for one, words in path.items() if one < level} | {
                level: _TARGET.sub("]", found[2])
            }
    return list(path.values())


_TAG = re.compile(r"<[^<>]*>")
_PASSAGE = 1_200
"""A quote of a heading is cited with the headings of what follows it."""


def _has_headings(names: Sequence[str], text: str) -> bool:
    """Whether the words of all headings stand somewhere in `text`, with its markup or without."""
    if not names:
        return True
    forms = _forms(text)
    return all(any(_letters(name) in form for form in forms) for name in names)


def _is_heading(name: str, source: str) -> bool:
    """Whether a heading in its markup is called so."""
    return _letters(name) in _forms(source)


def _forms(source: str) -> list[str]:
    """The letters of Markdown, with its targets, tags and references, and without them."""
    plain = _TARGET.sub("]", source)
    bare = _TAG.sub("", plain)
    return [*map(_letters, (source, plain, bare, html.unescape(bare)))]


def _line(text: str, offset: int) -> int:
    """The line of a code point, from 1; a line end is of the line that it ends."""
    return 1 + sum(
        1 for found in re.finditer(r"\r\n?|\n", text[: offset + 1]) if found.end() <= offset
    )


def _result(
    status: str, checks: dict, span: Span | None, text: str, not_compared: Iterable[str] = ()
) -> dict:
    return {
        "status": status,
        "checks": checks,
        "position": None if span is None else {"start": span.start, "end": span.end},
        "now": span.of(text) if span is not None and status == "changed" else "",
        "not_compared": sorted(not_compared),
    }


# Files and the command line.


def verify_file(citation: dict, root: Path, text_file: Path | None) -> dict:
    """The status of a citation in its document in the folder `root`."""
    path = citation["document"]["path"]
    inside = PurePosixPath(path)
    if not path or "\0" in path or inside.is_absolute() or ".." in inside.parts:
        return _unverified("not_checkable", "the path leads out of the folder")
    place = root / inside
    try:
        real = place.resolve(strict=True)
    except (FileNotFoundError, NotADirectoryError):
        return _unverified("gone", f"there is no such file in {root}: --root names the folder")
    except (OSError, RuntimeError, ValueError) as error:
        return _unverified("unreadable", str(error))
    if not real.is_relative_to(root.resolve()):
        return _unverified("not_checkable", "the link leads out of the folder")
    if not real.is_file() or real.stat().st_size > MAXIMUM_BYTES:
        return _unverified("unreadable", "it is no file, or too large")
    try:
        data = place.read_bytes()
        text = _text(citation, data, text_file)
    except OSError as error:
        return _unverified("unreadable", str(error))
    if text is None:
        return _unverified("not_checkable", "its text cannot be told without the extractor")
    return verify(citation, text, hashlib.sha256(data).hexdigest())


def _text(citation: dict, data: bytes, text_file: Path | None) -> str | None:
    """The text of the document; None where that cannot be told here."""
    if text_file is not None:
        return text_file.read_bytes().decode("utf-8", "surrogatepass")
    if citation["text"]["extractor"] not in TEXT_IS_THE_FILE:
        return None
    # The hash tells which encoding was meant; of a file that changed, UTF-8 is taken.
    for encoding in ("utf-8-sig", "utf-16", "cp1252", "latin-1"):
        if encoding == "utf-16" and data[:2] not in (b"\xff\xfe", b"\xfe\xff"):
            continue
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        sha256 = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
        if encoding in ("utf-8-sig", "utf-16") or sha256 == citation["text"]["sha256"]:
            return text
    return None


def _unverified(status: str, reason: str) -> dict:
    return {
        "status": status,
        "checks": {},
        "position": None,
        "now": "",
        "not_compared": [],
        "reason": reason,
    }


UNREADABLE = (ValueError, KeyError, TypeError, OverflowError, RecursionError)
"""What is raised for what is no whole record."""


def records_in(data: bytes) -> list[dict]:
    """The records in a file, one or one a line; any of `UNREADABLE` where one is none.

    Records of errors are left out, and a citation alone is a record of no answer.
    """
    if len(data) > LARGEST_RECORD:
        raise ValueError(f"it holds more than {LARGEST_RECORD // 1_000_000} MB")
    text = data.decode("utf-8-sig")
    try:
        found = [_parsed(text)]
    except json.JSONDecodeError:
        lines = [line for line in text.split("\n") if line.strip()]
        # A record over several lines begins with a line that is no JSON by itself.
        if len(lines) < 2 or not _is_json(lines[0]):
            raise
        found = [_parsed(line) for line in lines]
    records = []
    for record in found:
        if not isinstance(record, dict):
            raise ValueError("it is no record of an answer or a citation")
        kind = record.get("schema", "pincite.citation/1")
        if kind == "pincite.citation/1":
            records.append({"citations": [record]})
        elif kind == "pincite.answer/1":
            records.append(record)
        elif kind != "pincite.error/1":
            raise ValueError(f"it is of the kind {kind!r}, not pincite.answer/1")
    for record in records:
        _check_answer(record)
    return records


def fault_of(record: dict) -> str:
    """Why a record of an answer does not hold, whatever its citations do; mostly empty."""
    citations = record["citations"]
    if record["status"] == "refused":
        return ""
    if not citations:
        return "it is answered and cites nothing"
    answered = [one for one in citations if one["role"] != "also"]
    if record["text"] != "\n\n".join(one["quote"]["exact"] for one in answered):
        return "the text of the answer is not what its citations say"
    said = [_same_words(one["quote"]["exact"]) for one in answered]
    for one in citations:
        again = _same_words(one["quote"]["exact"])
        if one["role"] == "also" and not any(again in held for held in said):
            return "words are cited as said again that the answer does not say"
    every = [each for one in record.get("conflicts", []) for each in one["documents"]]
    if not all(_is_cited(document, citations) for document in every):
        return "documents are said to differ in words that are not cited"
    return ""


def _is_cited(document: dict, citations: Sequence[dict]) -> bool:
    """Whether the words of a document that differs are those of the citation that it names."""
    number, path, words = document["citation"], document["path"], document["quote"]
    cited = [(one["document"]["path"], one["quote"]["exact"]) for one in citations]
    if number is None:
        return any(path == one and words in quote for one, quote in cited)
    return 0 <= number < len(cited) and cited[number] == (path, words)


def _same_words(words: str) -> str:
    return re.sub(r"[\W_]+", " ", words.casefold()).strip()


_SIMPLE: dict[str, dict[str, type]] = {
    "pages": {},
    "cells": {
        **dict.fromkeys(("left", "top", "right", "bottom"), int),
        **dict.fromkeys(("sheet", "row", "column"), str),
    },
    "slides": {"first": int, "last": int, "title": str, "notes": bool},
    "paragraphs": {
        **dict.fromkeys(("first", "last", "table", "row", "column"), int),
        "part": str,
    },
    "elements": {"path": str, "id": str, "start": int, "end": int},
    "nodes": {"path": str},
    "notebook": {"first": int, "last": int, "source": str},
    "time": {"start": int, "end": int, "speaker": str},
    "chapter": {"number": int, "title": str, "file": str},
    "message": {
        "number": int,
        **dict.fromkeys(("part", "name", "subject", "message_id"), str),
    },
    "member": {"path": str},
}
_PAGE = {"number": int, "label": str, "first_line": int, "last_line": int, "recognised": bool}
_INSIDE = ("chapter", "message", "member")
_WARNINGS = "qualified governed superseded repealed draft example quotation".split()


def _check_answer(record: dict) -> None:
    """ValueError, KeyError or TypeError where a record lacks what it has to have."""
    if "schema" not in record:
        _check(record["citations"][0])
        return
    match record:
        case {
            "question": str(),
            "text": str(),
            "status": ("answered" | "refused") as status,
            "citations": list(citations),
        } if status == "answered" or not citations:
            pass
        case _:
            raise ValueError("it is no whole record of an answer or refusal")
    for one in citations:
        _check(one)
    conflicts = record.get("conflicts", [])
    _expect(conflicts, list)
    for conflict in conflicts:
        if conflict["kind"] not in ("amount", "negation") or len(conflict["documents"]) != 2:
            raise ValueError("what it says of documents that differ is not whole")
        for document in conflict["documents"]:
            _expect_all(document, {"path": str, "date": str, "quote": str})
            if document["citation"] is not None:
                _expect(document["citation"], int)


def _check(citation: Any) -> None:
    for name, fields in (
        ("document", ("path", "title", "media_type", "sha256", "modified")),
        ("text", ("extractor", "extractor_version", "sha256")),
        ("quote", ("exact", "prefix", "suffix")),
    ):
        _expect_all(citation[name], dict.fromkeys(fields, str))
    _expect_all(citation["position"], {"unit": str, "start": int, "end": int})
    _expect_all(citation["lines"], {"start": int, "end": int})
    _expect_all(citation, {"role": str, "cells": str, "pages": list})
    for name, kind in (("pages", int), ("heading_path", str), ("parts", str)):
        _expect(citation[name], list)
        for one in citation[name]:
            _expect(one, kind)
    position = citation["position"]
    hashes = (citation["document"]["sha256"], citation["text"]["sha256"])
    if (
        position["unit"] != "codepoint"
        or not 0 <= position["start"] <= position["end"]
        or not citation["quote"]["exact"]
        or citation["role"] not in ("answer", "part", "also")
        or not all(re.fullmatch(r"[0-9a-f]{64}", one) for one in hashes)
    ):
        raise ValueError("a citation in it is not whole")
    _expect_number(citation["score"])
    warnings = citation.get("warnings", [])
    _expect(warnings, list)
    for warning in warnings:
        _expect_all(warning, {"kind": str, "words": str})
        if warning["kind"] not in _WARNINGS:
            raise ValueError("a citation in it is not whole")
    if citation["place"] is not None:
        _check_place(citation["place"])


def _check_place(place: Any) -> None:
    kind = place["kind"]
    _expect_all(place, _SIMPLE[kind])
    if kind in _INSIDE and place["within"] is not None:
        _check_place(place["within"])
    if kind != "pages":
        return
    _expect(place["pages"], list)
    if not place["pages"]:
        raise ValueError("a place is on no page")
    for page in place["pages"]:
        _expect_all(page, _PAGE)
        _expect(page["boxes"], list)
        for box in page["boxes"]:
            _expect(box, list)
            if len(box) != 4:
                raise ValueError("a box of a page has four sides")
            for side in box:
                _expect_number(side)


def _expect_all(record: Any, kinds: dict[str, type]) -> None:
    _expect(record, dict)
    for name, kind in kinds.items():
        _expect(record[name], kind)


def _expect(value: Any, kind: type) -> None:
    if type(value) is not kind:
        raise TypeError(f"{value!r} is no {kind.__name__}"[:200])


def _expect_number(value: Any) -> None:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise TypeError(f"{value!r} is no number"[:200])


def _parsed(text: str) -> Any:
    return json.loads(text, parse_constant=_no_number, object_pairs_hook=_without_twins)


def _is_json(line: str) -> bool:
    try:
        _parsed(line)
    except (ValueError, RecursionError):
        return False
    return True


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _without_twins(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    # Of two values under one name, two readers could take one each.
    if len(dict(pairs)) < len(pairs):
        raise ValueError("a name stands twice in one object")
    return dict(pairs)


def verify_records(data: bytes, root: Path, text_file: Path | None) -> tuple[list[dict], list[str]]:
    """What has become of every citation in a file of records, and why records do not hold."""
    records = records_in(data)
    faults = [fault for one in records if "schema" in one and (fault := fault_of(one))]
    if not records:
        faults.append("nothing was checked: there are only records of errors")
    citations = [citation for one in records for citation in one["citations"]]
    results = [
        {
            "quote": citation["quote"]["exact"],
            "path": citation["document"]["path"],
            **verify_file(citation, root, text_file),
        }
        for citation in citations
    ]
    return results, faults


def failed_vectors(vectors: dict) -> list[str]:
    """The names of the test vectors that come out otherwise than they say."""
    failed = []
    for one in vectors["matching"]:
        spans = [list(span) for span in occurrences(one["quote"], one["text"])]
        if spans != one["places"]:
            failed.append(one["name"])
    for one in vectors["records"]:
        if bool(fault_of(one["record"])) == one["holds"]:
            failed.append(one["name"])
    for one in vectors["unreadable"]:
        if _is_readable(one["json"].encode()):
            failed.append(one["name"])
    for one in vectors["citations"]:
        found = verify(one["citation"], one["text"])
        if (found["status"], found["position"]) != (one["status"], one["position"]):
            failed.append(one["name"])
    return failed


def _is_readable(data: bytes) -> bool:
    try:
        records_in(data)
    except UNREADABLE:
        return False
    return True


def main() -> int:
    """The command line; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("record", type=Path, metavar="RECORD.json", nargs="?")
    parser.add_argument("--root", type=Path, default=Path("."), metavar="FOLDER")
    parser.add_argument("--text", type=Path, metavar="FILE", help="the extracted text, in UTF-8")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--vectors", type=Path, metavar="FILE", help="check the test vectors")
    options = parser.parse_args()
    if options.vectors:
        failed = failed_vectors(json.loads(options.vectors.read_text("utf-8")))
        print("\n".join(failed) or "all vectors come out as they say")
        return 3 if failed else 0
    if options.record is None:
        parser.error("give RECORD.json or --vectors")
    try:
        with options.record.open("rb") as file:
            data = file.read(LARGEST_RECORD + 1)
        results, faults = verify_records(data, options.root, options.text)
    except (OSError, *UNREADABLE) as error:
        told = f"{error} is missing" if isinstance(error, KeyError) else str(error)
    else:
        _tell(results, faults, as_json=options.json)
        holds = not faults and all(result["status"] == "valid" for result in results)
        return 0 if holds else 3
    print(f"{options.record} cannot be read as a record: {told}", file=sys.stderr)
    return 1


def _tell(results: list[dict], faults: list[str], *, as_json: bool) -> None:
    """Print what came of it, and what is stated and was not compared with anything."""
    if as_json:
        print(json.dumps({"citations": results, "faults": faults}, indent=2))
        return
    for result in results:
        failed = [name for name, passed in result["checks"].items() if passed is False]
        why = result.get("reason", f"not as cited: {', '.join(failed)}" if failed else "")
        print(f"{result['status']}: {json.dumps(result['quote'])} {why}".rstrip())
    for fault in faults:
        print(f"not valid: the record: {fault}")
    names = sorted({name for result in results for name in result["not_compared"]})
    if names:
        print(f"Not compared: {', '.join(names)}, and how it was asked and chosen")


if __name__ == "__main__":
    sys.exit(main())
