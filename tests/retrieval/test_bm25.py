"""Ranking of passages: exact, and the same whatever order documents came in."""

from __future__ import annotations

import math

import pytest

from pincite.retrieval.bm25 import Bm25Settings, retrieve
from pincite.retrieval.ranking import top_k
from pincite.retrieval.weighting import BACKGROUND_PASSAGES, term_weights
from tests.corpora import corpus_of

FILES = {
    "a.txt": "The lamp has a cable. The cable is long.",
    "b.txt": "The chair has four legs.",
    "c.txt": "A lamp and a chair stand in the hall.",
}
WEIGHTS = {"lamp": 1.0, "cabl": 2.0, "chair": 1.0}


def paths(files: dict[str, str], *terms: str) -> list[str]:
    found = retrieve({"en": terms}, WEIGHTS, corpus_of(files), limit=10)
    return [scored.passage.path for scored in found]


def test_passages_with_more_of_the_question_come_first() -> None:
    assert paths(FILES, "lamp", "cabl") == ["a.txt", "c.txt"]


def test_the_order_in_which_documents_were_added_changes_nothing() -> None:
    backwards = dict(reversed(FILES.items()))
    assert paths(FILES, "lamp", "chair") == paths(backwards, "lamp", "chair")


def test_equal_passages_are_ranked_in_reading_order() -> None:
    files = {"b.txt": "Fees rise.", "a.txt": "Fees rise."}
    found = retrieve({"en": ("fee",)}, {"fee": 1.0}, corpus_of(files), limit=2)
    assert [(s.passage.path, s.score) for s in found] == [
        ("a.txt", found[0].score),
        ("b.txt", found[0].score),
    ]


def test_the_score_is_bm25_as_written_down() -> None:
    corpus = corpus_of({"x.txt": "Fees rise. Fees fall."})
    settings = Bm25Settings(field_weights=(0.0, 0.0, 1.0))
    (found,) = retrieve({"en": ("fee",)}, {"fee": 3.0}, corpus, limit=1, settings=settings)
    # Two occurrences in the only passage, whose length is the mean: no length normalisation.
    assert found.score == pytest.approx(3.0 * 2 * 2.2 / (2 + 1.2), abs=1e-6)


def test_a_passage_is_matched_only_by_the_terms_of_its_own_language() -> None:
    corpus = corpus_of({"en.txt": "The fees of the bank rise each year, as the law says."})
    assert retrieve({"de": ("fee",)}, {"fee": 1.0}, corpus, limit=5) == []


def test_no_terms_and_no_matches_find_nothing() -> None:
    corpus = corpus_of(FILES)
    assert retrieve({"en": ()}, {}, corpus, limit=5) == []
    assert retrieve({"en": ("zebra",)}, {"zebra": 9.0}, corpus, limit=5) == []


def test_one_document_can_be_asked_alone() -> None:
    found = retrieve({"en": ("lamp",)}, WEIGHTS, corpus_of(FILES), limit=5, document="c.txt")
    assert [scored.passage.path for scored in found] == ["c.txt"]


def test_scores_are_rounded_before_they_are_compared() -> None:
    places = [("b", 0), ("a", 0)]
    assert top_k(["later", "earlier"], [1.0 + 1e-12, 1.0], places, 2) == [
        ("earlier", 1.0),
        ("later", 1.0),
    ]


def test_a_rare_word_weighs_more_than_a_common_one_even_in_a_tiny_corpus() -> None:
    weights = term_weights({"en": ("island", "use")}, {"island": 1, "use": 1}, 3)
    assert weights["island"] > weights["use"] > 0


def test_in_a_language_without_background_only_the_corpus_counts() -> None:
    weights = term_weights({"ja": ("料金",)}, {"料金": 1}, 4)
    assert weights["料金"] == pytest.approx(math.log1p((4 - 1 + 0.5) / (1 + 0.5)))


def test_a_word_in_every_passage_still_weighs_a_little() -> None:
    weights = term_weights({"en": ("fee",)}, {"fee": 50}, 50)
    assert 0 < weights["fee"] < math.log1p(BACKGROUND_PASSAGES)
