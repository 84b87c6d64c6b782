"""Whatever is asked over HTTP: what is hidden from a caller is as what was never there.

Each reply is compared, with its headers, with that of a server whose folder holds the visible
documents and nothing else.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest

from pincite import Index
from pincite.render import to_json
from pincite.server.access import DocumentRule, Right
from pincite.server.settings import NamedFolder, ServerSettings

from .served import bearing, serving, token

FILES = {
    "travel.md": "# Travel\n\nA journey is paid within 20 days.\n\nJourneys have no bonus.\n",
    "open/lamps.csv": "lamp,weight\nKLR-118,2.4 kg\n",
    "open/page.html": "<h1>Desks</h1><p>The desk weighs 30 kg.</p>",
    "pay/bonus.md": "The bonus of the clerks is 900 euros. A journey is paid within 3 days.\n",
    "pay/plan.html": "<p>The plan is to hire Quorvex in May.</p>",
    "pay/lamps.csv": "lamp,weight\nKLR-118,9.9 kg\n",
    "pay/broken.pdf": "%PDF-1.4 broken",
}
MODIFIED = 1_767_225_600
QUESTIONS = (
    "When is a journey paid?",
    "What is the bonus of the clerks?",
    "Who is quorvx?",
    "How much does the KLR-118 weigh?",
    "Is there a plan to hire, and how much does the desk weigh?",
)
RIGHTS = (Right.ASK, Right.READ, Right.INDEX)


def written(folder: Path, *, hidden: bool) -> Path:
    for name, text in FILES.items():
        if hidden or not name.startswith("pay/"):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            os.utime(path, (MODIFIED, MODIFIED))
    Index.open_or_build(folder, lexical=True).close()
    return folder


class Two:
    """Two servers: one that hides documents from whoever asks, and one that never had them."""

    def __init__(self, whole: httpx.Client, apart: httpx.Client, folder: Path) -> None:
        self.whole = whole
        self.apart = apart
        self.folder = folder

    def send(self, method: str, address: str, **more: Any) -> httpx.Response:
        """The reply of the first, which has to be that of the second."""
        one = self.whole.request(method, address, **more)
        other = self.apart.request(method, address, **more)
        assert told(one) == told(other)
        return one


def told(response: httpx.Response) -> tuple[int, list[tuple[str, str]], bytes]:
    """All of a reply, but the time, the server's port and numbers drawn at random."""
    headers = [(name, value) for name, value in response.headers.items() if name != "date"]
    content = re.sub(rb"127\.0\.0\.1:\d+", b"", response.content)
    content = re.sub(rb'"(created|created_at)": ?\d+', b"", content)
    content = re.sub(rb"(chatcmpl|resp|msg|call|rs|item)[-_][0-9A-Za-z]+", b"", content)
    return response.status_code, sorted(headers), content


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    top = tmp_path_factory.mktemp("two")
    clients = []
    with ExitStack() as stack:
        for name, hidden in (("whole", True), ("apart", False)):
            folder = written(top / name / "handbook", hidden=hidden)
            named = [NamedFolder("handbook", folder)]
            if hidden:
                shutil.copytree(folder, top / "other", ignore=shutil.ignore_patterns(".pincite"))
                Index.open_or_build(top / "other", lexical=True).close()
                named.append(NamedFolder("payroll", top / "other"))
            tokens = top / name / "tokens.json"
            rule = DocumentRule("handbook", but=("pay/",)) if hidden else DocumentRule()
            secret = token(tokens, "clerk", (rule,), *RIGHTS)
            settings = ServerSettings(
                folders=tuple(named), state=top / name / "state", tokens=tokens, lexical=True
            )
            address = stack.enter_context(serving(settings))
            client = httpx.Client(base_url=address, headers=bearing(secret), timeout=60)
            clients.append(stack.enter_context(client))
        yield Two(*clients, folder=top / "whole" / "handbook")


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions(two: Two, question: str) -> None:
    for more in ({}, {"collection": "handbook"}, {"document": "travel.md"}, {"risk": 0.1}):
        two.send("POST", "/ask", json={"question": question, **more})
        if "risk" not in more:
            two.send("POST", "/search", json={"question": question, "limit": 50, **more})
    history = [{"role": "user", "text": "What is the bonus?"}]
    two.send("POST", "/ask", json={"question": question, "history": history})
    events = {"Accept": "text/event-stream"}
    two.send("POST", "/ask", json={"question": question}, headers=events)


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions_of_other_clients(two: Two, question: str) -> None:
    messages = [{"role": "user", "content": question}]
    for stream in (False, True):
        for model in ("pincite", "pincite/payroll", "pincite/handbook"):
            body = {"model": model, "messages": messages, "stream": stream}
            two.send("POST", "/v1/chat/completions", json=body)
            two.send("POST", "/v1/responses", json={"model": model, "input": question})
            two.send("POST", "/v1/messages", json={**body, "max_tokens": 500})


@pytest.mark.parametrize(
    "address",
    [
        *("/me", "/documents", "/documents?collection=handbook", "/documents?collection=payroll"),
        *("/documents?under=pay", "/index?collection=payroll", "/v1/models", "/readyz", "/healthz"),
        *("/v1/models/pincite%2Fpayroll", "/metrics", "/audit", "/audit/verify", "/openapi.json"),
        *("/show?locator=travel.md:1&collection=payroll", "/show?locator=travel.md:3"),
    ],
)
def test_listings_and_states(two: Two, address: str) -> None:
    two.send("GET", address)


def addresses(path: str) -> list[str]:
    return [
        f"/documents/handbook/{path}",
        f"/texts/handbook/{path}",
        f"/texts/handbook/{path}?start=0&end=5",
        f"/pages/handbook/1/{path}",
        f"/leaf?collection=handbook&path={path}",
        f"/leaf?collection=handbook&path={path}&quote=0,5&around=0,5",
        f"/show?locator={path}",
        f"/show?locator={path}:1",
        f"/show?locator={path}%23char=0,5&collection=handbook",
        f"/documents/payroll/{path}",
        f"/texts/payroll/{path}",
    ]


@pytest.mark.parametrize(
    "path",
    [
        *("travel.md", "open/lamps.csv", "open/page.html", "pay/bonus.md", "pay/broken.pdf"),
        *("pay/none.md", "pay", "pay/", "./pay/bonus.md", "open/../pay/bonus.md", "pay//bonus.md"),
        *("pay/%2e%2e/pay/bonus.md", "PAY/bonus.md", "pay/bonus.md%00", ".pincite/views"),
        *("..%2fapart", "%2fetc%2fpasswd", ".pincite/catalogue.sqlite3", "pay%5cbonus.md"),
    ],
)
def test_documents(two: Two, path: str) -> None:
    is_there = path in FILES and not path.startswith("pay")
    for address in addresses(path):
        said = two.send("GET", address)
        if not is_there or "payroll" in address:
            # Clients that are let in may ask for any of it.
            assert said.status_code in (404, 422), address
        elif "/pages/" not in address:
            assert said.status_code == 200, address
        known = {"If-None-Match": f'"{"0" * 64}"', "Range": "bytes=0-10"}
        two.send("GET", address, headers=known)
        two.send("HEAD", address)


def test_a_file_that_is_known_by_its_hash_is_not_told_to_be_there(two: Two) -> None:
    index = Index.open(two.folder, lexical=True)
    with index:
        hashes = {one.path: one.sha256 for one in index.info().documents}
    known = {"If-None-Match": f'"{hashes["pay/bonus.md"]}"'}
    assert two.send("GET", "/documents/handbook/pay/bonus.md", headers=known).status_code == 404
    known = {"If-None-Match": f'"{hashes["travel.md"]}"'}
    assert two.send("GET", "/documents/handbook/travel.md", headers=known).status_code == 304


def test_citations_of_what_is_hidden_are_of_what_is_gone(two: Two) -> None:
    with Index.open(two.folder, lexical=True) as index:
        answers = [to_json(index.ask(question)) for question in QUESTIONS[:4]]
    paths = {one["document"]["path"] for answer in answers for one in answer["citations"]}
    assert any(path.startswith("pay/") for path in paths)
    for answer in answers:
        for address in ("/verify", "/verify?collection=handbook", "/verify?collection=payroll"):
            two.send("POST", address, json=answer)
        altered = json.loads(json.dumps(answer).replace("900", "901"))
        two.send("POST", "/verify", json=altered)


def called(tool: str, **arguments: object) -> dict[str, object]:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


@pytest.mark.parametrize(
    "body",
    [
        *(called("ask", question=question) for question in QUESTIONS),
        *(called("search", question=question) for question in QUESTIONS),
        called("ask", question=QUESTIONS[0], document="pay/bonus.md"),
        called("ask", question=QUESTIONS[0], collection="payroll"),
        called("show", locator="pay/bonus.md:1"),
        called("show", locator="travel.md:1", collection="payroll"),
        called("list_documents"),
        called("list_documents", collection="payroll"),
        {"jsonrpc": "2.0", "id": 1, "method": "resources/list"},
        *(
            {"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri}}
            for uri in ("pincite://handbook/pay/bonus.md", "pincite://payroll/travel.md")
        ),
    ],
)
def test_agents(two: Two, body: dict[str, object]) -> None:
    headers = {"Accept": "application/json, text/event-stream"}
    said = two.send("POST", "/mcp", json=body, headers=headers)
    assert said.status_code == 200
    assert "900 euros" not in said.text


def test_what_becomes_of_hidden_documents_changes_nothing(two: Two) -> None:
    def everything() -> list[Any]:
        return [
            *(told(two.send("POST", "/ask", json={"question": one})) for one in QUESTIONS),
            told(two.send("GET", "/documents")),
            told(two.send("GET", "/show?locator=travel.md")),
        ]

    before = everything()
    (two.folder / "pay" / "bonus.md").write_text("The bonus of the clerks is quorvx.\n")
    (two.folder / "pay" / "new.md").write_text("When is a journey paid? Never, says the plan.\n")
    (two.folder / "pay" / "plan.html").unlink()
    with Index.open_or_build(two.folder, lexical=True) as index:
        assert index.report.added == ("pay/new.md",)
    assert everything() == before
