"""The command `pincite`: answers on stdout, everything else on stderr."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130
"""128 and the number of SIGINT, as shells count it."""


def main() -> None:
    """The console script: runs the command line of this process."""
    # A program that is started in the background is not to listen.
    listens = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if listens:
        signal.signal(signal.SIGINT, _leave)
    # Here and not above: it takes a tenth of a second, and Ctrl-C would show a traceback.
    from pincite.cli.entry import run

    if listens:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(run(sys.argv[1:]))


def _leave(signal_number: int, frame: FrameType | None) -> None:
    # At once, as nothing was begun: raised while a library is loaded, it could come out as any
    # error of that library's.
    os.write(2, b"pincite: interrupted\n")
    os._exit(INTERRUPTED)
