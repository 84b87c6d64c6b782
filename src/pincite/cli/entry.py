"""Runs a command line and turns whatever happens into an exit code and at most one message."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

import click

from pincite.cli.commands import commands
from pincite.cli.output import ERROR, complain
from pincite.errors import PinciteError

INTERRUPTED = 130
"""128 and the number of SIGINT, as shells count it."""


def main() -> None:
    """The console script: `run` on the command line of this process."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command line; the exit code: 0 answered, 3 refused, 2 usage, 1 error."""
    _replace_what_the_terminal_cannot_show()
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
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ERROR
    except (PinciteError, OSError) as error:
        complain(f"error: {error}")
        return ERROR
    return code


def _replace_what_the_terminal_cannot_show() -> None:
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
