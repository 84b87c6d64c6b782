"""Who a request comes from: a token, a proxy that is trusted, the same machine, or nobody."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pincite.server.access import LOCAL, Caller, DocumentRule, Recognising, Right, TrustedProxy
from pincite.server.access.errors import AccessFileUnusable
from pincite.server.access.tokens import add_token, revoke_token

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ASK = frozenset({Right.ASK})
GROUPS = """
[groups.staff]
rights = ["ask"]
collections = ["handbook"]
[users]
anna = ["staff"]
"Jürgen" = ["staff"]
"""


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


@pytest.fixture
def groups(tmp_path: Path) -> Path:
    (tmp_path / "groups.toml").write_text(GROUPS)
    return tmp_path / "groups.toml"


def bearer(token: str) -> list[tuple[str, str]]:
    return [("Authorization", f"Bearer {token}")]


@pytest.mark.parametrize("peer", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
def test_without_tokens_the_same_machine_may_do_everything(tokens: Path, peer: str) -> None:
    known = Recognising(tokens=tokens)
    assert known.caller([("Host", "localhost")], peer) is LOCAL
    assert known.caller(bearer("whatever a program has to send"), peer) is LOCAL


@pytest.mark.parametrize("peer", ["10.0.0.1", "0.0.0.0", "2001:db8::1", "", "::"])
def test_without_tokens_nobody_else_is_let_in(tokens: Path, peer: str) -> None:
    assert Recognising(tokens=tokens).caller([], peer) is None


@pytest.mark.parametrize(
    "header", ["X-Forwarded-For", "x-forwarded-proto", "Forwarded", "Via", "X-Real-IP"]
)
def test_what_a_proxy_on_the_same_machine_passes_on_is_not_local(tokens: Path, header: str) -> None:
    assert Recognising(tokens=tokens).caller([(header, "127.0.0.1")], "127.0.0.1") is None


def test_a_token_is_a_caller_with_its_own_rules_and_those_of_its_groups(
    tokens: Path, groups: Path
) -> None:
    rule = DocumentRule("news", ("*.md",))
    secret = add_token(tokens, "anna", rights=ASK, rules=[rule], groups=["staff"], now=NOW)
    known = Recognising(tokens=tokens, groups=groups, clock=lambda: NOW)

    expected = Caller("anna", ASK, (rule, DocumentRule("handbook")))
    for headers in (
        bearer(secret),
        [("authorization", f"bearer   {secret} ")],
        [("x-api-key", secret)],
        [("Authorization", "Bearer unused"), ("X-Api-Key", secret)],
    ):
        assert known.caller(headers, "203.0.113.9") == expected


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("Authorization", "Bearer")],
        [("Authorization", "Bearer pincite_")],
        [("Authorization", "Basic cGluY2l0ZQ==")],
        [("Authorization", "pincite_x")],
        [("Cookie", "token=pincite_x")],
    ],
)
def test_with_tokens_nobody_is_let_in_without_one(
    tokens: Path, headers: list[tuple[str, str]]
) -> None:
    add_token(tokens, "anna", rights=ASK, now=NOW)
    assert Recognising(tokens=tokens, clock=lambda: NOW).caller(headers, "127.0.0.1") is None


def test_two_tokens_in_one_request_are_none(tokens: Path) -> None:
    one = add_token(tokens, "anna", rights=ASK, now=NOW)
    two = add_token(tokens, "berta", rights=ASK, now=NOW)
    known = Recognising(tokens=tokens, clock=lambda: NOW)
    assert known.caller([*bearer(one), *bearer(two)], "127.0.0.1") is None
    assert known.caller([*bearer(one), ("X-Api-Key", two)], "127.0.0.1") is None


def test_tokens_made_revoked_and_expired_count_at_once(tokens: Path) -> None:
    now = NOW
    known = Recognising(tokens=tokens, clock=lambda: now)
    assert known.caller([], "127.0.0.1") is LOCAL
    secret = add_token(tokens, "anna", rights=ASK, expires=NOW + timedelta(days=1), now=NOW)
    assert known.caller([], "127.0.0.1") is None
    assert known.caller(bearer(secret), "10.0.0.1") is not None
    now = NOW + timedelta(days=1)
    assert known.caller(bearer(secret), "10.0.0.1") is None
    now = NOW
    revoke_token(tokens, "anna", now=NOW)
    assert known.caller(bearer(secret), "10.0.0.1") is None
    assert known.caller([], "127.0.0.1") is None
    tokens.unlink()
    assert known.caller([], "127.0.0.1") is None


def test_files_that_cannot_be_used_let_nobody_in(tokens: Path, groups: Path) -> None:
    secret = add_token(tokens, "anna", rights=ASK, now=NOW)
    known = Recognising(tokens=tokens, groups=groups, clock=lambda: NOW)
    known.check()
    assert known.caller(bearer(secret), "10.0.0.1") is not None
    groups.write_text("[groups.staff]\npath = []")
    for _ in range(2):
        with pytest.raises(AccessFileUnusable):
            known.caller(bearer(secret), "10.0.0.1")
    groups.write_text(GROUPS)
    assert known.caller(bearer(secret), "10.0.0.1") is not None
    groups.unlink()
    with pytest.raises(AccessFileUnusable):
        known.check()


PROXY = TrustedProxy.named("X-Remote-User", ["10.0.0.0/24", "::1"])


def test_a_proxy_that_is_trusted_names_who_calls(groups: Path) -> None:
    known = Recognising(groups=groups, proxy=PROXY)
    anna = Caller("anna", ASK, (DocumentRule("handbook"),))
    for peer in ("10.0.0.7", "::ffff:10.0.0.7", "::1"):
        assert known.caller([("x-remote-user", "anna")], peer) == anna
    assert known.caller([("X-Remote-User", "berta")], "10.0.0.7") == Caller("berta")
    utf8 = "Jürgen".encode().decode("latin-1")
    named = known.caller([("X-Remote-User", utf8)], "10.0.0.7")
    assert named is not None
    assert (named.name, named.rights) == ("Jürgen", ASK)


@pytest.mark.parametrize(
    ("headers", "peer"),
    [
        ([("X-Remote-User", "anna")], "10.0.1.7"),
        ([("X-Remote-User", "anna")], "127.0.0.1"),
        ([("X-Remote-User", "anna"), ("X-Forwarded-For", "10.0.0.7")], "203.0.113.9"),
        ([("X-Remote-User", "anna")], ""),
        ([("X-Remote-User", "anna"), ("X-Remote-User", "root")], "10.0.0.7"),
        ([("X-Remote-User", "")], "10.0.0.7"),
        ([("X-Remote-User", "an\x00na")], "10.0.0.7"),
        ([("X_Remote_User", "anna")], "10.0.0.7"),
        ([("Remote-User", "anna")], "10.0.0.7"),
        ([], "10.0.0.7"),
    ],
)
def test_nobody_else_says_who_calls(
    groups: Path, headers: list[tuple[str, str]], peer: str
) -> None:
    assert Recognising(groups=groups, proxy=PROXY).caller(headers, peer) is None


def test_without_a_proxy_its_header_says_nothing(tokens: Path, groups: Path) -> None:
    add_token(tokens, "root", rights=frozenset(Right), now=NOW)
    known = Recognising(tokens=tokens, groups=groups)
    assert known.caller([("X-Remote-User", "anna")], "10.0.0.7") is None


def test_a_token_says_more_than_a_proxy_and_others_tokens_say_nothing(
    tokens: Path, groups: Path
) -> None:
    secret = add_token(tokens, "robot", rights=ASK, now=NOW)
    known = Recognising(tokens=tokens, groups=groups, proxy=PROXY, clock=lambda: NOW)
    named = [("X-Remote-User", "anna")]

    def name(headers: list[tuple[str, str]]) -> str | None:
        caller = known.caller(headers, "10.0.0.7")
        return None if caller is None else caller.name

    assert name([*bearer(secret), *named]) == "robot"
    assert name([*bearer(secret[:-1]), *named]) is None
    assert name([*bearer("eyJhbGciOi.of.another"), *named]) == "anna"


@pytest.mark.parametrize(
    ("header", "addresses"),
    [
        ("", ["::1"]),
        ("X Remote", ["::1"]),
        ("Authorization", ["::1"]),
        ("Host", ["::1"]),
        ("X-Forwarded-For", ["::1"]),
        ("X-Remote-User", []),
        ("X-Remote-User", ["proxy.example.org"]),
        ("X-Remote-User", ["10.0.0.1/24"]),
    ],
)
def test_a_proxy_is_named_by_its_header_and_addresses(header: str, addresses: list[str]) -> None:
    with pytest.raises(ValueError, match=r"header|address|meaning|host bits"):
        TrustedProxy.named(header, addresses)
