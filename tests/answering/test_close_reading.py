"""Which sentences are read by the model, what it is given of them, and how it is weighed."""

from __future__ import annotations

from collections.abc import Sequence

from pincite.answering.close_reading import (
    CLOSE_CONFIDENCE_NAMES,
    RANKING_NAMES,
    READ,
    CloseScorer,
    context_of,
    words_of,
)
from pincite.answering.scorer import LinearScorer, Parameters
from pincite.engine import AskSettings, ask, judge, threshold_of, understand
from pincite.protocols import Candidate
from pincite.records import Answer, BlockKind
from pincite.retrieval.bm25 import retrieve
from tests.corpora import corpus_of

EVEN = Parameters(
    ranking=tuple({"covered": 0.1, "reading": 1.0}.get(name, 0.0) for name in RANKING_NAMES),
    confidence=tuple(float(name == "own_reading") for name in CLOSE_CONFIDENCE_NAMES),
    intercept=0.0,
)
"""The reading decides."""


class LikesWord:
    """A reader that likes the texts with one word in them, and keeps what it was given."""

    def __init__(self, word: str) -> None:
        self.word = word
        self.given: list[str] = []

    def read(self, question: str, texts: Sequence[str]) -> list[float]:
        self.given += texts
        return [4.0 if self.word in text.partition(" | ")[0] else -4.0 for text in texts]


def candidates_of(text: str, name: str = "shop.md") -> dict[str, Candidate]:
    """Every sentence of a document, by its first word."""
    corpus = corpus_of({name: text})
    passages = corpus.passages_of(name)
    return {
        passage.text[s.quote.start - passage.span.start : s.quote.end - passage.span.start]
        .strip("|*# ")
        .split()[0]: Candidate(passage, 0, 1.0, number)
        for passage in passages
        for number, s in enumerate(passage.sentences)
        if s.quote.end > s.quote.start and s.kind is not BlockKind.MARKUP
    }


def test_markup_is_not_read_and_the_words_of_links_are() -> None:
    found = candidates_of("You **must** see [the *form*](https://x.example/a) by `noon`.\n")
    assert words_of(found["You"]) == "You must see the form by noon."


def test_a_row_is_read_with_the_heads_of_its_columns() -> None:
    found = candidates_of("| Lamp | Fee |\n|---|---|\n| Desk | 4 euros |\n| Floor | 9 euros |\n")
    assert words_of(found["Desk"]) == "Lamp: Desk; Fee: 4 euros"
    assert words_of(found["Floor"]) == "Lamp: Floor; Fee: 9 euros"


def test_a_sentence_is_read_with_its_headings_and_the_end_of_the_one_before() -> None:
    found = candidates_of("# Shop\n\n## Returns\n\nLamps come back. They cost nothing.\n")
    assert context_of(found["They"], "Shop") == "Shop > Returns | Lamps come back."
    assert context_of(found["Lamps"], "Shop") == "Shop > Returns"


def test_an_item_is_read_with_the_line_that_leads_in_its_list() -> None:
    found = candidates_of("# Shop\n\nBring along:\n\n- the lamp\n- a receipt\n")
    assert context_of(found["a"], "Shop") == "Shop | Bring along:"


FILES = {
    "a.txt": "The lamp is blue. A lamp of ours costs forty euros. Nobody knows why.\n",
    "b.txt": "A lamp is a lamp is a lamp. Ask about the lamp.\n",
}


def test_the_sentence_that_the_reader_likes_is_the_answer() -> None:
    corpus = corpus_of(FILES)
    scorer = CloseScorer(LikesWord("forty"), parameters=EVEN)
    found = ask("What is the price of the lamp?", corpus, scorer=scorer)
    assert isinstance(found, Answer)
    assert found.text == "A lamp of ours costs forty euros."
    assert found.confidence > 0.9


def test_no_more_than_the_best_sentences_are_read_and_the_rest_come_after_them() -> None:
    corpus = corpus_of({"a.txt": " ".join(f"The lamp number {n} is here." for n in range(40))})
    reader = LikesWord("nothing")
    query = understand("Which lamp?", corpus, ())
    found = retrieve(query.terms, query.weights, corpus, limit=12)
    scored = judge(query, found, corpus, CloseScorer(reader, parameters=EVEN))
    assert len(reader.given) == READ
    assert scored[0].score > scored[-1].score


def test_other_languages_are_judged_by_their_words_alone() -> None:
    text = (
        "Die Lampe kostet vierzig Euro. Die Rückgabe einer Lampe ist innerhalb von Tagen möglich."
    )
    corpus = corpus_of({"a.txt": text})
    reader = LikesWord("Rückgabe")
    scorer = CloseScorer(reader, parameters=EVEN)
    query = understand("Was kostet die Lampe?", corpus, ())
    found = retrieve(query.terms, query.weights, corpus, limit=12)
    best = judge(query, found, corpus, scorer)[0]
    assert reader.given == []
    assert threshold_of(scorer, AskSettings(), best) == LinearScorer.threshold
    assert threshold_of(scorer, AskSettings(threshold=0.9), best) == 0.9
