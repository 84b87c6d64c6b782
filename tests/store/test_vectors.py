"""Vectors of passages: found exactly, whatever order they came in, and gone with their document."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.embedding import give_vectors
from pincite.errors import StoreDamaged
from pincite.protocols import VECTOR_LENGTH
from pincite.store import Catalogue, nearest
from pincite.store.schema import FILE_NAME
from pincite.store.vectors import VectorCount, write_vectors
from tests.store.encoders import WordEncoder
from tests.store.made import write

TEXTS = {
    "a.txt": "A refund takes five days.\n\nA parcel is lost.",
    "b.txt": "The tax is due.\n\nA refund comes later.\n\nA refund takes five days.",
}


def encoded(store: Path, encoder: WordEncoder | None = None) -> list[VectorCount]:
    return list(give_vectors(store.parent, store, encoder or WordEncoder()))


def near(
    store: Path, question: str, *, limit: int = 9, document: str | None = None
) -> list[tuple[str, int, int]]:
    """(path, ordinal, inner product) of the passages nearest to `question`, best first."""
    (vector,) = WordEncoder().encode_packed([question])
    with Catalogue.open(store, folder=store.parent) as catalogue, catalogue.snapshot() as corpus:
        found = corpus.nearness(vector, limit=limit, keys=[], document=document)
        places = corpus.locations(list(found))
        return [
            (path, ordinal, product)
            for (path, ordinal, _), product in zip(places, found.values(), strict=True)
        ]


def near_and_encoded(store: Path) -> None:
    near(store, "refund")
    encoded(store)


@given(
    seed=st.integers(0, 2**32 - 1),
    rows=st.integers(1, 3_000),
    extreme=st.sampled_from([1, 20, 127]),
)
def test_inner_products_are_exact_with_the_library_and_without(
    seed: int, rows: int, extreme: int
) -> None:
    random = np.random.default_rng(seed)
    matrix = random.integers(-extreme, extreme + 1, (rows, VECTOR_LENGTH), dtype=np.int8)
    query = random.integers(-extreme, extreme + 1, VECTOR_LENGTH, dtype=np.int8)
    exact = matrix.astype(np.int64) @ query.astype(np.int64)
    assert np.array_equal(nearest.inner_products(matrix, query.tobytes()), exact)
    assert np.array_equal(nearest.inner_products_by_numpy(matrix, query), exact)


@pytest.mark.parametrize("sign", [1, -1])
def test_the_largest_possible_inner_product_is_exact(sign: int) -> None:
    matrix = np.full((2, VECTOR_LENGTH), 127, np.int8)
    query = np.full(VECTOR_LENGTH, sign * 127, np.int8)
    expected = [sign * VECTOR_LENGTH * 127 * 127] * 2
    assert nearest.inner_products(matrix, query.tobytes()).tolist() == expected
    assert nearest.inner_products_by_numpy(matrix, query).tolist() == expected


@given(seed=st.integers(0, 2**32 - 1), limit=st.integers(1, 60))
def test_the_nearest_are_those_of_looking_at_each_one(seed: int, limit: int) -> None:
    random = np.random.default_rng(seed)
    # Few values, so that many are equally near.
    matrix = random.integers(-1, 2, (50, VECTOR_LENGTH), dtype=np.int8)
    matrix[:, 6:] = 0
    query = random.integers(-1, 2, VECTOR_LENGTH, dtype=np.int8)
    vectors = nearest.PassageVectors(matrix, np.arange(100, 150), {b"a": (0, 50)})
    products = (matrix.astype(float) @ query.astype(float)).tolist()
    order = sorted((row for row in range(50) if products[row] > 0), key=lambda r: -products[r])
    found = vectors.nearness(query.tobytes(), limit=limit, keys=[])
    assert list(found.items()) == [(100 + row, products[row]) for row in order[:limit]]


def test_equally_near_passages_are_found_in_reading_order(tmp_path: Path) -> None:
    write(tmp_path / "store", dict(reversed(TEXTS.items())))
    encoded(tmp_path / "store")
    found = near(tmp_path / "store", "a refund takes five days", limit=3)
    assert [place[:2] for place in found] == [("a.txt", 0), ("b.txt", 2), ("b.txt", 1)]
    assert near(tmp_path / "store", "a refund takes five days", limit=1) == found[:1]


def test_one_document_can_be_searched_alone(tmp_path: Path) -> None:
    write(tmp_path / "store", TEXTS)
    encoded(tmp_path / "store")
    found = near(tmp_path / "store", "A refund takes five days.", document="b.txt")
    assert [place[0] for place in found] == ["b.txt"] * len(found)
    assert found[0][1] == 2
    assert near(tmp_path / "store", "refund", document="c.txt") == []


def test_the_order_in_which_documents_came_and_went_changes_nothing(tmp_path: Path) -> None:
    write(tmp_path / "one", TEXTS)
    encoded(tmp_path / "one")
    grown = tmp_path / "grown"
    write(grown, {"b.txt": TEXTS["b.txt"], "gone.txt": "A refund takes five days."})
    encoded(grown)
    write(grown, {"a.txt": "A refund."})
    encoded(grown)
    write(grown, {"a.txt": TEXTS["a.txt"]}, remove=("gone.txt",))
    encoded(grown)
    for question in ("refund", "a parcel or a tax", "five days"):
        assert near(grown, question) == near(tmp_path / "one", question) != []


def test_only_passages_without_a_vector_are_encoded(tmp_path: Path) -> None:
    store = tmp_path / "store"
    write(store, TEXTS)
    encoder = WordEncoder()
    assert encoded(store, encoder)[-1] == VectorCount(1, 5, 5)
    assert len(encoder.given) == 5
    write(store, {"c.txt": "Something new."})
    assert encoded(store, encoder) == [VectorCount(2, 5, 6), VectorCount(2, 6, 6)]
    assert encoder.given[5:] == ["c\nSomething new."]


def test_vectors_are_used_only_when_every_passage_has_one(tmp_path: Path) -> None:
    store = tmp_path / "store"
    write(store, TEXTS)
    assert near(store, "refund") == []
    encoded(store)
    assert near(store, "refund") != []
    write(store, {"c.txt": "Something new."})
    assert near(store, "refund") == []
    encoded(store)
    assert near(store, "something")[0][0] == "c.txt"


def test_another_encoder_replaces_all_vectors(tmp_path: Path) -> None:
    store = tmp_path / "store"
    write(store, TEXTS)
    encoded(store)
    other = WordEncoder("other")
    assert [count.vectors for count in encoded(store, other)] == [0, 5]
    assert len(other.given) == 5


def test_vectors_go_with_their_document_and_leave_nothing_in_any_file(tmp_path: Path) -> None:
    store = tmp_path / "store"
    write(store, TEXTS)
    encoded(store)
    (vector,) = WordEncoder().encode_packed(["b\nThe tax is due."])
    assert vector in (store / FILE_NAME).read_bytes()
    write(store, {}, remove=("b.txt",))
    assert all(vector not in path.read_bytes() for path in store.rglob("*") if path.is_file())
    assert encoded(store) == [VectorCount(2, 2, 2)]


def test_nothing_is_written_where_the_index_changed_meanwhile(tmp_path: Path) -> None:
    store = tmp_path / "store"
    write(store, TEXTS)
    with Catalogue.open(store, folder=tmp_path) as catalogue, catalogue.snapshot() as corpus:
        seen = corpus.vector_count("words")
        chosen = corpus.unencoded("words", after=0, limit=2)
    write(store, {}, remove=("a.txt",))
    vectors = [bytes(VECTOR_LENGTH)] * 2
    assert write_vectors(store, "words", seen, chosen, vectors) == VectorCount(2, 0, 3)
    assert encoded(store)[-1] == VectorCount(2, 3, 3)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE vectors SET vectors = substr(vectors, 2)",
        "UPDATE vectors SET count = count + 1 WHERE document = 1",
        "UPDATE vectors SET vectors = 'text'",
        "DELETE FROM vectors WHERE document = 1",
        "UPDATE state SET vector_count = 9",
    ],
)
def test_damaged_vectors_are_said_to_be(tmp_path: Path, damage: str) -> None:
    store = tmp_path / "store"
    write(store, TEXTS)
    encoded(store)
    with sqlite3.connect(store / FILE_NAME) as connection:
        connection.execute(damage)
    connection.close()
    with pytest.raises(StoreDamaged):
        near_and_encoded(store)
