"""The nodes inside a context, and what of them may be quoted.

LlamaIndex writes a node as its metadata, one `key: value` a line, a blank line, and its text,
and joins nodes by a blank line, or, in simple_summarize, by a line break alone.
Metadata is no part of a document and is never quoted.
"""

from __future__ import annotations

import re

from pincite.prompted import About

# What LlamaIndex's readers put before a text; these begin a node wherever they stand.
READER_KEYS = frozenset(
    """
    file_path file_name file_type file_size creation_date last_modified_date last_accessed_date
    page_label source filename Header_1 Header_2 Header_3 header_path headings
    """.split()
)
HEADINGS = "headings: "
_LINE = re.compile(r"([A-Za-z_][\w.-]*): ?.*")
_STEPS = tuple(
    re.compile(rf"(?:\A|\n\n)\n?{asked}: (?P<question>[^\n]*)\n{said}: ")
    for asked, said in (("Sub question", "Response"), ("Question", "Answer"))
)
"""Before the answers to parts of a question, as SubQuestionQueryEngine and MultiStepQueryEngine
make nodes of them."""
_BORDER = re.compile(r"(?<=[.!?:;…。！？]\n)[ \t]*[-=]{3,}[ \t]*(?=\r?\n|\Z)")
_PARAGRAPHS = re.compile(r"\n(?:[ \t]*\n)+")


def quotable_texts(context: str) -> tuple[str, ...]:
    """The texts of the nodes in `context`, without metadata, in order, none of them blank.

    A node without metadata cannot be told from the node before it and stays joined to it. Of
    answers to parts of a question, as LlamaIndex lists them, the questions are left out.
    """
    return tuple(text for text, _ in described_texts(context))


def described_texts(context: str) -> tuple[tuple[str, About], ...]:
    """The same texts, each with what its metadata says of it."""
    for asked in _STEPS:
        if asked.match(context):
            _, *parts = asked.split(context)
            pairs = zip(parts[::2], parts[1::2], strict=True)
            return tuple(
                (answer.strip(), About(heading_path=(question,)))
                for question, answer in pairs
                if answer.strip()
            )
    found: list[tuple[str, list[str]]] = []
    metadata: list[str] = []
    start = position = 0
    first_keys: tuple[str, ...] | None = None
    while position <= len(context):
        border = _PARAGRAPHS.search(context, position)
        paragraph = context[position : border.start() if border else len(context)].rstrip("\n")
        lines = paragraph.lstrip("\n").split("\n")
        count = 0
        if first_keys is not None:
            count = _metadata_lines(lines, first_keys)
        elif paragraph.strip():
            first_keys = _first_keys(lines)
            count = len(first_keys)
        if count:
            end = position + len(paragraph)
            found.append((context[start : end - len("\n".join(lines[-count:]))], metadata))
            metadata = lines[-count:]
            start = end
        if border is None:
            break
        position = border.end()
    found.append((context[start:], metadata))
    return tuple((text.strip("\n"), _about(lines)) for text, lines in found if text.strip())


def is_step(text: str) -> bool:
    """Whether a node's text is the answer to a part of a question, which a model gave before."""
    return any(asked.match(text) for asked in _STEPS)


def _about(metadata: list[str]) -> About:
    """The headings a text stands under, as Pincite's nodes name them; the first is its title."""
    named = [line.removeprefix(HEADINGS) for line in metadata if line.startswith(HEADINGS)]
    headings = tuple(named[-1].strip().split(" > ")) if named else ()
    return About(headings[0] if headings else "", headings)


def without_rules(text: str) -> str:
    """`text` with every rule of dashes right below a sentence made blank, of the same length.

    A title is underlined; below a sentence the rule is a border, and makes no heading of it.
    """
    return _BORDER.sub(lambda rule: " " * len(rule.group()), text)


def leading_keys(text: str) -> tuple[str, ...]:
    """The metadata keys in the last paragraph of `text`; none where it may be prose."""
    paragraphs = _PARAGRAPHS.split(text.strip())
    return _first_keys(paragraphs[-1].split("\n"))


def trailing_keys(text: str, keys: tuple[str, ...]) -> bool:
    """Whether `text` ends in lines of metadata with these keys."""
    lines = text.rstrip().split("\n")
    return _keys(lines[-len(keys) :]) == keys


def about_at_end(text: str, keys: tuple[str, ...]) -> About:
    """What the lines of metadata with these keys say that `text` ends in."""
    return _about(text.rstrip().split("\n")[-len(keys) :] if keys else [])


def _first_keys(lines: list[str]) -> tuple[str, ...]:
    """The metadata keys a context begins with; none where the lines may be prose."""
    keys = _keys(lines)
    return keys if any(key[0].islower() or key in READER_KEYS for key in keys) else ()


def _metadata_lines(lines: list[str], first_keys: tuple[str, ...]) -> int:
    """How many lines at the end of a paragraph begin the next node; 0 when it goes on."""
    if first_keys and _keys(lines[-len(first_keys) :]) == first_keys:
        return len(first_keys)
    if READER_KEYS.intersection(_keys(lines)):
        return len(lines)
    count = 0
    while count < len(lines) and READER_KEYS.intersection(_keys([lines[-count - 1]])):
        count += 1
    return count


def _keys(lines: list[str]) -> tuple[str, ...]:
    """The keys when every line is `key: value` with a key of one word; none otherwise."""
    keys = tuple(line[1] for line in map(_LINE.fullmatch, lines) if line)
    return keys if len(keys) == len(lines) else ()
