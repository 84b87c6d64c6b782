"""The configuration of nginx in deploy/, in the real nginx, in front of the real server."""

from __future__ import annotations

import ipaddress
import json
import shutil
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from tests.deploy.servers import free_port, nginx, pincite_server, token_of

DEPLOY = Path(__file__).parents[2] / "deploy"
LAMP = "# Lamp\n\nThe lamp weighs 2.4 kg.\n"
QUESTION = {"question": "How much does the lamp weigh?"}

pytestmark = pytest.mark.skipif(
    not (shutil.which("nginx") or Path("/usr/sbin/nginx").exists()),
    reason="nginx is not installed: apt-get install nginx-light",
)


@dataclass(frozen=True, slots=True)
class Site:
    """The site as it is reached from outside."""

    address: str
    plain: str
    """The address without TLS."""
    token: str
    trust: ssl.SSLContext

    def client(self, *, token: str | None = None) -> httpx.Client:
        """Somebody outside, with a token or, where it is empty, without one."""
        sent = self.token if token is None else token
        headers = {"Authorization": f"Bearer {sent}"} if sent else {}
        return httpx.Client(base_url=self.address, verify=self.trust, headers=headers, timeout=60)


@pytest.fixture(scope="module", params=["nginx-upstream.conf", "compose.yaml"])
def site(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Site]:
    place = tmp_path_factory.mktemp("site")
    folder = place / "docs"
    folder.mkdir()
    (folder / "lamp.md").write_text(LAMP, encoding="utf-8")
    certified(place)
    token = token_of("robot", place / "tokens.json")
    secure, plain = free_port(), free_port()
    trusting = ("--proxy-header", "X-Remote-User", "--proxy-address", "127.0.0.1")
    with pincite_server(folder, place, *trusting) as (address, _):
        upstream = upstream_of(request.param, address.split("//")[1])
        config = changed(
            "nginx.conf",
            {
                "listen 80;": f"listen 127.0.0.1:{plain};",
                "listen 443 ": f"listen 127.0.0.1:{secure} ",
                "/etc/ssl/pincite/": f"{place}/",
                "/var/log/nginx/": f"{place}/",
            },
        )
        # In the order in which nginx of the container reads them.
        with nginx(config + upstream, place / "nginx"):
            trust = ssl.create_default_context(cafile=place / "fullchain.pem")
            yield Site(f"https://127.0.0.1:{secure}", f"http://127.0.0.1:{plain}", token, trust)


def upstream_of(name: str, server: str) -> str:
    """Where nginx finds the server: as beside a unit of systemd, or among containers."""
    if name.endswith(".conf"):
        return changed(name, {"127.0.0.1:8137": server})
    described = yaml.safe_load((DEPLOY / name).read_text(encoding="utf-8"))
    content: str = described["configs"]["upstream"]["content"]
    assert "server pincite:8137;" in content
    return content.replace("pincite:8137", server)


def changed(name: str, changes: dict[str, str]) -> str:
    """A file of deploy/ with what its own comments say is to be changed, and the ports."""
    text = (DEPLOY / name).read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return text


def certified(place: Path) -> None:
    """A certificate for this machine, signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "documents.example")])
    names = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (place / "fullchain.pem").write_bytes(certificate.public_bytes(pem))
    (place / "privkey.pem").write_bytes(
        key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )


def test_a_question_is_answered_over_tls_to_whom_has_a_token(site: Site) -> None:
    with site.client() as known, site.client(token="") as stranger:
        answer = known.post("/ask", json=QUESTION)
        assert answer.json()["text"] == "The lamp weighs 2.4 kg."
        assert answer.headers["strict-transport-security"] == "max-age=31536000"
        assert stranger.post("/ask", json=QUESTION).status_code == 401


def test_a_page_of_the_site_may_send_and_one_of_another_site_may_not(site: Site) -> None:
    with site.client() as known:
        own = known.post("/ask", json=QUESTION, headers={"Origin": site.address})
        assert own.status_code == 200
        other = known.post("/ask", json=QUESTION, headers={"Origin": "https://evil.example"})
        assert other.status_code == 403


def test_without_tls_everything_is_sent_on_to_the_address_with_it(site: Site) -> None:
    moved = httpx.post(f"{site.plain}/ask?x=1", json=QUESTION)
    assert moved.status_code == 308
    assert moved.headers["location"] == "https://127.0.0.1/ask?x=1"


def test_nobody_outside_may_say_who_they_are(site: Site) -> None:
    with site.client(token="") as stranger:
        named = stranger.post("/ask", json=QUESTION, headers={"X-Remote-User": "admin"})
        assert named.status_code == 401


def test_a_body_that_is_too_large_ends_at_nginx(site: Site) -> None:
    with site.client() as known:
        refused = known.post("/ask", json={"question": "x" * 2_000_000})
        assert refused.status_code == 413
        assert "nginx" in refused.text


def test_metrics_are_not_for_outside(site: Site) -> None:
    with site.client() as known:
        assert known.get("/metrics").status_code == 403
        assert known.get("/healthz").text == "ok\n"


def test_events_pass_as_they_are(site: Site) -> None:
    with (
        site.client() as known,
        known.stream(
            "POST", "/ask", json=QUESTION, headers={"Accept": "text/event-stream"}
        ) as reply,
    ):
        assert reply.headers["content-type"].startswith("text/event-stream")
        kinds = [line for line in reply.iter_lines() if line.startswith("event: ")]
        assert len(kinds) > 1


def test_the_first_words_of_a_stream_come_before_its_end(site: Site) -> None:
    asked = {
        "model": "pincite",
        "stream": True,
        "messages": [{"role": "user", "content": QUESTION["question"]}],
    }
    with site.client() as known, known.stream("POST", "/v1/chat/completions", json=asked) as reply:
        lines = [line.removeprefix("data: ") for line in reply.iter_lines() if line]
    assert lines[-1] == "[DONE]"
    words = [json.loads(line)["choices"] for line in lines[:-1]]
    told = "".join(one[0]["delta"].get("content") or "" for one in words if one)
    assert told.startswith("The lamp weighs 2.4 kg.")


def test_agents_reach_their_tools(site: Site) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accept = {"Accept": "application/json, text/event-stream"}
    with site.client() as known:
        reply = known.post("/mcp", json=call, headers=accept)
        assert reply.status_code == 200
        assert '"name":"list_documents"' in reply.text
