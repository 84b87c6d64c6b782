"""The server: what it answers to each request of the protocol."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from mcp import MCPError
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
)

from pincite.errors import PinciteError, RiskNotKept
from pincite.server.access import Caller
from pincite.server.errors import NotAsked, NotThere, ServerError
from pincite.server.mcp.addresses import TEMPLATE, address_of, parsed_address
from pincite.server.mcp.calling import APART, call, checked_arguments, sendable
from pincite.server.mcp.tools import INSTRUCTIONS, TOOLS
from pincite.server.mcp.waiting import until_ready
from pincite.server.service import Service
from pincite.server.working import Workers
from pincite.version import __version__

Context = ServerRequestContext[Any, Any]

RESOURCES_A_PAGE = 200
MOST_CHARACTERS = 500_000
"""Of a document in one reply."""
_FAILED = "Pincite cannot do this; whoever runs it finds why in its log"

log = logging.getLogger(__name__)


def mcp_server(
    service: Service,
    workers: Workers,
    caller_of: Callable[[Context], Caller],
    *,
    apart: Workers | None = None,
) -> Server[Any]:
    """A server of the protocol that asks this service, for whom `caller_of` says.

    What waits for other processes is done by the threads of `apart`, where there are any.
    """

    async def list_tools(
        context: Context, params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=list(TOOLS))

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in {tool.name for tool in TOOLS}:
            raise MCPError(INVALID_PARAMS, f"there is no tool {params.name!r}")
        caller = caller_of(context)
        try:
            given = checked_arguments(params.name, params.arguments or {})
            await until_ready(
                service, caller, given.get("collection"), context.session.report_progress
            )
            threads = apart if apart is not None and params.name in APART else workers
            record, text = await threads.run(lambda: call(params.name, given, service, caller))
        except Exception as error:
            # An agent is told what went wrong as a result, so that it can try otherwise.
            told = TextContent(text=sendable(_told(error)))
            return CallToolResult(content=[told], is_error=True)
        return CallToolResult(content=[TextContent(text=text)], structured_content=record)

    async def list_resources(
        context: Context, params: PaginatedRequestParams | None
    ) -> ListResourcesResult:
        caller = caller_of(context)
        after = params.cursor if params is not None and params.cursor is not None else ""
        with _as_protocol_errors():
            await until_ready(service, caller, None, context.session.report_progress)
            resources = await workers.run(lambda: _resources(service, caller))
        # The cursor is the last address that was given: what comes and goes meanwhile shifts
        # nothing.
        rest = [one for one in resources if one.uri > after]
        page = rest[:RESOURCES_A_PAGE]
        return ListResourcesResult(
            resources=page, next_cursor=page[-1].uri if len(rest) > len(page) else None
        )

    async def list_templates(
        context: Context, params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(
            resource_templates=[
                ResourceTemplate(
                    name="document",
                    title="Text of a document",
                    uri_template=TEMPLATE,
                    description="The text of a document as Pincite reads it, into which the "
                    "positions of citations count. #char=START,END gives that part of it.",
                    mime_type="text/plain",
                )
            ]
        )

    async def read_resource(
        context: Context, params: ReadResourceRequestParams
    ) -> ReadResourceResult:
        caller = caller_of(context)
        with _as_protocol_errors():
            address = parsed_address(params.uri)
            name = address.collection
            await until_ready(service, caller, name, context.session.report_progress)
            text = await workers.run(lambda: _text(service, caller, name, address.path))
        part = text[address.start : address.end]
        if len(part) > MOST_CHARACTERS:
            raise MCPError(
                INVALID_PARAMS,
                f"this has {len(part)} characters, and at most {MOST_CHARACTERS} are given at a "
                f"time: read it in parts, as #char=0,{MOST_CHARACTERS}",
            )
        contents = TextResourceContents(uri=params.uri, mime_type="text/plain", text=sendable(part))
        return ReadResourceResult(contents=[contents])

    return Server(
        "pincite",
        version=__version__,
        title="Pincite",
        description="Answers from your own documents, with the exact words and the exact place.",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_resources=list_resources,
        on_list_resource_templates=list_templates,
        on_read_resource=read_resource,
    )


def _told(error: Exception) -> str:
    """What is said of an error: only the server's own messages tell nothing of the machine."""
    match error:
        case ServerError():
            return str(error)
        case RiskNotKept():
            return f"no threshold is known that keeps to a risk of {error.risk:g}: leave it out"
    log.error("a request failed: %s", error, exc_info=not isinstance(error, PinciteError))
    return _FAILED


@contextmanager
def _as_protocol_errors() -> Iterator[None]:
    try:
        yield
    except (NotThere, NotAsked) as error:
        raise MCPError(INVALID_PARAMS, sendable(str(error))) from error
    except Exception as error:
        raise MCPError(INTERNAL_ERROR, sendable(_told(error))) from error


def _text(service: Service, caller: Caller, collection: str, path: str) -> str:
    return "".join(passage.text for passage in service.text(caller, collection, path).passages)


def _resources(service: Service, caller: Caller) -> list[Resource]:
    """Every document, by address."""
    resources = [
        Resource(
            uri=address_of(listing.collection, source.path),
            name=sendable(source.path),
            title=sendable(source.title),
            # The text that is given, not the file.
            mime_type="text/plain",
            description=f"Text of a document ({source.media_type}), of {source.modified}",
        )
        for listing in service.documents(caller)
        for source in listing.info.documents
    ]
    return sorted(resources, key=lambda one: one.uri)
