"""The two streams: answers on stdout, everything else on stderr; and the progress bar."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import click

from pincite.protocols import EncodingCallback, ProgressCallback
from pincite.records import Progress
from pincite.render import dumps, error_to_json
from pincite.render.terminal import visible_path
from pincite.render.text import PLAIN_WIDTH, progress_text

ANSWERED = 0
ERROR = 1
REFUSED = 3

RECORD, RECORD_LINES = "record", "record lines"
"""What stdout is read for, besides text: one record, or one a line."""
FORM = "pincite.form"
"""Under this key a command's context says which; nothing is there where it is text."""

_MAX_WIDTH = 120
_MIN_WIDTH = 40


def write_text(text: str) -> None:
    """Put text on stdout; it must already be safe to show."""
    click.echo(text, nl=False)


def write_json(record: Mapping[str, Any], *, pretty: bool) -> None:
    """Put a record on stdout as UTF-8 whatever the locale, and flush."""
    click.echo(dumps(record, pretty=pretty).encode() + b"\n", nl=False)


def write_error(message: str, form: str | None) -> None:
    """Put what went wrong on stdout as a record, where records are what stdout is read for."""
    if form is not None:
        write_json(error_to_json(None, message), pretty=form == RECORD)


def complain(message: str, *details: str) -> None:
    """Put a line on stderr, in the name of the program, and details on lines of their own.

    Line ends in them, which the name of a file may have, are shown as escapes: nobody but the
    program says something in its name.
    """
    lines = [f"pincite: {visible_path(message)}", *(f"  {visible_path(line)}" for line in details)]
    click.echo("\n".join(lines), err=True)


def width() -> int:
    """Columns to fit text into: the terminal's, or 100 where stdout is none."""
    if not sys.stdout.isatty():
        return PLAIN_WIDTH
    return min(max(shutil.get_terminal_size().columns, _MIN_WIDTH), _MAX_WIDTH)


@contextmanager
def encoding_progress() -> Iterator[EncodingCallback | None]:
    """A callback that draws a bar on stderr, from its first call on; None off a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    with ExitStack() as stack:
        bars: list[Any] = []

        def show(done: int, of: int) -> None:
            if not bars:
                bar: Any = click.progressbar(
                    length=of, label="Vectors", file=sys.stderr, show_pos=True
                )
                bars.append(stack.enter_context(bar))
            bars[0].length = of
            bars[0].update(done - bars[0].pos)

        yield show


@contextmanager
def indexing_progress() -> Iterator[ProgressCallback | None]:
    """A callback that draws a bar on stderr, from its first call on; None off a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    with ExitStack() as stack:
        bars: list[Any] = []

        def show(progress: Progress) -> None:
            if not bars:
                bar: Any = click.progressbar(
                    length=progress.bytes_in_all,
                    label="Indexing",
                    file=sys.stderr,
                    item_show_func=lambda one: progress_text(one) if one else None,
                )
                bars.append(stack.enter_context(bar))
            bars[0].update(progress.byte_count - bars[0].pos, progress)

        yield show
