"""The options that say how files are read."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from pincite.cli.entry import run
from pincite.cli.settings import load_settings, reading_options
from pincite.loaders import DEFAULT, LoadSettings

from .conftest import QUESTION


def settings(folder: Path, *arguments: str) -> LoadSettings:
    found: list[LoadSettings] = []

    @click.command()
    @reading_options
    def command() -> None:
        found.append(load_settings(folder))

    command.main(list(arguments), standalone_mode=False)
    return found[0]


def test_without_options_they_are_those_of_python(folder: Path) -> None:
    assert settings(folder) == DEFAULT


def test_passwords_are_the_lines_of_a_file(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "passwords"
    file.write_bytes("\ufeffone\r\n\n two \nöne\none\n".encode())
    found = settings(folder, "--password-file", str(file), "--ocr", "--memory-limit", "500")
    assert found == LoadSettings(("one", " two ", "öne"), recognise=True, memory=500_000_000)


def test_passwords_that_would_be_read_as_a_document_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = folder / "passwords.txt"
    file.write_text("secret")
    assert run(["index", str(folder), "--password-file", str(file)]) == 2
    assert "would be read as one" in capsys.readouterr().err
    assert not (folder / ".pincite").exists()


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--time-limit", "0"], "0"),
        (["--memory-limit", "100"], "300"),
        (["--password-file", "nowhere"], "does not exist"),
    ],
)
def test_settings_that_cannot_be_are_a_usage_error(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], fault: str
) -> None:
    assert run(["ask", str(folder), QUESTION, *arguments]) == 2
    assert fault in capsys.readouterr().err


def test_passwords_in_another_encoding_are_refused(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "passwords").write_bytes(b"\xff\xfe\xe9")
    assert run(["index", str(folder), "--password-file", str(tmp_path / "passwords")]) == 2
    assert "is not text in UTF-8" in capsys.readouterr().err
