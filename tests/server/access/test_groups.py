"""A file of groups, written by hand: what it gives, and what is told of one that is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincite.server.access import DocumentRule, Right
from pincite.server.access.errors import AccessFileUnusable
from pincite.server.access.groups import Groups, read_groups

FILE = """
everyone = ["staff"]

[groups.staff]
rights = ["ask"]
collections = ["handbook", "news"]
but = ["pay/"]

[groups.payroll]
rights = ["ask", "read"]
collections = ["handbook"]
paths = ["pay/"]

[users]
"anna@example.org" = ["payroll", "staff"]
"""


@pytest.fixture
def groups(tmp_path: Path) -> Groups:
    (tmp_path / "groups.toml").write_text(FILE)
    return read_groups(tmp_path / "groups.toml")


def test_groups_give_rules_and_rights_together(groups: Groups) -> None:
    own = groups.of_user("anna@example.org")
    assert own == ("staff", "payroll")
    assert groups.rights(own) == {Right.ASK, Right.READ}
    assert groups.rules(own) == (
        DocumentRule("handbook", but=("pay/",)),
        DocumentRule("news", but=("pay/",)),
        DocumentRule("handbook", ("pay/",)),
    )


def test_whoever_is_not_named_has_what_everyone_has(groups: Groups) -> None:
    assert groups.of_user("berta") == ("staff",)
    assert groups.of_user("ANNA@example.org") == ("staff",)


def test_a_group_that_is_not_there_gives_nothing(groups: Groups) -> None:
    assert groups.rules(["gone"]) == ()
    assert groups.rights(["gone"]) == frozenset()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a =", "it is no TOML"),
        ("group = {}", "the file has 'group', which is not known"),
        ("[groups.a]\npath = ['x']", "groups.a has 'path', which is not known"),
        ("[groups.a]\npaths = 'x'", "groups.a.paths is no list"),
        ("[groups.a]\npaths = []", "names no paths"),
        ("[groups.a]\npaths = ['!x']", "'!x' is no pattern of paths"),
        ("[groups.a]\nbut = [1]", "groups.a.but is no list"),
        ("[groups.a]\nrights = ['write']", "groups.a.rights has 'write'"),
        ("[groups.a]\ncollections = ['']", "names no collection"),
        ("[groups]\na = 1", "groups.a is no table"),
        ("groups = 1", "groups is no table"),
        ("[users]\nanna = ['a']", "users.anna names the group 'a', which there is not"),
        ("everyone = ['a']", "everyone names the group 'a'"),
        ('[groups." "]', "is no name"),
    ],
)
def test_what_is_wrong_in_the_file_is_named(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "groups.toml").write_text(text)
    with pytest.raises(AccessFileUnusable) as raised:
        read_groups(tmp_path / "groups.toml")
    assert told in str(raised.value)


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(AccessFileUnusable, match="No such file"):
        read_groups(tmp_path / "groups.toml")
