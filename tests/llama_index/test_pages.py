"""The pages on LlamaIndex show files that run, and what they print.

`python -m tests.llama_index.test_pages` writes both into the pages anew.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples" / "llama_index").glob("*.py"))
PAGES = ROOT / "docs" / "llama_index"
_SHOWN = re.compile(r"```python\n(?P<code>.*?)```\n\n```text\n(?P<printed>.*?)```", re.DOTALL)


def printed_by(script: Path) -> str:
    run = subprocess.run(
        [sys.executable, "-W", "ignore", str(script)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout


def page_of(script: Path) -> Path:
    return PAGES / f"{script.stem}.md"


@pytest.mark.parametrize("script", EXAMPLES, ids=[script.stem for script in EXAMPLES])
def test_a_page_shows_its_file_and_what_it_prints(script: Path, tmp_path: Path) -> None:
    copy = tmp_path / "examples" / "llama_index" / script.name
    shutil.copytree(
        ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns(".pincite")
    )
    shown = _SHOWN.search(page_of(script).read_text(encoding="utf-8"))
    assert shown is not None
    assert shown["code"] == script.read_text(encoding="utf-8")
    assert shown["printed"] == printed_by(copy)


def test_every_page_has_its_file_and_is_listed() -> None:
    names = {page.stem for page in PAGES.glob("*.md")} - {"README"}
    assert names == {script.stem for script in EXAMPLES}
    listed = (PAGES / "README.md").read_text(encoding="utf-8")
    assert all(f"({name}.md)" in listed for name in names)


def main() -> None:
    for script in EXAMPLES:
        page = page_of(script)
        code, printed = script.read_text(encoding="utf-8"), printed_by(script)
        text = f"```python\n{code}```\n\n```text\n{printed}```"
        old = page.read_text(encoding="utf-8")
        page.write_text(_SHOWN.sub(lambda _, new=text: new, old, count=1), encoding="utf-8")


if __name__ == "__main__":
    main()
