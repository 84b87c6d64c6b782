"""One directory for the indexes of two folders: an error; for one folder that moved: no matter."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import pincite
from pincite.indexing import update

LAMP = "The lamp weighs 2.4 kg.\n"
CHAIR = "The chair weighs 9 kg.\n"


@pytest.fixture
def lamps(tmp_path: Path) -> Path:
    folder = tmp_path / "lamps"
    folder.mkdir()
    (folder / "lamp.txt").write_text(LAMP, encoding="utf-8")
    return folder


@pytest.fixture
def chairs(tmp_path: Path) -> Path:
    folder = tmp_path / "chairs"
    folder.mkdir()
    (folder / "chair.txt").write_text(CHAIR, encoding="utf-8")
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "store"


def text_of(folder: Path, store: Path | None = None) -> str:
    with pincite.Index.open(folder, store=store) as index:
        return index.ask("How much does it weigh: the lamp, the chair?").text


def test_the_store_of_one_folder_is_not_replaced_by_another_folder(
    lamps: Path, chairs: Path, store: Path
) -> None:
    update(lamps, store=store)
    with pytest.raises(pincite.StoreOfAnotherFolder) as raised:
        update(chairs, store=store)
    assert (raised.value.path, raised.value.folder) == (store, chairs)
    assert raised.value.made_for == lamps.resolve()
    assert all(str(path) in str(raised.value) for path in (store, lamps.resolve(), chairs))
    assert isinstance(raised.value, pincite.StoreError)
    assert text_of(lamps, store) == LAMP.strip()


def test_another_folder_is_not_asked_through_it_either(
    lamps: Path, chairs: Path, store: Path
) -> None:
    update(lamps, store=store)
    with pytest.raises(pincite.StoreOfAnotherFolder):
        pincite.Index.open(chairs, store=store)
    with pytest.raises(pincite.StoreOfAnotherFolder):
        pincite.Index.open_or_build(chairs, store=store)


def test_nor_a_folder_inside_it_or_around_it(lamps: Path, store: Path) -> None:
    (lamps / "old").mkdir()
    (lamps / "old" / "lamp.txt").write_text(LAMP, encoding="utf-8")
    update(lamps, store=store)
    for other in (lamps / "old", lamps.parent):
        with pytest.raises(pincite.StoreOfAnotherFolder):
            update(other, store=store)


def test_a_store_in_the_other_folder_is_no_exception(lamps: Path, chairs: Path) -> None:
    update(lamps, store=chairs / "index")
    with pytest.raises(pincite.StoreOfAnotherFolder):
        update(chairs, store=chairs / "index")


def test_a_folder_that_was_renamed_keeps_its_store_and_is_not_read_again(
    lamps: Path, chairs: Path, store: Path
) -> None:
    update(lamps, store=store)
    renamed = lamps.rename(lamps.with_name("lights"))
    assert text_of(renamed, store) == LAMP.strip()
    report = update(renamed, store=store)
    assert (report.unchanged, report.added, report.removed) == (1, (), ())
    # And from then on it is the store of the folder by its new name.
    shutil.copytree(renamed, lamps)
    assert update(renamed, store=store).unchanged == 1
    with pytest.raises(pincite.StoreOfAnotherFolder):
        update(lamps, store=store)


def test_a_folder_reached_by_another_name_is_the_same_folder(lamps: Path, store: Path) -> None:
    update(lamps, store=store)
    link = lamps.with_name("link")
    link.symlink_to(lamps, target_is_directory=True)
    assert update(link, store=store).unchanged == 1
    assert update(lamps / ".." / "lamps", store=store).unchanged == 1


def test_the_store_of_a_folder_that_is_gone_can_be_taken_over(
    lamps: Path, chairs: Path, store: Path
) -> None:
    update(lamps, store=store)
    shutil.rmtree(lamps)
    report = update(chairs, store=store)
    assert (report.added, report.removed) == (("chair.txt",), ("lamp.txt",))
    assert text_of(chairs, store) == CHAIR.strip()


def test_a_folder_moved_or_copied_with_the_index_beside_its_documents_is_not_read_again(
    lamps: Path,
) -> None:
    update(lamps)
    copy = lamps.with_name("copy")
    shutil.copytree(lamps, copy)
    assert update(copy).unchanged == 1
    assert text_of(copy) == LAMP.strip()
    # Named or not, it is the place beside the documents.
    assert update(copy, store=copy / ".pincite").unchanged == 1
    moved = lamps.rename(lamps.with_name("moved"))
    assert update(moved).unchanged == 1
    assert text_of(moved) == LAMP.strip()


def test_a_run_that_finished_meanwhile_for_another_folder_is_not_replaced(
    lamps: Path, chairs: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    update(lamps, store=store)
    # As if the other folder had been looked at before the first was indexed.
    monkeypatch.setattr("pincite.indexing.check_origin", lambda store, folder: True)
    with pytest.raises(pincite.StoreOfAnotherFolder):
        update(chairs, store=store)
    assert text_of(lamps, store) == LAMP.strip()
