"""What a request asks, whichever interface it came by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field, JsonValue

from pincite.answering.follow_up import TURNS_BACK
from pincite.records import Turn
from pincite.server.bodies import QUESTION, Body

MODEL = "pincite"
"""All collections that the caller sees; one of them is `pincite/NAME`."""

EXAMPLE: dict[str, JsonValue] = {
    "model": MODEL,
    "messages": [{"role": "user", "content": QUESTION}],
}
"""A request of those that have messages."""


class Rejected(ValueError):
    """A request that cannot be honoured as it was made; nothing was asked."""

    def __init__(self, message: str, *, param: str | None = None, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.param = param
        """Where in the request, `messages.0.content`."""
        self.code = code


class UnknownModel(Rejected):
    """A model that is not there, or of a collection that the caller does not see."""

    def __init__(self, model: str, *, known: str) -> None:
        super().__init__(
            f"The model {model!r} does not exist: there is {known}; GET /v1/models lists them.",
            param="model",
            code="model_not_found",
        )


class Extension(Body):
    """What only Pincite understands, in the field `pincite` of a request."""

    document: str | None = None
    """The path of the only document to ask."""
    risk: float | None = Field(default=None, gt=0, lt=1)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, what was said before it, and where it is asked."""

    question: str
    history: tuple[Turn, ...] = ()
    collection: str | None = None
    document: str | None = None
    risk: float | None = None
    most: int | None = None
    """The answer has so many tokens at most; None for any."""

    @property
    def words(self) -> tuple[str, ...]:
        """All that is read of the request."""
        return (*(turn.text for turn in self.history), self.question)


def asked_in(
    turns: Sequence[Turn],
    *,
    model: str,
    extension: Extension | None = None,
    most: int | None = None,
    where: str = "messages",
) -> Asked:
    """The last of the turns, which must be the user's, asked of the model after the others."""
    if not turns or turns[-1].role != "user":
        raise Rejected(f"The last of {where} must be the user's: it is the question.", param=where)
    if not turns[-1].text.strip():
        raise Rejected("The question is empty: ask something in words.", param=where)
    return Asked(
        question=turns[-1].text,
        # As many as a question goes back: a client sends all of a long conversation.
        history=tuple(turns[-1 - 2 * TURNS_BACK : -1]),
        collection=collection_of(model),
        document=extension.document if extension else None,
        risk=extension.risk if extension else None,
        most=most,
    )


def collection_of(model: str) -> str | None:
    """The collection that a model asks, None for all of them; `UnknownModel` for another model."""
    name, slash, collection = model.partition("/")
    if name != MODEL or (slash and not collection):
        raise UnknownModel(model, known=f"{MODEL!r} for all documents")
    return collection or None


def only_without(**unsupported: object) -> None:
    """Reject a request that sets any of these: to leave them aside would change what it means."""
    for name, value in unsupported.items():
        if value:
            raise Rejected(
                f"{name} is not supported: answers are quoted from documents, whole and as they "
                f"stand there. Leave it out.",
                param=name,
                code="unsupported_parameter",
            )
