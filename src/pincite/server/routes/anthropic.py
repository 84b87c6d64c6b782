"""Anthropic's interface: messages, and how many tokens they have."""

from __future__ import annotations

import uuid

from fastapi import APIRouter
from starlette.responses import Response

from pincite.server.access import Caller
from pincite.server.compat import messages
from pincite.server.compat.asked import Asked, Rejected
from pincite.server.compat.counting import tokens
from pincite.server.compat.messages import CountRequest, MessageRequest
from pincite.server.compat.said import Said, said
from pincite.server.compat.sent import Sent, read, words
from pincite.server.routes.context import TheCaller, TheLimits, TheSent, TheService, TheWorkers
from pincite.server.routes.translated import (
    TranslatedRoute,
    answered,
    described,
    replied,
    streamed,
)
from pincite.server.service import Service
from pincite.server.settings import Limits
from pincite.server.translating import PREFIX

router = APIRouter(prefix=PREFIX, tags=["other interfaces"], route_class=TranslatedRoute)


@router.post(
    "/messages",
    responses=described(
        "The answer or refusal; with `stream`, its events.",
        "message",
        *("id", "type", "role", "content", "stop_reason", "usage", "pincite"),
        streams=True,
    ),
)
async def create_message(
    body: MessageRequest,
    caller: TheCaller,
    service: TheService,
    workers: TheWorkers,
    for_sent: TheSent,
    limits: TheLimits,
) -> Response:
    """Answer the last message with the exact words, or refuse.

    Documents that come with the messages are asked in place of the collections.
    """
    asked = messages.asked_by(body)
    sent = messages.sent_with(body)
    if sent:
        found, count = await for_sent.run(
            lambda: _answered_from(sent, service, caller, asked, limits)
        )
    else:
        found, count = await workers.run(lambda: answered(service, caller, asked))
    envelope = {"id": f"msg_{uuid.uuid4().hex}", "model": body.model}
    if body.stream:
        return streamed(messages.events(found, sent, input_tokens=count, envelope=envelope))
    return replied(messages.message(found, sent, input_tokens=count, envelope=envelope))


@router.post("/messages/count_tokens", responses=described("How many.", "count", "input_tokens"))
async def count_tokens(
    body: CountRequest,
    caller: TheCaller,
    service: TheService,
    workers: TheWorkers,
    for_sent: TheSent,
    limits: TheLimits,
) -> Response:
    """How many tokens would be read of these messages."""
    asked = messages.asked_by(body)
    sent = messages.sent_with(body)

    def count() -> int:
        service.check(caller, asked.question, asked.history)
        return tokens((*asked.words, *words(read(sent, limits))))

    return replied({"input_tokens": await (for_sent if sent else workers).run(count)})


def _answered_from(
    sent: tuple[Sent, ...], service: Service, caller: Caller, asked: Asked, limits: Limits
) -> tuple[Said, int]:
    if asked.risk is not None or asked.document is not None:
        raise Rejected(
            "Of documents that come with the question no risk is known, and all of them are asked.",
            param="pincite",
        )
    service.check(caller, asked.question, asked.history)
    given = read(sent, limits)
    result = service.ask_given(caller, asked.question, given, history=asked.history)
    return said(result, most=asked.most), tokens((*asked.words, *words(given)))
