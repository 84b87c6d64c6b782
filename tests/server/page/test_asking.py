"""Asking in a browser: the answer with its quotes, refusals, follow-ups, copies, links."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.server.page.conftest import Visit, indexed, served

RETURNS = """\
# Returns

## How long you have

You have 45 days to return a lamp. After that we repair it.

## What it costs

Returning a lamp costs 4 euros.
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home = tmp_path_factory.mktemp("asking")
    shop = indexed(home / "shop", {"returns.md": RETURNS})
    with served(home / "state", shop=shop) as address:
        yield address


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Visit]:
    with browser.new_context() as context:
        yield Visit(context, address)


def test_an_answer_is_a_quotation_with_its_place_in_the_margin(visit: Visit) -> None:
    page = visit.open()

    visit.ask("How many days do I have to return a lamp?")

    assert page.text_content(".reply blockquote") == "You have 45 days to return a lamp."
    assert page.text_content(".reply .place .file") == "returns.md"
    assert page.text_content(".reply .place .where") == "line 5"
    assert page.text_content(".reply .place .headings") == "Returns › How long you have"
    assert visit.complaints == []
