"""For those who keep the documents: indexes, questions without an answer, notices, the log."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import Field
from starlette.responses import Response

from pincite.render.audited import audit_to_json, entry_to_json
from pincite.render.record import pincite_to_json, problem_to_json, state_to_json
from pincite.server.bodies import Body, examples
from pincite.server.described import json_of, problems_of, record_of
from pincite.server.replies import Kept
from pincite.server.routes.context import TheCaller, TheReaders, TheService
from pincite.server.routes.replying import record

router = APIRouter(tags=["keeping"])


class Renewal(Body):
    """What to index again."""

    model_config = examples({"collection": "help"})
    collection: str


class Notice(Body):
    """What to tell those who keep the documents of a question that was not answered."""

    collection: str
    question: Annotated[str, Field(min_length=1)]
    note: str = ""


_OBJECTS = {"type": "array", "items": {"type": "object"}}
_KEPT = {
    "type": "object",
    "required": ["collections", "pincite"],
    "properties": {"collections": _OBJECTS, "pincite": {"type": "object"}},
}
_BEGUN = {
    "type": "object",
    "required": ["collection", "begun"],
    "properties": {
        "collection": {"type": "string"},
        "begun": {"type": "boolean", "description": "False where a run was going on already."},
    },
}
_UNANSWERED = {
    "type": "object",
    "required": ["questions"],
    "properties": {"questions": _OBJECTS},
}
_ENTRIES = {
    "type": "object",
    "required": ["entries", "next_after"],
    "properties": {"entries": _OBJECTS, "next_after": {"type": ["integer", "null"]}},
}


@router.get("/index", responses={200: json_of("How each is.", _KEPT), **problems_of()})
async def index(
    caller: TheCaller,
    service: TheService,
    readers: TheReaders,
    collection: Annotated[str | None, Query()] = None,
) -> Response:
    """How the index of each collection is, and which files could not be read."""

    def work() -> Response:
        kept = service.kept(caller, collection=collection)
        return record({"collections": list(map(_kept, kept)), "pincite": pincite_to_json()})

    return await readers.run(work)


@router.post(
    "/index",
    status_code=202,
    responses={202: json_of("It is indexed again, or was already.", _BEGUN), **problems_of()},
)
async def renew(
    asked: Renewal, caller: TheCaller, service: TheService, readers: TheReaders
) -> Response:
    """Have a collection indexed again; meanwhile its last finished index answers."""
    begun = await readers.run(lambda: service.renew(caller, asked.collection))
    return record({"collection": asked.collection, "begun": begun}, status=202)


@router.get("/unanswered", responses={200: json_of("By count.", _UNANSWERED), **problems_of(409)})
async def unanswered(caller: TheCaller, service: TheService, readers: TheReaders) -> Response:
    """Questions that were refused since they were last answered, those asked most often first."""

    def work() -> Response:
        questions = [
            {
                "collection": one.collection,
                "question": one.question,
                "count": one.count,
                "last_asked": one.last_asked,
                "reason": one.reason or None,
                "told": one.told,
                "notes": list(one.notes),
            }
            for one in service.unanswered(caller)
        ]
        return record({"questions": questions})

    return await readers.run(work)


@router.post(
    "/notices", status_code=204, responses={204: {"description": "It is kept."}, **problems_of(409)}
)
async def notice(
    told: Notice, caller: TheCaller, service: TheService, readers: TheReaders
) -> Response:
    """Tell those who keep the documents that a question should have an answer."""
    await readers.run(lambda: service.notice(caller, told.collection, told.question, told.note))
    return Response(status_code=204)


@router.get(
    "/audit", responses={200: json_of("Entries, oldest first.", _ENTRIES), **problems_of(409)}
)
async def audit(
    caller: TheCaller,
    service: TheService,
    readers: TheReaders,
    after: Annotated[int, Query(ge=0, le=10**12, description="A number of an entry.")] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> Response:
    """What was asked and answered, from the log."""

    def work() -> Response:
        entries = service.entries(caller, after=after, limit=limit)
        more = entries[-1].entry.sequence if len(entries) == limit else None
        return record(
            {
                "entries": [
                    {**entry_to_json(line), "content": line.record() or None} for line in entries
                ],
                "next_after": more,
            }
        )

    return await readers.run(work)


@router.get(
    "/audit/verify", responses={200: record_of("audit-1", "What was found."), **problems_of(409)}
)
async def verify(caller: TheCaller, service: TheService, readers: TheReaders) -> Response:
    """Whether the log is as it was written."""

    def work() -> Response:
        return record(audit_to_json(service.check_log(caller)))

    return await readers.run(work)


def _kept(kept: Kept) -> dict[str, Any]:
    info = kept.info
    content: dict[str, Any] = {
        "collection": kept.collection,
        "ready": kept.state.is_open,
        "running": kept.state.is_renewing,
        # What went wrong names places on the machine.
        "problem": "it cannot be used, or the last run failed; the log of the server says why"
        if kept.state.problem
        else "",
    }
    if info is not None:
        content |= {
            "index": state_to_json(info.state),
            "document_count": info.document_count,
            "passage_count": info.passage_count,
            "unencoded_count": info.unencoded_count,
            "problems": [problem_to_json(one) for one in info.problems],
        }
    return content
