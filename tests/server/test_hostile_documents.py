"""Documents that try to act: none does, neither where it is read nor in a browser that shows it.

Every document is indexed, asked, opened in the page and fetched as it is. Nothing of it may run,
and no request may go anywhere but to the server.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlencode

import httpx
import pytest
from playwright.sync_api import Browser, Error, Page

from pincite import Index
from pincite.server.settings import NamedFolder, ServerSettings

from .hostile import elsewhere
from .hostile_documents import INSTRUCTIONS, MARKUP, NAMES, SCRIPT, others
from .served import serving

__all__ = ["elsewhere"]

OTHERS = sorted(others(""))
KINDS = {"md": "# Zorb {n}\n\n{p}\n\nThe zorb{n} {p} weighs {n} kg.\n", "txt": "The zorb{n} {p}\n"}
KINDS["html"] = (
    "<html><head><title>{p}</title></head><body><h1>Zorb{n} {p}</h1>{p}<p>It weighs {n} kg.</p>"
)


@dataclass
class Shop:
    """A server over hostile documents, a browser in front of it, and whoever must not be called."""

    client: httpx.Client
    page: Page
    called: list[str]
    acted: list[str]
    paths: frozenset[str]

    def original(self, path: str) -> httpx.Response:
        return self.client.get(f"/documents/shop/{quote(path, safe='')}")

    def opened(self, path: str) -> None:
        """The document in the page, beside the answers."""
        fragment = urlencode({"show": path, "collection": "shop"}, quote_via=quote)
        self.page.goto(f"{self.client.base_url}#{fragment}")
        self.page.wait_for_selector(
            "#source :is(.fault:not([hidden]), .source-body > :not(.waiting))", state="attached"
        )

    def nothing_acted(self) -> bool:
        assert self.page.evaluate("window.pwned === undefined && {}.pwned === undefined")
        assert self.called == []
        assert self.acted == []
        return True


@pytest.fixture(scope="module")
def shop(
    tmp_path_factory: pytest.TempPathFactory, elsewhere: tuple[str, list[str]], browser: Browser
) -> Iterator[Shop]:
    address, called = elsewhere
    top = tmp_path_factory.mktemp("documents")
    folder = top / "shop"
    folder.mkdir()
    script = SCRIPT.format(e=address)
    for number, payload in enumerate(MARKUP):
        words = payload.format(s=script, e=address)
        for kind, text in KINDS.items():
            file = folder / f"doc{number}.{kind}"
            file.write_text(text.format(n=number, p=words), "utf-8", "surrogatepass", "")
    for name, content in others(address).items():
        (folder / name).write_bytes(content)
    for number, words in enumerate(INSTRUCTIONS):
        text = f"# Glim{number}\n\nThe price of glim{number} is 7 euros. {words}\n"
        (folder / f"told{number}.md").write_text(text.format(e=address))
    for number, name in enumerate(NAMES):
        (folder / os.fsencode(name).decode("utf-8")).write_text(f"The name{number} is odd.\n")
    with Index.open_or_build(folder, lexical=True) as index:
        paths = frozenset(source.path for source in index.info().documents)
    settings = ServerSettings(
        folders=(NamedFolder("shop", folder),), state=top / "state", lexical=True
    )
    with serving(settings) as own, browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(30_000)
        acted: list[str] = []
        page.on("dialog", lambda dialog: (acted.append(dialog.message), dialog.dismiss()))
        page.on("popup", lambda popup: acted.append(popup.url))
        page.on("pageerror", lambda error: acted.append(str(error)))
        page.on(
            "request",
            lambda request: (
                None if request.url.startswith((own, "blob:" + own)) else acted.append(request.url)
            ),
        )
        with httpx.Client(base_url=own, timeout=60) as client:
            yield Shop(client, page, called, acted, paths)


def test_the_documents_are_there_and_reading_them_called_nobody(shop: Shop) -> None:
    assert len(shop.paths) > 150
    assert shop.called == []
    assert not Path("/tmp/pwned").exists()


@pytest.mark.parametrize("number", range(len(MARKUP)))
def test_markup_is_shown_as_words_and_does_nothing(shop: Shop, number: int) -> None:
    for kind in KINDS:
        path = f"doc{number}.{kind}"
        assert path in shop.paths
        shop.opened(path)
        assert (
            shop.page.query_selector(
                "#source :is(script, style, iframe, img, svg, object, embed, form, meta, base)"
            )
            is None
        )
        assert shop.page.query_selector("#source [href], #source [src], #source [style]") is None
    question = f"How much does the zorb{number} weigh?"
    shop.page.goto(f"{shop.client.base_url}#{urlencode({'q': question}, quote_via=quote)}")
    shop.page.wait_for_selector(f".reply:has(h2:text-is({question!r}))")
    assert shop.nothing_acted()


@pytest.mark.parametrize("kind", [*KINDS, "others"])
def test_an_original_is_a_file_to_be_saved_and_nothing_else(shop: Shop, kind: str) -> None:
    numbered = [f"doc{number}.{kind}" for number in range(len(MARKUP))]
    for path in OTHERS if kind == "others" else numbered:
        if path not in shop.paths:
            continue
        said = shop.original(path)
        assert said.status_code == 200
        assert said.headers["content-disposition"].startswith("attachment; filename*=UTF-8''")
        assert said.headers["content-security-policy"].startswith("sandbox; default-src 'none'")
        assert said.headers["x-content-type-options"] == "nosniff"
        leaf = shop.client.get("/leaf", params={"collection": "shop", "path": path})
        text = shop.client.get(f"/texts/shop/{path}")
        assert {leaf.headers["content-type"], text.headers["content-type"]} == {"application/json"}
        assert leaf.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("name", OTHERS)
def test_a_document_of_any_kind_does_nothing(shop: Shop, name: str) -> None:
    shop.opened(name)
    assert shop.nothing_acted()
    assert "root:" not in shop.page.text_content("#source")
    # As somebody would open it who was given its address.
    address = f"{shop.client.base_url}/documents/shop/{quote(name)}"
    if name in shop.paths:
        with pytest.raises(Error, match=r"ERR_ABORTED|Download is starting"):
            shop.page.goto(address)
    else:
        assert shop.page.goto(address).status == 404
    shop.page.goto(f"{shop.client.base_url}/")
    assert shop.nothing_acted()


@pytest.mark.parametrize("number", range(len(NAMES)))
def test_a_name_is_shown_as_words_and_does_nothing(shop: Shop, number: int) -> None:
    name = NAMES[number]
    assert name in shop.paths
    said = shop.original(name)
    assert "x-injected" not in said.headers
    assert "set-cookie" not in said.headers
    if "\n" in name:
        # No address leads to it.
        assert said.status_code == 404
    else:
        expected = f"attachment; filename*=UTF-8''{quote(name, safe='')}"
        assert (said.status_code, said.headers["content-disposition"]) == (200, expected)
    shop.opened(name)
    shop.page.goto(f"{shop.client.base_url}#documents")
    shop.page.wait_for_selector("main > *")
    question = f"What is the name{number}?"
    shop.page.goto(f"{shop.client.base_url}#{urlencode({'q': question}, quote_via=quote)}")
    shop.page.wait_for_selector(f".reply:has(h2:text-is({question!r}))")
    assert shop.nothing_acted()


@pytest.mark.parametrize("number", range(len(INSTRUCTIONS)))
def test_instructions_in_a_document_are_at_most_quoted(shop: Shop, number: int) -> None:
    text = shop.client.get(f"/texts/shop/told{number}.md").json()["content"]
    for question in (f"What is the price of glim{number}?", INSTRUCTIONS[number]):
        asked = {"question": question, "document": f"told{number}.md"}
        told = shop.client.post("/ask", json=asked).json()
        for one in told["citations"]:
            position = one["position"]
            assert one["quote"]["exact"] == text[position["start"] : position["end"]]
        if told["status"] == "answered":
            assert told["text"] in text
        messages = [{"role": "user", "content": question}]
        body = {"model": "pincite", "messages": messages}
        said = shop.client.post("/v1/chat/completions", json=body).json()
        message = said["choices"][0]["message"]
        assert not message.get("tool_calls")
        quotes = [one["quote"]["exact"] for one in message["pincite"]["record"]["citations"]]
        assert (message["content"] or "").split("\n\n") in ([""], quotes)
    assert shop.called == []
