"""The questions inside a question: "How long is the warranty, and who pays for postage?" is two.

Split by rule, and only where both sides ask by themselves: at a question mark, or at an "and"
that a question word or an auxiliary with its subject follows. "Terms and conditions", "who and
when", "the man who wrote it and who sang it" stay together.
"""

from __future__ import annotations

import itertools
import re

from pincite.answering.follow_up import has_topic

MOST_PARTS = 4
"""A question of more parts is asked as it stands."""

_AND = r"(?:and(?: also)?|und|et|y|e|ed|en|og|и)"
_AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|can|could|will|would|should|shall|may|must|has|have|had)"
)
_SUBJECT = (
    r"(?:i|you|we|it|he|she|they|there|this|that|these|those|the|an?|my|your|our|their|its|any|"
    r"all|some|one|somebody|anyone)"
)
# After these an auxiliary follows in a question; without it they begin a clause ("when it rains").
_WH = r"(?:when|where|why|how(?: (?:long|much|many|often|far|soon|old|big|large|high))?)"
_ENGLISH = (
    rf"(?:{_WH} (?:\w+ ){{0,3}}{_AUXILIARY}\b|how to\b"
    # "How much per year?" leaves the rest to the question before it.
    r"|how (?:much|many)(?= (?:per|an?|each|every)\b|\W*\Z)|how (?:long|often)(?=\W*\Z)"
    rf"|(?:for|to|in|by|at|from|with) (?:what|which|whom?|how)\b"
    rf"|(?:what|which|who|whose|whom)(?:['’]s)?\b"
    rf"|{_AUXILIARY}(?:n['’]t)? {_SUBJECT}\b)"
)
_OTHER = (
    r"(?:wie|was|wer|wem|wen|wann|wo|wohin|woher|warum|wieso|welche[mnrs]?|wie ?viele?"
    r"|(?:kann|können|darf|muss|ist|sind|hat|gibt) "
    r"(?:ich|man|wir|sie|es|der|die|das|ein\w*|mein\w*)"
    r"|comment|combien|quels?|quelles?|pourquoi|où|quand|est-ce"
    r"|¿?(?:cómo|cuánt[oa]s?|cuáles?|quién(?:es)?|qué|dónde|cuándo|por qué)"
    r"|quant[oaie]|quando|come|dove|perché|chi|quale|quali|quem|onde|como|por que|quais"
    r"|hoe|hoeveel|wat|waar|wanneer|waarom|welke?|hva|hvor|hvem|hvordan|når|hvilken"
    r"|как|сколько|когда|где|кто|почему|что|какой|какая|какие)\b"
)
_ASKS = rf"(?:{_ENGLISH}|{_OTHER})"
_BEGINS = re.compile(rf"[\W_]*(?:{_ASKS}|{_AUXILIARY}\b)", re.IGNORECASE)
_LEADS_IN = re.compile(
    r"\W*(?:please |so |also |and |but )*(?:(?:can|could|would) you )?(?:please )?"
    r"(?:tell|explain|show|let|say|describe|i (?:want|need|would like|wonder)|do you know)\b",
    re.IGNORECASE,
)
_JOINT = re.compile(rf"[,;]?\s+{_AND},?\s+(?={_ASKS})", re.IGNORECASE)
_MARK = re.compile(r"[?？؟]+[\s\"'”»)]*")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_RELATIVE = frozenset("who which that whose whom where when what qui où quand wo was".split())
_VERB = re.compile(rf"\b{_AUXILIARY}\b|n['’]t\b", re.IGNORECASE)
_ENGLISH_START = re.compile(rf"\W*{_ENGLISH}", re.IGNORECASE)
_FEWEST_WORDS = 3


def question_parts(question: str) -> tuple[str, ...]:
    """The questions in `question`, as it words them, in order; one where it asks one thing."""
    parts = [part for stretch in _marked(question) for part in _joined(stretch)]
    if not 1 < len(parts) <= MOST_PARTS:
        return (question,)
    return tuple(parts)


def _marked(question: str) -> list[str]:
    """Cut after question marks; what asks nothing stays with the question it stands beside."""
    ends = [found.end() for found in _MARK.finditer(question)]
    if len(ends) < 2:
        return [question.strip()]
    borders = [0, *ends[:-1], len(question)]
    found: list[str] = []
    for start, end in itertools.pairwise(borders):
        stretch = question[start:end].strip()
        if found and not (_asks(stretch) or _ends_asking(stretch)):
            found[-1] = f"{found[-1]} {stretch}"
        elif stretch:
            found.append(stretch)
    return found


def _joined(question: str) -> list[str]:
    """Cut at each "and" where what stands before it asks, and so does what follows."""
    parts: list[str] = []
    start = 0
    for joint in _JOINT.finditer(question):
        before, after = question[start : joint.start()], question[joint.end() :]
        if _is_whole(before) and not _goes_on(before, after) and has_topic(before):
            parts.append(before.strip())
            start = joint.end()
    parts.append(question[start:].strip())
    return parts if all(len(part.split()) >= _FEWEST_WORDS - 1 for part in parts) else [question]


def _is_whole(part: str) -> bool:
    """Whether it asks, in a sentence: "what countries" does not, before "and what cities ..."."""
    if len(part.split()) < _FEWEST_WORDS or not (_asks(part) or _ends_asking(part)):
        return False
    if not _ENGLISH_START.match(part):
        return True
    return bool(_VERB.search(part)) or part.lower().split()[0] in ("who", "what", "how")


def _asks(part: str) -> bool:
    return bool(_BEGINS.match(part) or _LEADS_IN.match(part))


def _ends_asking(part: str) -> bool:
    """Whether the last sentence of it asks: "I have no printer. What can I show?"."""
    return _asks(re.split(r"[.!;]\s+|,\s+", part)[-1])


def _goes_on(before: str, after: str) -> bool:
    """Whether `after` is a clause like one in `before`: "the man who wrote X | and who sang it"."""
    found = _FIRST_WORD.match(after)
    word = found.group() if found else ""
    if word.isupper() and len(word) > 1 and not before.isupper():
        return True  # The WHO asks nothing.
    word = word.casefold()
    inside = [one.casefold() for one in _FIRST_WORD.findall(before)][1:]
    return word in _RELATIVE and word in inside
