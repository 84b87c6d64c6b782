"""Tokens are kept as hashes, found by the whole secret, and let nobody in once they are over."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import textwrap
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pincite.server.access import DocumentRule, Right
from pincite.server.access.errors import AccessFileUnusable, TokenExists, TokenNotFound
from pincite.server.access.tokens import add_token, read_tokens, revoke_token, token_of

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
ASK = frozenset({Right.ASK})


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "config" / "tokens.json"


def test_a_token_is_found_again_with_all_it_was_given(file: Path) -> None:
    rule = DocumentRule("handbook", ("**", "ä/"), ("pay/",))
    secret = add_token(
        file, "anna", rights=ASK, rules=[rule], groups=["staff"], expires=LATER, now=NOW
    )

    token = token_of(secret, read_tokens(file), NOW)
    assert token is not None
    assert (token.name, token.rights, token.rules) == ("anna", ASK, (rule,))
    assert (token.groups, token.created, token.expires) == (("staff",), NOW, LATER)


def test_the_file_holds_no_token_and_is_for_its_owner_only(file: Path) -> None:
    one = add_token(file, "anna", rights=ASK, now=NOW)
    two = add_token(file, "berta", rights=ASK, now=NOW)

    data = file.read_text("utf-8")
    assert one not in data
    assert two not in data
    assert one.removeprefix("pincite_") not in data
    kept = json.loads(data)["tokens"]
    assert len({entry["salt"] for entry in kept} | {entry["hash"] for entry in kept}) == 4
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert sorted(path.name for path in file.parent.iterdir()) == [
        "tokens.json",
        "tokens.json.lock",
    ]


def test_tokens_are_256_random_bits(file: Path) -> None:
    secrets = {add_token(file, f"n{number}", rights=ASK, now=NOW) for number in range(20)}

    assert len(secrets) == 20
    assert {len(secret) for secret in secrets} == {len("pincite_") + 43}


@pytest.mark.parametrize("change", [str.upper, lambda s: s[:-1], lambda s: s + "A", lambda _: ""])
def test_anything_but_the_whole_token_is_none(file: Path, change) -> None:
    secret = add_token(file, "anna", rights=ASK, now=NOW)

    assert token_of(change(secret), read_tokens(file), NOW) is None


def test_a_token_lets_nobody_in_from_when_it_expires(file: Path) -> None:
    secret = add_token(file, "anna", rights=ASK, expires=LATER, now=NOW)
    tokens = read_tokens(file)

    assert token_of(secret, tokens, LATER - timedelta(seconds=1)) is not None
    assert token_of(secret, tokens, LATER) is None


def test_a_token_that_was_revoked_stays_listed_and_lets_nobody_in(file: Path) -> None:
    secret = add_token(file, "anna", rights=ASK, now=NOW)
    other = add_token(file, "berta", rights=ASK, now=NOW)
    revoke_token(file, "anna", now=LATER)

    tokens = read_tokens(file)
    assert [token.revoked for token in tokens] == [LATER, None]
    assert token_of(secret, tokens, LATER) is None
    assert token_of(other, tokens, LATER) is not None


def test_a_name_has_one_token_at_a_time(file: Path) -> None:
    old = add_token(file, "anna", rights=ASK, now=NOW)
    with pytest.raises(TokenExists, match="has a token already"):
        add_token(file, "anna", rights=ASK, now=NOW)
    revoke_token(file, "anna", now=NOW)
    new = add_token(file, "anna", rights=ASK, now=LATER)

    tokens = read_tokens(file)
    assert token_of(old, tokens, LATER) is None
    assert token_of(new, tokens, LATER) is not None
    with pytest.raises(TokenNotFound, match="of anna"):
        revoke_token(file, "berta", now=NOW)


def test_a_name_whose_token_expired_can_have_another(file: Path) -> None:
    add_token(file, "anna", rights=ASK, expires=LATER, now=NOW)
    new = add_token(file, "anna", rights=ASK, now=LATER)

    assert token_of(new, read_tokens(file), LATER) is not None


@pytest.mark.parametrize("name", ["", " ", "a\nb", " anna", "a" * 257, "a\x1b[0m"])
def test_a_name_can_be_seen(file: Path, name: str) -> None:
    with pytest.raises(ValueError, match="is no name"):
        add_token(file, name, rights=ASK, now=NOW)
    assert not file.exists()


def test_a_token_can_do_something_for_some_time(file: Path) -> None:
    with pytest.raises(ValueError, match="without rights"):
        add_token(file, "anna", rights=frozenset(), now=NOW)
    with pytest.raises(ValueError, match="expired already"):
        add_token(file, "anna", rights=ASK, expires=NOW, now=NOW)


def test_without_a_file_there_are_no_tokens(file: Path) -> None:
    assert read_tokens(file) == ()


@pytest.mark.parametrize(
    "data",
    [
        *("", "{", "[]", "\x00", '{"format": 2, "tokens": []}', '{"format": 1}'),
        *('{"format": 1, "tokens": [{"name": "a"}]}', '{"format": 1, "tokens": {"a": 1}}'),
    ],
)
def test_a_file_that_is_none_of_tokens_lets_nobody_in(file: Path, data: str) -> None:
    file.parent.mkdir()
    file.write_text(data)
    file.chmod(0o600)
    with pytest.raises(AccessFileUnusable, match="no file of tokens"):
        read_tokens(file)
    with pytest.raises(AccessFileUnusable):
        add_token(file, "anna", rights=ASK, now=NOW)
    assert file.read_text() == data


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_lets_nobody_in(file: Path, mode: int) -> None:
    add_token(file, "anna", rights=ASK, now=NOW)
    file.chmod(mode)
    with pytest.raises(AccessFileUnusable, match="others may write it"):
        read_tokens(file)


def test_writers_at_the_same_time_lose_nothing(file: Path) -> None:
    program = textwrap.dedent(
        """
        import sys
        from datetime import UTC, datetime
        from pathlib import Path
        from pincite.server.access.callers import Right
        from pincite.server.access.tokens import add_token
        for number in range(8):
            name = f"{sys.argv[2]}-{number}"
            add_token(Path(sys.argv[1]), name, rights={Right.ASK}, now=datetime.now(UTC))
        """
    )
    running = [
        subprocess.Popen([sys.executable, "-c", program, str(file), name]) for name in "abcd"
    ]
    assert [process.wait() for process in running] == [0] * 4
    assert sorted(token.name for token in read_tokens(file)) == sorted(
        f"{name}-{number}" for name in "abcd" for number in range(8)
    )


def test_a_write_that_was_interrupted_is_as_if_it_never_was(file: Path) -> None:
    add_token(file, "anna", rights=ASK, now=NOW)
    file.with_name("tokens.json.new").write_text('{"format": 1, "tok')
    add_token(file, "berta", rights=ASK, now=NOW)

    assert [token.name for token in read_tokens(file)] == ["anna", "berta"]
