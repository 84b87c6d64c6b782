"""How well texts fit a question or another text, by the words they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from pincite.engine import search
from pincite.loaders import document_of_text
from pincite.store.memory import MemoryCorpus
from pincite.text.languages import detect
from pincite.text.passages import split_passages
from pincite.text.stop_words import stop_words
from pincite.text.tokens import terms, tokens


def fit(question: str, texts: Sequence[str]) -> list[float]:
    """For each text how well it fits, 0.0 where it shares no word with the question."""
    scores = [0.0] * len(texts)
    if not question.strip() or not any(text.strip() for text in texts):
        return scores
    names = [f"{number:06}.txt" for number in range(len(texts))]
    documents = [document_of_text(text, name=name) for name, text in zip(names, texts, strict=True)]
    passages = [passage for document in documents for passage in split_passages(document)]
    if not passages:
        return scores
    for found in search(question, MemoryCorpus(documents, passages), limit=len(passages)):
        number = names.index(found.document.path)
        scores[number] = max(scores[number], found.score)
    return scores


def best_first(scores: Sequence[float]) -> list[int]:
    """Places by score, the highest first, equal ones in their order."""
    return sorted(range(len(scores)), key=lambda place: (-scores[place], place))


def overlap(one: str, other: str) -> float:
    """The F1 of the words of two texts: 1.0 for the same words, 0.0 for none in common."""
    language = detect(f"{one}\n{other}")
    mine, theirs = Counter(terms(one, language)), Counter(terms(other, language))
    shared = (mine & theirs).total()
    return round(2 * shared / (mine.total() + theirs.total()), 6) if shared else 0.0


def keywords(text: str, limit: int) -> list[str]:
    """The words of a text that say what it is about, most frequent first, as first written."""
    language = detect(text)
    common = stop_words(language if language != "und" else "en")
    first: dict[str, str] = {}
    count: Counter[str] = Counter()
    for token in tokens(text, language):
        word = text[token.start : token.end]
        if word.casefold() not in common and token.terms and (len(word) > 1 or word.isdigit()):
            first.setdefault(token.terms[0], word)
            count[token.terms[0]] += 1
    return [first[term] for term, _ in count.most_common(max(limit, 0))]
