"""A real server for as long as a block lasts, and tokens for it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import uvicorn

from pincite.server.access import DocumentRule, Right
from pincite.server.access.tokens import add_token
from pincite.server.app import create_app
from pincite.server.patience import patient
from pincite.server.settings import ServerSettings


@contextmanager
def serving(settings: ServerSettings) -> Iterator[str]:
    """The address of a server with these settings, set up as `pincite serve` does."""
    config = uvicorn.Config(
        create_app(settings),
        port=0,
        log_level="error",
        server_header=False,
        access_log=False,
        http=patient(settings.limits),
        ws="none",
        # As `pincite serve` has it: on a busy machine a client comes again after seconds.
        timeout_keep_alive=15,
        timeout_graceful_shutdown=2,
        proxy_headers=False,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive()
        host, port = server.servers[0].sockets[0].getsockname()[:2]
        yield f"http://{host}:{port}"
    finally:
        server.should_exit = True
        thread.join()


def token(tokens: Path, name: str, rules: tuple[DocumentRule, ...], *rights: Right) -> str:
    """A new token, with the rights to ask and to read where none are named."""
    given = frozenset(rights or (Right.ASK, Right.READ))
    return add_token(tokens, name, rights=given, rules=rules, now=datetime.now(UTC))


def bearing(secret: str) -> dict[str, str]:
    """The header that sends a token."""
    return {"Authorization": f"Bearer {secret}"}
