"""`pincite token`: made, listed, revoked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pincite.cli.tokens import token_commands
from pincite.server.access import DocumentRule
from pincite.server.access.tokens import read_tokens

from .conftest import Pincite


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tokens.json"


def test_a_token_is_shown_once_and_kept_as_a_hash(pincite: Pincite, file: Path) -> None:
    made = pincite("token", "add", "anna", "--tokens", file)
    assert made.returncode == 0
    secret = made.stdout.decode().strip()
    assert secret.startswith("pincite_")
    assert b"is shown this once" in made.stderr
    assert secret not in file.read_text()
    listed = pincite("token", "list", "--tokens", file)
    assert listed.stdout == b"anna  valid  ask,read  *: **\n"


def test_a_list_says_when_a_token_ends(pincite: Pincite, file: Path) -> None:
    pincite("token", "add", "robot", "--expires", "2999-01-31", "--tokens", file)
    listed = pincite("token", "list", "--tokens", file).stdout.decode()
    assert listed == "robot  valid  ask,read  *: **; until 2999-01-31T00:00:00Z\n"


def test_what_a_token_may_do_is_said_by_options(pincite: Pincite, file: Path) -> None:
    made = pincite(
        *("token", "add", "robot", "--rights", "ask, index", "--expires", "30d"),
        *("--collection", "handbook", "--collection", "news", "--path", "*.md", "--but", "pay/"),
        *("--group", "staff", "--json", "--tokens", file),
    )
    record = json.loads(made.stdout)
    assert record["token"].startswith("pincite_")
    assert (record["name"], record["state"]) == ("robot", "valid")
    assert (record["rights"], record["groups"]) == (["ask", "index"], ["staff"])
    assert record["rules"][0] == {"collection": "handbook", "paths": ["*.md"], "but": ["pay/"]}
    (token,) = read_tokens(file)
    assert token.rules[1] == DocumentRule("news", ("*.md",), ("pay/",))
    assert token.expires is not None
    assert 29 <= (token.expires - token.created).days <= 30
    listed = json.loads(pincite("token", "list", "--json", "--tokens", file).stdout)
    del record["token"]
    assert listed["tokens"] == [record]


def test_a_token_of_a_group_has_what_the_group_has_and_nothing_else(
    pincite: Pincite, file: Path
) -> None:
    pincite("token", "add", "anna", "--group", "staff", "--tokens", file)
    (token,) = read_tokens(file)
    assert (token.rules, token.groups) == ((), ("staff",))


def test_a_token_is_revoked_by_name(pincite: Pincite, file: Path) -> None:
    pincite("token", "add", "anna", "--tokens", file)
    assert pincite("token", "revoke", "anna", "--tokens", file).stdout == b"anna: revoked\n"
    listed = pincite("token", "list", "--tokens", file).stdout.decode()
    assert listed.split("  ")[:2] == ["anna", "revoked"]
    again = pincite("token", "revoke", "anna", "--tokens", file)
    assert (again.returncode, again.stdout) == (1, b"")
    assert again.stderr == b"pincite: error: no token is called 'anna': there is none that holds\n"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("anna", "--rights", "ask,write"), b"'write' is no right"),
        (("anna", "--rights", ""), b"'' is no right"),
        (("anna", "--path", "!pay/"), b"is no pattern of paths"),
        (("anna", "--but", ""), b"is no pattern of paths"),
        (("anna", "--collection", ""), b"names no collection"),
        (("anna", "--expires", "soon"), b"'soon' is no time"),
        (("anna", "--expires", "2020-01-01"), b"is over already"),
        (("an\nna",), b"is no name"),
        ((), b"Missing argument"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(
    pincite: Pincite, file: Path, arguments: tuple[str, ...], told: bytes
) -> None:
    made = pincite("token", "add", *arguments, "--tokens", file)
    assert made.returncode == 2
    assert told in made.stderr
    assert not file.exists()


def test_a_second_token_of_a_name_is_an_error(pincite: Pincite, file: Path) -> None:
    pincite("token", "add", "anna", "--tokens", file)
    made = pincite("token", "add", "anna", "--json", "--tokens", file)
    assert made.returncode == 1
    assert "has a token already" in json.loads(made.stdout)["error"]


def test_tokens_are_kept_in_the_configuration_of_the_user(pincite: Pincite, tmp_path: Path) -> None:
    environment = {"XDG_CONFIG_HOME": str(tmp_path / "config")}
    assert pincite("token", "add", "anna", environment=environment).returncode == 0
    assert (tmp_path / "config" / "pincite" / "tokens.json").exists()


def test_every_command_and_option_is_on_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "access.md").read_text(encoding="utf-8")
    for name, command in token_commands.commands.items():
        assert f"pincite token {name}" in page
        for parameter in command.params:
            if parameter.param_type_name == "option":
                assert parameter.opts[0] in page


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])
def test_without_tokens_no_other_address_is_listened_on(
    pincite: Pincite, folder: Path, file: Path, host: str
) -> None:
    served = pincite("serve", folder, "--host", host, "--tokens", file)
    assert served.returncode == 2
    assert b"there are no tokens" in served.stderr
    assert not (folder / ".pincite").exists()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--proxy-header", "X-Remote-User"), b"no address of the proxy is named"),
        (("--proxy-address", "10.0.0.7"), b"is no name of a header"),
        (("--proxy-header", "Host", "--proxy-address", "10.0.0.7"), b"has another meaning"),
        (("--proxy-header", "X-User", "--proxy-address", "proxy"), b"no address of a proxy"),
        (("--groups", "nowhere.toml"), b"does not exist"),
    ],
)
def test_a_proxy_or_groups_that_cannot_be_meant_are_a_usage_error(
    pincite: Pincite, folder: Path, arguments: tuple[str, ...], told: bytes
) -> None:
    served = pincite("serve", folder, *arguments)
    assert served.returncode == 2
    assert told in served.stderr


def test_a_server_does_not_start_with_groups_that_are_wrong(
    pincite: Pincite, folder: Path, file: Path, tmp_path: Path
) -> None:
    (tmp_path / "groups.toml").write_text("[groups.a]\npath = ['x']")
    served = pincite("serve", folder, "--tokens", file, "--groups", tmp_path / "groups.toml")
    assert served.returncode == 1
    assert b"groups.a has 'path', which is not known" in served.stderr
