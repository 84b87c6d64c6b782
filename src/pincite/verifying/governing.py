"""What a quote leaves out of its own sentence that limits or denies it."""

from __future__ import annotations

import re

from pincite.records import Span
from pincite.verifying.content import HYPHENS, INVISIBLE, MAYBE_HYPHEN, content_of

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
    rf"(?<=[^\W\d_])[{HYPHENS}][ \t{INVISIBLE}]*{_LINE}[ \t{INVISIBLE}]*(?=[a-zà-öø-ÿ])"
    rf"|[{INVISIBLE}]+"
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
