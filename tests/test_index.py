"""The index of a folder, over real files and a real store."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from pincite import (
    Answer,
    DocumentNotFound,
    FolderNotFound,
    Index,
    NothingReadable,
    PlaceNotFound,
    Refusal,
    RefusalReason,
    StoreNotFound,
)

DELIVERY = "# Delivery\r\n\r\nParcels to islands take 2 extra working days.\r\nExpress costs 6.\r\n"
LAMPS = "# Lamps\n\nThe KLR-118 desk lamp has a known cable fault.\n"
ISLANDS = "How long do parcels to islands take?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    documents = tmp_path / "documents"
    (documents / "products").mkdir(parents=True)
    (documents / "delivery.md").write_bytes(DELIVERY.encode())
    (documents / "products" / "lamps.md").write_bytes(LAMPS.encode())
    return documents


def answered(index: Index, question: str) -> Answer:
    found = index.ask(question)
    assert isinstance(found, Answer), found
    return found


def test_a_folder_is_indexed_on_first_use_and_answers(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        assert index.report is not None
        assert index.report.added == ("delivery.md", "products/lamps.md")
        (citation,) = answered(index, ISLANDS).citations
    assert citation.quote.exact == "Parcels to islands take 2 extra working days."
    assert citation.position.of(DELIVERY) == citation.quote.exact
    assert citation.lines.start == 3


def test_an_unchanged_folder_is_not_read_again_even_after_a_move(folder: Path) -> None:
    Index.open_or_build(folder).close()
    moved = folder.rename(folder.parent / "moved")
    with Index.open_or_build(moved) as index:
        assert index.report is not None
        assert (index.report.unchanged, index.report.text_bytes) == (2, 0)
        assert index.state.generation == 1


def test_open_asks_nothing_of_the_folder_and_needs_an_index(folder: Path) -> None:
    with pytest.raises(StoreNotFound):
        Index.open(folder)
    with pytest.raises(FolderNotFound):
        Index.open(folder / "missing")
    Index.open_or_build(folder).close()
    with Index.open(folder) as index:
        assert index.report is None
        assert answered(index, ISLANDS).text.startswith("Parcels")


def test_a_changed_file_is_not_quoted_as_it_was_and_the_answer_says_so(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        (folder / "delivery.md").write_text("# Delivery\n\nParcels to islands take 4 days.\n")
        found = index.ask(ISLANDS)
        assert isinstance(found, Refusal)
        assert (found.reason, found.stale) == (RefusalReason.STALE, ("delivery.md",))
        index.update()
        assert answered(index, ISLANDS).text == "Parcels to islands take 4 days."


def test_a_deleted_file_cannot_be_quoted(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        (folder / "delivery.md").unlink()
        found = index.ask(ISLANDS)
        assert isinstance(found, Refusal)
        assert found.stale == ("delivery.md",)
    with Index.open_or_build(folder) as index:
        assert index.report is not None
        assert index.report.removed == ("delivery.md",)
        assert isinstance(index.ask(ISLANDS), Refusal)


def test_a_change_that_keeps_size_and_time_is_noticed(folder: Path) -> None:
    lamps = folder / "products" / "lamps.md"
    Index.open_or_build(folder).close()
    before = lamps.stat()
    lamps.write_bytes(LAMPS.replace("known", "cured").encode())
    os.utime(lamps, ns=(before.st_atime_ns, before.st_mtime_ns))
    with Index.open_or_build(folder) as index:
        assert index.report is not None
        assert index.report.changed == ("products/lamps.md",)


def test_one_document_can_be_asked_by_its_path(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        assert isinstance(index.ask(ISLANDS, document="products/lamps.md"), Refusal)
        with pytest.raises(DocumentNotFound, match=r"prices\.md"):
            index.ask(ISLANDS, document="prices.md")


@pytest.mark.parametrize(
    ("locator", "marked", "lines"),
    [
        ("delivery.md:3", "Parcels to islands take 2 extra working days.", (3, 3)),
        (
            "delivery.md:3-4",
            "Parcels to islands take 2 extra working days.\r\nExpress costs 6.",
            (3, 4),
        ),
        ("delivery.md#char=14,21", "Parcels", (3, 3)),
        ("delivery.md", "# Delivery", (1, 1)),
    ],
)
def test_a_place_is_shown_in_its_passage(
    folder: Path, locator: str, marked: str, lines: tuple[int, int]
) -> None:
    with Index.open_or_build(folder) as index:
        shown = index.show(locator)
    assert shown.marked.of(DELIVERY) == marked
    assert (shown.marked_lines.start, shown.marked_lines.end) == lines
    assert shown.position.of(DELIVERY) == shown.excerpt
    assert shown.position.start <= shown.marked.start < shown.marked.end <= shown.position.end
    assert not shown.stale


@pytest.mark.parametrize(
    "locator",
    [
        "delivery.md:99999999999999999999",
        "delivery.md#char=0,99999999999999999999",
        "delivery.md:99",
        "delivery.md#char=5,9999",
        "nothing.md:1",
        "",
    ],
)
def test_a_place_that_does_not_exist_is_an_error(folder: Path, locator: str) -> None:
    with Index.open_or_build(folder) as index, pytest.raises(DocumentNotFound):
        index.show(locator)


@pytest.mark.parametrize(
    ("locator", "reason"),
    [
        ("delivery.md#char=9,3", "ends before it starts"),
        ("delivery.md:9-3", "ends before it starts"),
        ("delivery.md:0", "lines count from 1"),
    ],
)
def test_what_is_no_place_in_any_document_is_told_as_such(
    folder: Path, locator: str, reason: str
) -> None:
    with Index.open_or_build(folder) as index, pytest.raises(ValueError, match=reason):
        index.show(locator)


@pytest.mark.parametrize("locator", ["short.txt:4", "short.txt#char=2,99", "short.txt#char=70,99"])
def test_past_the_end_of_a_document_its_length_is_told(folder: Path, locator: str) -> None:
    (folder / "short.txt").write_text("One line.\nAnother.\n")
    with Index.open_or_build(folder) as index, pytest.raises(PlaceNotFound) as caught:
        index.show(locator)
    assert (caught.value.line_count, caught.value.length) == (3, 19)


def test_a_file_name_that_looks_like_a_place_is_the_file(folder: Path) -> None:
    (folder / "notes:7").write_text("The key is under the mat.\n")
    with Index.open_or_build(folder) as index:
        assert index.show("notes:7").document.path == "notes:7"
        assert index.show("notes:7:1").marked_lines.start == 1


def test_info_counts_what_the_index_holds(folder: Path) -> None:
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)))
    with Index.open_or_build(folder) as index:
        info = index.info()
    assert (info.document_count, info.languages) == (2, (("en", 2),))
    assert [document.path for document in info.documents] == ["delivery.md", "products/lamps.md"]
    assert [problem.path for problem in info.problems] == ["picture.png"]
    assert info.store_bytes > 0


def test_a_folder_with_nothing_to_read_says_so(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(NothingReadable):
        Index.open_or_build(tmp_path / "empty")


def test_many_threads_get_the_same_answers(folder: Path) -> None:
    answers: list[str] = []
    with Index.open_or_build(folder) as index:

        def ask() -> None:
            for _ in range(10):
                answers.append(answered(index, ISLANDS).text)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(answers) == 40
    assert len(set(answers)) == 1


def test_a_closed_index_says_so(folder: Path) -> None:
    index = Index.open_or_build(folder)
    index.close()
    with pytest.raises(ValueError, match="closed"):
        index.ask(ISLANDS)


def test_a_document_may_be_named_from_here_or_from_the_root(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        for name in ("./products/lamps.md", str(folder / "products" / "lamps.md")):
            found = index.ask("Which lamp has a cable fault?", document=name)
            assert isinstance(found, Answer)
            assert index.show(f"{name}:3").document.path == "products/lamps.md"
        with pytest.raises(DocumentNotFound):
            index.show("../documents.md:1")


def test_changed_names_what_is_no_longer_as_it_was_indexed(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        assert index.changed() == ()
        (folder / "delivery.md").write_text("Parcels take 4 days.\n")
        (folder / "products" / "lamps.md").unlink()
        assert index.changed() == ("delivery.md", "products/lamps.md")


def test_nothing_else_is_quoted_where_a_changed_file_would_have_answered(folder: Path) -> None:
    (folder / "other.md").write_text("# Islands\n\nIslands are far away for parcels.\n")
    with Index.open_or_build(folder) as index:
        (folder / "delivery.md").write_text("# Delivery\n\nNo more parcels to islands.\n")
        found = index.ask(ISLANDS)
    assert isinstance(found, Refusal)
    assert (found.reason, found.missing) == (RefusalReason.STALE, ())


def test_no_folder_and_an_empty_place_are_mistakes_of_the_caller(folder: Path) -> None:
    with pytest.raises(ValueError, match="no folder"):
        Index.open_or_build("")
    with pytest.raises(ValueError, match="empty"):
        Index.open_or_build(folder, store="")


def test_a_process_that_goes_elsewhere_keeps_its_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    with Index.open_or_build("documents") as index:
        monkeypatch.chdir("/")
        assert answered(index, ISLANDS).text.startswith("Parcels")
