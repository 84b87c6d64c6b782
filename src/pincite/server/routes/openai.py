"""OpenAI's interfaces: models, chat completions, responses, embeddings."""

from __future__ import annotations

import functools
import time
import uuid

from fastapi import APIRouter, Request
from starlette.responses import Response

from pincite.encoder.encode import Encoder
from pincite.records import Turn
from pincite.server.access import Caller, Right
from pincite.server.compat import chat, embeddings, models, responses
from pincite.server.compat.asked import Rejected, UnknownModel
from pincite.server.compat.chat import ChatRequest
from pincite.server.compat.embeddings import EmbeddingRequest
from pincite.server.compat.responses import ResponseRequest
from pincite.server.errors import NotAllowed
from pincite.server.routes.context import (
    TheCaller,
    TheEncoding,
    TheRemembered,
    TheService,
    TheWorkers,
)
from pincite.server.routes.translated import (
    TranslatedRoute,
    answered,
    described,
    links,
    replied,
    streamed,
)
from pincite.server.translating import PREFIX

router = APIRouter(prefix=PREFIX, tags=["other interfaces"], route_class=TranslatedRoute)


@router.get("/models", responses=described("All of them.", "models", "object", "data"))
async def list_models(caller: TheCaller, service: TheService) -> Response:
    """What can be asked: all collections, each of them, and the model for embeddings."""
    _needs_ask(caller)
    return replied(models.models(service.names(caller)))


@router.get("/models/{name:path}", responses=described("The model.", "model", "id", "object"))
async def get_model(name: str, caller: TheCaller, service: TheService) -> Response:
    """One of them."""
    _needs_ask(caller)
    if name not in models.model_names(service.names(caller)):
        raise UnknownModel(name, known="'pincite' for all documents")
    return replied(models.model(name))


@router.post(
    "/chat/completions",
    responses=described(
        "The answer or refusal; with `stream`, its chunks.",
        "chat completion",
        *("id", "object", "created", "model", "choices", "usage"),
        streams=True,
    ),
)
async def chat_completions(
    body: ChatRequest, request: Request, caller: TheCaller, service: TheService, workers: TheWorkers
) -> Response:
    """Answer the last message with the exact words, or refuse."""
    asked = chat.asked_by(body)
    said, count = await workers.run(lambda: answered(service, caller, asked))
    envelope = {
        "id": f"chatcmpl-{uuid.uuid4().hex}",
        "created": int(time.time()),
        "model": body.model,
    }
    link = links(request, said.collection)
    if not body.stream:
        return replied(chat.completion(said, prompt_tokens=count, envelope=envelope, link=link))
    with_usage = bool(body.stream_options and body.stream_options.include_usage)
    chunks = chat.chunks(
        said, prompt_tokens=count, envelope=envelope, link=link, include_usage=with_usage
    )
    return streamed(chunks, named=False, end="[DONE]")


@router.post(
    "/responses",
    responses=described(
        "The answer or refusal; with `stream`, its events.",
        "response",
        *("id", "object", "created_at", "model", "status", "output", "usage", "pincite"),
        streams=True,
    ),
)
async def create_response(
    body: ResponseRequest,
    request: Request,
    caller: TheCaller,
    service: TheService,
    workers: TheWorkers,
    remembered: TheRemembered,
) -> Response:
    """Answer the last message of the input with the exact words, or refuse."""
    earlier: tuple[Turn, ...] | None = ()
    if body.previous_response_id is not None:
        earlier = remembered.turns(caller, body.previous_response_id)
    if earlier is None:
        raise Rejected(
            f"Previous response with id {body.previous_response_id!r} not found: it was made with "
            f"store=False or by somebody else, or is forgotten; send the earlier turns instead.",
            param="previous_response_id",
            code="previous_response_not_found",
        )
    asked = responses.asked_by(body, earlier)
    said, count = await workers.run(lambda: answered(service, caller, asked))
    envelope = {"id": f"resp_{uuid.uuid4().hex}", "created_at": int(time.time())}
    if body.store is not False:
        turns = (*asked.history, Turn("user", asked.question), Turn("assistant", said.text))
        remembered.keep(caller, str(envelope["id"]), turns)
    make = responses.events if body.stream else responses.response
    made = make(
        said,
        body,
        prompt_tokens=count,
        envelope=envelope,
        message_id=f"msg_{uuid.uuid4().hex}",
        link=links(request, said.collection),
    )
    return replied(made) if isinstance(made, dict) else streamed(made)


@router.post(
    "/embeddings",
    responses=described("The vectors.", "embeddings", "object", "data", "model", "usage"),
)
async def create_embeddings(
    body: EmbeddingRequest, caller: TheCaller, encoding: TheEncoding
) -> Response:
    """The vectors of texts, by the encoder that finds passages."""
    _needs_ask(caller)
    texts = embeddings.texts_of(body)
    made = await encoding.run(lambda: embeddings.embeddings(body, texts, _encoder()))
    return replied(made)


@functools.cache
def _encoder() -> Encoder:
    # Loaded by the first text that is to have a vector.
    return Encoder()


def _needs_ask(caller: Caller) -> None:
    if not caller.may(Right.ASK):
        raise NotAllowed(f"this needs the right {Right.ASK.value!r}")
