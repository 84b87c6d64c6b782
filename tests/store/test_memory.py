import pytest

from pincite.records import Lines, Span
from pincite.store import Catalogue, MemoryCorpus
from pincite.store.writer import open_writer
from tests.store.made import STAMP, document, passages

TEXTS = {
    "b.txt": "Refund in five days. Call us.\n\nParcel lost? Refund refund.",
    "a/returns-policy.txt": "Returns are free.\n\nRefund LMP-204.\n\nRefund LMP-204.",
    "empty.txt": "",
}


@pytest.fixture
def corpora(tmp_path):
    documents = [document(path, text) for path, text in TEXTS.items()]
    pieces = [passage for made in documents for passage in passages(made)]
    with open_writer(tmp_path / "store") as writer:
        for made in documents:
            writer.put(made, passages(made), STAMP)
        writer.finish()
    with (
        Catalogue.open(tmp_path / "store", folder=tmp_path) as catalogue,
        catalogue.snapshot() as snapshot,
    ):
        yield MemoryCorpus(documents, reversed(pieces)), snapshot


def test_memory_says_what_the_store_says(corpora):
    memory, snapshot = corpora
    assert memory.state() == snapshot.state()
    assert memory.statistics() == snapshot.statistics()
    asked = ["refund", "lmp204", "parcel", "return", "absent"]
    assert memory.document_frequencies(asked) == snapshot.document_frequencies(asked)
    for document_path in (None, "b.txt", "absent.txt"):
        seen = []
        for corpus in corpora:
            keys = corpus.candidates(asked, limit=10, document=document_path)
            frequencies = corpus.term_frequencies(keys, asked)
            rows = zip(
                corpus.locations(keys),
                corpus.passages(keys),
                frequencies.counts,
                frequencies.lengths,
                strict=True,
            )
            seen.append(sorted(rows, key=lambda row: row[0]))
        assert seen[0] == seen[1]
    for path in (*TEXTS, "absent.txt"):
        assert memory.source(path) == snapshot.source(path)
        for place in ({}, {"span": Span(5, 30)}, {"span": Span(3, 3)}, {"lines": Lines(2, 3)}):
            assert memory.passages_of(path, **place) == snapshot.passages_of(path, **place)


def test_no_more_candidates_than_asked_for_and_the_first_among_equals(corpora):
    for corpus in corpora:
        keys = corpus.candidates(["lmp204"], limit=1)
        assert corpus.locations(keys) == [("a/returns-policy.txt", 1, "en")]


def test_only_unknown_paths_have_changed_in_memory(corpora):
    memory, _ = corpora
    assert memory.changed_since_indexed(["z.txt", "b.txt", "absent.txt"]) == ["absent.txt", "z.txt"]


def test_an_empty_corpus_answers():
    memory = MemoryCorpus([], [])
    assert memory.candidates(["refund"], limit=5) == []
    assert memory.statistics().mean_lengths == (0.0, 0.0, 0.0)


def test_a_passage_of_no_document_is_refused():
    made = document("a.txt", "Refund.")
    with pytest.raises(ValueError, match=r"a\.txt"):
        MemoryCorpus([], passages(made))
