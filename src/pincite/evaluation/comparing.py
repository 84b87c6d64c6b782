"""An evaluation held against an earlier one, question by question."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pincite.errors import QuestionsUnusable
from pincite.evaluation.measuring import Evaluation, Outcome, Result
from pincite.evaluation.statistics import sign_test

SCHEMA = "pincite.eval/1"


@dataclass(frozen=True, slots=True)
class Earlier:
    """What an earlier report says of one question."""

    question: str
    is_answerable: bool
    result: Result
    text: str

    @property
    def is_good(self) -> bool:
        """Right where the documents say it, refused where they do not."""
        return self.result is (Result.RIGHT if self.is_answerable else Result.REFUSED)


@dataclass(frozen=True, slots=True)
class Change:
    """A question that something else came of than before."""

    outcome: Outcome
    before: Earlier


@dataclass(frozen=True, slots=True)
class Comparison:
    """What changed; by the order of the questions. Good is right, or rightly refused."""

    baseline: str
    """Name of the earlier report."""
    fixed: tuple[Change, ...]
    """Good now, and not before."""
    broken: tuple[Change, ...]
    """Good before, and not now."""
    changed: tuple[Change, ...]
    """As good or as bad as before, in another way: other words, or another mistake."""
    unchanged: int
    added: int
    """Questions that the earlier report does not have, or has otherwise."""
    removed: int
    """Questions of the earlier report that are not in the set now."""

    @property
    def chance(self) -> float:
        """How likely so many broken among those fixed and broken are by chance (sign test)."""
        return sign_test(len(self.fixed), len(self.broken))

    def is_worse(self, allowed: int = 0) -> bool:
        """Whether more questions broke than were fixed, by more than are `allowed`."""
        return len(self.broken) - len(self.fixed) > allowed


def read_report(data: bytes, *, name: str) -> dict[str, Earlier]:
    """The outcomes in a report of `pincite eval`, by question id; `QuestionsUnusable`."""
    try:
        record = json.loads(data.decode("utf-8-sig"))
        if record["schema"] != SCHEMA:
            raise ValueError(f"its schema is {record['schema']!r}, not {SCHEMA!r}")
        return {str(entry["id"]): _earlier(entry) for entry in record["outcomes"]}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        fault = f"it is no report as `pincite eval --out` writes them ({error})"
        raise QuestionsUnusable(name, (fault,)) from error


def compare(now: Evaluation, before: dict[str, Earlier], *, baseline: str) -> Comparison:
    """What changed since the report called `baseline`; only questions of both are compared."""
    fixed: list[Change] = []
    broken: list[Change] = []
    changed: list[Change] = []
    unchanged = added = 0
    for outcome in now.outcomes:
        earlier = before.get(outcome.id)
        if earlier is None or not _is_same_question(outcome, earlier):
            added += 1
            continue
        change = Change(outcome, earlier)
        if outcome.is_good != earlier.is_good:
            (fixed if outcome.is_good else broken).append(change)
        elif outcome.result is not earlier.result or (
            outcome.result is not Result.REFUSED and outcome.text != earlier.text
        ):
            changed.append(change)
        else:
            unchanged += 1
    asked = {outcome.id: outcome for outcome in now.outcomes}
    removed = sum(
        name not in asked or not _is_same_question(asked[name], earlier)
        for name, earlier in before.items()
    )
    return Comparison(
        baseline, tuple(fixed), tuple(broken), tuple(changed), unchanged, added, removed
    )


def _is_same_question(outcome: Outcome, earlier: Earlier) -> bool:
    return (outcome.question, outcome.is_answerable) == (earlier.question, earlier.is_answerable)


def _earlier(entry: dict[str, Any]) -> Earlier:
    return Earlier(
        question=str(entry["question"]),
        is_answerable=bool(entry["answerable"]),
        result=Result(entry["result"]),
        text=str(entry["text"]),
    )
