"""Puts given sentences in order by how well each answers: for those who find them by other ways."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
from dataclasses import replace

from pincite.answering.close_reading import CloseScorer
from pincite.encoder.read import CloseReader
from pincite.engine import understand
from pincite.loaders import document_of_text
from pincite.protocols import Candidate
from pincite.records import BlockKind, Document, Passage, Sentence, Span
from pincite.store.memory import MemoryCorpus

BLANK = -1000.0
"""The score of a sentence without words, below that of any other."""


def rank_sentences(question: str, sentences: Sequence[str], *, title: str = "") -> list[float]:
    """One score for each of `sentences`, in the given order; the higher, the better it answers.

    The sentences are read as neighbours in one document called `title`, in the order it has them:
    what one says helps to understand the next. Scores compare sentences of one call, not of two,
    and say nothing of whether any of them answers. The same arguments give the same numbers.

    ValueError for a blank question, and for sentences that are not a sequence of strings.
    `MissingExtra` where the model is not installed.
    """
    for name, value in (("question", question), ("title", title)):
        if not isinstance(value, str):
            raise ValueError(f"the {name} must be a string, not {type(value).__name__}")
    if not question.strip():
        raise ValueError("the question is empty: ask something in words")
    if isinstance(sentences, str) or not isinstance(sentences, Sequence):
        found = type(sentences).__name__
        raise ValueError(f"sentences must be several strings, not one {found}: give them in a list")
    for number, sentence in enumerate(sentences):
        if not isinstance(sentence, str):
            found = type(sentence).__name__
            raise ValueError(f"sentence {number} is not a string but {found}: give strings only")
    worded = [number for number, sentence in enumerate(sentences) if sentence.strip()]
    scores = [BLANK] * len(sentences)
    if worded:
        document, passage = _as_read([sentences[number] for number in worded], title)
        corpus = MemoryCorpus([document], [passage])
        candidates = [Candidate(passage, 0, 0.0, index) for index in range(len(worded))]
        query = understand(question, corpus, ())
        for number, scored in zip(worded, _scorer().score(query, candidates, corpus), strict=True):
            scores[number] = scored.score
    return scores


def _as_read(sentences: Sequence[str], title: str) -> tuple[Document, Passage]:
    """A document of one passage with these sentences, a line each."""
    text = "".join(f"{sentence}\n" for sentence in sentences)
    document = document_of_text(text, name="sentences.txt")
    document = replace(document, source=replace(document.source, title=title))
    ends = list(itertools.accumulate(len(sentence) + 1 for sentence in sentences))
    spans = [Span(end - len(one) - 1, end) for one, end in zip(sentences, ends, strict=True)]
    passage = Passage(
        path=document.source.path,
        ordinal=0,
        span=Span(0, len(text)),
        text=text,
        first_line=1,
        heading_path=(),
        language=document.language,
        sentences=tuple(
            Sentence(span.start, span.end, Span(span.start, span.end - 1), BlockKind.PARAGRAPH)
            for span in spans
        ),
    )
    return document, passage


@functools.cache
def _scorer() -> CloseScorer:
    # Once for all calls: loading the model takes longer than reading a sentence.
    return CloseScorer(CloseReader(), every_one=True)
