"""What somebody may not see changes no byte of what they get.

Each answer of a part of an index is compared with that of an index over a folder which never had
the other documents.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pincite import Answer, DocumentNotFound, FittedCalibration, Index, Refusal, RiskLevel, views
from pincite.render import dumps, search_to_json, to_json
from pincite.store import schema
from pincite.store.writer import Writer, open_writer
from pincite.views import view_directory
from pincite.visible import Visible

EXAMPLES = Path(__file__).parents[1] / "examples" / "helpcentre"
MODIFIED = 1_767_225_600
"""1 January 2026, for every file: it stands in the answers."""

VISIBLE = Visible(("**",), ("business/", "/policies/returns-and-refunds.md", "klr-*"))
HIDDEN = ("business", "policies/returns-and-refunds.md", "products/klr-118-desk-lamp.md")
PROBES = (
    "How much does the KLR-118 desk lamp weigh?",
    "What is the discount for business customers?",
    "Can I return an itemm within 45 days?",
    "How do I descale the quorvex?",
    "",
)
"""About what is hidden, misspelt, about nothing, and none at all."""


def questions() -> list[str]:
    lines = (EXAMPLES / "questions.jsonl").read_text("utf-8").splitlines()
    return [*(json.loads(line)["question"] for line in lines[::2]), *PROBES]


def everything_told(index: Index, asked: list[str]) -> Iterator[str]:
    """All that an index says, line by line, but where it lies and how many bytes it takes."""
    for question in asked:
        if not question:
            continue
        yield dumps(to_json(index.ask(question)))
        found = index.search(question, limit=30)
        yield dumps(search_to_json(question, found, state=index.state))
    info = index.info()
    yield dumps(to_json(replace(info, folder="", store="", store_bytes=0)))
    for source in info.documents:
        yield dumps(to_json(index.show(source.path)))
        yield repr(index.passages(source.path))
    yield repr(index.changed())


def aged(folder: Path) -> Path:
    """The folder, with every file last changed when `MODIFIED` says."""
    for path in folder.rglob("*"):
        if path.is_file() and ".pincite" not in path.parts:
            os.utime(path, (MODIFIED, MODIFIED))
    return folder


@pytest.fixture(scope="module")
def centre(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The help centre, and a copy without the hidden documents."""
    top = tmp_path_factory.mktemp("centre")
    whole = Path(shutil.copytree(EXAMPLES / "documents", top / "whole"))
    apart = Path(shutil.copytree(whole, top / "apart"))
    for name in HIDDEN:
        path = apart / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    return aged(whole), aged(apart)


def test_a_part_answers_as_a_folder_that_never_held_the_rest(centre: tuple[Path, Path]) -> None:
    whole, apart = centre
    asked = questions()
    assert len(asked) > 60
    with Index.open_or_build(apart) as index:
        expected = list(everything_told(index, asked))
    with Index.open_or_build(whole) as index:
        part = index.only(VISIBLE)
        assert part.unencoded == 0
        assert list(everything_told(part, asked)) == expected
        assert list(everything_told(index, asked[:5])) != expected[:10]

        # And so it stays, whatever becomes of what is hidden.
        (whole / "business" / "new.md").write_text("An itemm may go back within 99 days. Quorvex.")
        (whole / "products" / "klr-118-desk-lamp.md").write_text("It weighs 77 kg.")
        (whole / "policies" / "returns-and-refunds.md").unlink()
        (whole / "business" / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
        aged(whole)
        report = index.update()
        assert (len(report.added), len(report.changed), len(report.removed)) == (1, 1, 1)
        index.forget("business/business-customers.md")
        assert index.only(VISIBLE) is part
        assert list(everything_told(part, asked)) == expected


SENTENCES = (
    *("The lamp weighs 4 kg.", "A refund takes five days.", "The lamp is blue.", "Ask Berta."),
    *("Die Lampe wiegt 4 kg.", "Rücksendungen sind kostenlos.", "The refund takes six days."),
    *("Shipping costs 3 euros.", "# Lamps\n\nAll lamps are grey.", "The zanzibar lamp is red."),
)
ASKED = ("How much does the lamp weigh?", "How long does a refund take?", "Was kostet der zanzibr?")
texts = st.lists(st.sampled_from(SENTENCES), min_size=1, max_size=4).map("\n\n".join)
PATHS = ("open/a.md", "open/b.txt", "open/deep/c.md", "shut/a.md", "shut/d.md", "mixed/open.md")
RULE = Visible(("open/",), ("shut/",)) | Visible(("/mixed/",), ("shut*",))
folders = st.dictionaries(st.sampled_from((*PATHS, "mixed/shut.md", "shut/open/e.md")), texts)


def write(folder: Path, files: dict[str, str]) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_file() and ".pincite" not in path.parts:
            path.unlink()
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    aged(folder)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(states=st.lists(folders, min_size=1, max_size=3))
def test_any_part_follows_any_folder(
    states: list[dict[str, str]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    top = tmp_path_factory.mktemp("any")
    whole, apart = top / "whole", top / "apart"
    for number, files in enumerate(states):
        # One that is always there: a folder without documents has no index.
        write(whole, {**files, "open/z.md": "All is well.", "shut/z.md": "All is lost."})
        seen = {path: text for path, text in files.items() if RULE.sees(path)}
        write(apart, {**seen, "open/z.md": "All is well."})
        with (
            Index.open_or_build(whole, lexical=True) as index,
            Index.open_or_build(apart, lexical=True) as expected,
        ):
            part = index.only(RULE)
            assert list(everything_told(part, [*ASKED])) == list(
                everything_told(expected, [*ASKED])
            )
            assert part.state.generation <= number + 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    (folder / "private").mkdir(parents=True)
    (folder / "private" / "diary.txt").write_text("The zanzibarium meeting is at noon.")
    (folder / "returns.txt").write_text("You may return a lamp within 45 days.")
    (folder / "lamp.txt").write_text("The quorvex lamp weighs 2.4 kg.")
    return folder


PUBLIC = Visible(("**",), ("private/",))


def test_a_document_that_is_hidden_is_as_one_that_is_not_there(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        part = index.only(PUBLIC)
        messages = []
        for path in ("private/diary.txt", "private/nowhere.txt"):
            with pytest.raises(DocumentNotFound) as raised:
                part.show(path)
            messages.append(str(raised.value).replace(path, ""))
            with pytest.raises(DocumentNotFound):
                part.ask("When is the meeting?", document=path)
        assert messages[0] == messages[1]
        assert isinstance(index.ask("When is the zanzibarium meeting?"), Answer)
        assert isinstance(part.ask("When is the zanzibarium meeting?"), Refusal)


def test_a_rule_that_leaves_nothing_out_gives_the_index_itself(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        assert index.only(Visible()) is index
        assert not (folder / ".pincite" / "views").exists()


def test_a_rule_that_allows_nothing_gives_an_index_of_nothing(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        part = index.only(Visible(()))
        assert part.info().document_count == 0
        assert isinstance(part.ask("How much does the lamp weigh?"), Refusal)


def test_a_file_that_changed_is_not_quoted_from_a_part(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        part = index.only(PUBLIC)
        assert isinstance(part.ask("How much does the quorvex lamp weigh?"), Answer)
        (folder / "lamp.txt").write_text("The quorvex lamp weighs 9.9 kg.")
        stale = part.ask("How much does the quorvex lamp weigh?")
        assert (stale.reason, stale.stale) == ("stale", ("lamp.txt",))
        index.update()
        answer = index.only(PUBLIC).ask("How much does the quorvex lamp weigh?")
        assert answer.text == "The quorvex lamp weighs 9.9 kg."


def left_in(directory: Path, word: str) -> list[str]:
    """Files, of a store and of its views, that hold `word` in any case."""
    return [
        str(path.relative_to(directory))
        for path in sorted(directory.rglob("*"))
        if path.is_file() and word.encode() in path.read_bytes().lower()
    ]


def test_no_word_of_what_is_hidden_is_in_the_files_of_a_part(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        index.only(PUBLIC)
        view = view_directory(folder, folder / ".pincite", PUBLIC)
        assert left_in(view, "quorvex") != []
        assert left_in(view, "zanzibar") == []
        assert left_in(view, "diary") == []


@pytest.mark.parametrize("how", ["forget", "remove", "change"])
def test_what_goes_from_an_index_goes_from_the_files_of_its_parts(folder: Path, how: str) -> None:
    with Index.open_or_build(folder) as index:
        index.only(PUBLIC)
        index.only(Visible(("lamp.txt",)))
        if how == "forget":
            index.forget("lamp.txt")
        elif how == "remove":
            (folder / "lamp.txt").unlink()
            index.update()
        else:
            (folder / "lamp.txt").write_text("Nothing is said here any more.")
            index.update()
        assert index.holds_nothing_else()
        assert left_in(folder / ".pincite", "quorvex") == []
        assert isinstance(index.only(PUBLIC).ask("How much does the quorvex lamp weigh?"), Refusal)


def test_what_another_process_forgets_is_gone_from_the_next_answer(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        part = index.only(PUBLIC)
        assert isinstance(part.ask("How much does the quorvex lamp weigh?"), Answer)
        # Without what brings the views up to date at once.
        with open_writer(folder / ".pincite") as writer:
            writer.remove(["lamp.txt"])
            writer.finish()
        assert not index.holds_nothing_else()
        assert isinstance(index.only(PUBLIC).ask("How much does the quorvex lamp weigh?"), Refusal)
        assert left_in(folder / ".pincite", "quorvex") == []
        assert index.holds_nothing_else()


def test_problems_and_what_is_forgotten_are_told_of_visible_paths(folder: Path) -> None:
    (folder / "private" / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    with Index.open_or_build(folder) as index:
        index.forget("private/diary.txt", "returns.txt")
        info = index.only(PUBLIC).info()
        assert [problem.path for problem in info.problems] == ["broken.pdf"]
        assert info.forgotten == ("returns.txt",)


def test_vectors_that_come_later_come_to_the_parts(folder: Path) -> None:
    Index.open_or_build(folder, lexical=True).close()
    with Index.open(folder) as index:
        assert index.only(PUBLIC).unencoded == 2
        index.encode()
        part = index.only(PUBLIC)
        assert part.unencoded == 0
        assert part.ask("How much does the quorvex lamp weigh?").encoder == "minilm/1"


def test_a_part_is_not_updated_by_itself(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        part = index.only(PUBLIC)
        with pytest.raises(ValueError, match="update the whole one"):
            part.update()
        assert part.info().document_count == 2


def test_a_part_is_made_again_where_it_was_taken_away_or_damaged(folder: Path) -> None:
    question = "How much does the quorvex lamp weigh?"
    with Index.open_or_build(folder) as index:
        expected = index.only(PUBLIC).ask(question)
        view = view_directory(folder, folder / ".pincite", PUBLIC)
        shutil.rmtree(view)
        assert index.only(PUBLIC).ask(question) == expected
    (view / schema.FILE_NAME).write_bytes(b"no database" * 500)
    with Index.open(folder) as index:
        assert index.only(PUBLIC).ask(question) == expected
    shutil.rmtree(view / "lexical")
    with Index.open(folder) as index:
        assert index.only(PUBLIC).ask(question) == expected
        assert (view / "lexical" / "1").is_dir()


def test_a_part_follows_an_index_that_was_built_anew(folder: Path) -> None:
    question = "How much does the quorvex lamp weigh?"
    with Index.open_or_build(folder) as index:
        expected = index.only(PUBLIC).ask(question)
    kept = folder.parent / "views"
    (folder / ".pincite" / "views").rename(kept)
    shutil.rmtree(folder / ".pincite")
    (folder / "0.txt").write_text("This one comes first.")
    with Index.open_or_build(folder) as index:
        kept.rename(folder / ".pincite" / "views")
        answer = index.only(PUBLIC).ask(question)
        assert answer.text == expected.text
        assert index.only(PUBLIC).info().document_count == 3


def test_parts_that_nobody_used_for_long_are_removed(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        index.only(PUBLIC)
        index.only(Visible(("lamp.txt",)))
        old = view_directory(folder, folder / ".pincite", PUBLIC)
        long_ago = time.time() - 40 * 86_400
        os.utime(old / "view.json", (long_ago, long_ago))
        index.update()
        left = sorted(path.name for path in old.parent.iterdir())
        assert left == [view_directory(folder, folder / ".pincite", Visible(("lamp.txt",))).name]


def test_a_part_that_another_process_is_writing_is_waited_for(folder: Path) -> None:
    with Index.open_or_build(folder) as index:
        index.only(PUBLIC)
        view = view_directory(folder, folder / ".pincite", PUBLIC)
        (folder / "more.txt").write_text("The desk weighs 30 kg.")
        connection = sqlite3.connect(view / schema.FILE_NAME, check_same_thread=False)
        connection.execute("BEGIN IMMEDIATE")
        index.update()
        release = threading.Timer(1.0, connection.close)
        release.start()
        answer = index.only(PUBLIC).ask("How much does the desk weigh?")
        release.join()
        assert answer.text == "The desk weighs 30 kg."


def test_threads_that_ask_while_documents_come_and_go_get_one_state_or_another(
    folder: Path,
) -> None:
    question = "How much does the quorvex lamp weigh?"
    told = {f"The quorvex lamp weighs {weight} kg." for weight in range(10, 20)}
    with Index.open_or_build(folder, lexical=True) as index:
        index.only(PUBLIC)
        done = threading.Event()

        def ask() -> list[Answer | Refusal]:
            answers = []
            while not done.is_set():
                answers.append(index.only(PUBLIC).ask(question))
            return answers

        with ThreadPoolExecutor(4) as pool:
            running = [pool.submit(ask) for _ in range(4)]
            try:
                for text in sorted(told):
                    (folder / "lamp.txt").write_text(text)
                    index.update()
            finally:
                done.set()
            answers = [answer for one in running for answer in one.result()]
        assert answers
        texts = {answer.text for answer in answers if isinstance(answer, Answer)}
        assert texts <= {"The quorvex lamp weighs 2.4 kg.", *told}
        refused = {answer.reason for answer in answers if isinstance(answer, Refusal)}
        assert refused <= {"stale"}


def test_what_was_learnt_from_all_documents_is_left_aside(folder: Path) -> None:
    level = RiskLevel(risk=0.1, threshold=0.99, answered=1, wrong=0, holds=True)
    with Index.open_or_build(folder, lexical=True) as index:
        index.calibrate(
            FittedCalibration(
                index.scorer,
                "q.jsonl",
                "0" * 64,
                9,
                1.0,
                0.0,
                risk=0.1,
                assurance=0.9,
                levels=(level,),
            )
        )
        assert index.calibration() is not None
        assert index.only(PUBLIC).calibration() is None
        assert index.only(PUBLIC).info().calibrations == ()


@pytest.mark.parametrize("when", ["put_packed", "put_vectors", "note_folder", "finish"])
def test_a_part_whose_making_was_interrupted_is_as_before_and_made_the_next_time(
    folder: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    question = "How much does the quorvex lamp weigh?"
    with Index.open_or_build(folder) as index:
        index.only(PUBLIC)
        (folder / "lamp.txt").write_text("The quorvex lamp weighs 3 kg.")
        with monkeypatch.context() as patch:
            patch.setattr(views, "refresh_views", lambda *_, **__: None)
            index.update()
        with monkeypatch.context() as patch:
            patch.setattr(Writer, when, _interrupted)
            with pytest.raises(KeyboardInterrupt):
                index.only(PUBLIC)
        assert not index.holds_nothing_else()
        assert index.only(PUBLIC).ask(question).text == "The quorvex lamp weighs 3 kg."
        assert index.holds_nothing_else()


def test_what_a_run_of_indexing_compared_is_not_compared_again_by_whoever_asks(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Index.open_or_build(folder) as index, Index.open(folder) as other:
        before = index.only(PUBLIC).info()
        (folder / "private" / "more.txt").write_text("More of the zanzibarium.")
        other.update()
        # However many documents are hidden, it takes no time that would tell.
        monkeypatch.setattr(views, "refresh_view", _interrupted)
        assert index.only(PUBLIC).info() == before


def _interrupted(*_: object, **__: object) -> None:
    raise KeyboardInterrupt
