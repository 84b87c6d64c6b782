"""What a reader of a quote should know that the quote does not say."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from pincite.records import BlockKind, CitationWarning, Passage, Sentence, Span, WarningKind
from pincite.verifying.governing import left_out

_QUALIFIES = re.compile(
    r"\W*(?:unless|except|exceptions?\b|excluded|only (?:if|when|where)|but|however|otherwise|"
    r"provided that|as long as|notwithstanding|es sei denn|außer|ausgenommen|jedoch|sauf|à moins|"
    r"salvo|excepto|tranne|a meno|exceto|behalve|tenzij|unntatt|кроме)\b"
    r"|\W*th(?:is|ese|at|ose)\b(?: \w+){0,3} (?:do(?:es)? not|doesn['’]t|don['’]t|cannot|"
    r"appl(?:y|ies) only|only appl(?:y|ies))\b",
    re.IGNORECASE,
)
_DOES_NOT_APPLY = re.compile(r"\b(?:do(?:es)? not|doesn['’]t|don['’]t) apply\b", re.IGNORECASE)
_NEGATIVE = re.compile(
    r"\b(?:not|no|never|none|cannot|without|except(?:ions?)?|unless|exclu(?:de[sd]?|ding|sions?)|"
    r"prohibited|forbidden|nicht|kein\w*|ausgeschlossen|sans|jamais|nunca|niet|geen|ikke)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(r"\W*(?:if|when|where|unless|only|provided|wenn|falls|sofern|si)\b", re.I)
_LEADS_IN = re.compile(r"[:：]\W*\Z")

_STATES: tuple[tuple[WarningKind, str], ...] = (
    (
        WarningKind.SUPERSEDED,
        r"superseded|obsolete|outdated|deprecated|archived?|withdrawn|old version|expired|"
        r"no longer (?:valid|in force|current)|veraltet|obsolète|obsoleto",
    ),
    (WarningKind.REPEALED, r"repealed|revoked|rescinded|annulled|aufgehoben|abrogée?|derogad[oa]"),
    (WarningKind.DRAFT, r"drafts?|proposal|proposed|not yet in force|entwurf|brouillon|borrador"),
    (WarningKind.EXAMPLE, r"examples?|samples?|illustrations?|beispiele?|exemples?|ejemplos?"),
)
_IN_A_HEADING = tuple((kind, re.compile(rf"\b(?:{said})\b", re.I)) for kind, said in _STATES)
_OF_A_DOCUMENT = re.compile(
    r"\b(?:this|the) (?:document|version|policy|page|edition|guide|agreement|standard|regulation|"
    r"text) (?:is|was|has been) (?:a |an |now |hereby )?(?:(?P<superseded>superseded|replaced|"
    r"obsolete|outdated|deprecated|archived|withdrawn|no longer (?:valid|in force|current))|"
    r"(?P<repealed>repealed|revoked|rescinded)|(?P<draft>draft))\b"
    r"|\bstatus\W{1,6}(?:(?P<superseded2>superseded|obsolete|deprecated|archived|withdrawn|"
    r"replaced)|(?P<repealed2>repealed|revoked)|(?P<draft2>draft))\b"
    r"|^\W*(?P<draft3>draft)\b[^\n.]{0,40}$",
    re.IGNORECASE | re.MULTILINE,
)
_NAME_PART = re.compile(r"[^\W_]+")
_OF_A_NAME = {
    WarningKind.SUPERSEDED: {"superseded", "obsolete", "outdated", "deprecated", "withdrawn"},
    WarningKind.REPEALED: {"repealed", "revoked"},
    WarningKind.DRAFT: {"draft", "drafts"},
}
BEGINNING = 400
"""Code points at the beginning of a document that say what state it is in."""


def warnings_of(
    passage: Passage, position: Span, *, beginning: str = ""
) -> tuple[CitationWarning, ...]:
    """What is to be known of the quote at `position`, which lies in the passage; mostly nothing.

    `beginning` is how the document begins, of which `BEGINNING` code points are looked at.
    """
    found = [
        *_around(passage, position),
        *_lead_in(passage, position),
        *state_of(passage, beginning[:BEGINNING]),
    ]
    held = _sentences_in(passage, position)
    if held and all(sentence.kind is BlockKind.QUOTATION for sentence in held):
        found.append(CitationWarning(WarningKind.QUOTATION, ""))
    # One of a kind: the first is the nearest.
    return tuple({one.kind: one for one in reversed(found)}.values())[::-1]


def _around(passage: Passage, position: Span) -> list[CitationWarning]:
    """What the sentence itself, or the one behind it, says further."""
    start = passage.span.start
    quote = Span(position.start - start, position.end - start)
    rest = left_out(passage.text, quote)
    if rest is not None:
        kind = WarningKind.QUALIFIED if rest.start >= quote.end else WarningKind.GOVERNED
        return [CitationWarning(kind, _words(rest.of(passage.text)))]
    behind = next((one for one in passage.sentences if one.quote.start >= position.end), None)
    held = _sentences_in(passage, position)
    if behind is None or not held or behind.kind is not held[-1].kind:
        return []
    if behind.kind is not BlockKind.PARAGRAPH:
        return []
    words = _text(passage, behind.quote)
    if _QUALIFIES.match(words) or _DOES_NOT_APPLY.search(words):
        return [CitationWarning(WarningKind.QUALIFIED, _words(words))]
    return []


def _lead_in(passage: Passage, position: Span) -> list[CitationWarning]:
    """The line that leads in a list whose items are quoted, if it denies or conditions them."""
    sentences = passage.sentences
    first = next((n for n, one in enumerate(sentences) if one.end > position.start), 0)
    if not sentences or sentences[first].kind is not BlockKind.LIST_ITEM:
        return _heading(passage)
    while first > 0 and sentences[first].kind is BlockKind.LIST_ITEM:
        first -= 1
    words = _text(passage, sentences[first].quote)
    is_quoted = sentences[first].quote.start >= position.start
    if not is_quoted and _LEADS_IN.search(words):
        if _NEGATIVE.search(words) or _CONDITION.match(words):
            return [CitationWarning(WarningKind.GOVERNED, _words(words))]
        return []
    return _heading(passage)


def _heading(passage: Passage) -> list[CitationWarning]:
    """The heading right above, if it denies what stands under it: "What is not covered"."""
    heading = passage.heading_path[-1] if passage.heading_path else ""
    # A heading that asks is answered under it.
    if heading.rstrip().endswith("?") or not _NEGATIVE.search(heading):
        return []
    return [CitationWarning(WarningKind.GOVERNED, _words(heading))]


def state_of(passage: Passage, beginning: str) -> list[CitationWarning]:
    """What headings, the name or the beginning of the document say of the state it is in."""
    found = [
        CitationWarning(kind, _words(heading))
        for heading in reversed(passage.heading_path)
        for kind, said in _IN_A_HEADING
        if said.search(heading)
    ]
    name = {part.casefold() for part in _NAME_PART.findall(str(PurePosixPath(passage.path)))}
    found += [
        CitationWarning(kind, passage.path) for kind, words in _OF_A_NAME.items() if words & name
    ]
    if (said := _OF_A_DOCUMENT.search(beginning)) is not None:
        group = next(key for key, value in said.groupdict().items() if value)
        found.append(CitationWarning(WarningKind(group.rstrip("23")), _words(said[0])))
    return found


def _sentences_in(passage: Passage, position: Span) -> Sequence[Sentence]:
    return [
        one
        for one in passage.sentences
        if one.quote.start < position.end and position.start < one.quote.end
    ]


def _text(passage: Passage, span: Span) -> str:
    start = passage.span.start
    return passage.text[span.start - start : span.end - start]


def _words(text: str) -> str:
    return " ".join(text.split())[:200]
