"""What the service asks of an index, in words that tell of nothing but what the caller may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pincite.errors import DocumentNotFound
from pincite.index import Index
from pincite.locators import parsed
from pincite.records import Answer, Extraction, Refusal, Source, Turn
from pincite.server.access import Caller, Right
from pincite.server.errors import NotAllowed, NotAsked, NotThere
from pincite.server.settings import Limits
from pincite.verifications import Verification


def needs(caller: Caller, right: Right) -> None:
    """`NotAllowed` where the caller lacks the right."""
    if not caller.may(right):
        raise NotAllowed(f"this needs the right {right.value!r}")


def check_question(question: str, history: Sequence[Turn], limits: Limits) -> None:
    """`NotAsked` where it is empty, or more than is taken."""
    if not question.strip():
        raise NotAsked("the question is empty: ask something in words")
    if len(question) > limits.question_characters:
        raise NotAsked(
            f"the question has {len(question)} characters, "
            f"and {limits.question_characters} are taken: ask in fewer words"
        )
    if len(history) > limits.history_turns:
        raise NotAsked(
            f"there are {len(history)} earlier turns, and {limits.history_turns} are taken: "
            f"leave out the oldest"
        )
    if sum(len(turn.text) for turn in history) > limits.history_characters:
        raise NotAsked(
            f"the earlier turns have more than {limits.history_characters} characters: "
            f"leave out the oldest"
        )


def sees_all(caller: Caller, collection: str) -> bool:
    """Whether every document of a collection is there for the caller."""
    visible = caller.visible(collection)
    return visible is not None and visible.is_everything


def needs_all(caller: Caller, collection: str) -> None:
    """`NotAllowed` where only a part of a collection is there for the caller."""
    if caller.visible(collection) is not None and not sees_all(caller, collection):
        raise NotAllowed(f"this needs all documents of {collection!r} to be there for you")


def is_surer(one: Answer | Refusal, other: Answer | Refusal) -> bool:
    """Whether of two collections the one answers more surely: any answer does than a refusal."""

    def sureness(result: Answer | Refusal) -> tuple[bool, float]:
        return isinstance(result, Answer), result.confidence

    return sureness(one) > sureness(other)


def has(index: Index, path: str) -> bool:
    """Whether there is a document at just this path."""
    try:
        index.document(path)
    except DocumentNotFound:
        return False
    return True


def is_at(index: Index, locator: str) -> bool:
    """Whether the locator names a document by just its path; ValueError where it is no locator."""
    return has(index, parsed(locator, lambda name: has(index, name))[0])


def known(index: Index, collection: str, path: str) -> tuple[Source, Extraction]:
    """What is known of the document at just this path; `NotThere`."""
    try:
        return index.document(path)
    except DocumentNotFound as error:
        raise no_document(path, collection) from error


def no_document(path: str, collection: str | None) -> NotThere:
    """That there is none, or none for whoever asks."""
    where = f"the collection {collection!r}" if collection else "any collection"
    return NotThere(f"there is no document {path!r} in {where}")


def without_folder(found: Verification, folder: str, collection: str) -> Verification:
    """The same, with no word of where the folder is."""
    reason = found.reason.replace(folder, collection)
    checks = tuple(
        replace(check, found=check.found.replace(folder, collection)) for check in found.checks
    )
    return replace(found, reason=reason, checks=checks)
