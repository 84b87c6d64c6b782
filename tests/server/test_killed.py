"""A server that is killed, however hard, goes on where it was."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import httpx

from pincite import Index
from pincite.auditing.checking import check
from pincite.auditing.log import AuditLog
from tests.deploy.servers import free_port, pincite_server

LAMP = "The lamp weighs 2.4 kg.\n"
QUESTION = {"question": "How much does the lamp weigh?"}


def asked(address: str) -> httpx.Response:
    return httpx.post(f"{address}/ask", json=QUESTION, timeout=60)


def test_killed_while_many_ask_no_answer_that_was_given_is_missing_in_the_log(
    tmp_path: Path,
) -> None:
    folder, port = tmp_path / "docs", free_port()
    folder.mkdir()
    (folder / "lamp.md").write_text(LAMP, encoding="utf-8")
    given: list[bytes] = []

    def ask_until_it_is_gone(address: str) -> None:
        with httpx.Client(base_url=address, timeout=60) as client:
            while True:
                try:
                    reply = client.post("/ask", json=QUESTION)
                except httpx.TransportError:
                    return
                given.append(reply.content)

    for round_number in (1, 2):
        with pincite_server(folder, tmp_path, port=port) as (address, server):
            clients = [
                threading.Thread(target=ask_until_it_is_gone, args=(address,)) for _ in range(4)
            ]
            for client in clients:
                client.start()
            while len(given) < 20 * round_number:
                time.sleep(0.01)
            server.kill()
            for client in clients:
                client.join()
    with pincite_server(folder, tmp_path, port=port) as (address, _):
        given.append(asked(address).content)
    assert len(set(given)) == 1
    found = check(AuditLog(tmp_path / "state" / "audit"))
    assert (found.faults, found.torn) == ((), False)
    assert found.entries >= len(given)


def test_killed_while_it_indexes_it_answers_at_once_and_ends_the_run(tmp_path: Path) -> None:
    folder, port = tmp_path / "docs", free_port()
    folder.mkdir()
    (folder / "lamp.md").write_text(LAMP, encoding="utf-8")
    Index.open_or_build(folder, lexical=True).close()
    for number in range(120):
        text = f"# Room {number}\n\n" + "The room is empty. " * 300
        (folder / f"{number:03}.md").write_text(text, encoding="utf-8")
    for _ in range(2):
        # What was indexed before answers while the run goes on.
        with pincite_server(folder, tmp_path, port=port) as (address, server):
            assert asked(address).json()["text"] == LAMP.strip()
            server.kill()
    with pincite_server(folder, tmp_path, port=port) as (address, _):
        while asked(address).json()["index"]["generation"] == 1:
            time.sleep(0.05)
        assert asked(address).json()["text"] == LAMP.strip()
        with Index.open(folder, lexical=True) as index:
            assert index.info().document_count == 121
