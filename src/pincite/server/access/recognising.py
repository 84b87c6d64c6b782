"""Who a request comes from."""

from __future__ import annotations

import ipaddress
import os
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Generic, TypeVar

from pincite.server.access.callers import LOCAL, Caller
from pincite.server.access.groups import NO_GROUPS, Groups, read_groups
from pincite.server.access.tokens import PREFIX, Token, check_name, read_tokens, token_of

T = TypeVar("T")
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

_FORWARDED = frozenset({"forwarded", "via", "x-real-ip"})


@dataclass(frozen=True, slots=True)
class TrustedProxy:
    """A proxy in front that signs people on, and names them in a header of its requests.

    It must set the header itself on every request, and take away one that came from outside. The
    header counts only in requests from these addresses: `10.0.0.7`, `10.0.0.0/24`, `::1`.
    """

    header: str
    addresses: tuple[Network, ...]

    @classmethod
    def named(cls, header: str, addresses: Iterable[str]) -> TrustedProxy:
        """The same, its addresses as they are written; ValueError for what is none."""
        name = header.strip().lower()
        if not name or not all(one.isascii() and (one.isalnum() or one in "-_") for one in name):
            raise ValueError(f"{header!r} is no name of a header, such as X-Remote-User")
        if name in ("authorization", "host", "cookie", "x-api-key") or _is_forwarding(name):
            raise ValueError(f"{header!r} has another meaning: let the proxy use X-Remote-User")
        try:
            networks = tuple(map(ipaddress.ip_network, addresses))
        except ValueError as error:
            raise ValueError(f"no address of a proxy, such as 10.0.0.7: {error}") from error
        if not networks:
            raise ValueError("no address of the proxy is named: anybody could send its header")
        return cls(name, networks)

    def is_at(self, peer: str) -> bool:
        """Whether a request from this address comes from the proxy."""
        try:
            address = ipaddress.ip_address(peer)
        except ValueError:
            return False
        mapped = getattr(address, "ipv4_mapped", None) or address
        return any(mapped in network for network in self.addresses)


class Recognising:
    """Knows callers by token, by the word of a trusted proxy or, where there is neither, as local.

    The files are read again whenever they change: a token that is revoked lets nobody in any more.
    Where there are no tokens and no proxy, whoever calls from the same machine may do everything;
    once there were tokens, never again while this exists. Any number of threads may use it.
    """

    def __init__(
        self,
        *,
        tokens: Path | None = None,
        groups: Path | None = None,
        proxy: TrustedProxy | None = None,
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._tokens: _Followed[tuple[Token, ...]] = _Followed(tokens, read_tokens, ())
        self._groups: _Followed[Groups] = _Followed(groups, read_groups, NO_GROUPS)
        self._proxy = proxy
        self._clock = clock
        self._had_tokens = False

    def check(self) -> None:
        """Raise `AccessFileUnusable` where one of the files cannot be used."""
        self.is_open()
        self._groups.now()

    def is_open(self) -> bool:
        """Whether whoever calls from the same machine is let in without saying who they are."""
        self._had_tokens = self._had_tokens or bool(self._tokens.now())
        return not self._had_tokens and self._proxy is None

    def known(self) -> tuple[Caller, ...]:
        """Whoever has a token that holds; `AccessFileUnusable`."""
        now = self._clock()
        return tuple(self._bearer(one) for one in self._tokens.now() if one.holds(now))

    def caller(self, headers: Iterable[tuple[str, str]], peer: str) -> Caller | None:
        """Who sent a request with these headers from this address; None for nobody known.

        Raises `AccessFileUnusable`: then nobody is known.
        """
        sent: dict[str, list[str]] = {}
        for name, value in headers:
            sent.setdefault(name.lower(), []).append(value)
        if self.is_open():
            return LOCAL if is_loopback(peer) and not any(map(_is_forwarding, sent)) else None
        given = _token_in(sent)
        if given is not None:
            return self._by_token(given)
        if self._proxy is not None and self._proxy.is_at(peer):
            return self._by_user(sent.get(self._proxy.header, []))
        return None

    def _by_token(self, given: str) -> Caller | None:
        token = token_of(given, self._tokens.now(), self._clock())
        return None if token is None else self._bearer(token)

    def _bearer(self, token: Token) -> Caller:
        rules = (*token.rules, *self._groups.now().rules(token.groups))
        return Caller(token.name, token.rights, rules)

    def _by_user(self, values: list[str]) -> Caller | None:
        # Two would be one of the proxy, and one of somebody who tries.
        if len(values) != 1:
            return None
        name = _as_utf8(values[0])
        try:
            check_name(name)
        except ValueError:
            return None
        groups = self._groups.now()
        own = groups.of_user(name)
        return Caller(name, groups.rights(own), groups.rules(own))


@dataclass(slots=True)
class _Followed(Generic[T]):
    """What is in a file, read again when the file is another one."""

    file: Path | None
    read: Callable[[Path], T]
    value: T
    stamp: tuple[int, ...] | None = None
    lock: threading.Lock = field(default_factory=threading.Lock)

    def now(self) -> T:
        if self.file is None:
            return self.value
        with self.lock:
            try:
                found = os.stat(self.file)
                stamp: tuple[int, ...] = (
                    found.st_mtime_ns,
                    found.st_ctime_ns,
                    found.st_size,
                    found.st_ino,
                )
            except OSError:
                stamp = ()
            if stamp != self.stamp or not stamp:
                self.stamp = None
                self.value = self.read(self.file)
                self.stamp = stamp
            return self.value


def _token_in(sent: dict[str, list[str]]) -> str | None:
    """The token that a request gives, in whichever header; None where it gives none."""
    given = list(sent.get("x-api-key", []))
    for value in sent.get("authorization", []):
        scheme, _, rest = value.strip().partition(" ")
        if scheme.lower() == "bearer":
            given.append(rest.strip())
    ours = {one.strip() for one in given if one.strip().startswith(PREFIX)}
    if len(ours) > 1:
        # Whoever passed the request on may have read the other one.
        return ""
    return ours.pop() if ours else None


def is_loopback(host: str) -> bool:
    """Whether only the same machine can call at, or from, this address."""
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return (getattr(address, "ipv4_mapped", None) or address).is_loopback


def _is_forwarding(header: str) -> bool:
    """Whether the header says that a request was passed on: it may come from anywhere."""
    return header in _FORWARDED or header.startswith("x-forwarded-")


def _as_utf8(value: str) -> str:
    # Servers give the bytes of a header as Latin-1.
    try:
        return value.encode("latin-1").decode("utf-8").strip()
    except UnicodeError:
        return value.strip()
