"""A log of answers: what is written stays, and what is altered, dropped or put in is found."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from pincite.auditing import archive
from pincite.auditing.checking import check
from pincite.auditing.entries import ANSWER, REFUSAL, Entry, canonical, parsed
from pincite.auditing.log import CHECKPOINT_EVERY, HEAD, LOG, AuditLog
from pincite.auditing.signing import checked, signed
from pincite.errors import AuditDamaged, AuditNotWritable, CheckpointUnusable
from pincite.records import Source

from ..logs import said

WRITER = """
import sys
from pathlib import Path
from pincite.auditing.log import AuditLog
from tests.logs import said
log = AuditLog(Path(sys.argv[1]))
for number in range(int(sys.argv[2])):
    log.append("answer", said(f"{sys.argv[3]} {number}" + "x" * 500))
"""


def written(directory: Path, count: int = 5) -> AuditLog:
    log = AuditLog(directory, clock=lambda: datetime(2026, 1, 2, tzinfo=UTC))
    for number in range(count):
        log.append(ANSWER, said(f"How many? {number} \ud800"))
    return log


def indexed(path: str, sha256: str) -> Source:
    return Source(path, path, "text/plain", sha256, "2026-01-02T00:00:00+00:00")


def writer(directory: Path, count: int, name: str, **options: Any) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WRITER, str(directory), str(count), name]
    return subprocess.Popen(command, **{"stderr": subprocess.DEVNULL, **options})


def test_what_is_written_is_read_again_in_order(tmp_path: Path) -> None:
    log = written(tmp_path / "log")
    lines = list(log.lines())
    assert [line.entry.sequence for line in lines] == [1, 2, 3, 4, 5]
    assert lines[3].record()["record"]["question"] == "How many? 3 \ud800"
    assert lines[3].entry.previous == lines[2].entry.sha256
    report = check(log)
    assert (report.entries, report.faults, report.torn) == (5, (), False)
    assert report.head == lines[-1].entry.sha256


def test_entries_are_canonical_json() -> None:
    entry = Entry(1, ANSWER, "2026-01-02T00:00:00.000000Z", "a" * 64, "0" * 64)
    line = entry.line(b"{}")
    head = json.loads(line.partition(b"\t")[0])
    assert canonical(head) == line.partition(b"\t")[0]
    assert list(head) == sorted(head)
    with pytest.raises(ValueError, match="content was altered"):
        parsed(line)


def test_every_single_byte_that_is_changed_is_found(tmp_path: Path) -> None:
    log = written(tmp_path / "log", 4)
    path = log.directory / LOG
    whole = path.read_bytes()
    draw = random.Random(1)
    for place in range(len(whole)):
        other = draw.choice([byte for byte in range(256) if byte != whole[place]])
        path.write_bytes(whole[:place] + bytes([other]) + whole[place + 1 :])
        report = check(log)
        assert report.faults, (place, whole[place], other)


@pytest.mark.parametrize("change", ["drop", "repeat", "swap", "cut", "empty"])
def test_lines_that_are_dropped_put_in_moved_or_cut_off_are_found(
    change: str, tmp_path: Path
) -> None:
    log = written(tmp_path / "log", 5)
    path = log.directory / LOG
    lines = path.read_bytes().splitlines(keepends=True)
    if change == "drop":
        del lines[2]
    elif change == "repeat":
        lines.insert(2, lines[2])
    elif change == "swap":
        lines[1], lines[2] = lines[2], lines[1]
    elif change == "cut":
        del lines[4:]
    else:
        lines[1] = parsed(lines[1]).entry.line(b"")
    path.write_bytes(b"".join(lines))
    faults = check(log).faults
    assert faults
    if change in ("drop", "repeat", "swap"):
        assert min(fault.line for fault in faults if fault.line) in (2, 3, 4)


def test_a_line_made_anew_with_its_right_hash_is_found_by_the_next(tmp_path: Path) -> None:
    log = written(tmp_path / "log", 5)
    path = log.directory / LOG
    lines = path.read_bytes().splitlines(keepends=True)
    old = parsed(lines[2]).entry
    content = json.dumps(said("Another")).encode()
    forged = Entry(3, ANSWER, old.time, hashlib.sha256(content).hexdigest(), old.previous)
    lines[2] = forged.line(content)
    path.write_bytes(b"".join(lines))
    assert [fault.line for fault in check(log).faults] == [4]


def test_a_log_that_was_written_anew_is_found_by_a_checkpoint_kept_elsewhere(
    tmp_path: Path,
) -> None:
    kept = written(tmp_path / "log").head()
    assert kept is not None
    other = AuditLog(tmp_path / "other")
    for number in range(7):
        other.append(ANSWER, said(f"Forged {number}"))
    assert check(other).faults == ()
    (fault,) = check(other, [kept]).faults
    assert fault.reason == "entry 5 is not the one that a checkpoint that was given names"


def test_an_entry_without_a_whole_record_is_a_fault(tmp_path: Path) -> None:
    log = written(tmp_path / "log", 1)
    log.append(ANSWER, {"record": {}})
    refused = said("Who?", status="refused")
    log.append(ANSWER, refused)
    log.append(REFUSAL, refused)
    reason = "it holds no whole record of the kind 'answer'"
    assert [(one.line, one.reason) for one in check(log).faults] == [(2, reason), (3, reason)]


def test_threads_that_write_at_once_wait_for_the_disk_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = written(tmp_path / "log", 1)
    synced: list[int] = []
    are_waiting = threading.Event()
    fsync = os.fsync

    def slow(file: int) -> None:
        if not synced:
            # The first write goes on until all others wait.
            are_waiting.wait(30)
        synced.append(file)
        fsync(file)

    monkeypatch.setattr(os, "fsync", slow)
    with ThreadPoolExecutor(20) as pool:
        made = [pool.submit(log.append, ANSWER, said(f"How? {n}")) for n in range(20)]
        while len(log._queue) < 19:
            time.sleep(0.001)
        are_waiting.set()
        entries = [one.result() for one in made]
    assert len(synced) == 2
    assert sorted(entry.sequence for entry in entries) == list(range(2, 22))
    by_sequence = {line.entry.sequence: line.record()["record"] for line in log.lines()}
    for number, entry in enumerate(entries):
        assert by_sequence[entry.sequence]["question"] == f"How? {number}"
    assert check(log).faults == ()


def test_where_the_disk_is_full_each_thread_is_told_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = written(tmp_path / "log", 1)
    whole = (log.directory / LOG).read_bytes()

    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with ThreadPoolExecutor(8) as pool:
            made = [pool.submit(log.append, ANSWER, said("How?")) for _ in range(8)]
            errors = [one.exception() for one in made]
    assert {type(error) for error in errors} == {AuditNotWritable}
    assert (log.directory / LOG).read_bytes() == whole
    assert log.append(ANSWER, said("And now?")).sequence == 2
    assert check(log).faults == ()


def test_many_first_entries_at_once_are_a_whole_log(tmp_path: Path) -> None:
    log = AuditLog(tmp_path / "log")
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda n: log.append(ANSWER, said(f"How? {n}")), range(250)))
    assert check(log).faults == ()
    assert check(log).entries == 250
    assert [one.name[-3:] for one in sorted((log.directory / "checkpoints").iterdir())] == [
        "100",
        "200",
    ]


def test_heads_are_kept_now_and_then(tmp_path: Path) -> None:
    log = written(tmp_path / "log", CHECKPOINT_EVERY + 1)
    (checkpoint,) = (log.directory / "checkpoints").iterdir()
    assert json.loads(checkpoint.read_bytes())["sequence"] == CHECKPOINT_EVERY
    (log.directory / HEAD).unlink()
    assert [fault.reason for fault in check(log).faults] == ["the head is gone"]


def test_a_signed_checkpoint_is_known_by_its_key(tmp_path: Path) -> None:
    pytest.importorskip("cryptography")
    from pincite.auditing.ed25519_keys import ed25519, serialization

    paths = []
    for name in ("one", "other"):
        key = ed25519.Ed25519PrivateKey.generate()
        private, public = tmp_path / f"{name}.pem", tmp_path / f"{name}.pub"
        private.write_bytes(
            key.private_bytes(
                serialization.Encoding.PEM,
                serialization.PrivateFormat.PKCS8,
                serialization.NoEncryption(),
            )
        )
        public.write_bytes(
            key.public_key().public_bytes(
                serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
            )
        )
        paths.append((private, public))
    head = written(tmp_path / "log").head()
    assert head is not None
    made = signed(head, paths[0][0])
    assert checked(made, paths[0][1], name="kept") == head
    with pytest.raises(CheckpointUnusable, match="not signed with that key"):
        checked(made, paths[1][1], name="kept")
    with pytest.raises(CheckpointUnusable, match="not signed with that key"):
        checked({**made, "sequence": 4}, paths[0][1], name="kept")
    with pytest.raises(CheckpointUnusable, match="no private key"):
        signed(head, paths[0][1])


def test_what_is_erased_is_gone_and_the_chain_is_whole(tmp_path: Path) -> None:
    log = written(tmp_path / "log")
    log.erase([2, 4], reason="a request")
    data = (log.directory / LOG).read_bytes()
    assert b"How many? 1" not in data
    assert b"How many? 2" in data
    report = check(log)
    assert (report.entries, report.erased, report.faults) == (6, 2, ())
    told = list(log.lines())[-1].record()
    assert told == {"erased": [2, 4], "reason": "a request"}
    log.append(ANSWER, said("And now?"))
    assert check(log).faults == ()
    with pytest.raises(ValueError, match="no answer or refusal 6"):
        log.erase([6], reason="the erasure itself")


def test_two_writers_do_not_get_in_each_others_way(tmp_path: Path) -> None:
    directory = tmp_path / "log"
    both = [writer(directory, 40, name) for name in ("one", "other")]
    assert [one.wait() for one in both] == [0, 0]
    report = check(AuditLog(directory))
    assert (report.entries, report.faults) == (80, ())


def test_a_writer_that_is_killed_leaves_a_log_that_goes_on(tmp_path: Path) -> None:
    directory = tmp_path / "log"
    draw = random.Random(3)
    for _ in range(4):
        process = writer(directory, 100_000, "killed")
        while not (directory / LOG).exists():
            time.sleep(0.01)
        time.sleep(0.05 + draw.random() / 10)
        process.send_signal(signal.SIGKILL)
        process.wait()
    log = AuditLog(directory)
    log.append(ANSWER, said("After all?"))
    report = check(log)
    assert (report.faults, report.torn) == ((), False)


def test_a_write_that_never_ended_is_cleared_away_and_told(tmp_path: Path) -> None:
    log = written(tmp_path / "log", 2)
    path = log.directory / LOG
    with path.open("ab") as file:
        file.write(path.read_bytes()[:50])
    assert check(log).torn
    other = AuditLog(log.directory)
    other.append(ANSWER, said("After all?"))
    kinds = [line.entry.kind for line in other.lines()]
    assert kinds == ["answer", "answer", "recovery", "answer"]
    assert list(other.lines())[2].record()["bytes"] == 50
    assert check(other).faults == ()


def test_a_full_disk_is_an_error_and_leaves_the_log_as_it_was(tmp_path: Path) -> None:
    log = written(tmp_path / "log", 2)
    size = (log.directory / LOG).stat().st_size

    def limited() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 1_500, size + 1_500))

    process = writer(log.directory, 9, "full", preexec_fn=limited, stderr=subprocess.PIPE)
    _, said = process.communicate()
    assert process.returncode == 1
    assert b"AuditNotWritable" in said
    report = check(AuditLog(log.directory))
    assert (report.faults, report.torn) == ((), False)
    assert 2 < report.entries < 9


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
def test_a_log_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(AuditNotWritable):
        written(tmp_path / "log")


def test_nothing_is_written_behind_a_last_line_that_was_altered(tmp_path: Path) -> None:
    log = written(tmp_path / "log", 2)
    path = log.directory / LOG
    path.write_bytes(path.read_bytes().replace(b"How many? 1", b"How many? 9"))
    with pytest.raises(AuditDamaged, match="its last line"):
        AuditLog(log.directory).append(ANSWER, said("And this?"))


@pytest.mark.parametrize("lines", [0, 2, 4])
def test_a_log_that_was_cut_off_is_not_written_on(lines: int, tmp_path: Path) -> None:
    log = written(tmp_path / "log", 5)
    path = log.directory / LOG
    cut = b"".join(path.read_bytes().splitlines(keepends=True)[:lines])
    path.write_bytes(cut)
    for writing in (
        lambda: AuditLog(log.directory).append(ANSWER, said("And this?")),
        lambda: log.append(ANSWER, said("And this?")),
        AuditLog(log.directory).recover,
    ):
        with pytest.raises(AuditDamaged, match=f"ends with {lines}: cut off; put the whole log"):
            writing()
    assert path.read_bytes() == cut
    assert any("cut off" in fault.reason for fault in check(log).faults)


@pytest.mark.parametrize("head", [None, b"", b"{", b"[" * 100_000, b"[]", b"null"])
def test_a_log_without_its_head_is_not_written_on(head: bytes | None, tmp_path: Path) -> None:
    log = written(tmp_path / "log", 5)
    if head is None:
        (log.directory / HEAD).unlink()
    else:
        (log.directory / HEAD).write_bytes(head)
    with pytest.raises(AuditDamaged, match="its head"):
        AuditLog(log.directory).append(ANSWER, said("And this?"))
    assert check(log).entries == 5
    assert check(log).faults


@pytest.mark.parametrize("head", [None, b""])
def test_a_first_write_that_ended_before_its_head_is_gone_on_with(
    head: bytes | None, tmp_path: Path
) -> None:
    log = written(tmp_path / "log", 1)
    (log.directory / HEAD).unlink()
    if head is not None:
        (log.directory / HEAD).write_bytes(head)
    AuditLog(log.directory).append(ANSWER, said("And this?"))
    assert check(log).faults == ()


def test_a_head_that_is_behind_is_brought_up(tmp_path: Path) -> None:
    log = written(tmp_path / "log", 3)
    behind = (log.directory / HEAD).read_bytes()
    log.append(ANSWER, said("And this?"))
    (log.directory / HEAD).write_bytes(behind)
    AuditLog(log.directory).append(ANSWER, said("And this?"))
    assert check(log).faults == ()
    head = log.head()
    assert head is not None
    assert head["sequence"] == 5


def test_a_write_that_never_ended_is_no_line_and_is_cleared_away_by_an_erasure(
    tmp_path: Path,
) -> None:
    log = written(tmp_path / "log", 2)
    path = log.directory / LOG
    with path.open("ab") as file:
        file.write(path.read_bytes()[:50])
    assert [line.entry.sequence for line in log.lines()] == [1, 2]
    AuditLog(log.directory).erase([1], reason="a request")
    assert [line.entry.kind for line in log.lines()] == ["answer", "answer", "recovery", "erasure"]
    assert (check(log).faults, check(log).torn) == ((), False)


@pytest.mark.skipif(os.name != "posix", reason="the bits are those of POSIX")
def test_only_its_owner_may_read_a_log(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        directory = tmp_path / "new" / "log"
        (tmp_path / "a.txt").write_bytes(b"Twelve months.")
        sha256 = hashlib.sha256(b"Twelve months.").hexdigest()
        archive.keep(directory, "state", tmp_path, [indexed("a.txt", sha256)])
        log = written(directory, CHECKPOINT_EVERY)
        log.erase([1], reason="a request")
    finally:
        os.umask(before)
    found = {
        str(path.relative_to(directory)): oct(path.stat().st_mode & 0o777)
        for path in (directory, *directory.rglob("*"))
    }
    assert {mode for name, mode in found.items() if (directory / name).is_dir()} == {"0o700"}
    assert {mode for name, mode in found.items() if (directory / name).is_file()} == {"0o600"}
    assert {"log", "head", "lock", f"documents/{sha256}", "generations/state.json"} <= set(found)


def test_writers_that_keep_the_same_documents_do_not_get_in_each_others_way(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "documents"
    folder.mkdir()
    sources = []
    for number in range(40):
        data = f"Document {number}.".encode()
        (folder / f"{number}.txt").write_bytes(data)
        sha256 = hashlib.sha256(data).hexdigest()
        sources.append(indexed(f"{number}.txt", sha256))

    def keep(_: int) -> None:
        archive.keep(tmp_path / "log", "state", folder, sources)

    with ThreadPoolExecutor(8) as writers:
        list(writers.map(keep, range(16)))
    assert len(list((tmp_path / "log" / "documents").iterdir())) == 40
    assert [one.name for one in (tmp_path / "log" / "generations").iterdir()] == ["state.json"]


def test_entries_may_be_brought_to_disk_a_little_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = AuditLog(tmp_path, sync_seconds=60)
    log.append(ANSWER, said("first"))
    synced: list[int] = []
    fsync = os.fsync

    def counted(file: int) -> None:
        synced.append(file)
        fsync(file)

    monkeypatch.setattr(os, "fsync", counted)
    for number in range(CHECKPOINT_EVERY):
        log.append(ANSWER, said(str(number)))
    assert synced == []
    # Another reader sees them all, and the head names none that may not be on disk.
    assert check(AuditLog(tmp_path)).entries == CHECKPOINT_EVERY + 1
    assert json.loads((tmp_path / HEAD).read_bytes())["sequence"] == 1
    log.sync()
    assert len(synced) == 1
    assert json.loads((tmp_path / HEAD).read_bytes())["sequence"] == CHECKPOINT_EVERY + 1
    log.sync()
    assert len(synced) == 1
    assert not check(log).faults


def test_what_is_to_be_on_disk_soon_is_there_without_being_told(tmp_path: Path) -> None:
    log = AuditLog(tmp_path, sync_seconds=0.01)
    for number in range(3):
        log.append(ANSWER, said(str(number)))
    deadline = time.monotonic() + 30
    while json.loads((tmp_path / HEAD).read_bytes())["sequence"] < 3:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_process_that_is_killed_loses_nothing_that_waited_for_the_disk(tmp_path: Path) -> None:
    program = WRITER.replace(
        "AuditLog(Path(sys.argv[1]))", "AuditLog(Path(sys.argv[1]), sync_seconds=60)"
    )
    program += "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n"
    command = [sys.executable, "-c", program, str(tmp_path), "7", "a"]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    log = AuditLog(tmp_path)
    assert check(log).entries == 7
    log.append(ANSWER, said("after"))
    assert not check(log).faults


def test_a_disk_that_fails_later_is_told_by_the_next_entry(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = AuditLog(tmp_path, sync_seconds=0.01)
    log.append(ANSWER, said("first"))

    def full(_: int) -> None:
        raise OSError(errno.EIO, "the disk is gone")

    monkeypatch.setattr(os, "fsync", full)
    log.append(ANSWER, said("second"))
    deadline = time.monotonic() + 30
    while log._fault is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    with pytest.raises(AuditNotWritable, match="the disk is gone"):
        log.append(ANSWER, said("third"))


def test_how_long_entries_may_wait_is_limited(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="within 0 to 60 seconds, not 61"):
        AuditLog(tmp_path, sync_seconds=61)


def test_an_erasure_that_was_cut_off_halfway_is_told_and_can_be_done_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = written(tmp_path / "log", 3)

    def full(_: Any, __: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        with pytest.raises(AuditNotWritable):
            log.erase([2], reason="a request")
    # What was to be erased is in no other file either.
    assert not (log.directory / f"{LOG}.new").exists()
    assert [fault.reason for fault in check(log).faults] == [
        "entry 4 says that 2 was erased, and it is still there: erase it again"
    ]
    log.erase([2], reason="a request, again")
    assert check(log).faults == ()
    assert check(log).erased == 1


def test_nothing_is_erased_ahead(tmp_path: Path) -> None:
    log = written(tmp_path / "log", 1)
    log.append("erasure", {"erased": [1, 3], "reason": "for later"})
    log.append(ANSWER, said("Who was it?"))
    path = log.directory / LOG
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(
        b"".join(parsed(line).entry.line(b"") if n != 1 else line for n, line in enumerate(lines))
    )
    reasons = [fault.reason for fault in check(log).faults]
    assert "it erases what was written after it" in reasons
    assert "the content of entry 3 is gone, and no entry says that it was erased" in reasons
    assert not any("entry 1 is gone" in reason for reason in reasons)


def test_an_entry_without_a_time_is_a_fault(tmp_path: Path) -> None:
    log = written(tmp_path / "log", 1)
    content = json.dumps(said("When?")).encode()
    last = next(iter(log.lines())).entry
    made = Entry(2, ANSWER, "soon", hashlib.sha256(content).hexdigest(), last.sha256)
    with (log.directory / LOG).open("ab") as file:
        file.write(made.line(content))
    assert [fault.reason for fault in check(log).faults][:1] == ["its entry has no time"]


def test_a_clock_that_was_set_back_is_no_fault(tmp_path: Path) -> None:
    times = iter([datetime(2026, 1, 2, tzinfo=UTC), datetime(2020, 1, 2, tzinfo=UTC)])
    log = AuditLog(tmp_path / "log", clock=lambda: next(times))
    for number in range(2):
        log.append(ANSWER, said(str(number)))
    assert check(log).faults == ()
    assert [line.entry.time[:4] for line in log.lines()] == ["2026", "2020"]
