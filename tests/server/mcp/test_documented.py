"""The configurations in docs/mcp.md, run as an agent would run them."""

from __future__ import annotations

import json
import os
import re
import sysconfig
import tomllib
from pathlib import Path
from typing import Any

from mcp import StdioServerParameters

from pincite.server.mcp.tools import TOOLS
from tests.server.mcp.agents import LAMP, connected

PAGE = (Path(__file__).parents[3] / "docs" / "mcp.md").read_text(encoding="utf-8")


def configured() -> list[dict[str, Any]]:
    """Each server that a configuration on the page names."""
    blocks = re.findall(r"```(json|toml)\n(.*?)```", PAGE, re.DOTALL)
    read = [json.loads(text) if kind == "json" else tomllib.loads(text) for kind, text in blocks]
    return [server for one in read for servers in one.values() for server in servers.values()]


STARTED = [server for server in configured() if "command" in server]


def test_the_page_has_a_configuration_for_each_kind_of_agent() -> None:
    assert len(STARTED) == 3
    (address,) = (server["url"] for server in configured() if "url" in server)
    assert f"`pincite mcp --http --port {address.split(':')[2].removesuffix('/mcp')} " in PAGE


def test_an_agent_with_a_configuration_of_the_page_is_answered(tmp_path: Path) -> None:
    server = STARTED[0]
    (tmp_path / "lamp.md").write_text(LAMP, encoding="utf-8")
    arguments = [str(tmp_path) if one == "/path/to/documents" else one for one in server["args"]]
    assert arguments != server["args"]
    # As after an installation: the command is found by its name.
    path = os.pathsep.join([sysconfig.get_path("scripts"), os.environ["PATH"]])
    started = StdioServerParameters(
        command=server["command"], args=arguments, env={**os.environ, "PATH": path}
    )
    with connected(started) as agent:
        answer = agent.call("ask", question="How much does the lamp weigh?")
        assert answer["text"] == "The lamp weighs 2.4 kg."


def test_the_configurations_start_the_same_command() -> None:
    assert {(one["command"], *one["args"]) for one in STARTED} == {
        ("pincite", "mcp", "/path/to/documents")
    }


def test_the_page_names_every_tool_and_argument() -> None:
    for tool in TOOLS:
        (row,) = re.findall(rf"^\| `{tool.name}` \| (.*?) \|", PAGE, re.MULTILINE)
        assert set(re.findall(r"`(\w+)`", row)) == set(tool.input_schema["properties"])
