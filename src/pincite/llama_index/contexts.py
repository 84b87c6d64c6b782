"""The nodes inside a context, and what of them may be quoted.

LlamaIndex writes a node as its metadata, one `key: value` a line, a blank line, and its text,
and joins nodes by a blank line. Metadata is no part of a document and is never quoted.
"""

from __future__ import annotations

import re

# What LlamaIndex's readers put before a text; these begin a node wherever they stand.
READER_KEYS = frozenset(
    """
    file_path file_name file_type file_size creation_date last_modified_date last_accessed_date
    page_label source filename Header_1 Header_2 Header_3 header_path
    """.split()
)
_LINE = re.compile(r"([A-Za-z_][\w.-]*): ?.*")
_PARAGRAPHS = re.compile(r"\n(?:[ \t]*\n)+")


def quotable_texts(context: str) -> tuple[str, ...]:
    """The texts of the nodes in `context`, without metadata, in order, none of them blank.

    A node without metadata cannot be told from the node before it and stays joined to it.
    """
    texts: list[str] = []
    start = position = 0
    first_keys: tuple[str, ...] | None = None
    while position <= len(context):
        border = _PARAGRAPHS.search(context, position)
        end = border.start() if border else len(context)
        keys = _metadata_keys(context[position:end])
        at_head = not context[:position].strip()
        if keys and (at_head or keys == first_keys or READER_KEYS.intersection(keys)):
            if at_head:
                first_keys = keys
            texts.append(context[start:position])
            start = end
        if border is None:
            break
        position = border.end()
    texts.append(context[start:])
    return tuple(text.strip("\n") for text in texts if text.strip())


def _metadata_keys(paragraph: str) -> tuple[str, ...] | None:
    """The keys when every line is `key: value` and the keys look like a program's, not prose."""
    lines = [_LINE.fullmatch(line) for line in paragraph.strip("\n").split("\n")]
    keys = tuple(line[1] for line in lines if line)
    if len(keys) < len(lines):
        return None
    return keys if any(key[0].islower() or key in READER_KEYS for key in keys) else None
