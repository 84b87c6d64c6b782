"""What the stand-in model says to a prompt: words of the context, or that they do not say."""

from __future__ import annotations

import re

from pincite.answering.follow_up import standalone_question
from pincite.llama_index.templates import PromptKind, Recognised
from pincite.prompted import quotes_from_texts

REFUSAL = "I could not find that in the documents."
_LINE_BREAK = re.compile(r"[ \t]*[\r\n]\s*")


def reply(prompt: Recognised) -> str:
    """The reply; for an answer its quotes, one a paragraph, line breaks in them made spaces."""
    match prompt.kind:
        case PromptKind.ANSWER:
            return _answer(prompt)
        case PromptKind.REFINE:
            return _refine(prompt)
        case PromptKind.CONDENSE:
            return standalone_question(prompt.question, prompt.history)
        case PromptKind.BARE:
            return REFUSAL


def _answer(prompt: Recognised) -> str:
    # The answers of an earlier round are contexts too (tree_summarize): a refusal is no text.
    texts = [text for text in prompt.contexts if text.strip() != REFUSAL]
    found = quotes_from_texts(prompt.question, texts, history=prompt.history)
    return "\n\n".join(_LINE_BREAK.sub(" ", quote.text) for quote in found) or REFUSAL


def _refine(prompt: Recognised) -> str:
    existing, new = prompt.existing_answer, _answer(prompt)
    if existing in ("", REFUSAL) or new == REFUSAL:
        return existing if new == REFUSAL and existing else new
    # Both are judged without the text around them, which only the new one still has.
    better = quotes_from_texts(prompt.question, [existing, new], history=prompt.history)
    return new if better and better[0].text_index == 1 else existing
