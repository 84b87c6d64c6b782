"""A question's way: terms → passages → sentences → the quote and its citation, or a refusal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite.answering.composition import compose, is_quotable
from pincite.answering.naming import asked_inside
from pincite.answering.question import (
    CARRIED_WEIGHT,
    carried_terms,
    common_words,
    expected_types,
    question_terms,
)
from pincite.answering.refusal import REFUSAL_TEXT, missing_words, reason_for
from pincite.answering.scorer import LinearScorer
from pincite.citing.cite import CONTEXT, cite
from pincite.places import without_boxes
from pincite.protocols import Candidate, Corpus, Query, ScoredCandidate, Scorer
from pincite.records import (
    Answer,
    Citation,
    Passage,
    Refusal,
    RefusalReason,
    Retrieved,
    ScoredPassage,
    Span,
    Turn,
)
from pincite.retrieval.bm25 import retrieve
from pincite.retrieval.ranking import top_k
from pincite.retrieval.weighting import term_weights
from pincite.text.lines import lines_in


@dataclass(frozen=True, slots=True)
class AskSettings:
    """How many passages are read closely and shown, and how sure an answer has to be."""

    passages_read: int = 12
    passages_shown: int = 5
    threshold: float | None = None
    """None for that of the scorer."""


DEFAULT = AskSettings()


def ask(
    question: str,
    corpus: Corpus,
    *,
    document: str | None = None,
    history: Sequence[Turn] = (),
    scorer: Scorer | None = None,
    settings: AskSettings = DEFAULT,
) -> Answer | Refusal:
    """The words of the corpus that answer `question`, or a refusal that says why not.

    `document` restricts the search to one path; a path the corpus does not have holds nothing.
    So does a question that names one of the files. `history` is oldest first. ValueError for a
    blank question.
    """
    judging = scorer or LinearScorer()
    asked = question
    if document is None and (named := asked_inside(question, corpus.paths)):
        document, asked = named
    found = _ask(asked, corpus, document, history, judging, settings)
    return replace(found, question=question, scorer=judging.name)


def _ask(
    question: str,
    corpus: Corpus,
    document: str | None,
    history: Sequence[Turn],
    scorer: Scorer,
    settings: AskSettings,
) -> Answer | Refusal:
    query = understand(question, corpus, history)
    if not query.weights:
        return _refusal(query, corpus, RefusalReason.NOTHING_TO_LOOK_FOR, 0.0, (), ())
    found = retrieve(
        query.terms, query.weights, corpus, limit=settings.passages_read, document=document
    )
    stale = tuple(corpus.changed_since_indexed({scored.passage.path for scored in found}))
    current = [scored for scored in found if scored.passage.path not in stale]
    shown = current[: settings.passages_shown]
    if found and not current:
        return _refusal(query, corpus, RefusalReason.STALE, 0.0, (), stale)

    scored = judge(query, found, corpus, scorer)
    threshold = scorer.threshold if settings.threshold is None else settings.threshold
    best = scored[0] if scored else None
    if best is None or best.confidence < threshold:
        reason = reason_for(query, [one.passage for one in shown])
        confidence = best.confidence if best else 0.0
        return _refusal(query, corpus, reason, confidence, shown, stale)
    if best.candidate.passage.path in stale:
        # What would have answered is not known any more, and the next best would be a guess.
        return _refusal(query, corpus, RefusalReason.STALE, 0.0, shown, stale)

    passage = best.candidate.passage
    position = compose(query, best, scored)
    citation = _cite(passage, position, corpus, best.score)
    if all(one.passage != passage for one in shown):
        # The passage that is quoted is always shown, in its own rank.
        shown = [*shown, found[best.candidate.passage_rank]]
    return Answer(
        question=question,
        text=citation.quote.exact,
        confidence=best.confidence,
        citations=(citation,),
        retrieved=_retrieved(current, shown, corpus, used=passage),
        index=corpus.state(),
        stale=stale,
    )


def search(
    question: str, corpus: Corpus, *, limit: int = 10, document: str | None = None
) -> list[Retrieved]:
    """The passages that fit the question best, best first; empty when no word of it occurs.

    ValueError for a blank question or a limit below 1.
    """
    if limit < 1:
        raise ValueError(f"a limit of {limit} passages: ask for at least 1")
    query = understand(question, corpus, ())
    if not query.weights:
        return []
    found = retrieve(query.terms, query.weights, corpus, limit=limit, document=document)
    stale = set(corpus.changed_since_indexed({scored.passage.path for scored in found}))
    current = [scored for scored in found if scored.passage.path not in stale]
    return list(_retrieved(current, current, corpus, used=None))


def understand(question: str, corpus: Corpus, history: Sequence[Turn]) -> Query:
    """The question in the terms of each language of the corpus, weighted; ValueError if blank."""
    if not question.strip():
        raise ValueError("the question is empty: ask something in words")
    statistics = corpus.statistics()
    common = common_words(question, statistics.languages)
    own = {
        language: question_terms(question, language, common=common)
        for language in statistics.languages
    }
    carried = {
        language: carried_terms(question, history, language, common=common)
        for language in statistics.languages
    }
    terms = {language: (*own[language], *carried[language]) for language in own}
    every_term = sorted({term for found in terms.values() for term in found})
    weights = term_weights(terms, corpus.document_frequencies(every_term), statistics.passage_count)
    asked_itself = {term for found in own.values() for term in found}
    for term in every_term:
        if term not in asked_itself:
            weights[term] *= CARRIED_WEIGHT
    return Query(text=question, terms=terms, weights=weights, expects=expected_types(question))


def judge(
    query: Query, found: Sequence[ScoredPassage], corpus: Corpus, scorer: Scorer
) -> list[ScoredCandidate]:
    """The sentences of the passages found, best first; none when they hold nothing to quote."""
    candidates = [
        Candidate(scored.passage, rank, scored.score, index)
        for rank, scored in enumerate(found)
        for index, sentence in enumerate(scored.passage.sentences)
        if is_quotable(sentence)
    ]
    scored = scorer.score(query, candidates, corpus)
    places = [(c.passage.path, c.passage.sentences[c.sentence_index].start) for c in candidates]
    ranked = top_k(scored, [one.score for one in scored], places, len(scored))
    return [one for one, _ in ranked]


def _cite(passage: Passage, position: Span, corpus: Corpus, score: float) -> Citation:
    known = corpus.source(passage.path)
    if known is None:
        raise ValueError(f"{passage.path!r} has a passage but no document in this corpus")
    source, extraction = known
    around = corpus.passages_of(
        passage.path,
        span=Span(max(0, position.start - CONTEXT), position.end + CONTEXT),
    )
    text = "".join(part.text for part in around)
    start = position.start - around[0].span.start
    end = position.end - around[0].span.start
    return cite(
        passage,
        position,
        source,
        extraction,
        before=text[:start],
        after=text[end:],
        score=score,
        place=corpus.place(passage.path, position),
    )


def _retrieved(
    ranked: Sequence[ScoredPassage],
    shown: Sequence[ScoredPassage],
    corpus: Corpus,
    *,
    used: Passage | None,
) -> tuple[Retrieved, ...]:
    records = []
    for rank, scored in enumerate(ranked, start=1):
        known = corpus.source(scored.passage.path)
        if scored not in shown or known is None:
            continue
        passage = scored.passage
        records.append(
            Retrieved(
                rank=rank,
                score=scored.score,
                used=passage == used,
                document=known[0],
                position=passage.span,
                lines=lines_in(passage, passage.span),
                place=without_boxes(corpus.place(passage.path, passage.span)),
                heading_path=passage.heading_path,
                text=passage.text,
            )
        )
    return tuple(records)


def _refusal(
    query: Query,
    corpus: Corpus,
    reason: RefusalReason,
    confidence: float,
    nearest: Sequence[ScoredPassage],
    stale: tuple[str, ...],
) -> Refusal:
    return Refusal(
        question=query.text,
        text=REFUSAL_TEXT,
        confidence=confidence,
        reason=reason,
        retrieved=_retrieved(nearest, nearest, corpus, used=None),
        index=corpus.state(),
        missing=()
        if reason is RefusalReason.STALE
        else missing_words(query, [scored.passage for scored in nearest], query.text),
        stale=stale,
    )


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """Words quoted from one of several texts: `texts[text_index][start:end] == text`."""

    text: str
    text_index: int
    start: int
    end: int
    confidence: float


_MARKDOWN = re.compile(r"^#{1,6} \S|^```|^\|.+\|\s*$|^[-*] \S", re.MULTILINE)


def answer_in_texts(
    question: str,
    texts: Sequence[str],
    *,
    history: Sequence[Turn] = (),
    settings: AskSettings = DEFAULT,
) -> TextAnswer | None:
    """The words of one of `texts` that answer, or None when none of them says.

    For texts that come without files, such as those in a prompt; they are read as Markdown when
    they look like it. None as well for a blank question or no texts.
    """
    # To ask a folder, nothing that reads texts is needed; loading it would take a while.
    from pincite.loaders import document_of_text
    from pincite.store.memory import MemoryCorpus
    from pincite.text.passages import split_passages

    if not question.strip():
        return None
    names = [
        f"{number:06}.{'md' if _MARKDOWN.search(text) else 'txt'}"
        for number, text in enumerate(texts)
    ]
    documents = [document_of_text(text, name=name) for name, text in zip(names, texts, strict=True)]
    passages = [passage for document in documents for passage in split_passages(document)]
    found = ask(question, MemoryCorpus(documents, passages), history=history, settings=settings)
    if isinstance(found, Refusal):
        return None
    (citation,) = found.citations
    return TextAnswer(
        text=citation.quote.exact,
        text_index=names.index(citation.document.path),
        start=citation.position.start,
        end=citation.position.end,
        confidence=found.confidence,
    )
