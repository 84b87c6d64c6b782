"""Which reply each kind of prompt gets."""

from __future__ import annotations

from collections.abc import Callable

from pincite.llama_index.prompts import REFUSAL, PromptKind, Recognised
from pincite.llama_index.verbs import (
    answering,
    asking,
    choosing,
    describing,
    filling,
    judging,
    reasoning,
    translating,
)


def _refuse(prompt: Recognised) -> str:
    return REFUSAL


_REPLIES: dict[PromptKind, Callable[[Recognised], str]] = {
    PromptKind.ANSWER: answering.answer,
    PromptKind.REFINE: answering.refine,
    PromptKind.CITE: answering.cite,
    PromptKind.CITE_AGAIN: answering.cite_again,
    PromptKind.TELL_RESULT: answering.tell_result,
    PromptKind.BARE: _refuse,
    PromptKind.CONDENSE: asking.condense,
    PromptKind.ASK_AGAIN: asking.ask_again,
    PromptKind.ASK_NEXT: asking.ask_next,
    PromptKind.ASK_MORE: asking.ask_more,
    PromptKind.SPLIT: asking.split_as_text,
    PromptKind.VARY: asking.vary,
    PromptKind.PLAN_SEARCHES: asking.plan_searches,
    PromptKind.INSERT_ANSWERS: asking.insert_answers,
    PromptKind.CHOOSE: choosing.choose,
    PromptKind.CHOOSE_SEVERAL: choosing.choose,
    PromptKind.NUMBER: choosing.number,
    PromptKind.NUMBERS: choosing.number,
    PromptKind.PLACE: choosing.place,
    PromptKind.RELEVANCE: choosing.relevance_lines,
    PromptKind.RANK: choosing.rank,
    PromptKind.KEYWORDS: describing.keyword_line,
    PromptKind.KEYWORD_LIST: describing.keyword_list,
    PromptKind.SYNONYMS: describing.synonyms,
    PromptKind.SYNONYMS_JOINED: describing.synonyms_joined,
    PromptKind.TITLE: describing.title,
    PromptKind.SUMMARY: describing.summary,
    PromptKind.QUESTIONS: describing.questions,
    PromptKind.FACTS: describing.facts,
    PromptKind.FEWER_FACTS: describing.fewer_facts,
    PromptKind.FAITHFUL: judging.faithful,
    PromptKind.FAITHFUL_STILL: judging.faithful_still,
    PromptKind.RELEVANT: judging.relevant,
    PromptKind.RELEVANT_STILL: judging.relevant_still,
    PromptKind.CONTEXT_SCORE: judging.context_score,
    PromptKind.CONTEXT_SCORE_STILL: judging.context_score_still,
    PromptKind.ANSWER_SCORE: judging.answer_score,
    PromptKind.CORRECTNESS: judging.correctness,
    PromptKind.BETTER_OF_TWO: judging.better_of_two,
    PromptKind.CRITICISM: judging.criticism,
    PromptKind.TRIPLETS: translating.triplets,
    PromptKind.TRIPLETS_JSON: translating.triplets_json,
    PromptKind.FIELDS: translating.fields,
    PromptKind.SQL: translating.sql,
    PromptKind.CYPHER: translating.cypher,
    PromptKind.JSON_PATH: translating.json_path,
    PromptKind.STORE_QUERY: translating.store_query,
    PromptKind.DIRECTION: translating.direction,
    PromptKind.MASK: translating.mask,
    PromptKind.REASON: reasoning.reason,
    PromptKind.CODE: reasoning.without_code,
}


def reply(prompt: Recognised) -> str:
    """The reply; in quotes of an answer line breaks are made spaces."""
    if prompt.schema is not None:
        return filling.fill(prompt)
    return _REPLIES[prompt.kind](prompt)
