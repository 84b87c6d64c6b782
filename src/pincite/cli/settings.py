"""The options that say how files are read, and the settings made of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from pincite.loaders import DEFAULT, LoadSettings

F = TypeVar("F", bound=Callable[..., Any])

_LEAST_MEGABYTES = 300
_KEY = "pincite.reading."


def _keep(context: click.Context, parameter: click.Parameter, value: object) -> None:
    context.meta[f"{_KEY}{parameter.name}"] = value


_OPTIONS = (
    click.option(
        "--password-file",
        type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path),
        metavar="FILE",
        help="Passwords to try on files that ask for one, one a line (- for stdin). "
        "They are kept nowhere.",
        callback=_keep,
        expose_value=False,
    ),
    click.option(
        "--ocr",
        is_flag=True,
        help="Read pages that are pictures by character recognition.",
        callback=_keep,
        expose_value=False,
    ),
    click.option(
        "--time-limit",
        type=click.FloatRange(min=0, min_open=True),
        default=DEFAULT.seconds,
        metavar="SECONDS",
        help=f"Give up a file that takes longer to read (default {DEFAULT.seconds:g}).",
        callback=_keep,
        expose_value=False,
    ),
    click.option(
        "--memory-limit",
        type=click.IntRange(min=_LEAST_MEGABYTES),
        default=DEFAULT.memory // 1_000_000,
        metavar="MB",
        help="Give up a file that takes more memory to read "
        f"(default {DEFAULT.memory // 1_000_000}).",
        callback=_keep,
        expose_value=False,
    ),
)


def reading_options(command: F) -> F:
    """Give a command the options that `load_settings` is made of."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def load_settings(folder: Path) -> LoadSettings:
    """What the options of the command at work say, for reading files of `folder`."""
    meta = click.get_current_context().meta
    return LoadSettings(
        passwords=_passwords(meta[f"{_KEY}password_file"], folder),
        recognise=meta[f"{_KEY}ocr"],
        seconds=meta[f"{_KEY}time_limit"],
        memory=meta[f"{_KEY}memory_limit"] * 1_000_000,
    )


def _passwords(file: Path | None, folder: Path) -> tuple[str, ...]:
    if file is None:
        return ()
    if os.fspath(file) != "-":
        inside = os.path.relpath(os.path.realpath(file), os.path.realpath(folder))
        if not inside.startswith(("..", ".")) and not os.path.isabs(inside):
            raise click.BadParameter(
                f"{file} is in the folder of documents and would be read as one: keep it elsewhere",
                param_hint="--password-file",
            )
    with click.open_file(os.fspath(file), "rb") as opened:
        data: bytes = opened.read()
    try:
        lines = data.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError as error:
        raise click.BadParameter(
            f"{file} is not text in UTF-8: write one password a line, in UTF-8",
            param_hint="--password-file",
        ) from error
    passwords = (line.removesuffix("\r") for line in lines)
    return tuple(dict.fromkeys(password for password in passwords if password))
