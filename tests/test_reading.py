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

from pincite import reading
from pincite.errors import StoreNotWritable
from pincite.indexing import update
from pincite.reading import ReadDocument, Reading, read, read_all
from pincite.store.files import list_files
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
    monkeypatch.setattr(reading, "_WORTH_A_PROCESS", 1)
    monkeypatch.setattr(reading, "_cores", lambda: 2)
    started = []
    real = subprocess.Popen

    def start(*arguments, **options):
        started.append(real(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(reading.subprocess, "Popen", start)
    return started


@pytest.fixture
def prelude(monkeypatch):
    """Code for every reading process to run first."""

    def set_to(code):
        code = textwrap.dedent(code).replace("{", "{{").replace("}", "}}")
        beginning = "import sys; sys.path[:] = {!r}\nfrom pincite import reading\n"
        monkeypatch.setattr(reading, "_SERVE", f"{beginning}{code}\nreading.serve()")

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
    monkeypatch.setattr(reading.subprocess, "Popen", None)
    assert [path for path, *_ in all_read(folder)] == ["000.txt", "001.txt", "002.txt"]


def test_where_no_process_can_be_started_this_one_reads(folder, processes, monkeypatch):
    fill(folder, files=3)
    expected = [everything(read(folder, file.path)) for file in list_files(folder).files]
    monkeypatch.setattr(reading.sys, "executable", str(folder / "absent"))
    assert all_read(folder) == expected
    monkeypatch.setattr(reading, "_SERVE", "{!r}; raise SystemExit(1)")
    monkeypatch.setattr(reading.sys, "executable", sys.executable)
    assert all_read(folder) == expected


@posix_only
def test_a_process_that_dies_costs_the_file_it_was_reading(folder, processes, prelude):
    fill(folder, files=6)
    (folder / "002.txt").write_text("deadly")
    prelude(
        """
        import os
        load = reading.load
        def deadly_load(path, *, name):
            if name == "002.txt":
                os.kill(os.getpid(), 9)
            return load(path, name=name)
        reading.load = deadly_load
        """
    )
    report = update(folder)
    assert report.added == ("000.txt", "001.txt", "003.txt", "004.txt", "005.txt")
    [problem] = report.problems
    assert problem.path == "002.txt"
    assert problem.reason == "the process that was reading it ended (signal 9)"
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
        read = reading.read
        def parts(passages):
            yield from passages
            os.kill(os.getpid(), 9)
        def dying_read(folder, path):
            found = read(folder, path)
            if path == "long.txt":
                return reading.Reading(path, found.outcome, parts(found.passages))
            return found
        reading.read = dying_read
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
        def failing_load(path, *, name):
            if name == "001.txt":
                raise OSError(28, "No space left on device")
            return load(path, name=name)
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
        def failing_load(path, *, name):
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
        def printing_load(path, *, name):
            print("reading", name, flush=True)
            os.write(1, b"reading")
            return load(path, name=name)
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
        from pincite import reading
        from pincite.indexing import update
        reading._WORTH_A_PROCESS, reading._cores = 1, lambda: 2
        # Where this runs in the background of a shell, the signal is ignored from the start.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        started, real = [], subprocess.Popen
        def start(*arguments, **options):
            started.append(real(*arguments, **options))
            return started[-1]
        subprocess.Popen = start
        def progress(done, total, path):
            if path == "010.txt":
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
        from pincite import reading
        from pincite.indexing import update
        reading._WORTH_A_PROCESS, reading._cores = 1, lambda: 2
        real = subprocess.Popen
        def start(*arguments, **options):
            process = real(*arguments, **options)
            # In one piece: two threads start them.
            os.write(1, f"{process.pid}\\n".encode())
            return process
        subprocess.Popen = start
        def progress(done, total, path):
            if path == "010.txt":
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
        "from pincite import reading\n"
        "from pincite.indexing import update\n"
        "reading._WORTH_A_PROCESS, reading._cores = 1, lambda: 2\n"
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
        def exiting(folder, path):
            os._exit(7)
        reading.read = exiting
        """
    )
    for found in read_all(folder, list_files(folder).files):
        assert isinstance(found.outcome, KnownProblem)
        assert "exit code 7" in found.outcome.problem.reason
        assert list(found.passages) == []
