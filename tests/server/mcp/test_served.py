"""Agents at `pincite serve`: each gets what is there for whoever sends it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from mcp import MCPError

from tests.deploy.servers import pincite_server, token_of
from tests.server.mcp.agents import LAMP, OVEN, with_token, words


@dataclass(frozen=True, slots=True)
class Served:
    """The address for agents, and tokens: for everything, for lamps only, for asking only."""

    address: str
    everything: str
    lamps: str
    asking: str


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    place = tmp_path_factory.mktemp("served")
    for name, text in (("lamps", LAMP), ("ovens", OVEN)):
        (place / "docs" / name).mkdir(parents=True)
        (place / "docs" / name / "text.md").write_text(text, encoding="utf-8")
    tokens = place / "tokens.json"
    everything = token_of("everything", tokens)
    lamps = token_of("lamps", tokens, "--path", "lamps/")
    asking = token_of("asking", tokens, "--rights", "ask")
    with pincite_server(place / "docs", place) as (address, _):
        yield Served(f"{address}/mcp", everything, lamps, asking)


OVEN_QUESTION = "How much does the oven weigh?"


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_an_agent_gets_what_is_there_for_whoever_sends_it_and_nothing_else(
    served: Served, mode: str
) -> None:
    with (
        with_token(served.address, served.everything, mode=mode) as one,
        with_token(served.address, served.lamps, mode=mode) as other,
    ):
        assert one.call("ask", question=OVEN_QUESTION)["text"] == "The oven weighs 41 kg."
        assert "oven" not in str(other.call("ask", question="How much does it weigh?")).lower()
        listed = other.call("list_documents")["documents"]
        assert [document["path"] for document in listed] == ["lamps/text.md"]
        resources = other.portal.call(other.client.list_resources).resources
        assert [resource.name for resource in resources] == ["lamps/text.md"]
        there, hidden = "ovens/nothing.md", "ovens/text.md"
        assert other.failure("show", locator=hidden) == other.failure(
            "show", locator=there
        ).replace(there, hidden)
        with pytest.raises(MCPError, match="there is no document"):
            other.portal.call(other.client.read_resource, "pincite://docs/ovens/text.md")


def test_a_right_that_is_missing_is_named(served: Served) -> None:
    with with_token(served.address, served.asking) as asking:
        assert asking.call("ask", question=OVEN_QUESTION)["text"] == "The oven weighs 41 kg."
        with pytest.raises(MCPError, match="needs the right 'read'"):
            asking.portal.call(asking.client.read_resource, "pincite://docs/ovens/text.md")
        failed = asking.result("ask", question=OVEN_QUESTION, collection="other")
        assert "there is no collection 'other'" in words(failed)


def test_nobody_unknown_and_no_other_site_speaks_with_the_tools(served: Served) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accept = {"Accept": "application/json, text/event-stream"}
    known = {"Authorization": f"Bearer {served.everything}"}
    for headers, status in (
        ({}, 401),
        ({"Authorization": "Bearer pincite_wrong"}, 401),
        (known | {"Origin": "https://evil.example"}, 403),
        (known | {"Host": "evil.example"}, 421),
        (known, 200),
    ):
        reply = httpx.post(served.address, json=call, headers=accept | headers)
        assert reply.status_code == status
    assert httpx.get(served.address, headers=known).status_code == 405


def test_nothing_of_the_protocol_is_loaded_before_an_agent_comes() -> None:
    code = "import pincite.server.app, sys; print('mcp' in sys.modules)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False\n"


def test_without_the_extra_the_server_runs_and_has_no_tools(tmp_path: Path) -> None:
    code = (
        "import importlib.util as u; found = u.find_spec;"
        "u.find_spec = lambda name, *rest: None if name == 'mcp' else found(name, *rest);"
        "from pathlib import Path; from pincite.server.app import create_app;"
        "from pincite.server.settings import NamedFolder, ServerSettings;"
        f"folder = Path({str(tmp_path)!r});"
        "app = create_app(ServerSettings(folders=(NamedFolder('docs', folder),), state=folder));"
        "import sys; paths = {getattr(route, 'path', '') for route in app.routes};"
        "print('mcp' in sys.modules, '/mcp' in paths)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False False\n"
