"""Judgements: whether words stand in a context, and how far an answer is the one wanted.

Whether they stand there is told by the same rule over words as for citations (`support`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.llama_index.likeness import fit, overlap
from pincite.llama_index.prompts import REFUSAL, Recognised
from pincite.llama_index.support import Standing, supports
from pincite.prompted import quotes_from_texts

_NO_REFERENCE = "(NO REFERENCE ANSWER SUPPLIED)"
_NEAR = 0.05
"""Answers whose likeness differs by less are taken as equally good."""


def stands_in(words: str, contexts: Sequence[str]) -> bool:
    """Whether each sentence of `words` is quoted or supported by the contexts, as citations tell.

    A quote that leaves out what limits or denies it in its own sentence does not stand.
    """
    said = supports(words, contexts)
    return bool(said) and all(
        one.standing is not Standing.UNSUPPORTED and not one.left_out for one in said
    )


def faithful(prompt: Recognised) -> str:
    """YES where the information stands in the context."""
    return _yes(stands_in(prompt.question, prompt.contexts))


def faithful_still(prompt: Recognised) -> str:
    """YES where it was, or where it stands in the new context."""
    return "YES" if _was_yes(prompt) else faithful(prompt)


def relevant(prompt: Recognised) -> str:
    """YES where the response stands in the context, and response or context fit the question."""
    question, response = _question_and_response(prompt.question)
    if response.strip() == REFUSAL or not stands_in(response, prompt.contexts):
        return "NO"
    return _yes(any(fit(question, [response, *prompt.contexts])))


def relevant_still(prompt: Recognised) -> str:
    """YES where it was, or where it is with the new context."""
    return "YES" if _was_yes(prompt) else relevant(prompt)


def context_score(prompt: Recognised) -> str:
    """4.0 where the context answers, 2.0 where it shares words with the question, else 0.0."""
    if quotes_from_texts(prompt.question, prompt.contexts):
        return "The context holds words that answer the query.\n[RESULT] 4.0"
    if any(fit(prompt.question, prompt.contexts)):
        return "The context is about words of the query and does not answer it.\n[RESULT] 2.0"
    return "The context shares no word with the query.\n[RESULT] 0.0"


def context_score_still(prompt: Recognised) -> str:
    """4.0 where it was or the new context answers, else the score there is."""
    found = re.findall(r"\d+(?:\.\d+)?", prompt.existing_answer)
    was = min(float(found[-1]), 4.0) if found else 0.0
    if was < 4.0 and quotes_from_texts(prompt.question, prompt.contexts):
        was = 4.0
    return f"The evaluation with the new context.\n[RESULT] {was}"


def answer_score(prompt: Recognised) -> str:
    """2 where the response answers by itself, 1 where it shares words, else 0."""
    response = prompt.fields.get("response", "").strip()
    if response in ("", REFUSAL):
        return "The response gives no answer.\n[RESULT] 0"
    if quotes_from_texts(prompt.question, [response]):
        return "The response is about the query and answers it by itself.\n[RESULT] 2"
    if any(fit(prompt.question, [response])):
        return "The response shares words with the query.\n[RESULT] 1"
    return "The response shares no word with the query.\n[RESULT] 0"


def correctness(prompt: Recognised) -> str:
    """1 to 5, by the words shared with the reference; without one, by whether it answers."""
    reference = prompt.fields.get("reference_answer", "").strip()
    answer = prompt.fields.get("generated_answer", "").strip()
    if reference in ("", _NO_REFERENCE, "None"):
        answers = answer != REFUSAL and bool(quotes_from_texts(prompt.question, [answer]))
        return f"{4.0 if answers else 1.0}\nThere is no reference; judged by the query alone."
    shared = overlap(answer, reference)
    if reference and " ".join(reference.split()) in " ".join(answer.split()):
        shared = max(shared, 0.9)
    return f"{round(1 + 4 * shared, 1)}\nJudged by the words shared with the reference answer."


def better_of_two(prompt: Recognised) -> str:
    """`[[A]]` or `[[B]]` by the words shared with the reference or the question, or a tie."""
    question = prompt.question
    reference = prompt.fields.get("reference", "").strip()
    answers = [prompt.fields.get(name, "").strip() for name in ("answer_1", "answer_2")]
    if reference:
        scores = [overlap(answer, reference) for answer in answers]
        by = "reference"
    else:
        quotes = quotes_from_texts(question, answers)
        scores = [0.0, 0.0]
        if quotes:
            scores[quotes[0].text_index] = 1.0
        by = "question"
    verdict = "C" if abs(scores[0] - scores[1]) < _NEAR else "AB"[scores[1] > scores[0]]
    return f"Compared by their words with the {by}. [[{verdict}]]"


def criticism(prompt: Recognised) -> str:
    """That this is not judged: guidelines are about more than words."""
    return "Guidelines are not judged: this model only compares words."


def _question_and_response(given: str) -> tuple[str, str]:
    question, _, response = given.removeprefix("Question: ").partition("\nResponse: ")
    return question, response


def _was_yes(prompt: Recognised) -> bool:
    return "yes" in prompt.existing_answer.lower()


def _yes(holds: bool) -> str:
    return "YES" if holds else "NO"
