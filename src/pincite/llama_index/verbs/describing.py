"""What a text is about, in words of its own: keywords, a title, a summary, questions, facts."""

from __future__ import annotations

import html
import re

from pincite.llama_index.contexts import without_rules
from pincite.llama_index.likeness import keywords
from pincite.llama_index.prompts import Recognised
from pincite.llama_index.verbs.answering import one_line
from pincite.llama_index.verbs.asking import number_in
from pincite.loaders import document_of_text
from pincite.records import BlockKind
from pincite.text.passages import split_passages

_SENTENCES_OF_A_SUMMARY = 3
_LONGEST_TITLE = 12
_FACT = re.compile(r"<fact>(.*?)</fact>", re.DOTALL)
_OF_ONESELF = re.compile(r"\b(?:I|I['’]m|I['’]ve|my|mine|we|our|us|me)\b", re.IGNORECASE)


def keyword_line(prompt: Recognised) -> str:
    """`KEYWORDS: a, b`."""
    return f"KEYWORDS: {keyword_list(prompt)}"


def keyword_list(prompt: Recognised) -> str:
    """The keywords, separated by commas."""
    limit = number_in(prompt, "max_keywords", number_in(prompt, "keywords", 5))
    return ", ".join(keywords(_text(prompt), limit))


def synonyms(prompt: Recognised) -> str:
    """The keywords and how else their letters are written: no word is made up."""
    return f"SYNONYMS: {', '.join(_written(prompt))}"


def synonyms_joined(prompt: Recognised) -> str:
    """The same, joined by `^`."""
    return "^".join(_written(prompt))


def title(prompt: Recognised) -> str:
    """The first heading, or the beginning of the first sentence."""
    for text in prompt.contexts:
        sentences = _sentences(text)
        headings = [words for kind, words in sentences if kind is BlockKind.HEADING]
        if sentences:
            words = headings[0] if headings else sentences[0][1]
            return " ".join(words.split()[:_LONGEST_TITLE])
    return "Untitled"


def summary(prompt: Recognised) -> str:
    """The first sentences of each text, word for word."""
    parts = []
    for text in prompt.contexts:
        said = [words for kind, words in _sentences(text) if kind is not BlockKind.HEADING]
        parts.append(" ".join(said[:_SENTENCES_OF_A_SUMMARY]))
    return "\n\n".join(part for part in parts if part) or "There is no text."


def questions(prompt: Recognised) -> str:
    """The questions of the text, then one on each keyword, a line each."""
    wanted = number_in(prompt, "num_questions", number_in(prompt, "num_questions_per_chunk", 5))
    text = "\n\n".join(prompt.contexts)
    asked = [words for _, words in _sentences(text) if words.endswith("?")]
    asked += [f"What is said about {word}?" for word in keywords(text, wanted)]
    return "\n".join(list(dict.fromkeys(asked))[:wanted]) or "What is said?"


def facts(prompt: Recognised) -> str:
    """What the user told of himself and is not known yet, as XML."""
    known = {html.unescape(fact.strip()) for fact in _known(prompt)}
    told = [
        sentence
        for turn in prompt.history
        if turn.role == "user"
        for _, sentence in _sentences(turn.text)
        if _OF_ONESELF.search(sentence) and not sentence.endswith("?")
    ]
    return _as_xml([fact for fact in dict.fromkeys(told) if fact not in known])


def fewer_facts(prompt: Recognised) -> str:
    """The facts without repeats, the last ones where there are still too many."""
    most = number_in(prompt, "max_facts", 50) - 1
    distinct = list(dict.fromkeys(html.unescape(fact.strip()) for fact in _known(prompt)))
    return _as_xml(distinct[-most:] if most > 0 else [])


def _known(prompt: Recognised) -> list[str]:
    return _FACT.findall(prompt.fields.get("existing_facts", ""))


def _as_xml(told: list[str]) -> str:
    lines = [f"  <fact>{html.escape(fact, quote=False)}</fact>" for fact in told]
    return "\n".join(("<facts>", *lines, "</facts>")) if lines else "<facts></facts>"


def _text(prompt: Recognised) -> str:
    return "\n\n".join(prompt.contexts) or prompt.question


def _written(prompt: Recognised) -> list[str]:
    found = keywords(_text(prompt), number_in(prompt, "max_keywords", 10))
    written = [form for word in found for form in (word, word.lower(), word.capitalize())]
    return list(dict.fromkeys(written))


def _sentences(text: str) -> list[tuple[BlockKind, str]]:
    document = document_of_text(without_rules(text), name="text.md")
    return [
        (sentence.kind, one_line(sentence.quote.of(text)))
        for passage in split_passages(document)
        for sentence in passage.sentences
        if sentence.kind is not BlockKind.MARKUP and sentence.quote.of(text).strip()
    ]
