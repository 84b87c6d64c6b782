"""Where sentences of prose end: the rules for stops, abbreviations, numbers and quotes."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

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
from pincite.text.lines import LINE_END
from pincite.text.stop_words import stop_words

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
# Comments and tags; what looks like a stop inside one is none.
_TAG = r"</?[A-Za-z][\w-]*(?:\s[^<>]{0,500})?/?>"
_TAGS, _HIDDEN = (re.compile(each, re.S) for each in (_TAG, rf"<!--.*?-->|{_TAG}"))
_TAG_RUN, _HIDDEN_RUN = (
    re.compile(rf"(?:(?:{each.pattern})\s*+)++", re.S) for each in (_TAGS, _HIDDEN)
)
_BREAK_MARKS = ("\\", "<br>", "<br/>", "<br />")
_LABEL = re.compile(r"[^\W\d_][\w.'’-]*(?: [\w.'’-]+){0,4}:(?:\s|$)")
_EMPHASISED = re.compile(r"(\*{1,3}|_{1,3})(?=\S)[^*]+\1:?")
_STOP_AT_END = re.compile(r"[.!?…:;。！？؟۔।։]['\"”’»)\]*_`]*$")
_EAST_ASIAN_LETTER = re.compile("[\u3041-\u30ff\u3400-\u9fff]")
_SHORT_LINE = 4
"""Words in a line of a list or an address, most; two East Asian letters count as a word."""
_SMALL_WORDS = SENTENCE_STARTERS | stop_words("en")
_LONGEST_LINE = 400
"""Code points of a line that are looked at, most."""
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
    reach = _comments_end(text, start, end)
    hidden = _hidden(text, start, reach, end)
    hidden_start, hidden_end = next(hidden, (end, end))
    for match in candidates.finditer(text, start, end):
        position = match.end()
        if position >= end:
            break
        while hidden_end <= match.start() and hidden_start < end:
            hidden_start, hidden_end = next(hidden, (end, end))
        if hidden_start <= match.start() < hidden_end:
            continue
        if match.lastindex == 1:
            if (
                not text[position].islower()
                and match.start() > begin
                and not _goes_on_over(text, begin, match.start(), position, end)
            ):
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
            if text[match.start(2) - 1] not in _FULL_STOPS:
                shown = _skip_hidden(text, position, reach, end)
                if shown >= end:
                    break
                if not _ends_spaced(text, begin, match, shown, end, language):
                    continue
        ends.append((words_end, position))
        begin = position
    if language == "th":
        return _with_thai_spaces(text, start, end, ends)
    return ends


def goes_on(before: str, after: str) -> bool:
    """Whether a sentence in the line `before` is likely to go on in the line `after`.

    Told by the words alone, and in doubt it does, since a sentence cut short may lose its answer.
    It does not after a stop or a colon, from one `Name: value` to the next, and between lines as
    short as those of a list, an address or a poem. Neither line is blank.
    """
    before = _without_break(before)
    after = after.strip()
    if not before or _EMPHASISED.fullmatch(before):
        return False
    if _STOP_AT_END.search(before):
        if before.endswith((":", ";")):
            return False
        # Most doubtful in German, where a number or a short word with a stop may go on.
        line = before[-_LOOK_BACK * 5 :]
        ends = find_ends(f"{line}\n{after}", 0, len(line) + 1 + len(after), "de")
        return all(end != len(line) for end, _ in ends)
    length = _word_count(before)
    if is_label(after) and (length <= _SHORT_LINE or is_label(before) or after.endswith(":")):
        return False
    begins = _next_word(after, 0, len(after))
    is_new = begins[:1].isupper() and begins.lower() in SENTENCE_STARTERS
    if is_prose(before):
        return not (is_new and length <= _SHORT_LINE and _word_count(after) <= _SHORT_LINE)
    if length < 2 or is_new or (_is_name(before) and not (before.isupper() and after.isupper())):
        return False
    return bool(_STOP_AT_END.search(after)) or _word_count(after) > _SHORT_LINE


@functools.lru_cache(maxsize=32)  # Asked again for the same lines, a few lines on.
def is_prose(line: str) -> bool:
    """Whether `line`, which ends without a stop, reads like a part of a sentence."""
    words = line.split()
    is_inside = words[0][0].islower() or (words[-1].islower() and words[-1] in _SMALL_WORDS)
    if is_inside and len(words) > 1:
        return True
    length = _word_count(line)
    is_sentence = length > _SHORT_LINE or (length > 1 and words[0].lower() in SENTENCE_STARTERS)
    return is_sentence and not _is_name(line)


def is_label(line: str) -> bool:
    """Whether `line` begins with up to five words and a colon: `Price: 5 euros`."""
    return _LABEL.match(line) is not None


def _is_name(line: str) -> bool:
    """Whether a line has capitals as a title, a name or an address has."""
    words = [word for word in line.split() if word not in _SMALL_WORDS]
    return any(word[0].isupper() for word in words) and all(
        word[0].isupper() or not word[0].isalpha() for word in words
    )


def _word_count(line: str) -> int:
    return len(line.split()) + len(_EAST_ASIAN_LETTER.findall(line)) // 2


def _goes_on_over(text: str, begin: int, break_start: int, position: int, end: int) -> bool:
    """Whether a sentence goes on over the line end at `break_start`, which its writer forced."""
    if len(LINE_END.findall(text, break_start, position)) > 1:
        return False
    begin = max(begin, break_start - _LONGEST_LINE)
    before = _without_break(text[begin:break_start])
    lines = LINE_END.split(before)
    while len(lines) > 1 and lines[-1].lstrip()[:1].islower():
        last = lines.pop()
        lines[-1] += f" {last}"
    line_end = LINE_END.search(text, position, end)
    return goes_on(lines[-1], text[position : line_end.start() if line_end else end])


def _without_break(line: str) -> str:
    line = line.strip()
    for mark in _BREAK_MARKS:
        line = line.removesuffix(mark)
    return line.rstrip()


def _comments_end(text: str, start: int, end: int) -> int:
    """The end of the last comment in [start, end), at the latest; `start` where there is none.

    No comment is looked for after it, so that comments without an end take no time.
    """
    closing = text.rfind("-->", start, end) if text.find("<!--", start, end) >= 0 else -1
    return start if closing < 0 else closing + len("-->")


def _hidden(text: str, start: int, reach: int, end: int) -> Iterator[tuple[int, int]]:
    """Where tags are in [start, end), and comments in [start, reach)."""
    if text.find("<", start, end) >= 0:
        for match in _HIDDEN.finditer(text, start, reach):
            yield match.span()
        for match in _TAGS.finditer(text, reach, end):
            yield match.span()


def _skip_hidden(text: str, position: int, reach: int, end: int) -> int:
    """The first place from `position` on where no comment or tag, nor white space after it, is."""
    if text[position] != "<":
        return position
    is_before = position < reach
    pattern, limit = (_HIDDEN_RUN, reach) if is_before else (_TAG_RUN, end)
    run = pattern.match(text, position, limit)
    if run is None:
        return position
    position = run.end()
    while position < end and text[position].isspace():
        position += 1
    return position


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
