"""Why a question got the answer it got: what was asked for, found, weighed and chosen.

Made with the functions that answer, and after them, so that it costs an answer nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from pincite.answering.calibration import calibrated
from pincite.engine import DEFAULT, AskSettings, ask, judge, scoped, threshold_of, understand
from pincite.explanations import (
    Contribution,
    ExplainedPassage,
    ExplainedSentence,
    Explanation,
    QueryTerm,
)
from pincite.protocols import (
    Corpus,
    ExplainingScorer,
    Query,
    Reasons,
    ScoredCandidate,
    Scorer,
    TextEncoder,
)
from pincite.records import (
    Answer,
    Refusal,
    ScoredPassage,
    Turn,
)
from pincite.retrieval.combining import find
from pincite.text.lines import lines_in

SENTENCES_SHOWN = 5
REASONS_SHOWN = 8
LEXICAL, VECTORS = "lexical", "vectors"
"""The names of the rankings by words and by nearness."""


def explain(
    question: str,
    corpus: Corpus,
    *,
    scorer: Scorer,
    encoder: TextEncoder | None = None,
    document: str | None = None,
    history: Sequence[Turn] = (),
    settings: AskSettings = DEFAULT,
) -> Explanation:
    """What `ask` answers with the same arguments, and how it came to that.

    The features of sentences are given where the scorer can say why (`ExplainingScorer`).
    ValueError for a blank question.
    """
    answer = ask(
        question,
        corpus,
        document=document,
        history=history,
        scorer=scorer,
        encoder=encoder,
        settings=settings,
    )
    asked, inside = scoped(question, document, corpus)
    query = understand(asked, corpus, history)
    found = (
        find(query, corpus, encoder, limit=settings.passages_read, document=inside)
        if query.weights
        else []
    )
    ranks = _ranks(found, answer.encoder)
    scored = judge(query, found, corpus, scorer)
    best = scored[:SENTENCES_SHOWN]
    reasons = _reasons(query, scored, corpus, scorer)
    return Explanation(
        answer=answer,
        terms=_terms(query, corpus, {one.passage.language for one in found}),
        expects=tuple(sorted(query.expects)),
        passages=tuple(
            _passage(rank, one, ranks[rank - 1], answer) for rank, one in enumerate(found, start=1)
        ),
        sentences=tuple(
            _sentence(one, corpus, _weightiest(reasons.scores[place]) if reasons else ())
            for place, one in enumerate(best)
        ),
        lead=_lead(reasons) if reasons and len(best) > 1 else (),
        confidence=_weightiest(reasons.confidence) if reasons else (),
        best_confidence=calibrated(best[0].confidence, settings.calibration) if best else 0.0,
        threshold=threshold_of(scorer, settings, best[0] if best else None),
    )


def _reasons(
    query: Query, scored: Sequence[ScoredCandidate], corpus: Corpus, scorer: Scorer
) -> Reasons | None:
    if not scored or not isinstance(scorer, ExplainingScorer):
        return None
    return scorer.reasons(query, [one.candidate for one in scored], corpus)


def _terms(query: Query, corpus: Corpus, languages: AbstractSet[str]) -> tuple[QueryTerm, ...]:
    """The terms that the passages found were read for, the weightiest first; all without any.

    In a folder of several languages the question has terms of each; those of a language in which
    nothing was found had no say, and look weighty only because no passage has them.
    """
    sought: dict[str, list[str]] = {}
    for language in sorted(languages & query.terms.keys()) or sorted(query.terms):
        for term in dict.fromkeys(query.terms[language]):
            sought.setdefault(term, []).append(language)
    frequencies = corpus.document_frequencies(sorted(sought))
    order = sorted(sought, key=lambda term: (-query.weights[term], term))
    return tuple(
        QueryTerm(term, query.weights[term], frequencies.get(term, 0), tuple(sought[term]))
        for term in order
    )


def _ranks(found: Sequence[ScoredPassage], encoder: str) -> list[tuple[tuple[str, int], ...]]:
    """For each passage its rank among these by words, if it has any, and by nearness."""
    by_words = sorted(-one.words for one in found if one.words)
    by_nearness = sorted(-one.nearness for one in found) if encoder else []
    return [
        tuple(
            (name, order.index(-value) + 1)
            for name, order, value in (
                (LEXICAL, by_words, one.words),
                (VECTORS, by_nearness, one.nearness),
            )
            if -value in order
        )
        for one in found
    ]


def _passage(
    rank: int,
    scored: ScoredPassage,
    ranks: tuple[tuple[str, int], ...],
    answer: Answer | Refusal,
) -> ExplainedPassage:
    passage = scored.passage
    used = any(
        one.used and (one.document.path, one.position) == (passage.path, passage.span)
        for one in answer.retrieved
    )
    return ExplainedPassage(
        rank=rank,
        score=scored.score,
        ranks=ranks,
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
