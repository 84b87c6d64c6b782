import os
import subprocess

import pytest

from pincite.store.files import list_files


def write(folder, **texts):
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def listed(folder):
    return [file.path for file in list_files(folder).files]


FILES = {
    ".gitignore": "*.log\n!keep.log\n/build/\n# a comment\n\\!odd.txt\ndeep/**/x.txt\n",
    "a.txt": "x",
    "a.log": "x",
    "keep.log": "x",
    "!odd.txt": "x",
    "build/out.txt": "x",
    "sub/build/kept.txt": "x",
    "sub/.gitignore": "!a.log\nprivate\n",
    "sub/a.log": "x",
    "sub/b.log": "x",
    "sub/private/diary.txt": "x",
    "deep/one/two/x.txt": "x",
    "deep/one/two/y.txt": "x",
}


def test_ignore_files_are_read_as_git_reads_them(tmp_path):
    write(tmp_path, **FILES)
    expected = ["a.txt", "deep/one/two/y.txt", "keep.log", "sub/a.log", "sub/build/kept.txt"]
    assert listed(tmp_path) == expected
    assert list_files(tmp_path).ignored == 6
    try:
        subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
        found = subprocess.run(
            ["git", "ls-files", "--others", "--exclude-standard", "-z"],
            cwd=tmp_path,
            capture_output=True,
            check=True,
        )
    except FileNotFoundError:
        return
    shown = [os.fsdecode(name) for name in found.stdout.split(b"\0") if name]
    assert sorted(name for name in shown if ".gitignore" not in name) == expected


def test_what_pinciteignore_says_holds_over_gitignore(tmp_path):
    files = {".gitignore": "*.pdf\n", ".pinciteignore": "!contract.pdf\n*.txt\n"}
    write(tmp_path, **files, **{"contract.pdf": "x", "other.pdf": "x", "a.txt": "x", "b.md": "x"})
    assert listed(tmp_path) == ["b.md", "contract.pdf"]


@pytest.mark.parametrize(
    "data", [b"[z-a]\n*.log\n", b"[a\n!\n\\\n*.log\n", b"\xff\xfe\n*.log\r\n", b"\xef\xbb\xbf*.log"]
)
def test_lines_that_are_no_patterns_do_no_harm(tmp_path, data):
    (tmp_path / ".pinciteignore").write_bytes(data)
    write(tmp_path, **{"a.log": "x", "b.txt": "x"})
    assert listed(tmp_path) == ["b.txt"]


def test_an_ignore_file_that_cannot_be_read_is_a_problem(tmp_path):
    (tmp_path / ".pinciteignore").mkdir()
    (tmp_path / "sub").mkdir()
    with open(tmp_path / "sub" / ".gitignore", "wb") as file:
        file.truncate(2_000_000)
    write(tmp_path, **{"sub/b.txt": "x"})
    listing = list_files(tmp_path)
    assert [file.path for file in listing.files] == ["sub/b.txt"]
    assert [problem.path for problem in listing.problems] == [".pinciteignore", "sub/.gitignore"]
    assert "leaves nothing out" in listing.problems[0].reason
