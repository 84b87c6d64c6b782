"""Choices by number, by the words that texts share with the question."""

from __future__ import annotations

import json
import re

from pincite.llama_index.likeness import best_first, fit
from pincite.llama_index.numbered import headed_texts, listed_texts
from pincite.llama_index.prompts import PromptKind, Recognised
from pincite.llama_index.verbs.asking import number_in
from pincite.prompted import quotes_from_texts

FITS = "Its words fit the question best."
FITS_TOO = "Its words fit the question nearly as well."
FITS_NOT = "No choice shares a word with the question; it is the first."
_PASSAGE = re.compile(r"\[(\d+)\] ")
_HIGHEST = 10


def chosen(prompt: Recognised) -> list[tuple[int, str]]:
    """The numbers of the choices that fit, from 1, the best first, each with the reason.

    The first choice where none fits: one has to be chosen.
    """
    several = prompt.kind in (PromptKind.CHOOSE_SEVERAL, PromptKind.NUMBERS)
    most = number_in(prompt, "max_outputs", number_in(prompt, "branching_factor", 1))
    asked = prompt.fields.get("new_chunk_text", prompt.question)
    scores = fit(asked, listed_texts(prompt.fields.get("context_list", "")))
    order = best_first(scores)
    if not order or not scores[order[0]]:
        return [(1, FITS_NOT)]
    if not several:
        return [(order[0] + 1, FITS)]
    fitting = [place for place in order if 2 * scores[place] >= scores[order[0]]]
    return [
        (place + 1, FITS_TOO if rank else FITS)
        for rank, place in enumerate(fitting[: max(most, 1)])
    ]


def choose(prompt: Recognised) -> str:
    """The choices as JSON."""
    found = [{"choice": number, "reason": reason} for number, reason in chosen(prompt)]
    return json.dumps(found, ensure_ascii=False)


def number(prompt: Recognised) -> str:
    """`ANSWER: 2`, and why."""
    found = chosen(prompt)
    return f"ANSWER: {', '.join(str(one) for one, _ in found)}\n{found[0][1]}"


def place(prompt: Recognised) -> str:
    """The number alone."""
    return str(chosen(prompt)[0][0])


def relevant(prompt: Recognised) -> list[tuple[int, int]]:
    """The numbers of the documents that share words with the question, each with 1 to 10.

    What answers comes first, with 10.
    """
    numbered = headed_texts(prompt.fields.get("context_str", ""), "Document", alone=1)
    texts = [text for _, text in numbered]
    scores = fit(prompt.question, texts)
    highest = max(scores, default=0.0)
    quotes = quotes_from_texts(prompt.question, texts)
    relevance: dict[int, int] = {numbered[one.text_index][0]: _HIGHEST for one in quotes}
    for index in best_first(scores):
        if scores[index]:
            grade = max(1, round((_HIGHEST - 1) * scores[index] / highest))
            relevance.setdefault(numbered[index][0], grade)
    return list(relevance.items())


def relevance_lines(prompt: Recognised) -> str:
    """`Doc: 2, Relevance: 7`, a line for each document that is relevant."""
    lines = [f"Doc: {number}, Relevance: {grade}" for number, grade in relevant(prompt)]
    return "\n".join(lines) or "No document is relevant."


def rank(prompt: Recognised) -> str:
    """`[2] > [1]`: all passages of the conversation, the most relevant first."""
    passages: list[str] = []
    for turn in prompt.history:
        found = _PASSAGE.match(turn.text) if turn.role == "user" else None
        if found and int(found[1]) == len(passages) + 1:
            passages.append(turn.text[found.end() :])
    if not passages:
        return " > ".join(f"[{one}]" for one in range(1, number_in(prompt, "num", 1) + 1))
    scores = fit(prompt.question, passages)
    answering = [one.text_index for one in quotes_from_texts(prompt.question, passages)]
    order = dict.fromkeys((*answering, *best_first(scores)))
    return " > ".join(f"[{place + 1}]" for place in order)
