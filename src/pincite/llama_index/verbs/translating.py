"""Forms for other programs: queries, triplets, fields, masks.

No query is made up. Where a language allows it, the query finds nothing, and what reads its result
says so; where it does not, the query finds everything.
"""

from __future__ import annotations

import json
import re

from pincite.llama_index.prompts import Recognised

_RELATION = re.compile(
    r"(?:^|(?<=[.!?]\s)|(?<=\n))(?P<subject>[A-Z][^.,;:!?\n]{1,60}?) "
    r"(?P<verb>is|are|was|were|has|have|needs?|costs?|weighs?|takes?) "
    r"(?P<object>[^.,;:!?\n]{1,80}(?:\.\d[^.,;:!?\n]*)?)(?=[.!?])"
)
_NAMED = re.compile(r"^\W*(?P<name>\w[\w -]{0,40}?)\s*[:=]\s*(?P<value>\S.*)$", re.MULTILINE)
_PERSONAL = (
    ("EMAIL", re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+\w")),
    ("URL", re.compile(r"https?://\S+")),
    ("CARD", re.compile(r"\b(?:\d[ -]?){12,18}\d\b")),
    ("PHONE", re.compile(r"(?<![\w.-])\+?\d[\d ()/-]{6,}\d\b")),
)
_AFTER = re.compile(r"\b(?:after|next|then|later|following|afterwards)\b", re.IGNORECASE)
_BEFORE = re.compile(r"\b(?:before|previous(?:ly)?|earlier|prior|first)\b", re.IGNORECASE)


def triplets(prompt: Recognised) -> str:
    """Sentences of the form "X is Y", as `(X, is, Y)`, a line each; in words of the text."""
    limit = prompt.fields.get("max_knowledge_triplets", "").strip()
    text = "\n".join(prompt.contexts)
    found = [f"({m['subject']}, {m['verb']}, {m['object']})" for m in _RELATION.finditer(text)]
    return "\n".join(found[: int(limit) if limit.isdecimal() else 10])


def triplets_json(prompt: Recognised) -> str:
    """None: types of things are not told by a text itself."""
    return "[]"


def fields(prompt: Recognised) -> str:
    """Lines `name: value` of the text whose name the schema has."""
    wanted = set(re.findall(r"\w+", prompt.fields.get("schema", "").casefold()))
    found = {
        match["name"].strip(): match["value"].strip()
        for match in _NAMED.finditer("\n".join(prompt.contexts))
        if set(re.findall(r"\w+", match["name"].casefold())) <= wanted
    }
    return "\n".join(f"{name}: {value}" for name, value in found.items())


def sql(prompt: Recognised) -> str:
    """A query of any database that finds nothing."""
    return "SELECT NULL WHERE 1 = 0"


def cypher(prompt: Recognised) -> str:
    """A query of any graph that finds nothing."""
    return "RETURN null LIMIT 0"


def json_path(prompt: Recognised) -> str:
    """The path of the whole value."""
    return "JSONPath: $"


def store_query(prompt: Recognised) -> str:
    """The question as it is, without filters."""
    query: dict[str, object] = {"query": prompt.question, "filters": [], "top_k": None}
    return f"```json\n{json.dumps(query, ensure_ascii=False)}\n```"


def direction(prompt: Recognised) -> str:
    """PREVIOUS or NEXT where the question says before or after, else NONE."""
    if _AFTER.search(prompt.question):
        return "NEXT"
    return "PREVIOUS" if _BEFORE.search(prompt.question) else "NONE"


def mask(prompt: Recognised) -> str:
    """The text with addresses, numbers of cards and telephones masked, and what they were."""
    text = prompt.fields.get("context_str", "")
    mapping: dict[str, str] = {}
    for name, pattern in _PERSONAL:
        for number, found in enumerate(dict.fromkeys(pattern.findall(text)), start=1):
            mapping[f"{name}{number}"] = found
            text = text.replace(found, f"[{name}{number}]")
    # What reads this looks for the first of these words.
    text = text.replace("Output Mapping:", "Output mapping:")
    return f"{text}\nOutput Mapping:\n{json.dumps(mapping, ensure_ascii=False)}"
