"""`serve`: folders behind one address."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from pincite.cli.options import Named
from pincite.cli.output import ANSWERED, complain
from pincite.cli.settings import load_settings, reading_options
from pincite.cli.tokens import tokens_file, tokens_option
from pincite.errors import MissingExtra

if TYPE_CHECKING:
    from pincite.server.access import TrustedProxy


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
@tokens_option
@click.option(
    "--groups",
    type=Named(dir_okay=False, exists=True, path_type=Path),
    metavar="FILE",
    help="Groups of people and what is there for them, in TOML.",
)
@click.option(
    "--proxy-header",
    metavar="NAME",
    help="Believe a proxy in front that names whoever it signed on in this header; with "
    "--proxy-address.",
)
@click.option(
    "--proxy-address",
    "proxy_addresses",
    multiple=True,
    metavar="ADDRESS",
    help="The address of that proxy, or a network: 10.0.0.7, 10.0.0.0/24; may be repeated.",
)
@click.option(
    "--allow-host",
    "allowed_hosts",
    multiple=True,
    metavar="NAME",
    help="A name that the server is called by, such as documents.example.com; may be repeated.",
)
@click.option("--lexical", is_flag=True, help="Find and judge by words alone.")
@click.option("--watch", is_flag=True, help="Index again whenever a file changes.")
@click.option("--no-audit", is_flag=True, help="Keep no log of questions and answers.")
@click.option(
    "--audit-sync",
    "audit_sync_seconds",
    type=click.FloatRange(0, 60),
    default=0.0,
    metavar="SECONDS",
    help="Bring answers in the log to disk up to so much later, not before they are given.",
)
@click.option(
    "--keep-documents",
    is_flag=True,
    help="Keep the documents with the log, so that its questions can be asked again.",
)
@reading_options
def serve_command(
    folders: tuple[str, ...],
    host: str,
    port: int,
    state: Path | None,
    file: Path | None,
    groups: Path | None,
    proxy_header: str | None,
    proxy_addresses: tuple[str, ...],
    allowed_hosts: tuple[str, ...],
    lexical: bool,
    watch: bool,
    no_audit: bool,
    audit_sync_seconds: float,
    keep_documents: bool,
) -> int:
    """Serve the documents in each FOLDER, or NAME=FOLDER, to browsers, programs and agents.

    Without tokens (`pincite token add`) only whoever is on the same machine is let in.
    """
    # To ask, nothing of these is needed.
    try:
        from pincite.server.running import serve
    except ImportError as error:
        raise MissingExtra("the server", install="pip install 'pincite[server]'") from error
    from pincite.server.access import Recognising
    from pincite.server.access.recognising import is_loopback
    from pincite.server.settings import ServerSettings, named_folders, state_directory

    try:
        named = named_folders(folders)
        settings = ServerSettings(
            folders=named,
            state=state.absolute() if state else state_directory(),
            host=host,
            port=port,
            allowed_hosts=allowed_hosts,
            tokens=file or tokens_file(),
            groups=groups,
            proxy=_proxy(proxy_header, proxy_addresses),
            lexical=lexical,
            reading=load_settings(named[0].folder),
            watch=watch,
            audit=not no_audit,
            audit_sync_seconds=audit_sync_seconds,
            keep_documents=keep_documents,
        )
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="FOLDER") from error
    known = Recognising(tokens=settings.tokens, groups=groups, proxy=settings.proxy)
    if known.is_open() and not is_loopback(host):
        raise click.BadParameter(
            f"{host} can be reached by others, and there are no tokens: make one with "
            f"`pincite token add NAME`",
            param_hint="--host",
        )
    serve(settings, tell=complain)
    return ANSWERED


def _proxy(header: str | None, addresses: tuple[str, ...]) -> TrustedProxy | None:
    from pincite.server.access import TrustedProxy

    if header is None and not addresses:
        return None
    try:
        return TrustedProxy.named(header or "", addresses)
    except ValueError as error:
        hint = "--proxy-header, --proxy-address"
        raise click.BadParameter(str(error), param_hint=hint) from error
