"""Tokens, rights and what is not there for somebody, as the official clients are told of them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import anthropic
import openai
import pytest

from pincite.server.access import DocumentRule, Right
from pincite.server.access.tokens import add_token
from pincite.server.settings import NamedFolder, ServerSettings

from .conftest import HOUSE, LAMP, OFFICE, serving, write

CABLE = "How long is the cable of the desk lamp?"
PEOPLE = {
    "anna": (frozenset((Right.ASK,)), [DocumentRule("house")]),
    "bert": (frozenset((Right.ASK,)), [DocumentRule("house", but=("lamp.md",))]),
    "carl": (frozenset((Right.READ,)), [DocumentRule()]),
}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of a server with tokens, and these by the names of their owners."""
    where = tmp_path_factory.mktemp("guarded")
    tokens = {
        name: add_token(
            where / "tokens.json", name, rights=rights, rules=rules, now=datetime.now(UTC)
        )
        for name, (rights, rules) in PEOPLE.items()
    }
    folders = (
        NamedFolder("house", write(where / "house", HOUSE)),
        NamedFolder("office", write(where / "office", OFFICE)),
    )
    settings = ServerSettings(
        folders=folders, state=where / "state", tokens=where / "tokens.json", lexical=True
    )
    with serving(settings) as address:
        yield address, tokens


Guarded = tuple[str, dict[str, str]]


def openai_of(guarded: Guarded, name: str) -> openai.OpenAI:
    address, tokens = guarded
    return openai.OpenAI(base_url=f"{address}/v1", api_key=tokens.get(name, "wrong"), max_retries=0)


def anthropic_of(guarded: Guarded, name: str) -> anthropic.Anthropic:
    address, tokens = guarded
    return anthropic.Anthropic(base_url=address, api_key=tokens.get(name, "wrong"), max_retries=0)


def chat(client: openai.OpenAI, **settings: Any) -> Any:
    return client.chat.completions.create(
        **{"model": "pincite", "messages": [{"role": "user", "content": CABLE}], **settings}
    )


def message(client: anthropic.Anthropic, **settings: Any) -> Any:
    asked = [{"role": "user", "content": CABLE}]
    return client.messages.create(
        **{"model": "pincite", "max_tokens": 500, "messages": asked, **settings}
    )


CALLS = [
    chat,
    lambda client: client.responses.create(model="pincite", input=CABLE),
    lambda client: client.embeddings.create(model="pincite-embedding", input="a"),
    lambda client: client.models.list(),
]


def test_a_token_is_the_key_of_the_client(guarded: Guarded) -> None:
    with openai_of(guarded, "anna") as client:
        assert chat(client).choices[0].message.content == LAMP
    with anthropic_of(guarded, "anna") as client:
        assert message(client).content[0].text == LAMP
    address, tokens = guarded
    with anthropic.Anthropic(base_url=address, auth_token=tokens["anna"]) as client:
        assert message(client).content[0].text == LAMP


@pytest.mark.parametrize("call", CALLS)
def test_without_a_token_that_is_known_nothing_is_told_to_openai(
    guarded: Guarded, call: Any
) -> None:
    with (
        openai_of(guarded, "nobody") as client,
        pytest.raises(openai.AuthenticationError) as caught,
    ):
        call(client)
    assert (caught.value.code, caught.value.type) == ("invalid_api_key", "invalid_request_error")


@pytest.mark.parametrize(
    "call",
    [
        message,
        lambda client: client.models.list(),
        lambda client: client.messages.count_tokens(
            model="pincite", messages=[{"role": "user", "content": CABLE}]
        ),
    ],
)
def test_without_a_token_that_is_known_nothing_is_told_to_anthropic(
    guarded: Guarded, call: Any
) -> None:
    with (
        anthropic_of(guarded, "nobody") as client,
        pytest.raises(anthropic.AuthenticationError) as caught,
    ):
        call(client)
    assert caught.value.type == "authentication_error"


@pytest.mark.parametrize("call", CALLS)
def test_without_the_right_to_ask_openai_is_told_so(guarded: Guarded, call: Any) -> None:
    with (
        openai_of(guarded, "carl") as client,
        pytest.raises(openai.PermissionDeniedError, match="ask") as caught,
    ):
        call(client)
    assert caught.value.type == "permission_error"


def test_without_the_right_to_ask_anthropic_is_told_so(guarded: Guarded) -> None:
    sent = {
        "type": "document",
        "source": {"type": "text", "media_type": "text/plain", "data": "The cable is long."},
    }
    asked = [{"role": "user", "content": [sent, {"type": "text", "text": CABLE}]}]
    with anthropic_of(guarded, "carl") as client:
        for settings in ({}, {"messages": asked}):
            with pytest.raises(anthropic.PermissionDeniedError) as caught:
                message(client, **settings)
            assert caught.value.type == "permission_error"


def test_a_collection_that_is_not_there_for_somebody_is_no_model(guarded: Guarded) -> None:
    with openai_of(guarded, "anna") as client:
        assert [one.id for one in client.models.list()] == [
            "pincite",
            "pincite/house",
            "pincite-embedding",
        ]
        told = []
        for hidden in ("pincite/office", "pincite/nowhere"):
            with pytest.raises(openai.NotFoundError) as caught:
                chat(client, model=hidden)
            told.append(str(caught.value).replace(hidden, "..."))
    assert told[0] == told[1]


def test_a_document_that_is_not_there_for_somebody_is_not_quoted(guarded: Guarded) -> None:
    with openai_of(guarded, "bert") as client:
        found = chat(client).choices[0].message
    assert found.content is None
    assert "lamp.md" not in str(found.to_dict())


def test_nobody_goes_on_from_what_another_was_answered(guarded: Guarded) -> None:
    with openai_of(guarded, "anna") as client:
        first = client.responses.create(model="pincite", input=CABLE)
    with openai_of(guarded, "bert") as client:
        told = []
        for unknown in (first.id, "resp_0"):
            with pytest.raises(openai.BadRequestError) as caught:
                client.responses.create(
                    model="pincite", input="And its weight?", previous_response_id=unknown
                )
            told.append(str(caught.value).replace(unknown, "..."))
    assert told[0] == told[1]


def test_what_is_refused_before_it_is_read_or_not_there_is_told_in_their_words_too(
    guarded: Guarded,
) -> None:
    with openai_of(guarded, "anna") as client, pytest.raises(openai.APIStatusError) as caught:
        client.embeddings.create(model="pincite-embedding", input="a" * 2_000_000)
    assert (caught.value.status_code, caught.value.type) == (413, "invalid_request_error")
    with anthropic_of(guarded, "anna") as client, pytest.raises(anthropic.APIStatusError) as told:
        message(client, system="a" * 2_000_000)
    assert (told.value.status_code, told.value.type) == (413, "request_too_large")
    with openai_of(guarded, "anna") as client, pytest.raises(openai.NotFoundError) as missing:
        client.files.list()
    assert missing.value.type == "invalid_request_error"
    evil = {"Origin": "https://example.org"}
    with openai_of(guarded, "anna") as client, pytest.raises(openai.PermissionDeniedError) as other:
        chat(client, extra_headers=evil)
    assert other.value.type == "permission_error"
