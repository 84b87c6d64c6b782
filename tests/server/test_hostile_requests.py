"""Requests meant to do harm: none gets what it is after, and none ends the server.

Rebinding, cross-site posts, paths out of the folder, injected headers, smuggled requests, requests
that are to make the server call elsewhere, and forged credentials.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from pincite import Index
from pincite.server.access import DocumentRule
from pincite.server.settings import NamedFolder, ServerSettings

from .hostile import SECRET, Site, elsewhere, head, site, status_of
from .served import serving, token

__all__ = ["elsewhere", "site"]


# A name of another site that leads here.


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example", "evil.example:8137", "localhost.evil.example", "127.0.0.1.evil.example"),
        *("127.0.0.1@evil.example", "evil.example#127.0.0.1", "evil.example/localhost", "", " "),
        *("localhost:80:90", "localhost:x", "[::1].evil.example", "localhost%2eevil.example"),
        *("localhost\\@evil.example", "xn--lcalhost-6ya.example", "localhost,evil.example"),
    ],
)
def test_a_name_that_is_not_the_servers_gets_nothing(site: Site, host: str) -> None:
    for target in ("/documents", "/me", "/", "/texts/shop/lamp.md"):
        reply = site.raw(head("GET", target, host=host))
        assert status_of(reply) in (400, 421)
        assert b"lamp" not in reply
        assert b"<script" not in reply


def test_a_request_without_a_name_or_with_two_gets_nothing(site: Site) -> None:
    for reply in (
        site.raw(head("GET", "/documents", host=None)),
        site.raw(head("GET", "/documents", "Host: evil.example")),
        site.raw(head("GET", "/documents", "Host: localhost", host="evil.example")),
        site.raw(head("GET", "http://evil.example/documents", host="evil.example")),
    ):
        assert status_of(reply) in (400, 421)
        assert b"lamp" not in reply


# A page of another site that sends something here.

CROSS_SITE = [
    *({"Origin": origin} for origin in ("http://evil.example", "https://localhost", "null", "")),
    *({"Origin": f"http://{host}"} for host in ("localhost", "localhost.evil.example:80")),
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "http://127.0.0.1@evil.example"},
    {"Origin": "file://"},
    {"Origin": "http://["},
    {"Origin": "chrome-extension://abc"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "http://evil.example", "Sec-Fetch-Site": "same-origin"},
    {"Origin": "http://evil.example", "Content-Type": "text/plain"},
    {"Origin": "http://evil.example", "Content-Type": "application/x-www-form-urlencoded"},
]


@pytest.mark.parametrize("headers", CROSS_SITE, ids=str)
def test_another_site_does_nothing_here(site: Site, headers: dict[str, str]) -> None:
    log = site.log()
    for address, body in (
        ("/notices", {"collection": "shop", "question": "What is planted here?"}),
        ("/index", {"collection": "shop"}),
        ("/ask", {"question": "How much does the lamp weigh?"}),
        ("/v1/chat/completions", {"messages": [{"role": "user", "content": "The lamp?"}]}),
    ):
        sent = {"Content-Type": "application/json", **headers}
        said = site.client.post(address, content=json.dumps(body), headers=sent)
        assert said.status_code == 403
        assert "lamp weighs" not in said.text
        assert not [name for name in said.headers if name.startswith("access-control")]
    assert site.log() == log


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://localhost"])
@pytest.mark.parametrize("address", ["/ask", "/documents", "/index", "/v1/chat/completions"])
def test_no_other_site_is_allowed_to_read(site: Site, origin: str, address: str) -> None:
    asking = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }
    for said in (
        site.client.options(address, headers=asking),
        site.client.get(address, headers=asking),
    ):
        assert not [name for name in said.headers if name.startswith("access-control")]
        assert said.headers["cross-origin-resource-policy"] == "same-origin"


# Paths that lead elsewhere.

ELSEWHERE = [
    *("../secret.md", "../../secret.md", "..%2fsecret.md", "%2e%2e/secret.md"),
    "%2e%2e%2fsecret.md",
    *("..%5csecret.md", "..\\secret.md", "....//secret.md", "..;/secret.md", "..%00/secret.md"),
    *("%252e%252e%252fsecret.md", "..%c0%afsecret.md", "%c0%ae%c0%ae/secret.md", "C:%5cwin.ini"),
    *("deep/..%2f..%2fsecret.md", "/secret.md", "//secret.md", "%2fetc%2fpasswd", "/etc/passwd"),
    *("file:///etc/passwd", "deep/../../secret.md", "~/.ssh/id_rsa", ".env", "%2eenv"),
    *(".git/config", "./.env", "deep/../.env", ".pincite/catalogue.sqlite3", ".pincite/lexical"),
    "link.md",
    *("lamp.md/../.env", "lamp.md%00.env", "lamp.md%20", "LAMP.MD", "lamp.md."),
    *("secret.md", "state/audit/log", "../state/audit/log", "*", "%", "%zz", "\x7f"),
]  # fmt: skip


@pytest.mark.parametrize("path", ELSEWHERE)
def test_no_path_leads_out_of_the_documents(site: Site, path: str) -> None:
    encoded = quote(path, safe="")
    locator = path.replace("\x7f", "%7f")
    for target in (
        f"/documents/shop/{locator}",
        f"/texts/shop/{locator}",
        f"/pages/shop/1/{locator}",
        f"/page/x/{locator}",
        f"/documents/{locator}",
        f"/{locator}",
        f"/leaf?collection=shop&path={encoded}",
        f"/leaf?collection=..%2f&path={encoded}",
        f"/show?locator={encoded}",
        f"/show?locator={encoded}:1",
    ):
        reply = site.raw(head("GET", target))
        assert status_of(reply) in (400, 404, 405, 422), target
        assert SECRET.encode() not in reply
        assert b"root:" not in reply
        assert b"SQLite" not in reply
        assert str(site.state.parent).encode() not in reply


def test_a_citation_of_another_file_is_of_none(site: Site) -> None:
    record = site.client.post("/ask", json={"question": "How much does the lamp weigh?"}).json()
    for path in ("../secret.md", ".env", "link.md", "/etc/passwd", ".git/config"):
        record["citations"][0]["document"]["path"] = path
        record["citations"][0]["quote"]["exact"] = SECRET
        said = site.client.post("/verify", json=record)
        assert [one["status"] for one in said.json()["citations"]] == ["gone"]


# Headers and requests smuggled in.

INJECTED = "%0d%0aX-Injected:%201%0d%0a%0d%0a<script>"


@pytest.mark.parametrize(
    "target",
    [
        *(f"/documents/shop/lamp.md{INJECTED}", f"/documents/{INJECTED}/lamp.md", f"/{INJECTED}"),
        *(f"/texts/shop/{INJECTED}", f"/leaf?collection={INJECTED}&path=lamp.md"),
        *(f"/leaf?collection=shop&path={INJECTED}", f"/show?locator={INJECTED}"),
        *(f"/show?locator=lamp.md&collection={INJECTED}", f"/documents?collection={INJECTED}"),
        *(f"/index?collection={INJECTED}", f"/page/{INJECTED}/app.js", f"/v1/models/{INJECTED}"),
        *("/documents?under=%0aSet-Cookie:%20a=b", "/show?locator=%E5%98%8A%E5%98%8DX-Injected:1"),
    ],
)
def test_no_header_is_injected(site: Site, target: str) -> None:
    reply = site.raw(head("GET", target))
    headers = reply.partition(b"\r\n\r\n")[0].lower()
    assert status_of(reply) < 500
    assert b"x-injected" not in headers
    assert b"set-cookie" not in headers
    assert b"content-type: text/html" not in headers


@pytest.mark.parametrize("name", ["collection", "document", "question"])
@pytest.mark.parametrize(
    "value", ["\r\nX-Injected: 1", "\nSet-Cookie: a=b", "\x00", "\u2028", "é\r"]
)
def test_no_header_is_injected_by_what_is_asked(site: Site, name: str, value: str) -> None:
    body = {"question": "How much does the lamp weigh?"}
    body[name] = body.get(name, "shop") + value
    said = site.client.post("/ask", json=body)
    assert said.status_code in (200, 404, 422)
    assert "x-injected" not in said.headers
    assert "set-cookie" not in said.headers


HIDDEN = "GET /me HTTP/1.1\r\nHost: localhost\r\n\r\n"
CHUNKED = "Transfer-Encoding: chunked"


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ([f"Content-Length: {len(HIDDEN) + 5}", CHUNKED], f"0\r\n\r\n{HIDDEN}"),
        (["Content-Length: 4", CHUNKED], f"5c\r\n{HIDDEN}\r\n0\r\n\r\n"),
        (["Content-Length: 0", f"Content-Length: {len(HIDDEN)}"], HIDDEN),
        ([f"Content-Length: 0, {len(HIDDEN)}"], HIDDEN),
        (["Content-Length: -1"], HIDDEN),
        (["Content-Length: +0"], HIDDEN),
        (["Content-Length: 0x0"], HIDDEN),
        (["Content-Length: 1_0"], HIDDEN),
        (["Content-Length: ٣"], HIDDEN),
        (["Content-Length : 0"], HIDDEN),
        ([" Content-Length: 0"], ""),
        (["Transfer-Encoding: xchunked"], f"0\r\n\r\n{HIDDEN}"),
        (["Transfer-Encoding: chunked, identity"], f"0\r\n\r\n{HIDDEN}"),
        (["Transfer-Encoding: identity", CHUNKED], f"0\r\n\r\n{HIDDEN}"),
        (["Transfer-Encoding:\x0bchunked"], f"0\r\n\r\n{HIDDEN}"),
        ([CHUNKED], f"0 ;\x00\r\n\r\n{HIDDEN}"),
        ([CHUNKED], f"-1\r\n\r\n{HIDDEN}"),
        ([CHUNKED], f"fffffffffffffffff\r\n{HIDDEN}"),
        (["X-A: 1\nX-Injected: 1"], ""),
        (["X-A: 1\r\n X-Injected: 1"], ""),
    ],
)
def test_no_second_request_is_smuggled_in_a_first(
    site: Site, headers: list[str], body: str
) -> None:
    sent = "\r\n".join(["POST /ask HTTP/1.1", "Host: localhost", *headers, "", body])
    reply = site.raw(sent.encode("utf-8"))
    assert len(re.findall(rb"^HTTP/1\.1 \d", reply, re.MULTILINE)) <= 1
    assert b'"local"' not in reply
    assert status_of(reply) in (0, 400, 408, 413, 421, 422)
    assert site.is_well()


# What is to make the server call elsewhere.


def calling(address: str) -> list[tuple[str, Any]]:
    asked = {"type": "text", "text": "How much does the lamp weigh?"}
    image = {"type": "image_url", "image_url": {"url": f"{address}/1.png"}}
    by_url = {"type": "url", "url": f"{address}/2.pdf"}
    inputs = [
        {"type": "input_image", "image_url": f"{address}/11"},
        {"type": "input_file", "file_url": f"{address}/12"},
        {"type": "input_text", "text": "The lamp?"},
    ]

    def said(*content: Any, **more: Any) -> dict[str, Any]:
        messages = [{"role": "user", "content": list(content)}]
        return {"model": "pincite", "messages": messages, **more}

    record = {"schema": "pincite.answer/1", "citations": [{"document": {"path": address}}]}
    return [
        ("/ask", {"question": f"What is at {address}/3?"}),
        ("/ask", {"question": "The lamp?", "document": f"{address}/4"}),
        ("/ask", {"question": "The lamp?", "collection": f"{address}/5"}),
        ("/search", {"question": f"{address}/6"}),
        ("/index", {"collection": f"{address}/7"}),
        ("/verify", record),
        ("/verify", {"$ref": f"{address}/8", "@context": f"{address}/9", "$schema": address}),
        ("/notices", {"collection": "shop", "question": f"{address}/10", "note": address}),
        ("/v1/chat/completions", said(asked, image)),
        ("/v1/responses", {"model": "pincite", "input": [{"role": "user", "content": inputs}]}),
        ("/v1/messages", said({"type": "document", "source": by_url}, asked, max_tokens=9)),
        ("/v1/messages", said({"type": "image", "source": by_url}, asked, max_tokens=9)),
        ("/v1/messages", said(asked, max_tokens=9, mcp_servers=[by_url])),
        ("/v1/embeddings", {"input": f"{address}/13", "model": address}),
        ("/v1/chat/completions", {**said(asked), "model": address}),
    ]


@pytest.mark.parametrize("number", range(15))
def test_the_server_calls_nobody(site: Site, number: int) -> None:
    address, body = calling(site.elsewhere)[number]
    said = site.client.post(address, json=body)
    assert said.status_code < 500
    assert site.called == []


@pytest.mark.parametrize(
    "target", ["/documents/shop/{}", "/leaf?collection=shop&path={}", "/show?locator={}", "/{}"]
)
def test_no_address_of_elsewhere_is_looked_up(site: Site, target: str) -> None:
    for address in (site.elsewhere, site.elsewhere.removeprefix("http:"), f"url={site.elsewhere}"):
        reply = site.raw(head("GET", target.format(quote(address, safe=""))))
        assert status_of(reply) in (404, 422)
    assert site.called == []


# Credentials that are none.


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    top = tmp_path_factory.mktemp("guarded")
    folder = top / "shop"
    folder.mkdir()
    (folder / "lamp.md").write_text(SECRET)
    Index.open_or_build(folder, lexical=True).close()
    secret = token(top / "tokens.json", "anna", (DocumentRule(),))
    settings = ServerSettings(
        folders=(NamedFolder("shop", folder),),
        state=top / "state",
        lexical=True,
        tokens=top / "tokens.json",
    )
    with serving(settings) as address:
        yield address, secret


@pytest.mark.parametrize(
    "headers",
    [
        {},
        *({"Authorization": value} for value in ("Bearer", "Bearer null", "Basic Og==")),
        {"Authorization": "Bearer pincite_"},
        {"Authorization": "Bearer pincite_' OR '1'='1"},
        {"Authorization": "Bearer pincite_\xff\xfe"},
        {"Authorization": "Bearer pincite_" + "A" * 43},
        {"Authorization": "Bearer pincite_" + "A" * 9_000},
        {"X-Api-Key": "local"},
        {"Cookie": "token=local; session=admin"},
        {"X-Remote-User": "anna"},
        {"X-Forwarded-User": "anna", "X-Forwarded-For": "127.0.0.1"},
        {"Forwarded": "for=127.0.0.1;host=localhost"},
        {"X-Original-URL": "/healthz", "X-Rewrite-URL": "/healthz"},
        {"X-HTTP-Method-Override": "GET"},
    ],
    ids=str,
)
def test_nobody_is_let_in_by_what_is_no_token(
    guarded: tuple[str, str], headers: dict[str, str]
) -> None:
    address, secret = guarded
    encoded = {name: value.encode("latin-1") for name, value in headers.items()}
    with httpx.Client(base_url=address, headers=encoded, timeout=60) as client:
        for target in (
            *("/documents", "/documents/shop/lamp.md", "/texts/shop/lamp.md"),
            *("/show?locator=lamp.md", "/leaf?collection=shop&path=lamp.md"),
            *("/audit", "/metrics", "/unanswered", "/index"),
            *("/me", "/v1/models", f"/documents?token={secret}", f"/documents?api_key={secret}"),
        ):  # fmt: skip
            said = client.get(target)
            assert said.status_code in (401, 431)
            assert SECRET not in said.text
        said = client.post("/ask", json={"question": "What is the secret?"})
        assert said.status_code in (401, 431)
