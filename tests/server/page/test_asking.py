"""Asking in a browser: the answer with its quotes, refusals, follow-ups, copies, links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pincite import Answer, Index
from pincite.render.noted import conflict_text, warning_text
from tests.server.page.conftest import Visit, indexed, served

RETURNS = """\
# Returns

## How long you have

You have 45 days to return a lamp. After that we repair it.

## What it costs

Returning a lamp costs 4 euros, unless it came broken.
"""
SHIPPING = """\
# Shipping

Parcels to the mainland arrive within 3 days. Parcels to the islands arrive within 9 days.

Standing desks are delivered by two people.
"""
STAFF = """\
# Holidays

Every employee has 28 days of holiday.
"""


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return indexed(
        tmp_path_factory.mktemp("shop"),
        {
            "returns.md": RETURNS,
            "shipping.md": SHIPPING,
            "fees.csv": "Lamp,Fee,Days\nDesk lamp,4.50,3\nFloor lamp,9.00,5\n",
            "refunds-2023.md": "# Refunds\n\nA refund takes 5 working days.\n",
            "refunds-2026.md": "# Refunds\n\nA refund takes 7 working days.\n",
            "old/warranty.md": "# Warranty (superseded)\n\nThe warranty of a desk is 2 years.\n",
        },
    )


@pytest.fixture(scope="module")
def address(shop: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    staff = indexed(tmp_path_factory.mktemp("staff"), {"holidays.md": STAFF})
    with served(tmp_path_factory.mktemp("state"), shop=shop, staff=staff) as address:
        yield address


def test_an_answer_is_a_quotation_with_its_place_in_the_margin(visit: Visit) -> None:
    page = visit.open()

    visit.ask("How many days do I have to return a lamp?")

    assert page.text_content(".reply blockquote") == "You have 45 days to return a lamp."
    assert page.text_content(".reply .place .file") == "returns.md"
    assert page.text_content(".reply .place .where") == "line 5"
    assert page.text_content(".reply .place .headings") == "Returns › How long you have"
    assert page.text_content(".reply .leaf-head .label") == "shop"
    assert visit.complaints == []


def test_a_confidence_is_told_in_words_and_as_a_number(visit: Visit) -> None:
    page = visit.open()

    visit.ask("How many days do I have to return a lamp?")

    said = re.fullmatch(
        r"(Fairly sure|Sure|Very sure) Confidence 0\.(\d\d): of 100 such answers about (\d\d) "
        r"were right on the public questions it was tried with\.",
        page.inner_text(".verdict"),
    )
    assert said is not None
    assert said[2] == said[3]


def test_confidences_have_words(visit: Visit) -> None:
    page = visit.open()
    folder = (page.get_attribute("script", "src") or "").removesuffix("app.js")

    said = page.evaluate(
        """async ([folder, all]) => {
          const { sureness } = await import(`/${folder}answer.js`);
          return all.map(sureness);
        }""",
        [folder, [0.99, 0.9, 0.899, 0.74, 0.499]],
    )

    assert said == ["Very sure", "Very sure", "Sure", "Fairly sure", "Not sure"]


def test_what_is_quoted_and_what_was_only_looked_at_are_told_apart_in_words(visit: Visit) -> None:
    page = visit.open()

    visit.ask("How many days do I have to return a lamp?")
    page.click(".nearest summary")

    assert page.inner_text(".nearest li.used >> nth=0").startswith("Quoted\nreturns.md")
    assert page.inner_text(".nearest li:not(.used) >> nth=0").startswith("Not quoted")


def test_a_row_of_a_table_is_shown_with_the_names_of_its_columns(visit: Visit) -> None:
    page = visit.open()

    visit.ask("What is the fee of the floor lamp?")

    assert page.text_content(".reply .place .where") == "A3:C3, row 'Floor lamp'"
    assert "Fee: 9.00" in page.inner_text(".reply blockquote")


def test_a_question_of_two_parts_has_each_part_above_its_quote(visit: Visit) -> None:
    page = visit.open()

    visit.ask("How many days do I have to return a lamp, and who delivers standing desks?")

    assert page.locator(".reply .part").all_inner_texts() == [
        "How many days do I have to return a lamp",
        "who delivers standing desks?",
    ]
    assert page.locator(".reply blockquote").all_inner_texts() == [
        "You have 45 days to return a lamp.",
        "Standing desks are delivered by two people.",
    ]


def test_a_document_that_is_superseded_is_warned_of(visit: Visit) -> None:
    page = visit.open()

    visit.ask("How many years is the warranty of a desk?")

    assert page.inner_text(".warning").startswith("Marked as replaced: ")


def test_documents_that_differ_are_told_with_the_newer_first(visit: Visit) -> None:
    page = visit.open()

    visit.ask("How many working days does a refund take?")

    told = page.inner_text(".conflict")
    assert told.startswith("The documents differ")
    assert told.index("refunds-2026.md (2026, the newer)") < told.index("refunds-2023.md (2023)")


def test_a_refusal_says_why_and_shows_what_came_near_as_no_answer(visit: Visit) -> None:
    page = visit.open()

    visit.ask("Do you deliver flying carpets to the islands?")

    assert page.inner_text(".reply .says-not") == "The documents do not say."
    assert len(re.findall('[“"]flying[”"]', page.inner_text(".why"))) == 1
    assert page.inner_text(".nearest h3") == "Nearest passages, not an answer"
    assert page.locator(".nearest .badge").all_inner_texts()[0] == "Not quoted"
    assert page.locator(".reply blockquote").count() == 0


def test_who_asked_tells_the_owner_and_those_who_keep_the_documents_find_it(visit: Visit) -> None:
    page = visit.open()

    visit.ask("Is there a cinema in the shop?")
    page.click("text=Tell the owner of these documents")
    page.fill(".telling textarea", "For the film club.")
    page.click("text=Tell them")
    page.wait_for_selector(".told")
    page.click("nav >> text=Unanswered")

    row = page.locator("tbody tr", has_text="Is there a cinema in the shop?")
    row.wait_for()
    assert "For the film club." in row.inner_text()
    assert "1 time" in row.inner_text()


def test_questions_without_an_answer_are_counted_by_what_they_ask(visit: Visit) -> None:
    page = visit.open()

    visit.ask("Where is the zeppelin?")
    visit.ask("where is the ZEPPELIN")
    page.goto(f"{visit.address}#unanswered")

    row = page.locator("tbody tr", has_text="zeppelin")
    row.wait_for()
    assert row.count() == 1
    assert "2 times" in row.inner_text()


def test_a_follow_up_is_understood_by_the_question_before_until_the_subject_is_new(
    visit: Visit,
) -> None:
    page = visit.open()

    visit.ask("Within how many days do parcels to the mainland arrive?")
    visit.ask("And to the islands?")

    assert page.inner_text(".reply blockquote") == "Parcels to the islands arrive within 9 days."
    assert "Parcels to the mainland arrive" in page.inner_text(".earlier")

    page.click("text=New subject")
    visit.ask("And to the islands?")

    assert page.locator(".earlier").is_hidden()
    assert page.evaluate("location.hash").count("after=") == 0


def test_a_collection_and_a_document_can_be_chosen(visit: Visit) -> None:
    page = visit.open()

    page.select_option("#collection", "staff")
    visit.ask("How many days of holiday does an employee have?")
    assert page.inner_text(".reply .leaf-head .label") == "staff"

    page.select_option("#collection", "shop")
    page.fill("#document", "shipping.md")
    visit.ask("Within how many days does something come?")
    files = page.locator(".reply .file").all_text_contents()
    assert set(files) <= {"shipping.md"}


def test_a_document_that_is_not_there_is_told_and_the_question_stays(visit: Visit) -> None:
    page = visit.open()

    page.fill("#document", "nowhere.md")
    page.fill("#question", "How long is it?")
    page.press("#question", "Enter")

    page.wait_for_selector(".ask .fault:visible")
    assert "nowhere.md" in page.inner_text(".ask .fault")
    assert page.input_value("#question") == "How long is it?"


def test_ones_own_questions_stay_in_this_browser_until_they_are_forgotten(visit: Visit) -> None:
    page = visit.open()
    visit.ask("How many days do I have to return a lamp?")
    visit.ask("Who delivers standing desks?")

    page.goto("about:blank")
    visit.open()
    assert page.locator(".mine li").all_inner_texts() == [
        "Who delivers standing desks?",
        "How many days do I have to return a lamp?",
    ]

    page.click("text=Forget them")
    assert page.locator(".mine").is_hidden()
    visit.open()
    assert page.locator(".mine").is_hidden()


@pytest.fixture
def clipboard(browser: Browser, address: str) -> Iterator[Visit]:
    with browser.new_context(permissions=["clipboard-read", "clipboard-write"]) as context:
        yield Visit(context, address)


def copied(visit: Visit, button: str) -> str:
    """What is in the clipboard when a button was pressed."""
    visit.page.click(f"text={button}")
    visit.page.wait_for_selector(".copies >> text=/^(Copied|Link copied)/")
    text: str = visit.page.evaluate("navigator.clipboard.readText()")
    return text


def test_an_answer_is_copied_as_text_with_its_places(clipboard: Visit) -> None:
    clipboard.open()
    clipboard.ask("How many days do I have to return a lamp?")

    assert copied(clipboard, "Copy as text") == (
        "How many days do I have to return a lamp?\n\n"
        "“You have 45 days to return a lamp.”\n"
        "– returns.md, line 5 (Returns › How long you have)\n"
    )


def test_an_answer_is_copied_as_markdown_with_footnotes(clipboard: Visit) -> None:
    clipboard.open()
    clipboard.ask("How many days do I have to return a lamp?")

    text = copied(clipboard, "Copy as Markdown")

    assert (
        "\n\n> You have 45 days to return a lamp\\.[^1]\n\n[^1]: Returns (returns\\.md), " in text
    )
    assert "line 5" in text
    assert "SHA-256 `" in text


@pytest.mark.parametrize(
    "question",
    [
        "How many years is the warranty of a desk?",
        "How many working days does a refund take?",
    ],
)
def test_what_has_to_be_read_with_a_quote_is_copied_in_the_words_of_the_command_line(
    clipboard: Visit, shop: Path, question: str
) -> None:
    with Index.open(shop) as index:
        answer = index.ask(question)
    assert isinstance(answer, Answer)
    warnings = [warning_text(one) for cited in answer.citations for one in cited.warnings]
    words = [*warnings, *map(conflict_text, answer.conflicts)]
    clipboard.open()
    clipboard.ask(question)

    assert words
    text, markdown = copied(clipboard, "Copy as text"), copied(clipboard, "Copy as Markdown")
    shown = re.sub(r"\\(.)", r"\1", markdown)
    assert all(f"\n{each}\n" in text and f"\n\n{each}\n\n" in shown for each in words)


def test_a_link_asks_again_and_says_that_the_answer_is_the_same(
    clipboard: Visit, browser: Browser
) -> None:
    clipboard.open()
    clipboard.ask("Within how many days do parcels to the mainland arrive?")
    clipboard.ask("And to the islands?")
    link = copied(clipboard, "Copy a link")

    with browser.new_context() as context:
        page = context.new_page()
        page.goto(link)
        page.wait_for_selector(".reply")
        said = page.inner_text(".since")
        quote = page.inner_text(".reply blockquote")

    assert said == "The same answer as when this link was made."
    assert quote == "Parcels to the islands arrive within 9 days."


def test_a_link_says_that_the_answer_has_changed(browser: Browser, tmp_path: Path) -> None:
    folder = indexed(tmp_path / "shop", {"fee.md": "# Fee\n\nThe entrance fee is 3 euros.\n"})
    with served(tmp_path / "state", shop=folder) as address, browser.new_context() as context:
        visit = Visit(context, address)
        page = visit.open()
        visit.ask("How much is the entrance fee?")
        fragment = page.evaluate("location.hash")

        indexed(folder, {"fee.md": "# Fee\n\nThe entrance fee is 4 euros.\n"})
        page.goto("about:blank")
        visit.open(fragment)
        page.wait_for_selector(".reply")

        assert "has changed" in page.inner_text(".since")
        assert page.inner_text(".reply blockquote") == "The entrance fee is 4 euros."


def test_documents_that_changed_are_told_and_not_quoted(browser: Browser, tmp_path: Path) -> None:
    folder = indexed(tmp_path / "shop", {"fee.md": "# Fee\n\nThe entrance fee is 3 euros.\n"})
    with served(tmp_path / "state", shop=folder) as address, browser.new_context() as context:
        visit = Visit(context, address)
        page = visit.open()
        (folder / "fee.md").write_text("# Fee\n\nThe entrance fee is 40 euros.\n")

        visit.ask("How much is the entrance fee?")

        assert "Changed since they were indexed" in page.inner_text(".notice")
        assert "fee.md" in page.inner_text(".notice")
        assert page.locator(".reply blockquote").count() == 0


def test_a_server_that_is_gone_is_told(browser: Browser, tmp_path: Path) -> None:
    folder = indexed(tmp_path / "shop", {"fee.md": "# Fee\n\nThe entrance fee is 3 euros.\n"})
    with browser.new_context() as context:
        with served(tmp_path / "state", shop=folder) as address:
            visit = Visit(context, address)
            page = visit.open()
        page.fill("#question", "How much is the entrance fee?")
        page.press("#question", "Enter")
        page.wait_for_selector(".ask .fault:visible")

        assert page.inner_text(".ask .fault").startswith("The server does not answer.")


def test_the_page_works_under_a_path_of_a_proxy(browser: Browser, tmp_path: Path) -> None:
    folder = indexed(tmp_path / "shop", {"fee.md": "# Fee\n\nThe entrance fee is 3 euros.\n"})
    state = tmp_path / "state"
    with served(state, under="/archive", shop=folder) as address, browser.new_context() as context:
        visit = Visit(context, address)
        page = visit.open()
        visit.ask("How much is the entrance fee?")
        page.click(".quotes .place")
        page.wait_for_selector(".source mark")

        assert page.inner_text(".source mark") == "The entrance fee is 3 euros."
        assert {request.url.startswith(address) for request in visit.requests} == {True}


def test_a_question_and_answer_in_another_script_run_in_their_own_direction(
    browser: Browser, tmp_path: Path
) -> None:
    folder = indexed(
        tmp_path / "shop",
        {
            "مواعيد.md": "# مواعيد العمل\n\nيفتح المتجر في الساعة التاسعة صباحا.\n",
            "营业时间.md": "# 营业时间\n\n商店每天上午九点开门。\n",
        },
    )
    with served(tmp_path / "state", shop=folder) as address, browser.new_context() as context:
        visit = Visit(context, address)
        page = visit.open()

        visit.ask("متى يفتح المتجر في الصباح؟")
        direction = "getComputedStyle(document.querySelector('.reply blockquote, .reply .passage'))"
        assert page.evaluate(f"{direction}.direction") == "rtl"
        assert page.inner_text(".reply .file >> nth=0") == "مواعيد.md"

        visit.ask("商店每天几点开门？")
        assert page.evaluate(f"{direction}.direction") == "ltr"
        assert "商店每天上午九点开门" in page.inner_text(".reply")
