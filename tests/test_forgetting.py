"""What is removed leaves nothing behind: the raw files of the store are searched for its words."""

from __future__ import annotations

import os
import random
import sqlite3
import string
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from pincite import Answer, DocumentNotFound, Index, Refusal, planning
from pincite.indexing import update
from pincite.store import store_directory
from pincite.store.schema import FILE_NAME

DIARY = (
    "The zanzibarium meeting is at noon.\n\nQuorvexes were sold to Mr Oblomovski for 77231 pounds."
)
SECRETS = ("zanzibar", "quorvex", "oblomov", "77231")
"""Parts of words, so that stems are found as well; in small letters."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    (folder / "private").mkdir(parents=True)
    (folder / "private" / "diary.txt").write_text(DIARY)
    (folder / "returns.txt").write_text("You may return a lamp within 45 days.")
    return folder


def left_in(store: Path, words: tuple[str, ...] = SECRETS) -> set[str]:
    """Those of `words` that stand in any file of the store, in any case."""
    found = set()
    for path in sorted(store.rglob("*")):
        if path.is_file():
            data = path.read_bytes().lower()
            found |= {word for word in words if word.encode() in data}
    return found


def test_the_words_are_found_while_the_document_is_there(folder: Path) -> None:
    update(folder)
    assert left_in(folder / ".pincite") == set(SECRETS)


@pytest.mark.parametrize("path", ["private/diary.txt", "private", "./private/"])
def test_a_document_forgotten_leaves_no_word_and_stays_out(folder: Path, path: str) -> None:
    with Index.open_or_build(folder) as index:
        assert isinstance(index.ask("When is the zanzibarium meeting?"), Answer)
        assert index.forget(path).removed == ("private/diary.txt",)
        assert isinstance(index.ask("When is the zanzibarium meeting?"), Refusal)
        assert index.holds_nothing_else()
        assert index.info().forgotten == (path.strip("./"),)
        assert left_in(folder / ".pincite") == set()
        (folder / "private" / "diary.txt").write_text(DIARY + " Changed.")
        assert index.update().added == ()
    assert (folder / "private" / "diary.txt").exists()
    assert left_in(folder / ".pincite") == set()


def test_what_was_forgotten_can_be_remembered(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        index.forget("private")
        assert index.remember("private").added == ("private/diary.txt",)
        assert index.info().forgotten == ()
        assert isinstance(index.ask("When is the zanzibarium meeting?"), Answer)
        with pytest.raises(DocumentNotFound):
            index.remember("private")


@pytest.mark.parametrize("path", ["nowhere.txt", "", ".", "..", "../documents", "/etc/passwd"])
def test_only_what_is_in_the_folder_can_be_forgotten(folder: Path, path: str) -> None:
    with Index.open_or_build(folder) as index, pytest.raises(DocumentNotFound):
        index.forget(path)


def test_a_file_that_is_gone_leaves_no_word(folder: Path) -> None:
    update(folder)
    (folder / "private" / "diary.txt").unlink()
    assert update(folder).removed == ("private/diary.txt",)
    assert left_in(folder / ".pincite") == set()


def test_a_file_that_changed_leaves_none_of_the_words_that_went(folder: Path) -> None:
    update(folder)
    (folder / "private" / "diary.txt").write_text("The meeting is at noon.")
    assert update(folder).changed == ("private/diary.txt",)
    assert left_in(folder / ".pincite") == set()


def test_the_last_document_leaves_no_word(folder: Path) -> None:
    (folder / "returns.txt").unlink()
    with Index.open_or_build(folder) as index:
        index.forget("private")
        assert isinstance(index.ask("When is the zanzibarium meeting?"), Refusal)
    assert left_in(folder / ".pincite") == set()


def test_what_is_forgotten_stays_so_when_the_index_is_built_anew(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        index.forget("private")
    with sqlite3.connect(store_directory(folder) / FILE_NAME) as connection:
        connection.execute("UPDATE state SET analysis = 'earlier'")
    connection.close()
    assert update(folder).added == ("returns.txt",)


def test_a_run_that_was_killed_leaves_nothing_after_the_next(folder: Path) -> None:
    (folder / "private" / "diary.txt").unlink()
    update(folder)
    (folder / "private" / "diary.txt").write_text(DIARY)
    script = """
        import os, sys
        from pathlib import Path
        from pincite.indexing import update
        from pincite.store.writer import Writer
        def finish(self, *, wipe):
            self._next_state()
            self._lexical_committed()
            # Out of memory into the log.
            self._connection.execute("PRAGMA cache_size = 1")
            self._connection.execute("PRAGMA cache_spill = 1")
            self._connection.execute("CREATE TABLE filler AS SELECT randomblob(9000000) AS x")
            os._exit(9)
        Writer.finish = finish
        update(Path(sys.argv[1]))
    """
    command = [sys.executable, "-c", textwrap.dedent(script), str(folder)]
    assert subprocess.run(command, check=False).returncode == 9
    assert left_in(folder / ".pincite") == set(SECRETS)
    (folder / "private" / "diary.txt").unlink()
    assert update(folder).added == ()
    assert left_in(folder / ".pincite") == set()


def test_while_another_reads_the_words_may_stay_until_the_next_run(folder: Path) -> None:
    with Index.open_or_build(folder) as index, Index.open(folder) as other:
        with other._catalogue.snapshot() as held:
            assert held.source("private/diary.txt") is not None
            index.forget("private")
            assert not index.holds_nothing_else()
        index.update()
        assert index.holds_nothing_else()
        assert left_in(folder / ".pincite") == set()


def test_no_word_stays_whatever_pages_it_was_moved_through(folder: Path) -> None:
    """Many documents in many runs, so that pages of the database split, join and are used again."""
    chance = random.Random(7)

    def word(mark: str) -> str:
        return mark + "".join(chance.choices(string.ascii_lowercase, k=9))

    def write(name: str, mark: str) -> None:
        size = chance.choice((3, 40, 400))
        lines = [" ".join(word(mark) for _ in range(size)) + "." for _ in range(12)]
        (folder / f"{name}.txt").write_text("\n\n".join(lines))

    for round_ in range(4):
        for number in range(12):
            write(f"{number}", f"qq{number:02}{round_}")
        update(folder)
    for number in range(0, 12, 2):
        os.unlink(folder / f"{number}.txt")
    update(folder)
    gone = tuple(f"qq{number:02}{round_}" for number in range(0, 12, 2) for round_ in range(4))
    earlier = tuple(f"qq{number:02}{round_}" for number in range(12) for round_ in range(3))
    assert left_in(folder / ".pincite", gone + earlier) == set()
    assert "qq013" in left_in(folder / ".pincite", ("qq013",))


def test_in_a_large_index_a_question_does_not_wait_for_the_words_to_go(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "_SOON_WRITTEN", 1)
    update(folder)
    (folder / "private" / "diary.txt").unlink()
    with Index.open_or_build(folder) as index:
        assert isinstance(index.ask("When is the zanzibarium meeting?"), Refusal)
        assert not index.holds_nothing_else()
        index.update()
        assert index.holds_nothing_else()
    assert left_in(folder / ".pincite") == set()
