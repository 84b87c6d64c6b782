"""Answers from texts that come without files, such as those in a prompt."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.answering.close_reading import CloseScorer
from pincite.answering.scorer import LinearScorer
from pincite.encoder.read import CloseReader
from pincite.engine import DEFAULT, AskSettings, ask
from pincite.errors import MissingExtra
from pincite.given import Given, given_text
from pincite.protocols import Scorer
from pincite.records import Answer, Passage, Refusal, Role, Turn
from pincite.store.memory import MemoryCorpus


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
    known = about or (About(),) * len(texts)
    given = [
        _under(given_text(text, name=f"{number:06}", title=one.title), one.heading_path)
        for number, (text, one) in enumerate(zip(texts, known, strict=True))
    ]
    found = ask_given(question, given, history=history, settings=settings)
    if isinstance(found, Refusal):
        return ()
    names = [one.document.source.path for one in given]
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


def ask_given(
    question: str,
    given: Sequence[Given],
    *,
    history: Sequence[Turn] = (),
    settings: AskSettings = DEFAULT,
) -> Answer | Refusal:
    """The exact words of these documents that answer, or a refusal, as `Index.ask` gives them.

    Passages are found by their words alone. ValueError for a blank question.
    """
    documents = [one.document for one in given]
    return ask(
        question,
        MemoryCorpus(documents, [passage for one in given for passage in one.passages]),
        # With one text, "it" is what the text is about.
        document=documents[0].source.path if len(documents) == 1 else None,
        history=history,
        scorer=closest_scorer(),
        settings=settings,
    )


@functools.cache
def closest_scorer() -> Scorer:
    """The scorer that reads closely where the model is installed, the one of words elsewhere."""
    # Once for all calls: loading the model takes longer than reading a sentence.
    reader = CloseReader()
    try:
        reader.read("?", ["."])
    except MissingExtra:
        return LinearScorer()
    return CloseScorer(reader)


def _under(given: Given, headings: tuple[str, ...]) -> Given:
    return Given(given.document, tuple(_passage_under(one, headings) for one in given.passages))


def _passage_under(passage: Passage, headings: tuple[str, ...]) -> Passage:
    """The passage under `headings`, of which its text may begin with the last."""
    own = passage.heading_path
    if not headings or own[:1] == headings[:1]:
        return passage
    kept = headings[:-1] if own[:1] == headings[-1:] else headings
    return replace(passage, heading_path=(*kept, *own))
