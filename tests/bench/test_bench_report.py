"""What the bench prints, and the folder that `scale` makes up."""

from bench.data import DataSet, SourceText
from bench.report import table
from bench.scale import invented


def test_a_table_rounds_figures_and_shows_what_is_missing_as_a_dash() -> None:
    assert table("set, share, count", [("a", 66.666, 3), ("b", None, 0), ("c", 0.0123, 1)]) == [
        "| set | share | count |",
        "| --- | --- | --- |",
        "| a | 66.7 | 3 |",
        "| b | – | 0 |",
        "| c | 0.012 | 1 |",
    ]


def test_invented_passages_are_of_real_sentences_and_the_same_every_time() -> None:
    sentences = ["The lamp hums in the dark.", "Refunds reach your card in five days."]
    data = DataSet("set", (SourceText("a", "A", " ".join(sentences)),), ())

    files = invented([data], 120)

    assert files == invented([data], 120)
    passages = [passage for file in files for passage in file.text.strip().split("\n\n")]
    assert (len(files), len(passages)) == (3, 120)
    assert all(100 <= len(passage.split()) < 110 for passage in passages)
    assert set(files[0].text.replace("\n\n", " ").replace(". ", ".\n").split("\n")) - {""} <= set(
        sentences
    )
