"""Agents for the tests: the SDK's own client with a real server, over its streams or HTTP."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.types import CallToolResult

LAMP = "# Lamp\n\nThe lamp weighs 2.4 kg.\n\nThe lamp has a warranty of three years.\n"
OVEN = "# Oven\n\nThe oven weighs 41 kg.\n"


class Agent:
    """A connected client whose calls wait for their results."""

    def __init__(self, client: Client, portal: BlockingPortal) -> None:
        self.client = client
        self.portal = portal

    def result(self, tool: str, **arguments: Any) -> CallToolResult:
        """What a tool gives, also where it failed."""
        return self.portal.call(self.client.call_tool, tool, arguments)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The structured result of a call that goes well."""
        result = self.result(tool, **arguments)
        assert not result.is_error, words(result)
        assert isinstance(result.structured_content, dict)
        return result.structured_content

    def told(self, tool: str, **arguments: Any) -> str:
        """The readable text of a call that goes well."""
        result = self.result(tool, **arguments)
        assert not result.is_error, words(result)
        return words(result)

    def failure(self, tool: str, **arguments: Any) -> str:
        """What is said of a call that fails."""
        result = self.result(tool, **arguments)
        assert result.is_error
        assert result.structured_content is None
        return words(result)


def words(result: CallToolResult) -> str:
    """The readable text of a result."""
    (content,) = result.content
    assert content.type == "text"
    return content.text


def command(*folders: Path | str, options: tuple[str, ...] = ("--lexical",)) -> list[str]:
    """The arguments of Python that serve these folders to agents."""
    return ["-m", "pincite", "mcp", *options, *map(str, folders)]


@contextmanager
def connected(server: StdioServerParameters | str, *, mode: str = "auto") -> Iterator[Agent]:
    """An agent that speaks with a server: one that it starts, or one at an address."""
    client = Client(server, mode=mode, read_timeout_seconds=120)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
        yield Agent(client, portal)


@contextmanager
def with_token(address: str, token: str, *, mode: str = "auto") -> Iterator[Agent]:
    """An agent that speaks with a server over HTTP and says by a token for whom."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with start_blocking_portal() as portal:
        http = httpx2.AsyncClient(headers=headers, timeout=60)
        client = Client(
            streamable_http_client(address, http_client=http), mode=mode, read_timeout_seconds=120
        )
        with portal.wrap_async_context_manager(http), portal.wrap_async_context_manager(client):
            yield Agent(client, portal)


@contextmanager
def agent(
    *folders: Path | str, mode: str = "auto", options: tuple[str, ...] = ("--lexical",)
) -> Iterator[Agent]:
    """An agent that has started a server for these folders."""
    server = StdioServerParameters(
        command=sys.executable, args=command(*folders, options=options), env=dict(os.environ)
    )
    with connected(server, mode=mode) as started:
        yield started


@contextmanager
def http_server(*folders: Path | str) -> Iterator[str]:
    """The address of a server over HTTP, in a process of its own."""
    arguments = command(*folders, options=("--lexical", "--http", "--port", "0"))
    with subprocess.Popen(
        [sys.executable, *arguments], stderr=subprocess.PIPE, text=True, encoding="utf-8"
    ) as server:
        try:
            assert server.stderr is not None
            told = re.search(r"http://[\d.:]+/mcp", server.stderr.readline())
            assert told is not None
            yield told[0]
        finally:
            server.terminate()
