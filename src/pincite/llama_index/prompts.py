"""What a prompt asks for, and the record of a prompt that was taken apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum, auto

from pincite.prompted import About
from pincite.records import Turn

REFUSAL = "I could not find that in the documents."


class PromptKind(StrEnum):
    """What a prompt asks for; which reply each gets is in `replies`."""

    ANSWER = auto()
    """The answer to a question, from contexts."""
    REFINE = auto()
    """The answer there is already, or a better one from more context."""
    CITE = auto()
    """An answer with the numbers of its sources."""
    CITE_AGAIN = auto()
    """The same, where there is an answer already."""
    TELL_RESULT = auto()
    """What came of a query to a database, as an answer."""
    BARE = auto()
    """A question alone, or a prompt that is not known: there are no documents to quote."""

    CONDENSE = auto()
    """A question that can be understood without the conversation it stands in."""
    ASK_AGAIN = auto()
    """The question, in better words or as a passage that would answer it."""
    ASK_NEXT = auto()
    """The next step towards an answer, or `None`."""
    ASK_MORE = auto()
    """What a database has left open, or `None`."""
    SPLIT = auto()
    """Questions for several tools, as JSON."""
    VARY = auto()
    """Several queries for one question, one a line."""
    PLAN_SEARCHES = auto()
    """A sentence with `[Search(query)]` in it, or `done`."""
    INSERT_ANSWERS = auto()
    """That sentence with the answers in it."""

    CHOOSE = auto()
    """The number of one of several choices, as JSON."""
    CHOOSE_SEVERAL = auto()
    NUMBER = auto()
    """`ANSWER: 2`."""
    NUMBERS = auto()
    """`ANSWER: 2, 3`."""
    PLACE = auto()
    """The number alone of the summary that a text belongs to."""
    RELEVANCE = auto()
    """`Doc: 2, Relevance: 7`, a line each."""
    RANK = auto()
    """`[2] > [1]`."""

    KEYWORDS = auto()
    """`KEYWORDS: a, b`."""
    KEYWORD_LIST = auto()
    """`a, b`."""
    SYNONYMS = auto()
    """`SYNONYMS: a, b`."""
    SYNONYMS_JOINED = auto()
    """`a^b`."""
    TITLE = auto()
    SUMMARY = auto()
    QUESTIONS = auto()
    """Questions that a text answers, one a line."""
    FACTS = auto()
    """What a user told of himself, as XML."""
    FEWER_FACTS = auto()

    FAITHFUL = auto()
    """YES or NO: is it in the context?"""
    FAITHFUL_STILL = auto()
    RELEVANT = auto()
    """YES or NO: does the response fit the question and the context?"""
    RELEVANT_STILL = auto()
    CONTEXT_SCORE = auto()
    """`[RESULT] 4.0`: how far the context answers the question."""
    CONTEXT_SCORE_STILL = auto()
    ANSWER_SCORE = auto()
    """`[RESULT] 2`: how far the response is about the question."""
    CORRECTNESS = auto()
    """A score from 1 to 5 and, on the next line, why."""
    BETTER_OF_TWO = auto()
    """`[[A]]`, `[[B]]` or `[[C]]`."""
    CRITICISM = auto()
    """What guidelines a response keeps to."""

    TRIPLETS = auto()
    """`(subject, predicate, object)`, a line each."""
    TRIPLETS_JSON = auto()
    FIELDS = auto()
    """`field: value`, a line each."""
    SQL = auto()
    CYPHER = auto()
    JSON_PATH = auto()
    STORE_QUERY = auto()
    """A query and filters, as JSON."""
    DIRECTION = auto()
    """PREVIOUS, NEXT or NONE."""
    MASK = auto()
    """The text without personal data, and a mapping."""

    REASON = auto()
    """A thought, and an action or an answer (ReAct)."""
    CODE = auto()
    """Code to run, or words for the user."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """A prompt, taken apart."""

    kind: PromptKind
    question: str
    contexts: tuple[str, ...] = ()
    """What may be quoted: one text for each node where the nodes can be told apart."""
    about: tuple[About, ...] = ()
    """What is known of each of them; none where nothing is."""
    existing_answer: str = ""
    history: tuple[Turn, ...] = ()
    fields: Mapping[str, str] = field(default_factory=dict)
    """All that was filled in, by the names of the template."""
    schema: Mapping[str, object] | None = None
    """The JSON schema that the reply must follow; None where it is a text."""
