"""A catalogue that was damaged is said to be, whatever is read of it; an older one is no damage."""

import random
import sqlite3
from contextlib import suppress

import pytest

from pincite.errors import PinciteError, StoreDamaged, StoreNotFound
from pincite.store import Catalogue, schema
from pincite.store.known import known_files
from pincite.store.schema import FILE_NAME, FORMAT
from pincite.store.writer import open_writer
from tests.store.made import STAMP, document, passages, write

TEXTS = {
    "a.txt": "Refund in five days. Ask us.\n\nParcel lost.",
    "b.txt": "Tax is due.\n\nRefund later.",
}


@pytest.fixture
def store(tmp_path):
    write(tmp_path / "store", TEXTS)
    return tmp_path / "store"


def change(store, *statements):
    with sqlite3.connect(store / FILE_NAME) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()


def read_everything(store):
    with Catalogue.open(store, folder=store.parent) as catalogue, catalogue.snapshot() as corpus:
        corpus.documents()
        corpus.problems()
        corpus.languages()
        corpus.changed_since_indexed(TEXTS)
        corpus.document_frequencies(["refund", "tax"])
        keys = corpus.candidates(["refund", "tax", "parcel"], limit=10)
        corpus.locations(keys)
        corpus.term_frequencies(keys, ["refund", "tax"])
        corpus.passages(keys)
        for path in TEXTS:
            corpus.source(path)
            corpus.passages_of(path)


def rewrite(store):
    known_files(store)
    write(store, {"a.txt": "Refund.", "c.txt": "Tax."}, remove=("b.txt",))


NOT_TEXT = "CAST(x'fffe' AS TEXT)"


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM state",
        "UPDATE state SET passage_count = -1",
        "UPDATE state SET passage_count = 'many'",
        f"UPDATE state SET fingerprint = {NOT_TEXT}",
        "DELETE FROM passages WHERE key = 4",
        "DELETE FROM passage_terms WHERE key = 4",
        "UPDATE passage_terms SET terms = x'0102030405'",
        "UPDATE passage_terms SET body_length = -1",
        "UPDATE passage_terms SET body_length = 'long'",
        "UPDATE passages SET text = x'fffe'",
        "UPDATE passages SET text = 'Refund.'",
        "UPDATE passages SET start = 99",
        "UPDATE passages SET sentences = x'01020304'",
        "UPDATE passages SET sentences = x'ff000000ff000000ff000000ff000000'",
        "UPDATE passages SET heading_path = '{'",
        "UPDATE passages SET document = 3 - document, ordinal = ordinal + 2",
        f"UPDATE passages SET language = {NOT_TEXT}",
        "UPDATE terms SET passages = -1",
        "UPDATE terms SET passages = 99",
        "UPDATE documents SET path = x'ff' || path",
        "UPDATE documents SET sha256 = x'07'",
        "INSERT INTO problems VALUES (x'ff', x'ff', '', NULL, NULL, NULL, NULL, 0)",
    ],
)
def test_whatever_was_damaged_is_noticed_when_it_is_read(store, damage):
    change(store, damage)
    with pytest.raises(StoreDamaged, match=r"^the index in .* is damaged \(.+\): delete that"):
        read_everything(store)


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM state",
        "UPDATE state SET next_passage = 'last'",
        "UPDATE state SET next_passage = 1",
        "UPDATE passage_terms SET terms = x'0102030405'",
        "UPDATE passage_terms SET terms = x'ffffffffffffffff'",
        "UPDATE documents SET path = x'ff'",
        "UPDATE documents SET size = 'large'",
        "INSERT INTO terms VALUES (1099511627776, 'far', 1)",
        "INSERT INTO problems VALUES (x'ff', x'ff', '', NULL, NULL, NULL, NULL, 0)",
    ],
)
def test_and_when_the_index_is_brought_up_to_date(store, damage):
    change(store, "DELETE FROM documents WHERE path = CAST('b.txt' AS BLOB)", damage)
    with pytest.raises(StoreDamaged):
        rewrite(store)


def test_a_lexical_index_cannot_be_filled_from_terms_without_words(store):
    change(store, "DELETE FROM terms")
    for file in (store / "lexical" / "1").iterdir():
        file.unlink()
    with pytest.raises(StoreDamaged):
        Catalogue.open(store, folder=store.parent)


@pytest.mark.parametrize("seed", range(40))
def test_bytes_written_over_are_never_another_error(store, seed):
    file = store / FILE_NAME
    content = bytearray(file.read_bytes())
    chance = random.Random(seed)
    size = chance.randint(1, 512)
    start = chance.randrange(len(content) - size)
    content[start : start + size] = chance.randbytes(size)
    file.write_bytes(content)
    for attempt in (read_everything, rewrite):
        with suppress(PinciteError):
            attempt(store)


def test_words_changed_inside_the_catalogue_are_not_quoted(store):
    file = store / FILE_NAME
    content = file.read_bytes()
    assert content.count(b"Refund in five days.") == 1
    file.write_bytes(content.replace(b"Refund in five days.", b"Refund in nine days."))
    with Catalogue.open(store, folder=store.parent) as catalogue, catalogue.snapshot() as corpus:
        (key,) = corpus.candidates(["five"], limit=5)
        with pytest.raises(StoreDamaged, match="not as it was written"):
            corpus.passages([key])
        with pytest.raises(StoreDamaged, match="not as it was written"):
            corpus.passages_of("a.txt")
        assert len(corpus.passages_of("b.txt")) == 2


def test_bad_arguments_are_not_taken_for_damage(store):
    catalogue = Catalogue.open(store, folder=store.parent)
    catalogue.close()
    with pytest.raises(ValueError, match="closed"):
        catalogue.snapshot()
    made = document("c.txt", "Tax.")
    with open_writer(store) as writer, pytest.raises(AttributeError):
        writer.put(made, [None], STAMP)


OLDER_TABLES = (
    "PRAGMA user_version = 1",
    "DROP TABLE problems",
    "ALTER TABLE passages DROP COLUMN seal",
    "ALTER TABLE state DROP COLUMN analysis",
)


def test_an_older_format_is_no_index_until_it_is_written_anew(store):
    change(store, *OLDER_TABLES)
    with pytest.raises(StoreNotFound, match="pincite index"):
        Catalogue.open(store, folder=store.parent)
    assert known_files(store).files == {}
    assert write(store, {"a.txt": "Refund."}).generation == 1
    assert list(known_files(store).files) == ["a.txt"]
    header = (store / FILE_NAME).read_bytes()[:100]
    assert int.from_bytes(header[60:64], "big") == FORMAT


def test_an_older_format_stays_when_nothing_is_finished_in_its_place(store):
    change(store, *OLDER_TABLES)
    with open_writer(store) as writer:
        made = document("a.txt", "Refund.")
        writer.put(made, passages(made), STAMP)
    with sqlite3.connect(store / FILE_NAME) as connection:
        assert connection.execute("SELECT count(*) FROM documents").fetchone() == (2,)
    connection.close()


def test_another_analysis_of_texts_makes_another_index(store, monkeypatch):
    monkeypatch.setattr(schema, "ANALYSIS", "another")
    with pytest.raises(StoreNotFound):
        Catalogue.open(store, folder=store.parent)
    write(store, {"a.txt": "Refund."})
    assert list(known_files(store).files) == ["a.txt"]
