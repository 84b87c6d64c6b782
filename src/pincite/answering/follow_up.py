"""A question that leans on the turn before it, said so that it can be understood alone.

By rule, and seldom: a question that has a topic of its own stays as it is, whatever was said
before. The cues are words of some languages; where they are not known, nothing is carried.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.answering.question import ASKING, common_words, question_terms
from pincite.records import Turn

TURNS_BACK = 4
"""A chain of questions that lean on each other is followed this far."""
LONGEST_TOPIC = 8
"""Words of a topic that are carried, and of a piece that is put into the earlier question."""
ENOUGH_WORDS = 5
"""A question with so many words that say what it is about stands alone, pronoun or not."""

_OPENING = re.compile(
    r"^[\s,]*(?:(?:and|but|so|or|also|then|ok(?:ay)?|und|aber|oder|et|mais|ou|y|pero|e|ma|mas|"
    r"en|maar|og|men|и|а|но)\b[\s,:]*)+(?=.)",
    re.IGNORECASE,
)
_WHAT_ABOUT = re.compile(
    r"^\W*(?:what|how) about\b\s*|^\W*wie (?:ist|sieht) es (?:mit|bei)\b\s*"
    r"|^\W*was ist mit\b\s*|^\W*qu['’]en est-il d[eu]\b\s*|^\W*hoe zit het met\b\s*"
    r"|^\W*hva med\b\s*|^\W*а как насчёт\b\s*|^\W*¿?y qu[eé] (?:hay|pasa) (?:de|con)\b\s*",
    re.IGNORECASE,
)
_PREPOSITION = re.compile(
    r"\b(for|to|in|on|at|from|with|without|by|under|over|after|before|during|outside|inside|"
    r"für|nach|bei|mit|ohne|aus|von|zu|vor|pour|avec|sans|chez|dans|para|con|sin|desde|per|"
    r"senza|com|sem|voor|naar|met|zonder|uten|til|для|без|из|при)\s+",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"(?:for|to|in|by|at|from|with|since|until) (?:what|which|whom?|how)\b[^?]{0,20}"
    r"|(?:what|which) \w+",
    re.IGNORECASE,
)
"""A piece that asks: "who discovered it?" – "in what year?"."""
_VERB = re.compile(
    r"\b(?:is|are|am|was|were|be|do|does|did|can|could|will|would|shall|should|may|might|must|"
    r"have|has|had|ist|sind|war|kann|können|muss|darf|hat|haben|wird|gibt|est|sont|peut|"
    r"es|está|son|puede|puedo|hay|è|sono|posso|può|é|são|pode|zijn|kan|heeft|er|har)\b"
    r"|n['’]t\b",
    re.IGNORECASE,
)
_POINTS = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|him|his|she|her|hers|"
    r"the (?:same|latter|former|first one|second one|other)|"
    r"(?:which|this|that|other|another|(?:an?|the) \w+) ones?|"
    r"these|those|this(?! (?:year|month|week|morning|evening|afternoon|time)\b)|"
    r"that(?=\W*$|\s+(?:is|was|does|did|can|will|would|means?|works?|costs?|includes?)\b)|"
    r"(?<=\bis )that|(?<=\bof )that|(?<=\bdo )that|(?<=\bfor )that|(?<=\babout )that|"
    r"(?<=\bwith )that|"
    r"dies\w*|damit|dafür|davon|dabei|dazu|celui-ci|celle-ci|cela|ça|eso|esto|lo mismo|questo|"
    r"quello|isso|isto|dat|deze|dit|daarvoor|dette|это\w*|его|её|их|он|она|они)\b",
    re.IGNORECASE,
)
_EMPTY_IT = re.compile(
    r"\b(?:is|was) it (?=(?:not )?(?:possible|true|necessary|safe|legal|allowed|ok|okay|worth|"
    r"better|mandatory|required|common|normal)\b)|\bit (?:takes?|costs?) (?=to\b|for\b)"
    r"|\bdoes it (?:take|cost) (?=to\b|for\b)|\bmake it (?=possible\b)"
    r"|\b(?:is|was) it (?=\w+ (?:that|to)\b)|\b(?:what|which) (?:time|day) is it\b",
    re.IGNORECASE,
)
_CLAUSE_END = re.compile(r"[,.;:!?]\s|\s(?:and|but|when|if|before|after|because|while|und|wenn)\s")
_BE = re.compile(
    r"^\W*(?:what|who|where|when|how(?: (?:long|much|many|often|far|old|big|large|tall))?)"
    r"(?:['’]s| is| are| was| were)\s+(?P<topic>.+)"
    r"|^\W*(?:do|does) (?:you|they|we) (?:have|offer|sell|provide|make)\s+(?P<offer>.+)"
    r"|^\W*(?:was|wer|wo|wann|wie (?:lange|viel|hoch|teuer)) (?:ist|sind|kostet|war)\s+(?P<de>.+)"
    r"|^\W*(?:tell|explain|show)(?: me)?(?: more)?(?: about)?\s+(?P<told>.+)",
    re.IGNORECASE,
)
_WORDS = re.compile(r"\w[\w'’-]*")
_PERSONS = frozenset(("he", "him", "his", "she", "her", "hers"))
_OWNERS = frozenset(("its", "their", "his", "her"))
_REPLACED = _OWNERS | frozenset(("it", "they", "them", "he", "him", "she"))
_NAME = re.compile(r"(?<![.!?]\s)\b[A-Z][\w’'-]*\.?(?:\s[A-Z][\w’'-]*)+")
_CAPITALISED = re.compile(r"[A-Z][\w’'-]*(?:\s[A-Z][\w’'-]*)*")
_BOUND = _PERSONS | _OWNERS
"""They mean what the same question names before them, where it does."""
_NAME_INSIDE = re.compile(r"(?<=[^\W\d_] )[A-Z][\w’'-]*(?:\s[A-Z][\w’'-]*)*")
_DETERMINER = re.compile(r"(?:the|an?|my|your|our|their|this|that)\s", re.IGNORECASE)
_LAST_THING = re.compile(
    r"\b(?:the|an?|my|your|our|their)\s(?:(?!\b(?:the|an?|my|your|our|their)\s).)+\Z",
    re.IGNORECASE | re.DOTALL,
)
_CARRIED = re.compile(r" \(([^()]+)\)\?$")
LONGEST_TURN = 2_000
"""Code points of an earlier turn that are looked at, from its beginning."""
_ENDS = "?？؟.! \t\r\n\f\v\u00a0\u2028\u2029\u3000"
"""What a question ends with and is no word of it."""
# They say what is wanted of something, not what it is: no topic by themselves.
_NO_TOPIC = frozenset(
    """
    cost costs price prices take takes long work works mean means happen happens last need needs
    get use used apply applies long much many more detail details example examples explain tell
    give go continue elaborate please thanks thank yes no not sure right really ok okay same other
    else one ones thing things kind time exactly kosten kostet preis dauert dauern gilt genau
    mehr coûte prix dure cuesta precio dura costa preço prezzo kost prijs duurt koster pris
    стоит цена
    """.split()
)


def standalone_question(question: str, history: Sequence[Turn]) -> str:
    """The question with what it leaves to be understood from earlier turns; often as it is.

    `history` is oldest first. What is carried is the topic of the user's last question (with
    what that one carried itself): in the place of a pronoun, or, for a question that is only a
    piece ("and for islands?"), the earlier question with that piece in it. For "he" and "she"
    it is the name that the last answer gave.
    """
    standing, answered = "", ""
    for turn in history[-2 * TURNS_BACK :]:
        said = turn.text[:LONGEST_TURN]
        if turn.role != "user":
            answered = said
        elif said.strip():
            standing = _said_alone(said, standing, answered) if standing else said
            answered = ""
    return _said_alone(question, standing, answered) if standing else question


def points_back(question: str) -> bool:
    """Whether a word of the question ("it", "this") means something said before it."""
    return _pointer(_without_opening(question)) is not None


def has_topic(question: str) -> bool:
    """Whether a word of the question says what it is about."""
    return bool(_topic_words(question))


def _topic_words(question: str) -> list[str]:
    common = common_words(question, ("en",))
    asked = ASKING.sub(" ", _WHAT_ABOUT.sub(" ", _OPENING.sub("", _without_end(question))))
    return [
        word
        for word in _WORDS.findall(asked)
        if word.casefold() not in common
        and word.casefold() not in _NO_TOPIC
        and question_terms(word, "en", common=common)
    ]


def _said_alone(question: str, before: str, answered: str) -> str:
    """`question`, asked after `before` and its answer, so that it stands alone."""
    rest = _without_opening(question)
    about = _WHAT_ABOUT.match(rest)
    if about:
        return _with_piece(before, rest[about.end() :])
    if _is_piece(question):
        return _with_piece(before, rest)
    own = _topic_words(question)
    pointer = _pointer(rest) if len(own) < ENOUGH_WORDS else None
    if pointer is not None:
        return _pointed(rest, pointer, before, answered)
    if not own:
        return f"{_without_end(rest)}: {_topic(before)}?"
    return question


def _without_end(question: str) -> str:
    # Not by a pattern: that looks at a long run of such signs from each of them.
    return question.rstrip(_ENDS)


def _without_opening(question: str) -> str:
    return _OPENING.sub("", question).strip()


def _is_piece(question: str) -> bool:
    """Whether it is no sentence but a piece of one: "for islands?", "in what year?"."""
    rest = _without_end(_without_opening(question))
    if _VERB.search(rest) or len(rest.split()) > LONGEST_TOPIC:
        return False
    is_thing = rest != _without_end(question).strip() and _DETERMINER.match(rest) is not None
    return is_thing or _PREPOSITION.match(rest) is not None or _TAIL.fullmatch(rest) is not None


def _pointer(question: str) -> re.Match[str] | None:
    """The first word that points to something said before the question."""
    empty = [found.span() for found in _EMPTY_IT.finditer(question)]
    for found in _POINTS.finditer(question):
        if any(start <= found.start() < end for start, end in empty):
            continue
        if found.group().isupper() and not question.isupper():
            continue  # IT is a department.
        if found.group().casefold() in _BOUND and has_topic(question[: found.start()]):
            return None
        clauses = [end.start() for end in _CLAUSE_END.finditer(question, 0, found.start())]
        if clauses and has_topic(question[: clauses[-1]]):
            return None
        return found
    return None


def _pointed(question: str, pointer: re.Match[str], before: str, answered: str) -> str:
    word = pointer.group().casefold()
    if word in _PERSONS:
        name = _NAME.search(before, 1) or _NAME.search(answered, 1)
        topic = name.group() if name else ""
    else:
        topic = _named(before)
    if not topic or word not in _REPLACED:
        return f"{_without_end(question)} ({topic or _topic(before)})?"
    owner = ("’" if topic.endswith("s") else "’s") if word in _OWNERS else ""
    return f"{question[: pointer.start()]}{topic}{owner}{question[pointer.end() :]}"


def _named(question: str) -> str:
    """What a question of the form "What is X?" is about; empty for other forms and long ones."""
    found = _BE.match(_without_end(question))
    topic = next((part for part in found.groups() if part), "").strip() if found else ""
    return topic if 0 < len(topic.split()) <= LONGEST_TOPIC and not _VERB.search(topic) else ""


def _topic(question: str) -> str:
    """What a question is about, without what it asks of it."""
    named = _named(question)
    if named:
        return named
    carried = _CARRIED.search(question)
    asked = question[: carried.start()] if carried else question
    words = [*(_WORDS.findall(carried[1]) if carried else ()), *_topic_words(asked)]
    return " ".join(dict.fromkeys(words[:LONGEST_TOPIC])) or _without_end(question)


def _with_another(asked: str, piece: str) -> str:
    """The earlier question about another thing: in place of its last name, or last "the ..."."""
    if piece[:1].isupper() and (names := list(_NAME_INSIDE.finditer(asked))):
        return f"{asked[: names[-1].start()]}{piece}{asked[names[-1].end() :]}?"
    thing = _LAST_THING.search(asked)
    if thing is not None and _DETERMINER.match(piece):
        return f"{asked[: thing.start()]}{piece}?"
    return f"{asked} – {piece}?"


def _with_piece(before: str, piece: str) -> str:
    """The earlier question with a piece of it replaced, or added where it has no such piece."""
    piece = _without_end(piece).strip()
    asked = _without_end(before)
    opens = _PREPOSITION.match(piece)
    if opens is None:
        return _with_another(asked, piece)
    same = [
        found
        for found in _PREPOSITION.finditer(asked)
        if found.group(1).casefold() == opens.group(1).casefold()
    ]
    if not same and opens.group(1).casefold() == "for":
        # "To the mainland" and "for islands" say where to.
        same = [one for one in _PREPOSITION.finditer(asked) if one.group(1) in ("to", "in", "at")]
    if not same:
        return f"{asked} {piece}?"
    start = same[-1].start()
    name = _CAPITALISED.match(asked, same[-1].end())
    following = _PREPOSITION.search(asked, same[-1].end())
    end = name.end() if name else following.start() if following else len(asked)
    return f"{asked[:start]}{piece} {asked[end:].lstrip()}".rstrip() + "?"
