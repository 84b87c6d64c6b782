"""Sentence vectors from the model that ships in the package; needs the extra `llama-index`."""

from pincite.encoder.encode import DIMENSIONS, MAX_TOKENS, Encoder

__all__ = ["DIMENSIONS", "MAX_TOKENS", "Encoder"]
