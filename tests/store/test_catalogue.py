import sqlite3
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pincite.errors import StoreDamaged, StoreNotFound, StoreTooNew
from pincite.records import Lines, Span
from pincite.store import Catalogue
from pincite.store.catalogue import lexical_directory
from pincite.store.lexical import TantivyEngine
from pincite.store.schema import APPLICATION_ID, FILE_NAME, FORMAT
from pincite.store.writer import open_writer
from pincite.text.tokens import terms
from tests.store.made import STAMP, document, passages, write

RETURNS = "Returns are free. Send it back.\n\nRefunds take five days."


@pytest.fixture
def store(tmp_path):
    return tmp_path / ".pincite"


@pytest.fixture
def opened(tmp_path, store):
    catalogues = []

    def open_it():
        catalogues.append(Catalogue.open(store, folder=tmp_path))
        return catalogues[-1]

    yield open_it
    for catalogue in catalogues:
        catalogue.close()


def seen(catalogue):
    """Everything a snapshot says, by path and place instead of by key."""
    with catalogue.snapshot() as corpus:
        found = {}
        vocabulary = set()
        for source in corpus.documents():
            for passage in corpus.passages_of(source.path):
                vocabulary.update(terms(passage.text, passage.language))
                vocabulary.update(terms(source.title, passage.language))
        asked = sorted(vocabulary)
        for term in asked:
            keys = corpus.candidates([term], limit=10_000)
            places = corpus.locations(keys)
            frequencies = corpus.term_frequencies(keys, [term])
            found[term] = sorted(
                zip(places, frequencies.counts, frequencies.lengths, strict=True),
                key=lambda entry: entry[0],
            )
        return (
            corpus.state().fingerprint,
            corpus.statistics(),
            corpus.document_frequencies(asked),
            corpus.documents(),
            corpus.sentence_count(),
            found,
        )


def test_passages_come_back_as_they_were_written(store, opened):
    made = document("faq/returns.txt", RETURNS, title="Returns and refunds")
    given_passages = passages(made, heading_path=("Help", "Returns"))
    with open_writer(store) as writer:
        writer.put(made, given_passages, STAMP)
        state = writer.finish()
    with opened().snapshot() as corpus:
        assert corpus.state() == state
        assert corpus.source("faq/returns.txt") == (made.source, made.extraction)
        assert corpus.passages_of("faq/returns.txt") == given_passages
        keys = corpus.candidates(["refund"], limit=10)
        assert {passage.ordinal for passage in corpus.passages(keys)} == {0, 1}
        assert corpus.sentence_count() == 3


AWKWARD = [
    "nul \0 in the middle\0",
    "lone \ud800 surrogate \udfff",
    "\ufeffbom",
    "😀 beyond the plane 𝔸",
    "\r\nlines\rof\nall kinds\u2028here\x85",
    "a" * 100_000,
]


@pytest.mark.parametrize("text", AWKWARD)
def test_any_text_comes_back_code_point_by_code_point(store, opened, text):
    made = document("x.txt", text)
    with open_writer(store) as writer:
        writer.put(made, passages(made), STAMP)
        writer.finish()
    with opened().snapshot() as corpus:
        assert corpus.passages_of("x.txt") == passages(made)


def test_any_path_title_and_heading_comes_back(store, opened):
    made = document("odd \udcff/név.txt", "Words here.", title="\ud83d title\0")
    odd = passages(made, heading_path=("Head \udc00", "\0"))
    with open_writer(store) as writer:
        writer.put(made, odd, STAMP)
        writer.finish()
    with opened().snapshot() as corpus:
        assert corpus.documents() == (made.source,)
        assert corpus.passages_of(made.source.path) == odd


def test_very_long_terms_are_found_whole(store, opened):
    long = "x1" * 5_000
    write(store, {"a.txt": f"Key {long} here.", "b.txt": f"Key {long}y here."})
    with opened().snapshot() as corpus:
        ((path, _, _),) = corpus.locations(corpus.candidates([long], limit=5))
        assert path == "a.txt"
        assert corpus.document_frequencies([long, long + "y", long + "z"]) == {
            long: 1,
            long + "y": 1,
            long + "z": 0,
        }


def test_counts_are_by_field_in_the_orders_asked_for(store, opened):
    made = document("a.txt", "Parcel, parcel and refund.", title="Refund")
    with open_writer(store) as writer:
        writer.put(made, passages(made, heading_path=("Parcel", "Refund")), STAMP)
        writer.finish()
    with opened().snapshot() as corpus:
        (key,) = corpus.candidates(["parcel"], limit=1)
        frequencies = corpus.term_frequencies([key, key], ["absent", "refund", "parcel", "refund"])
        row = [(0, 0, 0), (1, 1, 1), (0, 1, 2), (1, 1, 1)]
        assert frequencies.counts == [row, row]
        assert frequencies.lengths == [(1, 2, 3), (1, 2, 3)]
        assert corpus.document_frequencies(["refund", "absent"]) == {"refund": 1, "absent": 0}


def test_the_file_name_is_part_of_the_title(store, opened):
    write(store, {"guides/roaming-charges.txt": "Ask us."})
    with opened().snapshot() as corpus:
        assert len(corpus.candidates(terms("roaming", "en"), limit=5)) == 1
        assert corpus.candidates(terms("guides", "en"), limit=5) == []


def test_candidates_inside_one_document(store, opened):
    write(store, {"a.txt": "Refund one.", "b.txt": "Refund two."})
    with opened().snapshot() as corpus:
        keys = corpus.candidates(["refund"], limit=5, document="b.txt")
        assert [path for path, _, _ in corpus.locations(keys)] == ["b.txt"]
        assert corpus.candidates(["refund"], limit=5, document="c.txt") == []


def test_among_equals_the_first_in_reading_order_are_candidates(store, opened):
    write(store, {f"f{number:03}.txt": "Refund it." for number in (7, 3, 9)})
    write(store, {f"f{number:03}.txt": "Refund it." for number in range(20) if number % 3})
    write(store, {}, remove=("f001.txt",))
    with opened().snapshot() as corpus:
        keys = corpus.candidates(["refund"], limit=4)
        assert sorted(path for path, _, _ in corpus.locations(keys)) == [
            "f002.txt",
            "f003.txt",
            "f004.txt",
            "f005.txt",
        ]


def test_passages_of_a_place(store, opened):
    write(store, {"a.txt": "One.\n\nTwo.\n\nThree.\n\nFour."})
    with opened().snapshot() as corpus:

        def ordinals(**place):
            return [passage.ordinal for passage in corpus.passages_of("a.txt", **place)]

        assert ordinals(span=Span(7, 8)) == [1]
        assert ordinals(span=Span(5, 7)) == [0, 1]
        assert ordinals(span=Span(6, 6)) == [1]
        assert 2 in ordinals(lines=Lines(5, 5))
        assert {1, 2} <= set(ordinals(lines=Lines(3, 5)))
        assert 3 not in ordinals(lines=Lines(3, 5))
        assert corpus.passages_of("b.txt") == []


TEXTS = st.lists(
    st.sampled_from(
        [
            "Refund in five days.",
            "Parcel lost.\n\nCall us, refund.",
            "",
            "Tax LMP-204 refund refund.",
        ]
    ),
    min_size=1,
    max_size=3,
).map("\n\n".join)
RUNS = st.lists(
    st.dictionaries(st.sampled_from(["a.txt", "b.txt", "c/d.txt"]), TEXTS | st.none(), max_size=3),
    min_size=1,
    max_size=4,
)


@settings(max_examples=25, deadline=None)
@given(runs=RUNS)
def test_statistics_stay_those_of_an_index_made_at_once(tmp_path_factory, runs):
    place = tmp_path_factory.mktemp("runs")
    kept: dict[str, str] = {}
    for run in runs:
        texts = {path: text for path, text in run.items() if text is not None}
        gone = tuple(path for path, text in run.items() if text is None)
        write(place / "grown", texts, remove=gone)
        kept = {path: text for path, text in kept.items() if path not in gone} | texts
    write(place / "at once", dict(sorted(kept.items(), reverse=True)))
    if not kept:
        return
    with (
        Catalogue.open(place / "grown", folder=place) as grown,
        Catalogue.open(place / "at once", folder=place) as fresh,
    ):
        assert seen(grown) == seen(fresh)


def test_terms_that_nobody_has_any_more_are_forgotten(store, opened):
    write(store, {"a.txt": "Refund parcel.", "b.txt": "Refund."})
    write(store, {}, remove=("a.txt",))
    with opened().snapshot() as corpus:
        assert corpus.document_frequencies(["refund", "parcel"]) == {"refund": 1, "parcel": 0}
    with sqlite3.connect(store / FILE_NAME) as connection:
        assert connection.execute("SELECT term FROM terms").fetchall() == [("b",), ("refund",)]
    connection.close()


def test_a_snapshot_stays_what_it_was(store, opened):
    write(store, {"a.txt": "Refund."})
    catalogue = opened()
    with catalogue.snapshot() as before:
        write(store, {"b.txt": "Refund refund."}, remove=("a.txt",))
        with catalogue.snapshot() as after:
            assert after.state().generation == 2
            assert [s.path for s in after.documents()] == ["b.txt"]
            assert [p for p, _, _ in after.locations(after.candidates(["refund"], limit=5))] == [
                "b.txt"
            ]
        assert before.state().generation == 1
        assert [p for p, _, _ in before.locations(before.candidates(["refund"], limit=5))] == [
            "a.txt"
        ]


def test_a_run_that_changes_no_document_is_no_generation(store):
    assert write(store, {"a.txt": "Refund."}).generation == 1
    with open_writer(store) as writer:
        writer.restamp("a.txt", STAMP)
        writer.remove(["absent.txt"])
        assert writer.finish().generation == 1
    assert write(store, {"b.txt": "Tax."}).generation == 2


def test_a_run_that_is_given_up_leaves_nothing(store, opened):
    write(store, {"a.txt": "Refund."})
    with open_writer(store) as writer:
        made = document("b.txt", "Refund.")
        writer.put(made, passages(made), STAMP)
    with opened().snapshot() as corpus:
        assert [s.path for s in corpus.documents()] == ["a.txt"]
    assert not lexical_directory(store, 2).exists()
    assert write(store, {"c.txt": "Refund."}).generation == 2


@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "overwritten", "of another state"])
def test_a_lexical_index_that_is_no_good_is_made_again_from_the_catalogue(store, opened, damage):
    write(store, {"a.txt": "Refund.", "b.txt": "Tax.\n\nRefund now."})
    directory = lexical_directory(store, 1)
    if damage == "of another state":
        other = TantivyEngine.create(directory)
        other.commit()
    for file in sorted(directory.iterdir()):
        content = file.read_bytes()
        if damage == "missing":
            file.unlink()
        elif damage == "empty":
            file.write_bytes(b"")
        elif damage == "cut":
            file.write_bytes(content[: len(content) // 2])
        elif damage == "overwritten":
            file.write_bytes(b"\xff" * len(content))
    with opened().snapshot() as corpus:
        found = corpus.locations(corpus.candidates(["refund"], limit=5))
        assert sorted(found) == [("a.txt", 0, "en"), ("b.txt", 1, "en")]
    write(store, {"c.txt": "Refund."})
    engine = TantivyEngine.open(lexical_directory(store, 2))
    assert engine.passage_count() == 4


def test_nothing_is_found_where_no_run_ever_finished(store, tmp_path):
    with pytest.raises(StoreNotFound, match="pincite index"):
        Catalogue.open(store, folder=tmp_path)
    with open_writer(store) as writer:
        made = document("a.txt", "Refund.")
        writer.put(made, passages(made), STAMP)
    with pytest.raises(StoreNotFound):
        Catalogue.open(store, folder=tmp_path)


@pytest.mark.parametrize(
    "content", [b"not a database at all" * 99, b"SQLite format 3\0" + b"\xff" * 9000]
)
def test_a_catalogue_that_is_no_database_is_damaged(store, tmp_path, content):
    write(store, {"a.txt": "Refund."})
    (store / FILE_NAME).write_bytes(content)
    with pytest.raises(StoreDamaged, match="delete that directory"):
        Catalogue.open(store, folder=tmp_path)
    with pytest.raises(StoreDamaged):
        open_writer(store)


def test_a_catalogue_cut_short_is_damaged_not_wrong(store, tmp_path):
    write(store, {f"{number}.txt": f"Refund {number}. " * 200 for number in range(50)})
    file = store / FILE_NAME
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 3])

    def read_everything():
        with Catalogue.open(store, folder=tmp_path) as catalogue, catalogue.snapshot() as corpus:
            for source in corpus.documents():
                corpus.passages_of(source.path)

    with pytest.raises(StoreDamaged):
        read_everything()


def test_another_programs_database_is_not_touched(store, tmp_path):
    store.mkdir()
    with sqlite3.connect(store / FILE_NAME) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = (store / FILE_NAME).read_bytes()
    with pytest.raises(StoreDamaged, match="not written by Pincite"):
        open_writer(store)
    with pytest.raises(StoreDamaged, match="not written by Pincite"):
        Catalogue.open(store, folder=tmp_path)
    assert (store / FILE_NAME).read_bytes() == before


def test_a_store_of_a_later_version_is_refused(store, tmp_path):
    write(store, {"a.txt": "Refund."})
    with sqlite3.connect(store / FILE_NAME) as connection:
        connection.execute(f"PRAGMA user_version = {FORMAT + 1}")
    connection.close()
    for attempt in (lambda: Catalogue.open(store, folder=tmp_path), lambda: open_writer(store)):
        with pytest.raises(StoreTooNew, match=f"format {FORMAT + 1}.*up to {FORMAT}"):
            attempt()


def test_the_file_says_what_it_is(store):
    write(store, {"a.txt": "Refund."})
    header = (store / FILE_NAME).read_bytes()[:100]
    assert int.from_bytes(header[68:72], "big") == APPLICATION_ID
    assert int.from_bytes(header[60:64], "big") == FORMAT


def test_many_threads_may_take_snapshots(store, opened):
    write(store, {f"{number}.txt": f"Refund {number}." for number in range(30)})
    catalogue = opened()
    failures = []

    def ask():
        try:
            for _ in range(20):
                with catalogue.snapshot() as corpus:
                    keys = corpus.candidates(["refund"], limit=50)
                    assert len(corpus.passages(keys)) == 30
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_an_open_snapshot_does_not_hold_up_a_writer(store, opened):
    write(store, {"a.txt": "Refund."})
    with opened().snapshot() as corpus:
        for number in range(5):
            write(store, {f"{number}.txt": "Tax."})
        assert len(corpus.documents()) == 1


def test_languages_are_counted_most_first(store, opened):
    with open_writer(store) as writer:
        for path, language in (("a", "de"), ("b", "en"), ("c", "en"), ("d", "cs")):
            made = document(path, "Words.", language=language)
            writer.put(made, passages(made), STAMP)
        writer.finish()
    with opened().snapshot() as corpus:
        assert corpus.languages() == (("en", 2), ("cs", 1), ("de", 1))
        assert corpus.statistics().languages == ("cs", "de", "en")
