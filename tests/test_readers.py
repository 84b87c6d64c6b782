import dataclasses
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest

from pincite import readers
from pincite.errors import StoreNotWritable
from pincite.indexing import update
from pincite.loaders import LoadSettings
from pincite.readers import read_all
from pincite.reading import ReadDocument, Reading, read
from pincite.records import Need
from pincite.store.files import FoundFile, list_files, stamp_of
from pincite.store.known import KnownProblem

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals")


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "documents"
    folder.mkdir()
    return folder


@pytest.fixture
def processes(monkeypatch):
    """Two processes read, however little there is to read; those started are in the list."""
    monkeypatch.setattr(readers, "_WORTH_A_PROCESS", 1)
    monkeypatch.setattr(readers, "_cores", lambda: 2)
    started = []
    real = subprocess.Popen

    def start(*arguments, **options):
        started.append(real(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(readers.subprocess, "Popen", start)
    return started


@pytest.fixture
def prelude(monkeypatch):
    """Code for every reading process to run first."""

    def set_to(code):
        code = textwrap.dedent(code).replace("{", "{{").replace("}", "}}")
        beginning = "import sys; sys.path[:] = {!r}\nfrom pincite import errors, reading, serving\n"
        monkeypatch.setattr(readers, "_SERVE", f"{beginning}{code}\nserving.serve()")

    return set_to


def fill(folder: Path, *, files: int, paragraphs: int = 20) -> None:
    for number in range(files):
        texts = (f"Refund number {n} of file {number} is due." for n in range(paragraphs))
        (folder / f"{number:03}.txt").write_text("\n\n".join(texts))


def everything(found: Reading) -> list[str]:
    # Without stamps, which tell how long ago a file changed.
    read = found.outcome
    if isinstance(read, ReadDocument):
        outcome = repr((read.source, read.extraction, read.language))
    else:
        outcome = repr(read.problem)
    parts = [dataclasses.astuple(part) for part in found.passages]
    plain = [[x.tolist() if isinstance(x, np.ndarray) else x for x in part] for part in parts]
    return [found.path, outcome, repr(plain)]


def all_read(folder: Path) -> list[list[str]]:
    return [everything(found) for found in read_all(folder, list_files(folder).files)]


def test_several_processes_read_what_one_reads_in_the_same_order(folder, processes):
    fill(folder, files=9)
    fill(folder, files=1, paragraphs=1_500)
    (folder / "004.txt").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    (folder / "005.md").write_text("# Übersicht\n\nRefund.\n")
    (folder / "006.txt").write_text("")
    expected = [everything(read(folder, file.path)) for file in list_files(folder).files]
    assert len(expected) == 10
    assert all_read(folder) == expected
    assert len(processes) == 2


def test_little_is_read_without_another_process(folder, monkeypatch):
    fill(folder, files=3)
    monkeypatch.setattr(readers.subprocess, "Popen", None)
    assert [path for path, *_ in all_read(folder)] == ["000.txt", "001.txt", "002.txt"]


def test_where_no_process_can_be_started_this_one_reads(folder, processes, monkeypatch):
    fill(folder, files=3)
    expected = [everything(read(folder, file.path)) for file in list_files(folder).files]
    monkeypatch.setattr(readers.sys, "executable", str(folder / "absent"))
    assert all_read(folder) == expected
    monkeypatch.setattr(readers, "_SERVE", "{!r}; raise SystemExit(1)")
    monkeypatch.setattr(readers.sys, "executable", sys.executable)
    assert all_read(folder) == expected


@posix_only
def test_a_process_that_dies_costs_the_file_it_was_reading(folder, processes, prelude):
    fill(folder, files=6)
    (folder / "002.txt").write_text("deadly")
    prelude(
        """
        import os
        load = reading.load
        def deadly_load(path, *, name, settings):
            if name == "002.txt":
                os.kill(os.getpid(), 9)
            return load(path, name=name, settings=settings)
        reading.load = deadly_load
        """
    )
    report = update(folder)
    assert report.added == ("000.txt", "001.txt", "003.txt", "004.txt", "005.txt")
    [problem] = report.problems
    assert problem.path == "002.txt"
    assert problem.reason == (
        "the process that was reading it ended (signal 9): it is tried again at the next run"
    )
    assert len(processes) == 3
    # It may not have been the file's fault.
    assert update(folder).added == ("002.txt",)


@posix_only
def test_a_process_that_dies_half_way_leaves_nothing_of_its_file(folder, processes, prelude):
    fill(folder, files=1, paragraphs=4)
    (folder / "long.txt").write_text("Parcel.\n\n" * 3)
    prelude(
        """
        import os
        read = serving.read
        def parts(passages):
            yield from passages
            os.kill(os.getpid(), 9)
        def dying_read(folder, path, settings):
            found = read(folder, path, settings)
            if path == "long.txt":
                return reading.Reading(path, found.outcome, parts(found.passages))
            return found
        serving.read = dying_read
        """
    )
    report = update(folder)
    assert report.added == ("000.txt",)
    assert [problem.path for problem in report.problems] == ["long.txt"]
    fill(folder, files=2, paragraphs=4)
    (folder / "long.txt").unlink()
    assert update(folder).unchanged == 1


def test_an_error_in_a_process_is_raised_here(folder, processes, prelude):
    fill(folder, files=4)
    prelude(
        """
        def failing_load(path, *, name, settings):
            if name == "001.txt":
                raise OSError(28, "No space left on device")
            return load(path, name=name, settings=settings)
        load, reading.load = reading.load, failing_load
        """
    )
    with pytest.raises(StoreNotWritable, match=r"No space left on device while working on 001"):
        update(folder)
    assert all(process.poll() is not None for process in processes)


def test_an_error_that_cannot_be_sent_is_described(folder, processes, prelude):
    fill(folder, files=2)
    prelude(
        """
        def failing_load(path, *, name, settings):
            class LocalError(Exception): pass
            raise LocalError("what was wrong")
        reading.load = failing_load
        """
    )
    with pytest.raises(RuntimeError, match="LocalError: what was wrong"):
        all_read(folder)
    assert all(process.poll() is not None for process in processes)


def test_leaving_early_ends_the_processes(folder, processes):
    fill(folder, files=12, paragraphs=500)
    found = read_all(folder, list_files(folder).files)
    assert isinstance(next(found).outcome, ReadDocument)
    found.close()
    assert len(processes) == 2
    assert all(process.poll() is not None for process in processes)


def test_what_prints_while_reading_does_no_harm(folder, processes, prelude):
    fill(folder, files=3)
    prelude(
        """
        import os
        def printing_load(path, *, name, settings):
            print("reading", name, flush=True)
            os.write(1, b"reading")
            return load(path, name=name, settings=settings)
        load, reading.load = reading.load, printing_load
        """
    )
    assert len(all_read(folder)) == 3


@posix_only
def test_interrupted_the_processes_end_and_nothing_is_written(folder):
    fill(folder, files=40, paragraphs=300)
    script = """
        import os, signal, subprocess, sys
        from pathlib import Path
        from pincite import readers
        from pincite.indexing import update
        readers._WORTH_A_PROCESS, readers._cores = 1, lambda: 2
        # Where this runs in the background of a shell, the signal is ignored from the start.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        started, real = [], subprocess.Popen
        def start(*arguments, **options):
            started.append(real(*arguments, **options))
            return started[-1]
        subprocess.Popen = start
        def progress(progress):
            if progress.path == "010.txt":
                # As a terminal does it: all processes of the group.
                os.killpg(0, signal.SIGINT)
        try:
            update(Path(sys.argv[1]), progress=progress)
        except KeyboardInterrupt:
            print(len(started), [process.returncode is None for process in started])
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), str(folder)],
        capture_output=True,
        text=True,
        start_new_session=True,
        check=False,
        timeout=300,  # a hang fails here, and does not hold up everything else
    )
    assert (run.stdout, run.stderr) == ("2 [False, False]\n", "")
    assert update(folder).state.generation == 1


@posix_only
def test_when_the_writing_process_is_killed_the_reading_ones_end(folder):
    fill(folder, files=40, paragraphs=300)
    script = """
        import os, subprocess, sys
        from pathlib import Path
        from pincite import readers
        from pincite.indexing import update
        readers._WORTH_A_PROCESS, readers._cores = 1, lambda: 2
        real = subprocess.Popen
        def start(*arguments, **options):
            process = real(*arguments, **options)
            # In one piece: two threads start them.
            os.write(1, f"{process.pid}\\n".encode())
            return process
        subprocess.Popen = start
        def progress(progress):
            if progress.path == "010.txt":
                print("half way", flush=True)
                sys.stdin.read()
        update(Path(sys.argv[1]), progress=progress)
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script), str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline().strip() for _ in range(3)]
        assert lines.pop() == "half way"
        process.send_signal(signal.SIGKILL)
    patience = time.monotonic() + 60
    while any(running(int(pid)) for pid in lines) and time.monotonic() < patience:
        time.sleep(0.05)
    assert not any(running(int(pid)) for pid in lines)


def running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # An orphan that nobody has waited for yet is no longer running.
    state = Path(f"/proc/{pid}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"


@posix_only
def test_a_script_without_a_main_guard_is_not_run_again(folder, tmp_path):
    fill(folder, files=4)
    script = tmp_path / "script.py"
    script.write_text(
        "import sys\n"
        "from pathlib import Path\n"
        "from pincite import readers\n"
        "from pincite.indexing import update\n"
        "readers._WORTH_A_PROCESS, readers._cores = 1, lambda: 2\n"
        "print(len(update(Path(sys.argv[1])).added))\n"
    )
    run = subprocess.run(
        [sys.executable, script, folder], capture_output=True, text=True, check=False
    )
    assert (run.stdout, run.stderr) == ("4\n", "")


def test_a_process_that_exits_says_how(folder, processes, prelude):
    fill(folder, files=2)
    prelude(
        """
        import os
        def exiting(folder, path, settings):
            os._exit(7)
        serving.read = exiting
        """
    )
    for found in read_all(folder, list_files(folder).files):
        assert isinstance(found.outcome, KnownProblem)
        assert "exit code 7" in found.outcome.problem.reason
        assert list(found.passages) == []


@pytest.fixture
def hostile(folder, processes, prelude):
    """A folder with `bad.json`, over which `code` is run in the process that reads it."""

    def made(code):
        fill(folder, files=2)
        (folder / "bad.json").write_text('{"parcel": "lost"}')
        (folder / "good.json").write_text('{"parcel": "found"}')
        prelude(
            f"""
            import os, signal, time
            load = reading.load
            def hostile_load(path, *, name, settings):
                if name == "bad.json":
                    {code}
                return load(path, name=name, settings=settings)
            reading.load = hostile_load
            """
        )
        settle(folder)
        return folder

    return made


def test_a_file_that_takes_for_ever_is_given_up_and_costs_itself_only(hostile, monkeypatch):
    folder = hostile("while True: pass")
    report = update(folder, settings=LoadSettings(seconds=8))
    assert report.added == ("000.txt", "001.txt", "good.json")
    [problem] = report.problems
    assert (problem.path, problem.need) == ("bad.json", Need.TIME)
    assert "took longer than 8 seconds to read" in problem.reason
    assert "--time-limit" in problem.reason
    # Nor does it take that long again, until it is given more time.
    monkeypatch.setattr(readers.subprocess, "Popen", None)
    assert update(folder).problems == report.problems
    monkeypatch.undo()
    assert update(folder, settings=LoadSettings(seconds=90)).added == ("bad.json",)


def test_files_that_take_too_long_together_are_given_up_together(hostile):
    folder = hostile("while True: pass")
    bad = FoundFile("bad.json", stamp_of(folder / "bad.json"))
    outcomes = [one.outcome for one in read_all(folder, [bad, bad], seconds=3)]
    assert [one.problem.reason for one in outcomes if isinstance(one, KnownProblem)] == [
        "the files took longer than 3 seconds to read together: give fewer"
    ] * 2


@posix_only
def test_a_file_that_takes_all_memory_is_given_up_and_costs_itself_only(hostile):
    folder = hostile("hoard = [bytearray(10_000_000) for _ in range(1_000_000)]")
    report = update(folder, settings=LoadSettings(memory=400_000_000))
    assert report.added == ("000.txt", "001.txt", "good.json")
    [problem] = report.problems
    assert (problem.path, problem.need) == ("bad.json", Need.MEMORY)
    assert "takes more than 400 MB of memory to read" in problem.reason
    assert "--memory-limit" in problem.reason


@posix_only
def test_a_file_over_which_the_parser_crashes_is_not_tried_until_it_changes(hostile, monkeypatch):
    folder = hostile("os.kill(os.getpid(), signal.SIGSEGV)")
    report = update(folder)
    assert report.added == ("000.txt", "001.txt", "good.json")
    assert "may be damaged" in report.problems[0].reason
    monkeypatch.setattr(readers.subprocess, "Popen", None)
    assert update(folder).problems == report.problems


def test_a_password_lets_a_file_be_read_and_is_kept_nowhere(hostile, tmp_path):
    folder = hostile(
        "if 'open sesame' not in settings.passwords:"
        " raise errors.UnreadableDocument(name, reason='asks', need='password')"
    )
    [problem] = update(folder).problems
    assert (problem.path, problem.need) == ("bad.json", Need.PASSWORD)
    assert update(folder, settings=LoadSettings(passwords=("wrong",))).problems == (problem,)
    given = LoadSettings(passwords=("wrong", "open sesame"))
    assert "sesame" not in repr(given)
    assert update(folder, settings=given).added == ("bad.json",)
    assert update(folder).problems == ()
    stored = b"".join(
        path.read_bytes() for path in sorted((folder / ".pincite").rglob("*")) if path.is_file()
    )
    assert b"found" in stored
    assert b"sesame" not in stored


def settle(folder: Path) -> None:
    """Wait until the last change of its files is long enough ago for their stamps to prove."""
    patience = time.monotonic() + 60
    while not all(file.stamp.settled for file in list_files(folder).files):
        assert time.monotonic() < patience
        time.sleep(0.05)


def test_files_that_may_do_harm_are_read_apart_however_small(folder, monkeypatch):
    fill(folder, files=2)
    (folder / "page.html").write_text("<html><p>Refund.</p></html>")
    (folder / "disguised.txt").write_bytes(b"PK\x03\x04" + bytes(100))
    apart = []
    begin = readers._Readers.begin

    def noted(self, file, *, at_most):
        apart.append((file.path, at_most))
        return begin(self, file, at_most=at_most)

    monkeypatch.setattr(readers._Readers, "begin", noted)
    assert [path for path, *_ in all_read(folder)] == [
        "000.txt",
        "001.txt",
        "disguised.txt",
        "page.html",
    ]
    assert apart == [("disguised.txt", 1), ("page.html", 1)]


def test_a_process_is_not_worn_by_the_memory_of_the_one_that_started_it(folder, processes):
    ballast = b"x" * 900_000_000
    fill(folder, files=6)
    assert len(all_read(folder)) == 6
    assert len(processes) == 2
    assert len(ballast) == 900_000_000
