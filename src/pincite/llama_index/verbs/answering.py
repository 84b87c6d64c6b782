"""Answers: the words of the contexts that answer, or that they do not say."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pincite.llama_index.contexts import without_rules
from pincite.llama_index.numbered import headed_and_described
from pincite.llama_index.prompts import REFUSAL, Recognised
from pincite.prompted import About, TextQuote, quotes_from_texts

_LINE_BREAK = re.compile(r"[ \t]*[\r\n]\s*")
_NUMBERS = re.compile(r"(?: ?\[\d+\])+")
_RESULTS = (
    "query_engine_response_str",
    "sql_response_str",
    "kg_response_str",
    "json_path_value",
    "context",
    "context_str",
)
_NOTHING = frozenset(("", "None", "[]", "{}", "null", "Empty Response", REFUSAL))


def one_line(text: str) -> str:
    """A quote as it is said: line breaks in it made spaces."""
    return _LINE_BREAK.sub(" ", text)


def answer(prompt: Recognised) -> str:
    """The quotes that answer, one a paragraph."""
    texts, about = _texts(prompt)
    found = quotes_from_texts(prompt.question, texts, history=prompt.history, about=about)
    return _said(found)


def refine(prompt: Recognised) -> str:
    """The answer there is, word for word, unless the new context answers better."""
    return _better(prompt, answer(prompt), *_texts(prompt))


def cite(prompt: Recognised) -> str:
    """The quotes that answer, each with the number of the source it stands in."""
    numbered = headed_and_described(_context(prompt), "Source")
    texts, about = _sources(numbered)
    found = quotes_from_texts(prompt.question, texts, history=prompt.history, about=about)
    said = []
    for quote in found:
        number = numbered[quote.text_index][0]
        said.append(f"{one_line(quote.text)} [{number}]" if number > 0 else one_line(quote.text))
    return "\n\n".join(said) or REFUSAL


def cite_again(prompt: Recognised) -> str:
    """The cited answer there is, unless the new sources answer better."""
    numbered = headed_and_described(_context(prompt), "Source")
    return _better(prompt, cite(prompt), *_sources(numbered))


def tell_result(prompt: Recognised) -> str:
    """What of the results of a query answers; the result as it is where none of it does alone."""
    given = (prompt.fields.get(name, "").strip() for name in _RESULTS)
    results = [result for result in given if result not in _NOTHING]
    found = quotes_from_texts(prompt.question, [without_rules(one) for one in results])
    return _said(found) if found else (results[0] if results else REFUSAL)


def _better(prompt: Recognised, new: str, texts: Sequence[str], about: Sequence[About]) -> str:
    existing = prompt.existing_answer
    if existing in ("", REFUSAL) or new == REFUSAL:
        return existing if new == REFUSAL and existing else new
    # The new one has to be better without the text around it, which the other has no more, and
    # with it: a short quote says least by itself where its text is needed most.
    bare = [_NUMBERS.sub("", one) for one in (existing, new)]
    around = [About(), *about]
    for against, known in (([bare[1]], around[:1] * 2), (texts, around)):
        found = quotes_from_texts(
            prompt.question, [bare[0], *against], history=prompt.history, about=known
        )
        if not found or found[0].text_index == 0:
            return existing
    return new


def _texts(prompt: Recognised) -> tuple[list[str], list[About]]:
    """The contexts, and what is known of each; a refusal of an earlier round is no text."""
    known = prompt.about or (About(),) * len(prompt.contexts)
    said = [
        (without_rules(text), about)
        for text, about in zip(prompt.contexts, known, strict=True)
        # The answers of tree_summarize are contexts of its next round.
        if text.strip() != REFUSAL
    ]
    return [text for text, _ in said], [about for _, about in said]


def _sources(
    numbered: Sequence[tuple[int, str, About]],
) -> tuple[list[str], list[About]]:
    return [without_rules(text) for _, text, _ in numbered], [about for *_, about in numbered]


def _context(prompt: Recognised) -> str:
    return next(
        (prompt.fields[name] for name in ("context_str", "context_msg") if name in prompt.fields),
        "",
    )


def _said(found: Sequence[TextQuote]) -> str:
    return "\n\n".join(one_line(quote.text) for quote in found) or REFUSAL
