"""Vectors come after the index, are kept as they come, and nothing waits for them."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from pincite import Index
from pincite import index as index_module
from pincite.cli.entry import run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "money.txt").write_text("You get your money back within five days.\n")
    (folder / "lamp.txt").write_text("The lamp weighs 2.4 kg.\n")
    return folder


def test_a_small_folder_has_its_vectors_before_the_first_answer(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        assert index.unencoded == index.info().unencoded_count == 0
        answer = index.ask("How long does a refund take?")
        assert answer.encoder == "minilm/1"
        (first, *_) = index.search("reimbursement")
        assert first.document.path == "money.txt"


def test_a_large_folder_is_answered_by_words_until_it_is_indexed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(index_module, "SOON_ENCODED", 1)
    with Index.open_or_build(folder) as index:
        assert index.unencoded == 2
        assert index.ask("How much does the lamp weigh?").encoder == ""
        assert index.search("reimbursement") == []
        index.update()
        assert index.unencoded == 0
        assert index.ask("How much does the lamp weigh?").encoder == "minilm/1"
        assert index.search("reimbursement") != []


def test_with_lexical_there_are_no_vectors_and_none_are_used(folder: Path) -> None:
    with Index.open_or_build(folder, lexical=True) as index:
        assert index.unencoded == 2
    Index.open_or_build(folder).close()
    with Index.open(folder, lexical=True) as index:
        assert index.unencoded == 0
        assert index.ask("How much does the lamp weigh?").encoder == ""
        assert index.search("reimbursement") == []


def test_other_processes_give_the_same_vectors_and_answers(folder: Path) -> None:
    script = """
        import sys
        from pincite import Index
        from pincite.render import dumps, to_json
        with Index.open_or_build(sys.argv[1], store=sys.argv[2]) as index:
            print(dumps(to_json(index.ask("When do I get a refund?"))))
    """
    told = {
        subprocess.run(
            [sys.executable, "-c", textwrap.dedent(script), folder, folder.parent / name],
            capture_output=True,
            check=True,
        ).stdout
        for name in ("one", "two")
    }
    assert len(told) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX processes")
def test_what_was_done_when_it_was_killed_is_not_done_again(folder: Path) -> None:
    for number in range(30):
        (folder / f"{number:02}.txt").write_text(f"The part number {number} is in the box.\n")
    script = """
        import os, signal, sys
        from pathlib import Path
        from pincite import embedding
        from pincite.indexing import update
        from tests.store.encoders import WordEncoder
        embedding._AT_ONCE = 4
        folder, store = map(Path, sys.argv[1:])
        update(folder, store=store)
        for count in embedding.give_vectors(folder, store, WordEncoder("minilm/1")):
            if count.vectors == 12:
                os.kill(os.getpid(), signal.SIGKILL)
    """
    store = folder.parent / "store"
    killed = subprocess.run([sys.executable, "-c", textwrap.dedent(script), folder, store])
    assert killed.returncode == -signal.SIGKILL
    with Index.open(folder, store=store) as index:
        assert index.unencoded == 20
        told: list[tuple[int, int]] = []
        index.encode(progress=lambda done, of: told.append((done, of)))
        assert told == [(12, 32), (32, 32)]
        assert index.unencoded == 0
        assert index.holds_nothing_else()


def test_the_command_makes_vectors_after_the_index_unless_told_not_to(folder: Path) -> None:
    assert run(["index", "--lexical", str(folder)]) == 0
    with Index.open(folder) as index:
        assert index.unencoded == 2
    assert run(["index", str(folder)]) == 0
    with Index.open(folder) as index:
        assert index.unencoded == 0
