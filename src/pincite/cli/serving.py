"""`serve`: folders behind one address."""

from __future__ import annotations

from pathlib import Path

import click

from pincite.cli.options import Named
from pincite.cli.output import ANSWERED, complain
from pincite.cli.settings import load_settings, reading_options
from pincite.errors import MissingExtra


@click.command("serve")
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER...")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8137, show_default=True)
@click.option(
    "--state",
    type=Named(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Keep the log and what else the server remembers in DIR.",
)
@click.option("--lexical", is_flag=True, help="Find and judge by words alone.")
@click.option("--watch", is_flag=True, help="Index again whenever a file changes.")
@click.option("--no-audit", is_flag=True, help="Keep no log of questions and answers.")
@reading_options
def serve_command(
    folders: tuple[str, ...],
    host: str,
    port: int,
    state: Path | None,
    lexical: bool,
    watch: bool,
    no_audit: bool,
) -> int:
    """Serve the documents in each FOLDER, or NAME=FOLDER, to browsers, programs and agents."""
    # To ask, nothing of these is needed.
    try:
        from pincite.server.running import serve
    except ImportError as error:
        raise MissingExtra("the server", install="pip install 'pincite[server]'") from error
    from pincite.server.settings import ServerSettings, named_folders, state_directory

    try:
        named = named_folders(folders)
        settings = ServerSettings(
            folders=named,
            state=state.absolute() if state else state_directory(),
            host=host,
            port=port,
            lexical=lexical,
            reading=load_settings(named[0].folder),
            watch=watch,
            audit=not no_audit,
        )
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="FOLDER") from error
    serve(settings, tell=complain)
    return ANSWERED
