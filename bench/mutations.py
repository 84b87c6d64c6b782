"""True quotes of real texts, and what is made of them by rule: other words, and other layouts.

A checker of quotes has to refuse the first and to accept the second. Three are measured: Pincite's,
and two methods that public checkers use.
"""

from __future__ import annotations

import difflib
import random
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from bench.data import DataSet
from pincite.answering.composition import is_quotable
from pincite.loaders import document_of_text
from pincite.records import BlockKind, Document
from pincite.text.passages import split_passages
from pincite.verifying.content import Content, content_of
from pincite.verifying.governing import left_out
from pincite.verifying.matching import occurrences_in

SEED = 20_260_102
SHORTEST, LONGEST = 30, 400
FUZZY = 0.8
_SMALL = 10_000

_NUMBER = re.compile(r"\d[\d,.]*\d|\d")
_UNITS = (
    ("days", "weeks"),
    ("day", "week"),
    ("hours", "minutes"),
    ("months", "years"),
    ("month", "year"),
    ("years", "months"),
    ("million", "billion"),
    ("percent", "per mille"),
    ("%", "‰"),
    ("$", "€"),
    ("USD", "EUR"),
    ("km", "miles"),
    ("kg", "g"),
    ("mg", "g"),
    ("MB", "GB"),
    ("seconds", "minutes"),
)
_MODALS = (
    ("must", "may"),
    ("may", "must"),
    ("shall", "may"),
    ("can", "may"),
    ("should", "must"),
    ("will", "may"),
    ("only", "also"),
    ("all", "some"),
    ("any", "every"),
    ("always", "often"),
    ("and", "or"),
    ("before", "after"),
    ("more", "less"),
)
_MONTHS = (
    "January February March April May June July August September October November December"
).split()
_AUXILIARY = re.compile(r"\b(?:is|are|was|were|can|may|must|shall|should|will|does|do|has|have)\b")
_NEGATION = re.compile(r"\b(?:not|never) |\bcannot\b|(?<=\w)n't\b|\bno (?=[a-z])")
_EXCEPTION = re.compile(
    r"[,;]? (?:unless|except|provided that|only if|if|but|however|excluding|other than|subject to|"
    r"although|as long as|until|without)\b"
)
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}\b")
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")

Accepts = Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Case:
    """What is to be asked of a checker: a quote, and whether the text says it."""

    kind: str
    quote: str
    text: str
    is_true: bool


class Text:
    """A document to look for quotes in, prepared once for each checker."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.content: Content = content_of(text)
        self.plain = plain(text)

    def by_pincite(self, quote: str) -> bool:
        """Whether it stands there whole, and nothing of its sentence limits it."""
        spans = occurrences_in(quote, self.content)
        return any(left_out(self.text, span) is None for span in spans)

    def by_substring(self, quote: str) -> bool:
        """Whether it is in the text, case, spaces and the styles of signs aside."""
        return plain(quote) in self.plain


def by_ratio(quote: str, sentence: str, text: Text) -> bool:
    """Whether a stretch of the text is like it to 0.8: it is in there, or like its sentence."""
    if text.by_substring(quote):
        return True
    return difflib.SequenceMatcher(None, plain(quote), plain(sentence), False).ratio() >= FUZZY


def plain(text: str) -> str:
    """A text as plain checkers compare it."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    for signs, sign in (("‘’‚‛", "'"), ("“”„‟«»", '"'), ("‐‑‒–—―−", "-"), ("\u200b\u00ad", "")):
        folded = re.sub(f"[{signs}]", sign, folded)
    return " ".join(folded.split())


def measure(sets: Sequence[DataSet], *, quotes: int) -> dict[str, Any]:
    """What each checker makes of `quotes` true quotes of the sets, and of what is made of them."""
    draw = random.Random(SEED)
    per_set = -(-quotes // len(sets))
    asked: Counter[str] = Counter()
    accepted: dict[str, Counter[str]] = {
        name: Counter() for name in ("pincite", "substring", "fuzzy")
    }
    wrong: list[dict[str, str]] = []
    for data in sets:
        for document, sentences in _chosen(data, per_set, draw):
            text = Text(document.text)
            said = {" ".join(one.split()) for one in sentences_of(document)}
            names = sorted(set(_NAME.findall(document.text)))
            for sentence in sentences:
                for case in _cases(sentence, text, said, names, draw):
                    asked[case.kind] += 1
                    held = text if case.text is text.text else Text(case.text)
                    answers = {
                        "pincite": held.by_pincite(case.quote),
                        "substring": held.by_substring(case.quote),
                        "fuzzy": by_ratio(case.quote, sentence, held),
                    }
                    for name, yes in answers.items():
                        accepted[name][case.kind] += yes
                    if answers["pincite"] != case.is_true and len(wrong) < 200:
                        wrong.append({"set": data.name, "kind": case.kind, "quote": case.quote})
    return {
        "sets": [data.name for data in sets],
        "asked": dict(sorted(asked.items())),
        "accepted": {name: dict(sorted(found.items())) for name, found in accepted.items()},
        "wrong": wrong,
    }


def rows(record: dict[str, Any]) -> Iterator[Sequence[Any]]:
    """For each kind: how many, and how many of them each checker accepted."""
    kinds = [*record["asked"], "all mutations", "all layouts"]
    for kind in kinds:
        yield (
            kind,
            count(record["asked"], kind),
            *(count(found, kind) for found in record["accepted"].values()),
        )


def count(found: dict[str, int], kind: str) -> int:
    """Of a kind, or of all mutations or layouts."""
    if kind.startswith("all "):
        group = "mutated: " if kind == "all mutations" else "layout: "
        return sum(number for name, number in found.items() if name.startswith(group))
    return found.get(kind, 0)


def holds(record: dict[str, Any]) -> bool:
    """No mutation accepted, at most 1 % of the layouts and of the true quotes refused."""
    asked, found = record["asked"], record["accepted"]["pincite"]
    return count(found, "all mutations") == 0 and all(
        count(asked, kind) - count(found, kind) <= count(asked, kind) / 100
        for kind in ("all layouts", "true")
    )


def sentences_of(document: Document) -> Iterator[str]:
    """The sentences that Pincite would quote."""
    for passage in split_passages(document):
        for sentence in passage.sentences:
            if is_quotable(sentence):
                yield sentence.quote.of(document.text)


def _chosen(
    data: DataSet, quotes: int, draw: random.Random
) -> Iterator[tuple[Document, list[str]]]:
    """Documents in a drawn order with some whole sentences of each, until there are enough."""
    order = list(data.documents)
    draw.shuffle(order)
    left = quotes
    for source in order:
        if left <= 0:
            return
        document = document_of_text(source.text, name=_name(source.doc_id))
        whole = [
            sentence.quote.of(document.text)
            for passage in split_passages(document)
            for sentence in passage.sentences
            if sentence.kind in (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM)
            and SHORTEST <= sentence.quote.end - sentence.quote.start <= LONGEST
            and document.text[sentence.quote.end - 1] in ".!?。！？"
        ]
        found = draw.sample(whole, min(len(whole), 40, left))
        left -= len(found)
        if found:
            yield document, found


def _name(doc_id: str) -> str:
    return "document.md" if doc_id.endswith(".md") else "document.txt"


def _cases(
    sentence: str, text: Text, said: set[str], names: Sequence[str], draw: random.Random
) -> Iterator[Case]:
    yield Case("true", sentence, text.text, True)
    for kind, mutated in mutations(sentence, names, draw):
        # What another sentence of the document says, or begins or ends with, is true.
        is_said = " ".join(mutated.split()) in said or text.text.count(mutated) > 1
        if mutated != sentence and not is_said:
            yield Case(f"mutated: {kind}", mutated, text.text, False)
    for kind, quote in layouts(sentence, draw):
        if quote == sentence:
            continue
        # Now and then it is the document that is laid out otherwise, which takes longer.
        if len(text.text) > _SMALL or draw.random() < 0.8:
            yield Case(f"layout: {kind}", quote, text.text, True)
        else:
            yield Case(f"layout: {kind}", sentence, text.text.replace(sentence, quote), True)


def mutations(
    sentence: str, names: Sequence[str], draw: random.Random
) -> Iterator[tuple[str, str]]:
    """The kind, and the sentence saying something else; a rule that finds nothing gives nothing."""
    if numbers := list(_NUMBER.finditer(sentence)):
        found = draw.choice(numbers)
        place = draw.randrange(found.start(), found.end())
        if sentence[place].isdigit():
            other = draw.choice([digit for digit in "123456789" if digit != sentence[place]])
            yield "number", sentence[:place] + other + sentence[place + 1 :]
        yield "number", sentence[: found.end()] + draw.choice("123") + sentence[found.end() :]
        if found.end() - found.start() > 1:
            yield "number", sentence[: found.start()] + sentence[found.start() + 1 :]
            yield "truncation", sentence[: found.end() - 1]
        # Not inside of a name such as A-4.
        if found.start() and sentence[found.start() - 1] == " ":
            yield "sign", sentence[: found.start()] + "-" + sentence[found.start() :]
        if found.start() and sentence[found.start() - 1] in "-−$€£+":
            yield "sign", sentence[: found.start() - 1] + sentence[found.start() :]
            yield "truncation", sentence[found.start() :]
        if len(numbers) > 1:
            one, other = numbers[0], numbers[-1]
            yield (
                "order",
                sentence[: one.start()]
                + other[0]
                + sentence[one.end() : other.start()]
                + one[0]
                + sentence[other.end() :],
            )
    for kind, pairs in (("unit", _UNITS), ("modal", _MODALS)):
        for one, other in pairs:
            if found_word := re.search(rf"(?<!\w){re.escape(one)}(?!\w)", sentence):
                before = sentence[: found_word.start()]
                if kind == "unit" and one != "$" and not re.search(r"\d[ -]?$", before):
                    continue
                yield kind, sentence[: found_word.start()] + other + sentence[found_word.end() :]
                break
    if found_word := _NEGATION.search(sentence):
        less = "can" if found_word[0] == "cannot" else ""
        yield "negation", sentence[: found_word.start()] + less + sentence[found_word.end() :]
        rest = sentence[found_word.end() :].lstrip()
        if len(rest) >= SHORTEST:
            yield "truncation", rest
    elif found_word := _AUXILIARY.search(sentence):
        yield "negation", sentence[: found_word.end()] + " not" + sentence[found_word.end() :]
    if found_names := list(_NAME.finditer(sentence)):
        found = draw.choice(found_names)
        others = [name for name in names if name != found[0]]
        if others:
            yield "name", sentence[: found.start()] + draw.choice(others) + sentence[found.end() :]
    if found_word := _YEAR.search(sentence):
        year = str(int(found_word[0]) + draw.choice((-1, 1, 10)))
        yield "date", sentence[: found_word.start()] + year + sentence[found_word.end() :]
    for month in _MONTHS:
        if found_word := re.search(rf"\b{month}(?= \d)", sentence):
            other = draw.choice([name for name in _MONTHS if name != month])
            yield "date", sentence[: found_word.start()] + other + sentence[found_word.end() :]
            break
    words = sentence.split(" ")
    if len(words) > 4:
        place = draw.randrange(1, len(words) - 2)
        words[place], words[place + 1] = words[place + 1], words[place]
        if words[place] != words[place + 1]:
            yield "order", " ".join(words)
    if (found_word := _EXCEPTION.search(sentence)) and found_word.start() >= SHORTEST:
        yield "truncation", sentence[: found_word.start()]


def layouts(sentence: str, draw: random.Random) -> Iterator[tuple[str, str]]:
    """The kind, and the sentence laid out otherwise."""
    spaces = [found.start() for found in re.finditer(r"(?<=\w) (?=[^\W\d_])", sentence)]
    if spaces:
        place = draw.choice(spaces)
        for kind, gap in (
            ("line wrap", draw.choice(("\n", "\r\n", "\n    "))),
            ("no-break space", "\u00a0"),
            ("wide spaces", draw.choice(("  ", "\u2003", "\t", " \u200b"))),
        ):
            yield kind, sentence[:place] + gap + sentence[place + 1 :]
        yield "every space", "\n".join(sentence.split(" "))
    long = list(re.finditer(r"\b[a-zà-ÿ]{7,}\b", sentence))
    if long:
        found = draw.choice(long)
        place = draw.randrange(found.start() + 3, found.end() - 2)
        yield "hyphen at a line end", sentence[:place] + "-\n" + sentence[place:]
        yield "soft hyphen", sentence[:place] + "\u00ad" + sentence[place:]
        yield "zero-width space", sentence[:place] + "\u200b" + sentence[place:]
    for letters, ligature in (("ffi", "ﬃ"), ("fi", "ﬁ"), ("fl", "ﬂ"), ("ff", "ﬀ")):
        if letters in sentence:
            yield "ligature", sentence.replace(letters, ligature)
            break
    if "'" in sentence or '"' in sentence:
        yield "quotation marks", sentence.replace("'", "’").replace('"', "“")
    if "’" in sentence or "“" in sentence:
        yield "quotation marks", re.sub("[“”]", '"', sentence.replace("’", "'"))
    if found_dash := re.search(r"(?<=\w)[-–](?=\w)|(?<= )[-–](?= )", sentence):
        other = "–" if found_dash[0] == "-" else "-"
        yield "dash", sentence[: found_dash.start()] + other + sentence[found_dash.end() :]
    decomposed = unicodedata.normalize("NFD", sentence)
    yield "accents apart", decomposed
