"""Documents: what there is, and each as a file, as text and as pictures of its pages."""

from __future__ import annotations

from typing import Annotated, Any
from urllib.parse import quote

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from pincite.records import Passage, Span
from pincite.render.leaf import leaf, leaf_to_json
from pincite.render.record import (
    extraction_to_json,
    lines_to_json,
    pincite_to_json,
    place_or_none,
    position_to_json,
    problem_to_json,
    source_to_json,
    state_to_json,
)
from pincite.server.described import bytes_of, json_of, problems_of
from pincite.server.errors import NotAsked
from pincite.server.replies import Listing, Original
from pincite.server.routes.context import TheApart, TheCaller, TheReaders, TheService
from pincite.server.routes.replying import record

router = APIRouter(tags=["documents"])

_PIECE = 1 << 16
FILE_HEADERS = {
    # Opened by itself it can do nothing: no script, no form, no request, an origin of its own.
    "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "Cache-Control": "private, no-cache",
}
"""Of what stands in a document: it is told by nobody but whoever wrote that."""

CollectionName = Annotated[str, Path(description="The name of the collection.")]
DocumentPath = Annotated[str, Path(description="As it is listed, with its slashes.")]

_PLACE = r"^[0-9]{1,12},[0-9]{1,12}$"
_PLACES = r"^([0-9]{1,12},[0-9]{1,12}(;[0-9]{1,12},[0-9]{1,12}){0,99})?$"
_LISTED = {
    "type": "object",
    "required": ["collections", "pincite"],
    "properties": {
        "collections": {
            "type": "array",
            "items": {
                "type": "object",
                "required": [
                    "collection",
                    "index",
                    "passage_count",
                    "languages",
                    "documents",
                    "stale",
                    "problems",
                ],
                "properties": {
                    "collection": {"type": "string"},
                    "index": {"type": "object"},
                    "passage_count": {"type": "integer"},
                    "languages": {"type": "array", "items": {"type": "object"}},
                    "documents": {"type": "array", "items": {"type": "object"}},
                    "stale": {
                        "type": "array",
                        "description": "Paths that changed or went since: they are not quoted.",
                        "items": {"type": "string"},
                    },
                    "problems": {
                        "type": "array",
                        "description": "Files that could not be read, or only in part; with the "
                        "right `index`.",
                        "items": {"type": "object"},
                    },
                },
            },
        },
        "pincite": {"type": "object"},
    },
}
_LEAF = {
    "type": "object",
    "description": "Blocks of runs of words, which are to be shown as text and never as markup.",
    "required": ["document", "text", "position", "length", "blocks"],
}
_TEXT = {
    "type": "object",
    "required": ["collection", "document", "text", "content", "passages", "marked", "pincite"],
    "properties": {
        "collection": {"type": "string"},
        "document": {"type": "object"},
        "text": {"type": "object", "description": "How it was made of the file."},
        "content": {"type": "string", "description": "The text; positions count its code points."},
        "passages": {"type": "array", "items": {"type": "object"}},
        "marked": {"type": ["object", "null"], "description": "The place that was asked for."},
        "pincite": {"type": "object"},
    },
}


class FileReply(StreamingResponse):
    """A file, piece by piece; it is closed whether or not the client reads all of it."""

    def __init__(self, original: Original, headers: dict[str, str]) -> None:
        self._file = original.file
        pieces = iter(lambda: self._file.read(_PIECE), b"")
        super().__init__(pieces, 200, headers, original.source.media_type)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send it."""
        with self._file:
            await super().__call__(scope, receive, send)


@router.get(
    "/documents", responses={200: json_of("The documents, by path.", _LISTED), **problems_of()}
)
async def documents(
    caller: TheCaller,
    service: TheService,
    readers: TheReaders,
    collection: Annotated[str | None, Query()] = None,
    under: Annotated[str, Query(description="Only paths that begin so.")] = "",
) -> Response:
    """List the documents of the collections."""

    def work() -> Response:
        listings = service.documents(caller, collection=collection)
        listed = [_listed(listing, under) for listing in listings]
        return record({"collections": listed, "pincite": pincite_to_json()})

    return await readers.run(work)


@router.get(
    "/documents/{collection}/{path:path}",
    responses={
        200: bytes_of("The file, of its own media type.", "*/*"),
        304: {"description": "It is the one that is known (`If-None-Match`)."},
        **problems_of(409),
    },
)
async def original(
    collection: CollectionName,
    path: DocumentPath,
    request: Request,
    caller: TheCaller,
    service: TheService,
    readers: TheReaders,
) -> Response:
    """The file of a document, to be saved; 409 where it is not the one that was indexed."""
    found = await readers.run(lambda: service.original(caller, collection, path))
    tag = f'"{found.source.sha256}"'
    name = quote(found.source.path.rpartition("/")[2], safe="", errors="replace")
    headers = {
        **FILE_HEADERS,
        "Content-Disposition": f"attachment; filename*=UTF-8''{name}",
        "ETag": tag,
    }
    if request.headers.get("if-none-match") == tag:
        found.file.close()
        return Response(status_code=304, headers=headers)
    headers["Content-Length"] = str(found.size)
    return FileReply(found, headers)


@router.get(
    "/texts/{collection}/{path:path}",
    responses={200: json_of("The text.", _TEXT), **problems_of()},
)
async def text(
    collection: CollectionName,
    path: DocumentPath,
    caller: TheCaller,
    service: TheService,
    readers: TheReaders,
    start: Annotated[int | None, Query(ge=0, le=10**12, description="A place to mark.")] = None,
    end: Annotated[int | None, Query(ge=0, le=10**12)] = None,
) -> Response:
    """The text of a document as it was indexed, which positions count in."""

    def work() -> Response:
        found = service.text(caller, collection, path)
        if (start is None) != (end is None):
            raise NotAsked("give start and end of the place, or neither")
        marked = None
        if start is not None:
            locator = f"{path}#char={start},{end}"
            excerpt = service.show(
                caller, locator, collection=collection, text=found.extraction
            ).excerpt
            marked = {
                "position": position_to_json(excerpt.marked),
                "lines": lines_to_json(excerpt.marked_lines),
                "place": place_or_none(excerpt.place),
            }
        content = {
            "collection": collection,
            "document": source_to_json(found.source),
            "text": extraction_to_json(found.extraction),
            "content": "".join(passage.text for passage in found.passages),
            "passages": [_passage(passage) for passage in found.passages],
            "marked": marked,
            "pincite": pincite_to_json(),
        }
        return record(content, collection=collection)

    return await readers.run(work)


@router.get("/leaf", responses={200: json_of("The leaf.", _LEAF), **problems_of()})
async def leaf_of(
    caller: TheCaller,
    service: TheService,
    readers: TheReaders,
    collection: Annotated[str, Query(min_length=1)],
    path: Annotated[str, Query(min_length=1, description="Of the document, as it is listed.")],
    quote: Annotated[
        str,
        Query(
            pattern=_PLACES,
            description="Places to mark: `START,END;START,END`, in code points.",
            examples=["480,513"],
        ),
    ] = "",
    around: Annotated[
        str | None,
        Query(
            pattern=_PLACE,
            description="A place: only its passages are given. Without it, the whole.",
            examples=["480,513"],
        ),
    ] = None,
    reach: Annotated[
        int, Query(ge=0, le=10**6, description="Code points more on either side of that place.")
    ] = 0,
) -> Response:
    """A document as blocks to be shown, with places marked in them."""

    def work() -> Response:
        place = None if around is None else _span(around)
        stretch = service.stretch(caller, collection, path, around=place, reach=reach)
        quotes = [_span(one) for one in quote.split(";")] if quote else []
        return record(leaf_to_json(leaf(stretch, quotes)), collection=collection)

    return await readers.run(work)


@router.get(
    "/pages/{collection}/{number}/{path:path}",
    responses={200: bytes_of("The picture.", "image/png"), **problems_of(409)},
)
async def page(
    collection: CollectionName,
    number: Annotated[int, Path(ge=1, le=10**6, description="Of the page, from 1.")],
    path: DocumentPath,
    caller: TheCaller,
    service: TheService,
    apart: TheApart,
    width: Annotated[int, Query(ge=50, le=2400, description="In pixels.")] = 1000,
) -> Response:
    """The picture of a page of a PDF document."""
    picture = await apart.run(lambda: service.page(caller, collection, path, number, width))
    return Response(picture, 200, FILE_HEADERS, "image/png")


def _listed(listing: Listing, under: str) -> dict[str, Any]:
    info = listing.info
    return {
        "collection": listing.collection,
        "index": state_to_json(info.state),
        "passage_count": info.passage_count,
        "languages": [
            {"language": language, "document_count": count} for language, count in info.languages
        ],
        "documents": [source_to_json(one) for one in info.documents if one.path.startswith(under)],
        "stale": [path for path in listing.stale if path.startswith(under)],
        "problems": [problem_to_json(one) for one in info.problems if one.path.startswith(under)],
    }


def _span(given: str) -> Span:
    start, end = map(int, given.split(","))
    if start > end:
        raise NotAsked(f"{given!r} ends before it starts: give START,END")
    return Span(start, end)


def _passage(passage: Passage) -> dict[str, Any]:
    return {
        "position": position_to_json(passage.span),
        "first_line": passage.first_line,
        "heading_path": list(passage.heading_path),
    }
