"""The application, run until the process is told to end."""

from __future__ import annotations

import errno
import os
import signal
import socket
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from pincite.errors import PortTaken
from pincite.server.app import create_app
from pincite.server.patience import patient
from pincite.server.settings import ServerSettings


def serve(settings: ServerSettings, *, tell: Callable[[str], None]) -> None:
    """Serve until SIGTERM or Ctrl-C; what is in flight is finished first.

    `tell` is told the address. Raises `PortTaken` where a port cannot be listened on, OSError
    where an address cannot, and what `Index.open` raises of a folder.
    """
    app = create_app(settings)
    config = uvicorn.Config(
        app,
        log_level="warning",
        server_header=False,
        access_log=False,
        http=patient(settings.limits),
        ws="none",
        timeout_keep_alive=15,
        timeout_graceful_shutdown=settings.limits.shutdown_seconds,
        # Who calls is told by no header but one that is trusted on purpose.
        proxy_headers=False,
    )
    # It is let go of where the process is told to end by a signal that it has seen to.
    signal.signal(signal.SIGTERM, lambda *_: None)
    with _listening(settings) as listening:
        app.state.collections.open()
        host, port = listening.getsockname()[:2]
        names = ", ".join(one.name for one in settings.folders)
        tell(f"serving {names} on http://{f'[{host}]' if ':' in host else host}:{port}")
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])
    if any(pool.held for pool in app.state.pools.values()):
        # Nobody waits for it any more.
        os._exit(0)


def _listening(settings: ServerSettings) -> socket.socket:
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    try:
        return socket.create_server((settings.host, settings.port), family=family, backlog=512)
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        raise PortTaken(settings.port, reason=os.strerror(error.errno)) from error
