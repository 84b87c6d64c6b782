"""Backups made while others write, and put back."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import pytest

from pincite import BackupUnusable, Index, StoreBusy, StoreNotFound
from pincite.auditing.checking import check
from pincite.auditing.log import AuditLog
from pincite.backups import IndexedFolder, back_up, read_backup, restore
from pincite.cli.entry import run
from pincite.recording import Asked, record_answer, record_notice
from pincite.server.settings import NamedFolder, ServerSettings
from pincite.store.writer import open_writer
from tests.server.served import serving

LAMP = "The lamp weighs 2.4 kg.\n"
QUESTION = "How much does the lamp weigh?"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "things"
    folder.mkdir()
    (folder / "lamp.md").write_text(LAMP, encoding="utf-8")
    Index.open_or_build(folder, lexical=True).close()
    return folder


@pytest.fixture
def state(folder: Path, tmp_path: Path) -> Path:
    """What a server keeps: a log, with the documents that were asked, and something else."""
    state = tmp_path / "state"
    log = AuditLog(state / "audit")
    with Index.open(folder, lexical=True) as index:
        for question in (QUESTION, "Who was Plato?"):
            record_answer(log, index, index.ask(question), Asked(lexical=True))
    record_notice(log, "Who was Plato?", "It should say so.")
    (state / "seen.json").write_text("{}\n", encoding="utf-8")
    return state


@pytest.fixture(autouse=True)
def _without_what_a_person_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "none"))


def of(folder: Path) -> IndexedFolder:
    return IndexedFolder(folder, folder / ".pincite")


def weight(folder: Path, store: Path | None = None) -> str:
    with Index.open(folder, store=store, lexical=True) as index:
        return index.ask(QUESTION).text


def test_a_backup_answers_in_place_and_put_back(folder: Path, tmp_path: Path) -> None:
    backup = tmp_path / "backup"
    report = back_up({"things": of(folder)}, backup)
    assert (report.collections, report.has_state) == (("things",), False)
    assert weight(folder, backup / "stores" / "things") == LAMP.strip()

    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "lamp.md").write_text(LAMP, encoding="utf-8")
    restore(backup, {"things": IndexedFolder(elsewhere, elsewhere / ".pincite")})
    assert weight(elsewhere) == LAMP.strip()
    with Index.open_or_build(elsewhere, lexical=True) as index:
        assert index.report is not None
        assert index.report.unchanged == 1


def test_what_was_learnt_from_questions_is_in_the_backup(folder: Path, tmp_path: Path) -> None:
    calibration = '{"format": 1, "calibrations": []}\n'
    (folder / ".pincite" / "calibration.json").write_text(calibration, "ascii")
    back_up({"things": of(folder)}, tmp_path / "backup")
    restore(tmp_path / "backup", {"things": of(folder)}, replace=True)
    assert (folder / ".pincite" / "calibration.json").read_text("ascii") == calibration


def test_the_state_of_a_server_is_put_back_with_its_log_whole(
    folder: Path, state: Path, tmp_path: Path
) -> None:
    backup, target = tmp_path / "backup", tmp_path / "put back"
    assert back_up({"things": of(folder)}, backup, state=state).has_state
    restore(backup, {}, state=target)
    found = check(AuditLog(target / "audit"))
    assert (found.entries, found.faults, found.torn) == (3, (), False)
    assert (target / "seen.json").read_text("utf-8") == "{}\n"
    # Its questions can be asked again, of the documents as they were.
    (folder / "lamp.md").unlink()
    assert run(["audit", "replay", str(target / "audit")]) == 0
    # It is written on.
    record_notice(AuditLog(target / "audit"), "Who was Plato?", "Still.")
    assert check(AuditLog(target / "audit")).entries == 4


def test_a_backup_made_while_others_index_and_log_opens_answers_and_verifies(
    folder: Path, state: Path, tmp_path: Path
) -> None:
    for number in range(150):
        text = f"# Room {number}\n\n" + "The room is empty. " * 200
        (folder / f"{number:03}.md").write_text(text, encoding="utf-8")
    asked = threading.Event()

    def write_log() -> None:
        log = AuditLog(state / "audit")
        while not asked.is_set():
            record_notice(log, "Who was Plato?", "It should say so.")

    writer = threading.Thread(target=write_log)
    writer.start()
    with subprocess.Popen(
        [sys.executable, "-m", "pincite", "index", "--lexical", str(folder)],
        stdout=subprocess.DEVNULL,
    ) as indexing:
        generations, count = set(), 0
        while indexing.poll() is None or not count:
            backup = tmp_path / f"backup-{count}"
            back_up({"things": of(folder)}, backup, state=state)
            with Index.open(folder, store=backup / "stores" / "things", lexical=True) as index:
                info = index.info()
                # The run before, or all of this one.
                assert info.document_count == {1: 1, 2: 151}[info.state.generation]
                assert index.ask(QUESTION).text == LAMP.strip()
                generations.add(info.state.generation)
            found = check(AuditLog(backup / "state" / "audit"))
            assert (found.faults, found.torn) == ((), False)
            count += 1
    asked.set()
    writer.join()
    assert indexing.returncode == 0
    assert 1 in generations
    assert check(AuditLog(state / "audit")).faults == ()


def test_a_backup_that_is_killed_leaves_nothing_that_looks_whole(
    folder: Path, tmp_path: Path
) -> None:
    backup = tmp_path / "backup"
    code = (
        "import sys, time; from pathlib import Path; from pincite import backups;"
        "backups._sync = lambda path: (print('here', flush=True), time.sleep(600));"
        "folder, out = map(Path, sys.argv[1:]);"
        "one = backups.IndexedFolder(folder, folder / '.pincite');"
        "backups.back_up({'things': one}, out)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, str(folder), str(backup)], stdout=subprocess.PIPE
    ) as making:
        assert making.stdout is not None
        making.stdout.readline()
        making.send_signal(signal.SIGKILL)
    assert not backup.exists()
    with pytest.raises(BackupUnusable, match="no manifest"):
        read_backup(backup)
    # The next one clears it away.
    back_up({"things": of(folder)}, backup)
    assert sorted(os.listdir(tmp_path)) == ["backup", "things"]


def test_a_backup_with_a_file_that_was_altered_or_is_missing_is_not_put_back(
    folder: Path, tmp_path: Path
) -> None:
    backup = tmp_path / "backup"
    back_up({"things": of(folder)}, backup)
    catalogue = backup / "stores" / "things" / "catalogue.sqlite3"
    data = catalogue.read_bytes()
    target = {"things": IndexedFolder(folder, tmp_path / "new")}
    for damaged in (data[:-1], data[:-1] + bytes([data[-1] ^ 1])):
        catalogue.write_bytes(damaged)
        with pytest.raises(BackupUnusable, match="is not as it was written"):
            restore(backup, target)
    catalogue.unlink()
    with pytest.raises(BackupUnusable, match="is missing"):
        restore(backup, target)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", ["stores/things/d/extra.txt", "state/extra", "extra"])
def test_a_backup_with_a_file_that_is_not_of_it_is_not_put_back(
    folder: Path, state: Path, tmp_path: Path, name: str
) -> None:
    backup = tmp_path / "backup"
    back_up({"things": of(folder)}, backup, state=state)
    (backup / name).parent.mkdir(exist_ok=True)
    (backup / name).write_text("more", "ascii")
    with pytest.raises(BackupUnusable, match=f"{name} is not of it"):
        read_backup(backup)
    with pytest.raises(BackupUnusable, match=f"{name} is not of it"):
        restore(backup, {}, state=tmp_path / "put back")
    assert not (tmp_path / "put back").exists()


def test_a_backup_with_a_link_is_not_put_back(folder: Path, state: Path, tmp_path: Path) -> None:
    backup, secret = tmp_path / "backup", tmp_path / "secret"
    back_up({"things": of(folder)}, backup, state=state)
    secret.write_text("secret", "ascii")
    (backup / "state" / "leak").symlink_to(secret)
    with pytest.raises(BackupUnusable, match="state/leak is a link"):
        restore(backup, {}, state=tmp_path / "put back")
    (backup / "state" / "leak").unlink()
    # One whose words are those of the backup is a link all the same.
    seen = backup / "state" / "seen.json"
    seen.rename(tmp_path / "seen.json")
    seen.symlink_to(tmp_path / "seen.json")
    with pytest.raises(BackupUnusable, match=r"state/seen.json is a link"):
        read_backup(backup)


@pytest.mark.parametrize(
    ("manifest", "told"),
    [
        ("", "cannot be read"),
        ("[]", "not as it was written"),
        ('{"format": 2, "files": {}}', "its format is 2, and this Pincite reads 1"),
        ('{"format": 1, "files": {"stores/../../x": {}}}', "not as it was written"),
        ('{"format": 1, "files": {}}', "not as it was written"),
        ('{"format": 1, "files": {"/etc/passwd": {}}}', "not as it was written"),
    ],
)
def test_what_is_no_backup_is_told(tmp_path: Path, manifest: str, told: str) -> None:
    (tmp_path / "manifest.json").write_text(manifest, "utf-8")
    with pytest.raises(BackupUnusable, match=told):
        read_backup(tmp_path)


def test_nothing_is_written_over_unless_it_is_said(
    folder: Path, state: Path, tmp_path: Path
) -> None:
    backup = tmp_path / "backup"
    back_up({"things": of(folder)}, backup, state=state)
    with pytest.raises(ValueError, match="is there already"):
        back_up({"things": of(folder)}, backup)
    with pytest.raises(ValueError, match="--replace"):
        restore(backup, {"things": of(folder)})
    with pytest.raises(ValueError, match="no collection 'other'; it has things"):
        restore(backup, {"other": of(folder)})
    (folder / "lamp.md").write_text("The lamp weighs 3 kg.\n", encoding="utf-8")
    Index.open_or_build(folder, lexical=True).close()
    restore(backup, {"things": of(folder)}, replace=True)
    (folder / "lamp.md").write_text(LAMP, encoding="utf-8")
    assert weight(folder) == LAMP.strip()


@pytest.mark.parametrize("part", ["things", "state"])
def test_nothing_is_put_back_under_a_server_that_runs(
    folder: Path, state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], part: str
) -> None:
    backup = tmp_path / "backup"
    back_up({"things": of(folder)}, backup, state=state)
    settings = ServerSettings(folders=(NamedFolder("things", folder),), state=state, lexical=True)
    restored = [str(folder)] if part == "things" else ["--state", str(state)]
    put_back = ["restore", str(backup), *restored, "--replace"]
    with serving(settings) as address:
        before = sorted(tmp_path.rglob("*"))
        assert run(put_back) == 1
        assert "a server that is running uses" in capsys.readouterr().err
        assert sorted(tmp_path.rglob("*")) == before
        asked = httpx.post(f"{address}/ask", json={"question": QUESTION})
        assert asked.json()["text"] == LAMP.strip()
    assert run(put_back) == 0


def test_a_backup_of_what_a_server_used_is_put_back_where_nothing_is_but_its_mark(
    folder: Path, state: Path, tmp_path: Path
) -> None:
    settings = ServerSettings(folders=(NamedFolder("things", folder),), state=state, lexical=True)
    with serving(settings):
        back_up({"things": of(folder)}, tmp_path / "backup", state=state)
    for used in (folder / ".pincite", state):
        shutil.rmtree(used)
        used.mkdir()
        (used / "in-use").touch()
    restore(tmp_path / "backup", {"things": of(folder)}, state=state)
    assert not (state / "in-use").exists()
    assert weight(folder) == LAMP.strip()


def test_nothing_is_put_back_while_the_index_is_written(folder: Path, tmp_path: Path) -> None:
    back_up({"things": of(folder)}, tmp_path / "backup")
    with open_writer(folder / ".pincite"), pytest.raises(StoreBusy):
        restore(tmp_path / "backup", {"things": of(folder)}, replace=True)
    restore(tmp_path / "backup", {"things": of(folder)}, replace=True)


def test_a_folder_without_an_index_has_no_backup(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(StoreNotFound):
        back_up({"things": of(tmp_path / "empty")}, tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


@pytest.mark.parametrize(
    ("out", "told"),
    [
        ("state", "is there already"),
        ("state/new/backup", "the state that is copied"),
        ("things/.pincite/backup", "an index that is copied"),
        ("things/backup", "a folder of documents"),
        ("link/backup", "the state that is copied"),
    ],
)
def test_a_backup_is_not_made_in_what_it_copies(
    folder: Path, state: Path, tmp_path: Path, out: str, told: str
) -> None:
    (tmp_path / "link").symlink_to(state)
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(ValueError, match=told):
        back_up({"things": of(folder)}, tmp_path / out, state=state)
    assert sorted(tmp_path.rglob("*")) == before


def test_the_commands_say_what_they_did(
    folder: Path, state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    backup, tokens = tmp_path / "backup", tmp_path / "tokens.json"
    assert run(["token", "add", "robot", "--tokens", str(tokens)]) == 0
    capsys.readouterr()
    make = ["backup", f"docs={folder}", "--out", str(backup), "--state", str(state)]
    assert run([*make, "--tokens", str(tokens)]) == 0
    assert capsys.readouterr().out.startswith(f"{backup}: docs, the state, tokens.json; ")
    assert run(["restore", str(backup), "--check"]) == 0
    assert capsys.readouterr().out.endswith("docs, the state, tokens.json; as it was written\n")

    kept = tokens.read_bytes()
    put_back = ["restore", str(backup), f"docs={folder}", "--tokens", str(tokens)]
    assert run(put_back) == 2
    assert "--replace" in capsys.readouterr().err
    tokens.unlink()
    assert run([*put_back, "--replace"]) == 0
    assert capsys.readouterr().out == f"restored from {backup}: docs, tokens.json\n"
    assert tokens.read_bytes() == kept
    assert run(["restore", str(backup)]) == 2
    assert run([*put_back, "--groups", str(tmp_path / "groups.toml")]) == 2
    assert "holds no groups.toml" in capsys.readouterr().err
    assert run(make) == 2
    assert "is there already" in capsys.readouterr().err
    assert "state/audit/log" in json.loads((backup / "manifest.json").read_bytes())["files"]
    if os.name == "posix":
        assert {path.stat().st_mode & 0o77 for path in (backup, tokens)} == {0}


def test_what_the_server_keeps_in_its_usual_places_is_in_the_backup(
    folder: Path, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "home"))
    (tmp_path / "home").mkdir()
    state.rename(tmp_path / "home" / "pincite")
    assert run(["token", "add", "robot"]) == 0
    assert run(["backup", str(folder), "--out", str(tmp_path / "backup")]) == 0
    report = read_backup(tmp_path / "backup")
    assert (report.has_state, report.files) == (True, ("tokens.json",))
