"""Why an answer came about: what is told adds up to what decided."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from pincite.answering.close_reading import CloseScorer
from pincite.answering.scorer import LinearScorer
from pincite.embedding import give_vectors
from pincite.engine import AskSettings, ask
from pincite.explaining import explain
from pincite.explanations import Explanation
from pincite.protocols import Candidate, Corpus, Query, ScoredCandidate, Scorer
from pincite.records import Answer, Refusal
from pincite.render.explained import explanation_text, explanation_to_json
from pincite.render.pages import explanation_page
from pincite.store import Catalogue
from tests.corpora import corpus_of
from tests.store.encoders import WordEncoder
from tests.store.made import write

SHOP = {
    "delivery.md": "# Delivery\n\nParcels to islands take 2 extra working days. "
    "Express delivery costs 6 euros. Standard delivery is <free> of charge.\n",
    "lamps.md": "# Lamps\n\nThe KLR-118 desk lamp has a known cable fault.\n",
}
QUESTION = "How much is express delivery?"


class LongerIsBetter:
    """A reader that stands in for the model: its reading of a text is its length."""

    def read(self, question: str, texts: list[str]) -> list[float]:
        return [len(text) / 100 for text in texts]


class Silent:
    """A scorer that does not say why."""

    name = "silent/1"
    threshold = 0.5

    def score(
        self, query: Query, candidates: list[Candidate], corpus: Corpus
    ) -> list[ScoredCandidate]:
        return [ScoredCandidate(one, -number, 0.9) for number, one in enumerate(candidates)]


def explained(scorer: Scorer, question: str = QUESTION) -> Explanation:
    return explain(question, corpus_of(SHOP), scorer=scorer)


@pytest.mark.parametrize("scorer", [LinearScorer(), CloseScorer(LongerIsBetter())])
def test_the_answer_is_what_ask_gives(scorer: Scorer) -> None:
    found = explained(scorer)
    assert found.answer == ask(QUESTION, corpus_of(SHOP), scorer=scorer)
    assert found.best_confidence == found.answer.confidence
    assert isinstance(found.answer, Answer)
    assert found.sentences[0].score == found.answer.citations[0].score
    assert [passage.path for passage in found.passages if passage.used] == ["delivery.md"]


@pytest.mark.parametrize("scorer", [LinearScorer(), CloseScorer(LongerIsBetter())])
def test_the_amounts_add_up(scorer: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincite.explaining.REASONS_SHOWN", 1000)
    found = explained(scorer)
    for sentence in found.sentences:
        total = math.fsum(one.amount for one in sentence.reasons)
        assert total == pytest.approx(sentence.score, abs=1e-5)
    first, second = found.sentences[:2]
    lead = math.fsum(one.amount for one in found.lead)
    assert lead == pytest.approx(first.score - second.score, abs=1e-5)
    odds = math.fsum(one.amount for one in found.confidence)
    assert 1 / (1 + math.exp(-odds)) == pytest.approx(found.best_confidence, abs=1e-5)


def test_what_was_looked_for_is_told_with_its_weight() -> None:
    found = explained(LinearScorer())
    terms = {term.term: term for term in found.terms}
    assert terms["express"].passages == 1
    assert [term.weight for term in found.terms] == sorted(
        (term.weight for term in found.terms), reverse=True
    )
    assert "money" in found.expects
    assert found.passages[0].ranks == (("lexical", 1),)


def test_each_way_that_speaks_for_a_passage_is_told_with_its_rank(tmp_path: Path) -> None:
    store = tmp_path / "store"
    write(store, {"a.txt": "Money comes home within days.", "b.txt": "The lamp has a fault."})
    encoder = WordEncoder(same={"refund": "home"})
    list(give_vectors(tmp_path, store, encoder))
    with Catalogue.open(store, folder=tmp_path) as catalogue, catalogue.snapshot() as corpus:
        found = explain("Refund the lamp?", corpus, scorer=LinearScorer(), encoder=encoder)
    assert found.answer.encoder == encoder.name
    ranks = {passage.path: dict(passage.ranks) for passage in found.passages}
    assert set(ranks["b.txt"]) == {"lexical", "vectors"}
    assert ranks["b.txt"]["lexical"] == 1
    assert set(ranks["a.txt"]) == {"vectors"}


def test_a_scorer_that_does_not_say_why_is_explained_without() -> None:
    found = explained(Silent())
    assert (found.lead, found.confidence, found.sentences[0].reasons) == ((), (), ())
    assert "Sentences:" in explanation_text(found)


@pytest.mark.parametrize("question", ["Who painted the chapel?", "What is it?"])
def test_a_refusal_is_explained_as_well(question: str) -> None:
    found = explained(LinearScorer(), question)
    assert isinstance(found.answer, Refusal)
    assert (found.passages, found.sentences) == ((), ())
    assert f"refused ({found.answer.reason.value})" in explanation_text(found)
    assert "<h1>" in explanation_page(found)


def test_a_threshold_moves_the_verdict_and_nothing_else() -> None:
    corpus = corpus_of(SHOP)
    strict = explain(
        QUESTION, corpus, scorer=LinearScorer(), settings=AskSettings(threshold=0.9999)
    )
    assert isinstance(strict.answer, Refusal)
    assert strict.threshold == 0.9999
    assert strict.sentences == explained(LinearScorer()).sentences


def test_words_of_documents_are_no_markup_on_the_page() -> None:
    page = explanation_page(explained(LinearScorer(), "Is standard delivery free of charge?"))
    assert "&lt;free&gt;" in page
    assert "<free>" not in page
    assert explanation_to_json(explained(LinearScorer()))["schema"] == "pincite.explain/1"
