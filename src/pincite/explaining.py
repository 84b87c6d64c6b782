"""Why a question got the answer it got: what was asked for, found, weighed and chosen.

Made with the functions that answer, and after them, so that it costs an answer nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from pincite.answering.calibration import calibrated
from pincite.engine import DEFAULT, AskSettings, ask, find, judge, scoped, threshold_of, understand
from pincite.explanations import (
    Contribution,
    ExplainedPassage,
    ExplainedSentence,
    Explanation,
    QueryTerm,
)
from pincite.protocols import Corpus, ExplainingScorer, Query, Reasons, ScoredCandidate, Scorer
from pincite.records import (
    Answer,
    Refusal,
    ScoredPassage,
    Turn,
)
from pincite.text.lines import lines_in

SENTENCES_SHOWN = 5
REASONS_SHOWN = 8
LEXICAL = "lexical"
"""The name of the ranking by words, beside which others may stand."""


def explain(
    question: str,
    corpus: Corpus,
    *,
    scorer: Scorer,
    document: str | None = None,
    history: Sequence[Turn] = (),
    settings: AskSettings = DEFAULT,
) -> Explanation:
    """What `ask` answers with the same arguments, and how it came to that.

    The features of sentences are given where the scorer can say why (`ExplainingScorer`).
    ValueError for a blank question.
    """
    answer = ask(
        question, corpus, document=document, history=history, scorer=scorer, settings=settings
    )
    asked, inside = scoped(question, document, corpus)
    query = understand(asked, corpus, history)
    found = find(query, corpus, inside, settings) if query.weights else []
    scored = judge(query, found, corpus, scorer)
    best = scored[:SENTENCES_SHOWN]
    reasons = _reasons(query, scored, corpus, scorer)
    return Explanation(
        answer=answer,
        terms=_terms(query, corpus),
        expects=tuple(sorted(query.expects)),
        passages=tuple(_passage(rank, one, answer) for rank, one in enumerate(found, start=1)),
        sentences=tuple(
            _sentence(one, corpus, _weightiest(reasons.scores[place]) if reasons else ())
            for place, one in enumerate(best)
        ),
        lead=_lead(reasons) if reasons and len(best) > 1 else (),
        confidence=_weightiest(reasons.confidence) if reasons else (),
        best_confidence=calibrated(best[0].confidence, settings.calibration) if best else 0.0,
        threshold=threshold_of(scorer, settings),
    )


def _reasons(
    query: Query, scored: Sequence[ScoredCandidate], corpus: Corpus, scorer: Scorer
) -> Reasons | None:
    if not scored or not isinstance(scorer, ExplainingScorer):
        return None
    return scorer.reasons(query, [one.candidate for one in scored], corpus)


def _terms(query: Query, corpus: Corpus) -> tuple[QueryTerm, ...]:
    """The terms of all languages, the weightiest first."""
    frequencies = corpus.document_frequencies(sorted(query.weights))
    languages = {
        term: tuple(language for language in sorted(query.terms) if term in query.terms[language])
        for term in query.weights
    }
    return tuple(
        QueryTerm(term, weight, frequencies.get(term, 0), languages[term])
        for term, weight in sorted(query.weights.items(), key=lambda item: (-item[1], item[0]))
    )


def _passage(rank: int, scored: ScoredPassage, answer: Answer | Refusal) -> ExplainedPassage:
    passage = scored.passage
    used = any(
        one.used and (one.document.path, one.position) == (passage.path, passage.span)
        for one in answer.retrieved
    )
    return ExplainedPassage(
        rank=rank,
        score=scored.score,
        ranks=((LEXICAL, rank),),
        used=used,
        path=passage.path,
        position=passage.span,
        lines=lines_in(passage, passage.span),
        heading_path=passage.heading_path,
        text=passage.text,
    )


def _sentence(
    scored: ScoredCandidate, corpus: Corpus, reasons: tuple[Contribution, ...]
) -> ExplainedSentence:
    passage = scored.candidate.passage
    quote = passage.sentences[scored.candidate.sentence_index].quote
    start = passage.span.start
    return ExplainedSentence(
        path=passage.path,
        position=quote,
        lines=lines_in(passage, quote),
        place=corpus.place(passage.path, quote),
        text=passage.text[quote.start - start : quote.end - start],
        passage_rank=scored.candidate.passage_rank + 1,
        score=scored.score,
        reasons=reasons,
    )


def _weightiest(reasons: Sequence[Contribution]) -> tuple[Contribution, ...]:
    kept = [one for one in reasons if one.amount]
    return tuple(sorted(kept, key=lambda one: (-abs(one.amount), one.name))[:REASONS_SHOWN])


def _lead(reasons: Reasons) -> tuple[Contribution, ...]:
    """What the winner has over the next: the difference of each value, by its weight."""
    first, second = reasons.scores[:2]
    values = {one.name: one.value for one in second}
    names = {one.name for one in first}
    differences = [
        Contribution(one.name, one.value - values.get(one.name, 0.0), one.weight) for one in first
    ]
    # A feature that only the next has speaks for it.
    differences += [
        Contribution(one.name, -one.value, one.weight) for one in second if one.name not in names
    ]
    return _weightiest(differences)
