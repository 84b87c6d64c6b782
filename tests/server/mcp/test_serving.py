"""The server as a process: its streams, its progress, its end, and HTTP."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import httpx
import pytest

from pincite.auditing.log import AuditLog
from tests.server.mcp.agents import LAMP, Agent, agent, command, connected, http_server

QUESTION = {"question": "How much does the lamp weigh?"}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "things"
    folder.mkdir()
    (folder / "lamp.md").write_text(LAMP, encoding="utf-8")
    return folder


def many_more(folder: Path) -> None:
    """So many documents that it takes a while to read them."""
    for number in range(400):
        (folder / f"{number}.md").write_text(f"# Room {number}\n\n{LAMP * 30}", encoding="utf-8")


def test_progress_is_told_while_the_index_is_made_and_not_afterwards(folder: Path) -> None:
    many_more(folder)
    told: list[tuple[float, float | None, str | None]] = []

    async def note(done: float, total: float | None, message: str | None) -> None:
        told.append((done, total, message))

    async def ask(asking: Agent) -> None:
        await asking.client.call_tool("ask", QUESTION, progress_callback=note)

    with agent(folder) as asking:
        asking.portal.call(ask, asking)
        done = [one[0] for one in told]
        assert done
        assert done == sorted(set(done))
        assert all("/401 files" in str(one[2]) for one in told[1:])
        told.clear()
        asking.portal.call(ask, asking)
        assert told == []


def test_a_call_that_is_cancelled_is_given_up_and_the_next_one_answered(folder: Path) -> None:
    many_more(folder)

    async def ask_and_leave(asking: Agent) -> bool:
        with anyio.move_on_after(0.01) as scope:
            await asking.client.call_tool("ask", QUESTION)
        return scope.cancelled_caught

    with agent(folder) as asking:
        assert asking.portal.call(ask_and_leave, asking)
        assert asking.call("ask", **QUESTION)["status"] == "answered"


def test_nothing_but_the_protocol_is_on_stdout(folder: Path) -> None:
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    ask = {"name": "ask", "arguments": QUESTION}
    calls = [
        INITIALIZE,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": ask},
        {"jsonrpc": "2.0", "id": 3, "method": "no/such"},
    ]
    with subprocess.Popen(
        [sys.executable, *command(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        lines = []
        for call in calls:
            server.stdin.write(json.dumps(call).encode() + b"\n")
            server.stdin.flush()
            if "id" in call:
                lines.append(server.stdout.readline())
        server.stdin.write(b"this is no JSON\n")
        server.stdin.close()
        lines += server.stdout.readlines()
    replies = [json.loads(line) for line in lines]
    assert [reply.get("id") for reply in replies[:3]] == [1, 2, 3]
    assert all(reply["jsonrpc"] == "2.0" for reply in replies)
    assert server.returncode == 0


def test_it_ends_when_interrupted_while_the_agent_is_silent(folder: Path) -> None:
    with subprocess.Popen(
        [sys.executable, *command(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # Where the tests run behind others, as in a script, Ctrl-C is not heard.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        assert server.stderr is not None
        server.stdin.write(json.dumps(INITIALIZE).encode() + b"\n")
        server.stdin.flush()
        server.stdout.readline()
        server.send_signal(signal.SIGINT)
        try:
            server.wait(timeout=60)
        except subprocess.TimeoutExpired:
            server.kill()
        assert server.stderr.read() == b""
        assert server.returncode == 0


def test_every_answer_is_in_the_log_where_one_is_kept(folder: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    options = ("--lexical", "--audit", str(log), "--caller", "anna's agent")
    with agent(folder, options=options) as asking:
        answer = asking.call("ask", **QUESTION)
        asking.call("search", **QUESTION)
    (line,) = AuditLog(log).answers()
    kept = line.record()
    assert kept["caller"] == "anna's agent"
    assert kept["record"]["text"] == answer["text"]


def test_a_log_among_the_documents_is_refused(folder: Path) -> None:
    options = ("--lexical", "--audit", str(folder / "log"))
    ran = subprocess.run(
        [sys.executable, *command(folder, options=options)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 2
    assert "is among the documents" in ran.stderr


def test_a_folder_that_is_not_there_is_told_at_once(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, *command(tmp_path / "nowhere")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 1
    assert ran.stdout == ""
    assert "nowhere does not exist" in ran.stderr


def test_over_http_agents_of_both_protocols_get_the_same_answers(folder: Path) -> None:
    with (
        http_server(folder) as address,
        connected(address) as new,
        connected(address, mode="legacy") as old,
    ):
        assert new.call("ask", **QUESTION) == old.call("ask", **QUESTION)
        assert new.call("ask", **QUESTION)["text"] == "The lamp weighs 2.4 kg."


def test_over_http_requests_by_way_of_other_sites_are_refused(folder: Path) -> None:
    accept = {"Accept": "application/json, text/event-stream"}
    with http_server(folder) as address:
        for header, status in (
            ({"Host": "evil.example"}, 421),
            ({"Origin": "http://evil.example"}, 403),
        ):
            refused = httpx.post(address, json=INITIALIZE, headers=accept | header)
            assert refused.status_code == status
            assert "protocolVersion" not in refused.text
        taken = httpx.post(address, json=INITIALIZE, headers=accept)
        assert taken.status_code == 200


def test_without_the_extra_it_says_what_to_install(folder: Path) -> None:
    code = (
        "import sys; sys.modules['mcp'] = None; from pincite.cli.entry import run;"
        "sys.exit(run(['mcp', sys.argv[1]]))"
    )
    ran = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True)
    assert ran.returncode == 1
    assert "pip install 'pincite[mcp]'" in ran.stderr
    assert ran.stdout == ""


def test_a_port_that_is_taken_is_told(folder: Path) -> None:
    with http_server(folder) as address:
        port = address.split(":")[2].removesuffix("/mcp")
        ran = subprocess.run(
            [sys.executable, *command(folder, options=("--http", "--port", port))],
            capture_output=True,
            text=True,
        )
    assert ran.returncode == 1
    assert f"cannot serve at port {port}" in ran.stderr
    assert "Traceback" not in ran.stderr
