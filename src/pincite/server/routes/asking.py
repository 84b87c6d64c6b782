"""Questions: ask, search, verify."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from pincite.records import Turn
from pincite.render import dumps, to_json
from pincite.server.routes.context import TheCaller, TheService, TheWorkers

router = APIRouter(tags=["questions"])

COLLECTION_HEADER = "Pincite-Collection"


class EarlierTurn(BaseModel):
    """An earlier turn of the conversation."""

    model_config = ConfigDict(extra="forbid")
    role: Literal["user", "assistant"]
    text: str


class Question(BaseModel):
    """A question, and where to look for the answer."""

    model_config = ConfigDict(extra="forbid")
    question: Annotated[str, Field(min_length=1)]
    collection: Annotated[
        str | None, Field(description="Without it every collection is asked; the surest answers.")
    ] = None
    document: Annotated[str | None, Field(description="Its path: asks inside one document.")] = None
    history: Annotated[
        list[EarlierTurn], Field(description="Earlier turns, the oldest first.")
    ] = []
    risk: Annotated[
        float | None,
        Field(gt=0, lt=1, description="The share of wrong answers that is put up with."),
    ] = None


@router.post("/ask")
async def ask(
    asked: Question, request: Request, caller: TheCaller, service: TheService, workers: TheWorkers
) -> Response:
    """Answer with the exact words, or refuse: the record that `pincite ask --json` prints."""
    history = [Turn(turn.role, turn.text) for turn in asked.history]

    def work() -> Response:
        reply = service.ask(
            caller,
            asked.question,
            collection=asked.collection,
            document=asked.document,
            history=history,
            risk=asked.risk,
        )
        return record(to_json(reply.result), collection=reply.collection)

    return await workers.run(work)


def record(content: dict[str, Any], *, collection: str = "") -> Response:
    """A record as the command line prints it, byte for byte."""
    headers = {COLLECTION_HEADER: collection} if collection else {}
    return Response(dumps(content, pretty=True).encode() + b"\n", 200, headers, "application/json")
