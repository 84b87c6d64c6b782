"""What must hold of a document that was read from a file: its structure, its marks, its places."""

from __future__ import annotations

import random
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from bench.reread import compare
from bench.reread_words import Found, Stretch, Verdict, decoded
from pincite.places import ChapterPlace, Mark, MemberPlace, MessagePlace, NodePlace, Place, place_of
from pincite.records import Document
from pincite.text.passages import split_passages

RANDOM_SPANS = 200
LONGEST_SPAN = 240
MOST_SENTENCES = 1_000
MOST_MARKS = 400
SHOWN = 8
"""Of each kind of finding, for reading."""

# What loaders put between words: separators, list markers, numbers of notes, names of fields.
_ADDED = re.compile(
    r"\s*(?:[-–—|:;,.·•]|: |\d+(?:\.\d+)*[.)]?|\(?[A-Za-z\d]{1,4}[.)]|\[[\dIVXLivxl]+\]"
    r"|(?:[\dIVXLivxlA-Za-z]+[.)])+|(?:From|To|Cc|Bcc|Reply-To|Date|Subject):)*\s*"
)
_MARKDOWN = re.compile(
    r"<!--.*?-->|!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)|```\w*|^\s*\|?(?:\s*:?-+:?\s*\|)+.*$|[*_`#|>\[\]\\]",
    re.M | re.S,
)
_TAG = re.compile(r"</?[A-Za-z][^>]*>")
_MARKUP = re.compile(r"<!--.*?-->|<[/?!A-Za-z][^>]*>|[{}\[\]\",:\-]", re.S)
_MOST_WORDS = 6_000


def structure_faults(document: Document) -> list[str]:
    """Where blocks or marks break what `Document` says of them."""
    faults: list[str] = []
    text, reached = document.text, 0
    for number, block in enumerate(document.blocks):
        span = block.span
        if span.start < reached or span.end > len(text):
            faults.append(f"block {number} overlaps the one before or the end: {span}")
            break
        if text[reached : span.start].strip():
            faults.append(f"outside of blocks: {text[reached : span.start].strip()[:60]!r}")
        if not span.start <= block.content.start <= block.content.end <= span.end:
            faults.append(f"block {number}: its content is not inside its span")
        reached = span.end
    if not faults and text[reached:].strip():
        faults.append(f"after the last block: {text[reached:].strip()[:60]!r}")
    reached = 0
    for number, mark in enumerate(document.marks):
        if not reached <= mark.start < mark.end <= len(text):
            faults.append(f"mark {number} is empty, out of order or outside: {mark}"[:200])
            break
        if mark.edges and len(mark.edges) != mark.end - mark.start + 1:
            faults.append(f"mark {number} has {len(mark.edges)} edges")
        reached = mark.end
    return faults[:SHOWN]


def uncovered(document: Document) -> dict[str, Any]:
    """What of the text no mark covers: the share of it, and what is no known separator."""
    text = document.text
    left: Counter[str] = Counter()
    reached = count = 0
    # Where the text is the file itself, what stands between the values is its markup.
    is_written = isinstance(document.marks[0].place, NodePlace) if document.marks else False
    ends = [(mark.start, mark.end) for mark in document.marks]
    for start, end in [*ends, (len(text), len(text))]:
        gap = text[reached:start]
        if is_written:
            gap = _MARKUP.sub("", gap)
        count += sum(not letter.isspace() for letter in gap)
        if gap.strip() and not _ADDED.fullmatch(gap):
            left[" ".join(gap.split())[:60]] += 1
        reached = end
    words = sum(not letter.isspace() for letter in text)
    return {
        "share": round(100 * count / words, 2) if words else 0.0,
        "unexplained": sum(left.values()),
        "examples": [words for words, _ in left.most_common(SHOWN)],
    }


def missing_strings(document: Document, strings: Sequence[str]) -> list[dict[str, Any]]:
    """Which of `strings` are not in the text, white space aside.

    The cells of a row, parted by wide spaces, must stand in one line in their order. In a text
    that is the file itself, markup may stand between the words. `close` says of a string that its
    letters are there, with other signs between them.
    """
    text = document.text
    shown = " ".join(text.split())
    letters = _letters(text if document.marks else _TAG.sub(" ", text))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    missing = []
    for string in strings:
        cells = [" ".join(cell.split()) for cell in re.split(r"\s{2,}", string.strip())]
        is_there = " ".join(cells) in shown
        if not is_there and len(cells) > 1:
            row = re.compile(".*".join(map(re.escape, cells)))
            is_there = any(row.search(line) for line in lines)
        close = _letters(string) in letters
        if not is_there and not (close and not document.marks):
            missing.append({"string": string, "close": close})
    return missing


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def recall_in_order(text: str, expected: str) -> tuple[float | None, list[str]]:
    """Per cent of the words of the Markdown `expected` that come in `text` in order; runs missed.

    None where it has no words.
    """
    wanted = re.findall(r"\w+", _MARKDOWN.sub(" ", expected).casefold())[:_MOST_WORDS]
    given = re.findall(r"\w+", text.casefold())[: 2 * _MOST_WORDS]
    if not wanted:
        return None, []
    missed: list[str] = []
    found = reached = 0
    for block in SequenceMatcher(None, wanted, given, autojunk=False).get_matching_blocks():
        if block.a > reached:
            missed.append(" ".join(wanted[reached : block.a])[:80])
        found += block.size
        reached = block.a + block.size
    return round(100 * found / len(wanted), 1), missed[:SHOWN]


def is_the_file(text: str, path: Path) -> bool:
    """Whether a text without marks is the decoded file, so that offsets and lines say all."""
    return text in (decoded(path.read_bytes()), *_other_readings(path.read_bytes()))


def _other_readings(data: bytes) -> Iterator[str]:
    """Of text that does not say its encoding."""
    for encoding in (
        "utf-16-le",
        "utf-16-be",
        "cp1252",
        "cp500",
        "cp037",
        "utf-32-be",
        "mac_roman",
    ):
        try:
            yield data.decode(encoding).removeprefix("\ufeff")
        except UnicodeDecodeError:
            continue


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    why: str


def reread_places(document: Document, data: bytes, name: str) -> dict[str, Any]:
    """Reads the places of many spans anew: of sentences, of marks, and of random spans."""
    outcomes: dict[str, Counter[str]] = {}
    wrong: list[dict[str, Any]] = []
    starts = [mark.start for mark in document.marks]
    for span in _spans(document, name):
        outcome = outcomes.setdefault(span.why, Counter())
        stretches = _stretches(document, starts, span)
        if not stretches:
            outcome["no words of the file"] += 1
            continue
        place = place_of(_near(document.marks, starts, span), span.start, span.end)
        if place is None:
            outcome["no one place"] += 1
            continue
        found = compare(data, name, place, stretches)
        outcome[found.verdict] += 1
        if found.verdict is Verdict.WRONG and len(wrong) < SHOWN:
            wrong.append(_shown(document, span, place, found))
    return {
        "kinds": sorted({_kind(mark.place) for mark in document.marks}),
        "outcomes": {why: dict(sorted(counted.items())) for why, counted in outcomes.items()},
        "wrong": wrong,
    }


def _spans(document: Document, name: str) -> Iterator[_Span]:
    text = document.text
    drawn = random.Random(f"{name} {len(text)}")
    sentences = [
        sentence.quote
        for passage in split_passages(document)
        for sentence in passage.sentences
        if sentence.quote.start < sentence.quote.end
    ]
    if len(sentences) > MOST_SENTENCES:
        sentences = sorted(drawn.sample(sentences, MOST_SENTENCES))
    yield from (_Span(quote.start, quote.end, "sentences") for quote in sentences)
    marks = list(document.marks)
    if len(marks) > MOST_MARKS:
        marks = drawn.sample(marks, MOST_MARKS)
    yield from (_Span(mark.start, mark.end, "marks") for mark in marks)
    for _ in range(RANDOM_SPANS if text.strip() else 0):
        start = drawn.randrange(len(text))
        end = min(len(text), start + drawn.randint(1, LONGEST_SPAN))
        yield _Span(start, end, "random spans")


def _near(marks: Sequence[Mark], starts: Sequence[int], span: _Span) -> Sequence[Mark]:
    """The marks that may touch `span`: so that a span costs the same in a document of any size."""
    first = max(0, bisect_right(starts, span.start) - 1)
    return marks[first : bisect_right(starts, span.end)]


def _stretches(document: Document, starts: Sequence[int], span: _Span) -> list[Stretch]:
    """The words of the span that come from the file; what is only repeated in it comes second."""
    touched = [
        mark
        for mark in _near(document.marks, starts, span)
        if mark.end > span.start and mark.start < span.end
    ]
    text = document.text
    own = [mark for mark in touched if not mark.secondary]
    stretches = [
        Stretch(
            text[max(mark.start, span.start) : min(mark.end, span.end)],
            text[mark.start : mark.end],
        )
        for mark in own or touched
    ]
    # Separators of a file inside of another are marked as that file, so that no gap is left.
    is_added = not own and all(_ADDED.fullmatch(one.words) for one in stretches)
    return [] if is_added or not any(one.words.strip() for one in stretches) else stretches


def _kind(place: Place) -> str:
    if isinstance(place, (ChapterPlace, MemberPlace, MessagePlace)) and place.within is not None:
        return f"{place.kind} > {_kind(place.within)}"
    return place.kind


def _shown(document: Document, span: _Span, place: Place, found: Found) -> dict[str, Any]:
    return {
        "of": span.why,
        "span": [span.start, span.end],
        "words": document.text[span.start : span.end][:120],
        "place": re.sub(r", edges=.*", "", str(place))[:300],
        "there": found.there[:200],
    }
