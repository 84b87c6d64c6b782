"""Tokens: names, rights and rules of those who call, by a secret that only they have.

The file keeps a salted hash of each token. A token is 256 random bits, so that a quick hash is
enough: nobody can try them out.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pincite.auditing.locking import locked
from pincite.auditing.private import make_private, private
from pincite.server.access.callers import DocumentRule, Right
from pincite.server.access.errors import AccessFileUnusable, TokenExists, TokenNotFound

PREFIX = "pincite_"
"""By this, programs that look for secrets in files find a token."""
FORMAT = 1
_SALT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Token:
    """What is kept of a token; the token itself is not."""

    name: str
    salt: bytes
    hash: bytes
    rights: frozenset[Right]
    rules: tuple[DocumentRule, ...]
    groups: tuple[str, ...]
    created: datetime
    expires: datetime | None = None
    revoked: datetime | None = None

    def holds(self, now: datetime) -> bool:
        """Whether it lets somebody in at this time."""
        return self.revoked is None and (self.expires is None or now < self.expires)


def read_tokens(file: Path) -> tuple[Token, ...]:
    """The tokens of a file, in the order in which they were made; none where there is no file.

    `AccessFileUnusable` where it is not such a file, or others than its owner may write it.
    """
    try:
        with open(file, "rb") as opened:
            if os.name == "posix" and os.fstat(opened.fileno()).st_mode & 0o022:
                detail = f"others may write it: take that away with `chmod 600 {file}`"
                raise AccessFileUnusable(file, detail=detail)
            data = opened.read()
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise AccessFileUnusable(file, detail=error.strerror or str(error)) from error
    try:
        kept = json.loads(data)
        if kept["format"] != FORMAT:
            raise ValueError(f"format {kept['format']!r}, this Pincite reads {FORMAT}")
        return tuple(_token(entry) for entry in kept["tokens"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        detail = f"it is no file of tokens ({type(error).__name__}: {error})"
        raise AccessFileUnusable(file, detail=detail) from error


def add_token(
    file: Path,
    name: str,
    *,
    rights: frozenset[Right],
    rules: Sequence[DocumentRule] = (),
    groups: Sequence[str] = (),
    expires: datetime | None = None,
    now: datetime,
) -> str:
    """Make a token, and the file where there is none; the token, which is told nowhere else.

    `TokenExists`, `AccessFileUnusable`; ValueError for a name or time that is none.
    """
    check_name(name)
    if not rights:
        raise ValueError("a token without rights may do nothing: give it one")
    if expires is not None and expires <= now:
        raise ValueError("a token that has expired already lets nobody in: give a later time")
    secret = PREFIX + secrets.token_urlsafe(32)
    salt = secrets.token_bytes(_SALT_BYTES)
    own = Token(name, salt, _hash(secret, salt), rights, tuple(rules), tuple(groups), now, expires)
    with _rewriting(file) as tokens:
        if any(one.name == name and one.holds(now) for one in tokens):
            raise TokenExists(name)
        tokens.append(own)
    return secret


def revoke_token(file: Path, name: str, *, now: datetime) -> None:
    """Let nobody in by this token from now on; `TokenNotFound`, `AccessFileUnusable`."""
    with _rewriting(file) as tokens:
        there = [place for place, one in enumerate(tokens) if one.name == name and not one.revoked]
        if not there:
            known = tuple(sorted({one.name for one in tokens if not one.revoked}))
            raise TokenNotFound(name, known=known)
        for place in there:
            tokens[place] = replace(tokens[place], revoked=now)


def token_of(given: str, tokens: Sequence[Token], now: datetime) -> Token | None:
    """The one of `tokens` that `given` is, if it holds; it takes the same time whichever it is."""
    found = None
    for token in tokens:
        is_it = hmac.compare_digest(_hash(given, token.salt), token.hash)
        if is_it and token.holds(now):
            found = token
    return found


def check_name(name: str) -> None:
    """ValueError where `name` cannot be that of a token, a user or a group."""
    if not name or len(name) > 256 or not name.isprintable() or name != name.strip():
        raise ValueError(
            f"{name!r} is no name: up to 256 characters that can be seen, no spaces around them"
        )


def _hash(token: str, salt: bytes) -> bytes:
    data = token.encode("utf-8", "surrogatepass")
    return hashlib.blake2b(data, digest_size=32, salt=salt, person=b"pincite token").digest()


@contextmanager
def _rewriting(file: Path) -> Iterator[list[Token]]:
    """The tokens of the file; what becomes of the list in the block is kept, or nothing is."""
    beside = file.with_name(f"{file.name}.new")
    try:
        make_private(file.parent)
        with locked(file.with_name(f"{file.name}.lock")):
            tokens = list(read_tokens(file))
            yield tokens
            record = {"format": FORMAT, "tokens": [_entry(one) for one in tokens]}
            beside.unlink(missing_ok=True)
            with open(beside, "x", encoding="utf-8", opener=private) as opened:
                opened.write(json.dumps(record, indent=1, ensure_ascii=False) + "\n")
                opened.flush()
                os.fsync(opened.fileno())
            os.replace(beside, file)
    except OSError as error:
        raise AccessFileUnusable(file, detail=error.strerror or str(error)) from error


def _entry(token: Token) -> dict[str, Any]:
    return {
        "name": token.name,
        "salt": token.salt.hex(),
        "hash": token.hash.hex(),
        "rights": [right.value for right in Right if right in token.rights],
        "rules": [
            {"collection": rule.collection, "paths": rule.paths, "but": rule.but}
            for rule in token.rules
        ],
        "groups": token.groups,
        "created": written(token.created),
        "expires": token.expires and written(token.expires),
        "revoked": token.revoked and written(token.revoked),
    }


def _token(entry: dict[str, Any]) -> Token:
    return Token(
        str(entry["name"]),
        bytes.fromhex(entry["salt"]),
        bytes.fromhex(entry["hash"]),
        frozenset(Right(right) for right in entry["rights"]),
        tuple(
            DocumentRule(rule["collection"], tuple(rule["paths"]), tuple(rule["but"]))
            for rule in entry["rules"]
        ),
        tuple(map(str, entry["groups"])),
        _time(entry["created"]),
        None if entry["expires"] is None else _time(entry["expires"]),
        None if entry["revoked"] is None else _time(entry["revoked"]),
    )


def written(time: datetime) -> str:
    """A time as it is kept and shown: ISO 8601, UTC, to the second."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _time(stored: str) -> datetime:
    return datetime.strptime(stored, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
