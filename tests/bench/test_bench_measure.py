"""The figures of a report, from outcomes small enough to count by hand."""

from pathlib import Path

import pytest
from bench.data import Gold, Question
from bench.measure import (
    Outcome,
    Quoted,
    Verifier,
    auroc,
    calibration_error,
    figures,
    interval,
    is_right,
    is_right_document,
    refused_at,
)


@pytest.mark.parametrize(
    ("quote", "right"),
    [
        (Quoted("a", 0, 5, "....."), False),
        (Quoted("a", 0, 6, "......"), True),
        (Quoted("a", 6, 7, "."), True),
        (Quoted("a", 8, 20, "............"), False),
        (Quoted("a", 0, 20, "...................."), True),
        (Quoted("b", 5, 8, "..."), False),
    ],
)
def test_a_quote_is_right_when_it_shares_a_code_point_with_gold_of_its_document(
    quote: Quoted, right: bool
) -> None:
    assert is_right([quote], [Gold("a", 5, 8)]) is right


def test_one_right_quote_is_enough_but_the_document_is_that_of_the_first() -> None:
    quotes = [Quoted("b", 5, 8, "..."), Quoted("a", 5, 8, "...")]

    assert is_right(quotes, [Gold("a", 5, 8)])
    assert not is_right_document(quotes, [Gold("a", 5, 8)])


def test_calibration_error_weighs_the_gap_of_each_bin_by_its_answers() -> None:
    # 0.9, 0.9 and 0.9: two of three right, gap 0.7; 0.3: right, gap 0.7.
    assert calibration_error([0.9, 0.9, 0.9, 0.3], [True, True, False, True]) == pytest.approx(
        (abs(2 - 2.7) + abs(1 - 0.3)) / 4
    )
    assert calibration_error([1.0, 0.0], [True, False]) == 0
    assert calibration_error([], []) is None


def test_auroc_counts_pairs_in_order_and_half_of_the_ties() -> None:
    assert auroc([0.9, 0.8], [0.1, 0.2]) == 1
    assert auroc([0.5, 0.5], [0.5]) == 0.5
    assert auroc([0.9, 0.1], [0.5, 0.1]) == pytest.approx((2 + 0.5) / 4)
    assert auroc([], [0.1]) is None


def test_refusals_at_a_rate_are_read_where_that_share_of_the_answerable_falls_below() -> None:
    answerable = [0.1, 0.5, 0.6, 0.7, 0.8, 0.9, 0.9, 0.9, 0.9, 0.9]
    unanswerable = [0.05, 0.2, 0.4, 0.95]

    assert refused_at(0.10, answerable, unanswerable) == 0.75
    assert refused_at(0.0, answerable, unanswerable) == 0.25
    assert refused_at(1.0, answerable, unanswerable) == 1.0
    assert refused_at(0.10, answerable, []) is None


def test_refusals_between_two_thresholds_are_shared_out_evenly() -> None:
    # All tie: refusing a tenth of what looks alike refuses a tenth of each.
    assert refused_at(0.10, [0.5] * 4, [0.5] * 3) == pytest.approx(0.10)


def test_the_interval_holds_the_share_is_the_same_every_time_and_narrows() -> None:
    few, many = interval(6, 10), interval(600, 1000)

    assert few is not None
    assert many is not None
    assert few == interval(6, 10)
    assert few[0] < 0.6 < few[1]
    # 1.96 standard errors of 0.6 over a thousand questions.
    assert many == pytest.approx((0.57, 0.63), abs=0.003)
    assert interval(10, 10) == (1.0, 1.0)
    assert interval(0, 0) is None


def test_quotes_and_lines_are_checked_against_the_file_itself(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes("é\r\nzwei\rdrei\n".encode())
    verifier = Verifier(tmp_path, {"a": "a.txt"})

    assert verifier.text_stands(Quoted("a", 3, 7, "zwei"))
    assert not verifier.text_stands(Quoted("a", 2, 6, "zwei"))
    assert not verifier.text_stands(Quoted("a", 3, 3, ""))
    assert not verifier.text_stands(Quoted("unknown", 0, 4, "zwei"))
    assert verifier.lines_stand(Quoted("a", 3, 7, "zwei", lines=(2, 2)))
    assert verifier.lines_stand(Quoted("a", 3, 12, "zwei\rdrei", lines=(2, 3)))
    assert not verifier.lines_stand(Quoted("a", 3, 7, "zwei", lines=(1, 1)))


def test_a_report_counts_answers_refusals_and_quotes(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"Open at nine. Shut at six.")
    opening = Quoted("a", 0, 13, "Open at nine.", lines=(1, 1))
    closing = Quoted("a", 14, 26, "Shut at six.", lines=(1, 1))
    yes = Question("1", "When open?", True, (Gold("a", 5, 12),))
    questions = [yes, yes, yes, yes, *[Question("2", "Who?", False)] * 2]
    outcomes = [
        Outcome(False, 0.9, (opening,), 0.001),
        Outcome(False, 0.8, (closing,), 0.001),
        Outcome(False, 0.7, (Quoted("a", 1, 13, "Open at nine", lines=(1, 1)),), 0.001),
        Outcome(True, 0.2, (), 0.001),
        Outcome(True, 0.1, (), 0.001),
        Outcome(False, 0.6, (closing,), 0.001),
    ]

    got = figures(
        questions,
        outcomes,
        Verifier(tmp_path, {"a": "a.txt"}),
        off_topic=[Outcome(True, 0.0, (), 0.001)],
        probabilities=True,
    )

    assert got["right_sentence"] == 50
    assert got["right_sentence_of_answered"] == pytest.approx(66.67)
    assert got["document_at_1"] == 75
    assert got["false_refusals"] == 25
    assert got["unanswerable_refused"] == 50
    assert got["off_topic_refused"] == 100
    assert got["overall_correct"] == 50
    assert got["quotes_that_verify"] == 75
    assert got["lines_that_verify"] == 100
    assert (got["quote_length_median"], got["quote_length_max"]) == (12, 13)
    assert got["calibration_error"] == pytest.approx(100 * (0.1 + 0.8 + 0.3 + 0.6) / 4)
    assert got["auroc"] == pytest.approx(100 * 7 / 8)
