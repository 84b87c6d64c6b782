"""Embeddings of OpenAI, by the encoder that comes with the package."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from pincite.encoder.encode import DIMENSIONS, MAX_TOKENS, Encoder
from pincite.encoder.session import word_pieces
from pincite.server.bodies import Body, examples
from pincite.server.compat.asked import Rejected, UnknownModel
from pincite.server.compat.said import Json

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EMBEDDING_MODEL = "pincite-embedding"
MOST_TEXTS = 2_048


class EmbeddingRequest(Body):
    """A request for the vectors of texts."""

    model_config = examples({"model": EMBEDDING_MODEL, "input": ["a gift card"]})

    model: str
    input: str | list[Any]
    encoding_format: Literal["float", "base64"] | None = None
    dimensions: int | None = None
    user: str | None = None


def texts_of(request: EmbeddingRequest) -> list[str]:
    """The texts in their order; `Rejected` for what has no vector here."""
    if request.model != EMBEDDING_MODEL:
        raise UnknownModel(request.model, known=f"{EMBEDDING_MODEL!r} for embeddings")
    if request.dimensions not in (None, DIMENSIONS):
        raise Rejected(
            f"Vectors of {EMBEDDING_MODEL} have {DIMENSIONS} dimensions, not "
            f"{request.dimensions}: leave dimensions out.",
            param="dimensions",
        )
    texts = [request.input] if isinstance(request.input, str) else request.input
    if not 1 <= len(texts) <= MOST_TEXTS:
        raise Rejected(f"Give 1 to {MOST_TEXTS} texts, not {len(texts)}.", param="input")
    for number, text in enumerate(texts):
        where = "input" if isinstance(request.input, str) else f"input.{number}"
        if not isinstance(text, str):
            raise Rejected(
                "Tokens of another model cannot be read: give texts (in LangChain, with "
                "check_embedding_ctx_length=False).",
                param=where,
            )
        if not text:
            raise Rejected("A text is empty: it has nothing to find it by.", param=where)
    return texts


def embeddings(request: EmbeddingRequest, texts: Sequence[str], encoder: Encoder) -> Json:
    """The vector of each text, in their order. `MissingExtra` where there is no model.

    Of a text only its first tokens are read; which texts are longer stands in `pincite.truncated`.
    """
    lengths = [len(word_pieces().framed(text, MAX_TOKENS + 1)) for text in texts]
    vectors = encoder.encode(texts)
    count = sum(min(length, MAX_TOKENS) for length in lengths)
    return {
        "object": "list",
        "model": request.model,
        "data": [
            {"object": "embedding", "index": number, "embedding": _written(vector, request)}
            for number, vector in enumerate(vectors)
        ],
        "usage": {"prompt_tokens": count, "total_tokens": count},
        "pincite": {
            "encoder": encoder.name,
            "truncated": [number for number, length in enumerate(lengths) if length > MAX_TOKENS],
        },
    }


def _written(vector: NDArray[np.float32], request: EmbeddingRequest) -> list[float] | str:
    if request.encoding_format == "base64":
        return base64.b64encode(vector.astype("<f4").tobytes()).decode("ascii")
    written: list[float] = vector.tolist()
    return written
