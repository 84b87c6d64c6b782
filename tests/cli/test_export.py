"""`pincite export` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

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
