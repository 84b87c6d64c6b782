"""Answers of an index, for prompts whose contexts hold the words it quotes.

An index knows more than a prompt: how common each word is in all documents, under which headings a
passage stands, what confidence means there. So its answer is taken, as far as the prompt has it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.index import Index
from pincite.llama_index.numbered import headed_texts
from pincite.llama_index.prompts import REFUSAL, PromptKind, Recognised
from pincite.llama_index.verbs.answering import one_line
from pincite.records import Answer, Role
from pincite.verifying.matching import occurrences

KINDS = frozenset({PromptKind.ANSWER, PromptKind.REFINE, PromptKind.CITE, PromptKind.CITE_AGAIN})
"""The prompts that an index answers."""
_CITED = frozenset({PromptKind.CITE, PromptKind.CITE_AGAIN})


def answer(prompt: Recognised, index: Index) -> str:
    """What of the index's answer the contexts hold; where none, the answer there is, or a refusal.

    Of several quotes those count too that the answer there is has: a refine step adds its own.
    """
    otherwise = prompt.existing_answer or REFUSAL
    if not prompt.question:
        return otherwise
    found = index.ask(prompt.question, history=prompt.history)
    if not isinstance(found, Answer):
        return otherwise
    numbered = _texts(prompt)
    quotes = [one.quote.exact for one in found.citations if one.role is not Role.ALSO]
    said = [_said(words, prompt, numbered) for words in quotes]
    return "\n\n".join(words for words in said if words) or otherwise


def _said(words: str, prompt: Recognised, numbered: Sequence[tuple[int, str]]) -> str:
    """A quote as it is said, with its number where one is wanted; empty where it is not there."""
    line = one_line(words)
    for number, text in numbered:
        if words in text or occurrences(words, text):
            return f"{line} [{number}]" if prompt.kind in _CITED and number > 0 else line
    kept = re.search(rf"{re.escape(line)}(?: \[\d+\])?", prompt.existing_answer)
    return kept.group() if kept else ""


def _texts(prompt: Recognised) -> Sequence[tuple[int, str]]:
    if prompt.kind in _CITED:
        given = [prompt.fields.get(name, "") for name in ("context_str", "context_msg")]
        return headed_texts("".join(given), "Source")
    return [(0, text) for text in prompt.contexts]
