"""The page on other clients is run: what it shows is what happens."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pincite import Index
from pincite.server.settings import NamedFolder, ServerSettings

from .conftest import serving

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "openai-anthropic.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
ADDRESS = "http://127.0.0.1:8137"


@pytest.fixture(scope="module")
def helpcentre(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    where = tmp_path_factory.mktemp("docs")
    folder = where / "documents"
    shutil.copytree(
        ROOT / "examples/helpcentre/documents", folder, ignore=shutil.ignore_patterns(".pincite")
    )
    Index.open_or_build(folder).close()
    settings = ServerSettings(folders=(NamedFolder("helpcentre", folder),), state=where / "state")
    with serving(settings) as address:
        yield address


def test_every_example_is_followed_by_what_it_prints() -> None:
    assert len(SHOWN) == PAGE.count("```python\n") == 4


@pytest.mark.parametrize(("code", "printed"), SHOWN)
def test_the_examples_print_what_the_page_shows(code: str, printed: str, helpcentre: str) -> None:
    assert ADDRESS in code
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", code.replace(ADDRESS, helpcentre)],
        capture_output=True,
        encoding="utf-8",
    )
    assert (run.stderr, run.stdout) == ("", printed)
