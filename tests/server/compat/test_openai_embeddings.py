"""Embeddings, with the official client."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Iterator
from typing import Any

import numpy as np
import openai
import pytest

from pincite.encoder.encode import Encoder

TEXTS = ["The lamp is blue.", "🔦 naïve café", "word " * 600]


@pytest.fixture
def client(address: str) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0) as made:
        yield made


@pytest.mark.parametrize("form", [{}, {"encoding_format": "float"}])
def test_vectors_are_those_of_the_encoder_bit_for_bit(
    client: openai.OpenAI, form: dict[str, Any]
) -> None:
    made = client.embeddings.create(model="pincite-embedding", input=TEXTS, **form)
    assert [one.index for one in made.data] == [0, 1, 2]
    found = np.array([one.embedding for one in made.data], np.float32)
    assert np.array_equal(found, Encoder().encode(TEXTS))


def test_vectors_are_those_of_the_embedding_for_llama_index(client: openai.OpenAI) -> None:
    pytest.importorskip("llama_index.core")
    from pincite.llama_index import LocalEmbedding

    made = client.embeddings.create(model="pincite-embedding", input=TEXTS[0])
    assert made.data[0].embedding == LocalEmbedding().get_text_embedding(TEXTS[0])


def test_base64_is_what_the_client_asks_for_by_itself(client: openai.OpenAI) -> None:
    made: Any = client.post(
        "/embeddings",
        body={"model": "pincite-embedding", "input": "a", "encoding_format": "base64"},
        cast_to=object,
    )
    data = np.frombuffer(base64.b64decode(made["data"][0]["embedding"]), "<f4")
    assert np.array_equal(data, Encoder().encode(["a"])[0])


def test_a_text_is_read_as_far_as_the_model_reads_and_that_is_told(client: openai.OpenAI) -> None:
    made = client.embeddings.create(model="pincite-embedding", input=TEXTS)
    assert made.model_extra is not None
    assert made.model_extra["pincite"] == {"encoder": "minilm/1", "truncated": [2]}
    lengths = [len(Encoder().token_ids(text)) for text in TEXTS]
    assert lengths[2] == 256
    assert made.usage.prompt_tokens == made.usage.total_tokens == sum(lengths)


@pytest.mark.parametrize(
    ("set_to", "param"),
    [
        ({"dimensions": 256}, "dimensions"),
        ({"input": [1, 2, 3]}, "input.0"),
        ({"input": [[1, 2], [3]]}, "input.0"),
        ({"input": ""}, "input"),
        ({"input": ["a", ""]}, "input.1"),
        ({"input": []}, "input"),
        ({"input": ["a"] * 2_049}, "input"),
        ({"extra_body": {"made_up": 1}}, "made_up"),
    ],
)
def test_what_has_no_vector_is_an_error_that_names_it(
    client: openai.OpenAI, set_to: dict[str, Any], param: str
) -> None:
    with pytest.raises(openai.BadRequestError) as caught:
        client.embeddings.create(**{"model": "pincite-embedding", "input": "a", **set_to})
    assert (caught.value.type, caught.value.param) == ("invalid_request_error", param)


def test_the_dimensions_it_has_may_be_asked_for(client: openai.OpenAI) -> None:
    made = client.embeddings.create(model="pincite-embedding", input="a", dimensions=384)
    assert len(made.data[0].embedding) == 384


def test_another_model_is_not_found(client: openai.OpenAI) -> None:
    with pytest.raises(openai.NotFoundError) as caught:
        client.embeddings.create(model="text-embedding-3-small", input="a")
    assert caught.value.code == "model_not_found"


def test_the_async_client_gets_the_same(address: str) -> None:
    async def asked() -> Any:
        async with openai.AsyncOpenAI(base_url=f"{address}/v1", api_key="none") as waiting:
            return await waiting.embeddings.create(model="pincite-embedding", input=TEXTS)

    found = np.array([one.embedding for one in asyncio.run(asked()).data], np.float32)
    assert np.array_equal(found, Encoder().encode(TEXTS))
