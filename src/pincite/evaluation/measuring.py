"""Asks every question of a set, and judges and counts what comes back."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from pincite.answering.parts import question_parts
from pincite.evaluation.fitting import Judged, fit
from pincite.evaluation.questions import Question, QuestionSet
from pincite.evaluation.statistics import (
    ReliabilityBin,
    RiskPoint,
    Share,
    calibration_error,
    reliability,
    risk_curve,
    share,
)
from pincite.index import Index
from pincite.records import Answer, Calibration, Citation, FittedCalibration, IndexState, Refusal

THRESHOLDS = tuple(step / 20 for step in range(20))
_WORD = re.compile(r"\w+")


class Result(StrEnum):
    """What became of a question."""

    RIGHT = "right"
    """Answered, and the quote has something of the evidence."""
    WRONG = "wrong"
    """Answered otherwise, or answered though the documents do not say."""
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one question, and of its best sentence if that was refused."""

    id: str
    question: str
    is_answerable: bool
    result: Result
    confidence: float
    """Of the best sentence; 0 where there was none."""
    best_is_right: bool
    """Whether the best sentence is right, answered with or not."""
    is_right_document: bool | None
    """Whether the best sentence is from a document that answers; None where no evidence says so."""
    text: str
    """The words of the best sentence; empty where there was none."""
    document: str
    start: int
    end: int

    @property
    def is_good(self) -> bool:
        """Right where the documents say it, refused where they do not."""
        return self.result is (Result.RIGHT if self.is_answerable else Result.REFUSED)


@dataclass(frozen=True, slots=True)
class Counts:
    """What was counted at one threshold."""

    threshold: float
    right: Share
    """Of the answerable questions."""
    wrong: Share
    """Of the answerable questions."""
    refused: Share
    """Of the answerable questions."""
    rightly_refused: Share
    """Of the unanswerable questions."""
    right_document: Share
    """Of the answerable questions with evidence: answered from a document that answers."""
    risk: Share
    """Wrong answers, of all answers given."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """How good the answers to a set of questions are."""

    name: str
    sha256: str
    drafts: int
    """Questions that a program drafted and nobody has looked at."""
    index: IndexState
    scorer: str
    calibration: Calibration | None
    counts: Counts
    """At the threshold in use."""
    by_threshold: tuple[Counts, ...]
    calibration_error: float | None
    """Of the answers given; None without any."""
    reliability: tuple[ReliabilityBin, ...]
    """Of the best sentences, answered with or not."""
    risk_curve: tuple[RiskPoint, ...]
    outcomes: tuple[Outcome, ...]


def evaluate(
    index: Index,
    questions: QuestionSet,
    *,
    risk: float | None = None,
    asked: Callable[[int], None] | None = None,
) -> Evaluation:
    """Ask all questions and count; `asked` is told how many are done, after each.

    `risk` as in `Index.ask`, which this raises like. Every question is asked for its best sentence;
    which of them are answers is decided by their confidence, as `ask` does.
    """
    threshold = index.threshold(risk)
    outcomes = []
    for number, question in enumerate(questions.questions, start=1):
        outcomes.append(_outcome(index, question, risk, threshold))
        if asked is not None:
            asked(number)
    found = [one for one in outcomes if one.text]
    given = [one for one in found if one.result is not Result.REFUSED]
    return Evaluation(
        name=questions.name,
        sha256=questions.sha256,
        drafts=sum(question.is_draft for question in questions.questions),
        index=index.state,
        scorer=index.scorer,
        calibration=index.calibration(risk),
        counts=count_at(outcomes, threshold),
        by_threshold=tuple(count_at(outcomes, one) for one in THRESHOLDS),
        calibration_error=calibration_error(
            reliability([one.confidence for one in given], [one.best_is_right for one in given])
        ),
        reliability=reliability(
            [one.confidence for one in found], [one.best_is_right for one in found]
        ),
        risk_curve=risk_curve(
            [one.confidence if one.text else 0.0 for one in outcomes],
            [not one.best_is_right for one in outcomes],
        ),
        outcomes=tuple(outcomes),
    )


def calibrate(
    index: Index,
    questions: QuestionSet,
    *,
    risk: float,
    asked: Callable[[int], None] | None = None,
) -> FittedCalibration:
    """What these questions teach of the confidence of the index's scorer; nothing is kept yet.

    `asked` as in `evaluate`. ValueError for too few questions or a risk that is none.
    """
    judged = []
    for number, question in enumerate(questions.questions, start=1):
        best = index.ask(
            question.text,
            document=question.document,
            history=question.history,
            threshold=0.0,
            calibrated=False,
        )
        is_answer = isinstance(best, Answer)
        judged.append(
            Judged(
                best.confidence if is_answer else 0.0,
                is_right_answer(question, best),
            )
        )
        if asked is not None:
            asked(number)
    return fit(
        judged,
        scorer=index.scorer,
        least=index.threshold(calibrated=False),
        name=questions.name,
        sha256=questions.sha256,
        risk=risk,
    )


def count_at(outcomes: Sequence[Outcome], threshold: float) -> Counts:
    """What is counted where a confidence of at least `threshold` makes an answer."""
    answerable = [one for one in outcomes if one.is_answerable]
    unanswerable = [one for one in outcomes if not one.is_answerable]
    given = [one for one in outcomes if _is_given(one, threshold)]
    right = [one for one in given if one.best_is_right]
    with_evidence = [one for one in answerable if one.is_right_document is not None]
    from_right_document = [
        one for one in with_evidence if one.is_right_document and _is_given(one, threshold)
    ]
    answered = sum(one.is_answerable for one in given)
    return Counts(
        threshold=threshold,
        right=share(len(right), len(answerable)),
        wrong=share(answered - len(right), len(answerable)),
        refused=share(len(answerable) - answered, len(answerable)),
        rightly_refused=share(
            sum(not _is_given(one, threshold) for one in unanswerable), len(unanswerable)
        ),
        right_document=share(len(from_right_document), len(with_evidence)),
        risk=share(len(given) - len(right), len(given)),
    )


def _is_given(outcome: Outcome, threshold: float) -> bool:
    return bool(outcome.text) and outcome.confidence >= threshold


def _outcome(index: Index, question: Question, risk: float | None, threshold: float) -> Outcome:
    best = index.ask(
        question.text,
        document=question.document,
        history=question.history,
        risk=risk,
        threshold=0.0,
    )
    citation = best.citations[0] if isinstance(best, Answer) else None
    is_right = is_right_answer(question, best)
    result = Result.REFUSED
    if citation is not None and best.confidence >= threshold:
        result = Result.RIGHT if is_right else Result.WRONG
    elif len(question_parts(question.text)) > 1:
        # Of a question with parts, those may be answered that are sure enough.
        told = index.ask(
            question.text, document=question.document, history=question.history, risk=risk
        )
        if isinstance(told, Answer):
            result = Result.RIGHT if is_right_answer(question, told) else Result.WRONG
    return Outcome(
        id=question.id,
        question=question.text,
        is_answerable=question.is_answerable,
        result=result,
        confidence=best.confidence,
        best_is_right=is_right,
        is_right_document=_is_right_document(question, citation),
        text=best.text if citation else "",
        document=citation.document.path if citation else "",
        start=citation.position.start if citation else 0,
        end=citation.position.end if citation else 0,
    )


def _is_right_document(question: Question, citation: Citation | None) -> bool | None:
    if question.is_answerable and not question.evidence:
        return None
    documents = {place.document for place in question.evidence}
    return citation is not None and citation.document.path in documents


def is_right_answer(question: Question, found: Answer | Refusal) -> bool:
    """Whether any quote of an answer answers; a refusal never does."""
    return isinstance(found, Answer) and any(
        is_answered_by(question, citation) for citation in found.citations
    )


def is_answered_by(question: Question, citation: Citation) -> bool:
    """Whether a quote shares at least one code point with the evidence, or holds an answer.

    Answers are looked for only where there is no evidence, word by word in any case. Nothing
    answers a question that the documents do not answer.
    """
    if not question.is_answerable:
        return False
    if question.evidence:
        return any(
            place.document == citation.document.path
            and place.span.start < citation.position.end
            and citation.position.start < place.span.end
            for place in question.evidence
        )
    quoted = f" {' '.join(_words(citation.quote.exact))} "
    return any(f" {' '.join(_words(answer))} " in quoted for answer in question.answers)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
