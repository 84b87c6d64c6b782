"""What a quote leaves out of its own sentence that limits or denies it."""

from __future__ import annotations

import re

from pincite.records import Span

REACH = 1_000
"""Code points that are looked at on either side."""

_LIMITS = (
    r"unless|except(?:ing|ed|ions?)?|exclud(?:ing|ed|es)|exclusive|provided|providing|only|but|"
    r"however|although|though|whereas|if|until|till|without|other than|apart from|save (?:for|that|"
    r"where|as)|subject to|as long as|so long as|notwithstanding|otherwise|where (?:not|no)|"
    r"in which case|instead"
)
_DENIES = (
    r"not|no|never|none|nobody|nothing|neither|nor|cannot|\w+n['’]t|without|unable|unless|except|"
    r"hardly|rarely|seldom|fail(?:s|ed)?(?: to)?|refus(?:e|es|ed)|den(?:y|ies|ied)|false|untrue|"
    r"incorrect|wrong|myth|if|only|may|might|could|would|should|must|until|before|formerly|"
    r"previously|once|allegedly|supposed(?:ly)?|proposed|draft|example|suppose|assum(?:e|ing)"
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
_UNSPACED_DENIAL = re.compile(r"[不没沒无無未非別别]$")
_UNSPACED_BEHIND = re.compile(r"^(?:ない|ません|なかった|ではな|않|못|除外|除非|但)")

_CLOSERS = r"(?:\s?''|[\"'”’»›)\]]|\[[\w ]{1,20}\])*"
_STOP = re.compile(
    # A mark that ends a sentence: no small letter behind it, or a word before it that is no
    # abbreviation.
    rf"[.!?…]{_CLOSERS}(?=\s+[^\sa-zà-öø-ÿ]|\s*\Z)|(?<=[^\W\d_]{{4}})[.!?]{_CLOSERS}(?=\s)|[。！？]"
    # An empty line; a line end, but before a plain word in small letters, as where a line wraps.
    r"|\r?\n[ \t]*\r?\n"
    r"|(?:\r\n?|\n)(?![ \t]{0,11}(?![a-z]{1,4}[.)]\s)[a-zà-öø-ÿ][a-zà-öø-ÿ'’-]*(?:[\s,;:!?.)]|\Z))"
    r"|(?<=[.!?:;|{}=>])[ \t]*(?:\r\n?|\n)|[\u2029\f]|[ \t]*[|\t]"
)
_ENDS = re.compile(rf"[.!?。！？…]{_CLOSERS}\s*\Z")
_SHORT_END = re.compile(rf"(?:\b[^\W\d_]{{1,3}}|\.[^\W\d_]+)\.{_CLOSERS}\s*\Z")
"""May be an abbreviation."""
_GOES_ON = re.compile(r"\s+[a-zà-öø-ÿ]")
_FIRST_WORD = 40
_TAG = re.compile(r"<[^<>]*>")


def left_out(text: str, quote: Span) -> Span | None:
    """The rest of the sentence around `quote` where that limits or denies it; None where not.

    The sentence is told by its marks alone: it ends at a full stop, unless that may be of an
    abbreviation, at an empty line, and at a line end where a line does not seem to be wrapped.
    """
    if not any(map(str.isalnum, quote.of(text))):
        return None
    sentence = sentence_around(text, quote)
    before, behind = Span(sentence.start, quote.start), Span(quote.end, sentence.end)
    said_before, said_behind = (_TAG.sub(" ", one.of(text)) for one in (before, behind))
    if _LIMITING.search(said_behind) or _UNSPACED_BEHIND.search(said_behind):
        return behind
    if _DENYING.search(said_before) or _UNSPACED_DENIAL.search(said_before):
        return before
    return None


def sentence_around(text: str, quote: Span) -> Span:
    """The sentence that `quote` is of, or those from its first to its last, as `left_out` sees it.

    Up to `REACH` code points on either side.
    """
    return Span(_begin(text, quote), _end(text, quote))


def _end(text: str, quote: Span) -> int:
    words, reach = quote.of(text), min(len(text), quote.end + REACH)
    if _ENDS.search(words) and not (_SHORT_END.search(words) and _GOES_ON.match(text, quote.end)):
        return quote.end
    stop = _STOP.search(text, quote.end, reach)
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
