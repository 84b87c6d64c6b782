"""How much each word of a question says: inverse document frequency over corpus and language.

A folder of ten files is too small to tell rare words from common ones, so the corpus is counted
together with a background of `BACKGROUND_PASSAGES` passages of general English, known only by
how large a share of them each common stem occurs in (`background.json`, built by
`training/background.py`). In a large corpus the background fades.
"""

from __future__ import annotations

import functools
import json
import math
import pkgutil
from collections.abc import Mapping, Sequence

BACKGROUND_PASSAGES = 2_000


@functools.cache
def _background() -> dict[str, dict[str, float]]:
    """By language: the share of passages that hold each term."""
    # `importlib.resources` would take longer to load than all that is read here.
    content = pkgutil.get_data("pincite.retrieval", "background.json") or b""
    shares: dict[str, dict[str, float]] = json.loads(content)["shares"]
    return shares


def is_common(term: str, language: str) -> bool:
    """Whether general text in `language` has the term; False where nothing is known of it."""
    return term in _background().get(language, {})


def term_weights(
    terms: Mapping[str, Sequence[str]], frequencies: Mapping[str, int], passage_count: int
) -> dict[str, float]:
    """The weight of every term of a question, > 0.

    ln(1 + (N - n + 1/2) / (n + 1/2)), with n the passages that hold the term and N all of them,
    background included. A term asked for in several languages takes the lowest weight of them.
    """
    weights: dict[str, float] = {}
    for language in sorted(terms):
        shares = _background().get(language)
        for term in terms[language]:
            count = passage_count
            holding = float(frequencies.get(term, 0))
            if shares is not None:
                count += BACKGROUND_PASSAGES
                holding += BACKGROUND_PASSAGES * shares.get(term, 0.0)
            holding = min(holding, count)
            weight = math.log1p((count - holding + 0.5) / (holding + 0.5))
            weights[term] = min(weight, weights.get(term, weight))
    return weights
