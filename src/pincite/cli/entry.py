"""Runs a command line and turns whatever happens into an exit code and at most one message."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

import click

from pincite.cli import INTERRUPTED
from pincite.cli.commands import commands
from pincite.cli.output import ERROR, FORM, complain, write_error
from pincite.errors import REASONS_SHOWN, NothingReadable, PinciteError


def run(arguments: Sequence[str]) -> int:
    """Run one command line; the exit code: 0 answered, 3 refused, 2 usage, 1 error."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _occupy_closed_streams()
    if sys.stdin is None:
        sys.stdin = io.TextIOWrapper(io.BytesIO())  # Nothing to read.
    if sys.stdout is None:
        complain("error: stdout is closed: there is nowhere to put an answer")
        return ERROR
    _replace_what_the_terminal_cannot_show()
    context: click.Context | None = None
    try:
        with commands.make_context("pincite", list(arguments)) as context:
            code: int = commands.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as finished:
        return finished.exit_code
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        complain("interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output has left; Python would complain again when it flushes at exit.
        _forget_stdout()
        return ERROR
    except (PinciteError, OSError) as error:
        reasons = error.reasons[:REASONS_SHOWN] if isinstance(error, NothingReadable) else ()
        message = error.found if isinstance(error, NothingReadable) else str(error)
        complain(f"error: {message}", *reasons)
        try:
            write_error(str(error), context.meta.get(FORM) if context else None)
        except OSError:
            # Such as a full disk: it may be what the message is about.
            _forget_stdout()
        return ERROR
    return code


def _occupy_closed_streams() -> None:
    # A file that is opened later would take the number of the closed stream, and whatever
    # writes to that number, such as a library that fails, would write into the file.
    while True:
        number = os.open(os.devnull, os.O_RDWR)
        if number > 2:
            os.close(number)
            return


def _forget_stdout() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _replace_what_the_terminal_cannot_show() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
