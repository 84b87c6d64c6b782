"""Which passages are read for a question: by words, and by vectors where they are."""

from __future__ import annotations

from pathlib import Path

from pincite.embedding import give_vectors
from pincite.engine import understand
from pincite.records import ScoredPassage
from pincite.retrieval.bm25 import retrieve
from pincite.retrieval.combining import encoded_text, find
from pincite.store import Catalogue
from tests.store.encoders import WordEncoder
from tests.store.made import document, passages, write

FILES = {
    "a.txt": "Money comes home within five days.",
    "b.txt": "The chair has four legs.",
    "c.txt": "A lamp and a chair stand in the hall.",
}
MEANING = {"refund": "home", "refunded": "home"}


def found(
    store: Path,
    question: str,
    encoder: WordEncoder | None,
    *,
    limit: int = 9,
    document: str | None = None,
) -> list[ScoredPassage]:
    with Catalogue.open(store, folder=store.parent) as catalogue, catalogue.snapshot() as corpus:
        query = understand(question, corpus, ())
        return find(query, corpus, encoder, limit=limit, document=document)


def made(store: Path, encoder: WordEncoder) -> Path:
    write(store, FILES)
    list(give_vectors(store.parent, store, encoder))
    return store


def test_what_is_said_in_other_words_is_found_by_its_vector(tmp_path: Path) -> None:
    encoder = WordEncoder(same=MEANING)
    store = made(tmp_path / "store", encoder)
    assert found(store, "refund", None) == []
    passage, *_ = found(store, "refund", encoder)
    assert (passage.passage.path, passage.words) == ("a.txt", 0.0)
    assert passage.nearness > 0.3


def test_a_passage_that_both_find_comes_first(tmp_path: Path) -> None:
    encoder = WordEncoder(same=MEANING)
    store = made(tmp_path / "store", encoder)
    ranked = found(store, "Is the chair refunded?", encoder)
    assert ranked[0].passage.path == "b.txt"
    assert {one.passage.path for one in ranked} == set(FILES)
    assert [one.score for one in ranked] == sorted((one.score for one in ranked), reverse=True)


def test_the_words_alone_decide_while_a_passage_has_no_vector(tmp_path: Path) -> None:
    encoder = WordEncoder(same=MEANING)
    store = made(tmp_path / "store", encoder)
    write(store, {"d.txt": "Something new about a chair."})
    with Catalogue.open(store, folder=tmp_path) as catalogue, catalogue.snapshot() as corpus:
        query = understand("refund a chair", corpus, ())
        by_words = retrieve(query.terms, query.weights, corpus, limit=9)
    assert found(store, "refund a chair", encoder) == by_words
    assert found(store, "refund a chair", WordEncoder("another")) == by_words


def test_one_document_can_be_asked_alone(tmp_path: Path) -> None:
    encoder = WordEncoder(same=MEANING)
    store = made(tmp_path / "store", encoder)
    ranked = found(store, "Is the chair refunded?", encoder, document="b.txt")
    assert [one.passage.path for one in ranked] == ["b.txt"]


def test_title_and_last_headings_are_encoded_with_the_text() -> None:
    guide = document("guide.md", "Press the red button.\n", title="Lamps")
    (passage,) = passages(guide, heading_path=("Lamps", "Use", "Off"))
    assert encoded_text("Lamps", passage) == "Lamps\nUse\nOff\nPress the red button."


def test_passages_in_a_language_that_the_model_does_not_know_are_not_encoded() -> None:
    guide = document("guide.md", "Den roten Knopf drücken.\n", language="de")
    (passage,) = passages(guide)
    assert encoded_text("Lampen", passage) == ""
