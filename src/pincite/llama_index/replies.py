"""What the stand-in model says to a prompt: words of the context, or that they do not say."""

from __future__ import annotations

import re

from pincite.engine import answer_in_texts
from pincite.llama_index.templates import PromptKind, Recognised

REFUSAL = "I could not find that in the documents."
_LINE_BREAK = re.compile(r"[ \t]*[\r\n]\s*")


def reply(prompt: Recognised) -> str:
    """The reply; for an answer it is one quote, its line breaks turned into spaces."""
    match prompt.kind:
        case PromptKind.ANSWER:
            return _answer(prompt)
        case PromptKind.REFINE:
            return _refine(prompt)
        case PromptKind.CONDENSE:
            return prompt.question
        case PromptKind.BARE:
            return REFUSAL


def _answer(prompt: Recognised) -> str:
    # The answers of an earlier round are contexts too (tree_summarize): a refusal is no text.
    texts = [text for text in prompt.contexts if text.strip() != REFUSAL]
    found = answer_in_texts(prompt.question, texts, history=prompt.history)
    return REFUSAL if found is None else _LINE_BREAK.sub(" ", found.text)


def _refine(prompt: Recognised) -> str:
    existing, new = prompt.existing_answer, _answer(prompt)
    if existing in ("", REFUSAL) or new == REFUSAL:
        return existing if new == REFUSAL and existing else new
    # Both are judged without the text around them, which only the new one still has.
    better = answer_in_texts(prompt.question, [existing, new], history=prompt.history)
    return new if better is not None and better.text_index == 1 else existing
