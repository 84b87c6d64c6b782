import os

import pytest

from pincite.store import store_directory
from pincite.store.location import (
    cache_directory,
    discard,
    prepare,
    remove_directory,
    writable_directory,
)
from tests.store.made import write


@pytest.fixture
def refused(monkeypatch):
    """Directories that may not be written, as the system would say."""
    directories = set()
    real = os.access

    def access(path, mode, **options):
        return os.fspath(path) not in directories and real(path, mode, **options)

    monkeypatch.setattr(os, "access", access)
    return directories


@pytest.fixture(autouse=True)
def cache(tmp_path_factory, monkeypatch):
    place = tmp_path_factory.mktemp("cache")
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name, appauthor: f"{place}/{name}")
    return place


def test_the_index_is_kept_in_the_folder(tmp_path):
    assert store_directory(tmp_path) == tmp_path / ".pincite"


def test_or_where_the_caller_says(tmp_path):
    assert store_directory(tmp_path, tmp_path / "other") == tmp_path / "other"


def test_or_in_the_cache_where_the_folder_cannot_be_written(tmp_path, cache, refused):
    refused.add(str(tmp_path))
    place = store_directory(tmp_path)
    assert place == cache_directory(tmp_path)
    assert cache in place.parents


def test_two_folders_have_two_places_in_the_cache(tmp_path):
    assert cache_directory(tmp_path / "a") != cache_directory(tmp_path / "b")
    assert cache_directory(tmp_path / "a") == cache_directory(tmp_path / "b" / ".." / "a")


def test_an_index_that_came_with_the_folder_is_opened_though_it_cannot_be_written(
    tmp_path, refused
):
    write(tmp_path / ".pincite", {"a.txt": "Refund."})
    refused |= {str(tmp_path), str(tmp_path / ".pincite")}
    assert store_directory(tmp_path) == tmp_path / ".pincite"
    assert writable_directory(tmp_path, tmp_path / ".pincite") == cache_directory(tmp_path)


def test_the_index_in_the_cache_goes_before_one_that_cannot_be_written(tmp_path, refused):
    write(tmp_path / ".pincite", {"a.txt": "Refund."})
    write(cache_directory(tmp_path), {"a.txt": "Refund."})
    assert store_directory(tmp_path) == tmp_path / ".pincite"
    refused |= {str(tmp_path), str(tmp_path / ".pincite")}
    assert store_directory(tmp_path) == cache_directory(tmp_path)


def test_an_index_in_the_cache_stays_in_use_when_the_folder_becomes_writable(tmp_path):
    write(cache_directory(tmp_path), {"a.txt": "Refund."})
    assert store_directory(tmp_path) == cache_directory(tmp_path)


def test_version_control_is_told_to_ignore_the_directory(tmp_path):
    prepare(tmp_path / ".pincite")
    assert (tmp_path / ".pincite" / ".gitignore").read_text() == "*\n"


def test_a_directory_that_was_there_keeps_its_files(tmp_path):
    (tmp_path / ".gitignore").write_text("mine")
    (tmp_path / "mine.txt").write_text("x")
    prepare(tmp_path)
    discard(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == [".gitignore", "mine.txt"]
    assert (tmp_path / ".gitignore").read_text() == "mine"


def test_an_index_that_holds_nothing_is_taken_away(tmp_path):
    prepare(tmp_path / ".pincite")
    discard(tmp_path / ".pincite")
    assert not (tmp_path / ".pincite").exists()


def test_a_directory_goes_though_a_file_is_made_in_it_meanwhile(tmp_path, monkeypatch):
    directory = tmp_path / "1"
    directory.mkdir()
    (directory / "meta.json").touch()
    removed = os.rmdir

    def rmdir(path, **options):
        monkeypatch.setattr(os, "rmdir", removed)
        # As a thread does that opened an index there.
        (directory / ".lock").touch()
        return removed(path, **options)

    monkeypatch.setattr(os, "rmdir", rmdir)
    remove_directory(directory)
    assert not directory.exists()


def test_one_that_is_not_there_or_cannot_go_is_no_error(tmp_path):
    remove_directory(tmp_path / "1")
    (tmp_path / "2").touch()
    remove_directory(tmp_path / "2")
    assert (tmp_path / "2").exists()
