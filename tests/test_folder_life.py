"""What lies in people's folders besides documents: none of it stops a run, or is waited for."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="names are no bytes")

ODD_NAMES = (
    b"caf\xe9.txt",
    b"two\nlines.txt",
    b"tab\t and ' \" $(x).txt",
    b"-rf.txt",
    b"#char=0,1",
)


def pincite(*arguments: str | Path | bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "pincite", *arguments],
        capture_output=True,
        check=False,
        timeout=300,  # a hang fails here
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "documents"
    folder.mkdir()
    (folder / "plain.txt").write_text("The lamp weighs 2.4 kg.")
    return folder


@pytest.mark.parametrize("name", ODD_NAMES)
def test_names_of_any_bytes_go_all_the_way(folder: Path, name: bytes) -> None:
    path = os.fsencode(folder) + b"/" + name
    with open(path, "w") as file:
        file.write("The zeppelin departs at 9 o'clock.")
    asked = pincite("ask", folder, "When does the zeppelin depart?", "--json")
    assert asked.returncode == 0, asked.stderr
    (citation,) = json.loads(asked.stdout)["citations"]
    assert os.fsencode(citation["document"]["path"]) == name
    position = citation["position"]
    locator = name + b"#char=%d,%d" % (position["start"], position["end"])
    shown = pincite("show", "--json", folder, "--", locator)
    assert json.loads(shown.stdout)["excerpt"] == "The zeppelin departs at 9 o'clock."
    inside = pincite(
        "ask", folder, "When does the zeppelin depart?", "--document=" + os.fsdecode(name)
    )
    assert inside.returncode == 0
    assert pincite("forget", folder, "--", name).returncode == 0
    again = pincite("ask", folder, "When does the zeppelin depart?")
    assert again.returncode == 3
    os.unlink(path)
    assert pincite("index", folder, "--json").returncode == 0


def test_what_is_no_document_is_told_and_not_waited_for(folder: Path, tmp_path: Path) -> None:
    os.mkfifo(folder / "pipe.txt")
    with open(folder / "huge.txt", "wb") as file:
        file.truncate(2_000_000_000)
    (folder / "sub").mkdir()
    (folder / "sub" / "loop").symlink_to(folder)
    (folder / "self").symlink_to("self")
    (folder / "device.txt").symlink_to("/dev/zero")
    (folder / "outside.txt").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "secret.txt").write_text("The password is zeppelin.")
    with socket.socket(socket.AF_UNIX) as listening:
        there = os.getcwd()
        os.chdir(folder)
        try:
            listening.bind("socket.txt")
        finally:
            os.chdir(there)
        indexed = pincite("index", folder, "--json")
    assert indexed.returncode == 0
    report = json.loads(indexed.stdout)
    assert report["added"] == ["plain.txt"]
    reasons = {problem["path"]: problem["reason"] for problem in report["problems"]}
    assert sorted(reasons) == [
        "device.txt",
        "huge.txt",
        "outside.txt",
        "pipe.txt",
        "self",
        "socket.txt",
    ]
    assert "2000 MB" in reasons["huge.txt"]
    assert "split it" in reasons["huge.txt"]
    assert "not followed" in reasons["outside.txt"]
    assert pincite("ask", folder, "What is the password?").returncode == 3


@pytest.mark.skipif(
    os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="root may read all"
)
def test_what_must_not_be_read_is_told(folder: Path) -> None:
    (folder / "locked.txt").write_text("x")
    (folder / "locked.txt").chmod(0)
    (folder / "closed").mkdir(mode=0)
    report = json.loads(pincite("index", folder, "--json").stdout)
    assert [problem["path"] for problem in report["problems"]] == ["closed", "locked.txt"]


def test_a_file_that_changes_while_it_is_read_is_read_whole_or_told(folder: Path) -> None:
    writer = """
        import itertools, sys
        print("ready", flush=True)
        for number in itertools.count():
            mark = str(number % 10)
            with open(sys.argv[1], "w") as file:
                for _ in range(200):
                    file.write("Value " + mark * 50 + ".\\n\\n")
                    file.flush()
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(writer), str(folder / "live.txt")],
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            for _ in range(3):
                asked = pincite("ask", folder, "What is the value?", "--json")
                record = json.loads(asked.stdout)
                # Nothing of it is quoted: it has changed again since.
                assert all(c["document"]["path"] != "live.txt" for c in record["citations"])
        finally:
            process.kill()
