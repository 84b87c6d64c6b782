"""Answers from texts that come without files, such as those in a prompt."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.answering.close_reading import CloseScorer
from pincite.answering.scorer import LinearScorer
from pincite.encoder.read import CloseReader
from pincite.engine import DEFAULT, AskSettings, ask
from pincite.errors import MissingExtra
from pincite.loaders import document_of_text
from pincite.protocols import Scorer
from pincite.records import Document, Passage, Refusal, Role, Turn
from pincite.store.memory import MemoryCorpus
from pincite.text.passages import split_passages


@dataclass(frozen=True, slots=True)
class TextQuote:
    """Words quoted from one of several texts: `texts[text_index][start:end] == text`."""

    text: str
    text_index: int
    start: int
    end: int
    confidence: float


@dataclass(frozen=True, slots=True)
class About:
    """What is known of a text besides its words: they help to find it, and are not quoted."""

    title: str = ""
    heading_path: tuple[str, ...] = ()


_MARKDOWN = re.compile(r"^#{1,6} \S|^```|^\|.+\|\s*$|^[-*] \S", re.MULTILINE)


def quotes_from_texts(
    question: str,
    texts: Sequence[str],
    *,
    history: Sequence[Turn] = (),
    settings: AskSettings = DEFAULT,
    about: Sequence[About] = (),
) -> tuple[TextQuote, ...]:
    """The words of `texts` that answer, in the order of the answer; none when they do not say.

    The best sentences are read closely where the model is installed, and judged by their words
    alone where it is not. Texts are read as Markdown when they look like it. None as well for a
    blank question or no texts. Words that stand in several texts are given once. `about` says of
    each text, where it is given, what it is called and under which headings it stands.
    """
    if not question.strip():
        return ()
    names = [
        f"{number:06}.{'md' if _MARKDOWN.search(text) else 'txt'}"
        for number, text in enumerate(texts)
    ]
    documents = [document_of_text(text, name=name) for name, text in zip(names, texts, strict=True)]
    passages = [passage for document in documents for passage in split_passages(document)]
    if about:
        known = dict(zip(names, about, strict=True))
        documents = [_called(document, known[document.source.path]) for document in documents]
        passages = [_under(passage, known[passage.path].heading_path) for passage in passages]
    found = ask(
        question,
        MemoryCorpus(documents, passages),
        # With one text, "it" is what the text is about.
        document=names[0] if len(names) == 1 else None,
        history=history,
        scorer=_scorer(),
        settings=settings,
    )
    if isinstance(found, Refusal):
        return ()
    return tuple(
        TextQuote(
            text=citation.quote.exact,
            text_index=names.index(citation.document.path),
            start=citation.position.start,
            end=citation.position.end,
            confidence=found.confidence,
        )
        for citation in found.citations
        if citation.role is not Role.ALSO
    )


@functools.cache
def _scorer() -> Scorer:
    # Once for all calls: loading the model takes longer than reading a sentence.
    reader = CloseReader()
    try:
        reader.read("?", ["."])
    except MissingExtra:
        return LinearScorer()
    return CloseScorer(reader)


def _called(document: Document, about: About) -> Document:
    if not about.title:
        return document
    return replace(document, source=replace(document.source, title=about.title))


def _under(passage: Passage, headings: tuple[str, ...]) -> Passage:
    """The passage under `headings`, of which its text may begin with the last."""
    own = passage.heading_path
    if not headings or own[:1] == headings[:1]:
        return passage
    kept = headings[:-1] if own[:1] == headings[-1:] else headings
    return replace(passage, heading_path=(*kept, *own))
