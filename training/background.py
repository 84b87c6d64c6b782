"""Counts in how many passages of general text each common stem occurs.

    python -m training.background DIR

DIR holds folders with corpus.jsonl(.gz): {doc_id, title, text}. Writes
src/pincite/retrieval/background.json: per language the share of 100-word passages that hold
each term, averaged over the folders, for terms in at least one passage of 2,000. Only counts
are kept, no text.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pincite.text.languages import detect
from pincite.text.tokens import tokens

TARGET = Path(__file__).parents[1] / "src/pincite/retrieval/background.json"
PASSAGE_TOKENS = 100
SMALLEST_SHARE = 1 / 2_000
SMALLEST_SAMPLE = 300
LANGUAGE = "en"


def texts(path: Path) -> Iterator[str]:
    """The document texts of one corpus file, in order."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        for line in lines:
            yield json.loads(line)["text"]


def corpus_shares(path: Path) -> dict[str, float]:
    """Share of the English passages of one corpus that hold each term; empty if there are few."""
    holding: Counter[str] = Counter()
    passages = 0
    for text in texts(path):
        if detect(text) != LANGUAGE:
            continue
        found = tokens(text, LANGUAGE)
        for start in range(0, len(found), PASSAGE_TOKENS):
            window = found[start : start + PASSAGE_TOKENS]
            if len(window) >= PASSAGE_TOKENS // 2:
                passages += 1
                holding.update({term for token in window for term in token.terms})
    if passages < SMALLEST_SAMPLE:
        return {}
    return {term: n / passages for term, n in holding.items()}


def general_shares(folder: Path) -> dict[str, float]:
    """The mean share over the corpora below `folder`: each field of text counts the same."""
    corpora = [
        shares for path in sorted(folder.glob("*/corpus.jsonl*")) if (shares := corpus_shares(path))
    ]
    every_term = sorted({term for shares in corpora for term in shares})
    means = {
        term: sum(shares.get(term, 0.0) for shares in corpora) / len(corpora) for term in every_term
    }
    return {
        term: round(mean, 5)
        for term, mean in means.items()
        if mean >= SMALLEST_SHARE and not any(map(str.isdigit, term))
    }


def main() -> None:
    shares = {LANGUAGE: general_shares(Path(sys.argv[1]))}
    TARGET.write_text(
        json.dumps(
            {"unit": "share of 100-word passages", "shares": shares}, ensure_ascii=False, indent=0
        )
        + "\n"
    )
    print({language: len(found) for language, found in shares.items()}, TARGET.stat().st_size)


if __name__ == "__main__":
    main()
