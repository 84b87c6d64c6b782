"""The methods Pincite is measured against, on the same texts in the same run.

- `Lesson`: BM25 over chunks of about 90 words, the two best chunks, and of their sentences the
  one that shares most words with the question, words longer than three letters by their first
  five; fewer than two shared words is a refusal.
- `SentenceBm25`: BM25 over single sentences, cut and stemmed as Pincite does; a score of zero is
  a refusal. What Pincite reaches beyond it comes from ranking and refusing, not from analysis.

Neither looks at earlier turns. The lesson's search sees the name of the file with each chunk, as
its library puts it there; its choice of a sentence does not.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import Protocol

import numpy as np

from bench.data import DataSet, Question, SourceText
from bench.measure import Outcome, Quoted
from pincite.loaders import load
from pincite.records import BlockKind
from pincite.text.passages import split_passages
from pincite.text.tokens import terms

_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"[^\n\r]+?(?:[.!?]+(?=\s)|(?=[\n\r])|\Z)")
_NOT_A_SENTENCE = re.compile(r"#{1,6}\s|[a-z_]+: ")
CHUNK_WORDS = 90
CHUNKS_READ = 2
SHARED_WORDS_NEEDED = 2

_NOTHING = np.array([], dtype=np.int64)

Place = tuple[str, int, int]
"""Document id, start and end."""


class Peer(Protocol):
    """A method that answers a question with words from the corpus, or refuses."""

    def answer(self, question: Question) -> tuple[Place | None, float]:
        """The place quoted, None for a refusal, and a score that is higher when surer."""


class Bm25:
    """Okapi BM25 over bags of terms; equal scores rank in the order given."""

    K1 = 1.2
    B = 0.75

    def __init__(self, bags: Sequence[Sequence[str]]) -> None:
        lengths = np.array([len(bag) for bag in bags], dtype=np.float64)
        norms = self.K1 * (1 - self.B + self.B * lengths / max(1.0, lengths.mean()))
        postings: dict[str, list[tuple[int, int]]] = {}
        for number, bag in enumerate(bags):
            for term, count in Counter(bag).items():
                postings.setdefault(term, []).append((number, count))
        self._count = len(bags)
        self._postings: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        for term, entries in postings.items():
            numbers, counts = np.array(entries, dtype=np.int64).T
            idf = np.log(1 + (len(bags) - len(entries) + 0.5) / (len(entries) + 0.5))
            weights = idf * counts * (self.K1 + 1) / (counts + norms[numbers])
            self._postings[term] = (numbers, weights)

    def best(
        self, query: Iterable[str], *, limit: int, within: np.ndarray | None = None
    ) -> list[tuple[int, float]]:
        """Up to `limit` (number, score) with a score above zero, best first."""
        scores = np.zeros(self._count)
        for term in sorted(set(query)):
            if term in self._postings:
                numbers, weights = self._postings[term]
                scores[numbers] += weights
        chosen = np.arange(self._count) if within is None else within
        order = chosen[np.argsort(-scores[chosen], kind="stable")[:limit]]
        return [(int(number), float(scores[number])) for number in order if scores[number] > 0]


class Lesson:
    """The best sentence of the two best chunks, by shared five-letter stems."""

    def __init__(self, documents: Iterable[SourceText], paths: dict[str, str]) -> None:
        self._chunks: list[list[Place]] = []
        self._texts = {document.doc_id: document.text for document in documents}
        for doc_id, text in self._texts.items():
            self._chunks += _chunks(doc_id, text)
        names = {doc_id: _words(PurePosixPath(path).stem) for doc_id, path in paths.items()}
        self._search = Bm25(
            [
                names[chunk[0][0]] + [w for place in chunk for w in _words(self._text(place))]
                for chunk in self._chunks
            ]
        )
        self._inside = _numbers_by_document(chunk[0][0] for chunk in self._chunks)

    def answer(self, question: Question) -> tuple[Place | None, float]:
        within = None if question.scope is None else self._inside.get(question.scope, _NOTHING)
        found = self._search.best(_words(question.text), limit=CHUNKS_READ, within=within)
        wanted = _stems(question.text)
        best: Place | None = None
        shared = 0
        for number, _ in found:
            for place in self._chunks[number]:
                text = self._text(place)
                in_common = len(wanted & _stems(text))
                if in_common > shared and not _NOT_A_SENTENCE.match(text):
                    best, shared = place, in_common
        return (best if shared >= SHARED_WORDS_NEEDED else None), float(shared)

    def _text(self, place: Place) -> str:
        doc_id, start, end = place
        return self._texts[doc_id][start:end]


class SentenceBm25:
    """The sentence with the best BM25 score."""

    def __init__(self, folder: Path, paths: dict[str, str]) -> None:
        self._places: list[Place] = []
        bags = []
        languages = set()
        for doc_id, path in paths.items():
            document = load(folder / path, name=path)
            languages.add(document.language)
            for passage in split_passages(document):
                for sentence in passage.sentences:
                    if sentence.kind is BlockKind.HEADING or not sentence.quote.of(document.text):
                        continue
                    self._places.append((doc_id, sentence.quote.start, sentence.quote.end))
                    bags.append(terms(sentence.quote.of(document.text), document.language))
        self._search = Bm25(bags)
        self._languages = sorted(languages)
        self._inside = _numbers_by_document(place[0] for place in self._places)

    def answer(self, question: Question) -> tuple[Place | None, float]:
        query = [term for code in self._languages for term in terms(question.text, code)]
        within = None if question.scope is None else self._inside.get(question.scope, _NOTHING)
        for number, score in self._search.best(query, limit=1, within=within):
            return self._places[number], score
        return None, 0.0


def ask_all(
    peer: Peer, questions: Iterable[Question], texts: Callable[[Place], str]
) -> list[Outcome]:
    """What the peer does with each question; `texts` gives the words at a place."""
    outcomes = []
    for question in questions:
        started = time.perf_counter()
        place, score = peer.answer(question)
        seconds = time.perf_counter() - started
        quotes = (Quoted(*place, exact=texts(place)),) if place else ()
        outcomes.append(Outcome(place is None, score, quotes, seconds))
    return outcomes


def text_at(data: DataSet) -> Callable[[Place], str]:
    """Looks up the words at a place of the corpus."""
    texts = {document.doc_id: document.text for document in data.documents}
    return lambda place: texts[place[0]][place[1] : place[2]]


def sentence_places(doc_id: str, text: str) -> list[Place]:
    """Sentences after . ! ? and at line ends, without the white space around them."""
    places = []
    for match in _SENTENCE.finditer(text):
        words = match.group().strip()
        if words:
            start = match.start() + match.group().index(words)
            places.append((doc_id, start, start + len(words)))
    return places


def _chunks(doc_id: str, text: str) -> list[list[Place]]:
    chunks: list[list[Place]] = []
    size = 0
    for place in sentence_places(doc_id, text):
        words = len(_WORD.findall(text[place[1] : place[2]]))
        if not chunks or size + words > CHUNK_WORDS:
            chunks.append([])
            size = 0
        chunks[-1].append(place)
        size += words
    return chunks


def _numbers_by_document(doc_ids: Iterable[str]) -> dict[str, np.ndarray]:
    numbers: dict[str, list[int]] = {}
    for number, doc_id in enumerate(doc_ids):
        numbers.setdefault(doc_id, []).append(number)
    return {doc_id: np.array(found) for doc_id, found in numbers.items()}


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _stems(text: str) -> set[str]:
    return {word[:5] for word in _words(text) if len(word) > 3}
