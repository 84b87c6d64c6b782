"""Questions: the one of a conversation put so that it stands alone, and those it is made of."""

from __future__ import annotations

import json
import re

from pincite.answering.follow_up import standalone_question
from pincite.answering.parts import question_parts
from pincite.llama_index.likeness import fit, keywords
from pincite.llama_index.prompts import REFUSAL, Recognised
from pincite.prompted import quotes_from_texts

_TAG = re.compile(r"\[Search\((.*?)\)\]", re.DOTALL)
_BRACKETS = re.compile(r"[()\[\]]+")
_WORDS_OF_A_QUERY = 8


def condense(prompt: Recognised) -> str:
    """The question so that it can be understood without the conversation; never an answer."""
    return standalone_question(prompt.question, prompt.history)


def ask_again(prompt: Recognised) -> str:
    """The question as it is: nothing is made up to look for."""
    return prompt.question or prompt.fields.get("context_str", "").strip()


def ask_next(prompt: Recognised) -> str:
    """The first part of the question that was not asked before; `None` when all were."""
    before = prompt.fields.get("prev_reasoning", "")
    return next((part for part in _parts(prompt.question) if part not in before), "None")


def ask_more(prompt: Recognised) -> str:
    """`None` where the result answers the question, else the question."""
    result = prompt.fields.get("sql_response_str", "")
    return "None" if quotes_from_texts(prompt.question, [result]) else prompt.question


def split(prompt: Recognised) -> list[dict[str, object]]:
    """Each part of the question for each tool whose description fits it, or for all tools."""
    try:
        tools = json.loads(prompt.fields.get("tools_str", ""))
    except json.JSONDecodeError:
        tools = {}
    names = list(tools) if isinstance(tools, dict) else []
    described = [f"{name.replace('_', ' ')} {tools[name]}" for name in names]
    asked: list[dict[str, object]] = []
    for part in _parts(prompt.question):
        scores = fit(part, described)
        enough = max(scores, default=0.0) / 2
        asked += [
            {"sub_question": part, "tool_name": name}
            for name, score in zip(names, scores, strict=True)
            if score >= enough
        ]
    return asked


def split_as_text(prompt: Recognised) -> str:
    """The same as JSON in Markdown."""
    return f"```json\n{json.dumps({'items': split(prompt)}, indent=4, ensure_ascii=False)}\n```"


def vary(prompt: Recognised) -> str:
    """Its words alone, and its parts: queries, one a line, not more than are wanted."""
    question = " ".join(prompt.question.split())
    words = " ".join(keywords(question, _WORDS_OF_A_QUERY))
    found = dict.fromkeys(one for one in (words, *_parts(question)) if one)
    wanted = number_in(prompt, "num_queries", 1)
    return "\n".join(list(found)[: max(wanted, 1)])


def plan_searches(prompt: Recognised) -> str:
    """A search for the question, and `done` once something is there."""
    if prompt.existing_answer:
        return "done"
    return f"[Search({' '.join(_BRACKETS.sub(' ', prompt.question).split())})]"


def insert_answers(prompt: Recognised) -> str:
    """The sentence with each search that was made replaced by what it found."""
    pairs = prompt.fields.get("query_answer_pairs", "").strip()
    text = prompt.fields.get("lookahead_response", "").strip()
    asked = _TAG.findall(text)
    for number, query in enumerate(asked):
        head = f"Query: {query}\nAnswer: "
        start = pairs.find(head)
        if start < 0:
            continue
        rest = pairs[start + len(head) :]
        following = [rest.find(f"\nQuery: {later}\nAnswer: ") for later in asked[number + 1 :]]
        border = min((place for place in following if place >= 0), default=len(rest))
        found = rest[:border].strip()
        text = text.replace(f"[Search({query})]", found or REFUSAL, 1)
    return text or REFUSAL


def number_in(prompt: Recognised, name: str, otherwise: int) -> int:
    """The number a prompt has in a field."""
    value = prompt.fields.get(name, "").strip()
    return int(value) if value.isdecimal() and len(value) < 7 else otherwise


def _parts(question: str) -> tuple[str, ...]:
    return question_parts(question) or (question,)
