"""Documents as resources: listed page by page, and read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp import MCPError
from mcp.types import TextResourceContents

from tests.server.mcp.agents import LAMP, Agent, agent


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("documents") / "things"
    folder.mkdir()
    (folder / "lamp.md").write_text(LAMP, encoding="utf-8")
    (folder / "über uns.md").write_text("Größe: 5 m. 𝔘nd so.\n", encoding="utf-8")
    (folder / "long.txt").write_text("The room is empty. " * 40_000, encoding="utf-8")
    for number in range(447):
        (folder / f"{number:03}.txt").write_text(f"Room {number} is empty.\n", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def things(folder: Path) -> Iterator[Agent]:
    with agent(folder) as started:
        yield started


def text(things: Agent, uri: str) -> str:
    """The text of a resource."""
    (contents,) = things.portal.call(things.client.read_resource, uri).contents
    assert isinstance(contents, TextResourceContents)
    assert (contents.uri, contents.mime_type) == (uri, "text/plain")
    return contents.text


def test_the_text_of_a_document_is_read_and_positions_count_into_it(things: Agent) -> None:
    about = "pincite://things/%C3%BCber%20uns.md"
    assert text(things, about) == "Größe: 5 m. 𝔘nd so.\n"
    assert text(things, f"{about}#char=12,15") == "𝔘nd"
    answer = things.call("ask", question="How much does the lamp weigh?")
    position = answer["citations"][0]["position"]
    part = f"pincite://things/lamp.md#char={position['start']},{position['end']}"
    assert text(things, part) == "The lamp weighs 2.4 kg."


def test_many_documents_are_listed_page_by_page_each_once(things: Agent, folder: Path) -> None:
    pages: list[list[str]] = []
    cursor = None
    while True:
        listed = things.portal.call(lambda at: things.client.list_resources(cursor=at), cursor)
        pages.append([one.name for one in listed.resources])
        cursor = listed.next_cursor
        if cursor is None:
            break
    assert [len(page) for page in pages] == [200, 200, 50]
    names = [name for page in pages for name in page]
    assert sorted(names) == sorted(path.name for path in folder.iterdir() if path.is_file())


def test_every_listed_resource_can_be_read(things: Agent) -> None:
    for one in things.portal.call(things.client.list_resources).resources[:5]:
        assert text(things, one.uri)


def test_a_long_document_is_read_in_parts(things: Agent) -> None:
    with pytest.raises(MCPError, match="has 760000 characters"):
        things.portal.call(things.client.read_resource, "pincite://things/long.txt")
    part = text(things, "pincite://things/long.txt#char=500000,760000")
    assert len(part) == 260_000


def test_the_template_says_how_an_address_is_written(things: Agent) -> None:
    (template,) = things.portal.call(things.client.list_resource_templates).resource_templates
    assert template.uri_template == "pincite://{collection}/{+path}"


@pytest.mark.parametrize(
    "uri",
    [
        "file:///etc/passwd",
        "pincite://things/../../etc/passwd",
        "pincite://things/%2Fetc%2Fpasswd",
        "pincite://things/lamp.md%00",
        "pincite://things/lamp.md#line=3",
        "pincite://things/",
        "pincite://[x/lamp.md",
        "pincite://other/lamp.md",
        "lamp.md",
    ],
)
def test_nothing_but_documents_is_read(things: Agent, folder: Path, uri: str) -> None:
    with pytest.raises(MCPError) as told:
        things.portal.call(things.client.read_resource, uri)
    assert told.value.message.startswith(("there is no", f"{uri!r} names no"))
    assert str(folder) not in told.value.message
