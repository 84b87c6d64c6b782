"""Texts that a prompt counts: `Source 2:`, `Document 2:`, `(2) …`.

A document may say `Source 2:` too. Only after a blank line it could be the prompt's; numbers run on
by one, so the longest such run is taken, and of two the one that stands later; where metadata is
printed before the numbers, only a number after the same metadata counts. Without metadata, a
paragraph that forges the number of its own source or the next one can still be taken for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite.llama_index.contexts import (
    about_at_end,
    described_texts,
    leading_keys,
    trailing_keys,
)
from pincite.prompted import About


@dataclass(frozen=True, slots=True)
class _Run:
    length: int
    line: re.Match[str]
    after: _Run | None


def headed_texts(context: str, word: str, *, alone: int = 0) -> list[tuple[int, str]]:
    """The texts under lines such as `Source 2:`, each with its number.

    A text before the first number belongs to the number before that one; `alone` is the number
    where there is none at all.
    """
    return [(number, text) for number, text, _ in headed_and_described(context, word, alone=alone)]


def headed_and_described(
    context: str, word: str, *, alone: int = 0
) -> list[tuple[int, str, About]]:
    """The same, each with what the metadata before its number says of it."""
    # LlamaIndex leaves a blank line before each.
    head = rf"(?:(?<=\n\n)|\A\s*){word} (\d{{1,6}}):[ \t]*$"
    lines = list(re.finditer(head, context, re.MULTILINE))
    keys = leading_keys(context[: lines[0].start()]) if lines else ()
    if keys:
        lines = [line for line in lines if trailing_keys(context[: line.start()], keys)]
    run = _run(lines)
    first = int(run[0][1]) - 1 if run else alone
    starts = [0, *(line.end() for line in run)]
    ends = [*(line.start() for line in run), len(context)]
    return [
        (number, text, about_at_end(context[:start].rpartition("\n")[0], keys) if start else own)
        for number, (start, end) in enumerate(zip(starts, ends, strict=True), start=first)
        for text, own in described_texts(context[start:end])
    ]


def listed_texts(context: str) -> list[str]:
    """The texts of a list `(1) …`, each on a line of its own as LlamaIndex writes them."""
    lines = list(re.finditer(r"^\((\d{1,6})\) ", context, re.MULTILINE))
    run = _run([line for line in lines if int(line[1]) <= len(lines)])
    ends = [*(line.start() for line in run[1:]), len(context)][: len(run)]
    return [context[line.end() : end].strip() for line, end in zip(run, ends, strict=True)]


def _run(lines: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """The longest run of numbers that go up by one, of several the last."""
    longest: dict[int, _Run] = {}
    """By its first number, the longest run among the lines from here to the end."""
    for line in reversed(lines):
        number = int(line[1])
        after = longest.get(number + 1)
        held = longest.get(number)
        length = 1 + (after.length if after else 0)
        if held is None or length > held.length:
            longest[number] = _Run(length, line, after)
    run = []
    link = max(longest.values(), key=lambda one: one.length, default=None)
    while link is not None:
        run.append(link.line)
        link = link.after
    return run
