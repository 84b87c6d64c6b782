"""Indexing that is killed, has no room, has no permission, or is not alone."""

import os
import random
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import pytest

from pincite.errors import StoreBusy, StoreNotWritable
from pincite.indexing import update
from pincite.store import Catalogue, store_directory
from pincite.store.catalogue import lexical_directory
from pincite.store.lexical import TantivyEngine
from pincite.store.writer import open_writer

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX processes")


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "documents"
    folder.mkdir()
    return folder


def fill(folder: Path, word: str, *, files: int) -> None:
    for number in range(files):
        paragraphs = (f"The {word} number {n} of file {number} is due." for n in range(20))
        (folder / f"{number:03}.txt").write_text("\n\n".join(paragraphs))


def python(script: str, *arguments: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script), *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def words_found(folder: Path) -> tuple[int, dict[str, int]]:
    with (
        Catalogue.open(store_directory(folder), folder=folder) as catalogue,
        catalogue.snapshot() as corpus,
    ):
        counts = {}
        for word in ("refund", "parcel", "tax"):
            keys = corpus.candidates([word], limit=10_000)
            assert all(word in passage.text for passage in corpus.passages(keys))
            assert corpus.document_frequencies([word]) == {word: len(keys)}
            counts[word] = len(keys)
        assert corpus.statistics().passage_count == sum(counts.values())
        return corpus.state().generation, counts


@posix_only
def test_killed_at_any_moment_the_last_finished_index_answers(folder):
    fill(folder, "refund", files=8)
    update(folder)
    passages = words_found(folder)[1]["refund"]
    old = {"refund": passages, "parcel": 0, "tax": 0}
    new = {"refund": 0, "parcel": passages, "tax": 0}
    script = """
        import sys
        from pathlib import Path
        from pincite.indexing import update
        print("ready", flush=True)
        update(Path(sys.argv[1]))
        print("done", flush=True)
    """
    fill(folder, "parcel", files=8)
    # How long an undisturbed run takes here, so that the kills fall all over it.
    began = time.monotonic()
    update(folder, store=folder.with_name("other"))
    duration = time.monotonic() - began
    chance = random.Random(7)
    generation = 1
    for _ in range(6):
        process = python(script, folder)
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(chance.uniform(0, 1.1 * duration))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        found_generation, found = words_found(folder)
        assert (found_generation, found) in ((generation, old), (generation + 1, new))
        if found == new:
            generation, old, new = found_generation, new, old
            fill(folder, "refund" if new["refund"] else "parcel", files=8)
    update(folder)
    assert words_found(folder) == (generation + 1, new)
    directory = lexical_directory(store_directory(folder), generation + 1)
    assert TantivyEngine.open(directory).passage_count() == passages
    assert [other.name for other in directory.parent.iterdir()] == [directory.name]


@posix_only
def test_killed_in_its_first_run_it_starts_afresh(folder):
    fill(folder, "refund", files=5)
    script = """
        import os, signal, sys
        from pathlib import Path
        from pincite import indexing
        def progress(progress):
            if progress.path == "003.txt":
                os.kill(os.getpid(), signal.SIGKILL)
        indexing.update(Path(sys.argv[1]), progress=progress)
    """
    process = python(script, folder)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    assert update(folder).state.generation == 1
    assert words_found(folder)[1]["refund"] > 0


@posix_only
def test_while_one_process_writes_others_read_and_a_second_writer_is_told(folder):
    fill(folder, "refund", files=3)
    update(folder)
    before = words_found(folder)
    fill(folder, "parcel", files=3)
    script = """
        import sys
        from pathlib import Path
        from pincite.indexing import update
        from pincite import reading
        load = reading.load
        def slow_load(path, *, name, settings):
            if name == "002.txt":
                print("writing", flush=True)
                sys.stdin.readline()
            return load(path, name=name, settings=settings)
        reading.load = slow_load
        update(Path(sys.argv[1]))
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script), str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "writing\n"
    reader = """
        import sys
        from pathlib import Path
        from pincite.store import Catalogue, store_directory
        folder = Path(sys.argv[1])
        with Catalogue.open(store_directory(folder), folder=folder) as catalogue:
            with catalogue.snapshot() as corpus:
                print(corpus.state().generation, len(corpus.candidates(["refund"], limit=1000)))
    """
    readers = [python(reader, folder) for _ in range(2)]
    answers = [process.communicate() for process in readers]
    assert answers == [(f"1 {before[1]['refund']}\n", "")] * 2
    with pytest.raises(StoreBusy, match="another process is writing"):
        update(folder)
    assert words_found(folder) == before
    process.communicate("go on\n")
    assert process.returncode == 0
    assert words_found(folder) == (2, {"refund": 0, "parcel": before[1]["refund"], "tax": 0})


def test_a_second_writer_in_the_same_process_is_told_too(folder):
    fill(folder, "refund", files=1)
    update(folder)
    with open_writer(store_directory(folder)), pytest.raises(StoreBusy):
        open_writer(store_directory(folder))


def test_with_nothing_to_do_a_run_does_not_mind_another_writer(folder, monkeypatch):
    fill(folder, "refund", files=1)
    state = update(folder).state
    with open_writer(store_directory(folder)):
        assert update(folder).state == state


@posix_only
@pytest.mark.parametrize("room", [0, 4_096, 20_000, 60_000, 150_000])
def test_without_room_on_the_disk_the_last_index_stays(folder, room):
    """A limit on the size of files makes writes fail as a full disk does, at any byte."""
    fill(folder, "refund", files=4)
    update(folder)
    before = words_found(folder)
    fill(folder, "parcel", files=40)
    script = """
        import resource, sys
        from pathlib import Path
        from pincite.errors import StoreNotWritable
        from pincite.indexing import update
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
        try:
            update(Path(sys.argv[1]))
        except StoreNotWritable as error:
            print(error)
        else:
            print("was written")
    """
    process = python(script, folder, room)
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert "nothing was changed" in out
    assert words_found(folder) == before
    assert update(folder).state.generation == 2
    assert words_found(folder)[1]["refund"] == 0


def test_a_database_that_may_not_grow_is_a_full_disk(folder):
    fill(folder, "refund", files=1)
    update(folder)
    before = words_found(folder)
    fill(folder, "parcel", files=30)
    with open_writer(store_directory(folder)) as writer:
        writer._connection.execute("PRAGMA max_page_count = 1")
        with pytest.raises(StoreNotWritable, match="the disk is full"):
            put_all(writer, folder)
    assert words_found(folder) == before


def put_all(writer, folder: Path) -> None:
    from pincite.loaders import load
    from pincite.store.files import stamp_of
    from pincite.text.passages import split_passages

    for path in sorted(folder.glob("*.txt")):
        document = load(path, name=path.name)
        writer.put(document, split_passages(document), stamp_of(path))


AS_A_STRANGER = """
    import os, sys
    from pathlib import Path
    import pincite
    from pincite.errors import StoreNotWritable
    from pincite.indexing import update
    from pincite.store import Catalogue, store_directory
    from pincite.store.catalogue import open_lexical
    # What is imported on first use must be in memory before the interpreter is out of reach.
    update(Path(sys.argv[2]), store=Path(sys.argv[2]) / f".{os.getpid()}")
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    folder = Path(sys.argv[1])
"""


@pytest.fixture
def public():
    """A folder that others can reach, which those of `tmp_path` need not be."""
    with tempfile.TemporaryDirectory() as place:
        Path(place).chmod(0o755)
        folder = Path(place) / "documents"
        folder.mkdir(mode=0o755)
        yield folder
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)


def lock(folder: Path) -> None:
    for path in (*folder.rglob("*"), folder):
        path.chmod(0o555 if path.is_dir() else 0o444)


def stranger(folder: Path, script: str) -> str:
    """What `script` prints for somebody who may read the folder but not write to it."""
    cache = folder.parent / "cache"
    cache.mkdir(exist_ok=True)
    cache.chmod(0o777)
    warm = folder.parent / "warm documents"
    warm.mkdir(exist_ok=True)
    (warm / "a.txt").write_text("Ein Wort.")
    command = textwrap.dedent(AS_A_STRANGER) + textwrap.dedent(script)
    process = subprocess.run(
        [sys.executable, "-c", command, folder, warm],
        env={**os.environ, "XDG_CACHE_HOME": str(cache), "HOME": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout


@posix_only
def test_a_folder_that_cannot_be_written_has_its_index_in_the_cache(public):
    fill(public, "refund", files=1)
    lock(public)
    script = """
        print(len(update(folder).added), update(folder).unchanged)
        print(store_directory(folder))
    """
    counts, place = stranger(public, script).splitlines()
    assert counts == "1 1"
    assert Path(place).is_relative_to(public.parent / "cache")
    assert not (public / ".pincite").exists()


@posix_only
def test_an_index_that_cannot_be_written_is_used_as_long_as_it_holds(public):
    fill(public, "refund", files=1)
    update(public)
    found = words_found(public)[1]["refund"]
    lock(public)
    script = """
        report = update(folder)
        store = store_directory(folder)
        with Catalogue.open(store, folder=folder) as catalogue, catalogue.snapshot() as corpus:
            keys = corpus.candidates(["refund", "parcel"], limit=100)
            print(store.name, report.state.generation, len(report.added), len(keys))
        print(open_lexical(store, corpus._generation.totals) is not None)
    """
    assert stranger(public, script) == f".pincite 1 0 {found}\nTrue\n"
    public.chmod(0o755)
    (public / "new.txt").write_text("Another parcel.")
    public.chmod(0o555)
    name, *rest = stranger(public, script).split()
    assert name != ".pincite"
    assert rest == ["1", "2", str(found + 1), "True"]


@posix_only
def test_a_place_asked_for_that_cannot_be_written_is_an_error(public):
    fill(public, "refund", files=1)
    lock(public)
    script = """
        try:
            update(folder, store=folder / "index")
        except StoreNotWritable as error:
            print(error)
    """
    out = stranger(public, script)
    assert out.startswith(f"cannot write the index in {public / 'index'}: ")
    assert "ermission denied" in out
