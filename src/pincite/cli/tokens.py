"""`token`: who may ask a server, made, listed, revoked."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import platformdirs

from pincite.cli.options import json_option, new_file
from pincite.cli.output import ANSWERED, complain, write_json, write_text
from pincite.render.terminal import one_line

# To ask, nothing of these is needed.
if TYPE_CHECKING:
    from pincite.server.access.tokens import Token

_SPAN = re.compile(r"(\d{1,5})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 168}


def tokens_file() -> Path:
    """Where tokens are kept where no other place is named."""
    return platformdirs.user_config_path("pincite", appauthor=False) / "tokens.json"


def _rights(_: click.Context, __: click.Parameter, given: str) -> frozenset[Any]:
    from pincite.server.access.callers import Right

    names = [name.strip() for name in given.split(",")]
    for name in names:
        if name not in set(Right):
            raise click.BadParameter(f"{name!r} is no right: rights are {', '.join(Right)}")
    return frozenset(map(Right, names))


def _expiry(_: click.Context, __: click.Parameter, given: str | None) -> datetime | None:
    if given is None:
        return None
    now = datetime.now(UTC)
    if found := _SPAN.fullmatch(given):
        return now + timedelta(hours=int(found[1]) * _HOURS[found[2]])
    try:
        time = datetime.fromisoformat(given)
        time = (time if time.tzinfo else time.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise click.BadParameter(
            f"{given!r} is no time: give one such as 90d, 12h or 2027-01-31"
        ) from error
    if time <= now:
        raise click.BadParameter(f"{given} is over already: give a later time")
    return time


tokens_option = click.option(
    "--tokens",
    "file",
    type=new_file,
    metavar="FILE",
    help="Keep the tokens in FILE, not in the user's configuration.",
)


@click.group("token")
def token_commands() -> None:
    """Say who may ask a server, and which documents are there for them."""


@token_commands.command("add")
@click.argument("name")
@click.option(
    "--rights",
    default="ask,read",
    show_default=True,
    callback=_rights,
    metavar="LIST",
    help="What it may do: ask (get words quoted), read (whole documents and files), "
    "index, admin (what others asked).",
)
@click.option(
    "--collection",
    "collections",
    multiple=True,
    metavar="NAME",
    help="A collection that is there for it; may be repeated. Left out: every one.",
)
@click.option(
    "--path",
    "paths",
    multiple=True,
    metavar="PATTERN",
    help="Documents that are there, as a line of .gitignore writes them: 'hr/', '*.md'; may be "
    "repeated. Left out: all.",
)
@click.option(
    "--but",
    multiple=True,
    metavar="PATTERN",
    help="Documents that are left out of those; may be repeated.",
)
@click.option(
    "--group",
    "groups",
    multiple=True,
    metavar="NAME",
    help="A group, of the file that `serve --groups` reads, whose documents are there too; may be "
    "repeated.",
)
@click.option(
    "--expires",
    callback=_expiry,
    metavar="WHEN",
    help="The time from which on it lets nobody in: 90d, 12h, 2027-01-31.",
)
@tokens_option
@json_option
def add_command(
    name: str,
    rights: frozenset[Any],
    collections: tuple[str, ...],
    paths: tuple[str, ...],
    but: tuple[str, ...],
    groups: tuple[str, ...],
    expires: datetime | None,
    file: Path | None,
    as_json: bool,
) -> int:
    """Make a token for NAME and print it, this one time.

    Without --collection, --path, --but or --group every document is there for it.
    """
    from pincite.server.access.callers import EVERY_COLLECTION, DocumentRule
    from pincite.server.access.tokens import add_token, read_tokens
    from pincite.visible import EVERYTHING

    place = file or tokens_file()
    try:
        rules = [
            DocumentRule(collection, paths or (EVERYTHING,), but)
            for collection in (collections or (EVERY_COLLECTION,))
        ]
        if groups and not (collections or paths or but):
            rules = []
        secret = add_token(
            place,
            name,
            rights=rights,
            rules=rules,
            groups=groups,
            expires=expires,
            now=datetime.now(UTC),
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    (own,) = (one for one in read_tokens(place) if one.name == name and one.revoked is None)
    if as_json:
        write_json({"token": secret, **_record(own)}, pretty=True)
    else:
        write_text(f"{secret}\n")
        complain(f"the token of {name} is shown this once: {place} keeps no more than its hash")
    return ANSWERED


@token_commands.command("list")
@tokens_option
@json_option
def list_command(file: Path | None, as_json: bool) -> int:
    """List the tokens there are, and those there were, the oldest first."""
    from pincite.server.access.tokens import read_tokens

    tokens = read_tokens(file or tokens_file())
    if as_json:
        write_json({"tokens": [_record(one) for one in tokens]}, pretty=True)
        return ANSWERED
    for token in tokens:
        record = _record(token)
        seen = [_rule_text(rule) for rule in record["rules"]]
        seen += [f"group {name}" for name in record["groups"]]
        if token.expires is not None:
            seen.append(f"until {record['expires']}")
        parts = (token.name, record["state"], ",".join(record["rights"]), "; ".join(seen))
        write_text("  ".join(map(one_line, parts)).rstrip() + "\n")
    if not tokens:
        complain("there are no tokens: `pincite token add NAME` makes one")
    return ANSWERED


@token_commands.command("revoke")
@click.argument("name")
@tokens_option
@json_option
def revoke_command(name: str, file: Path | None, as_json: bool) -> int:
    """Let nobody in by the token of NAME any more; a server that is running knows at once."""
    from pincite.server.access.tokens import read_tokens, revoke_token

    place = file or tokens_file()
    revoke_token(place, name, now=datetime.now(UTC))
    if as_json:
        own = [one for one in read_tokens(place) if one.name == name]
        write_json(_record(own[-1]), pretty=True)
    else:
        write_text(f"{one_line(name)}: revoked\n")
    return ANSWERED


def _record(token: Token) -> dict[str, Any]:
    from pincite.server.access.callers import Right
    from pincite.server.access.tokens import written

    return {
        "name": token.name,
        "state": _state(token),
        "rights": [right.value for right in Right if right in token.rights],
        "rules": [
            {"collection": rule.collection, "paths": list(rule.paths), "but": list(rule.but)}
            for rule in token.rules
        ],
        "groups": list(token.groups),
        "created": written(token.created),
        "expires": token.expires and written(token.expires),
        "revoked": token.revoked and written(token.revoked),
    }


def _state(token: Token) -> str:
    if token.revoked is not None:
        return "revoked"
    return "valid" if token.holds(datetime.now(UTC)) else "expired"


def _rule_text(rule: dict[str, Any]) -> str:
    but = f" but {' '.join(rule['but'])}" if rule["but"] else ""
    return f"{rule['collection']}: {' '.join(rule['paths'])}{but}"
