"""A question's way: terms → passages → sentences → the quote and its citation, or a refusal."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pincite.answering.calibration import calibrated
from pincite.answering.candidates import may_answer
from pincite.answering.combining import combined, text_of
from pincite.answering.composition import compose
from pincite.answering.conflicts import contradicting, date_of, difference
from pincite.answering.follow_up import standalone_question
from pincite.answering.naming import asked_inside
from pincite.answering.pairs import pair_discounts
from pincite.answering.parts import question_parts
from pincite.answering.question import (
    CARRIED_WEIGHT,
    common_words,
    expected_types,
    question_terms,
)
from pincite.answering.refusal import (
    REFUSAL_TEXT,
    explained,
    is_unclear,
    missing_words,
    reason_for,
)
from pincite.answering.scorer import LinearScorer
from pincite.answering.several import further_answers, same_words, same_words_elsewhere
from pincite.citing.quoting import citation_in, retrieved_in
from pincite.protocols import Corpus, Query, ScoredCandidate, Scorer, TextEncoder
from pincite.records import (
    Answer,
    Calibration,
    Citation,
    Conflict,
    Passage,
    Refusal,
    RefusalReason,
    Retrieved,
    Role,
    ScoredPassage,
    Span,
    Turn,
    WarningKind,
)
from pincite.retrieval.combining import find, uses_vectors
from pincite.retrieval.ranking import top_k
from pincite.retrieval.spelling import nearly_spelt
from pincite.retrieval.weighting import term_weights
from pincite.text.rows import cells_of
from pincite.verifying.warning import BEGINNING, state_of, warnings_of

OUT_OF_FORCE = frozenset({WarningKind.SUPERSEDED, WarningKind.REPEALED, WarningKind.DRAFT})
IN_FORCE_MARGIN = 1.0
"""How far behind by its score a sentence in force may be and still come before one that is not."""


@dataclass(frozen=True, slots=True)
class AskSettings:
    """How many passages are read closely and shown, and how sure an answer has to be."""

    passages_read: int = 12
    passages_shown: int = 5
    threshold: float | None = None
    """None for that of the calibration or, without one, of the scorer."""
    calibration: Calibration | None = None
    """None to tell the scorer's confidence as it is."""


def threshold_of(
    scorer: Scorer, settings: AskSettings, best: ScoredCandidate | None = None
) -> float:
    """Below which confidence, as told, the documents are taken not to say; `best` was judged."""
    if settings.threshold is not None:
        return settings.threshold
    if settings.calibration is not None:
        return settings.calibration.threshold
    if best is not None and best.threshold is not None:
        return best.threshold
    return scorer.threshold


DEFAULT = AskSettings()


def ask(
    question: str,
    corpus: Corpus,
    *,
    document: str | None = None,
    history: Sequence[Turn] = (),
    scorer: Scorer | None = None,
    encoder: TextEncoder | None = None,
    settings: AskSettings = DEFAULT,
) -> Answer | Refusal:
    """The words of the corpus that answer `question`, or a refusal that says why not.

    `document` restricts the search to one path; a path the corpus does not have holds nothing.
    So does a question that names one of the files. `history` is oldest first. With an `encoder`
    that gave every passage its vector, passages are found by what they mean too. ValueError for a
    blank question.
    """
    judging = scorer or LinearScorer()
    asked, inside = scoped(question, document, corpus)
    found = _ask_whole_or_parts(asked, corpus, inside, history, judging, encoder, settings)
    return replace(
        found,
        question=question,
        scorer=judging.name,
        encoder=corpus.encoder() if uses_vectors(corpus, encoder) else "",
        calibration=settings.calibration,
    )


def scoped(question: str, document: str | None, corpus: Corpus) -> tuple[str, str | None]:
    """What is asked, and inside which document: that one, or one that the question names."""
    if document is None and (named := asked_inside(question, corpus.paths)):
        inside, asked = named
        return asked, inside
    return question, document


def _ask_whole_or_parts(
    question: str,
    corpus: Corpus,
    document: str | None,
    history: Sequence[Turn],
    scorer: Scorer,
    encoder: TextEncoder | None,
    settings: AskSettings,
) -> Answer | Refusal:
    """What is found for each part of the question, or for the whole where no part is answered.

    A part that leans on those before it is asked after them.
    """
    parts = question_parts(question)
    if len(parts) > 1:
        found = []
        for number, part in enumerate(parts):
            before = [*history, *(Turn("user", earlier) for earlier in parts[:number])]
            found.append(_ask(part, corpus, document, before, scorer, encoder, settings))
        if any(isinstance(one, Answer) for one in found):
            return combined(question, parts, found)
    return _ask(question, corpus, document, history, scorer, encoder, settings)


def _ask(
    question: str,
    corpus: Corpus,
    document: str | None,
    history: Sequence[Turn],
    scorer: Scorer,
    encoder: TextEncoder | None,
    settings: AskSettings,
) -> Answer | Refusal:
    query = understand(question, corpus, history)
    refused = functools.partial(_refusal, question, query, corpus)
    if document is None and is_unclear(query):
        return refused(RefusalReason.UNCLEAR, 0.0, (), ())
    if not query.weights:
        return refused(RefusalReason.NOTHING_TO_LOOK_FOR, 0.0, (), ())
    found = find(query, corpus, encoder, limit=settings.passages_read, document=document)
    stale = tuple(corpus.changed_since_indexed({scored.passage.path for scored in found}))
    current = [scored for scored in found if scored.passage.path not in stale]
    shown = current[: settings.passages_shown]
    if found and not current:
        return refused(RefusalReason.STALE, 0.0, (), stale)

    scored = judge(query, found, corpus, scorer)
    best = scored[0] if scored else None
    confidence = calibrated(best.confidence, settings.calibration) if best else 0.0
    if best is None or confidence < threshold_of(scorer, settings, best):
        reason = reason_for(query, [one.passage for one in shown])
        return refused(reason, confidence, shown, stale)
    if best.candidate.passage.path in stale:
        # What would have answered is not known any more, and the next best would be a guess.
        return refused(RefusalReason.STALE, 0.0, shown, stale)

    scored = [one for one in scored if one.candidate.passage.path not in stale]
    best, *_ = scored = _in_force_first(scored, corpus)
    chosen = _chosen(query, best, scored, corpus)
    citations = tuple(citation for citation, _ in chosen)
    conflicts = tuple(_conflicts(citations, corpus))
    if conflicts and conflicts[0].older == citations[0] and conflicts[0].newer_date:
        # What the newer document says comes first.
        newer = [pair for pair in chosen if pair[0] == conflicts[0].newer]
        chosen = [*newer, *(pair for pair in chosen if pair not in newer)]
        citations = tuple(citation for citation, _ in chosen)
    used = [passage for _, passage in chosen]
    # A passage that is quoted is always shown, in its own rank.
    shown = [one for one in current if one in shown or one.passage in used]
    return Answer(
        question=question,
        text=text_of(citations),
        confidence=confidence,
        citations=citations,
        retrieved=retrieved_in(corpus, current, shown, used=used),
        index=corpus.state(),
        stale=stale,
        conflicts=conflicts,
    )


def _in_force_first(scored: list[ScoredCandidate], corpus: Corpus) -> list[ScoredCandidate]:
    """A sentence in force before the best one, where that is not and they are about as good."""
    best = scored[0]
    if not _is_out_of_force(best.candidate.passage, corpus):
        return scored
    for place, other in enumerate(scored[1:], 1):
        if best.score - other.score > IN_FORCE_MARGIN:
            break
        passage = other.candidate.passage
        if passage.path != best.candidate.passage.path and not _is_out_of_force(passage, corpus):
            surer = replace(other, confidence=best.confidence, threshold=best.threshold)
            return [surer, *scored[:place], *scored[place + 1 :]]
    return scored


def _is_out_of_force(passage: Passage, corpus: Corpus) -> bool:
    return any(one.kind in OUT_OF_FORCE for one in state_of(passage, _beginning(passage, corpus)))


def _beginning(passage: Passage, corpus: Corpus) -> str:
    first = corpus.passages_of(passage.path, span=Span(0, BEGINNING))
    return "".join(one.text for one in first)[:BEGINNING]


def _conflicts(citations: Sequence[Citation], corpus: Corpus) -> Iterator[Conflict]:
    """Where the first answer and another document's differ."""
    first, *others = (one for one in citations if one.role is Role.ANSWER)
    for other in others:
        kind = difference(first.quote.exact, other.quote.exact)
        if kind is None or other.document.path == first.document.path:
            continue
        dated = [(_date(one, corpus), one) for one in (first, other)]
        # An unknown date says nothing, and the surer one stays first.
        if all(date for date, _ in dated):
            dated.sort(key=lambda pair: pair[0], reverse=True)
        (newer_date, newer), (older_date, older) = dated
        yield Conflict(kind, newer, older, newer_date, older_date)


def _date(citation: Citation, corpus: Corpus) -> str:
    document = citation.document
    first = corpus.passages_of(document.path, span=Span(0, BEGINNING))
    return date_of(document.path, document.title, "".join(one.text for one in first))


def _chosen(
    query: Query, best: ScoredCandidate, scored: Sequence[ScoredCandidate], corpus: Corpus
) -> list[tuple[Citation, Passage]]:
    """The best words, other words that answer as surely, and after each where they stand again."""
    chosen: list[tuple[Citation, Passage]] = []
    against = contradicting(best, scored)
    answers = [best, *([against] if against else []), *further_answers(query, best, scored)]
    for answer in answers:
        quote = _citation(query, answer, scored, corpus)
        words = same_words(quote.quote.exact)
        if any(words in same_words(held.quote.exact) for held, _ in chosen):
            continue
        chosen.append((quote, answer.candidate.passage))
        for other in same_words_elsewhere(answer, scored):
            again = _citation(query, other, scored, corpus, role=Role.ALSO)
            if same_words(again.quote.exact) == words:
                chosen.append((again, other.candidate.passage))
    return chosen


def _citation(
    query: Query,
    chosen: ScoredCandidate,
    scored: Sequence[ScoredCandidate],
    corpus: Corpus,
    *,
    role: Role = Role.ANSWER,
) -> Citation:
    passage = chosen.candidate.passage
    position = compose(query, chosen, scored)
    cells = cells_of(passage, position)
    cited = citation_in(corpus, passage, position, score=chosen.score, role=role, cells=cells)
    beginning = _beginning(passage, corpus)
    return replace(cited, warnings=warnings_of(passage, position, beginning=beginning))


def search(
    question: str,
    corpus: Corpus,
    *,
    limit: int = 10,
    document: str | None = None,
    encoder: TextEncoder | None = None,
) -> list[Retrieved]:
    """The passages that fit the question best, best first; none when none has to do with it.

    ValueError for a blank question or a limit below 1.
    """
    if limit < 1:
        raise ValueError(f"a limit of {limit} passages: ask for at least 1")
    query = understand(question, corpus, ())
    if not query.weights:
        return []
    found = find(query, corpus, encoder, limit=limit, document=document)
    stale = set(corpus.changed_since_indexed({scored.passage.path for scored in found}))
    current = [scored for scored in found if scored.passage.path not in stale]
    return list(retrieved_in(corpus, current, current))


def understand(question: str, corpus: Corpus, history: Sequence[Turn]) -> Query:
    """The question in the terms of each language of the corpus, weighted; ValueError if blank."""
    if not question.strip():
        raise ValueError("the question is empty: ask something in words")
    alone = standalone_question(question, history)
    statistics = corpus.statistics()
    common = common_words(question, statistics.languages)
    own = {
        language: question_terms(question, language, common=common)
        for language in statistics.languages
    }
    # What is carried from earlier turns helps to find, and counts less than what is asked itself.
    everything = {
        language: question_terms(alone, language, common=common)
        for language in statistics.languages
    }
    terms = {
        language: (*asked, *(t for t in dict.fromkeys(everything[language]) if t not in asked))
        for language, asked in own.items()
    }
    every_term = sorted({term for found in terms.values() for term in found})
    frequencies = corpus.document_frequencies(every_term)
    weights = term_weights(terms, frequencies, statistics.passage_count)
    every_own = [term for language in sorted(own) for term in own[language]]
    for term, discount in pair_discounts(every_own, frequencies).items():
        weights[term] *= discount
    asked_itself = {term for found in own.values() for term in found}
    for term in every_term:
        if term not in asked_itself:
            weights[term] *= CARRIED_WEIGHT
    return Query(text=alone, terms=terms, weights=weights, expects=expected_types(alone))


def judge(
    query: Query, found: Sequence[ScoredPassage], corpus: Corpus, scorer: Scorer
) -> list[ScoredCandidate]:
    """The sentences of the passages found, best first; none when they hold nothing to quote."""
    candidates = may_answer(query, found)
    scored = scorer.score(query, candidates, corpus)
    places = [(c.passage.path, c.passage.sentences[c.sentence_index].start) for c in candidates]
    ranked = top_k(scored, [one.score for one in scored], places, len(scored))
    return [one for one, _ in ranked]


def _refusal(
    question: str,
    query: Query,
    corpus: Corpus,
    reason: RefusalReason,
    confidence: float,
    nearest: Sequence[ScoredPassage],
    stale: tuple[str, ...],
) -> Refusal:
    near = [scored.passage for scored in nearest]
    missing = () if reason is RefusalReason.STALE else missing_words(query, near, question)
    spelt = nearly_spelt(missing, corpus)
    elsewhere = [word for word in missing if _is_anywhere(word, query, corpus)]
    explanation, advice = explained(reason, query, near, missing, spelt, elsewhere)
    return Refusal(
        question=question,
        text=REFUSAL_TEXT,
        confidence=confidence,
        reason=reason,
        retrieved=retrieved_in(corpus, nearest, nearest),
        index=corpus.state(),
        missing=missing,
        explanation=explanation,
        advice=advice,
        stale=stale,
    )


def _is_anywhere(word: str, query: Query, corpus: Corpus) -> bool:
    """Whether a passage of the index has a word, in one of its languages."""
    terms = {term for language in query.terms for term in question_terms(word, language)}
    return any(corpus.document_frequencies(sorted(terms)).values())
