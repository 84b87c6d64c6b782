"""Chat completions, with the official client."""

from __future__ import annotations

import openai
import pytest

from .conftest import LAMP

CABLE = {"role": "user", "content": "How long is the cable of the desk lamp?"}
MONGOLIA = {"role": "user", "content": "What is the capital of Mongolia?"}


@pytest.fixture
def client(address: str) -> openai.OpenAI:
    return openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0)


def test_the_text_at_the_indices_of_an_annotation_is_the_quote(client: openai.OpenAI) -> None:
    made = client.chat.completions.create(model="pincite", messages=[CABLE])
    (choice,) = made.choices
    assert (choice.finish_reason, choice.message.content) == ("stop", LAMP)
    assert choice.message.annotations is not None
    (cited,) = (one.url_citation for one in choice.message.annotations)
    assert choice.message.content[cited.start_index : cited.end_index] == LAMP
    assert choice.message.model_extra is not None
    record = choice.message.model_extra["pincite"]["record"]
    assert record["citations"][0]["quote"]["exact"] == LAMP
    assert record["citations"][0]["document"]["title"] == cited.title == "Desk lamp 🔦🔦"


def test_a_refusal_is_refusal_content(client: openai.OpenAI) -> None:
    made = client.chat.completions.create(model="pincite", messages=[MONGOLIA])
    message = made.choices[0].message
    assert (message.content, message.annotations) == (None, [])
    assert message.refusal is not None
    assert message.refusal.startswith("The documents do not say.")
