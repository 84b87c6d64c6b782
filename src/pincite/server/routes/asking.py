"""Questions: ask, search, show, verify."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypedDict

from fastapi import APIRouter, Query, Request
from fastapi import Body as InBody
from pydantic import Field, JsonValue
from starlette.responses import Response

from pincite.records import Turn
from pincite.render import dumps, search_to_json, to_json
from pincite.render.saved import not_compared, read_records
from pincite.render.verified import verified_to_json
from pincite.server.bodies import QUESTION, Body, Several, examples
from pincite.server.described import events_of, problems_of, record_of
from pincite.server.errors import NotAsked
from pincite.server.routes.context import TheApart, TheCaller, TheReaders, TheService, TheWorkers
from pincite.server.routes.replying import record
from pincite.server.routes.streaming import MEDIA_TYPE, Send, events, wants_events

router = APIRouter(tags=["questions"])

Collection = Annotated[
    str | None, Field(description="Its name. Without it every collection is asked.")
]
InDocument = Annotated[
    str | None, Field(description="The path of a document: looks inside that one only.")
]
_EXAMPLE: dict[str, JsonValue] = {
    "question": QUESTION,
    "collection": "help",
}


class EarlierTurn(Body):
    """An earlier turn of the conversation."""

    role: Literal["user", "assistant"]
    text: str


class Question(Body):
    """A question, and where to look for the answer."""

    model_config = examples(_EXAMPLE)
    question: Annotated[str, Field(min_length=1)]
    collection: Collection = None
    document: InDocument = None
    history: Annotated[
        Several[EarlierTurn],
        Field(default_factory=list, description="Earlier turns, the oldest first."),
    ]
    risk: Annotated[
        float | None,
        Field(gt=0, lt=1, description="The share of wrong answers that is put up with."),
    ] = None


class Search(Body):
    """What to look for, and how many passages to give."""

    model_config = examples(_EXAMPLE)
    question: Annotated[str, Field(min_length=1)]
    collection: Collection = None
    document: InDocument = None
    limit: Annotated[int, Field(ge=1, le=100)] = 10


class _How(TypedDict):
    """How a question is asked, besides its words."""

    collection: str | None
    document: str | None
    history: tuple[Turn, ...]
    risk: float | None


_ANSWER = record_of("answer-1", "The answer or refusal, as `pincite ask --json` prints it.")
_ANSWER["content"][MEDIA_TYPE] = events_of(
    "Where the request accepts it: an event `asking` for each collection that is asked, `reply` "
    "with the name of the one that answered, then `record`; or `problem`."
)


@router.post("/ask", responses={200: _ANSWER, **problems_of()})
async def ask(
    asked: Question,
    request: Request,
    caller: TheCaller,
    service: TheService,
    workers: TheWorkers,
    readers: TheReaders,
) -> Response:
    """Answer with the exact words of a document and their place, or refuse."""
    how: _How = {
        "collection": asked.collection,
        "document": asked.document,
        "history": tuple(Turn(turn.role, turn.text) for turn in asked.history),
        "risk": asked.risk,
    }

    def stream(send: Send) -> None:
        def asking(name: str) -> None:
            send("asking", {"collection": name})

        reply = service.ask(caller, asked.question, asking=asking, **how)
        send("reply", {"collection": reply.collection})
        send("record", to_json(reply.result))

    def whole() -> Response:
        reply = service.ask(caller, asked.question, **how)
        return record(to_json(reply.result), collection=reply.collection)

    # What is known already does not wait behind what is not.
    is_known = await readers.run(lambda: service.remembers(caller, asked.question, **how))
    threads = readers if is_known else workers
    if wants_events(request):
        return await events(threads, stream)
    return await threads.run(whole)


@router.post(
    "/search",
    responses={200: record_of("search-1", "The passages, best first."), **problems_of()},
)
async def search(
    asked: Search, caller: TheCaller, service: TheService, readers: TheReaders
) -> Response:
    """List the passages that are nearest to a question; none of them is an answer."""

    def work() -> Response:
        found = service.search(
            caller,
            asked.question,
            collection=asked.collection,
            document=asked.document,
            limit=asked.limit,
        )
        content = search_to_json(asked.question, found.results, found.state, stale=found.stale)
        return record(content, collection=found.collection)

    return await readers.run(work)


@router.get(
    "/show", responses={200: record_of("show-1", "The place and its passages."), **problems_of()}
)
async def show(
    caller: TheCaller,
    service: TheService,
    readers: TheReaders,
    locator: Annotated[
        str,
        Query(
            min_length=1,
            description="`PATH`, `PATH:LINE`, `PATH:FIRST-LAST` or `PATH#char=START,END`.",
            examples=["account/gift-cards.md#char=480,513"],
        ),
    ],
    collection: Annotated[str | None, Query()] = None,
) -> Response:
    """Show a place in a document with the passages around it."""

    def work() -> Response:
        shown = service.show(caller, locator, collection=collection)
        return record(to_json(shown.excerpt), collection=shown.collection)

    return await readers.run(work)


@router.post(
    "/verify",
    responses={200: record_of("verify-1", "What has become of each citation."), **problems_of()},
)
async def verify(
    answer: Annotated[
        dict[str, Any],
        InBody(description="A record as /ask gives it, or one of its citations."),
    ],
    caller: TheCaller,
    service: TheService,
    apart: TheApart,
    collection: Annotated[
        str | None, Query(description="Without it the one that has the documents.")
    ] = None,
) -> Response:
    """Check the citations of a saved answer against the documents as they are now."""

    def work() -> Response:
        saved = read_records(_text(answer), name="the record")
        every = [citation for one in saved for citation in one.citations]
        faults = [one.fault for one in saved if one.fault]
        if not saved:
            faults.append("nothing was checked: it is a record of an error")
        version = saved[0].version if saved else ""
        verified = service.verify(caller, every, collection=collection, version=version)
        content = verified_to_json([verified.verifications], faults, not_compared(saved))
        return record(content, collection=verified.collection)

    return await apart.run(work)


def _text(answer: dict[str, Any]) -> bytes:
    try:
        return dumps(answer).encode()
    except ValueError as error:
        raise NotAsked("the record has numbers that JSON does not have") from error
