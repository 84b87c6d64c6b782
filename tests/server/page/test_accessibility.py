"""Every view for everybody: WCAG 2.2 AA as axe-core checks it, the keyboard alone, first load."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from tests.loaders.pdf_files import make_pdf, print_lines
from tests.server.page.conftest import Visit, indexed, served

RULES = {
    "runOnly": {
        "type": "tag",
        "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    },
    "resultTypes": ["violations"],
}
FIRST_LOAD = 150_000
"""So many bytes before a PDF file is opened."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    shop = indexed(
        tmp_path_factory.mktemp("shop"),
        {
            "refunds-2023.md": "# Refunds\n\nA refund takes 5 working days.\n",
            "refunds-2026.md": "# Refunds\n\nA refund takes 7 working days.\n\n- a\n- b\n\n> c\n",
            "code.md": "# Codes\n\nError E14 means no water.\n\n```\nreset --now\n```\n",
            "fees.csv": "Lamp,Fee,Days\nDesk lamp,4.50,3\nFloor lamp,9.00,5\n",
            "handbook.pdf": make_pdf(
                [print_lines(60, 700, "A gardener has 31 days off.", size=12)]
            ),
            "broken.pdf": b"%PDF-1.4 nothing",
        },
    )
    staff = indexed(tmp_path_factory.mktemp("staff"), {"note.md": "# Note\n\nLunch is at noon.\n"})
    with served(tmp_path_factory.mktemp("state"), shop=shop, staff=staff) as address:
        yield address


@pytest.mark.parametrize(
    ("scheme", "width"),
    [("light", 1280), ("dark", 1280), ("light", 360), ("dark", 360)],
)
def test_no_view_breaks_a_rule_of_wcag(
    browser: Browser, address: str, scheme: Any, width: int
) -> None:
    found: dict[str, Mapping[str, Any]] = {}
    screen: Any = {"width": width, "height": 800}
    with browser.new_context(
        color_scheme=scheme, viewport=screen, reduced_motion="reduce"
    ) as context:
        visit = Visit(context, address)
        page = visit.open()

        def check(view: str) -> None:
            violations = Axe().run(page, options=RULES).response["violations"]
            found.update(
                {
                    f"{view}: {one['id']}": [node["html"] for node in one["nodes"]]
                    for one in violations
                }
            )
            assert page.evaluate("document.documentElement.scrollWidth") <= width, view

        check("asking")
        visit.ask("How many working days does a refund take?")
        page.click(".nearest summary")
        check("answer, with a conflict")
        page.click(".quotes .place")
        page.wait_for_selector(".source mark")
        check("document")
        page.keyboard.press("Escape")
        visit.ask("What does error E14 mean?")
        page.click(".quotes .place")
        page.wait_for_selector(".source mark")
        check("document with code")
        page.keyboard.press("Escape")
        visit.ask("What is the fee of the floor lamp?")
        page.click(".quotes .place")
        page.wait_for_selector(".source mark")
        check("sheet")
        page.keyboard.press("Escape")
        visit.ask("How many days off does a gardener have?")
        page.click(".quotes .place")
        page.wait_for_selector(".source .box")
        check("page of a PDF")
        page.keyboard.press("Escape")
        visit.ask("Who flies the refund zeppelin to the lamp?")
        page.click("text=Tell the owner of these documents")
        check("refusal")
        page.fill("#document", "nowhere.md")
        page.fill("#question", "How long?")
        page.press("#question", "Enter")
        page.wait_for_selector(".ask .fault:visible")
        check("fault")
        page.click("nav >> text=Documents")
        page.wait_for_selector(".listing tbody tr")
        page.click(".problems summary")
        check("documents")
        page.click("nav >> text=Unanswered")
        page.wait_for_selector("tbody tr >> text=zeppelin")
        check("unanswered")

    assert found == {}


def test_everything_is_done_by_keyboard_alone(visit: Visit) -> None:
    page = visit.open("#documents")

    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the main part"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"

    page.keyboard.press("/")
    page.keyboard.type("What does error E14 mean?")
    page.keyboard.press("Enter")
    page.wait_for_selector(".reply")
    assert page.evaluate("document.activeElement.className") == "asked"

    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "place"
    page.keyboard.press("Enter")
    page.wait_for_selector(".source mark")
    assert page.evaluate("document.activeElement.id") == "source-title"

    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Close"
    page.keyboard.press("Escape")
    assert page.locator("#source").is_hidden()
    assert page.evaluate("document.activeElement.className") == "place"

    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
    page.keyboard.press("Enter")
    assert page.locator(".nearest .passages").first.is_visible()


def test_whatever_has_the_focus_can_be_seen_to_have_it(visit: Visit) -> None:
    page = visit.open()
    visit.ask("How many working days does a refund take?")
    page.click(".nearest summary")
    page.evaluate("document.activeElement.blur()")
    unseen = []

    for _ in range(40):
        page.keyboard.press("Tab")
        name, style, width = page.evaluate(
            """() => {
              const { activeElement: on } = document;
              const { outlineStyle, outlineWidth } = getComputedStyle(on);
              return [on.outerHTML.slice(0, 80), outlineStyle, parseFloat(outlineWidth)];
            }"""
        )
        if name.startswith("<body"):
            break
        if style == "none" or width < 2:
            unseen.append(name)

    assert unseen == []


def test_what_is_found_is_told_to_those_who_do_not_see_the_page(visit: Visit) -> None:
    page = visit.open()

    visit.ask("What does error E14 mean?")
    page.wait_for_selector("#told:has-text('sure')", state="attached")
    assert page.get_attribute("#told", "role") == "status"

    visit.ask("Who flies the zeppelin?")
    page.wait_for_selector("#told:has-text('The documents do not say.')", state="attached")


def test_on_a_narrow_screen_a_document_lies_over_the_answer(browser: Browser, address: str) -> None:
    with browser.new_context(viewport={"width": 360, "height": 700}) as context:
        visit = Visit(context, address)
        page = visit.open()
        visit.ask("What does error E14 mean?")
        page.click(".quotes .place")
        page.wait_for_selector(".source mark")

        box = page.locator("#source").bounding_box()
        assert box == {"x": 0, "y": 0, "width": 360, "height": 700}
        # What lies under it is not reached by those who do not see it either.
        assert page.evaluate("document.querySelector('main').inert")

        page.click(".source .close")
        assert not page.evaluate("document.querySelector('main').inert")


def test_the_first_load_is_small_and_comes_from_nowhere_else(visit: Visit) -> None:
    page = visit.open()
    page.wait_for_load_state("networkidle")

    sizes = {one.url: one.sizes() for one in visit.requests}
    sent = sum(one["responseBodySize"] + one["responseHeadersSize"] for one in sizes.values())

    assert len(sizes) >= 10
    assert sent <= FIRST_LOAD
    assert visit.hosts == {visit.address.split("/")[2]}
    assert visit.complaints == []
