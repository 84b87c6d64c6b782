import os
import shutil
import sqlite3
from pathlib import Path

import pytest

from pincite import planning, reading
from pincite.errors import FolderNotFound, NothingReadable
from pincite.indexing import update
from pincite.records import Progress
from pincite.store import Catalogue, store_directory
from pincite.store.catalogue import lexical_directory
from pincite.store.lexical import TantivyEngine
from pincite.store.schema import FILE_NAME


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "documents"
    folder.mkdir()
    return folder


@pytest.fixture
def read(monkeypatch):
    """The paths of the files that were read as documents, in order."""
    paths = []
    real = reading.load

    def load(path, *, name, settings):
        paths.append(name)
        return real(path, name=name, settings=settings)

    monkeypatch.setattr(reading, "load", load)
    return paths


def put(folder: Path, **texts: str) -> None:
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")


def found(folder: Path, term: str) -> list[str]:
    with (
        Catalogue.open(store_directory(folder), folder=folder) as catalogue,
        catalogue.snapshot() as corpus,
    ):
        keys = corpus.candidates([term], limit=50)
        return sorted({path for path, _, _ in corpus.locations(keys)})


def test_the_first_run_reads_every_file(folder, read):
    (folder / "sub").mkdir()
    put(folder, b="Refund in five days.", a="Parcel é.")
    (folder / "sub" / "c.md").write_text("# Refunds\n")
    report = update(folder)
    assert report.added == ("a.txt", "b.txt", "sub/c.md") == tuple(read)
    assert (report.changed, report.removed, report.unchanged, report.problems) == ((), (), 0, ())
    assert report.state.generation == 1
    assert report.text_bytes == 20 + 10 + 10
    assert found(folder, "refund") == ["b.txt", "sub/c.md"]


def test_a_second_run_reads_nothing(folder, read):
    put(folder, a="Refund.", b="Parcel.")
    first = update(folder)
    read.clear()
    second = update(folder)
    assert read == []
    assert second.state == first.state
    assert (second.added, second.changed, second.removed) == ((), (), ())
    assert second.unchanged == 2


def test_only_what_changed_is_read(folder, read):
    put(folder, a="Refund.", b="Parcel.", c="Tax.")
    update(folder)
    read.clear()
    put(folder, b="Parcel and refund.", d="Refund.")
    (folder / "c.txt").unlink()
    report = update(folder)
    assert read == ["b.txt", "d.txt"]
    assert (report.added, report.changed, report.removed) == (("d.txt",), ("b.txt",), ("c.txt",))
    assert report.unchanged == 1
    assert report.state.generation == 2
    assert found(folder, "refund") == ["a.txt", "b.txt", "d.txt"]
    assert found(folder, "tax") == []


def test_a_change_that_keeps_size_and_time_is_noticed(folder):
    put(folder, a="Refund in 5 days.")
    os.utime(folder / "a.txt", ns=(10**18, 10**18))
    update(folder)
    put(folder, a="Refund in 9 days.")
    os.utime(folder / "a.txt", ns=(10**18, 10**18))
    assert update(folder).changed == ("a.txt",)
    assert found(folder, "9") == ["a.txt"]


def test_a_file_touched_but_not_changed_is_not_read(folder, read):
    put(folder, a="Refund.")
    first = update(folder)
    read.clear()
    os.utime(folder / "a.txt", ns=(10**18, 10**18))
    assert update(folder).state == first.state
    assert read == []


def test_a_file_that_was_moved_is_found_in_its_new_place(folder):
    put(folder, a="Refund.", b="Tax.")
    update(folder)
    (folder / "a.txt").rename(folder / "z.txt")
    report = update(folder)
    assert (report.added, report.removed, report.unchanged) == (("z.txt",), ("a.txt",), 1)
    assert found(folder, "refund") == ["z.txt"]


def test_files_that_keep_their_names_are_moved_without_being_read(folder, read):
    (folder / "old").mkdir()
    put(folder / "old", a="Refund in 5 days.\n\nParcel.", b="Tax.", same="Lamp.")
    put(folder, same="Lamp.", b="Fee.")
    update(folder)
    read.clear()
    (folder / "old").rename(folder / "new")
    (folder / "same.txt").unlink()
    report = update(folder)
    assert read == []
    assert report.added == ("new/a.txt", "new/b.txt", "new/same.txt")
    assert report.removed == ("old/a.txt", "old/b.txt", "old/same.txt", "same.txt")
    assert report.unchanged == 1
    moved = everything(folder)
    assert update(folder).unchanged == 4
    shutil.rmtree(folder / ".pincite")
    update(folder)
    # But for the counts of generations.
    assert moved[1:] == everything(folder)[1:]


def test_a_file_of_the_same_name_and_other_words_is_no_move(folder, read):
    (folder / "old").mkdir()
    put(folder / "old", a="Refund in 5 days.")
    put(folder, b="Tax.")
    update(folder)
    read.clear()
    stamp = (folder / "old" / "a.txt").stat()
    shutil.rmtree(folder / "old")
    put(folder, a="Refund in 9 days.")
    os.utime(folder / "a.txt", ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    update(folder)
    assert read == ["a.txt"]
    assert found(folder, "9") == ["a.txt"]
    assert found(folder, "5") == []


@pytest.mark.parametrize("move", [os.rename, shutil.copytree])
def test_a_folder_that_was_moved_or_copied_is_not_read_again(folder, read, move):
    put(folder, a="Refund.", b="Tax.")
    first = update(folder)
    read.clear()
    moved = folder.with_name("moved")
    move(folder, moved)
    assert update(moved).state == first.state
    assert read == []
    assert found(moved, "refund") == ["a.txt"]


def test_another_version_of_the_extractor_reads_its_files_again(folder, read, monkeypatch):
    put(folder, a="Refund.")
    (folder / "b.md").write_text("# Refund\n")
    update(folder)
    read.clear()
    versions = {**planning.EXTRACTORS, "markdown": "another"}
    monkeypatch.setattr(planning, "EXTRACTORS", versions)
    assert update(folder).changed == ("b.md",)
    assert read == ["b.md"]


def test_all_files_are_read_again_once_when_kinds_are_told_otherwise(folder, read, monkeypatch):
    put(folder, a="One.", b="Two.")
    update(folder)
    del read[:]
    monkeypatch.setattr(planning, "_KINDS", "sniffing another, ")
    assert update(folder).changed == ("a.txt", "b.txt")
    assert update(folder).unchanged == 2
    assert read == ["a.txt", "b.txt"]


def test_a_file_that_cannot_be_read_stops_nothing(folder, read):
    put(folder, a="Refund.")
    (folder / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    report = update(folder)
    assert report.added == ("a.txt",)
    assert [problem.path for problem in report.problems] == ["image.png"]
    assert found(folder, "refund") == ["a.txt"]


def test_a_file_that_cannot_be_read_is_not_tried_again_until_it_changes(folder, read, monkeypatch):
    put(folder, a="Refund.")
    image = folder / "image.png"
    image.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    monkeypatch.setattr("pincite.store.files._SETTLING_NS", -1)
    first = update(folder)
    read.clear()
    assert update(folder).problems == first.problems
    assert read == []
    image.write_text("A picture of a refund.")
    assert update(folder).added == ("image.png",)
    assert read == ["image.png"]


def test_a_file_that_can_no_longer_be_read_is_forgotten(folder):
    put(folder, a="Refund.", b="Refund.")
    update(folder)
    (folder / "b.txt").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    report = update(folder)
    assert report.removed == ("b.txt",)
    assert [problem.path for problem in report.problems] == ["b.txt"]
    assert found(folder, "refund") == ["a.txt"]


def test_the_last_problems_are_kept_for_info(folder):
    put(folder, a="Refund.")
    (folder / "gone.txt").symlink_to("nowhere")
    update(folder)
    with (
        Catalogue.open(store_directory(folder), folder=folder) as catalogue,
        catalogue.snapshot() as corpus,
    ):
        assert [problem.path for problem in corpus.problems()] == ["gone.txt"]
    (folder / "gone.txt").unlink()
    assert update(folder).state.generation == 1
    with (
        Catalogue.open(store_directory(folder), folder=folder) as catalogue,
        catalogue.snapshot() as corpus,
    ):
        assert corpus.problems() == ()


def test_a_folder_that_is_not_there_or_is_a_file(folder):
    with pytest.raises(FolderNotFound, match="does not exist"):
        update(folder / "absent")
    put(folder, a="Refund.")
    with pytest.raises(FolderNotFound, match="is not a folder"):
        update(folder / "a.txt")


def test_a_folder_with_nothing_to_read_gets_no_index(folder):
    with pytest.raises(NothingReadable, match="holds no files"):
        update(folder)
    (folder / "image.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    with pytest.raises(NothingReadable, match=r"none of its 1 files was read\n  image\.png: "):
        update(folder)
    assert [file.name for file in folder.iterdir()] == ["image.png"]


def test_when_all_files_are_gone_nothing_of_them_is_left_to_answer_from(folder):
    put(folder, a="Refund.")
    update(folder)
    (folder / "a.txt").unlink()
    for _ in range(2):
        with pytest.raises(NothingReadable):
            update(folder)
        assert found(folder, "refund") == []
    put(folder, a="Refund.")
    assert update(folder).added == ("a.txt",)
    assert found(folder, "refund") == ["a.txt"]


def test_an_empty_file_is_a_document_without_passages(folder):
    put(folder, a="")
    assert update(folder).added == ("a.txt",)
    assert update(folder).unchanged == 1


def test_progress_goes_from_nothing_to_all_bytes(folder):
    put(folder, a="Refund.", b="Parcel lost.")
    (folder / "c.bin").write_bytes(b"\x7fELF\x02\x01\x01\x00" + bytes(range(256)))
    calls = []
    update(folder, progress=calls.append)
    assert calls == [
        Progress("a.txt", 0, 3, 0, 283, 0),
        Progress("b.txt", 1, 3, 7, 283, 0),
        Progress("c.bin", 2, 3, 19, 283, 0),
        Progress("c.bin", 3, 3, 283, 283, 1),
    ]


def test_progress_is_silent_when_there_is_nothing_to_look_at(folder, monkeypatch):
    put(folder, a="Refund.")
    monkeypatch.setattr("pincite.store.files._SETTLING_NS", -1)
    update(folder)
    calls = []
    update(folder, progress=calls.append)
    assert calls == []


def test_a_lexical_index_that_was_lost_is_made_again_without_reading_a_file(folder, read):
    put(folder, a="Refund.", b="Tax.")
    state = update(folder).state
    read.clear()
    directory = lexical_directory(store_directory(folder), state.generation)
    shutil.rmtree(directory)
    assert update(folder).state == state
    assert read == []
    assert TantivyEngine.open(directory).passage_count() == 2


def test_only_the_lexical_index_in_use_is_kept(folder):
    for number in range(3):
        put(folder, **{f"f{number}": "Refund."})
        update(folder)
    lexical = lexical_directory(store_directory(folder), 3).parent
    assert [directory.name for directory in lexical.iterdir()] == ["3"]


def test_changed_files_are_told_from_unchanged_ones(folder):
    put(folder, same="Refund.", touched="Refund.", changed="Refund 1.", gone="Refund.")
    update(folder)
    os.utime(folder / "touched.txt", ns=(10**18, 10**18))
    put(folder, changed="Refund 2.")
    (folder / "gone.txt").unlink()
    with (
        Catalogue.open(store_directory(folder), folder=folder) as catalogue,
        catalogue.snapshot() as corpus,
    ):
        paths = [f"{name}.txt" for name in ("touched", "same", "gone", "changed", "new")]
        expected = ["changed.txt", "gone.txt", "new.txt"]
        assert corpus.changed_since_indexed([*paths, *paths]) == expected
        put(folder, same="Return.")
        assert corpus.changed_since_indexed(["same.txt"]) == ["same.txt"]


def test_the_index_may_be_kept_elsewhere(folder, tmp_path):
    put(folder, a="Refund.")
    update(folder, store=tmp_path / "elsewhere")
    assert [file.name for file in folder.iterdir()] == ["a.txt"]
    with Catalogue.open(tmp_path / "elsewhere", folder=folder) as catalogue:
        assert catalogue.store_bytes() > 0


def test_an_index_kept_inside_the_folder_is_not_read_as_documents(folder):
    put(folder, a="Refund.")
    update(folder, store=folder / "index")
    assert update(folder, store=folder / "index").unchanged == 1


def everything(folder: Path) -> list[object]:
    with (
        Catalogue.open(store_directory(folder), folder=folder) as catalogue,
        catalogue.snapshot() as corpus,
    ):
        asked = ["refund", "parcel", "tax", "day", "absent"]
        seen: list[object] = [
            corpus.state(),
            corpus.statistics(),
            corpus.document_frequencies(asked),
            [(source.path, source.sha256) for source in corpus.documents()],
        ]
        for limit in (3, 100):
            keys = corpus.candidates(asked, limit=limit)
            frequencies = corpus.term_frequencies(keys, asked)
            seen.append(
                sorted(
                    zip(
                        corpus.locations(keys),
                        map(repr, corpus.passages(keys)),
                        frequencies.counts,
                        frequencies.lengths,
                        strict=True,
                    )
                )
            )
        return seen


def test_the_order_in_which_files_come_changes_nothing(tmp_path):
    texts = {
        "a": "Refund in five days.",
        "b": "Refund in five days.\n\nParcel.",
        "c": "Tax.\n\nRefund in five days.",
        "d": "Refund in five days.",
        "e": "Parcel, parcel.",
    }
    seen = []
    for name, order in (("one", "abcde"), ("two", "edcba"), ("three", "cadeb")):
        folder = tmp_path / name
        folder.mkdir()
        for part in (order[:2], order[2:4], order[4:]):
            put(folder, **{letter: texts[letter] for letter in part})
            update(folder)
        seen.append(everything(folder))
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.parametrize("seconds", [9_999_999_999, 300_000_000_000, -99_999_999_999, -1])
def test_a_time_beyond_all_calendars_is_no_reason_to_stop(folder, seconds):
    put(folder, a="Refund.", b="Parcel.")
    try:
        os.utime(folder / "a.txt", (seconds, seconds))
    except (OSError, OverflowError):
        pytest.skip("this file system has no such time")
    assert update(folder).added == ("a.txt", "b.txt")
    assert update(folder).unchanged == 2
    with (
        Catalogue.open(store_directory(folder), folder=folder) as catalogue,
        catalogue.snapshot() as corpus,
    ):
        assert [source.path for source in corpus.documents()] == ["a.txt", "b.txt"]
        assert all(len(source.modified) == 20 for source in corpus.documents())
        assert corpus.changed_since_indexed(["a.txt", "b.txt"]) == []


def test_the_folder_itself_is_no_place_for_the_index(folder):
    put(folder, a="Refund.")
    for place in (folder, folder / "sub" / ".."):
        (folder / "sub").mkdir(exist_ok=True)
        with pytest.raises(ValueError, match="cannot be kept in the folder of documents itself"):
            update(folder, store=place)
    assert sorted(os.listdir(folder)) == ["a.txt", "sub"]


def test_an_index_left_in_the_folder_by_an_earlier_run_is_not_read_as_documents(folder):
    put(folder, a="Refund.")
    update(folder, store=folder / "index")
    assert update(folder).added == ("a.txt",)
    assert update(folder, store=folder / "another").added == ("a.txt",)


@pytest.mark.parametrize("version", ["format", "analysis"])
def test_an_index_of_an_earlier_version_is_built_anew(folder, read, version):
    put(folder, a="Refund.", b="Parcel.")
    update(folder)
    with sqlite3.connect(store_directory(folder) / FILE_NAME) as connection:
        if version == "format":
            connection.execute("PRAGMA user_version = 1")
            connection.execute("ALTER TABLE state DROP COLUMN analysis")
        else:
            connection.execute("UPDATE state SET analysis = 'earlier'")
    connection.close()
    read.clear()
    assert update(folder).added == ("a.txt", "b.txt") == tuple(read)
    assert update(folder).unchanged == 2
    assert found(folder, "refund") == ["a.txt"]
