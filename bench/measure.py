"""What is counted: from questions and what came back to the figures of a report."""

from __future__ import annotations

import math
import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bench.data import Gold, Question

_LINE_END = re.compile(r"\r\n|\n|\r")
FALSE_REFUSAL_POINTS = (0.10, 0.12)
RESAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words that were given as an answer, and where they are said to stand."""

    doc_id: str
    start: int
    end: int
    exact: str
    lines: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a system did with one question; a refusal has no quotes."""

    refused: bool
    confidence: float
    quotes: tuple[Quoted, ...]
    seconds: float


def is_right(quotes: Sequence[Quoted], gold: Sequence[Gold]) -> bool:
    """Whether a quote and a gold span of the same document share at least one code point."""
    return any(
        quote.doc_id == place.doc_id and quote.start < place.end and place.start < quote.end
        for quote in quotes
        for place in gold
    )


def is_right_document(quotes: Sequence[Quoted], gold: Sequence[Gold]) -> bool:
    """Whether the first quote is from a gold document."""
    return bool(quotes) and quotes[0].doc_id in {place.doc_id for place in gold}


def calibration_error(
    confidences: Sequence[float], right: Sequence[bool], bins: int = 10
) -> float | None:
    """Expected calibration error over equally wide bins, 0 to 1; None without answers."""
    if not confidences:
        return None
    members: dict[int, list[int]] = {}
    for index, confidence in enumerate(confidences):
        members.setdefault(min(int(confidence * bins), bins - 1), []).append(index)
    gaps = (
        abs(sum(right[i] for i in chosen) - sum(confidences[i] for i in chosen))
        for _, chosen in sorted(members.items())
    )
    return sum(gaps) / len(confidences)


def auroc(positives: Sequence[float], negatives: Sequence[float]) -> float | None:
    """How often a positive stands above a negative, ties half; None when there is none of one."""
    if not positives or not negatives:
        return None
    ordered = sorted(negatives)
    twice = sum(bisect_left(ordered, value) + bisect_right(ordered, value) for value in positives)
    return twice / 2 / (len(positives) * len(negatives))


def refused_at(
    rate: float, answerable: Sequence[float], unanswerable: Sequence[float]
) -> float | None:
    """Share of `unanswerable` refused where a share `rate` of `answerable` is refused.

    The threshold on the confidences is moved for it; between two thresholds (ties), refusals
    are shared out evenly. None when there is nothing of one kind.
    """
    if not answerable or not unanswerable:
        return None
    wrongly, rightly = sorted(answerable), sorted(unanswerable)
    before = (0.0, 0.0)
    for threshold in [*sorted({*wrongly, *rightly}), math.inf]:
        point = (
            bisect_left(wrongly, threshold) / len(wrongly),
            bisect_left(rightly, threshold) / len(rightly),
        )
        if point[0] > rate:
            part = (rate - before[0]) / (point[0] - before[0])
            return before[1] + part * (point[1] - before[1])
        before = point
    return before[1]


def interval(right: int, count: int, *, seed: int = 20_240_229) -> tuple[float, float] | None:
    """Bootstrap 95 % interval of the share right / count; None without questions.

    The mean of a resample of zeros and ones is binomial, so it is drawn from there directly.
    """
    if not count:
        return None
    shares = np.random.default_rng(seed).binomial(count, right / count, RESAMPLES) / count
    low, high = np.percentile(shares, [2.5, 97.5])
    return float(low), float(high)


def percentile(values: Sequence[float], percent: float) -> float | None:
    """The value that `percent` of the values do not exceed, interpolated; None without values."""
    return float(np.percentile(values, percent)) if values else None


class Verifier:
    """Checks quotes against the files themselves, not against anything Pincite says of them."""

    def __init__(self, folder: Path, paths: dict[str, str]) -> None:
        self._folder = folder
        self._paths = paths
        self._texts: dict[str, str] = {}

    def text_stands(self, quote: Quoted) -> bool:
        """Whether the decoded file holds exactly these words at exactly this place."""
        return self._text(quote.doc_id)[quote.start : quote.end] == quote.exact != ""

    def lines_stand(self, quote: Quoted) -> bool:
        """Whether the lines named are those of the place; True where none are named."""
        if quote.lines is None:
            return True
        text = self._text(quote.doc_id)
        first = len(_LINE_END.findall(text[: quote.start])) + 1
        last = first + len(_LINE_END.findall(text[quote.start : quote.end]))
        return quote.lines == (first, last)

    def _text(self, doc_id: str) -> str:
        if doc_id not in self._texts:
            path = self._paths.get(doc_id)
            content = (self._folder / path).read_bytes() if path else b""
            self._texts[doc_id] = content.decode("utf-8")
        return self._texts[doc_id]


def figures(
    questions: Sequence[Question],
    outcomes: Sequence[Outcome],
    verifier: Verifier,
    *,
    off_topic: Sequence[Outcome] = (),
    probabilities: bool = False,
) -> dict[str, Any]:
    """Everything that is counted about the answers of one system; shares are in per cent.

    None stands where a data set has no such questions. `probabilities` says that confidences
    are meant as probabilities, so that their calibration can be measured.
    """
    pairs = list(zip(questions, outcomes, strict=True))
    answerable = [(q, o) for q, o in pairs if q.answerable]
    unanswerable = [o for q, o in pairs if not q.answerable]
    answered = [(q, o) for q, o in answerable if not o.refused]
    right = [is_right(o.quotes, q.gold) for q, o in answerable]
    rightly_refused = sum(o.refused for o in unanswerable)
    given = [(q, o) for q, o in pairs if not o.refused]
    quotes = [quote for o in [*outcomes, *off_topic] for quote in o.quotes]
    lengths = [sum(len(q.exact) for q in o.quotes) for _, o in given]
    confident = [o.confidence for _, o in answerable]
    unconfident = [o.confidence for o in unanswerable]
    bounds = interval(sum(right), len(right))
    return {
        "right_sentence": _percent(sum(right), len(right)),
        "right_sentence_interval": bounds and [round(100 * bound, 2) for bound in bounds],
        "right_sentence_of_answered": _percent(sum(right), len(answered)),
        "document_at_1": _percent(
            sum(is_right_document(o.quotes, q.gold) for q, o in answerable), len(answerable)
        ),
        "false_refusals": _percent(sum(o.refused for _, o in answerable), len(answerable)),
        "unanswerable_refused": _percent(rightly_refused, len(unanswerable)),
        **{
            f"unanswerable_refused_at_{rate:.0%}": _scaled(refused_at(rate, confident, unconfident))
            for rate in FALSE_REFUSAL_POINTS
        },
        "off_topic_refused": _percent(sum(o.refused for o in off_topic), len(off_topic)),
        "overall_correct": _percent(sum(right) + rightly_refused, len(pairs)),
        "quotes": len(quotes),
        "quotes_that_verify": _percent(sum(map(verifier.text_stands, quotes)), len(quotes)),
        "lines_that_verify": _percent(sum(map(verifier.lines_stand, quotes)), len(quotes)),
        "quote_length_median": percentile(lengths, 50),
        "quote_length_p90": percentile(lengths, 90),
        "quote_length_max": max(lengths, default=None),
        "calibration_error": _scaled(
            calibration_error(
                [o.confidence for _, o in given],
                [q.answerable and is_right(o.quotes, q.gold) for q, o in given],
            )
        )
        if probabilities
        else None,
        "auroc": _scaled(auroc(confident, unconfident)),
        "seconds_p50": percentile([o.seconds for o in outcomes], 50),
        "seconds_p99": percentile([o.seconds for o in outcomes], 99),
    }


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 2) if whole else None


def _scaled(share: float | None) -> float | None:
    return None if share is None else round(100 * share, 2)
