"""What every lexical engine must do; a new engine is one more line in `ENGINES`."""

from collections.abc import Callable
from pathlib import Path

import pytest

from pincite.protocols import FieldTerms, LexicalEngine
from pincite.store.lexical import TantivyEngine
from pincite.store.postings import PostingsEngine

ENGINES: dict[str, Callable[[Path], LexicalEngine]] = {
    "tantivy on disk": lambda place: TantivyEngine.create(place / "lexical"),
    "tantivy in memory": lambda place: TantivyEngine.create(None),
    "postings": lambda place: PostingsEngine(),
}


@pytest.fixture(params=sorted(ENGINES))
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> LexicalEngine:
    return ENGINES[request.param](tmp_path)


def body(*terms: str) -> FieldTerms:
    return FieldTerms(title=[], headings=[], body=terms)


def found(engine: LexicalEngine, *terms: str, limit: int = 10, inside: int | None = None) -> set:
    better, equal = engine.candidates(terms, limit=limit, document_key=inside)
    assert len(better) <= limit
    return {*better, *equal}


def test_any_of_the_terms_makes_a_candidate(engine):
    engine.upsert([(1, 1, body("refund", "day")), (2, 1, body("parcel")), (3, 2, body("tax"))])
    engine.commit()
    assert found(engine, "refund", "parcel") == {1, 2}


def test_terms_are_found_in_every_field(engine):
    engine.upsert(
        [
            (1, 1, FieldTerms(title=["refund"], headings=[], body=["x"])),
            (2, 1, FieldTerms(title=[], headings=["refund"], body=["x"])),
            (3, 1, FieldTerms(title=[], headings=[], body=["refund"])),
        ]
    )
    engine.commit()
    assert found(engine, "refund") == {1, 2, 3}


def test_what_is_not_committed_need_not_be_seen_but_then_is(engine):
    engine.upsert([(1, 1, body("refund"))])
    engine.commit()
    engine.upsert([(2, 1, body("refund"))])
    engine.commit()
    assert found(engine, "refund") == {1, 2}
    assert engine.passage_count() == 2


def test_an_equal_key_is_replaced(engine):
    engine.upsert([(1, 1, body("refund")), (2, 1, body("parcel"))])
    engine.commit()
    engine.upsert([(1, 7, body("tax"))])
    engine.commit()
    assert found(engine, "refund") == set()
    assert found(engine, "tax", inside=7) == {1}
    assert engine.passage_count() == 2


def test_an_equal_key_in_one_batch_is_replaced(engine):
    engine.upsert([(1, 1, body("refund")), (1, 1, body("tax"))])
    engine.commit()
    assert found(engine, "refund", "tax") == {1}
    assert engine.passage_count() == 1


def test_deleted_passages_are_gone_and_unknown_keys_ignored(engine):
    engine.upsert([(1, 1, body("refund")), (2, 1, body("refund"))])
    engine.commit()
    engine.delete([1, 99])
    engine.commit()
    assert found(engine, "refund") == {2}
    assert engine.passage_count() == 1


def test_only_passages_of_the_asked_document(engine):
    engine.upsert([(1, 1, body("refund")), (2, 2, body("refund")), (3, 2, body("tax"))])
    engine.commit()
    assert found(engine, "refund", inside=2) == {2}
    assert found(engine, "refund", inside=3) == set()


def test_the_best_are_chosen_when_there_are_more_than_the_limit(engine):
    engine.upsert((key, 1, body("day", *["filler"] * 5)) for key in range(1, 51))
    engine.upsert([(51, 1, body("day", "refund"))])
    engine.commit()
    better, _ = engine.candidates(["day", "refund"], limit=3)
    assert 51 in better


def test_equals_are_all_given_for_the_last_places(engine):
    engine.upsert((key, 1, body("refund", "parcel")) for key in range(1, 51))
    engine.upsert([(60, 1, body("refund", "refund"))])
    engine.commit()
    better, equal = engine.candidates(["refund"], limit=4)
    assert better == [60]
    assert sorted(equal) == list(range(1, 51))


def test_no_term_no_candidate(engine):
    engine.upsert([(1, 1, body("refund"))])
    engine.commit()
    assert found(engine) == set()
    assert found(engine, "absent") == set()


def test_terms_are_taken_as_they_are(engine):
    terms = ["a:b", '"', "(", "AND", "max_connections", "4.2.1", "日本", "صلى الله", "x*", "\\"]
    engine.upsert((key, 1, body(term)) for key, term in enumerate(terms))
    engine.commit()
    assert [found(engine, term) for term in terms] == [{key} for key in range(len(terms))]


def test_an_empty_engine_answers(engine):
    engine.commit()
    assert found(engine, "refund") == set()
    assert engine.passage_count() == 0
