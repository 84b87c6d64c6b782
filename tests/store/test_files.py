import hashlib
import os
import sys

import pytest

from pincite.store import files
from pincite.store.files import Stamp, list_files, sha256_of, stamp_of
from tests.store.made import write

FAR = 1 << 63
"""Nanoseconds: one more than SQLite's integers hold."""


def listed(folder, **options):
    listing = list_files(folder, **options)
    return [file.path for file in listing.files], {p.path: p.reason for p in listing.problems}


def test_files_are_listed_by_path_in_every_depth(tmp_path):
    for name in ("b.txt", "a/z.md", "a/b/c.txt", "A.txt", "a.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert listed(tmp_path) == (["A.txt", "a.txt", "a/b/c.txt", "a/z.md", "b.txt"], {})


def test_hidden_files_and_folders_and_the_store_are_left_out(tmp_path):
    for name in (".git/config", ".env", ".pincite/x.txt", "kept.txt", "index/notes.txt"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    assert listed(tmp_path, without=[tmp_path / "index"]) == (["kept.txt"], {})


@pytest.mark.skipif(sys.platform == "win32", reason="links need a privilege on Windows")
def test_links_lead_no_farther_than_the_folder(tmp_path):
    (tmp_path / "outside.txt").write_text("secret")
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    (folder / ".data").mkdir()
    (folder / ".data" / "real.txt").write_text("x")
    (folder / "kept.txt").write_text("x")
    (folder / "again.txt").symlink_to(folder / "kept.txt")
    (folder / "shown.txt").symlink_to(".data/real.txt")
    (folder / "sub" / "loop").symlink_to(folder)
    (folder / "out.txt").symlink_to("../outside.txt")
    (folder / "outer").symlink_to(tmp_path)
    (folder / "lost.txt").symlink_to("nowhere.txt")
    paths, problems = listed(folder)
    assert paths == ["kept.txt", "shown.txt"]
    assert sorted(problems) == ["lost.txt", "out.txt", "outer"]
    assert "out of the folder" in problems["out.txt"]
    assert "nowhere" in problems["lost.txt"]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_a_problem_and_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.txt")
    assert listed(tmp_path) == ([], {"pipe.txt": "not a regular file"})


@pytest.mark.skipif(sys.platform == "darwin", reason="names are UTF-8 there")
@pytest.mark.skipif(sys.platform == "win32", reason="names are UTF-16 there")
def test_a_name_in_no_encoding_is_listed(tmp_path):
    with open(os.fsencode(tmp_path) + b"/caf\xe9.txt", "w") as file:
        file.write("x")
    assert listed(tmp_path)[0] == ["caf\udce9.txt"]


def test_a_hash_is_of_the_bytes(tmp_path):
    (tmp_path / "a").write_bytes(b"\r\n\0" * 1_000_000)
    assert sha256_of(tmp_path / "a") == hashlib.sha256(b"\r\n\0" * 1_000_000).hexdigest()


SETTLED = Stamp(size=1, mtime_ns=2, ctime_ns=3, inode=4, settled=True)
UNSETTLED = Stamp(size=1, mtime_ns=2, ctime_ns=3, inode=4, settled=False)


@pytest.mark.parametrize(
    ("before", "now", "unchanged"),
    [
        (SETTLED, SETTLED, True),
        (SETTLED, UNSETTLED, True),
        (UNSETTLED, SETTLED, False),
        (SETTLED, Stamp(9, 2, 3, 4, True), False),
        (SETTLED, Stamp(1, 9, 3, 4, True), False),
        (SETTLED, Stamp(1, 2, 9, 4, True), False),
        (SETTLED, Stamp(1, 2, 3, 9, True), False),
    ],
)
def test_only_an_equal_and_settled_stamp_proves_a_file_unchanged(before, now, unchanged):
    assert before.proves(now) is unchanged


def test_a_file_written_just_now_is_not_settled(tmp_path):
    (tmp_path / "a").write_text("x")
    assert not stamp_of(tmp_path / "a").settled


@pytest.mark.parametrize("time", [FAR, 10 * FAR, -FAR, -10 * FAR])
def test_a_stamp_fits_into_the_catalogue_whatever_the_time(tmp_path, time):
    (tmp_path / "a").write_text("x")
    given = list((tmp_path / "a").stat())
    found = os.stat_result(given, {"st_mtime_ns": time, "st_ctime_ns": time})
    stamp = files.stamp_from(found)
    assert -FAR <= stamp.mtime_ns == stamp.ctime_ns < FAR


def test_a_folder_that_holds_an_index_is_left_out(tmp_path):
    write(tmp_path / "old index", {"a.txt": "Refund."})
    (tmp_path / "old index" / "notes.txt").write_text("x")
    (tmp_path / "theirs").mkdir()
    (tmp_path / "theirs" / "catalogue.sqlite3").write_bytes(b"SQLite format 3\0" * 9)
    (tmp_path / "kept.txt").write_text("x")
    assert listed(tmp_path) == (["kept.txt", "theirs/catalogue.sqlite3"], {})


def test_an_index_in_the_folder_itself_leaves_the_documents_listed(tmp_path):
    write(tmp_path, {"a.txt": "Refund."})
    (tmp_path / "kept.txt").write_text("x")
    assert listed(tmp_path) == (["kept.txt"], {})
