"""Over HTTP: who is let in, and that what is hidden is as what does not exist, byte for byte."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest

from pincite import Index
from pincite.server.access import DocumentRule, TrustedProxy
from pincite.server.access.tokens import revoke_token
from pincite.server.settings import NamedFolder, ServerSettings

from .hostile import head, received, status_of
from .served import bearing, serving, token

PAY = "What is the bonus of the clerks?"
GROUPS = """
[groups.clerks]
rights = ["ask", "read"]
collections = ["handbook"]
but = ["pay/"]
[users]
clara = ["clerks"]
"""

Serve = Callable[..., httpx.Client]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "handbook"
    (folder / "pay").mkdir(parents=True)
    (folder / "pay" / "bonus.md").write_text("The bonus of the clerks is 900 euros.\n")
    (folder / "travel.md").write_text("A journey is paid within 20 days.\n")
    Index.open_or_build(folder, lexical=True).close()
    return folder


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


@pytest.fixture
def serve(folder: Path, tokens: Path, tmp_path: Path) -> Iterator[Serve]:
    """Starts a server, and gives a client of it."""
    with ExitStack() as stack:

        def start(**settings: object) -> httpx.Client:
            one = ServerSettings(
                folders=(NamedFolder("handbook", folder),),
                state=tmp_path / "state",
                lexical=True,
                tokens=tokens,
                **settings,
            )
            client = httpx.Client(base_url=stack.enter_context(serving(one)), timeout=30)
            return stack.enter_context(client)

        yield start


def ask(client: httpx.Client, secret: str, question: str = PAY, **more: str) -> httpx.Response:
    body = {"question": question, **more}
    return client.post("/ask", json=body, headers=bearing(secret))


def test_without_tokens_the_same_machine_asks(serve: Serve) -> None:
    client = serve()
    assert client.get("/me").json()["name"] == "local"
    forwarded = client.get("/me", headers={"X-Forwarded-For": "203.0.113.9"})
    assert forwarded.status_code == 401


def test_with_tokens_nobody_asks_without_one(serve: Serve, tokens: Path) -> None:
    client = serve()
    secret = token(tokens, "anna", (DocumentRule(),))
    said = client.post("/ask", json={"question": PAY})
    assert said.status_code == 401
    assert said.headers["www-authenticate"] == "Bearer"
    assert "a token that is known, not revoked and not expired" in said.json()["detail"]
    assert said.headers["content-type"] == "application/problem+json"
    assert ask(client, secret[:-1]).content == said.content
    assert ask(client, secret).json()["text"] == "The bonus of the clerks is 900 euros."
    revoke_token(tokens, "anna", now=datetime.now(UTC))
    assert ask(client, secret).content == said.content


@pytest.mark.parametrize("length", ["Content-Length: 900000", "Transfer-Encoding: chunked"])
@pytest.mark.parametrize("address", ["/ask", "/v1/messages", "/mcp", "/healthz", "/nothing"])
def test_of_somebody_unknown_no_body_is_waited_for(
    serve: Serve, tokens: Path, address: str, length: str
) -> None:
    client = serve()
    token(tokens, "anna", (DocumentRule(),))
    place = (client.base_url.host, client.base_url.port)
    with socket.create_connection(place, timeout=5) as connection:
        # Not a byte of the body follows.
        connection.sendall(head("POST", address, length, "Content-Type: application/json"))
        assert status_of(received(connection)) == 401


def test_each_token_is_answered_from_what_is_there_for_it(serve: Serve, tokens: Path) -> None:
    chief = token(tokens, "chief", (DocumentRule(),))
    clerk = token(tokens, "clerk", (DocumentRule("handbook", but=("pay/",)),))
    client = serve()
    assert ask(client, chief).json()["status"] == "answered"
    refused = ask(client, clerk)
    assert refused.json()["status"] == "refused"
    assert "bonus.md" not in refused.text

    # Byte for byte what is answered where the document never was.
    (client_folder := tokens.parent / "handbook" / "pay" / "bonus.md").unlink()
    Index.open_or_build(client_folder.parents[1], lexical=True).close()
    assert ask(client, clerk).content == refused.content


def test_nobody_without_rules_is_told_that_there_are_collections(
    serve: Serve, tokens: Path
) -> None:
    nobody = token(tokens, "nobody", ())
    client = serve()
    assert client.get("/me", headers=bearing(nobody)).json()["collections"] == []
    hidden = ask(client, nobody, collection="handbook")
    missing = ask(client, nobody, collection="nowhere1")
    assert hidden.status_code == missing.status_code == 404
    assert hidden.content.replace(b"handbook", b"nowhere1") == missing.content


def test_a_hidden_document_is_as_one_that_does_not_exist(serve: Serve, tokens: Path) -> None:
    clerk = token(tokens, "clerk", (DocumentRule("handbook", but=("pay/",)),))
    client = serve()
    said = [ask(client, clerk, document=path) for path in ("pay/bonus.md", "pay/nixes.md")]
    assert [one.status_code for one in said] == [404, 404]
    assert said[0].content.replace(b"bonus", b"nixes") == said[1].content
    assert names_of(said[0]) == names_of(said[1])


def names_of(response: httpx.Response) -> list[str]:
    return sorted(response.headers)


def test_a_proxy_that_signs_people_on_is_believed_at_its_address_only(
    serve: Serve, tmp_path: Path
) -> None:
    (tmp_path / "groups.toml").write_text(GROUPS)
    groups = tmp_path / "groups.toml"
    named = {"X-Remote-User": "clara"}
    near = serve(groups=groups, proxy=TrustedProxy.named("X-Remote-User", ["127.0.0.1"]))
    far = serve(groups=groups, proxy=TrustedProxy.named("X-Remote-User", ["10.9.9.9"]))
    assert near.get("/me", headers=named).json() == {
        "name": "clara",
        "rights": ["ask", "read"],
        "collections": [{"name": "handbook"}],
    }
    assert near.get("/me").status_code == 401
    assert far.get("/me", headers=named).status_code == 401
    assert far.get("/me", headers={**named, "X-Forwarded-For": "10.9.9.9"}).status_code == 401


def test_files_that_cannot_be_used_let_nobody_in(serve: Serve, tokens: Path) -> None:
    secret = token(tokens, "anna", (DocumentRule(),))
    client = serve()
    tokens.write_text("{")
    said = ask(client, secret)
    assert said.status_code == 503
    assert str(tokens) not in said.text
