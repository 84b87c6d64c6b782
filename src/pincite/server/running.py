"""The application, run until the process is told to end."""

from __future__ import annotations

from collections.abc import Callable

import uvicorn

from pincite.server.app import create_app
from pincite.server.patience import patient
from pincite.server.settings import ServerSettings


def serve(settings: ServerSettings, *, tell: Callable[[str], None]) -> None:
    """Serve until SIGTERM or Ctrl-C; what is in flight is finished first."""
    config = uvicorn.Config(
        create_app(settings),
        host=settings.host,
        port=settings.port,
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
    tell(
        f"serving {', '.join(one.name for one in settings.folders)} on "
        f"http://{settings.host}:{settings.port}"
    )
    uvicorn.Server(config).run()
