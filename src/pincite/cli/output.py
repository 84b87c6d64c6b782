"""The two streams: answers on stdout, everything else on stderr; and the progress bar."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import click

from pincite.protocols import ProgressCallback
from pincite.render import dumps
from pincite.render.terminal import visible
from pincite.render.text import PLAIN_WIDTH

ANSWERED = 0
ERROR = 1
REFUSED = 3

_MAX_WIDTH = 120
_MIN_WIDTH = 40


def write_text(text: str) -> None:
    """Put text on stdout; it must already be safe to show."""
    click.echo(text, nl=False)


def write_json(record: Mapping[str, Any], *, pretty: bool) -> None:
    """Put a record on stdout as UTF-8 whatever the locale, and flush."""
    click.echo(dumps(record, pretty=pretty).encode() + b"\n", nl=False)


def complain(message: str) -> None:
    """Put a line on stderr, in the name of the program."""
    click.echo(f"pincite: {visible(message)}", err=True)


def width() -> int:
    """Columns to fit text into: the terminal's, or 100 where stdout is none."""
    if not sys.stdout.isatty():
        return PLAIN_WIDTH
    return min(max(shutil.get_terminal_size().columns, _MIN_WIDTH), _MAX_WIDTH)


@contextmanager
def indexing_progress() -> Iterator[ProgressCallback | None]:
    """A callback that draws a bar on stderr, from its first call on; None off a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with ExitStack() as stack:
        bars: list[Any] = []

        def show(done: int, total: int, path: str) -> None:
            if not bars:
                bar = click.progressbar(length=total, label="Indexing", file=sys.stderr)
                bars.append(stack.enter_context(bar))
            bars[0].update(done - bars[0].pos)

        yield show
