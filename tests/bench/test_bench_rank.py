"""Lists of candidate sentences, and how an order of them is judged."""

from pathlib import Path

import pytest
from bench.rank import Candidates, average_precision, read_lists


def test_average_precision_is_the_mean_of_the_precision_at_each_right_one() -> None:
    assert average_precision([2, 0, 1], frozenset({2, 1})) == pytest.approx((1 + 2 / 3) / 2)
    assert average_precision([0, 1], frozenset({1})) == 0.5


def test_a_table_gives_a_list_for_each_question_that_some_sentences_answer(tmp_path: Path) -> None:
    head = "QuestionID\tQuestion\tDocumentID\tDocumentTitle\tSentenceID\tSentence\tLabel\n"
    rows = [
        'Q1\thow old is it\tD1\tThe "Lamp"\tD1-0\tIt is blue.\t0\n',
        'Q1\thow old is it\tD1\tThe "Lamp"\tD1-1\tIt "was" made in 1974.\t1\n',
        "Q2\twhy\tD2\tA\tD2-0\tNobody knows.\t0\n",
    ]
    (tmp_path / "test.tsv").write_text(head + "".join(rows), encoding="utf-8")
    (found,) = read_lists(tmp_path)
    assert found == Candidates(
        "how old is it", 'The "Lamp"', ("It is blue.", 'It "was" made in 1974.'), frozenset({1})
    )


def test_documents_give_the_sentences_around_the_evidence(tmp_path: Path) -> None:
    text = "The lamp is blue. It costs 40 euros."
    start = text.index("40")
    (tmp_path / "corpus.jsonl").write_text(
        f'{{"doc_id": "a", "title": "Lamp", "text": "{text}"}}\n', encoding="utf-8"
    )
    (tmp_path / "questions.jsonl").write_text(
        '{"id": 1, "question": "How much?", "answerable": true, '
        f'"evidence": [{{"doc_id": "a", "start": {start}, "end": {start + 2}}}]}}\n'
        '{"id": 2, "question": "Why?", "answerable": false}\n',
        encoding="utf-8",
    )
    (found,) = read_lists(tmp_path)
    assert found.sentences == ("The lamp is blue.", "It costs 40 euros.")
    assert found.right == {1}
