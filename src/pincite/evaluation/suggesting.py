"""Drafts questions from the documents, by rule, for a person to correct.

A draft is a line for `read_questions` with `"draft": true`, `kind` (the rule that made it) and,
where the documents answer, the sentence that it was made from as evidence. Rules read English; a
heading or sentence that ends in a question mark is taken in any language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Any

from pincite.answering.close_reading import words_of
from pincite.answering.composition import is_quotable
from pincite.index import Index
from pincite.protocols import Candidate
from pincite.records import BlockKind, Passage, Span

NEAR_MISSES = 4
"""One draft in so many is a question that the documents do not answer, where one can be made."""
_ENGLISH = frozenset({"en", "und"})
_FEWEST_WORDS, _MOST_WORDS = 4, 40
_MOST_ASKED = 110
_LONGEST_ANSWER = 600

_NUMBER = (
    r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty)"
)
_UNIT = r"(?:(?:working |business |calendar )?(?:seconds|minutes|hours|days|weeks|months|years))"
# What a subject does not begin with, and what does not stand in it.
_NO_SUBJECT = (
    r"(?i:it|its|this|that|these|those|there|here|they|he|she|we|you|i|what|which|who|when|where|"
    r"why|how|if|unless|while|as|please|and|but|or|so|then|also|however|note|some|most|both|each|"
    r"after|before|below|above|from|by|in|on|at|for|with|without|until|during|under|over|to)\b"
)
_NOT_INSIDE = (
    r"(?:can|may|must|will|should|is|are|was|were|has|have|do|does|not|and|or|it|you|we|they|there|"
    r"that|which|who|if|when)\b"
)
_SUBJECT = rf"(?!{_NO_SUBJECT})[A-Z][\w'’-]*(?: (?!{_NOT_INSIDE})[\w'’-]+){{0,6}}?"
_THING = rf"(?P<thing>{_SUBJECT})(?<! the)(?<! a)"
_DONE_BY = rf"(?P<who>You|We|{_SUBJECT})"
_ABOUT = r"(?:(?:about|only|up to|at most|at least|around|approx\.|between) )?"
_NEVER_A_NAME = re.compile(r"The|An?|Your|Our|Every|All|[A-Z][a-z]+ing")
_CLAUSE_NUMBER = re.compile(r"^(?:\d+(?:\.\d+)*\.?|\([a-z0-9]\)) +(?=[A-Z])")
_AUXILIARY = r"(?P<aux>may|can|must|will|should|is|are)"

_QUESTION_SHAPED = re.compile(
    r"(?:(?:how|what|when|where|who|why|which)(?: (?:much|many|long|often))? )?"
    r"(?:can|do|does|is|are|may|must|should|will)\b",
    re.IGNORECASE,
)
_HOW_TO = re.compile(r"how to (?=\w)", re.IGNORECASE)
_ASKS = re.compile(r"[?？؟]\W*$")
_NAMED = re.compile(r"(?<=\w )[A-Z][a-z]+(?:-[A-Z][a-z]+)*\b")
_CODE = re.compile(r"\b(?=[\w-]*[A-Za-z])(?=[\w-]*\d)[A-Za-z][\w-]*\d\b")
_WHOLE_NUMBER = re.compile(r"(?<![\w.,-])\d+(?![\w-]|[.,]\d)")
_WORD = re.compile(r"[\w-]+")
_INVENTED = (
    "Velmora",
    "Tarnwick",
    "Oskelby",
    "Brindale",
    "Quorland",
    "Hestmark",
    "Pellaworth",
    "Dunavere",
    "Korsby",
    "Mirrendal",
)
"""Names of nothing, in place of the name of something."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """Sentences of one form and the question they answer."""

    kind: str
    pattern: re.Pattern[str]
    ask: Callable[[re.Match[str]], str]


def _does(found: re.Match[str], asked: str, verb: str) -> str:
    does = "does" if found["verb"].endswith("s") else "do"
    return f"{asked} {does} {found['thing']} {verb}?"


def _rule(kind: str, pattern: str, ask: Callable[[re.Match[str]], str]) -> _Rule:
    return _Rule(kind, re.compile(pattern), ask)


_RULES = (
    _rule(
        "how_long",
        rf"{_DONE_BY} {_AUXILIARY} (?P<rest>(?:[\w'’-]+ ){{0,9}}?)"
        rf"(?P<how>within|for|after|at least|up to) {_NUMBER} (?P<unit>{_UNIT})\b",
        lambda found: (
            f"{found['how'].capitalize()} how many {found['unit']} {found['aux']} "
            f"{_asking(found['who'])} {_asking(found['rest'].strip())}".rstrip()
            + "?"
        ),
    ),
    _rule(
        "how_long",
        rf"{_THING} (?P<verb>takes?|lasts?) {_ABOUT}{_NUMBER} {_UNIT}\b",
        lambda found: _does(found, "How long", found["verb"].removesuffix("s")),
    ),
    _rule(
        "how_much",
        rf"{_THING} (?P<verb>costs?|weighs?) {_ABOUT}(?:[€$£] ?)?{_NUMBER}",
        lambda found: _does(found, "How much", found["verb"].removesuffix("s")),
    ),
    _rule(
        "how_many",
        rf"{_THING} (?P<verb>has|have) {_ABOUT}{_NUMBER} (?P<counted>[a-z]+s)\b",
        lambda found: _does(found, f"How many {found['counted']}", "have"),
    ),
    _rule(
        "what_means",
        rf"{_THING} (?:means|stands for) ",
        lambda found: f"What does {found['thing']} mean?",
    ),
    _rule(
        "what_is",
        rf"{_THING} (?P<verb>is|are) (?:an?|the|any|where|when|what) ",
        lambda found: f"What {found['verb']} {found['thing']}?",
    ),
    _rule(
        "what_if",
        r"(?P<word>If|When) (?P<condition>(?!(?:it|its|this|that|these|they|he|she)\b)"
        r"[^,;:]{8,80}), \w",
        lambda found: f"What happens {found['word'].lower()} {_asking(found['condition'])}?",
    ),
    _rule(
        "may_i",
        r"You (?P<aux>may|can|must) (?:not )?(?P<rest>[a-z][^,;:.]{8,80}?)"
        r"(?:[,;:.]| if | unless |$)",
        lambda found: f"{found['aux'].capitalize()} I {_asking(found['rest'])}?",
    ),
    _rule(
        "may_i",
        r"You cannot (?P<rest>[a-z][^,;:.]{8,80}?)(?:[,;:.]| if | unless |$)",
        lambda found: f"Can I {_asking(found['rest'])}?",
    ),
)
_AS_ASKED = {"your": "my", "yours": "mine", "yourself": "myself", "our": "your", "we": "you"}
_AS_ASKED |= {"us": "you", "you": "me"}
_SPOKEN_TO = re.compile(r"\b(?:you|your|yours|yourself|we|us|our)\b", re.IGNORECASE)
_YOU_DO = re.compile(
    r"(?:^|\b(?:if|when|that|as|and|or|which|what|than|before|after|until|because|where) )you\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Draft:
    kind: str
    question: str
    document: str
    span: Span
    text: str


def suggest(index: Index, *, count: int) -> list[dict[str, Any]]:
    """Up to `count` drafts, spread over the documents and the rules; the same every time.

    Fewer where the documents give no more. Near-misses have another number, code or name in them
    than the question they are made from, one that no document has.
    """
    documents = [source.path for source in index.info().documents]
    texts = {path: index.passages(path) for path in documents}
    written = {
        word
        for passages in texts.values()
        for passage in passages
        for word in _WORD.findall(passage.text)
    }
    mentioned = {word.casefold() for word in written}
    drafts = _spread([_drafts(texts[path], written) for path in documents])
    chosen: list[dict[str, Any]] = []
    missed: list[dict[str, Any]] = []
    asked: set[str] = set()
    for draft in drafts:
        if draft.question.casefold() in asked:
            continue
        asked.add(draft.question.casefold())
        if len(chosen) < count:
            chosen.append(_answerable(draft))
        near = _near_miss(draft.question, mentioned)
        if near is not None and near.casefold() not in asked:
            asked.add(near.casefold())
            missed.append({"question": near, "answerable": False, "kind": "near_miss"})
    kept = missed[: count // NEAR_MISSES]
    lines = [*chosen[: count - len(kept)], *kept]
    return [
        {"id": f"draft-{number:03}", **line, "draft": True}
        for number, line in enumerate(lines, start=1)
    ]


def _answerable(draft: _Draft) -> dict[str, Any]:
    place = {"document": draft.document, "start": draft.span.start, "end": draft.span.end}
    return {
        "question": draft.question,
        "answerable": True,
        "evidence": [{**place, "text": draft.text}],
        "kind": draft.kind,
    }


def _spread(by_document: Sequence[list[_Draft]]) -> Iterator[_Draft]:
    """One of each document in turn; of a document, one of each kind in turn."""
    queues = []
    for drafts in by_document:
        ranks: dict[str, int] = {}
        order = []
        for place, draft in enumerate(drafts):
            ranks[draft.kind] = ranks.get(draft.kind, -1) + 1
            order.append((ranks[draft.kind], place))
        queues.append([drafts[place] for _, place in sorted(order)])
    for turn in range(max(map(len, queues), default=0)):
        for queue in queues:
            if turn < len(queue):
                yield queue[turn]


def _drafts(passages: Sequence[Passage], common: Set[str]) -> list[_Draft]:
    found = []
    for passage in passages:
        for number, sentence in enumerate(passage.sentences):
            if not is_quotable(sentence) or sentence.kind in (BlockKind.CODE, BlockKind.TABLE_ROW):
                continue
            words = words_of(Candidate(passage, 0, 0.0, number))
            draft = (
                _asked_by_the_document(passage, number, words)
                if _ASKS.search(words) or sentence.kind is BlockKind.HEADING
                else _made_of(passage, number, words, common)
            )
            if draft is not None and len(draft.question) <= _MOST_ASKED:
                found.append(draft)
    return found


def _asked_by_the_document(passage: Passage, number: int, words: str) -> _Draft | None:
    """A question, or a heading in the form of one, with the paragraph below it."""
    words = _HOW_TO.sub("How do I ", words)
    if not _ASKS.search(words) and not _QUESTION_SHAPED.match(words):
        return None
    if len(words.split()) < 3:
        return None
    first = last = None
    for following in range(number + 1, len(passage.sentences)):
        sentence = passage.sentences[following]
        if not is_quotable(sentence):
            continue
        below = words_of(Candidate(passage, 0, 0.0, following))
        if sentence.kind is BlockKind.HEADING or _ASKS.search(below):
            break
        first = sentence if first is None else first
        if sentence.quote.end - first.quote.start > _LONGEST_ANSWER:
            break
        last = sentence
    if first is None or last is None:
        return None
    question = words if _ASKS.search(words) else f"{words.rstrip(' .:')}?"
    return _draft("faq", question, passage, Span(first.quote.start, last.quote.end))


def _made_of(passage: Passage, number: int, words: str, common: Set[str]) -> _Draft | None:
    """What a rule makes of a sentence; `common` are the words that documents have in small letters.

    The capital that only the start of the sentence gave a word is taken from it.
    """
    words = _CLAUSE_NUMBER.sub("", words)
    if passage.language not in _ENGLISH:
        return None
    if not _FEWEST_WORDS <= len(words.split()) <= _MOST_WORDS:
        return None
    for rule in _RULES:
        found = rule.pattern.match(words)
        if found:
            question = rule.ask(found)
            first = words.partition(" ")[0]
            if first.lower() in common or _NEVER_A_NAME.fullmatch(first):
                question = question[0] + re.sub(
                    rf"\b{re.escape(first)}\b", first.lower(), question[1:]
                )
            return _draft(rule.kind, question, passage, passage.sentences[number].quote)
    return None


def _draft(kind: str, question: str, passage: Passage, span: Span) -> _Draft:
    start = passage.span.start
    words = passage.text[span.start - start : span.end - start]
    return _Draft(kind, " ".join(question.split()), passage.path, span, words)


def _near_miss(question: str, mentioned: Set[str]) -> str | None:
    """The question with its first code, number or name put for one that no document has."""
    for pattern, other in ((_CODE, _other_code), (_WHOLE_NUMBER, _other_number), (_NAMED, _other)):
        found = pattern.search(question)
        if found:
            instead = other(found.group(), mentioned)
            if instead is not None:
                return question[: found.start()] + instead + question[found.end() :]
    return None


def _other_code(code: str, mentioned: Set[str]) -> str | None:
    digits = re.search(r"\d+$", code)
    if digits is None:
        return None
    number = _other_number(digits.group(), mentioned, before=code[: digits.start()])
    return None if number is None else code[: digits.start()] + number


def _other_number(number: str, mentioned: Set[str], before: str = "") -> str | None:
    for step in range(1, 100):
        other = str(int(number) + step).zfill(len(number))
        if (before + other).casefold() not in mentioned:
            return other
    return None


def _other(name: str, mentioned: Set[str]) -> str | None:
    # Which of them hangs on the name, so that not all questions are about the same one.
    start = sum(map(ord, name)) % len(_INVENTED)
    for other in (*_INVENTED[start:], *_INVENTED[:start]):
        if other.casefold() not in mentioned:
            return other
    return None


def _asking(words: str) -> str:
    """The words as the one who asks would say them: `my` for `your`, and the like."""
    said = _YOU_DO.sub(lambda found: f"{found.group()[:-3]}I", words).replace("I are ", "I am ")
    return _SPOKEN_TO.sub(lambda found: _AS_ASKED[found.group().casefold()], said)
