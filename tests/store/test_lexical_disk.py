import os
from pathlib import Path

import pytest

from pincite.protocols import FieldTerms
from pincite.store.lexical import LexicalIndexError, TantivyEngine


def entry(key: int, *terms: str) -> tuple[int, int, FieldTerms]:
    return key, 1, FieldTerms(title=[], headings=[], body=terms)


def keys(engine: TantivyEngine, term: str) -> list[int]:
    better, equal = engine.candidates([term], limit=100)
    return sorted([*better, *equal])


def test_what_was_committed_is_there_when_opened_again(tmp_path):
    engine = TantivyEngine.create(tmp_path / "1")
    engine.upsert([entry(1, "refund")])
    engine.commit()
    assert keys(TantivyEngine.open(tmp_path / "1"), "refund") == [1]


def test_what_was_not_committed_is_not(tmp_path):
    engine = TantivyEngine.create(tmp_path / "1")
    engine.upsert([entry(1, "refund")])
    engine.commit()
    engine.upsert([entry(2, "refund")])
    engine.abandon()
    assert keys(TantivyEngine.open(tmp_path / "1"), "refund") == [1]


def test_a_branch_leaves_the_index_it_came_from_as_it_was(tmp_path):
    first = TantivyEngine.create(tmp_path / "1")
    first.upsert(entry(key, "refund") for key in range(1, 6))
    first.commit()
    before = {file.name: file.read_bytes() for file in (tmp_path / "1").iterdir()}

    second = TantivyEngine.branch(tmp_path / "1", tmp_path / "2")
    second.delete([2, 3])
    second.upsert([entry(6, "refund")])
    second.commit()

    assert keys(second, "refund") == [1, 4, 5, 6]
    assert second.passage_count() == 4
    assert keys(TantivyEngine.open(tmp_path / "1"), "refund") == [1, 2, 3, 4, 5]
    assert {file.name: file.read_bytes() for file in (tmp_path / "1").iterdir()} == before


def test_a_branch_shares_the_files_that_never_change(tmp_path):
    first = TantivyEngine.create(tmp_path / "1")
    first.upsert([entry(1, "refund")])
    first.commit()
    TantivyEngine.branch(tmp_path / "1", tmp_path / "2")
    segments = sorted((tmp_path / "1").glob("*.term"))
    assert segments
    assert all(os.path.samefile(file, tmp_path / "2" / file.name) for file in segments)


def test_a_branch_is_copied_where_files_cannot_be_linked(tmp_path, monkeypatch):
    def refuse(source: Path, target: Path) -> None:
        raise OSError("links are not supported here")

    first = TantivyEngine.create(tmp_path / "1")
    first.upsert([entry(1, "refund")])
    first.commit()
    monkeypatch.setattr(os, "link", refuse)
    second = TantivyEngine.branch(tmp_path / "1", tmp_path / "2")
    assert keys(second, "refund") == [1]


def test_others_may_read_the_index_if_they_may_read_its_directory(tmp_path):
    (tmp_path / "1").mkdir()
    engine = TantivyEngine.create(tmp_path / "1")
    engine.upsert([entry(1, "refund")])
    engine.commit()
    expected = (tmp_path / "1").stat().st_mode & 0o666
    modes = {file.name: file.stat().st_mode & 0o666 for file in (tmp_path / "1").glob("*.json")}
    assert modes == {"meta.json": expected, ".managed.json": expected}


def test_where_there_is_no_index_none_is_opened(tmp_path):
    with pytest.raises(LexicalIndexError):
        TantivyEngine.open(tmp_path / "absent")
    (tmp_path / "empty").mkdir()
    with pytest.raises(LexicalIndexError):
        TantivyEngine.open(tmp_path / "empty")
    (tmp_path / "file").write_text("x")
    with pytest.raises(LexicalIndexError):
        TantivyEngine.open(tmp_path / "file")
