"""`mcp`: the documents for agents, by the Model Context Protocol."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from pincite.cli.options import Named, lexical_option
from pincite.cli.output import ANSWERED, complain
from pincite.cli.settings import load_settings, reading_options
from pincite.errors import FolderNotFound, MissingExtra

PORT = 8138


@click.command("mcp")
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER...")
@click.option("--http", is_flag=True, help="Serve over HTTP at /mcp, not on stdin and stdout.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="The port of --http, on this machine only; 0 takes a free one.",
)
@click.option(
    "--audit",
    type=Named(file_okay=False, path_type=Path),
    metavar="LOG",
    help="Write every answer to the log in the directory LOG, before it is given.",
)
@click.option("--caller", default="", metavar="NAME", help="Who asks, to be told in the log.")
@lexical_option
@reading_options
def mcp_command(
    folders: tuple[str, ...],
    http: bool,
    port: int,
    audit: Path | None,
    caller: str,
    lexical: bool,
) -> int:
    """Serve the documents in each FOLDER, or NAME=FOLDER, to agents.

    It speaks the Model Context Protocol. An agent starts this command by itself and speaks with it
    over stdin and stdout: docs/mcp.md says how to set it up. The index is made in the background
    and kept up to date while files change.
    """
    # To ask, nothing of these is needed.
    try:
        from pincite.server.mcp.running import bound, opened, serve_http, serve_streams
    except ImportError as error:
        raise MissingExtra("the server for agents", install="pip install 'pincite[mcp]'") from error
    from pincite.server.access import LOCAL
    from pincite.server.settings import named_folders

    try:
        named = named_folders(folders)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="FOLDER") from error
    for one in named:
        if not one.folder.is_dir():
            raise FolderNotFound(one.folder)
        if audit is not None and audit.resolve().is_relative_to(one.folder.resolve()):
            raise click.BadParameter(
                f"{audit} is among the documents and would be read as one: keep it elsewhere",
                param_hint="--audit",
            )
    asking = replace(LOCAL, name=caller) if caller else LOCAL
    reading = load_settings(named[0].folder)
    try:
        with opened(named, lexical=lexical, reading=reading, log=audit) as (service, workers):
            if not http:
                serve_streams(service, workers, asking)
                return ANSWERED
            with bound(port) as listening:
                taken = listening.getsockname()[1]
                complain(f"agents are served at http://127.0.0.1:{taken}/mcp until Ctrl-C")
                serve_http(service, workers, listening, asking)
    except KeyboardInterrupt:
        # The way to end it, and no mishap.
        return ANSWERED
    return ANSWERED
