"""Questions asked, judged and counted; and compared with an earlier report."""

from __future__ import annotations

from pincite import Index, Refusal
from pincite.evaluation.comparing import compare, read_report
from pincite.evaluation.measuring import Evaluation, Result, calibrate, count_at, evaluate
from pincite.evaluation.questions import read_questions
from pincite.render import dumps
from pincite.render.measured import evaluation_text, evaluation_to_json

from .conftest import ASKED, jsonl


def evaluated(index: Index, *lines: object) -> Evaluation:
    data = jsonl(*(lines or ASKED))
    return evaluate(index, read_questions(data, name="q.jsonl", index=index))


def test_answers_are_judged_by_evidence_and_by_answers(index: Index) -> None:
    found = evaluated(index)
    results = {outcome.id: outcome.result for outcome in found.outcomes}
    assert results == {
        "refund": Result.RIGHT,
        "weight": Result.RIGHT,
        "off": Result.REFUSED,
        "e15": Result.REFUSED,
        "wrong": Result.WRONG,
    }
    counts = found.counts
    assert (counts.right.count, counts.wrong.count, counts.refused.count) == (2, 1, 0)
    assert (counts.rightly_refused.count, counts.rightly_refused.total) == (2, 2)
    assert (counts.risk.count, counts.risk.total) == (1, 3)


def test_the_right_document_is_counted_of_questions_with_evidence_alone(index: Index) -> None:
    found = evaluated(index)
    right = found.counts.right_document
    assert (right.count, right.total) == (1, 1)
    assert {one.id: one.is_right_document for one in found.outcomes} == {
        "refund": True,
        "weight": None,
        "off": False,
        "e15": False,
        "wrong": None,
    }


def test_what_is_counted_is_what_ask_does(index: Index) -> None:
    for outcome in evaluated(index).outcomes:
        answer = index.ask(outcome.question)
        assert (outcome.result is Result.REFUSED) == isinstance(answer, Refusal)
        assert outcome.confidence == answer.confidence


def test_every_threshold_shares_out_all_questions(index: Index) -> None:
    found = evaluated(index)
    for counts in found.by_threshold:
        assert counts.right.count + counts.wrong.count + counts.refused.count == 3
        assert counts == count_at(found.outcomes, counts.threshold)
    assert found.by_threshold[0].refused.count == 0


def test_an_answer_to_what_the_documents_do_not_say_is_wrong(index: Index) -> None:
    line = {"question": "How much does the KLR-118 weigh?", "answerable": False}
    found = evaluated(index, line)
    assert found.outcomes[0].result is Result.WRONG
    assert (found.counts.risk.count, found.counts.right.total) == (1, 0)
    assert "–" in evaluation_text(found)


def test_a_report_says_what_was_fixed_and_what_broke(index: Index) -> None:
    before = evaluated(index)
    report = dumps(evaluation_to_json(before)).encode()
    same = compare(before, read_report(report, name="old.json"), baseline="old.json")
    assert (same.fixed, same.broken, same.changed, same.unchanged) == ((), (), (), 5)
    assert not same.is_worse()
    # The same questions with other answers to them: what was wrong is right, and the reverse.
    lines = [dict(one) for one in ASKED]
    lines[1]["answers"], lines[4]["answers"] = ["3 kg"], ["2.4 kg"]
    found = evaluated(index, *lines[1:], {"id": "new", "question": "x?", "answerable": False})
    other = compare(found, read_report(report, name="old.json"), baseline="old.json")
    assert [change.outcome.id for change in other.fixed] == ["wrong"]
    assert [change.outcome.id for change in other.broken] == ["weight"]
    assert (other.unchanged, other.added, other.removed) == (2, 1, 1)
    assert not other.is_worse()
    assert "broken weight (right, now wrong)" in evaluation_text(found, other)


def test_calibrating_asks_for_confidence_as_the_scorer_has_it(index: Index) -> None:
    lines = [{**one, "id": f"{one['id']}{copy}"} for copy in range(12) for one in ASKED]
    asked = read_questions(jsonl(*lines), name="q.jsonl", index=index)
    first = calibrate(index, asked, risk=0.1)
    index.calibrate(first)
    assert calibrate(index, asked, risk=0.1) == first
    assert index.info().calibrations == (first,)
    answer = index.ask("How long does a refund take?")
    assert answer.calibration is not None
    assert answer.calibration.name == "q.jsonl"
    assert answer.confidence != index.ask(answer.question, calibrated=False).confidence
