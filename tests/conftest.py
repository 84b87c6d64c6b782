"""What tests in several folders share: a real browser."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def chromium() -> str | None:
    """Where the browser is; CHROMIUM names another one than that of the path."""
    named = os.environ.get("CHROMIUM")
    return named or shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One for the tests of a module, and gone after it.

    While its driver is there an event loop runs in this thread, in which no other can be run.
    """
    path = chromium()
    if path is None:
        pytest.skip("no Chromium is installed: `apt-get install chromium`, or name one in CHROMIUM")
    # Most runs need no browser.
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # Without a user of its own, as in a container, Chromium has no sandbox of its own.
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
