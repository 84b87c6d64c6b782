"""`pincite export` on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from .conftest import QUESTION, QUOTE, Pincite


def test_a_saved_answer_is_exported(pincite: Pincite, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    file.write_bytes(pincite("ask", folder, QUESTION, "--json", "--lexical").stdout)
    made = pincite("export", file, "--as", "web-annotation")
    assert made.returncode == 0
    (item,) = json.loads(made.stdout)["items"]
    assert item["body"]["value"] == QUESTION
    assert item["target"]["source"]["id"] == "returns.md"
    shown = pincite("export", file, "--as", "markdown").stdout.decode()
    assert QUOTE.replace(".", "\\.") in shown


@pytest.mark.parametrize("form", ["markdown", "html"])
def test_what_has_to_be_read_with_a_quote_is_exported_with_it(
    pincite: Pincite, tmp_path: Path, form: str
) -> None:
    folder, file = tmp_path / "folder", tmp_path / "answer.json"
    folder.mkdir()
    for year, days in (("2023", 5), ("2026", 7)):
        words = f"# Refunds\n\nA refund takes {days} working days, unless the card has expired.\n"
        (folder / f"refunds-{year}.md").write_text(words)
    (folder / "refunds-2023.md").write_text(
        "# Refunds (superseded)\n\nA refund takes 5 working days.\n"
    )
    question = "How many working days does a refund take?"
    file.write_bytes(pincite("ask", folder, question, "--json", "--lexical").stdout)
    told = pincite("ask", folder, question, "--lexical").stdout.decode()

    shown = re.sub(r"\\(.)", r"\1", pincite("export", file, "--as", form).stdout.decode())

    notes = re.findall("marked as superseded: .*|The documents differ: .*", told)
    assert len(notes) == 2
    assert all(note in shown for note in notes)
    assert shown.index("5 working days") < shown.index("marked as superseded: ")


def test_bytes_need_the_folder(pincite: Pincite, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "answer.json"
    file.write_bytes(pincite("ask", folder, QUESTION, "--json", "--lexical").stdout)
    refused = pincite("export", file, "--as", "anthropic", "--unit", "byte")
    assert (refused.returncode, refused.stdout) == (1, b"")
    assert "give --root FOLDER" in refused.stderr.decode()
    made = pincite("export", file, "--as", "anthropic", "--unit", "byte", "--root", folder)
    (block,) = json.loads(made.stdout)["content"]
    data = (folder / "returns.md").read_bytes()
    (location,) = block["citations"]
    assert data[location["start_char_index"] : location["end_char_index"]].decode() == QUOTE

    (folder / "returns.md").write_text("Nothing is taken back.\n", "utf-8")
    changed = pincite("export", file, "--as", "anthropic", "--unit", "byte", "--root", folder)
    assert (changed.returncode, changed.stdout) == (1, b"")
    told = "returns.md, which is not there as it was cited: `pincite verify` says more"
    assert told in changed.stderr.decode()
    assert "--root" not in changed.stderr.decode()
